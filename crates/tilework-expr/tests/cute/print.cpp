// Prints layouts and tensors as CuTe prints them, each with a few of its offsets: the data of `tests/printed.rs`.
//
//   g++ -w -std=c++17 -O0 -I CUTLASS/include -I CUDA/include -I CUDA/include/cccl print.cpp -o print
//   ./print values > values.txt; ./print mma > mma.txt; ...
//
// CUTLASS and CUDA are those of the wheels `nvidia-cutlass` 4.2 and `nvidia-cuda-runtime` 13 (.ci/hardware installs them).
// Addresses are made up and never read.

#include <cstring>
#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/pointer_sparse.hpp>
using namespace cute;

// The indices whose offsets are told: the first sixteen, and some up to the last.
template <class F> void offsets(int size, F offset) {
  for (int i = 0; i < size; i += i < 15 || size < 32 ? 1 : (size + 6) / 7) { printf(i ? " " : "\t"); printf("%d=", i); offset(i); }
  printf("\n");
}
template <class L> void plain(L const& l) {
  print(l);
  offsets(size(l), [&](int i) { print(l(i)); });
}
// The addresses of the elements, counted from the last multiple of 1024 bytes.
template <class T> void bound(T const& t) {
  print(t);
  using E = typename T::value_type;
  size_t base = size_t(raw_pointer_cast(t.data())) / 1024 * 1024;
  offsets(size(t), [&](int i) { printf("%d", int((size_t(&t(i)) - base) / sizeof(E))); });
}
// The layout of a shared tensor before it has an address: as the function of elements that it stands for.
template <class L> void composed(L const& l) {
  print(l);
  auto p = as_position_independent_swizzle_layout(l);
  offsets(size(p), [&](int i) { print(p(i)); });
}
template <class T> void counting(T const& t) {
  print(t);
  offsets(size(t), [&](int i) { print(t(i)); });
}
template <class T> T* at(size_t address) { return reinterpret_cast<T*>(address); }

