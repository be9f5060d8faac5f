//! The table of functions.

use super::evaluate::Evaluate::{By, Coordinate, Core, Integers, Made, Moved, Number, Truth};
use super::evaluate::LayoutOperation::{
    Composition, Function as OfFunction, Functions, Modes, One, Profiled, Tiled, Two, Within,
};
use super::function::Indices::{Own, Path};
use super::function::{Drawing, Family, Function, Order, Sign, of};
use super::over_names::{self, OverNames};
use super::parts::Change;
use super::{algebra, coordinates, einfold, forms, formula, instructions, parts, queries, tensors};
use crate::explain::{composition, families, inverses, questions};
use crate::value::Value;
use std::sync::OnceLock;
use tilework::{AnyLayout, Composed, HTuple, Layout, Reason, Shape, View, pycute};
use tilework_hardware::tiled::{ThreadCopy, ThreadMma, TiledCopy, TiledMma};
use tilework_symbolic::{Placed, Scope, Tuple};

/// Everything that can be called, family by family.
///
/// ```
/// use tilework_expr::FUNCTIONS;
/// assert!(FUNCTIONS.iter().any(|function| function.name() == "composition"));
/// ```
#[rustfmt::skip] // A row is what every function has, examples, and what only some have.
pub static FUNCTIONS: &[Function] = &[
    of(Family::Queries, "size", "layout, *path -> int", &["size(L)", "size<0,1>(L)", "size(L, 0, 1)"], "the number of coordinates", Number(queries::size))
        .example(&[("size((4,(8,2)):(1,(4,32)))", "64"), ("size<1,0>((4,(8,2)))", "8")]).takes(Path).also(&["product"]).fact_at(2).with_names(OverNames::By(over_names::size))
        .manual("The product of the extents (2.2)", ["size", "size", "size"], ""),
    of(Family::Queries, "rank", "layout, *path -> int", &["rank(L)", "rank<0>(L)"], "the number of modes", Number(queries::rank))
        .example(&[("rank((4,(8,2)))", "2")]).takes(Path).fact_at(4).with_names(OverNames::By(over_names::rank))
        .manual("The number of modes; a leaf has one", ["rank", "rank", "rank"], ""),
    of(Family::Queries, "depth", "layout, *path -> int", &["depth(L)", "depth<0>(L)"], "the levels of nesting", Number(queries::depth))
        .example(&[("depth((4,(8,2)))", "2")]).takes(Path).fact_at(5).with_names(OverNames::By(|call| Ok(Value::integer(call.shape(0)?.depth() as i64))))
        .manual("0 for a leaf, and one more than its deepest mode for a tuple (2.1)", ["depth", "depth", ""], ""),
    of(Family::Queries, "shape", "layout, *path -> Any", &["shape(L)", "shape<0>(L)"], "the extents", By(queries::shape))
        .example(&[("shape<1>((4,(8,2)):(1,(4,32)))", "(8,2)")]).takes(Path).fact_at(0).with_names(OverNames::By(over_names::shape))
        .manual("S of L = S:D (2.4)", ["shape", "", ""], ""),
    of(Family::Queries, "stride", "layout, *path -> Any", &["stride(L)", "stride<0>(L)"], "the strides", By(|call| Ok(Value::strides(&call.domain(0)?.stride())?)))
        .example(&[("stride((4,8):(8,1))", "(8,1)")]).takes(Path).fact_at(1).with_names(OverNames::By(over_names::stride))
        .manual("D of L = S:D (2.4)", ["stride", "", ""], ""),
    of(Family::Queries, "cosize", "layout, *path -> int", &["cosize(L)", "cosize<0>(L)"], "the greatest offset plus one", Number(queries::cosize))
        .example(&[("cosize((4,8):(10,1))", "38")]).takes(Path).fact_at(3).with_names(OverNames::Number(|[_, high]| high.plus(1)))
        .manual("max L(c) + 1 over all coordinates c in bounds", ["cosize", "cosize", "cosize"], "codomain: rational and coordinate offsets have no order"),
    of(Family::Queries, "min", "layout -> int", &["min(L)"], "the least offset", Number(|call| Ok(queries::extremes(call, "the smallest offset")?.0)))
        .example(&[("min(4:-1)", "-3")]).takes(Path).fact_at(6).with_names(OverNames::Number(|[low, _]| Ok(low.clone())))
        .manual("min L(c) over all coordinates c in bounds", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Queries, "max", "layout -> int", &["max(L)"], "the greatest offset", Number(|call| Ok(queries::extremes(call, "the largest offset")?.1)))
        .example(&[("max((4,8):(10,1))", "37")]).takes(Path).fact_at(7).with_names(OverNames::Number(|[_, high]| Ok(high.clone())))
        .manual("max L(c) over all coordinates c in bounds", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Queries, "span", "layout -> int", &["span(L)"], "the greatest offset less the least, plus one", Number(queries::span))
        .example(&[("span(4:-1)", "4")]).takes(Path).with_names(OverNames::Number(|[low, high]| high.sub(low)?.plus(1)))
        .manual("max L - min L + 1", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Queries, "image", "layout -> tuple[_Offset, ...]", &["image(L)"], "all offsets, in the order of their coordinates", By(queries::image))
        .example(&[("image((2,2):(8,1))", "(0,8,1,9)")]).takes(Path).with_names(OverNames::By(over_names::image))
        .manual("(L(0), L(1), ..., L(size-1)) (2.4.1)", ["", "", ""], "limit: offsets that are no text of 256 KiB"),
    of(Family::Queries, "footprint", "layout, bits=None -> int", &["footprint(L)", "footprint(L, bits)"], "the number of different offsets; with the bits of an element, the bytes that they take", Number(forms::footprint))
        .example(&[("footprint((3,6):(1,1))", "8"), ("footprint((4,8):(8,1), 16)", "64")])
        .manual("The number of different L(c), times the bits of an element, in bytes rounded up", ["", "", ""], "undecided: offsets coincide, leave gaps, and are more than 65,536"),
    of(Family::Queries, "contiguity", "layout -> Any", &["contiguity(L)"], "for each mode, how many adjacent coordinates have adjacent offsets", Integers(|call| call.of_function(Layout::contiguity, Composed::contiguity)))
        .example(&[("contiguity((4,8):(8,1))", "(1,8)"), ("contiguity(Sw<3,3,3> o (8,64):(64,1))", "(1,8)")])
        .manual("The greatest divisor n of each mode's size such that n neighbouring coordinates, from a multiple of n on, have offsets k, k+1, ...", ["", "", ""], "codomain: rational and coordinate offsets have no neighbours"),
    of(Family::Construction, "layout", "first, *more -> Layout", &["layout(S)", "layout(S, D)", "layout(L, M, ...)"], "a layout from shape and stride, or of several layouts as its modes", By(coordinates::make))
        .example(&[("layout((4,8), (8,1))", "(4,8):(8,1)"), ("layout(4:2, 8:1)", "(4,8):(2,1)")]).also(&["Layout", "make_layout"]).in_dsl(&["shape", "stride"]).in_pycute(Modes(Layout::concatenate)).with_names(OverNames::By(over_names::make))
        .manual("L(c) = the inner product of the natural coordinate of c with the strides (2.4, equation 6)", ["make_layout", "make_layout", "Layout"], "incongruent: shape and stride of different nesting; extent: an extent below 1"),
    of(Family::Construction, "column_major", "shape -> Layout", &["column_major(S)"], "the compact layout of a shape, the first leaf fastest", Made(|call| Ok(Layout::column_major(&call.shape(0)?)?)))
        .example(&[("column_major((4,8))", "(4,8):(1,4)")]).names_order().with_names(OverNames::Made(Scope::column_major))
        .manual("The strides are the products of the extents before them", ["LayoutLeft, GenColMajor", "make_layout", "Layout"], "extent: an extent below 1"),
    of(Family::Construction, "row_major", "shape -> Layout", &["row_major(S)"], "the compact layout of a shape, the last leaf fastest", Made(|call| Ok(Layout::row_major(&call.shape(0)?)?)))
        .example(&[("row_major((4,8))", "(4,8):(8,1)")]).names_order().with_names(OverNames::Made(Scope::row_major))
        .manual("The strides are the products of the extents after them", ["LayoutRight, GenRowMajor", "", ""], "extent: an extent below 1"),
    of(Family::Construction, "ordered", "shape, order -> Layout", &["ordered(S, order)"], "the compact layout of a shape, leaves of smaller order fastest", Made(|call| Ok(Layout::ordered(&call.shape(0)?, &call.coord(1)?)?)))
        .example(&[("ordered((4,8,2), (2,0,1))", "(4,8,2):(16,1,8)")]).also(&["make_ordered_layout"]).in_dsl(&["shape", "order"])
        .manual("The strides are the products of the extents of smaller order", ["make_ordered_layout", "make_ordered_layout", ""], "incongruent: shape and order of different nesting"),
    of(Family::Construction, "compact_like", "layout -> Layout", &["compact_like(L)"], "the compact layout with the strides in the same order", By(|call| tensors::in_registers(call, Layout::compact_like)))
        .example(&[("compact_like((4,8):(100,1))", "(4,8):(8,1)")]).also(&["make_layout_like", "make_tensor_like"]).in_dsl(&["src", "dtype"])
        .manual("The compact layout whose strides have the order of L's; of a tensor, one in registers", ["make_layout_like, make_tensor_like", "make_layout_like", ""], "codomain: strides that are not integers"),
    of(Family::Construction, "fragment_like", "layout, bits=None -> Layout", &["fragment_like(L)", "fragment_like(L, bits)", "fragment_like<T>(L)"], "the compact layout of a shape with the first mode first, and the strides of the others in the same order; of a tensor, one in registers", By(|call| tensors::in_registers(call, Layout::fragment_like)))
        .example(&[("fragment_like(((2,2),4,2):((64,1),2,128))", "((2,2),4,2):((1,2),4,16)"), ("fragment_like((4,8):(8,1), 32)", "rmem_ptr[32b] o (4,8):(1,4)")]).takes(Own(1, 1)).also(&["make_fragment_like"]).in_dsl(&["src", "dtype"])
        .manual("The compact layout whose first mode is in the order of its coordinates, and whose other modes follow in the order of their strides", ["make_fragment_like", "make_fragment_like", ""], "codomain: strides that are not integers"),
    of(Family::Construction, "identity", "shape -> Layout", &["identity(S)"], "the layout that maps each coordinate to itself, strides 1@i", Made(|call| Ok(Layout::identity(&call.shape(0)?)?)))
        .example(&[("identity((4,8))", "(4,8):(1@0,1@1)")]).also(&["make_identity_layout", "make_identity_tensor"]).with_names(OverNames::Made(over_names::identity))
        .manual("L(c) = c: stride 1@i at mode i (2.4.2)", ["make_identity_layout", "make_identity_tensor", ""], ""),
    of(Family::Construction, "layout_tv", "thr_layout, val_layout -> Tiler", &["layout_tv(T, V)"], "the tile of threads and of the values of each, and the layout from (thread,value) into it", By(tensors::layout_tv))
        .example(&[("layout_tv((4,8):(8,1), (2,4):(4,1))", "<<8:1,32:1>,((8,4),(4,2)):((32,2),(8,1))>")]).also(&["make_layout_tv"]).explained(families::thread_values)
        .manual("<mode_sizes(P), right_inverse(P) o (size(T),size(V))>, where P is raked_product(T, V)", ["make_tiled_copy", "make_layout_tv", ""], "those of raked_product and right_inverse"),
    of(Family::Construction, "make_tensor", "pointer, layout, stride=None -> Any", &["make_tensor(P, L)", "make_tensor(P, S, D)", "make_tensor<T>(L)"], "the tensor of a pointer, or of a coordinate to count from, and a layout; with the type of its elements, one in registers", By(tensors::make_tensor))
        .example(&[("make_tensor(gmem_ptr[16b], (4,8), (8,1))", "gmem_ptr[16b] o (4,8):(8,1)"), ("make_tensor((8,0), identity((4,8)))", "{(8,0)} o (4,8):(1@0,1@1)")]).takes(Own(1, 1)).in_dsl(&["iterator", "layout"]).with_names(OverNames::By(over_names::make_tensor))
        .manual("T(c) = P[L(c)] (2.5)", ["make_tensor", "make_tensor", "Tensor"], "kind: an operand that is neither a pointer nor a coordinate"),
    of(Family::Construction, "make_fragment", "layout, bits -> Any", &["make_fragment(L, T)", "make_fragment<T>(L)"], "the tensor in registers of a layout, and of the type or the bits of its elements", By(tensors::make_fragment))
        .example(&[("make_fragment((4,8), 32)", "rmem_ptr[32b] o (4,8):(1,4)")]).takes(Own(1, 1)).also(&["make_rmem_tensor"]).in_dsl(&["layout_or_shape", "dtype"]).with_names(OverNames::By(over_names::make_fragment))
        .manual("T(c) = r[L(c)] for registers r (2.5)", ["make_tensor<T>", "make_fragment, make_rmem_tensor", ""], ""),
    of(Family::Construction, "from_image", "offsets -> Layout", &["from_image(f)"], "the coalesced layout with the offsets f, behind the first of them: the inverse of image", By(forms::from_image))
        .example(&[("from_image((0,8,1,9))", "(2,2):(8,1)"), ("from_image((0,3,6,5))", "4:^3"), ("from_image((8,9,0,1))", "{8} o (2,2):(1,-8)")]).with_names(OverNames::By(over_names::from_image))
        .manual("The L with L(i) = f_i for every i, in the fewest modes", ["", "", ""], "not-xor-linear: no layout has these offsets"),
    of(Family::Construction, "from_formula", "formula -> Any", &["from_formula(i*8 + j%8, i < 16, j < 8)"], "the layout of an index formula of C or Python, from the extents of its names; with a swizzle if it has XORs", By(formula::from_formula))
        .example(&[("from_formula(i/4*32 + i%4*2 + j, i < 8, j < 2)", "((4,2),2):((2,32),1)"), ("from_formula(row*64 + (col ^ (row & 7) << 3), row < 8, col < 64)", "Sw<3,3,3> o 0 o (8,64):(64,1)"), ("from_formula((lane >> 2)*LD + (lane & 3), lane < 32, LD = 40)", "(4,8):(1,40)")])
        .manual("The L with L(i,j) = the formula for all 0 <= i < I and 0 <= j < J, a mode for each name < extent; + - * & | ^ << >> % as in C and Python, / and // round down, and name = value is a constant", ["", "", ""], "not-xor-linear: no layout has these offsets, and the first coordinate where none can; name: a name without extent; limit: more coordinates than are compared"),
    of(Family::Construction, "chain", "first, *more -> Any", &["chain(L, M, ...)"], "layouts that are applied in turn, the last one first", By(forms::chain))
        .example(&[("chain(4:2, 8:1)", "chain(4:2,8:1)")])
        .manual("chain(L, M)(c) = L(M(c)) on all integers, also where L o M is no layout (2.4.3)", ["", "", ""], "not-integral: an offset that is no coordinate"),
    of(Family::Construction, "completeness", "values -> Any", &["completeness(f)"], "a chain of layouts whose values at 0, 1, ... are f = (0,f1,f2,...)", By(forms::completeness))
        .example(&[("completeness((0,7,1,9))", "chain((2,2,2):(7,1,9),(3,1):(1,4))")])
        .manual("f = (2,2,...):(f1,f2,...) o (3,1):(1,4) o (4,1):(1,6) o ... (2.4.3); for more than 33 values (2,1):(f1,1) o ... o (k,2,1):(1,p fk,p) o ... with p = 2(k-1)", ["", "", ""], "argument: the first value is not 0; overflow: past 33 values, 2(k-1) fk does not fit in 64 bits"),
    of(Family::Coordinates, "evaluate", "layout, coordinate -> Any", &["evaluate(L, c)"], "the offset of a coordinate, the same as (L)(c)", By(coordinates::evaluate))
        .example(&[("evaluate((4,8):(8,1), (2,5))", "21")]).with_names(OverNames::By(|call| over_names::offset(call, 0, 1)))
        .manual("L(c) = sum of c_i d_i over the natural coordinate (equation 6)", ["layout(coord)", "layout(coord)", "layout(coord)"], "coordinate: c has other entries than the shape"),
    of(Family::Coordinates, "crd2idx", "coordinate, shape, stride=None -> Any", &["crd2idx(c, S)", "crd2idx(c, S, D)", "crd2idx(c, L)"], "the integral coordinate, or with strides the offset", Coordinate(|coord, shape| Ok(HTuple::leaf(shape.crd2idx(coord)?)), coordinates::crd2idx))
        .example(&[("crd2idx((2,5), (4,8))", "22"), ("crd2idx((2,5), (4,8), (8,1))", "21")]).in_dsl(&["coord", "layout"]).with_names(OverNames::By(over_names::crd2idx))
        .manual("The index of a coordinate of S (equation 5); with strides their inner product", ["crd2idx", "crd2idx", "crd2idx"], "coordinate: c has other entries than the shape"),
    of(Family::Coordinates, "idx2crd", "index, shape -> Any", &["idx2crd(i, S)", "idx2crd(i, L)"], "the natural coordinate of an integral one", Coordinate(|index, shape| shape.idx2crd(index), coordinates::idx2crd))
        .example(&[("idx2crd(22, (4,8))", "(2,5)")]).in_dsl(&["idx", "shape"]).with_names(OverNames::By(over_names::idx2crd))
        .manual("i mod s0, (i / s0) mod s1, ..., the last extent not wrapped (equation 4)", ["idx2crd", "idx2crd", "idx2crd"], "coordinate: i has other entries than the shape"),
    of(Family::Coordinates, "crd2crd", "coordinate, shape, other -> Any", &["crd2crd(c, S, T)"], "the coordinate into T at the same place as c into S", Integers(|call| Ok(call.shape(1)?.convert(&call.coord(0)?, &call.shape(2)?)?)))
        .example(&[("crd2crd((2,5), (4,8), (8,4))", "(6,2)")])
        .manual("idx2crd(crd2idx(c, S), T)", ["crd2crd", "", "crd2crd"], "coordinate: c has other entries than the shape"),
    of(Family::Coordinates, "in_bounds", "coordinate, shape -> bool", &["in_bounds(c, S)"], "whether a coordinate is in a shape", Truth(coordinates::in_bounds))
        .example(&[("in_bounds((4,5), (4,8))", "false")]).with_names(OverNames::By(over_names::in_bounds))
        .because(questions::IN_BOUNDS)
        .manual("0 <= c_i < s_i for each leaf", ["elem_less", "elem_less", ""], ""),
    of(Family::Coordinates, "coordinate_sets", "shape -> Any", &["coordinate_sets(S)"], "the shapes that coarsen S, whose coordinates S takes", Integers(|call| Ok(HTuple::tuple(&coordinates::coarsenings(&call.shape(0)?)?)?)))
        .example(&[("coordinate_sets(((2,3),2))", "(12,(6,2),((2,3),2))")])
        .manual("Z(S): all S' that are compatible with S and coarsen it (definition 2.8)", ["", "", ""], "capacity: more than 32 sets, or more than 32 leaves or 63 leaves and tuples in them together"),
    of(Family::Coordinates, "slice", "layout, pattern -> Any", &["slice(L, (2,_))"], "the modes at `_`, with the offset of the others", By(coordinates::slice_call))
        .example(&[("slice((4,8):(8,1), (2,_))", "{16} o 8:1")]).in_dsl(&["src", "coord"]).with_names(OverNames::By(over_names::slice))
        .manual("L(c' + c*) = L(c') + L(c*): fixed modes give an offset, open ones a layout (2.5.1, equation 10)", ["slice_and_offset", "slice_", "slice_and_offset"], "coordinate: the pattern does not fit the shape"),
    of(Family::Coordinates, "dice", "layout, pattern -> Any", &["dice(L, (2,_))"], "the modes that a coordinate fixes", By(coordinates::dice))
        .example(&[("dice((4,8):(8,1), (2,_))", "4:8")]).in_dsl(&["src", "coord"])
        .manual("The modes where the coordinate has no _", ["dice", "dice", ""], "coordinate: the pattern does not fit the shape"),
    of(Family::Coordinates, "shape_div", "shape, divisor, rounding=None -> Any", &["shape_div(S, n)", "shape_div(S, T)", "shape_div(S, n, ceil)", "shape_div(S, n, floor)", "cute::shape_div(S, n)"], "the shape with n divided out from the left; by a tuple mode by mode; exact, or with each quotient rounded to 1 or more; in CuTe what is left of n at the end is dropped", Integers(coordinates::shape_div))
        .last_in_cute(0).example(&[("shape_div((4,8), 8)", "(1,4)"), ("shape_div((4,8), (2,4))", "(2,2)"), ("shape_div((7,4), 10, 1)", "(1,2)")])
        .manual("From the left, each extent is divided by the rest of n", ["shape_div", "shape_div", "shape_div"], "divisibility: an extent and the rest of n divide neither way"),
    of(Family::Coordinates, "shape_mod", "shape, divisor -> Any", &["shape_mod(S, n)", "shape_mod(S, T)"], "the leading part of the shape that has size n; by a tuple mode by mode", Integers(|call| coordinates::by_modes(&call.shape(0)?, &call.shape(1)?, call, Shape::shape_mod)))
        .example(&[("shape_mod((4,8), 8)", "(4,2)")])
        .manual("The extents that shape_div divides out, 1 in all others", ["", "", ""], "divisibility: as for shape_div"),
    of(Family::Coordinates, "prefix_product", "shape -> Any", &["prefix_product(S)"], "for each leaf the product of those before it: the strides of the compact layout", Integers(|call| Ok(call.shape(0)?.prefix_product()?)))
        .example(&[("prefix_product((3,(6,2),8))", "(1,(3,18),36)")])
        .manual("1, s0, s0 s1, ... in the nesting of S", ["compact_major<LayoutLeft>", "", "prefix_product"], "overflow: the size does not fit in 64 bits"),
    of(Family::Coordinates, "inner_product", "coordinate, stride -> Any", &["inner_product(c, D)"], "the sum of the multiples of strides: the offset of a natural coordinate", By(coordinates::inner_product))
        .example(&[("inner_product((2,(1,5)), (8,(1,32)))", "177"), ("inner_product((1,2), (1@0,1@1))", "(1,2)")]).with_names(OverNames::By(over_names::inner_product))
        .manual("sum of c_i d_i over the leaves (2.3.2, equation 6)", ["inner_product", "", "inner_product"], "incongruent: tuples of different nesting"),
    of(Family::Coordinates, "ceil_div", "value, divisor -> Any", &["ceil_div(a, b)"], "the quotient rounded up, leaf by leaf", Integers(|call| coordinates::ceil_div(&call.shape(0)?, &call.shape(1)?, call)))
        .example(&[("ceil_div((5,8), (2,3))", "(3,3)")]).with_names(OverNames::By(over_names::ceil_div))
        .manual("The least q with q b >= a, leaf by leaf", ["ceil_div", "ceil_div", ""], "argument: a divisor below 1"),
    of(Family::Coordinates, "mode_sizes", "layout, *path -> Any", &["mode_sizes(S)"], "the size of each mode", Integers(|call| Ok(call.shape(0)?.mode_sizes()?)))
        .example(&[("mode_sizes((4,(8,2)))", "(4,16)")]).takes(Path).also(&["product_each"]).with_names(OverNames::By(over_names::mode_sizes))
        .manual("(size(S0), size(S1), ...)", ["product_each", "product_each", ""], ""),
    of(Family::Coordinates, "common_refinement", "shape, other -> Any", &["common_refinement(S, T)"], "the coarsest shape that refines both", Integers(|call| Ok(call.shape(0)?.common_refinement(&call.shape(1)?)?)))
        .example(&[("common_refinement((4,6), ((2,2),6))", "((2,2),6)")])
        .manual("The coarsest shape that both S and T are compatible with (2.2)", ["", "", ""], "divisibility: the extents of the two do not nest"),
    of(Family::Coordinates, "common_coarsening", "shape, other -> Any", &["common_coarsening(S, T)"], "the finest shape that coarsens both", Integers(|call| Ok(call.shape(0)?.common_coarsening(&call.shape(1)?)?)))
        .example(&[("common_coarsening(((2,2),6), (4,6))", "(4,6)")])
        .manual("The finest shape that is compatible with both S and T (2.2)", ["", "", ""], "size: shapes of different size"),
    of(Family::Parts, "get", "layout, *path -> Self", &["get<0,1>(L)", "get(L, 0, 1)"], "the part at a path", Moved(|call| Ok(Change::Get(call.own_indices(1)?))))
        .example(&[("get((4,(8,2)):(1,(4,32)), 1, 0)", "8:4")]).takes(Own(1, 32)).also(&["mode"])
        .manual("Mode i_0, of that mode i_1, and so on", ["get<i>, layout<i>", "get", "L[i]"], "index: there is no such mode"),
    of(Family::Parts, "flatten", "layout -> Self", &["flatten(L)"], "the leaves without nesting", Moved(|_| Ok(Change::Flatten)))
        .example(&[("flatten((4,(8,2)))", "(4,8,2)")])
        .manual("The leaves in their order, in one tuple", ["flatten", "flatten", "flatten"], ""),
    of(Family::Parts, "unflatten", "layout, profile -> Self", &["unflatten(L, profile)"], "the leaves in the nesting of another tuple", Moved(parts::unflatten))
        .example(&[("unflatten((4,8,2):(1,4,32), (0,(0,0)))", "(4,(8,2)):(1,(4,32))")])
        .manual("The tuple of the given nesting with these leaves", ["unflatten", "", ""], "incongruent: another number of leaves"),
    of(Family::Parts, "group", "layout, begin, end=None -> Self", &["group<0,2>(L)", "group(L, 0, 2)", "group(L, (0,1))"], "some neighbouring modes as one mode", Moved(parts::group))
        .example(&[("group((4,8,2):(1,4,32), 0, 2)", "((4,8),2):((1,4),32)"), ("group((4,8,2):(1,4,32), (0,1))", "((4,8),2):((1,4),32)")]).takes(Own(2, 2)).also(&["group_modes"])
        .manual("Modes begin to end-1, or those of a tuple, become the modes of one", ["group<B,E>", "group_modes", ""], "index: there are no such modes; arguments: modes that are not adjacent"),
    of(Family::Parts, "take", "layout, begin, end -> Self", &["take<0,2>(L)", "take(L, 0, 2)"], "some neighbouring modes alone", Moved(|call| parts::range(call).map(|(begin, end)| Change::Take(begin, end))))
        .example(&[("take((4,8,2):(1,4,32), 1, 3)", "(8,2):(4,32)")]).takes(Own(2, 2))
        .manual("Modes begin to end-1", ["take<B,E>", "", ""], "index: there are no such modes"),
    of(Family::Parts, "select", "layout, *modes -> Self", &["select<0,2>(L)", "select(L, 0, 2)"], "the named modes in the order given", Moved(parts::select))
        .example(&[("select((4,8,2):(1,4,32), 2, 0)", "(2,4):(32,1)")]).takes(Own(1, 32))
        .manual("(L_i0, L_i1, ...)", ["select<I...>", "select", ""], "index: there is no such mode"),
    of(Family::Parts, "append", "layout, mode=None, *, rank=None -> Self", &["append(L, M)", "append<3>(L)"], "one more mode at the end, or modes up to a rank", Moved(|call| Ok(Change::Append(parts::up_to_rank(call)?))))
        .example(&[("append(4:1, 8:4)", "(4,8):(1,4)"), ("append<3>((4,8))", "(4,8,1)")]).takes(Own(1, 1))
        .manual("(L0, L1, ..., M)", ["append", "append", ""], "capacity: more than 32 leaves"),
    of(Family::Parts, "prepend", "layout, mode=None, *, rank=None -> Self", &["prepend(L, M)", "prepend<3>(L)"], "one more mode in front, or modes up to a rank", Moved(|call| Ok(Change::Prepend(parts::up_to_rank(call)?))))
        .example(&[("prepend(4:1, 8:4)", "(8,4):(4,1)")]).takes(Own(1, 1))
        .manual("(M, L0, L1, ...)", ["prepend", "prepend", ""], "capacity: more than 32 leaves"),
    of(Family::Parts, "replace", "layout, index, mode -> Self", &["replace(L, 0, M)", "replace<0>(L, M)"], "one mode exchanged for another", Moved(parts::replace))
        .example(&[("replace((4,8):(1,4), 0, 2:1)", "(2,8):(1,4)")]).takes(Own(1, 1))
        .manual("Mode i is M", ["replace<I>", "", ""], "index: there is no such mode"),
    of(Family::Parts, "einfold", "pattern, value, **sizes -> Any", &["einfold(\"(ab)c -> cab\", L)"], "modes by names: reordered, regrouped, split, repeated, dropped", By(einfold::einfold))
        .example(&[("einfold(\"(ab)cde -> c(ade)b\", ((12,4),42,5,7))", "(42,(12,5,7),4)"), ("einfold(\"(h h2) w -> h2 (h w)\", (8,4):(4,1), h2=2)", "(2,(4,4)):(16,(4,1))")]).with_names(OverNames::By(over_names::einfold))
        .manual("A name on the left binds a mode, or a part of an extent by its size; the right side is built of them, and modes without a name stay. In a group of a layout the first name is the fastest, as in its coordinates; of an array the last, as in einops", ["", "", "einfold"], "syntax: at the byte of the pattern; pattern: a group or a size that is not that of the modes"),
    of(Family::Simplification, "coalesce", "layout, profile=None -> Self", &["coalesce(L)", "coalesce(L, <_,_>)"], "the same function with the fewest modes, or mode by mode", Core(Profiled(Layout::coalesce, Layout::const_coalesce_by_mode)))
        .example(&[("coalesce((2,(1,6)):(1,(6,2)))", "12:1"), ("coalesce(((2,2),(2,2)):((1,2),(4,8)), <_,_>)", "(4,4):(1,4)")]).fact_at(12).explained(families::coalesce).in_dsl(&["input", "target_profile"]).with_names(OverNames::By(over_names::coalesce))
        .manual("The layout of fewest modes with L'(i) = L(i) for every index (3.2)", ["coalesce", "coalesce", "coalesce"], ""),
    of(Family::Simplification, "coalesce_extended", "layout -> Self", &["coalesce_extended(L)"], "the fewest modes of the same function on all integers", By(|call| algebra::on_domain(call, |layout| Ok(layout.coalesce_extended()))))
        .example(&[("coalesce_extended((4,1):(1,7))", "(4,1):(1,7)")]).with_names(OverNames::By(over_names::coalesce_extended))
        .manual("The layout of fewest modes with L'(i) = L(i) for every integer i, also out of bounds (3.2)", ["", "", ""], ""),
    of(Family::Simplification, "filter", "layout, profile=None -> Layout", &["filter(L)", "filter(L, <_,_>)"], "coalesced without the modes of stride 0, or mode by mode", Core(Profiled(Layout::filter, Layout::const_filter_by_mode)))
        .example(&[("filter((4,8):(0,1))", "8:1"), ("filter((4,(2,5)):(0,(4,0)), <_,_>)", "(1,2):(0,4)")]).explained(families::filter).with_names(OverNames::By(over_names::filter))
        .manual("coalesce(filter_zeros(L))", ["filter", "filter", "filter"], ""),
    of(Family::Simplification, "filter_zeros", "layout -> Layout", &["filter_zeros(L)"], "extent 1 wherever the stride is 0", Core(One(|layout| Ok(layout.filter_zeros()))))
        .example(&[("filter_zeros((4,8):(0,1))", "(1,8):(0,1)")])
        .manual("Extent 1 for each mode of stride 0", ["filter_zeros", "filter_zeros", ""], ""),
    of(Family::Simplification, "sort", "layout -> Layout", &["sort(L)"], "the leaves by ascending stride", Core(One(|layout| Ok(layout.sort()))))
        .example(&[("sort((4,8):(8,1))", "(8,4):(1,8)")])
        .manual("The leaves in the order of their strides", ["sort", "", ""], ""),
    of(Family::Forms, "to_layout", "layout -> Layout", &["to_layout(L)"], "the layout equal to a swizzled layout, with integer strides if possible, otherwise with XOR strides", By(|call| forms::of_elements(call, call.any_layout(0)?.to_layout()?)))
        .example(&[("to_layout(Sw<2,0,2> o (4,4):(1,4))", "(4,4):(^1,^5)")])
        .manual("The layout L with L(i) = F(i) for every index of the swizzled layout F", ["", "", ""], "not-xor-linear, carryless-scale, shape-divisibility: no layout is this function"),
    of(Family::Forms, "to_view", "layout -> View", &["to_view(L)"], "the layout with an offset that is equal to a swizzled layout", By(forms::to_view))
        .example(&[("to_view(Sw<2,0,2> o 20 o 4:1)", "{21} o 4:^1"), ("to_view(Sw<3,3,3> o 64 o 64:1)", "{72} o 64:^1")])
        .manual("{F(0)} o L with F(i) = F(0) + L(i), or with XOR strides F(0) ^ L(i), for every index of the swizzled layout F", ["", "", ""], "not-xor-linear, carryless-scale, shape-divisibility: no layout with an offset is this function"),
    of(Family::Forms, "to_xor", "layout -> Layout", &["to_xor(L)"], "the same function with XOR strides", By(|call| forms::of_elements(call, forms::composed(call)?.to_xor()?)))
        .example(&[("to_xor(Sw<2,0,2> o (4,4):(1,4))", "(4,4):(^1,^5)"), ("to_xor((4,8):(8,1))", "(4,8):(^8,^1)")])
        .manual("The layout with strides ^d that is the same function; a swizzle acts on each column (2.4.4)", ["", "", ""], "not-xor-linear, carryless-scale, shape-divisibility: sums of the strides carry"),
    of(Family::Forms, "to_swizzle", "layout -> Any", &["to_swizzle(L)"], "the same function as a swizzle over integer strides", By(forms::to_swizzle))
        .example(&[("to_swizzle((4,4):(^1,^5))", "Sw<2,0,2> o 0 o (4,4):(1,4)")])
        .manual("Sw o 0 o L' with integer strides and the same offsets, for the smallest field that does", ["", "", ""], "swizzle: no swizzle does; argument: offsets below 0"),
    of(Family::Forms, "linear_form", "layout -> Any", &["linear_form(L)"], "the rows of the matrix that takes a natural coordinate to its offset; of XOR strides the matrix over F2, of bits", By(forms::linear_form))
        .example(&[("linear_form((4,(4,2)):(1@1,(1@0,6@1)))", "((0,1,0),(1,0,6))"), ("linear_form(((2,2),(4,2)):((1,8),(2,16)))", "(1,8,2,16)"), ("linear_form((4,4):(^1,^5))", "((1,0,1,0),(0,1,0,1),(0,0,1,0),(0,0,0,1))")])
        .manual("The matrix D with L(c) = D c for the natural coordinate c (2.4.4, table 1)", ["", "", ""], "capacity: more than 32 entries"),
    of(Family::Forms, "bit_matrix", "layout -> Any", &["bit_matrix(L)"], "the columns of the matrix over F2 from the bits of an index to those of its offset, as numbers", By(forms::bit_matrix))
        .example(&[("bit_matrix((4,4):(^1,^5))", "(1,2,5,10)"), ("bit_matrix((4,8):(8,1))", "(8,16,1,2,4)")])
        .manual("Column k is L(2^k); L(i) is the XOR of the columns at the bits of i (2.4.4)", ["", "", ""], "not-xor-linear: sums of the strides carry; argument: a size that is not a power of two"),
    of(Family::Forms, "bit_rank", "layout -> int", &["bit_rank(L)"], "the rank of that matrix; there are 2^rank offsets", Number(|call| Ok(forms::bit_matrix_of(call)?.rank() as i64)))
        .example(&[("bit_rank((4,4):(^1,^5))", "4")])
        .manual("The dimension of the span of the columns over F2", ["", "", ""], "as for bit_matrix"),
    of(Family::Forms, "bit_layout", "columns -> Layout", &["bit_layout(columns)"], "the layout whose matrix over F2 has these columns", Made(forms::bit_layout))
        .example(&[("bit_layout((1,2,5,10))", "(4,4):(^1,^5)")])
        .manual("L(i) is the XOR of the columns at the bits of i, in the fewest modes", ["", "", ""], "capacity: more than 63 columns"),
    of(Family::Algebra, "composition", "left, right -> Self", &["composition(A, B)", "A o B"], "the layout c -> A(B(c)); with a tiler mode by mode", Core(Composition(Layout::composition, Layout::composition_by_mode)))
        .example(&[("composition((8,8):(8,1), ((4,8),2):((16,1),8))", "((4,8),2):((2,8),1)"), ("composition((8,8):(8,1), (2,4))", "(2,4):(8,1)")]).also(&["compose"]).written(Sign::Composition).explained(composition::any).drawn(Drawing::Composition).in_dsl(&["lhs", "rhs"]).in_pycute(Tiled(pycute::composition)).with_names(OverNames::By(over_names::composition))
        .manual("(A o B)(c) = A(B(c)) for every coordinate of B, and B's shape refined (3.3); of a tiler mode by mode (3.3.5)", ["composition", "composition", "composition"], "shape-divisibility: A changes its step within a leaf of B (equation 21); carry: leaves of B together pass a mode of A (equation 23)"),
    of(Family::Algebra, "complement", "layout, within=None -> Layout", &["complement(L)", "complement(L, M)", "complement(L, <_,_>)"], "the layout of the offsets that L skips, up to M, or mode by mode", Core(Within(Layout::complement, Layout::const_complement_within)))
        .example(&[("complement(4:2, 24)", "(2,3):(1,8)"), ("complement((8,16):(20,1), <_,_>)", "((20,1),1):((1,160),16)")]).explained(families::complement).in_dsl(&["input", "cotarget"]).in_pycute(Within(|layout| layout.const_complement_within(&Shape::leaf(1)), Layout::const_complement_within)).with_names(OverNames::By(over_names::complement))
        .manual("The layout L* such that (L, L*) is injective, ascending, and as large as M allows (3.5.1)", ["complement", "complement", "complement"], "overlap: modes of L overlap; gap: a gap that is not a multiple"),
    of(Family::Algebra, "right_inverse", "layout, profile=None -> Layout", &["right_inverse(L)", "right_inverse(L, <_,_>)"], "the largest R with L(R(i)) = i, or mode by mode", Core(OfFunction(Layout::right_inverse, Composed::right_inverse, Some(View::right_inverse))))
        .example(&[("right_inverse((4,8):(8,1))", "(8,4):(4,1)"), ("right_inverse({8} o (8,2):(1,-8))", "{8} o (8,2):(1,-8)"), ("right_inverse(Sw<2,0,2> o (4,4):(1,4))", "(4,4):(^1,^5)")]).explained(inverses::right).drawn(Drawing::Inverse).in_pycute(One(pycute::right_inverse)).with_names(OverNames::By(over_names::right_inverse))
        .manual("L(R(i)) = i for every i below size(R), and size(R) as large as possible (3.4.1)", ["right_inverse", "right_inverse", "right_inverse"], "undecided: L overlaps itself, past a budget"),
    of(Family::Algebra, "left_inverse", "layout, profile=None -> Layout", &["left_inverse(L)", "left_inverse(L, <_,_>)"], "an R with L(R(L(i))) = L(i), or mode by mode", Core(OfFunction(Layout::left_inverse, Composed::left_inverse, Some(View::left_inverse))))
        .example(&[("left_inverse((3,4):(1,4))", "(4,4):(1,3)")]).explained(inverses::left).drawn(Drawing::Inverse).in_pycute(One(pycute::left_inverse)).with_names(OverNames::By(over_names::left_inverse))
        .manual("L(R(L(i))) = L(i); R(L(i)) = i where L is injective (3.4.3, equation 26)", ["left_inverse", "left_inverse", "left_inverse"], "no-inverse: there is none; undecided: past a budget"),
    of(Family::Algebra, "inverse", "layout -> Layout", &["inverse(L)"], "the inverse of a compact layout", Core(OfFunction(Layout::inverse, Composed::inverse, Some(View::inverse))))
        .example(&[("inverse((4,8):(8,1))", "(8,4):(4,1)")]).explained(inverses::both).drawn(Drawing::Inverse).with_names(OverNames::By(over_names::inverse))
        .manual("L(R(k)) = k and R(L(i)) = i for every k and i below the size; for coordinates, for every k of a shape", ["", "", ""], "no-inverse: an offset is missing, or two coordinates have the same"),
    of(Family::Algebra, "nullspace", "layout -> Layout", &["nullspace(L)"], "the coordinates whose offset is 0", Core(OfFunction(Layout::nullspace, Composed::nullspace, None)))
        .example(&[("nullspace((4,8):(0,1))", "4:1")]).fact_at(13)
        .manual("An injective N whose offsets are all c with L(c) = 0", ["nullspace", "", ""], "no-inverse: these c are the offsets of no layout; undecided: past a budget"),
    of(Family::Divides, "logical_divide", "layout, tiler -> Self", &["logical_divide(L, T)", "L / T"], "each mode split into (tile, rest)", Core(Tiled(Layout::logical_divide)))
        .example(&[("logical_divide(16:1, 4)", "(4,4):(1,4)")]).written(Sign::Divide).explained(families::divide).drawn(Drawing::Divide(Layout::logical_divide)).in_dsl(&["target", "tiler"]).in_pycute(Tiled(pycute::logical_divide)).with_names(OverNames::Tiled(Scope::logical_divide))
        .manual("A o (B, B*), where B* is complement(B, size(A)) (3.5.2); of a tiler mode by mode", ["logical_divide", "logical_divide", "logical_divide"], "those of complement and composition"),
    of(Family::Divides, "zipped_divide", "layout, tiler -> Self", &["zipped_divide(L, T)"], "((tiles), (rests))", Core(Tiled(Layout::zipped_divide)))
        .example(&[("zipped_divide((4,8):(8,1), (2,4))", "((2,4),(2,2)):((8,1),(16,4))")]).explained(families::divide).drawn(Drawing::Divide(Layout::zipped_divide)).in_dsl(&["target", "tiler"]).in_pycute(Tiled(pycute::zipped_divide)).with_names(OverNames::Tiled(Scope::zipped_divide))
        .manual("logical_divide by mode, then all tiles in one mode and all rests in another (3.5.2)", ["zipped_divide", "zipped_divide", "zipped_divide"], "those of logical_divide"),
    of(Family::Divides, "tiled_divide", "layout, tiler -> Self", &["tiled_divide(L, T)"], "((tiles), rest, rest, ...)", Core(Tiled(Layout::tiled_divide)))
        .example(&[("tiled_divide((4,8):(8,1), (2,4))", "((2,4),2,2):((8,1),16,4)")]).explained(families::divide).drawn(Drawing::Divide(Layout::tiled_divide)).in_dsl(&["target", "tiler"]).in_pycute(Tiled(pycute::tiled_divide)).with_names(OverNames::Tiled(Scope::tiled_divide))
        .manual("zipped_divide with the mode of the rests taken apart", ["tiled_divide", "tiled_divide", "tiled_divide"], "those of logical_divide"),
    of(Family::Divides, "flat_divide", "layout, tiler -> Self", &["flat_divide(L, T)"], "(tile, tile, ..., rest, rest, ...)", Core(Tiled(Layout::flat_divide)))
        .example(&[("flat_divide((4,8):(8,1), (2,4))", "(2,4,2,2):(8,1,16,4)")]).explained(families::divide).drawn(Drawing::Divide(Layout::flat_divide)).in_dsl(&["target", "tiler"]).with_names(OverNames::Tiled(Scope::flat_divide))
        .manual("zipped_divide with both modes taken apart", ["flat_divide", "flat_divide", ""], "those of logical_divide"),
    of(Family::Divides, "local_tile", "layout, tiler, pattern, projection=None -> Any", &["local_tile(L, T, c)", "local_tile(L, T, c, (1,_,1))"], "one tile, or with `_` in the coordinate several tiles; a projection takes the modes of T and c where it has no `_`", By(tensors::local_tile))
        .example(&[("local_tile((8,16):(16,1), (4,8), (1,1))", "{72} o (4,8):(16,1)"), ("local_tile((8,16):(16,1), (4,8), (1,_))", "{64} o (4,8,2):(16,1,8)"), ("local_tile((8,16):(16,1), (4,2,8), (1,0,_), (1,_,1))", "{64} o (4,8,2):(16,1,8)")]).explained(families::tile).drawn(Drawing::Part).in_dsl(&["input", "tiler", "coord", "proj"]).with_names(OverNames::By(over_names::local_tile))
        .manual("flat_divide(L, T) sliced at its rests, or at all of them by one index (2.5.1)", ["local_tile", "local_tile", ""], "those of logical_divide; out-of-bounds: there is no such tile"),
    of(Family::Divides, "local_partition", "layout, thr_layout, index, projection=None -> Any", &["local_partition(L, T, i)", "local_partition(L, T, i, (1,_,1))"], "the elements of a thread: in each tile of the shape of T the one where T is i; a projection takes the modes of T where it has no `_`", By(tensors::local_partition))
        .example(&[("local_partition((8,16):(16,1), (4,8):(8,1), 9)", "{17} o (2,2):(64,8)")]).explained(families::share).drawn(Drawing::Part).in_dsl(&["target", "tiler", "index", "proj"]).with_names(OverNames::By(over_names::local_partition))
        .manual("tiled_divide(L, shape(T)) sliced at the coordinate of the tile that T maps to i (2.5.1)", ["local_partition", "local_partition", ""], "those of logical_divide; argument: no thread has this index"),
    of(Family::Products, "logical_product", "layout, tiler -> Self", &["logical_product(L, T)", "L * T"], "L repeated by T, each mode as (L, repetition)", Core(Tiled(Layout::logical_product)))
        .example(&[("logical_product(4:1, 3)", "(4,3):(1,4)")]).written(Sign::Product).explained(families::product).drawn(Drawing::Product(Order::Whole, Order::Blocked)).in_dsl(&["block", "tiler"]).in_pycute(Tiled(pycute::logical_product)).with_names(OverNames::Tiled(Scope::logical_product))
        .manual("(A, A* o B), where A* is complement(A) (3.5.1); of a tiler mode by mode", ["logical_product", "logical_product", "logical_product"], "those of complement and composition"),
    of(Family::Products, "zipped_product", "layout, tiler -> Self", &["zipped_product(L, T)"], "((L), (repetitions))", Core(Tiled(Layout::zipped_product)))
        .example(&[("zipped_product(4:1, 3)", "(4,3):(1,4)")]).explained(families::product).drawn(Drawing::Product(Order::Whole, Order::Whole)).in_dsl(&["block", "tiler"]).in_pycute(Tiled(pycute::zipped_product)).with_names(OverNames::Tiled(Scope::zipped_product))
        .manual("logical_product by mode, then all of A in one mode and all repetitions in another", ["zipped_product", "zipped_product", "zipped_product"], "those of logical_product"),
    of(Family::Products, "tiled_product", "layout, tiler -> Self", &["tiled_product(L, T)"], "((L), repetition, repetition, ...)", Core(Tiled(Layout::tiled_product)))
        .example(&[("tiled_product(4:1, 3)", "(4,3):(1,4)")]).explained(families::product).drawn(Drawing::Product(Order::Whole, Order::Whole)).in_dsl(&["block", "tiler"]).in_pycute(Tiled(pycute::tiled_product)).with_names(OverNames::Tiled(Scope::tiled_product))
        .manual("zipped_product with the mode of the repetitions taken apart", ["tiled_product", "tiled_product", "tiled_product"], "those of logical_product"),
    of(Family::Products, "flat_product", "layout, tiler -> Self", &["flat_product(L, T)"], "(mode, mode, ..., repetition, repetition, ...)", Core(Tiled(Layout::flat_product)))
        .example(&[("flat_product(4:1, 3)", "(4,3):(1,4)")]).explained(families::product).drawn(Drawing::Product(Order::Whole, Order::Whole)).in_dsl(&["block", "tiler"]).with_names(OverNames::Tiled(Scope::flat_product))
        .manual("zipped_product with both modes taken apart", ["flat_product", "flat_product", ""], "those of logical_product"),
    of(Family::Products, "blocked_product", "layout, grid -> Self", &["blocked_product(L, M)"], "copies of L side by side, mode by mode", Core(Two(Layout::blocked_product)))
        .example(&[("blocked_product((2,2):(1,2), (2,3):(1,2))", "((2,2),(2,3)):((1,4),(2,8))")]).explained(families::grid).drawn(Drawing::Product(Order::Blocked, Order::Blocked)).in_dsl(&["block", "tiler"]).with_names(OverNames::Two(Scope::blocked_product))
        .manual("logical_product with modes ((A0,B0),(A1,B1),...) (3.5.3)", ["blocked_product", "blocked_product", ""], "those of logical_product"),
    of(Family::Products, "raked_product", "layout, grid -> Self", &["raked_product(L, M)"], "copies of L interleaved, mode by mode", Core(Two(Layout::raked_product)))
        .example(&[("raked_product((2,2):(1,2), (2,3):(1,2))", "((2,2),(3,2)):((4,1),(8,2))")]).explained(families::grid).drawn(Drawing::Product(Order::Raked, Order::Raked)).in_dsl(&["block", "tiler"]).with_names(OverNames::Two(Scope::raked_product))
        .manual("logical_product with modes ((B0,A0),(B1,A1),...) (3.5.3)", ["raked_product", "raked_product", ""], "those of logical_product"),
    of(Family::Products, "tile_to_shape", "layout, shape, order=None -> Self", &["tile_to_shape(L, S)", "tile_to_shape(L, S, order)"], "L repeated until it fills a shape", By(algebra::tile_to_shape))
        .example(&[("tile_to_shape((2,2):(1,2), (4,6))", "((2,2),(2,3)):((1,4),(2,8))")]).in_dsl(&["atom", "trg_shape", "order"])
        .manual("blocked_product with the grid that fills S, in the order of the modes", ["tile_to_shape", "tile_to_shape", ""], "divisibility: the tile does not divide the shape"),
    of(Family::Vectors, "upcast", "layout, count -> Self", &["upcast<2>(L)", "upcast(L, 2)"], "counted in larger elements", By(|call| algebra::recounted(call, algebra::wider)))
        .example(&[("upcast((8,4):(1,8), 4)", "(2,4):(1,2)"), ("upcast<2>(Sw<3,4,3> o (8,128):(128,1))", "Sw<3,3,3> o 0 o (8,64):(64,1)")]).takes(Own(1, 1)).with_names(OverNames::By(|call| over_names::recast(call, algebra::wider)))
        .manual("The wide elements floor(L(c) / n) that are touched; of a swizzle the base less log2(n)", ["upcast<N>", "", ""], "divisibility: steps are uneven in elements of n, or a swizzle keeps fewer than n together; size: modes together reach further"),
    of(Family::Vectors, "downcast", "layout, count -> Self", &["downcast<2>(L)", "downcast(L, 2)"], "counted in smaller elements", By(|call| algebra::recounted(call, algebra::narrower)))
        .example(&[("downcast((2,4):(1,2), 4)", "(8,4):(1,8)")]).takes(Own(1, 1)).with_names(OverNames::By(|call| over_names::recast(call, algebra::narrower)))
        .manual("Each offset becomes n neighbouring ones; of a swizzle the base plus log2(n)", ["downcast<N>", "", ""], "argument: no mode of stride 1 or extent 1 to split"),
    of(Family::Vectors, "recast", "layout, old_bits, new_bits -> Self", &["recast<16,8>(L)", "recast(L, 16, 8)"], "counted in elements of another number of bits", By(algebra::recast))
        .example(&[("recast((8,4):(1,8), 8, 32)", "(2,4):(1,2)")]).takes(Own(2, 2)).with_names(OverNames::By(|call| over_names::recast(call, algebra::widths))).also(&["recast_layout"])
        .manual("downcast, then upcast, by the widths without their common divisor", ["recast_layout<Old,New>", "recast_layout", ""], "those of upcast and downcast"),
    of(Family::Vectors, "common_layout", "layout, other -> Layout", &["common_layout(A, B)"], "the largest layout that A and B agree on", Core(Functions(Layout::common_layout, AnyLayout::common_layout)))
        .example(&[("common_layout((4,8):(1,4), (4,8):(1,100))", "4:1")]).drawn(Drawing::Common(AnyLayout::common_layout)).with_names(OverNames::By(over_names::common_layout))
        .manual("The largest R with A(R(i)) = B(R(i)) = i (3.4.2)", ["", "", ""], "mixed-codomain: layouts of two codomains; undecided: past a budget"),
    of(Family::Vectors, "common_vector", "layout, other -> int", &["common_vector(A, B)"], "how many elements are contiguous from offset 0 in both A and B", Number(|call| Ok(call.any_layout(0)?.common_vector(&call.any_layout(1)?)?)))
        .example(&[("common_vector((4,8):(1,4), (4,8):(1,100))", "4")]).drawn(Drawing::Common(algebra::vector_of_both)).with_names(OverNames::By(over_names::common_vector))
        .manual("size(common_layout(A, B)) (3.4.2)", ["", "", ""], "as for common_layout"),
    of(Family::Vectors, "max_common_layout", "layout, other -> Layout", &["max_common_layout(A, B)"], "the layout that A and B agree on, up to where a swizzle takes elements apart", Core(Functions(Layout::common_layout, AnyLayout::max_common_layout)))
        .example(&[("max_common_layout((64,8):(1,64), Sw<3,3,3> o 0 o (64,8):(1,64))", "8:1")]).drawn(Drawing::Common(AnyLayout::max_common_layout)).with_names(OverNames::By(over_names::common_layout))
        .manual("common_layout without the swizzles, cut off at the elements that a swizzle keeps together, unless both have the same: 2^M, or the largest power of two that divides 2^M and the offset before it", ["max_common_layout", "max_common_layout", ""], "as for common_layout; shape-divisibility: the cut is within a mode"),
    of(Family::Vectors, "max_common_vector", "layout, other -> int", &["max_common_vector(A, B)"], "how many elements are contiguous in memory in both A and B, wherever a vector begins", Number(|call| Ok(call.any_layout(0)?.max_common_vector(&call.any_layout(1)?)?)))
        .example(&[("max_common_vector((64,8):(1,64), Sw<3,3,3> o 0 o (64,8):(1,64))", "8")]).drawn(Drawing::Common(AnyLayout::max_common_layout)).with_names(OverNames::By(over_names::common_vector))
        .manual("common_vector without the swizzles, cut off as in max_common_layout", ["max_common_vector", "max_common_vector", ""], "as for common_layout"),
    of(Family::Vectors, "max_vector", "layout, limit -> int", &["max_vector(L, 8)"], "the largest power of two, up to a limit, of elements that can be accessed at a time", Number(queries::max_vector))
        .example(&[("max_vector((16,4):(1,20), 8)", "4")]).with_names(OverNames::By(over_names::max_vector))
        .manual("The largest power of two w up to the limit with is_vector(L, w); of names, the one at their witness, with its condition", ["", "", ""], "those of is_vector"),
    of(Family::Vectors, "layout_add", "layout, other -> Layout", &["layout_add(A, B)"], "the layout c -> A(c) + B(c)", Made(|call| Ok(call.layout(0)?.layout_add(&*call.layout(1)?)?)))
        .example(&[("layout_add((4,8):(1,4), (4,8):(10,0))", "(4,8):(11,4)")])
        .manual("(A + B)(c) = A(c) + B(c)", ["", "", ""], "size: layouts of different size; shape-divisibility: the sum is not a layout"),
    of(Family::Vectors, "greatest_common_domain", "layout, other -> Any", &["greatest_common_domain(A, B)"], "the coarsest shape on which both have a stride per mode", Integers(|call| Ok(call.layout(0)?.greatest_common_domain(&*call.layout(1)?)?)))
        .example(&[("greatest_common_domain((4,8):(8,1), (4,8):(1,4))", "(4,8)")])
        .manual("The coarsest shape on whose leaves both A and B have one stride", ["", "", ""], "size: layouts of different size"),
    of(Family::Predicates, "congruent", "first, second -> bool", &["congruent(a, b)"], "whether the nestings are the same", Truth(|call| Ok(queries::nesting(call, 0)?.congruent(&queries::nesting(call, 1)?))))
        .example(&[("congruent((4,(8,2)), (0,(0,0)))", "true")]).with_names(OverNames::Nested(Tuple::congruent))
        .because(questions::CONGRUENT)
        .manual("Equal nesting (2.1)", ["congruent", "", ""], ""),
    of(Family::Predicates, "weakly_congruent", "first, second -> bool", &["weakly_congruent(a, b)"], "whether the nesting of b refines that of a", Truth(|call| Ok(queries::nesting(call, 0)?.weakly_congruent(&queries::nesting(call, 1)?))))
        .example(&[("weakly_congruent((4,16), (0,(0,0)))", "true")]).with_names(OverNames::Nested(Tuple::weakly_congruent))
        .because(questions::WEAKLY_CONGRUENT)
        .manual("Where a has a leaf, b has a leaf or a tuple (2.1)", ["weakly_congruent", "", ""], ""),
    of(Family::Predicates, "compatible", "first, second -> bool", &["compatible(a, b)"], "whether every coordinate of a is a coordinate of b", Truth(|call| Ok(call.shape(0)?.compatible(&call.shape(1)?))))
        .example(&[("compatible((4,16), (4,(8,2)))", "true")]).with_names(OverNames::By(over_names::compatible))
        .because(questions::COMPATIBLE)
        .manual("Of equal size, and each coordinate into a one into b (2.2)", ["compatible", "", ""], ""),
    of(Family::Predicates, "equivalent", "first, second -> bool", &["equivalent(A, B)"], "whether A and B are the same function of integers", Truth(queries::equivalent))
        .example(&[("equivalent((2,4):(1,2), 8:1)", "true")]).with_names(OverNames::Question(Placed::equivalent))
        .because(questions::EQUIVALENT)
        .manual("A(i) = B(i) for every index, and sizes are equal, whatever swizzle or offset is before the layouts", ["", "", ""], ""),
    of(Family::Predicates, "is_injective", "layout -> bool", &["is_injective(L)"], "whether no two coordinates share an offset", Truth(queries::is_injective))
        .example(&[("is_injective((4,8):(0,1))", "false")]).fact_at(8).with_names(OverNames::AskPlaced(Placed::is_injective))
        .because(questions::INJECTIVE)
        .manual("L(a) = L(b) only if a = b", ["", "", ""], "undecided: past a budget"),
    of(Family::Predicates, "is_surjective", "layout -> bool", &["is_surjective(L)"], "whether every offset from 0 to the greatest occurs", Truth(|call| call.of_function(Layout::is_surjective, Composed::is_surjective)))
        .example(&[("is_surjective((4,8):(8,1))", "true")]).fact_at(9).with_names(OverNames::Ask(Scope::is_surjective))
        .because(questions::SURJECTIVE)
        .manual("Every k with 0 <= k < cosize(L) is an offset, and nothing else", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Predicates, "is_bijective", "layout -> bool", &["is_bijective(L)"], "whether the indices and the offsets below cosize are one to one", Truth(|call| call.of_function(Layout::is_bijective, Composed::is_bijective)))
        .example(&[("is_bijective((4,8):(8,1))", "true")]).fact_at(10).with_names(OverNames::AskPlaced(Placed::is_compact))
        .because(questions::COMPACT)
        .manual("Injective and surjective", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Predicates, "is_compact", "layout -> bool", &["is_compact(L)"], "whether the offsets are [0, size), each once", Truth(|call| call.of_function(Layout::is_compact, Composed::is_compact)))
        .example(&[("is_compact((4,8):(8,1))", "true")]).fact_at(11).with_names(OverNames::AskPlaced(Placed::is_compact))
        .because(questions::COMPACT)
        .manual("The offsets are 0, ..., size-1, each once (3.4.1)", ["", "", ""], "codomain: rational and coordinate offsets have no order"),
    of(Family::Predicates, "is_increasing", "layout -> bool", &["is_increasing(L)"], "whether offsets grow with the coordinate", Truth(|call| call.of_function(Layout::is_increasing, Composed::is_increasing)))
        .example(&[("is_increasing((4,8):(8,1))", "false")]).with_names(OverNames::Ask(Scope::is_increasing))
        .because(questions::INCREASING)
        .manual("L(i) < L(i+1) for every index", ["", "", ""], "codomain: only integers are in order"),
    of(Family::Predicates, "is_contiguous", "layout -> bool", &["is_contiguous(L)"], "whether the elements are in the order of the coordinates, L(i) = i", Truth(forms::is_contiguous))
        .example(&[("is_contiguous((4,8):(1,4))", "true"), ("is_contiguous((4,8):(8,1))", "false")]).with_names(OverNames::Ask(Scope::is_contiguous))
        .because(questions::CONTIGUOUS)
        .manual("L(i) = i for every index: coalesce(L) = size:1", ["", "", ""], ""),
    of(Family::Predicates, "fits", "layout, bits -> bool", &["fits(L, bits)"], "whether offsets fit a signed integer: 31 for int32", Truth(queries::fits))
        .example(&[("fits((4096,4096):(1,4096), 31)", "true")]).with_names(OverNames::By(over_names::fits))
        .because(questions::FITS)
        .manual("-2^bits <= L(c) < 2^bits for all coordinates c in bounds", ["", "", ""], "codomain: rational and coordinate offsets have no order; fact: a stride of unknown sign"),
    of(Family::Predicates, "is_vector", "layout, width -> bool", &["is_vector(L, 8)"], "whether this many elements can be accessed at a time, from an aligned base", Truth(|call| queries::vectors(call, call.integer(1)?)))
        .example(&[("is_vector((8,4):(1,16), 8)", "true")]).with_names(OverNames::By(over_names::is_vector))
        .because(questions::VECTOR)
        .manual("coalesce(L) has a mode of stride 1; its extent, all other strides, the offset, and 2^base of a swizzle are multiples of the width", ["", "", ""], "codomain: rational and coordinate offsets are not elements"),
    of(Family::Predicates, "is_disjoint", "first, second -> bool", &["is_disjoint(A, B)"], "whether A and B have no offset in common", Truth(queries::is_disjoint))
        .example(&[("is_disjoint({0} o (4,8):(16,2), {1} o (4,8):(16,2))", "true"), ("is_disjoint((4,8):(16,2), {5} o 4:1)", "false")]).with_names(OverNames::Question(Placed::is_disjoint))
        .because(questions::DISJOINT)
        .manual("A(a) != B(b) for all a, b: the images do not intersect", ["", "", ""], "codomain: coordinate offsets are not memory; undecided: past a budget"),
    of(Family::Predicates, "is_composable", "left, right -> bool", &["is_composable(A, B)"], "whether A o B is a layout", Truth(queries::is_composable))
        .example(&[("is_composable((4,6,8):(2,3,5), 6:3)", "false")]).with_names(OverNames::By(over_names::is_composable))
        .explained(questions::composable).because(questions::COMPOSABLE)
        .manual("Whether composition(A, B) is a layout (3.3.2)", ["", "", ""], "undecided, capacity: past a budget"),
    of(Family::Predicates, "is_complementable", "layout, within=None -> bool", &["is_complementable(L)", "is_complementable(L, M)"], "whether L has a complement, up to M", Truth(queries::is_complementable))
        .example(&[("is_complementable((2,2):(2,3))", "false"), ("is_complementable(4:2, 24)", "true")]).with_names(OverNames::By(over_names::is_complementable))
        .explained(questions::complementable).because(questions::COMPLEMENTABLE)
        .manual("Whether complement(L), or complement(L, M), is a layout (3.5.1)", ["", "", ""], "undecided, capacity: past a budget"),
    of(Family::Predicates, "admits", "layout, other -> bool", &["admits(A, T)"], "whether a layout has all offsets that an instruction accesses", Truth(|call| Ok(Reason::admits(&*call.layout(0)?, &*call.layout(1)?)?.holds())))
        .example(&[("admits((128,64):(16384,1), (2,128):(1,16384))", "true"), ("admits((128,1):(16384,0), (2,128):(1,16384))", "false")])
        .explained(questions::admits)
        .manual("For every i there is a c with T(i) = A(c) (3.4.4); of a copy atom X to or from tensor memory, T is X.memory", ["", "", ""], "codomain: offsets that are not integers; undecided: past a budget"),
    of(Family::Predicates, "is_sorted", "layout -> bool", &["is_sorted(L)"], "whether the leaves are in the order of sort", Truth(|call| Ok(call.layout(0)?.is_sorted())))
        .example(&[("is_sorted((2,4):(1,2))", "true"), ("is_sorted((4,8):(8,1))", "false")])
        .because(questions::SORTED)
        .manual("Strides ascend by magnitude, and extents where strides are equal", ["", "", ""], ""),
    of(Family::Predicates, "is_left_divisible", "shape, divisor -> bool", &["is_left_divisible(S, d)"], "whether a step of d divides modes out from the left, the last of them evenly", Truth(|call| Ok(call.shape(0)?.is_left_divisible(call.integer(1)?))))
        .example(&[("is_left_divisible((4,6), 8)", "true"), ("is_left_divisible((4,6), 6)", "false")])
        .because(questions::LEFT_DIVISIBLE)
        .manual("d = s0 ... s(i-1) c, where c divides si, and is less than si unless that is the last extent", ["", "", ""], ""),
    of(Family::Predicates, "is_weakly_left_divisible", "shape, divisor -> bool", &["is_weakly_left_divisible(S, d)"], "whether d coordinates are whole modes from the left and a part of one", Truth(|call| Ok(call.shape(0)?.is_weakly_left_divisible(call.integer(1)?))))
        .example(&[("is_weakly_left_divisible((4,6), 16)", "true"), ("is_weakly_left_divisible((4,6), 6)", "false")])
        .because(questions::LEFT_DIVISIBLE)
        .manual("d = s0 ... s(i-1) c, where c is less than si, or at most the last extent", ["", "", ""], ""),
    of(Family::Instructions, "atom", "name, bits=None -> Instruction", &["atom(NAME)", "atom(NAME, bits)"], "an instruction by CuTe's name, a copy in elements of that many bits; .a .b .c or .src .dst are its layouts", By(instructions::atom))
        .example(&[("atom(SM80_16x8x16_F32F16F16F32_TN)", "atom(SM80_16x8x16_F32F16F16F32_TN)"), ("atom(SM80_16x8x16_F32F16F16F32_TN).c", "((4,8),(2,2)):((32,1),(16,8))"), ("atom(SM75_U32x4_LDSM_N, 16).dst", "(32,(2,4)):(2,(1,64))")]).also(&["make_mma_atom", "make_copy_atom"])
        .manual("The layouts of threads and values that an instruction prescribes", ["MMA_Atom, Copy_Atom", "make_mma_atom, make_copy_atom", ""], "name: no instruction of this name"),
    of(Family::Instructions, "tiled_mma", "atom, atoms=None, permutation=None -> Instruction", &["tiled_mma(X, L)", "tiled_mma(X, L, T)"], "the MMA atom X repeated along (M,N,K) by L, tensors first permuted by T; .a .b .c are thread-value layouts", By(instructions::tiled_mma))
        .example(&[("tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1))", "tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1):(1,2,0))"), ("tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1)).shape", "(32,16,16)")]).also(&["make_tiled_mma"])
        .manual("The atom repeated over threads, values permuted by T", ["make_tiled_mma, TiledMMA", "make_tiled_mma", ""], "those of the products and divides"),
    of(Family::Instructions, "tiled_copy", "atom, thr_layout, val_layout -> Instruction", &["tiled_copy(X, L, M)", "tiled_copy(X, L, T)"], "the copy atom X with threads L and values M of each, or with thread-value layout L of tile T; .src .dst are thread-value layouts", By(instructions::tiled_copy))
        .example(&[("tiled_copy(atom(SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 16), (16,8):(8,1), (1,8):(0,1)).src", "((8,16),(8,1)):((128,1),(16,0))")]).also(&["make_tiled_copy", "make_tiled_copy_tv"])
        .manual("The copy atom over a layout of threads and of values of each", ["make_tiled_copy, TiledCopy", "make_tiled_copy_tv, make_tiled_copy", ""], "those of the products and divides"),
    of(Family::Instructions, "make_tiled_copy_A", "atom, mma -> Instruction", &["make_tiled_copy_A(X, mma)"], "the copy atom X for the elements of A that the threads of a tiled MMA have", By(|call| instructions::copy_of_mma(call, TiledCopy::of_a)))
        .example(&[("make_tiled_copy_A(atom(SM75_U32x4_LDSM_N, 16), tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))).shape", "(32,16)")])
        .manual("tiled_copy(X, mma.a, <M,K>) of the tile of the MMA", ["make_tiled_copy_A", "make_tiled_copy_A", ""], "those of tiled_copy"),
    of(Family::Instructions, "make_tiled_copy_B", "atom, mma -> Instruction", &["make_tiled_copy_B(X, mma)"], "the copy atom X for the elements of B that the threads of a tiled MMA have", By(|call| instructions::copy_of_mma(call, TiledCopy::of_b)))
        .example(&[("make_tiled_copy_B(atom(SM75_U32x2_LDSM_N, 16), tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))).shape", "(8,16)")])
        .manual("tiled_copy(X, mma.b, <N,K>) of the tile of the MMA", ["make_tiled_copy_B", "make_tiled_copy_B", ""], "those of tiled_copy"),
    of(Family::Instructions, "make_tiled_copy_C", "atom, mma -> Instruction", &["make_tiled_copy_C(X, mma)"], "the copy atom X for the elements of C that the threads of a tiled MMA have", By(|call| instructions::copy_of_mma(call, TiledCopy::of_c)))
        .example(&[("make_tiled_copy_C(atom(UniversalCopy<uint32_t>, 32), tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,1,1))).shape", "(32,8)")])
        .manual("tiled_copy(X, mma.c, <M,N>) of the tile of the MMA", ["make_tiled_copy_C", "make_tiled_copy_C", ""], "those of tiled_copy"),
    of(Family::Instructions, "owner", "instruction, operand, coordinate=None -> Any", &["owner(X, .c, e)", "owner(L, e)"], "which thread has an element of an operand, or of the thread-value layout L, as which value: (thread,value), or all of them", By(instructions::owner))
        .example(&[("owner(atom(SM80_16x8x16_F32F16F16F32_TN), .c, (5,3))", "(21,1)"), ("owner(tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (2,2,1)), .a, (20,3))", "((49,1),(113,1))"), ("owner(((4,8),(2,2)):((32,1),(16,8)), 53)", "(21,1)")])
        .manual("The coordinates (t,v) with L(t,v) = e, or X.c(t,v) = i + M j; (i,k) of .a, (j,k) of .b, an element of .src and .dst", ["", "", ""], "arguments: no such operand, or an element outside it; limit: more than 4194304 threads times values"),
    of(Family::Instructions, "element", "instruction, operand, coordinate -> Any", &["element(X, .c, tv)"], "the element of an operand that a thread has as a value", By(instructions::element))
        .example(&[("element(atom(SM80_16x8x16_F32F16F16F32_TN), .c, (21,1))", "(5,3)")])
        .manual("The coordinate of the index X.c(t,v)", ["", "", ""], "arguments: no such operand, or a thread or value that it does not have"),
    of(Family::Instructions, "get_slice", "tiled, index -> Instruction", &["get_slice(tiled, t)"], "thread t of a tiled MMA or copy, also X.get_slice(t)", By(instructions::get_slice))
        .example(&[("get_slice(tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN)), 5)", "get_slice(tiled_mma(atom(SM80_16x8x16_F32F16F16F32_TN), (1,1,1):(0,0,0)), 5)")]).also(&["get_thread_slice"])
        .manual("The thread whose part partition_A and its like take", ["get_slice, get_thread_slice", "get_slice", ""], "argument: no such thread"),
    of(Family::Instructions, "thrfrg_A", "tiled, layout -> Layout", &["thrfrg_A(mma, L)"], "A, of (M,K,...), by threads and values of a tiled MMA", By(|call| instructions::thrfrg(call, TiledMma::thrfrg_a)))
        .example(&[("thrfrg_A(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), (16,4))", "(((4,8),(1,1)),(1,(2,1))):(((16,1),(0,0)),(0,(8,0)))")])
        .manual("((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...)))", ["thrfrg_A", "", ""], "those of the divides"),
    of(Family::Instructions, "thrfrg_B", "tiled, layout -> Layout", &["thrfrg_B(mma, L)"], "B, of (N,K,...), by threads and values of a tiled MMA", By(|call| instructions::thrfrg(call, TiledMma::thrfrg_b)))
        .example(&[("thrfrg_B(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), (8,4))", "(((4,8),(1,1)),(1,(1,1))):(((8,1),(0,0)),(0,(0,0)))")])
        .manual("((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,...)))", ["thrfrg_B", "", ""], "those of the divides"),
    of(Family::Instructions, "thrfrg_C", "tiled, layout -> Layout", &["thrfrg_C(mma, L)"], "C, of (M,N,...), by threads and values of a tiled MMA", By(|call| instructions::thrfrg(call, TiledMma::thrfrg_c)))
        .example(&[("thrfrg_C(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), (8,8))", "(((4,8),(1,1)),(2,(1,1))):(((16,1),(0,0)),(8,(0,0)))")])
        .manual("((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,...)))", ["thrfrg_C", "", ""], "those of the divides"),
    of(Family::Instructions, "tidfrg_S", "tiled, layout -> Layout", &["tidfrg_S(copy, L)"], "a source by threads and values of a tiled copy", By(|call| instructions::tidfrg(call, TiledCopy::tidfrg_s)))
        .example(&[("tidfrg_S(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), (8,8))", "((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))")])
        .manual("(Thr,(FrgV,(Rest...)))", ["tidfrg_S", "", ""], "those of the divides"),
    of(Family::Instructions, "tidfrg_D", "tiled, layout -> Layout", &["tidfrg_D(copy, L)"], "a destination by threads and values of a tiled copy", By(|call| instructions::tidfrg(call, TiledCopy::tidfrg_d)))
        .example(&[("tidfrg_D(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), (8,8))", "((8,4),((1,1),(2,1))):((8,1),((0,0),(4,0)))")])
        .manual("(Thr,(FrgV,(Rest...)))", ["tidfrg_D", "", ""], "those of the divides"),
    of(Family::Instructions, "retile", "tiled, layout -> Layout", &["retile(copy, L)"], "a thread's elements of another partition of the same tile, in the order of a tiled copy", By(|call| instructions::tidfrg(call, TiledCopy::retile)))
        .example(&[("retile(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,2)), (2,2,1):(1,2,0))", "((1,2),2,1):((0,1),2,0)")])
        .manual("(V,RestM,RestN,...), V in the copy's order", ["retile, retile_S, retile_D", "retile", ""], "those of the inverses and products"),
    of(Family::Instructions, "partition_A", "thread, layout -> Any", &["partition_A(ThrMMA, L)"], "the elements of A, of (M,K,...), that a thread of a tiled MMA has", By(|call| instructions::of_mma(call, ThreadMma::partition_a)))
        .example(&[("partition_A(get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5), (16,4))", "{17} o (1,2,1):(0,8,0)")])
        .manual("thrfrg_A sliced at the thread: (FrgV,RestM,RestK,...)", ["partition_A", "partition_A", ""], "those of thrfrg_A"),
    of(Family::Instructions, "partition_B", "thread, layout -> Any", &["partition_B(ThrMMA, L)"], "the elements of B, of (N,K,...), that a thread of a tiled MMA has", By(|call| instructions::of_mma(call, ThreadMma::partition_b)))
        .example(&[("partition_B(get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5), (8,4))", "{9} o (1,1,1):(0,0,0)")])
        .manual("thrfrg_B sliced at the thread: (FrgV,RestN,RestK,...)", ["partition_B", "partition_B", ""], "those of thrfrg_B"),
    of(Family::Instructions, "partition_C", "thread, layout -> Any", &["partition_C(ThrMMA, L)"], "the elements of C, of (M,N,...), that a thread of a tiled MMA has", By(|call| instructions::of_mma(call, ThreadMma::partition_c)))
        .example(&[("partition_C(get_slice(tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN)), 5), (8,8))", "{17} o (2,1,1):(8,0,0)")])
        .manual("thrfrg_C sliced at the thread: (FrgV,RestM,RestN,...)", ["partition_C", "partition_C", ""], "those of thrfrg_C"),
    of(Family::Instructions, "partition_S", "thread, layout -> Any", &["partition_S(ThrCopy, L)"], "the elements that a thread of a tiled copy reads", By(|call| instructions::of_copy(call, ThreadCopy::partition_s)))
        .example(&[("partition_S(get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9), (8,8))", "{9} o ((1,1),2,1):((0,0),4,0)")])
        .manual("tidfrg_S sliced at the thread: (FrgV,Rest...)", ["partition_S", "partition_S", ""], "those of tidfrg_S"),
    of(Family::Instructions, "partition_D", "thread, layout -> Any", &["partition_D(ThrCopy, L)"], "the elements that a thread of a tiled copy writes", By(|call| instructions::of_copy(call, ThreadCopy::partition_d)))
        .example(&[("partition_D(get_slice(tiled_copy(atom(UniversalCopy<uint32_t>, 32), (4,8):(8,1), (1,1)), 9), (8,8))", "{9} o ((1,1),2,1):((0,0),4,0)")])
        .manual("tidfrg_D sliced at the thread: (FrgV,Rest...)", ["partition_D", "partition_D", ""], "those of tidfrg_D"),
];

