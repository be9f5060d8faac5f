#include <cute/tensor.hpp>
using namespace cute;

extern "C" __global__ void __launch_bounds__(256)
product(const float* A, const float* B, float* C, int M, int N, int K, int lda, int ldb, int ldc)
{
    __shared__ float memory_a[1024], memory_b[1024];
    auto a = make_tensor(make_gmem_ptr(A), make_shape(M, K), make_stride(_1{}, lda));
    auto b = make_tensor(make_gmem_ptr(B), make_shape(N, K), make_stride(_1{}, ldb));
    auto c = make_tensor(make_gmem_ptr(C), make_shape(M, N), make_stride(ldc, _1{}));
    auto ca = make_identity_tensor(shape(a)), cb = make_identity_tensor(shape(b)), cc = make_identity_tensor(shape(c));
    auto sa = make_tensor(make_smem_ptr(memory_a), Layout<Shape<_64, _16>>{});
    auto sb = make_tensor(make_smem_ptr(memory_b), Layout<Shape<_64, _16>>{});
    auto tile = make_shape(_64{}, _64{}, _16{});
    auto at = make_coord(blockIdx.x, blockIdx.y, _);
    auto load = Layout<Shape<_64, _4>>{};
    auto from_a = local_partition(local_tile(a, tile, at, Step<_1, X, _1>{}), load, threadIdx.x);
    auto from_b = local_partition(local_tile(b, tile, at, Step<X, _1, _1>{}), load, threadIdx.x);
    auto from_ca = local_partition(local_tile(ca, tile, at, Step<_1, X, _1>{}), load, threadIdx.x);
    auto from_cb = local_partition(local_tile(cb, tile, at, Step<X, _1, _1>{}), load, threadIdx.x);
    auto to_a = local_partition(sa, load, threadIdx.x);
    auto to_b = local_partition(sb, load, threadIdx.x);
    auto threads = Layout<Shape<_16, _16>, Stride<_16, _1>>{};
    auto own_a = local_partition(sa, threads, threadIdx.x, Step<_1, X>{});
    auto own_b = local_partition(sb, threads, threadIdx.x, Step<X, _1>{});
    auto out = local_partition(local_tile(c, tile, at, Step<_1, _1, X>{}), threads, threadIdx.x);
    auto out_c = local_partition(local_tile(cc, tile, at, Step<_1, _1, X>{}), threads, threadIdx.x);
    auto sums = make_tensor_like(out);
    clear(sums);
    for (int k = 0; k < size<2>(from_a); k++) {
        for (int i = 0; i < size(to_a); i++) to_a(i) = elem_less(from_ca(_, _, k)(i), shape(a)) ? from_a(_, _, k)(i) : 0.0f;
        for (int i = 0; i < size(to_b); i++) to_b(i) = elem_less(from_cb(_, _, k)(i), shape(b)) ? from_b(_, _, k)(i) : 0.0f;
        __syncthreads();
        gemm(own_a, own_b, sums);
        __syncthreads();
    }
    for (int i = 0; i < size(out); i++) if (elem_less(out_c(i), shape(c))) out(i) = fmaxf(sums(i), 0.0f);
}