void values() {
  auto n = [](int x) { return x; };
  // Layouts.
  plain(Layout<_8, _1>{});
  plain(Layout<Shape<_4, _8>, Stride<_8, _1>>{});
  plain(make_layout(make_shape(4, 8)));
  plain(make_layout(make_shape(4, _8{}), LayoutRight{}));
  plain(make_layout(make_shape(Int<8>{}, _4{}), LayoutLeft{}));
  plain(make_layout(make_shape(make_shape(_2{}, 3), _5{}), make_stride(make_stride(_1{}, 20), _4{})));
  plain(make_layout(make_shape(_7{}), make_stride(_3{})));
  plain(make_layout(make_shape(_4{}, _4{}), make_stride(_0{}, _1{})));
  plain(make_layout(make_shape(_6{}, _2{}), make_stride(Int<-2>{}, Int<17>{})));
  plain(make_ordered_layout(make_shape(_4{}, _8{}, _2{}), Step<_3, _1, _2>{}));
  plain(make_layout_like(make_layout(make_shape(_4{}, 6), make_stride(_9{}, 1))));
  plain(zipped_divide(make_layout(make_shape(_16{}, _12{}), LayoutRight{}), make_shape(_4{}, _3{})));
  plain(logical_divide(make_layout(make_shape(_9{}, make_shape(_4{}, _8{})), make_stride(Int<59>{}, make_stride(Int<13>{}, _1{}))),
                        make_tile(Layout<_3, _3>{}, Layout<Shape<_2, _4>, Stride<_1, _8>>{})));
  plain(blocked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>, Stride<_1, _3>>{}));
  plain(raked_product(Layout<Shape<_2, _5>, Stride<_5, _1>>{}, Layout<Shape<_3, _4>, Stride<_1, _3>>{}));
  plain(composition(Layout<Shape<_10, _2>, Stride<_16, _4>>{}, Layout<Shape<_5, _4>, Stride<_1, _5>>{}));
  plain(complement(Layout<Shape<_2, _2>, Stride<_1, _6>>{}, _24{}));
  plain(right_inverse(Layout<Shape<_4, _8>, Stride<_8, _1>>{}));
  plain(coalesce(Layout<Shape<_2, Shape<_1, _6>>, Stride<_1, Stride<_6, _2>>>{}));
  plain(tile_to_shape(Layout<Shape<_8, _4>, Stride<_4, _1>>{}, make_shape(_16{}, _16{})));
  plain(upcast<2>(Layout<Shape<_8, _4>, Stride<_1, _8>>{}));
  plain(recast_layout<uint8_t, uint32_t>(Layout<Shape<_4, _4>, Stride<_1, _4>>{}));
  plain(make_layout(make_shape(3, make_shape(2, 2)), make_stride(4, make_stride(2, 1))));
  plain(append<3>(Layout<_4, _2>{}));
  plain(select<1, 0>(Layout<Shape<_4, _8>, Stride<_8, _1>>{}));
  plain(filter_zeros(Layout<Shape<_4, _8>, Stride<_0, _1>>{}));
  // Coordinate strides.
  plain(make_identity_layout(make_shape(_4{}, _8{})));
  plain(make_identity_layout(make_shape(3, make_shape(_2{}, 5))));
  plain(make_layout(make_shape(_4{}, _2{}), make_stride(E<1>{}, E<0>{})));
  plain(make_layout(make_shape(_4{}, _2{}), make_stride(E<0>{} * _3{}, E<1, 1>{} * 2)));
  plain(zipped_divide(make_identity_layout(make_shape(_8{}, _8{})), make_shape(_2{}, _4{})));
  counting(make_identity_tensor(make_shape(_4{}, _8{})));
  counting(make_identity_tensor(make_shape(4, make_shape(2, _3{}))));
  counting(local_tile(make_identity_tensor(make_shape(_16{}, _16{})), make_shape(_4{}, _8{}), make_coord(n(2), n(1))));
  counting(make_tensor(make_inttuple_iter(make_coord(2, 0)), Layout<Shape<_4, _3>, Stride<E<0>, E<1>>>{}));
  counting(make_tensor(counting_iterator<int>(5), make_layout(make_shape(_4{}, 3))));
  // Swizzles.
  plain(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
  plain(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
  plain(composition(Swizzle<1, 1, -2>{}, Layout<Shape<_4, _8>, Stride<_1, _4>>{}));
  plain(composition(Swizzle<3, 3, 3>{}, _8{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
  plain(composition(Swizzle<3, 3, 3>{}, n(72), make_layout(make_shape(_8{}, 16), make_stride(64, 1))));
  plain(tile_to_shape(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}), make_shape(_16{}, _128{})));
  composed(GMMA::Layout_K_SW128_Atom<half_t>{});
  composed(GMMA::Layout_K_SW64_Atom<half_t>{});
  composed(GMMA::Layout_K_SW32_Atom<float>{});
  composed(GMMA::Layout_MN_SW128_Atom<half_t>{});
  composed(GMMA::Layout_MN_SW64_Atom<int8_t>{});
  composed(GMMA::Layout_K_INTER_Atom<double>{});
  composed(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_64{}, _64{}, _2{})));
  // Tensors.
  bound(make_tensor(at<float>(0x10000), make_layout(make_shape(_8{}, _4{}), LayoutRight{})));
  bound(make_tensor(at<float const>(0x10000), make_shape(3, 5)));
  bound(make_tensor(make_gmem_ptr(at<half_t>(0x20000)), make_shape(8, _4{}), make_stride(100, _1{})));
  bound(make_tensor(make_gmem_ptr(at<double>(0x20000)), Layout<_16, _2>{}));
  bound(make_tensor(make_smem_ptr(at<half_t>(0x400)), Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
  bound(make_tensor(make_smem_ptr(at<half_t>(0x400)), composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{})));
  bound(make_tensor(make_smem_ptr(at<half_t>(0x400)), GMMA::Layout_K_SW128_Atom<half_t>{}));
  bound(make_tensor(make_smem_ptr(at<float>(0x800)), GMMA::Layout_K_SW64_Atom<float>{}));
  bound(make_tensor(make_smem_ptr(at<int8_t>(0x440)), GMMA::Layout_MN_SW32_Atom<int8_t>{}));
  bound(make_tensor(make_smem_ptr(at<half_t>(0x490)), GMMA::Layout_K_SW128_Atom<half_t>{}));
  bound(make_tensor(make_rmem_ptr(at<float>(0x1000)), make_layout(make_shape(_2{}, _2{}, make_shape(_2{}, _1{})))));
  bound(local_tile(make_tensor(make_gmem_ptr(at<float>(0x40000)), make_layout(make_shape(_16{}, _16{}), LayoutRight{})), make_shape(_4{}, _8{}), make_coord(n(0), n(0))));
  bound(local_partition(make_tensor(make_gmem_ptr(at<float>(0x40000)), make_shape(_16{}, _16{})), Layout<Shape<_4, _8>>{}, 0));
}

// Tensors of other pointers, and whole tensors with their elements, which are what the layout gives: an empty line between two.
void tensors() {
  auto numbers = [](auto* room) { for (int i = 0; i < 64; ++i) room[i] = i; return room; };
  auto line = [](auto const& t) { print(t); print("\n\n"); };
  auto whole = [](auto const& t) { print_tensor(t); print("\n"); };
  Layout<Shape<_4, _8>, Stride<_8, _1>> rows;
  using Half = sparse_elem<2, uint8_t>;
  line(make_tensor(make_gmem_ptr(subbyte_iterator<int4_t>(at<uint8_t>(0x400))), rows));
  line(make_tensor(make_smem_ptr(subbyte_iterator<int4_t>(at<uint8_t>(0x400))), GMMA::Layout_K_SW128_Atom<int4_t>{}));
  line(make_tensor(make_sparse_ptr<2>(at<Half>(0x400)), rows));
  line(make_tensor(make_gmem_ptr(make_sparse_ptr<2>(at<Half>(0x400))), rows));
  line(composition(Swizzle<3, 4, 3>{}, smem_sparse_ptr_flag_bits<2, 8>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
  line(make_tensor(make_smem_ptr(make_sparse_ptr<2>(at<Half>(0x400))), composition(Swizzle<3, 4, 3>{}, smem_sparse_ptr_flag_bits<2, 8>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{})));
  line(make_tensor(make_tmem_ptr<float>(0), Layout<Shape<_128, _64>, Stride<Int<65536>, _1>>{}));
  line(make_tensor(GMMA::DescriptorIterator{}, Layout<Shape<_1, Shape<_2, _4>>, Stride<_0, Stride<_4, _64>>>{}));
  line(make_tensor(UMMA::DescriptorIterator{}, Layout<Shape<_1, Shape<_2, _4>>, Stride<_0, Stride<_4, _64>>>{}));
  line(make_tensor(at<float const>(0), Layout<_4>{}));
  float reals[64]; int integers[64]; half_t halves[64]; int8_t bytes[64];
  whole(make_tensor(numbers(&reals[0]), Layout<_4, _3>{}));
  whole(make_tensor(numbers(&reals[0]), Layout<Shape<_2, _3>, Stride<_3, _1>>{}));
  whole(make_tensor(numbers(&integers[0]), Layout<Shape<_2, _3, _2>>{}));
  whole(make_tensor(numbers(&reals[0]), Layout<Shape<_2, _3, _2, _2>>{}));
  whole(make_tensor(make_rmem_ptr(numbers(&halves[0])), Layout<Shape<_2, Shape<_2, _2>>, Stride<_1, Stride<_16, _2>>>{}));
  whole(make_tensor(numbers(&bytes[0]), Layout<Shape<_2, _4>, Stride<_0, _5>>{}));
  whole(make_identity_tensor(make_shape(_2{}, _3{})));
  whole(make_identity_tensor(make_shape(make_shape(_2{}, 2), 3)));
  whole(make_tensor(counting_iterator<int>(5), make_layout(make_shape(_4{}, 3))));
}

template <class T> void tiled(T const& t) { print(t); print("\n"); }

void mma() {
  tiled(make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{}));
  tiled(make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{},
                       make_tile(_, Layout<Shape<_8, _2, _2>, Stride<_1, _16, _8>>{}, _)));
  tiled(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_16, _8, _1>>{}));
  tiled(make_tiled_mma(SM70_8x8x4_F32F16F16F32_TN{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{}));
  tiled(MMA_Atom<SM90_64x64x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::K>>{});
}

void copy() {
  tiled(make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{}));
  tiled(make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, float>{}, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, Layout<Shape<_2, _2>, Stride<_2, _1>>{}));
  auto mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  tiled(make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma));
}