/// The function with this name or alias.
///
/// ```
/// use tilework_expr::find;
/// assert_eq!(find("recast_layout").map(|function| function.name()), Some("recast"));
/// assert!(find("transpose").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Function> {
    static SORTED: OnceLock<Vec<(&'static str, &'static Function)>> = OnceLock::new();
    let sorted = SORTED.get_or_init(|| {
        let mut sorted: Vec<_> = FUNCTIONS.iter().map(|function| (function.name(), function)).collect();
        for function in FUNCTIONS {
            sorted.extend(function.aliases().iter().map(|alias| (*alias, function)));
        }
        sorted.sort_by_key(|(name, _)| *name);
        sorted
    });
    let index = sorted.binary_search_by_key(&name, |(name, _)| *name).ok()?;
    Some(sorted[index].1)
}

/// The functions with all these words in their names, CuTe's names, or descriptions, in any case.
///
/// ```
/// let names: Vec<_> = tilework_expr::search("swizzle integer").iter().map(|function| function.name()).collect();
/// assert!(names.contains(&"to_swizzle") && !names.contains(&"size"));
/// ```
#[must_use]
pub fn search(words: &str) -> Vec<&'static Function> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let speaks = |function: &&Function| {
        let text = function.to_string().to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    FUNCTIONS.iter().filter(speaks).collect()
}

/// The function of an infix operator.
pub(crate) fn of_sign(sign: Sign) -> &'static Function {
    const fn row(sign: Sign) -> &'static Function {
        let mut index = 0;
        while !FUNCTIONS[index].has_sign(sign) {
            index += 1;
        }
        &FUNCTIONS[index]
    }
    static ROWS: [&Function; 3] = [row(Sign::Composition), row(Sign::Divide), row(Sign::Product)];
    ROWS[sign as usize]
}

/// The function that makes the compact layout of an order that C++ names: `LayoutLeft`.
pub(crate) fn of_order(word: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.is_order(word))
}

/// All names, for completion and corrections.
pub(crate) fn names<'a>() -> impl Iterator<Item = &'a str> {
    FUNCTIONS.iter().map(|function| function.name())
}
