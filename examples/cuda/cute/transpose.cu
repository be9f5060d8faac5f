#include <cute/tensor.hpp>
using namespace cute;

extern "C" __global__ void __launch_bounds__(256)
transpose(const float* A, float* B, int M, int N, int lda, int ldb)
{
    __shared__ float memory[1024];
    auto a = make_tensor(make_gmem_ptr(A), make_shape(M, N), make_stride(lda, _1{}));
    auto b = make_tensor(make_gmem_ptr(B), make_shape(M, N), make_stride(_1{}, ldb));
    auto c = make_identity_tensor(make_shape(M, N));
    auto s = make_tensor(make_smem_ptr(memory), composition(Swizzle<5, 0, 5>{}, Layout<Shape<_32, _32>, Stride<_32, _1>>{}));
    auto tile = make_shape(_32{}, _32{});
    auto at = make_coord(blockIdx.x, blockIdx.y);
    auto rows = Layout<Shape<_8, _32>, Stride<_32, _1>>{};
    auto columns = Layout<Shape<_32, _8>>{};
    auto from = local_partition(local_tile(a, tile, at), rows, threadIdx.x);
    auto from_c = local_partition(local_tile(c, tile, at), rows, threadIdx.x);
    auto from_s = local_partition(s, rows, threadIdx.x);
    for (int i = 0; i < size(from); i++) from_s(i) = elem_less(from_c(i), shape(a)) ? from(i) : 0.0f;
    __syncthreads();
    auto to = local_partition(local_tile(b, tile, at), columns, threadIdx.x);
    auto to_c = local_partition(local_tile(c, tile, at), columns, threadIdx.x);
    auto to_s = local_partition(s, columns, threadIdx.x);
    for (int i = 0; i < size(to); i++) if (elem_less(to_c(i), shape(b))) to(i) = to_s(i);
}