void grid() {
  print_layout(Layout<Shape<_4, _8>, Stride<_8, _1>>{});
  print_layout(make_layout(make_shape(make_shape(_2{}, 2), _4{})));
  print_layout(composition(Swizzle<2, 0, 3>{}, Layout<Shape<_8, _8>, Stride<_8, _1>>{}));
}

void log_() {
  printf("[2025-11-03 12:30:45] kernel.cu:118:7: launching grid (16,8,1) block (128,1,1), 4 stages in 12:30 minutes\n");
  auto mma = make_tiled_mma(MMA_Atom<SM80_16x8x16_F32F16F16F32_TN>{}, Layout<Shape<_2, _2, _1>>{}, Tile<_32, _32, _16>{});
  auto a = make_tensor(make_gmem_ptr(at<half_t>(0x7f3a00000000)), make_shape(512, 256), make_stride(256, _1{}));
  auto g = local_tile(a, make_shape(_128{}, _64{}), make_coord(1, _));
  auto s = make_tensor(make_smem_ptr(at<half_t>(0x400)), tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_128{}, _64{}, _3{})));
  print("mA : "); print(a); print("\n");
  print("gA = "); print(g); print("\n");
  print("sA:  "); print(s); print("\n");
  auto thr = mma.get_slice(5);
  print("  tCsA"); print(" : "); print(thr.partition_A(make_tensor(make_gmem_ptr(at<half_t>(0x1000)), Layout<Shape<_128, _64>, Stride<_64, _1>>{}))); print("\n");
  print("shape "); print(shape(g)); print(" tiler "); print(make_tile(_128{}, Layout<_64, _2>{})); print("\n");
  print("(size 8192, rank 3)\n");
  float data[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  auto small = make_tensor(&data[0], Layout<Shape<_2, _4>>{});
  printf("values of ("); print(small.layout()); printf("):\n");
  for (int i = 0; i < 2; ++i) { for (int j = 0; j < 4; ++j) printf("  %.2e", small(i, j)); printf("\n"); }
}

