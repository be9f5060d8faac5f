//! Every function of the table, and the methods of the same names.
//!
//! Written from [`tilework_expr::FUNCTIONS`] by `TABLE=overwrite cargo test -p tilework-expr --test main python`.

#![allow(non_snake_case)] // partition_A and its like are CuTe's names.

use crate::classes::AnyLayout;
use crate::operation::{
    Argument, call, call_on, call_with, named, operation, operations, part, path_value, row,
};
use crate::prelude::*;
use crate::tuple;

operations! {
    /// `size(L)` or `size(L, 0, 1)`: the number of coordinates.
    ///
    /// Definition: The product of the extents (2.2).
    /// C++ CuTe: `size`.
    /// CuTe DSL: `size`.
    /// pycute: `size`.
    ///
    /// >>> from tilework import size
    /// >>> size('(4,(8,2)):(1,(4,32))')
    /// 64
    /// >>> size[1, 0]((4, (8, 2)))
    /// 8
    part size(layout);
    /// `rank(L)`: the number of modes.
    ///
    /// Definition: The number of modes; a leaf has one.
    /// C++ CuTe: `rank`.
    /// CuTe DSL: `rank`.
    /// pycute: `rank`.
    ///
    /// >>> from tilework import rank
    /// >>> rank((4, (8, 2)))
    /// 2
    part rank(layout);
    /// `depth(L)`: the levels of nesting.
    ///
    /// Definition: 0 for a leaf, and one more than its deepest mode for a tuple (2.1).
    /// C++ CuTe: `depth`.
    /// CuTe DSL: `depth`.
    ///
    /// >>> from tilework import depth
    /// >>> depth((4, (8, 2)))
    /// 2
    part depth(layout);
    /// `shape(L)`: the extents.
    ///
    /// Definition: S of L = S:D (2.4).
    /// C++ CuTe: `shape`.
    ///
    /// >>> from tilework import shape
    /// >>> shape[1]('(4,(8,2)):(1,(4,32))')
    /// (8, 2)
    part shape(layout);
    /// `stride(L)`: the strides.
    ///
    /// Definition: D of L = S:D (2.4).
    /// C++ CuTe: `stride`.
    ///
    /// >>> from tilework import stride
    /// >>> stride('(4,8):(8,1)')
    /// (8, 1)
    part stride(layout);
    /// `cosize(L)`: the greatest offset plus one.
    ///
    /// Definition: max L(c) + 1 over all coordinates c in bounds.
    /// C++ CuTe: `cosize`.
    /// CuTe DSL: `cosize`.
    /// pycute: `cosize`.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import cosize
    /// >>> cosize('(4,8):(10,1)')
    /// 38
    part cosize(layout);
    /// `min(L)`: the least offset.
    ///
    /// Definition: min L(c) over all coordinates c in bounds.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import min
    /// >>> min('4:-1')
    /// -3
    attribute min(layout);
    /// `max(L)`: the greatest offset.
    ///
    /// Definition: max L(c) over all coordinates c in bounds.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import max
    /// >>> max('(4,8):(10,1)')
    /// 37
    attribute max(layout);
    /// `span(L)`: the greatest offset less the least, plus one.
    ///
    /// Definition: max L - min L + 1.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import span
    /// >>> span('4:-1')
    /// 4
    attribute span(layout);
    /// `image(L)`: all offsets, in the order of their coordinates.
    ///
    /// Definition: (L(0), L(1), ..., L(size-1)) (2.4.1).
    /// Refuses: limit: offsets that are no text of 256 KiB.
    ///
    /// >>> from tilework import image
    /// >>> image('(2,2):(8,1)')
    /// (0, 8, 1, 9)
    attribute image(layout);
    /// `footprint(L)` or `footprint(L, bits)`: the number of different offsets; with the bits of an element, the bytes that they take.
    ///
    /// Definition: The number of different L(c), times the bits of an element, in bytes rounded up.
    /// Refuses: undecided: offsets coincide, leave gaps, and are more than 65,536.
    ///
    /// >>> from tilework import footprint
    /// >>> footprint('(3,6):(1,1)')
    /// 8
    /// >>> footprint('(4,8):(8,1)', 16)
    /// 64
    method footprint(layout; bits);
    /// `contiguity(L)`: for each mode, how many adjacent coordinates have adjacent offsets.
    ///
    /// Definition: The greatest divisor n of each mode's size such that n neighbouring coordinates, from a multiple of n on, have offsets k, k+1, ....
    /// Refuses: codomain: rational and coordinate offsets have no neighbours.
    ///
    /// >>> from tilework import contiguity
    /// >>> contiguity('(4,8):(8,1)')
    /// (1, 8)
    /// >>> contiguity('Sw<3,3,3> o (8,64):(64,1)')
    /// (1, 8)
    attribute contiguity(layout);
    /// `layout(S)` or `layout(S, D)` or `layout(L, M, ...)`: a layout from shape and stride, or of several layouts as its modes.
    ///
    /// Definition: L(c) = the inner product of the natural coordinate of c with the strides (2.4, equation 6).
    /// C++ CuTe: `make_layout`.
    /// CuTe DSL: `make_layout`.
    /// pycute: `Layout`.
    /// Refuses: incongruent: shape and stride of different nesting; extent: an extent below 1.
    ///
    /// >>> from tilework import layout
    /// >>> layout((4, 8), (8, 1))
    /// Layout('(4,8):(8,1)')
    /// >>> layout('4:2', '8:1')
    /// Layout('(4,8):(2,1)')
    layouts layout(first, more);
    /// `column_major(S)`: the compact layout of a shape, the first leaf fastest.
    ///
    /// Definition: The strides are the products of the extents before them.
    /// C++ CuTe: `LayoutLeft, GenColMajor`.
    /// CuTe DSL: `make_layout`.
    /// pycute: `Layout`.
    /// Refuses: extent: an extent below 1.
    ///
    /// >>> from tilework import column_major
    /// >>> column_major((4, 8))
    /// Layout('(4,8):(1,4)')
    function column_major(shape);
    /// `row_major(S)`: the compact layout of a shape, the last leaf fastest.
    ///
    /// Definition: The strides are the products of the extents after them.
    /// C++ CuTe: `LayoutRight, GenRowMajor`.
    /// Refuses: extent: an extent below 1.
    ///
    /// >>> from tilework import row_major
    /// >>> row_major((4, 8))
    /// Layout('(4,8):(8,1)')
    function row_major(shape);
    /// `ordered(S, order)`: the compact layout of a shape, leaves of smaller order fastest.
    ///
    /// Definition: The strides are the products of the extents of smaller order.
    /// C++ CuTe: `make_ordered_layout`.
    /// CuTe DSL: `make_ordered_layout`.
    /// Refuses: incongruent: shape and order of different nesting.
    ///
    /// >>> from tilework import ordered
    /// >>> ordered((4, 8, 2), (2, 0, 1))
    /// Layout('(4,8,2):(16,1,8)')
    function ordered(shape, order);
    /// `compact_like(L)`: the compact layout with the strides in the same order.
    ///
    /// Definition: The compact layout whose strides have the order of L's; of a tensor, one in registers.
    /// C++ CuTe: `make_layout_like, make_tensor_like`.
    /// CuTe DSL: `make_layout_like`.
    /// Refuses: codomain: strides that are not integers.
    ///
    /// >>> from tilework import compact_like
    /// >>> compact_like('(4,8):(100,1)')
    /// Layout('(4,8):(8,1)')
    method compact_like(layout);
    /// `fragment_like(L)` or `fragment_like(L, bits)`: the compact layout of a shape with the first mode first, and the strides of the others in the same order; of a tensor, one in registers.
    ///
    /// Definition: The compact layout whose first mode is in the order of its coordinates, and whose other modes follow in the order of their strides.
    /// C++ CuTe: `make_fragment_like`.
    /// CuTe DSL: `make_fragment_like`.
    /// Refuses: codomain: strides that are not integers.
    ///
    /// >>> from tilework import fragment_like
    /// >>> fragment_like('((2,2),4,2):((64,1),2,128)')
    /// Layout('((2,2),4,2):((1,2),4,16)')
    /// >>> fragment_like('(4,8):(8,1)', 32)
    /// Layout('rmem_ptr[32b] o (4,8):(1,4)')
    method fragment_like(layout; bits);
    /// `identity(S)`: the layout that maps each coordinate to itself, strides 1@i.
    ///
    /// Definition: L(c) = c: stride 1@i at mode i (2.4.2).
    /// C++ CuTe: `make_identity_layout`.
    /// CuTe DSL: `make_identity_tensor`.
    ///
    /// >>> from tilework import identity
    /// >>> identity((4, 8))
    /// Layout('(4,8):(1@0,1@1)')
    function identity(shape);
    /// `layout_tv(T, V)`: the tile of threads and of the values of each, and the layout from (thread,value) into it.
    ///
    /// Definition: <mode_sizes(P), right_inverse(P) o (size(T),size(V))>, where P is raked_product(T, V).
    /// C++ CuTe: `make_tiled_copy`.
    /// CuTe DSL: `make_layout_tv`.
    /// Refuses: those of raked_product and right_inverse.
    ///
    /// >>> from tilework import layout_tv
    /// >>> layout_tv('(4,8):(8,1)', '(2,4):(4,1)')
    /// Tiler('<<8:1,32:1>,((8,4),(4,2)):((32,2),(8,1))>')
    function layout_tv(thr_layout, val_layout);
    /// `make_tensor(P, L)` or `make_tensor(P, S, D)`: the tensor of a pointer, or of a coordinate to count from, and a layout; with the type of its elements, one in registers.
    ///
    /// Definition: T(c) = P[L(c)] (2.5).
    /// C++ CuTe: `make_tensor`.
    /// CuTe DSL: `make_tensor`.
    /// pycute: `Tensor`.
    /// Refuses: kind: an operand that is neither a pointer nor a coordinate.
    ///
    /// >>> from tilework import make_tensor
    /// >>> make_tensor('gmem_ptr[16b]', (4, 8), (8, 1))
    /// Layout('gmem_ptr[16b] o (4,8):(8,1)')
    /// >>> make_tensor((8, 0), 'identity((4,8))')
    /// View('{(8,0)} o (4,8):(1@0,1@1)')
    function make_tensor(pointer, layout; stride);
    /// `make_fragment(L, T)`: the tensor in registers of a layout, and of the type or the bits of its elements.
    ///
    /// Definition: T(c) = r[L(c)] for registers r (2.5).
    /// C++ CuTe: `make_tensor<T>`.
    /// CuTe DSL: `make_fragment, make_rmem_tensor`.
    ///
    /// >>> from tilework import make_fragment
    /// >>> make_fragment((4, 8), 32)
    /// Layout('rmem_ptr[32b] o (4,8):(1,4)')
    method make_fragment(layout, bits);
    /// `from_image(f)`: the coalesced layout with the offsets f, behind the first of them: the inverse of image.
    ///
    /// Definition: The L with L(i) = f_i for every i, in the fewest modes.
    /// Refuses: not-xor-linear: no layout has these offsets.
    ///
    /// >>> from tilework import from_image
    /// >>> from_image((0, 8, 1, 9))
    /// Layout('(2,2):(8,1)')
    /// >>> from_image((0, 3, 6, 5))
    /// Layout('4:^3')
    /// >>> from_image((8, 9, 0, 1))
    /// View('{8} o (2,2):(1,-8)')
    function from_image(offsets);
    /// `from_formula(i*8 + j%8, i < 16, j < 8)`: the layout of an index formula of C or Python, from the extents of its names; with a swizzle if it has XORs.
    ///
    /// Definition: The L with L(i,j) = the formula for all 0 <= i < I and 0 <= j < J, a mode for each name < extent; + - * & | ^ << >> % as in C and Python, / and // round down, and name = value is a constant.
    /// Refuses: not-xor-linear: no layout has these offsets, and the first coordinate where none can; name: a name without extent; limit: more coordinates than are compared.
    ///
    /// >>> from tilework import from_formula
    /// >>> from_formula("i/4*32 + i%4*2 + j, i < 8, j < 2")
    /// Layout('((4,2),2):((2,32),1)')
    /// >>> from_formula("row*64 + (col ^ (row & 7) << 3), row < 8, col < 64")
    /// ComposedLayout('Sw<3,3,3> o 0 o (8,64):(64,1)')
    /// >>> from_formula("(lane >> 2)*LD + (lane & 3), lane < 32, LD = 40")
    /// Layout('(4,8):(1,40)')
    text from_formula(formula);
    /// `chain(L, M, ...)`: layouts that are applied in turn, the last one first.
    ///
    /// Definition: chain(L, M)(c) = L(M(c)) on all integers, also where L o M is no layout (2.4.3).
    /// Refuses: not-integral: an offset that is no coordinate.
    ///
    /// >>> from tilework import chain
    /// >>> chain('4:2', '8:1')
    /// (Layout('4:2'), Layout('8:1'))
    layouts chain(first, more);
    /// `completeness(f)`: a chain of layouts whose values at 0, 1, ... are f = (0,f1,f2,...).
    ///
    /// Definition: f = (2,2,...):(f1,f2,...) o (3,1):(1,4) o (4,1):(1,6) o ... (2.4.3); for more than 33 values (2,1):(f1,1) o ... o (k,2,1):(1,p fk,p) o ... with p = 2(k-1).
    /// Refuses: argument: the first value is not 0; overflow: past 33 values, 2(k-1) fk does not fit in 64 bits.
    ///
    /// >>> from tilework import completeness
    /// >>> completeness((0, 7, 1, 9))
    /// (Layout('(2,2,2):(7,1,9)'), Layout('(3,1):(1,4)'))
    function completeness(values);
    /// `evaluate(L, c)`: the offset of a coordinate, the same as (L)(c).
    ///
    /// Definition: L(c) = sum of c_i d_i over the natural coordinate (equation 6).
    /// C++ CuTe: `layout(coord)`.
    /// CuTe DSL: `layout(coord)`.
    /// pycute: `layout(coord)`.
    /// Refuses: coordinate: c has other entries than the shape.
    ///
    /// >>> from tilework import evaluate
    /// >>> evaluate('(4,8):(8,1)', (2, 5))
    /// 21
    method evaluate(layout, coordinate);
    /// `crd2idx(c, S)` or `crd2idx(c, S, D)` or `crd2idx(c, L)`: the integral coordinate, or with strides the offset.
    ///
    /// Definition: The index of a coordinate of S (equation 5); with strides their inner product.
    /// C++ CuTe: `crd2idx`.
    /// CuTe DSL: `crd2idx`.
    /// pycute: `crd2idx`.
    /// Refuses: coordinate: c has other entries than the shape.
    ///
    /// >>> from tilework import crd2idx
    /// >>> crd2idx((2, 5), (4, 8))
    /// 22
    /// >>> crd2idx((2, 5), (4, 8), (8, 1))
    /// 21
    function crd2idx(coordinate, shape; stride);
    /// `idx2crd(i, S)` or `idx2crd(i, L)`: the natural coordinate of an integral one.
    ///
    /// Definition: i mod s0, (i / s0) mod s1, ..., the last extent not wrapped (equation 4).
    /// C++ CuTe: `idx2crd`.
    /// CuTe DSL: `idx2crd`.
    /// pycute: `idx2crd`.
    /// Refuses: coordinate: i has other entries than the shape.
    ///
    /// >>> from tilework import idx2crd
    /// >>> idx2crd(22, (4, 8))
    /// (2, 5)
    function idx2crd(index, shape);
    /// `crd2crd(c, S, T)`: the coordinate into T at the same place as c into S.
    ///
    /// Definition: idx2crd(crd2idx(c, S), T).
    /// C++ CuTe: `crd2crd`.
    /// pycute: `crd2crd`.
    /// Refuses: coordinate: c has other entries than the shape.
    ///
    /// >>> from tilework import crd2crd
    /// >>> crd2crd((2, 5), (4, 8), (8, 4))
    /// (6, 2)
    function crd2crd(coordinate, shape, other);
    /// `in_bounds(c, S)`: whether a coordinate is in a shape.
    ///
    /// Definition: 0 <= c_i < s_i for each leaf.
    /// C++ CuTe: `elem_less`.
    /// CuTe DSL: `elem_less`.
    ///
    /// >>> from tilework import in_bounds
    /// >>> in_bounds((4, 5), (4, 8))
    /// False
    function in_bounds(coordinate, shape);
    /// `coordinate_sets(S)`: the shapes that coarsen S, whose coordinates S takes.
    ///
    /// Definition: Z(S): all S' that are compatible with S and coarsen it (definition 2.8).
    /// Refuses: capacity: more than 32 sets, or more than 32 leaves or 63 leaves and tuples in them together.
    ///
    /// >>> from tilework import coordinate_sets
    /// >>> coordinate_sets(((2, 3), 2))
    /// (12, (6, 2), ((2, 3), 2))
    function coordinate_sets(shape);
    /// `slice(L, (2,_))`: the modes at `_`, with the offset of the others.
    ///
    /// Definition: L(c' + c*) = L(c') + L(c*): fixed modes give an offset, open ones a layout (2.5.1, equation 10).
    /// C++ CuTe: `slice_and_offset`.
    /// CuTe DSL: `slice_`.
    /// pycute: `slice_and_offset`.
    /// Refuses: coordinate: the pattern does not fit the shape.
    ///
    /// >>> from tilework import slice
    /// >>> slice('(4,8):(8,1)', (2, None))
    /// View('{16} o 8:1')
    method slice(layout, pattern);
    /// `dice(L, (2,_))`: the modes that a coordinate fixes.
    ///
    /// Definition: The modes where the coordinate has no _.
    /// C++ CuTe: `dice`.
    /// CuTe DSL: `dice`.
    /// Refuses: coordinate: the pattern does not fit the shape.
    ///
    /// >>> from tilework import dice
    /// >>> dice('(4,8):(8,1)', (2, None))
    /// Layout('4:8')
    method dice(layout, pattern);
    /// `shape_div(S, n)` or `shape_div(S, T)` or `shape_div(S, n, ceil)` or `shape_div(S, n, floor)`: the shape with n divided out from the left; by a tuple mode by mode; exact, or with each quotient rounded to 1 or more; in CuTe what is left of n at the end is dropped.
    ///
    /// Definition: From the left, each extent is divided by the rest of n.
    /// C++ CuTe: `shape_div`.
    /// CuTe DSL: `shape_div`.
    /// pycute: `shape_div`.
    /// Refuses: divisibility: an extent and the rest of n divide neither way.
    ///
    /// >>> from tilework import shape_div
    /// >>> shape_div((4, 8), 8)
    /// (1, 4)
    /// >>> shape_div((4, 8), (2, 4))
    /// (2, 2)
    /// >>> shape_div((7, 4), 10, 1)
    /// (1, 2)
    function shape_div(shape, divisor; rounding);
    /// `shape_mod(S, n)` or `shape_mod(S, T)`: the leading part of the shape that has size n; by a tuple mode by mode.
    ///
    /// Definition: The extents that shape_div divides out, 1 in all others.
    /// Refuses: divisibility: as for shape_div.
    ///
    /// >>> from tilework import shape_mod
    /// >>> shape_mod((4, 8), 8)
    /// (4, 2)
    function shape_mod(shape, divisor);
    /// `prefix_product(S)`: for each leaf the product of those before it: the strides of the compact layout.
    ///
    /// Definition: 1, s0, s0 s1, ... in the nesting of S.
    /// C++ CuTe: `compact_major<LayoutLeft>`.
    /// pycute: `prefix_product`.
    /// Refuses: overflow: the size does not fit in 64 bits.
    ///
    /// >>> from tilework import prefix_product
    /// >>> prefix_product((3, (6, 2), 8))
    /// (1, (3, 18), 36)
    function prefix_product(shape);
    /// `inner_product(c, D)`: the sum of the multiples of strides: the offset of a natural coordinate.
    ///
    /// Definition: sum of c_i d_i over the leaves (2.3.2, equation 6).
    /// C++ CuTe: `inner_product`.
    /// pycute: `inner_product`.
    /// Refuses: incongruent: tuples of different nesting.
    ///
    /// >>> from tilework import inner_product
    /// >>> inner_product((2, (1, 5)), (8, (1, 32)))
    /// 177
    /// >>> inner_product((1, 2), '(1@0,1@1)')
    /// (1, 2)
    function inner_product(coordinate, stride);
    /// `ceil_div(a, b)`: the quotient rounded up, leaf by leaf.
    ///
    /// Definition: The least q with q b >= a, leaf by leaf.
    /// C++ CuTe: `ceil_div`.
    /// CuTe DSL: `ceil_div`.
    /// Refuses: argument: a divisor below 1.
    ///
    /// >>> from tilework import ceil_div
    /// >>> ceil_div((5, 8), (2, 3))
    /// (3, 3)
    function ceil_div(value, divisor);
    /// `mode_sizes(S)`: the size of each mode.
    ///
    /// Definition: (size(S0), size(S1), ...).
    /// C++ CuTe: `product_each`.
    /// CuTe DSL: `product_each`.
    ///
    /// >>> from tilework import mode_sizes
    /// >>> mode_sizes((4, (8, 2)))
    /// (4, 16)
    part mode_sizes(layout);
    /// `common_refinement(S, T)`: the coarsest shape that refines both.
    ///
    /// Definition: The coarsest shape that both S and T are compatible with (2.2).
    /// Refuses: divisibility: the extents of the two do not nest.
    ///
    /// >>> from tilework import common_refinement
    /// >>> common_refinement((4, 6), ((2, 2), 6))
    /// ((2, 2), 6)
    function common_refinement(shape, other);
    /// `common_coarsening(S, T)`: the finest shape that coarsens both.
    ///
    /// Definition: The finest shape that is compatible with both S and T (2.2).
    /// Refuses: size: shapes of different size.
    ///
    /// >>> from tilework import common_coarsening
    /// >>> common_coarsening(((2, 2), 6), (4, 6))
    /// (4, 6)
    function common_coarsening(shape, other);
    /// `get(L, 0, 1)`: the part at a path.
    ///
    /// Definition: Mode i_0, of that mode i_1, and so on.
    /// C++ CuTe: `get<i>, layout<i>`.
    /// CuTe DSL: `get`.
    /// pycute: `L[i]`.
    /// Refuses: index: there is no such mode.
    ///
    /// >>> from tilework import get
    /// >>> get('(4,(8,2)):(1,(4,32))', 1, 0)
    /// Layout('8:4')
    indices get(layout, path);
    /// `flatten(L)`: the leaves without nesting.
    ///
    /// Definition: The leaves in their order, in one tuple.
    /// C++ CuTe: `flatten`.
    /// CuTe DSL: `flatten`.
    /// pycute: `flatten`.
    ///
    /// >>> from tilework import flatten
    /// >>> flatten((4, (8, 2)))
    /// (4, 8, 2)
    method flatten(layout);
    /// `unflatten(L, profile)`: the leaves in the nesting of another tuple.
    ///
    /// Definition: The tuple of the given nesting with these leaves.
    /// C++ CuTe: `unflatten`.
    /// Refuses: incongruent: another number of leaves.
    ///
    /// >>> from tilework import unflatten
    /// >>> unflatten('(4,8,2):(1,4,32)', (0, (0, 0)))
    /// Layout('(4,(8,2)):(1,(4,32))')
    method unflatten(layout, profile);
    /// `group(L, 0, 2)` or `group(L, (0,1))`: some neighbouring modes as one mode.
    ///
    /// Definition: Modes begin to end-1, or those of a tuple, become the modes of one.
    /// C++ CuTe: `group<B,E>`.
    /// CuTe DSL: `group_modes`.
    /// Refuses: index: there are no such modes; arguments: modes that are not adjacent.
    ///
    /// >>> from tilework import group
    /// >>> group('(4,8,2):(1,4,32)', 0, 2)
    /// Layout('((4,8),2):((1,4),32)')
    /// >>> group('(4,8,2):(1,4,32)', (0, 1))
    /// Layout('((4,8),2):((1,4),32)')
    method group(layout, begin; end);
    /// `take(L, 0, 2)`: some neighbouring modes alone.
    ///
    /// Definition: Modes begin to end-1.
    /// C++ CuTe: `take<B,E>`.
    /// Refuses: index: there are no such modes.
    ///
    /// >>> from tilework import take
    /// >>> take('(4,8,2):(1,4,32)', 1, 3)
    /// Layout('(8,2):(4,32)')
    method take(layout, begin, end);
    /// `select(L, 0, 2)`: the named modes in the order given.
    ///
    /// Definition: (L_i0, L_i1, ...).
    /// C++ CuTe: `select<I...>`.
    /// CuTe DSL: `select`.
    /// Refuses: index: there is no such mode.
    ///
    /// >>> from tilework import select
    /// >>> select('(4,8,2):(1,4,32)', 2, 0)
    /// Layout('(2,4):(32,1)')
    indices select(layout, modes);
    /// `append(L, M)`: one more mode at the end, or modes up to a rank.
    ///
    /// Definition: (L0, L1, ..., M).
    /// C++ CuTe: `append`.
    /// CuTe DSL: `append`.
    /// Refuses: capacity: more than 32 leaves.
    ///
    /// >>> from tilework import append
    /// >>> append('4:1', '8:4')
    /// Layout('(4,8):(1,4)')
    /// >>> append[3]((4, 8))
    /// (4, 8, 1)
    method append(layout; mode; * rank);
    /// `prepend(L, M)`: one more mode in front, or modes up to a rank.
    ///
    /// Definition: (M, L0, L1, ...).
    /// C++ CuTe: `prepend`.
    /// CuTe DSL: `prepend`.
    /// Refuses: capacity: more than 32 leaves.
    ///
    /// >>> from tilework import prepend
    /// >>> prepend('4:1', '8:4')
    /// Layout('(8,4):(4,1)')
    method prepend(layout; mode; * rank);
    /// `replace(L, 0, M)`: one mode exchanged for another.
    ///
    /// Definition: Mode i is M.
    /// C++ CuTe: `replace<I>`.
    /// Refuses: index: there is no such mode.
    ///
    /// >>> from tilework import replace
    /// >>> replace('(4,8):(1,4)', 0, '2:1')
    /// Layout('(2,8):(1,4)')
    method replace(layout, index, mode);
    /// `einfold("(ab)c -> cab", L)`: modes by names: reordered, regrouped, split, repeated, dropped.
    ///
    /// Definition: A name on the left binds a mode, or a part of an extent by its size; the right side is built of them, and modes without a name stay. In a group of a layout the first name is the fastest, as in its coordinates; of an array the last, as in einops.
    /// pycute: `einfold`.
    /// Refuses: syntax: at the byte of the pattern; pattern: a group or a size that is not that of the modes.
    ///
    /// >>> from tilework import einfold
    /// >>> einfold("(ab)cde -> c(ade)b", ((12, 4), 42, 5, 7))
    /// (42, (12, 5, 7), 4)
    /// >>> einfold("(h h2) w -> h2 (h w)", '(8,4):(4,1)', h2=2)
    /// Layout('(2,(4,4)):(16,(4,1))')
    sizes einfold(pattern, value by crate::einfold::einfold);
    /// `coalesce(L)` or `coalesce(L, <_,_>)`: the same function with the fewest modes, or mode by mode.
    ///
    /// Definition: The layout of fewest modes with L'(i) = L(i) for every index (3.2).
    /// C++ CuTe: `coalesce`.
    /// CuTe DSL: `coalesce`.
    /// pycute: `coalesce`.
    ///
    /// >>> from tilework import coalesce
    /// >>> coalesce('(2,(1,6)):(1,(6,2))')
    /// Layout('12:1')
    /// >>> coalesce('((2,2),(2,2)):((1,2),(4,8))', '<_,_>')
    /// Layout('(4,4):(1,4)')
    method coalesce(layout; profile);
    /// `coalesce_extended(L)`: the fewest modes of the same function on all integers.
    ///
    /// Definition: The layout of fewest modes with L'(i) = L(i) for every integer i, also out of bounds (3.2).
    ///
    /// >>> from tilework import coalesce_extended
    /// >>> coalesce_extended('(4,1):(1,7)')
    /// Layout('(4,1):(1,7)')
    method coalesce_extended(layout);
    /// `filter(L)` or `filter(L, <_,_>)`: coalesced without the modes of stride 0, or mode by mode.
    ///
    /// Definition: coalesce(filter_zeros(L)).
    /// C++ CuTe: `filter`.
    /// CuTe DSL: `filter`.
    /// pycute: `filter`.
    ///
    /// >>> from tilework import filter
    /// >>> filter('(4,8):(0,1)')
    /// Layout('8:1')
    /// >>> filter('(4,(2,5)):(0,(4,0))', '<_,_>')
    /// Layout('(1,2):(0,4)')
    method filter(layout; profile);
    /// `filter_zeros(L)`: extent 1 wherever the stride is 0.
    ///
    /// Definition: Extent 1 for each mode of stride 0.
    /// C++ CuTe: `filter_zeros`.
    /// CuTe DSL: `filter_zeros`.
    ///
    /// >>> from tilework import filter_zeros
    /// >>> filter_zeros('(4,8):(0,1)')
    /// Layout('(1,8):(0,1)')
    method filter_zeros(layout);
    /// `sort(L)`: the leaves by ascending stride.
    ///
    /// Definition: The leaves in the order of their strides.
    /// C++ CuTe: `sort`.
    ///
    /// >>> from tilework import sort
    /// >>> sort('(4,8):(8,1)')
    /// Layout('(8,4):(1,8)')
    method sort(layout);
    /// `to_layout(L)`: the layout equal to a swizzled layout, with integer strides if possible, otherwise with XOR strides.
    ///
    /// Definition: The layout L with L(i) = F(i) for every index of the swizzled layout F.
    /// Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout is this function.
    ///
    /// >>> from tilework import to_layout
    /// >>> to_layout('Sw<2,0,2> o (4,4):(1,4)')
    /// Layout('(4,4):(^1,^5)')
    method to_layout(layout);
    /// `to_view(L)`: the layout with an offset that is equal to a swizzled layout.
    ///
    /// Definition: {F(0)} o L with F(i) = F(0) + L(i), or with XOR strides F(0) ^ L(i), for every index of the swizzled layout F.
    /// Refuses: not-xor-linear, carryless-scale, shape-divisibility: no layout with an offset is this function.
    ///
    /// >>> from tilework import to_view
    /// >>> to_view('Sw<2,0,2> o 20 o 4:1')
    /// View('{21} o 4:^1')
    /// >>> to_view('Sw<3,3,3> o 64 o 64:1')
    /// View('{72} o 64:^1')
    method to_view(layout);
    /// `to_xor(L)`: the same function with XOR strides.
    ///
    /// Definition: The layout with strides ^d that is the same function; a swizzle acts on each column (2.4.4).
    /// Refuses: not-xor-linear, carryless-scale, shape-divisibility: sums of the strides carry.
    ///
    /// >>> from tilework import to_xor
    /// >>> to_xor('Sw<2,0,2> o (4,4):(1,4)')
    /// Layout('(4,4):(^1,^5)')
    /// >>> to_xor('(4,8):(8,1)')
    /// Layout('(4,8):(^8,^1)')
    method to_xor(layout);
    /// `to_swizzle(L)`: the same function as a swizzle over integer strides.
    ///
    /// Definition: Sw o 0 o L' with integer strides and the same offsets, for the smallest field that does.
    /// Refuses: swizzle: no swizzle does; argument: offsets below 0.
    ///
    /// >>> from tilework import to_swizzle
    /// >>> to_swizzle('(4,4):(^1,^5)')
    /// ComposedLayout('Sw<2,0,2> o 0 o (4,4):(1,4)')
    method to_swizzle(layout);
    /// `linear_form(L)`: the rows of the matrix that takes a natural coordinate to its offset; of XOR strides the matrix over F2, of bits.
    ///
    /// Definition: The matrix D with L(c) = D c for the natural coordinate c (2.4.4, table 1).
    /// Refuses: capacity: more than 32 entries.
    ///
    /// >>> from tilework import linear_form
    /// >>> linear_form('(4,(4,2)):(1@1,(1@0,6@1))')
    /// ((0, 1, 0), (1, 0, 6))
    /// >>> linear_form('((2,2),(4,2)):((1,8),(2,16))')
    /// (1, 8, 2, 16)
    /// >>> linear_form('(4,4):(^1,^5)')
    /// ((1, 0, 1, 0), (0, 1, 0, 1), (0, 0, 1, 0), (0, 0, 0, 1))
    attribute linear_form(layout);
    /// `bit_matrix(L)`: the columns of the matrix over F2 from the bits of an index to those of its offset, as numbers.
    ///
    /// Definition: Column k is L(2^k); L(i) is the XOR of the columns at the bits of i (2.4.4).
    /// Refuses: not-xor-linear: sums of the strides carry; argument: a size that is not a power of two.
    ///
    /// >>> from tilework import bit_matrix
    /// >>> bit_matrix('(4,4):(^1,^5)')
    /// (1, 2, 5, 10)
    /// >>> bit_matrix('(4,8):(8,1)')
    /// (8, 16, 1, 2, 4)
    attribute bit_matrix(layout);
    /// `bit_rank(L)`: the rank of that matrix; there are 2^rank offsets.
    ///
    /// Definition: The dimension of the span of the columns over F2.
    /// Refuses: as for bit_matrix.
    ///
    /// >>> from tilework import bit_rank
    /// >>> bit_rank('(4,4):(^1,^5)')
    /// 4
    attribute bit_rank(layout);
    /// `bit_layout(columns)`: the layout whose matrix over F2 has these columns.
    ///
    /// Definition: L(i) is the XOR of the columns at the bits of i, in the fewest modes.
    /// Refuses: capacity: more than 63 columns.
    ///
    /// >>> from tilework import bit_layout
    /// >>> bit_layout((1, 2, 5, 10))
    /// Layout('(4,4):(^1,^5)')
    function bit_layout(columns);
    /// `composition(A, B)`: the layout c -> A(B(c)); with a tiler mode by mode.
    ///
    /// Definition: (A o B)(c) = A(B(c)) for every coordinate of B, and B's shape refined (3.3); of a tiler mode by mode (3.3.5).
    /// C++ CuTe: `composition`.
    /// CuTe DSL: `composition`.
    /// pycute: `composition`.
    /// Refuses: shape-divisibility: A changes its step within a leaf of B (equation 21); carry: leaves of B together pass a mode of A (equation 23).
    ///
    /// >>> from tilework import composition
    /// >>> composition('(8,8):(8,1)', '((4,8),2):((16,1),8)')
    /// Layout('((4,8),2):((2,8),1)')
    /// >>> composition('(8,8):(8,1)', (2, 4))
    /// Layout('(2,4):(8,1)')
    method composition(left, right);
    /// `complement(L)` or `complement(L, M)` or `complement(L, <_,_>)`: the layout of the offsets that L skips, up to M, or mode by mode.
    ///
    /// Definition: The layout L* such that (L, L*) is injective, ascending, and as large as M allows (3.5.1).
    /// C++ CuTe: `complement`.
    /// CuTe DSL: `complement`.
    /// pycute: `complement`.
    /// Refuses: overlap: modes of L overlap; gap: a gap that is not a multiple.
    ///
    /// >>> from tilework import complement
    /// >>> complement('4:2', 24)
    /// Layout('(2,3):(1,8)')
    /// >>> complement('(8,16):(20,1)', '<_,_>')
    /// Layout('((20,1),1):((1,160),16)')
    method complement(layout; within);
    /// `right_inverse(L)` or `right_inverse(L, <_,_>)`: the largest R with L(R(i)) = i, or mode by mode.
    ///
    /// Definition: L(R(i)) = i for every i below size(R), and size(R) as large as possible (3.4.1).
    /// C++ CuTe: `right_inverse`.
    /// CuTe DSL: `right_inverse`.
    /// pycute: `right_inverse`.
    /// Refuses: undecided: L overlaps itself, past a budget.
    ///
    /// >>> from tilework import right_inverse
    /// >>> right_inverse('(4,8):(8,1)')
    /// Layout('(8,4):(4,1)')
    /// >>> right_inverse('{8} o (8,2):(1,-8)')
    /// View('{8} o (8,2):(1,-8)')
    /// >>> right_inverse('Sw<2,0,2> o (4,4):(1,4)')
    /// Layout('(4,4):(^1,^5)')
    method right_inverse(layout; profile);
    /// `left_inverse(L)` or `left_inverse(L, <_,_>)`: an R with L(R(L(i))) = L(i), or mode by mode.
    ///
    /// Definition: L(R(L(i))) = L(i); R(L(i)) = i where L is injective (3.4.3, equation 26).
    /// C++ CuTe: `left_inverse`.
    /// CuTe DSL: `left_inverse`.
    /// pycute: `left_inverse`.
    /// Refuses: no-inverse: there is none; undecided: past a budget.
    ///
    /// >>> from tilework import left_inverse
    /// >>> left_inverse('(3,4):(1,4)')
    /// Layout('(4,4):(1,3)')
    method left_inverse(layout; profile);
    /// `inverse(L)`: the inverse of a compact layout.
    ///
    /// Definition: L(R(k)) = k and R(L(i)) = i for every k and i below the size; for coordinates, for every k of a shape.
    /// Refuses: no-inverse: an offset is missing, or two coordinates have the same.
    ///
    /// >>> from tilework import inverse
    /// >>> inverse('(4,8):(8,1)')
    /// Layout('(8,4):(4,1)')
    method inverse(layout);
    /// `nullspace(L)`: the coordinates whose offset is 0.
    ///
    /// Definition: An injective N whose offsets are all c with L(c) = 0.
    /// C++ CuTe: `nullspace`.
    /// Refuses: no-inverse: these c are the offsets of no layout; undecided: past a budget.
    ///
    /// >>> from tilework import nullspace
    /// >>> nullspace('(4,8):(0,1)')
    /// Layout('4:1')
    method nullspace(layout);
    /// `logical_divide(L, T)`: each mode split into (tile, rest).
    ///
    /// Definition: A o (B, B*), where B* is complement(B, size(A)) (3.5.2); of a tiler mode by mode.
    /// C++ CuTe: `logical_divide`.
    /// CuTe DSL: `logical_divide`.
    /// pycute: `logical_divide`.
    /// Refuses: those of complement and composition.
    ///
    /// >>> from tilework import logical_divide
    /// >>> logical_divide('16:1', 4)
    /// Layout('(4,4):(1,4)')
    method logical_divide(layout, tiler);
    /// `zipped_divide(L, T)`: ((tiles), (rests)).
    ///
    /// Definition: logical_divide by mode, then all tiles in one mode and all rests in another (3.5.2).
    /// C++ CuTe: `zipped_divide`.
    /// CuTe DSL: `zipped_divide`.
    /// pycute: `zipped_divide`.
    /// Refuses: those of logical_divide.
    ///
    /// >>> from tilework import zipped_divide
    /// >>> zipped_divide('(4,8):(8,1)', (2, 4))
    /// Layout('((2,4),(2,2)):((8,1),(16,4))')
    method zipped_divide(layout, tiler);
    /// `tiled_divide(L, T)`: ((tiles), rest, rest, ...).
    ///
    /// Definition: zipped_divide with the mode of the rests taken apart.
    /// C++ CuTe: `tiled_divide`.
    /// CuTe DSL: `tiled_divide`.
    /// pycute: `tiled_divide`.
    /// Refuses: those of logical_divide.
    ///
    /// >>> from tilework import tiled_divide
    /// >>> tiled_divide('(4,8):(8,1)', (2, 4))
    /// Layout('((2,4),2,2):((8,1),16,4)')
    method tiled_divide(layout, tiler);
    /// `flat_divide(L, T)`: (tile, tile, ..., rest, rest, ...).
    ///
    /// Definition: zipped_divide with both modes taken apart.
    /// C++ CuTe: `flat_divide`.
    /// CuTe DSL: `flat_divide`.
    /// Refuses: those of logical_divide.
    ///
    /// >>> from tilework import flat_divide
    /// >>> flat_divide('(4,8):(8,1)', (2, 4))
    /// Layout('(2,4,2,2):(8,1,16,4)')
    method flat_divide(layout, tiler);
    /// `local_tile(L, T, c)` or `local_tile(L, T, c, (1,_,1))`: one tile, or with `_` in the coordinate several tiles; a projection takes the modes of T and c where it has no `_`.
    ///
    /// Definition: flat_divide(L, T) sliced at its rests, or at all of them by one index (2.5.1).
    /// C++ CuTe: `local_tile`.
    /// CuTe DSL: `local_tile`.
    /// Refuses: those of logical_divide; out-of-bounds: there is no such tile.
    ///
    /// >>> from tilework import local_tile
    /// >>> local_tile('(8,16):(16,1)', (4, 8), (1, 1))
    /// View('{72} o (4,8):(16,1)')
    /// >>> local_tile('(8,16):(16,1)', (4, 8), (1, None))
    /// View('{64} o (4,8,2):(16,1,8)')
    /// >>> local_tile('(8,16):(16,1)', (4, 2, 8), (1, 0, None), (1, None, 1))
    /// View('{64} o (4,8,2):(16,1,8)')
    method local_tile(layout, tiler, pattern; projection);
    /// `local_partition(L, T, i)` or `local_partition(L, T, i, (1,_,1))`: the elements of a thread: in each tile of the shape of T the one where T is i; a projection takes the modes of T where it has no `_`.
    ///
    /// Definition: tiled_divide(L, shape(T)) sliced at the coordinate of the tile that T maps to i (2.5.1).
    /// C++ CuTe: `local_partition`.
    /// CuTe DSL: `local_partition`.
    /// Refuses: those of logical_divide; argument: no thread has this index.
    ///
    /// >>> from tilework import local_partition
    /// >>> local_partition('(8,16):(16,1)', '(4,8):(8,1)', 9)
    /// View('{17} o (2,2):(64,8)')
    method local_partition(layout, thr_layout, index; projection);
    /// `logical_product(L, T)`: L repeated by T, each mode as (L, repetition).
    ///
    /// Definition: (A, A* o B), where A* is complement(A) (3.5.1); of a tiler mode by mode.
    /// C++ CuTe: `logical_product`.
    /// CuTe DSL: `logical_product`.
    /// pycute: `logical_product`.
    /// Refuses: those of complement and composition.
    ///
    /// >>> from tilework import logical_product
    /// >>> logical_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method logical_product(layout, tiler);
    /// `zipped_product(L, T)`: ((L), (repetitions)).
    ///
    /// Definition: logical_product by mode, then all of A in one mode and all repetitions in another.
    /// C++ CuTe: `zipped_product`.
    /// CuTe DSL: `zipped_product`.
    /// pycute: `zipped_product`.
    /// Refuses: those of logical_product.
    ///
    /// >>> from tilework import zipped_product
    /// >>> zipped_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method zipped_product(layout, tiler);
    /// `tiled_product(L, T)`: ((L), repetition, repetition, ...).
    ///
    /// Definition: zipped_product with the mode of the repetitions taken apart.
    /// C++ CuTe: `tiled_product`.
    /// CuTe DSL: `tiled_product`.
    /// pycute: `tiled_product`.
    /// Refuses: those of logical_product.
    ///
    /// >>> from tilework import tiled_product
    /// >>> tiled_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method tiled_product(layout, tiler);
    /// `flat_product(L, T)`: (mode, mode, ..., repetition, repetition, ...).
    ///
    /// Definition: zipped_product with both modes taken apart.
    /// C++ CuTe: `flat_product`.
    /// CuTe DSL: `flat_product`.
    /// Refuses: those of logical_product.
    ///
    /// >>> from tilework import flat_product
    /// >>> flat_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method flat_product(layout, tiler);
    /// `blocked_product(L, M)`: copies of L side by side, mode by mode.
    ///
    /// Definition: logical_product with modes ((A0,B0),(A1,B1),...) (3.5.3).
    /// C++ CuTe: `blocked_product`.
    /// CuTe DSL: `blocked_product`.
    /// Refuses: those of logical_product.
    ///
    /// >>> from tilework import blocked_product
    /// >>> blocked_product('(2,2):(1,2)', '(2,3):(1,2)')
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    method blocked_product(layout, grid);
    /// `raked_product(L, M)`: copies of L interleaved, mode by mode.
    ///
    /// Definition: logical_product with modes ((B0,A0),(B1,A1),...) (3.5.3).
    /// C++ CuTe: `raked_product`.
    /// CuTe DSL: `raked_product`.
    /// Refuses: those of logical_product.
    ///
    /// >>> from tilework import raked_product
    /// >>> raked_product('(2,2):(1,2)', '(2,3):(1,2)')
    /// Layout('((2,2),(3,2)):((4,1),(8,2))')
    method raked_product(layout, grid);
    /// `tile_to_shape(L, S)` or `tile_to_shape(L, S, order)`: L repeated until it fills a shape.
    ///
    /// Definition: blocked_product with the grid that fills S, in the order of the modes.
    /// C++ CuTe: `tile_to_shape`.
    /// CuTe DSL: `tile_to_shape`.
    /// Refuses: divisibility: the tile does not divide the shape.
    ///
    /// >>> from tilework import tile_to_shape
    /// >>> tile_to_shape('(2,2):(1,2)', (4, 6))
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    method tile_to_shape(layout, shape; order);
    /// `upcast(L, 2)`: counted in larger elements.
    ///
    /// Definition: The wide elements floor(L(c) / n) that are touched; of a swizzle the base less log2(n).
    /// C++ CuTe: `upcast<N>`.
    /// Refuses: divisibility: steps are uneven in elements of n, or a swizzle keeps fewer than n together; size: modes together reach further.
    ///
    /// >>> from tilework import upcast
    /// >>> upcast('(8,4):(1,8)', 4)
    /// Layout('(2,4):(1,2)')
    /// >>> upcast[2]('Sw<3,4,3> o (8,128):(128,1)')
    /// ComposedLayout('Sw<3,3,3> o 0 o (8,64):(64,1)')
    method upcast(layout, count);
    /// `downcast(L, 2)`: counted in smaller elements.
    ///
    /// Definition: Each offset becomes n neighbouring ones; of a swizzle the base plus log2(n).
    /// C++ CuTe: `downcast<N>`.
    /// Refuses: argument: no mode of stride 1 or extent 1 to split.
    ///
    /// >>> from tilework import downcast
    /// >>> downcast('(2,4):(1,2)', 4)
    /// Layout('(8,4):(1,8)')
    method downcast(layout, count);
    /// `recast(L, 16, 8)`: counted in elements of another number of bits.
    ///
    /// Definition: downcast, then upcast, by the widths without their common divisor.
    /// C++ CuTe: `recast_layout<Old,New>`.
    /// CuTe DSL: `recast_layout`.
    /// Refuses: those of upcast and downcast.
    ///
    /// >>> from tilework import recast
    /// >>> recast('(8,4):(1,8)', 8, 32)
    /// Layout('(2,4):(1,2)')
    method recast(layout, old_bits, new_bits);
    /// `common_layout(A, B)`: the largest layout that A and B agree on.
    ///
    /// Definition: The largest R with A(R(i)) = B(R(i)) = i (3.4.2).
    /// Refuses: mixed-codomain: layouts of two codomains; undecided: past a budget.
    ///
    /// >>> from tilework import common_layout
    /// >>> common_layout('(4,8):(1,4)', '(4,8):(1,100)')
    /// Layout('4:1')
    method common_layout(layout, other);
    /// `common_vector(A, B)`: how many elements are contiguous from offset 0 in both A and B.
    ///
    /// Definition: size(common_layout(A, B)) (3.4.2).
    /// Refuses: as for common_layout.
    ///
    /// >>> from tilework import common_vector
    /// >>> common_vector('(4,8):(1,4)', '(4,8):(1,100)')
    /// 4
    method common_vector(layout, other);
    /// `max_common_layout(A, B)`: the layout that A and B agree on, up to where a swizzle takes elements apart.
    ///
    /// Definition: common_layout without the swizzles, cut off at the elements that a swizzle keeps together, unless both have the same: 2^M, or the largest power of two that divides 2^M and the offset before it.
    /// C++ CuTe: `max_common_layout`.
    /// CuTe DSL: `max_common_layout`.
    /// Refuses: as for common_layout; shape-divisibility: the cut is within a mode.
    ///
    /// >>> from tilework import max_common_layout
    /// >>> max_common_layout('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
    /// Layout('8:1')
    method max_common_layout(layout, other);
    /// `max_common_vector(A, B)`: how many elements are contiguous in memory in both A and B, wherever a vector begins.
    ///
    /// Definition: common_vector without the swizzles, cut off as in max_common_layout.
    /// C++ CuTe: `max_common_vector`.
    /// CuTe DSL: `max_common_vector`.
    /// Refuses: as for common_layout.
    ///
    /// >>> from tilework import max_common_vector
    /// >>> max_common_vector('(64,8):(1,64)', 'Sw<3,3,3> o 0 o (64,8):(1,64)')
    /// 8
    method max_common_vector(layout, other);
    /// `max_vector(L, 8)`: the largest power of two, up to a limit, of elements that can be accessed at a time.
    ///
    /// Definition: The largest power of two w up to the limit with is_vector(L, w); of names, the one at their witness, with its condition.
    /// Refuses: those of is_vector.
    ///
    /// >>> from tilework import max_vector
    /// >>> max_vector('(16,4):(1,20)', 8)
    /// 4
    method max_vector(layout, limit);
    /// `layout_add(A, B)`: the layout c -> A(c) + B(c).
    ///
    /// Definition: (A + B)(c) = A(c) + B(c).
    /// Refuses: size: layouts of different size; shape-divisibility: the sum is not a layout.
    ///
    /// >>> from tilework import layout_add
    /// >>> layout_add('(4,8):(1,4)', '(4,8):(10,0)')
    /// Layout('(4,8):(11,4)')
    method layout_add(layout, other);
    /// `greatest_common_domain(A, B)`: the coarsest shape on which both have a stride per mode.
    ///
    /// Definition: The coarsest shape on whose leaves both A and B have one stride.
    /// Refuses: size: layouts of different size.
    ///
    /// >>> from tilework import greatest_common_domain
    /// >>> greatest_common_domain('(4,8):(8,1)', '(4,8):(1,4)')
    /// (4, 8)
    method greatest_common_domain(layout, other);
    /// `congruent(a, b)`: whether the nestings are the same.
    ///
    /// Definition: Equal nesting (2.1).
    /// C++ CuTe: `congruent`.
    ///
    /// >>> from tilework import congruent
    /// >>> congruent((4, (8, 2)), (0, (0, 0)))
    /// True
    method congruent(first, second);
    /// `weakly_congruent(a, b)`: whether the nesting of b refines that of a.
    ///
    /// Definition: Where a has a leaf, b has a leaf or a tuple (2.1).
    /// C++ CuTe: `weakly_congruent`.
    ///
    /// >>> from tilework import weakly_congruent
    /// >>> weakly_congruent((4, 16), (0, (0, 0)))
    /// True
    method weakly_congruent(first, second);
    /// `compatible(a, b)`: whether every coordinate of a is a coordinate of b.
    ///
    /// Definition: Of equal size, and each coordinate into a one into b (2.2).
    /// C++ CuTe: `compatible`.
    ///
    /// >>> from tilework import compatible
    /// >>> compatible((4, 16), (4, (8, 2)))
    /// True
    method compatible(first, second);
    /// `equivalent(A, B)`: whether A and B are the same function of integers.
    ///
    /// Definition: A(i) = B(i) for every index, and sizes are equal, whatever swizzle or offset is before the layouts.
    ///
    /// >>> from tilework import equivalent
    /// >>> equivalent('(2,4):(1,2)', '8:1')
    /// True
    method equivalent(first, second);
    /// `is_injective(L)`: whether no two coordinates share an offset.
    ///
    /// Definition: L(a) = L(b) only if a = b.
    /// Refuses: undecided: past a budget.
    ///
    /// >>> from tilework import is_injective
    /// >>> is_injective('(4,8):(0,1)')
    /// False
    attribute is_injective(layout);
    /// `is_surjective(L)`: whether every offset from 0 to the greatest occurs.
    ///
    /// Definition: Every k with 0 <= k < cosize(L) is an offset, and nothing else.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import is_surjective
    /// >>> is_surjective('(4,8):(8,1)')
    /// True
    attribute is_surjective(layout);
    /// `is_bijective(L)`: whether the indices and the offsets below cosize are one to one.
    ///
    /// Definition: Injective and surjective.
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import is_bijective
    /// >>> is_bijective('(4,8):(8,1)')
    /// True
    attribute is_bijective(layout);
    /// `is_compact(L)`: whether the offsets are [0, size), each once.
    ///
    /// Definition: The offsets are 0, ..., size-1, each once (3.4.1).
    /// Refuses: codomain: rational and coordinate offsets have no order.
    ///
    /// >>> from tilework import is_compact
    /// >>> is_compact('(4,8):(8,1)')
    /// True
    attribute is_compact(layout);
    /// `is_increasing(L)`: whether offsets grow with the coordinate.
    ///
    /// Definition: L(i) < L(i+1) for every index.
    /// Refuses: codomain: only integers are in order.
    ///
    /// >>> from tilework import is_increasing
    /// >>> is_increasing('(4,8):(8,1)')
    /// False
    attribute is_increasing(layout);
    /// `is_contiguous(L)`: whether the elements are in the order of the coordinates, L(i) = i.
    ///
    /// Definition: L(i) = i for every index: coalesce(L) = size:1.
    ///
    /// >>> from tilework import is_contiguous
    /// >>> is_contiguous('(4,8):(1,4)')
    /// True
    /// >>> is_contiguous('(4,8):(8,1)')
    /// False
    attribute is_contiguous(layout);
    /// `fits(L, bits)`: whether offsets fit a signed integer: 31 for int32.
    ///
    /// Definition: -2^bits <= L(c) < 2^bits for all coordinates c in bounds.
    /// Refuses: codomain: rational and coordinate offsets have no order; fact: a stride of unknown sign.
    ///
    /// >>> from tilework import fits
    /// >>> fits('(4096,4096):(1,4096)', 31)
    /// True
    method fits(layout, bits);
    /// `is_vector(L, 8)`: whether this many elements can be accessed at a time, from an aligned base.
    ///
    /// Definition: coalesce(L) has a mode of stride 1; its extent, all other strides, the offset, and 2^base of a swizzle are multiples of the width.
    /// Refuses: codomain: rational and coordinate offsets are not elements.
    ///
    /// >>> from tilework import is_vector
    /// >>> is_vector('(8,4):(1,16)', 8)
    /// True
    method is_vector(layout, width);
    /// `is_disjoint(A, B)`: whether A and B have no offset in common.
    ///
    /// Definition: A(a) != B(b) for all a, b: the images do not intersect.
    /// Refuses: codomain: coordinate offsets are not memory; undecided: past a budget.
    ///
    /// >>> from tilework import is_disjoint
    /// >>> is_disjoint('{0} o (4,8):(16,2)', '{1} o (4,8):(16,2)')
    /// True
    /// >>> is_disjoint('(4,8):(16,2)', '{5} o 4:1')
    /// False
    method is_disjoint(first, second);
    /// `is_composable(A, B)`: whether A o B is a layout.
    ///
    /// Definition: Whether composition(A, B) is a layout (3.3.2).
    /// Refuses: undecided, capacity: past a budget.
    ///
    /// >>> from tilework import is_composable
    /// >>> is_composable('(4,6,8):(2,3,5)', '6:3')
    /// False
    method is_composable(left, right);
    /// `is_complementable(L)` or `is_complementable(L, M)`: whether L has a complement, up to M.
    ///
    /// Definition: Whether complement(L), or complement(L, M), is a layout (3.5.1).
    /// Refuses: undecided, capacity: past a budget.
    ///
    /// >>> from tilework import is_complementable
    /// >>> is_complementable('(2,2):(2,3)')
    /// False
    /// >>> is_complementable('4:2', 24)
    /// True
    method is_complementable(layout; within);
    /// `admits(A, T)`: whether a layout has all offsets that an instruction accesses.
    ///
    /// Definition: For every i there is a c with T(i) = A(c) (3.4.4); of a copy atom X to or from tensor memory, T is X.memory.
    /// Refuses: codomain: offsets that are not integers; undecided: past a budget.
    ///
    /// >>> from tilework import admits
    /// >>> admits('(128,64):(16384,1)', '(2,128):(1,16384)')
    /// True
    /// >>> admits('(128,1):(16384,0)', '(2,128):(1,16384)')
    /// False
    method admits(layout, other);
    /// `is_sorted(L)`: whether the leaves are in the order of sort.
    ///
    /// Definition: Strides ascend by magnitude, and extents where strides are equal.
    ///
    /// >>> from tilework import is_sorted
    /// >>> is_sorted('(2,4):(1,2)')
    /// True
    /// >>> is_sorted('(4,8):(8,1)')
    /// False
    attribute is_sorted(layout);
    /// `is_left_divisible(S, d)`: whether a step of d divides modes out from the left, the last of them evenly.
    ///
    /// Definition: d = s0 ... s(i-1) c, where c divides si, and is less than si unless that is the last extent.
    ///
    /// >>> from tilework import is_left_divisible
    /// >>> is_left_divisible((4, 6), 8)
    /// True
    /// >>> is_left_divisible((4, 6), 6)
    /// False
    function is_left_divisible(shape, divisor);
    /// `is_weakly_left_divisible(S, d)`: whether d coordinates are whole modes from the left and a part of one.
    ///
    /// Definition: d = s0 ... s(i-1) c, where c is less than si, or at most the last extent.
    ///
    /// >>> from tilework import is_weakly_left_divisible
    /// >>> is_weakly_left_divisible((4, 6), 16)
    /// True
    /// >>> is_weakly_left_divisible((4, 6), 6)
    /// False
    function is_weakly_left_divisible(shape, divisor);
    /// `atom(NAME)` or `atom(NAME, bits)`: an instruction by CuTe's name, a copy in elements of that many bits; .a .b .c or .src .dst are its layouts.
    ///
    /// Definition: The layouts of threads and values that an instruction prescribes.
    /// C++ CuTe: `MMA_Atom, Copy_Atom`.
    /// CuTe DSL: `make_mma_atom, make_copy_atom`.
    /// Refuses: name: no instruction of this name.
    ///
    /// >>> from tilework import atom
    /// >>> atom('SM80_16x8x16_F32F16F16F32_TN')
    /// parse('atom(SM80_16x8x16_F32F16F16F32_TN)')
    /// >>> atom('SM80_16x8x16_F32F16F16F32_TN').c
    /// Layout('((4,8),(2,2)):((32,1),(16,8))')
    /// >>> atom('SM75_U32x4_LDSM_N', 16).dst
    /// Layout('(32,(2,4)):(2,(1,64))')
    function atom(name; bits);
    /// `tiled_mma(X, L)` or `tiled_mma(X, L, T)`: the MMA atom X repeated along (M,N,K) by L, tensors first permuted by T; .a .b .c are thread-value layouts.
    ///
    /// Definition: The atom repeated over threads, values permuted by T.
    /// C++ CuTe: `make_tiled_mma, TiledMMA`.
    /// CuTe DSL: `make_tiled_mma`.
    /// Refuses: those of the products and divides.
    ///
    /// >>> from tilework import tiled_mma
    /// >>> tiled_mma('atom(SM80_16x8x16_F32F16F16F32_TN)', (2, 2, 1))
    /// parse('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1):(1,2,0))')
    /// >>> tiled_mma('atom(SM80_16x8x16_F32F16F16F32_TN)', (2, 2, 1)).shape
    /// (32, 16, 16)
    function tiled_mma(atom; atoms; permutation);
    /// `tiled_copy(X, L, M)` or `tiled_copy(X, L, T)`: the copy atom X with threads L and values M of each, or with thread-value layout L of tile T; .src .dst are thread-value layouts.
    ///
    /// Definition: The copy atom over a layout of threads and of values of each.
    /// C++ CuTe: `make_tiled_copy, TiledCopy`.
    /// CuTe DSL: `make_tiled_copy_tv, make_tiled_copy`.
    /// Refuses: those of the products and divides.
    ///
    /// >>> from tilework import tiled_copy
    /// >>> tiled_copy('atom(SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 16)', '(16,8):(8,1)', '(1,8):(0,1)').src
    /// Layout('((8,16),(8,1)):((128,1),(16,0))')
    function tiled_copy(atom, thr_layout, val_layout);
    /// `make_tiled_copy_A(X, mma)`: the copy atom X for the elements of A that the threads of a tiled MMA have.
    ///
    /// Definition: tiled_copy(X, mma.a, <M,K>) of the tile of the MMA.
    /// C++ CuTe: `make_tiled_copy_A`.
    /// CuTe DSL: `make_tiled_copy_A`.
    /// Refuses: those of tiled_copy.
    ///
    /// >>> from tilework import make_tiled_copy_A
    /// >>> make_tiled_copy_A('atom(SM75_U32x4_LDSM_N, 16)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    /// (32, 16)
    function make_tiled_copy_A(atom, mma);
    /// `make_tiled_copy_B(X, mma)`: the copy atom X for the elements of B that the threads of a tiled MMA have.
    ///
    /// Definition: tiled_copy(X, mma.b, <N,K>) of the tile of the MMA.
    /// C++ CuTe: `make_tiled_copy_B`.
    /// CuTe DSL: `make_tiled_copy_B`.
    /// Refuses: those of tiled_copy.
    ///
    /// >>> from tilework import make_tiled_copy_B
    /// >>> make_tiled_copy_B('atom(SM75_U32x2_LDSM_N, 16)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    /// (8, 16)
    function make_tiled_copy_B(atom, mma);
    /// `make_tiled_copy_C(X, mma)`: the copy atom X for the elements of C that the threads of a tiled MMA have.
    ///
    /// Definition: tiled_copy(X, mma.c, <M,N>) of the tile of the MMA.
    /// C++ CuTe: `make_tiled_copy_C`.
    /// CuTe DSL: `make_tiled_copy_C`.
    /// Refuses: those of tiled_copy.
    ///
    /// >>> from tilework import make_tiled_copy_C
    /// >>> make_tiled_copy_C('atom(UniversalCopy<uint32_t>, 32)', 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))').shape
    /// (32, 8)
    function make_tiled_copy_C(atom, mma);
    /// `owner(X, .c, e)` or `owner(L, e)`: which thread has an element of an operand, or of the thread-value layout L, as which value: (thread,value), or all of them.
    ///
    /// Definition: The coordinates (t,v) with L(t,v) = e, or X.c(t,v) = i + M j; (i,k) of .a, (j,k) of .b, an element of .src and .dst.
    /// Refuses: arguments: no such operand, or an element outside it; limit: more than 4194304 threads times values.
    ///
    /// >>> from tilework import owner
    /// >>> owner('atom(SM80_16x8x16_F32F16F16F32_TN)', '.c', (5, 3))
    /// (21, 1)
    /// >>> owner('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))', '.a', (20, 3))
    /// ((49, 1), (113, 1))
    /// >>> owner('((4,8),(2,2)):((32,1),(16,8))', 53)
    /// (21, 1)
    function owner(instruction, operand; coordinate);
    /// `element(X, .c, tv)`: the element of an operand that a thread has as a value.
    ///
    /// Definition: The coordinate of the index X.c(t,v).
    /// Refuses: arguments: no such operand, or a thread or value that it does not have.
    ///
    /// >>> from tilework import element
    /// >>> element('atom(SM80_16x8x16_F32F16F16F32_TN)', '.c', (21, 1))
    /// (5, 3)
    function element(instruction, operand, coordinate);
    /// `get_slice(tiled, t)`: thread t of a tiled MMA or copy, also X.get_slice(t).
    ///
    /// Definition: The thread whose part partition_A and its like take.
    /// C++ CuTe: `get_slice, get_thread_slice`.
    /// CuTe DSL: `get_slice`.
    /// Refuses: argument: no such thread.
    ///
    /// >>> from tilework import get_slice
    /// >>> get_slice('tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN))', 5)
    /// parse('get_slice(tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (1,1,1):(0,0,0)), 5)')
    function get_slice(tiled, index);
    /// `thrfrg_A(mma, L)`: A, of (M,K,...), by threads and values of a tiled MMA.
    ///
    /// Definition: ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).
    /// C++ CuTe: `thrfrg_A`.
    /// Refuses: those of the divides.
    ///
    /// >>> from tilework import thrfrg_A
    /// >>> thrfrg_A('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (16, 4))
    /// Layout('(((4,8),(1,1)),(1,(2,1))):(((16,1),(0,0)),(0,(8,0)))')
    function thrfrg_A(tiled, layout);
    /// `thrfrg_B(mma, L)`: B, of (N,K,...), by threads and values of a tiled MMA.
    ///
    /// Definition: ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...))).
    /// C++ CuTe: `thrfrg_B`.
    /// Refuses: those of the divides.
    ///
    /// >>> from tilework import thrfrg_B
    /// >>> thrfrg_B('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (8, 4))
    /// Layout('(((4,8),(1,1)),(1,(1,1))):(((8,1),(0,0)),(0,(0,0)))')
    function thrfrg_B(tiled, layout);
    /// `thrfrg_C(mma, L)`: C, of (M,N,...), by threads and values of a tiled MMA.
    ///
    /// Definition: ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...))).
    /// C++ CuTe: `thrfrg_C`.
    /// Refuses: those of the divides.
    ///
    /// >>> from tilework import thrfrg_C
    /// >>> thrfrg_C('tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN))', (8, 8))
    /// Layout('(((4,8),(1,1)),(2,(1,1))):(((16,1),(0,0)),(8,(0,0)))')
    function thrfrg_C(tiled, layout);
    /// `tidfrg_S(copy, L)`: a source by threads and values of a tiled copy.
    ///
    /// Definition: (Thr,(FrgV,(Rest...))).
    /// C++ CuTe: `tidfrg_S`.
    /// Refuses: those of the divides.
    ///
    /// >>> from tilework import tidfrg_S
    /// >>> tidfrg_S('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1))', (8, 8))
    /// Layout('((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))')
    function tidfrg_S(tiled, layout);
    /// `tidfrg_D(copy, L)`: a destination by threads and values of a tiled copy.
    ///
    /// Definition: (Thr,(FrgV,(Rest...))).
    /// C++ CuTe: `tidfrg_D`.
    /// Refuses: those of the divides.
    ///
    /// >>> from tilework import tidfrg_D
    /// >>> tidfrg_D('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1))', (8, 8))
    /// Layout('((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))')
    function tidfrg_D(tiled, layout);
    /// `retile(copy, L)`: a thread's elements of another partition of the same tile, in the order of a tiled copy.
    ///
    /// Definition: (V,RestM,RestN,...), V in the copy's order.
    /// C++ CuTe: `retile, retile_S, retile_D`.
    /// CuTe DSL: `retile`.
    /// Refuses: those of the inverses and products.
    ///
    /// >>> from tilework import retile
    /// >>> retile('tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,2))', '(2,2,1):(1,2,0)')
    /// Layout('((1,2),2,1):((0,1),2,0)')
    function retile(tiled, layout);
    /// `partition_A(ThrMMA, L)`: the elements of A, of (M,K,...), that a thread of a tiled MMA has.
    ///
    /// Definition: thrfrg_A sliced at the thread: (FrgV,RestM,RestK,...).
    /// C++ CuTe: `partition_A`.
    /// CuTe DSL: `partition_A`.
    /// Refuses: those of thrfrg_A.
    ///
    /// >>> from tilework import partition_A
    /// >>> partition_A('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (16, 4))
    /// View('{17} o (1,2,1):(0,8,0)')
    function partition_A(thread, layout);
    /// `partition_B(ThrMMA, L)`: the elements of B, of (N,K,...), that a thread of a tiled MMA has.
    ///
    /// Definition: thrfrg_B sliced at the thread: (FrgV,RestN,RestK,...).
    /// C++ CuTe: `partition_B`.
    /// CuTe DSL: `partition_B`.
    /// Refuses: those of thrfrg_B.
    ///
    /// >>> from tilework import partition_B
    /// >>> partition_B('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (8, 4))
    /// View('{9} o (1,1,1):(0,0,0)')
    function partition_B(thread, layout);
    /// `partition_C(ThrMMA, L)`: the elements of C, of (M,N,...), that a thread of a tiled MMA has.
    ///
    /// Definition: thrfrg_C sliced at the thread: (FrgV,RestM,RestN,...).
    /// C++ CuTe: `partition_C`.
    /// CuTe DSL: `partition_C`.
    /// Refuses: those of thrfrg_C.
    ///
    /// >>> from tilework import partition_C
    /// >>> partition_C('get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5)', (8, 8))
    /// View('{17} o (2,1,1):(8,0,0)')
    function partition_C(thread, layout);
    /// `partition_S(ThrCopy, L)`: the elements that a thread of a tiled copy reads.
    ///
    /// Definition: tidfrg_S sliced at the thread: (FrgV,Rest...).
    /// C++ CuTe: `partition_S`.
    /// CuTe DSL: `partition_S`.
    /// Refuses: those of tidfrg_S.
    ///
    /// >>> from tilework import partition_S
    /// >>> partition_S('get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9)', (8, 8))
    /// View('{9} o ((1,1),2,1):((0,0),4,0)')
    function partition_S(thread, layout);
    /// `partition_D(ThrCopy, L)`: the elements that a thread of a tiled copy writes.
    ///
    /// Definition: tidfrg_D sliced at the thread: (FrgV,Rest...).
    /// C++ CuTe: `partition_D`.
    /// CuTe DSL: `partition_D`.
    /// Refuses: those of tidfrg_D.
    ///
    /// >>> from tilework import partition_D
    /// >>> partition_D('get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9)', (8, 8))
    /// View('{9} o ((1,1),2,1):((0,0),4,0)')
    function partition_D(thread, layout);
}