// What a kernel writes, as it stands here, with what CuTe prints of it and some of its offsets: those of a layout, or of a
// tensor in memory counted from the address of all of them, in registers from its first.
#define LET(name, ...) auto name = __VA_ARGS__; printf("let %s = %s\n", #name, #__VA_ARGS__)
#define COUNT(...) { auto t = __VA_ARGS__; printf("%s\t", #__VA_ARGS__); print(t); offsets(size(t), [&](int i) { print(t(i)); }); }
#define PLACE(base, ...) { auto t = __VA_ARGS__; printf("%s\t", #__VA_ARGS__); print(t); \
  offsets(size(t), [&](int i) { printf("%d", int((size_t(&t(i)) - size_t(base)) / sizeof(t(i)))); }); }
#define MEMORY(...) PLACE(0x10000, __VA_ARGS__)
#define OWN(...) PLACE(&t(0), __VA_ARGS__)

void parts() {
  LET(rows, make_layout(make_shape(_16{}, _16{}), LayoutRight{}));
  LET(coords, make_identity_tensor(make_shape(_16{}, _16{})));
  LET(nested, make_layout(make_shape(make_shape(_4{}, _2{}), make_shape(_2{}, _8{})), make_stride(make_stride(_1{}, _32{}), make_stride(_16{}, _64{}))));
  LET(line, make_layout(make_shape(_64{}), make_stride(_2{})));
  auto c = make_tensor(counting_iterator<int>(0), rows); auto h = make_tensor(counting_iterator<int>(0), nested);
  auto l = make_tensor(counting_iterator<int>(0), line);
  printf("let c = rows\nlet h = nested\nlet l = line\n");
  // One tile, the tiles of a row, all of them.
  COUNT(local_tile(c, make_shape(_4{}, _8{}), make_coord(2, 1)))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), make_coord(2, _)))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), make_coord(_, 1)))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), make_coord(_, _)))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), _))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), 3))
  COUNT(local_tile(c, make_shape(_4{}, _8{}), make_coord(2)))
  COUNT(local_tile(c, make_shape(_4{}), make_coord(3)))
  COUNT(local_tile(c, make_shape(_4{}), 3))
  COUNT(local_tile(c, Layout<Shape<_2, _4>, Stride<_1, _16>>{}, 3))
  COUNT(local_tile(c, make_tile(Layout<_4, _4>{}, Layout<Shape<_2, _2>, Stride<_1, _8>>{}), make_coord(1, 2)))
  COUNT(local_tile(c, make_shape(_4{}, _8{}, _2{}), make_coord(2, 1, _), Step<_1, _1, X>{}))
  COUNT(local_tile(c, make_shape(_4{}, _8{}, _2{}), make_coord(2, 1, _), Step<_1, X, _1>{}))
  COUNT(local_tile(c, make_shape(_4{}, _8{}, _2{}), make_coord(2, 1, _), Step<X, _1, _1>{}))
  COUNT(local_tile(h, make_shape(_4{}, _8{}), make_coord(1, 1)))
  COUNT(local_tile(h, make_shape(_2{}, _4{}), make_coord(3, _)))
  COUNT(local_tile(l, make_shape(_8{}), make_coord(3)))
  COUNT(local_tile(coords, make_shape(_4{}, _8{}), make_coord(2, 1)))
  COUNT(local_tile(coords, make_shape(_4{}, _8{}, _2{}), make_coord(2, 1, _), Step<_1, X, _1>{}))
  // What one thread has.
  COUNT(local_partition(c, Layout<Shape<_4, _8>>{}, 9))
  COUNT(local_partition(c, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, 9))
  COUNT(local_partition(c, Layout<Shape<_4, Shape<_2, _4>>, Stride<_8, Stride<_4, _1>>>{}, 9))
  COUNT(local_partition(c, Layout<Shape<_16>>{}, 3))
  COUNT(local_partition(c, Layout<_8>{}, 3))
  COUNT(local_partition(c, Layout<Shape<_4, _8, _2>>{}, 9, Step<_1, _1, X>{}))
  COUNT(local_partition(c, Layout<Shape<_4, _2, _8>>{}, 5, Step<_1, X, _1>{}))
  COUNT(local_partition(h, Layout<Shape<_2, _4>, Stride<_4, _1>>{}, 6))
  COUNT(local_partition(l, Layout<Shape<_8>>{}, 3))
  COUNT(local_partition(coords, Layout<Shape<_4, _8>>{}, 9))
  // Fragments.
  COUNT(make_fragment_like(Layout<Shape<_4, _8>, Stride<_8, _1>>{}))
  COUNT(make_fragment_like(Layout<Shape<_4, _8, _2>, Stride<_16, _1, _8>>{}))
  COUNT(make_fragment_like(Layout<Shape<Shape<_2, _2>, _8, _2>, Stride<Stride<_64, _1>, _2, _16>>{}))
  COUNT(make_fragment_like(Layout<Shape<Shape<_2, _2>, _8, _2>, Stride<Stride<_0, _1>, _2, _16>>{}))
  COUNT(make_fragment_like(Layout<Shape<_4, _8>, Stride<_0, _0>>{}))
  COUNT(make_fragment_like(Layout<Shape<_4, _8, _2>, Stride<_1, _0, _4>>{}))
  COUNT(make_fragment_like(Layout<_4, _0>{}))
  COUNT(make_fragment_like(make_shape(_4{}, _8{})))
  COUNT(make_fragment_like(Layout<Shape<_4, Shape<_2, _4>, _2>, Stride<_64, Stride<_16, _1>, _8>>{}))
  OWN(make_fragment_like<float>(Layout<Shape<_4, _8, _2>, Stride<_16, _1, _8>>{}))
  OWN(make_tensor<float>(make_shape(_4{}, _2{})))
  OWN(make_tensor<half_t>(Layout<Shape<_4, _8>, Stride<_8, _1>>{}))
  OWN(make_tensor<double>(make_shape(_4{}, _2{}), make_stride(_2{}, _1{})))
  OWN(make_tensor<int8_t>(make_shape(_4{}, _2{}), LayoutRight{}))
  // Tensors in memory.
  LET(gA, make_tensor(make_gmem_ptr(reinterpret_cast<float*>(0x10000)), make_shape(512, 256), make_stride(256, _1{})));
  LET(gB, make_tensor(make_gmem_ptr(reinterpret_cast<half_t const*>(0x10000)), make_shape(512, 256), LayoutRight{}));
  LET(sA, make_tensor(make_smem_ptr(reinterpret_cast<half_t*>(0x10000)), composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{})));
  MEMORY(local_tile(gA, make_shape(_128{}, _64{}), make_coord(1, _)))
  MEMORY(local_tile(gA, make_shape(_128{}, _128{}, _64{}), make_coord(1, 2, _), Step<_1, X, _1>{}))
  MEMORY(local_partition(local_tile(gB, make_shape(_128{}, _64{}), make_coord(1, 3)), Layout<Shape<_32, _8>, Stride<_8, _1>>{}, 37))
  MEMORY(local_tile(sA, make_shape(_4{}, _32{}), make_coord(1, 1)))
  MEMORY(local_partition(sA, Layout<Shape<_4, _8>, Stride<_8, _1>>{}, 9))
}

int main(int, char** arguments) {
  std::string what = arguments[1];
  what == "values" ? values() : what == "mma" ? mma() : what == "copy" ? copy() : what == "grid" ? grid() : what == "parts" ? parts() : what == "tensors" ? tensors() : log_();
}
