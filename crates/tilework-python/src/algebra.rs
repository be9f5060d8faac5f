//! Every function of the table, and the methods of the same names.
//!
//! A row says how a function is called in Python. What it does is the row of the same name in [`tilework_expr::FUNCTIONS`]; a test compares the two lists.

use crate::layout::AnyLayout;
use crate::operation::{Argument, call, call_at, call_on, call_with, operation, operations, path_value, row};
use crate::tuple;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tilework_expr::Value;

operations! {
    /// The number of coordinates, of the whole or of the part at a path.
    ///
    /// >>> from tilework import size
    /// >>> size('(4,(8,2)):(1,(4,32))')
    /// 64
    /// >>> size((4, (8, 2)), 1)
    /// 16
    part size(layout);
    /// The number of modes.
    ///
    /// >>> from tilework import rank
    /// >>> rank((4, (8, 2)))
    /// 2
    part rank(layout);
    /// The levels of nesting.
    ///
    /// >>> from tilework import depth
    /// >>> depth((4, (8, 2)))
    /// 2
    part depth(layout);
    /// The extents.
    ///
    /// >>> from tilework import shape
    /// >>> shape('(4,(8,2)):(1,(4,32))', 1)
    /// (8, 2)
    part_function shape(layout);
    /// The strides.
    ///
    /// >>> from tilework import stride
    /// >>> stride('(4,8):(8,1)')
    /// (8, 1)
    part_function stride(layout);
    /// The greatest offset plus one.
    ///
    /// >>> from tilework import cosize
    /// >>> cosize('(4,8):(10,1)')
    /// 38
    part cosize(layout);
    /// The least offset.
    ///
    /// >>> from tilework import min
    /// >>> min('4:-1')
    /// -3
    method min(layout);
    /// The greatest offset.
    ///
    /// >>> from tilework import max
    /// >>> max('(4,8):(10,1)')
    /// 37
    method max(layout);
    /// The greatest offset less the least, plus one.
    ///
    /// >>> from tilework import span
    /// >>> span('4:-1')
    /// 4
    method span(layout);
    /// All offsets in the order of their coordinates, up to 4096; `offsets` gives any number as an array.
    ///
    /// >>> from tilework import image
    /// >>> image('(2,2):(8,1)')
    /// (0, 8, 1, 9)
    method image(layout);
    /// A layout from a shape and strides, from a shape alone, or of several layouts as its modes.
    ///
    /// >>> from tilework import layout
    /// >>> layout((4, 8), (8, 1))
    /// Layout('(4,8):(8,1)')
    /// >>> layout('4:2', '8:1')
    /// Layout('(4,8):(2,1)')
    layouts layout(first, more);
    /// The compact layout of a shape, the first leaf fastest.
    ///
    /// >>> from tilework import column_major
    /// >>> column_major((4, 8))
    /// Layout('(4,8):(1,4)')
    function column_major(shape);
    /// The compact layout of a shape, the last leaf fastest.
    ///
    /// >>> from tilework import row_major
    /// >>> row_major((4, 8))
    /// Layout('(4,8):(8,1)')
    function row_major(shape);
    /// The compact layout of a shape, leaves of smaller order fastest.
    ///
    /// >>> from tilework import ordered
    /// >>> ordered((4, 8, 2), (2, 0, 1))
    /// Layout('(4,8,2):(16,1,8)')
    function ordered(shape, order);
    /// The compact layout with the strides in the same order.
    ///
    /// >>> from tilework import compact_like
    /// >>> compact_like('(4,8):(100,1)')
    /// Layout('(4,8):(8,1)')
    method compact_like(layout);
    /// The layout that maps each coordinate to itself.
    ///
    /// >>> from tilework import identity
    /// >>> identity((4, 8))
    /// Layout('(4,8):(1@0,1@1)')
    /// >>> identity((4, 8))(9)
    /// (1, 2)
    function identity(shape);
    /// The offset of a coordinate, the same as `layout(coordinate)`.
    ///
    /// >>> from tilework import evaluate
    /// >>> evaluate('(4,8):(8,1)', (2, 5))
    /// 21
    method evaluate(layout, coordinate);
    /// The integral coordinate of a coordinate into a shape; with strides, or of a layout, the offset.
    ///
    /// >>> from tilework import crd2idx
    /// >>> crd2idx((2, 5), (4, 8))
    /// 22
    /// >>> crd2idx((2, 5), (4, 8), (8, 1))
    /// 21
    function crd2idx(coordinate, shape; stride);
    /// The natural coordinate of an integral one.
    ///
    /// >>> from tilework import idx2crd
    /// >>> idx2crd(22, (4, 8))
    /// (2, 5)
    function idx2crd(index, shape);
    /// The coordinate into `other` at the same place as `coordinate` into `shape`.
    ///
    /// >>> from tilework import crd2crd
    /// >>> crd2crd((2, 5), (4, 8), (8, 4))
    /// (6, 2)
    function crd2crd(coordinate, shape, other);
    /// Whether a coordinate lies in a shape.
    ///
    /// >>> from tilework import in_bounds
    /// >>> in_bounds((4, 5), (4, 8))
    /// False
    function in_bounds(coordinate, shape);
    /// What `None` leaves open, with the offset of what is fixed; the pattern may stand first.
    ///
    /// >>> from tilework import slice
    /// >>> slice('(4,8):(8,1)', (2, None))
    /// View('{16} o 8:1')
    method slice(layout, pattern);
    /// The modes that a coordinate fixes.
    ///
    /// >>> from tilework import dice
    /// >>> dice('(4,8):(8,1)', (2, None))
    /// Layout('4:8')
    method dice(layout, pattern);
    /// The shape with a number divided out from the left.
    ///
    /// >>> from tilework import shape_div
    /// >>> shape_div((4, 8), 8)
    /// (1, 4)
    function shape_div(shape, divisor);
    /// The quotient rounded up, leaf by leaf.
    ///
    /// >>> from tilework import ceil_div
    /// >>> ceil_div((5, 8), (2, 3))
    /// (3, 3)
    function ceil_div(value, divisor);
    /// The size of each mode.
    ///
    /// >>> from tilework import mode_sizes
    /// >>> mode_sizes((4, (8, 2)))
    /// (4, 16)
    part mode_sizes(layout);
    /// The coarsest shape that refines both.
    ///
    /// >>> from tilework import common_refinement
    /// >>> common_refinement((4, 6), ((2, 2), 6))
    /// ((2, 2), 6)
    function common_refinement(shape, other);
    /// The finest shape that coarsens both.
    ///
    /// >>> from tilework import common_coarsening
    /// >>> common_coarsening(((2, 2), 6), (4, 6))
    /// (4, 6)
    function common_coarsening(shape, other);
    /// The part at a path.
    ///
    /// >>> from tilework import get
    /// >>> get('(4,(8,2)):(1,(4,32))', 1, 0)
    /// Layout('8:4')
    indices get(layout, path);
    /// The leaves without nesting.
    ///
    /// >>> from tilework import flatten
    /// >>> flatten((4, (8, 2)))
    /// (4, 8, 2)
    method flatten(layout);
    /// The leaves in the nesting of another tuple.
    ///
    /// >>> from tilework import unflatten
    /// >>> unflatten('(4,8,2):(1,4,32)', (0, (0, 0)))
    /// Layout('(4,(8,2)):(1,(4,32))')
    method unflatten(layout, profile);
    /// Some neighbouring modes as one mode.
    ///
    /// >>> from tilework import group
    /// >>> group('(4,8,2):(1,4,32)', 0, 2)
    /// Layout('((4,8),2):((1,4),32)')
    method group(layout, begin, end);
    /// Some neighbouring modes alone.
    ///
    /// >>> from tilework import take
    /// >>> take('(4,8,2):(1,4,32)', 1, 3)
    /// Layout('(8,2):(4,32)')
    method take(layout, begin, end);
    /// The named modes in the order given.
    ///
    /// >>> from tilework import select
    /// >>> select('(4,8,2):(1,4,32)', 2, 0)
    /// Layout('(2,4):(32,1)')
    indices select(layout, modes);
    /// One more mode behind; or modes `1:0` or `mode` up to a rank.
    ///
    /// >>> from tilework import append
    /// >>> append('4:1', '8:4')
    /// Layout('(4,8):(1,4)')
    /// >>> append((4, 8), rank=3)
    /// (4, 8, 1)
    padded append(layout; mode; rank);
    /// One more mode before; or modes `1:0` or `mode` up to a rank.
    ///
    /// >>> from tilework import prepend
    /// >>> prepend('4:1', '8:4')
    /// Layout('(8,4):(4,1)')
    padded prepend(layout; mode; rank);
    /// One mode exchanged for another.
    ///
    /// >>> from tilework import replace
    /// >>> replace('(4,8):(1,4)', 0, '2:1')
    /// Layout('(2,8):(1,4)')
    method replace(layout, index, mode);
    /// The same function with the fewest modes; with a profile, mode by mode.
    ///
    /// >>> from tilework import coalesce
    /// >>> coalesce('(2,(1,6)):(1,(6,2))')
    /// Layout('12:1')
    /// >>> coalesce('((2,2),(2,2)):((1,2),(4,8))', (None, None))
    /// Layout('(4,4):(1,4)')
    method coalesce(layout; profile);
    /// The fewest modes of the same function on all integers.
    ///
    /// >>> from tilework import coalesce_extended
    /// >>> coalesce_extended('(4,1):(1,7)')
    /// Layout('(4,1):(1,7)')
    method coalesce_extended(layout);
    /// Coalesced, without the modes of stride 0.
    ///
    /// >>> from tilework import filter
    /// >>> filter('(4,8):(0,1)')
    /// Layout('8:1')
    method filter(layout);
    /// Extent 1 wherever the stride is 0.
    ///
    /// >>> from tilework import filter_zeros
    /// >>> filter_zeros('(4,8):(0,1)')
    /// Layout('(1,8):(0,1)')
    method filter_zeros(layout);
    /// The leaves by ascending stride.
    ///
    /// >>> from tilework import sort
    /// >>> sort('(4,8):(8,1)')
    /// Layout('(8,4):(1,8)')
    method sort(layout);
    /// The layout `c -> left(right(c))`, `left @ right`; with a tiler, mode by mode.
    ///
    /// >>> from tilework import composition
    /// >>> composition('(8,8):(8,1)', '((4,8),2):((16,1),8)')
    /// Layout('((4,8),2):((2,8),1)')
    /// >>> composition('(8,8):(8,1)', (2, 4))
    /// Layout('(2,4):(8,1)')
    method composition(left, right);
    /// The layout of the offsets that this one skips, up to a size where one is given.
    ///
    /// >>> from tilework import complement
    /// >>> complement('4:2', 24)
    /// Layout('(2,3):(1,8)')
    method complement(layout; within);
    /// The largest layout `R` with `layout(R(i)) == i`.
    ///
    /// >>> from tilework import right_inverse
    /// >>> right_inverse('(4,8):(8,1)')
    /// Layout('(8,4):(4,1)')
    method right_inverse(layout);
    /// A layout `R` with `layout(R(layout(i))) == layout(i)`.
    ///
    /// >>> from tilework import left_inverse
    /// >>> left_inverse('(3,4):(1,4)')
    /// Layout('(4,4):(1,3)')
    method left_inverse(layout);
    /// The inverse of a compact layout.
    ///
    /// >>> from tilework import inverse
    /// >>> inverse('(4,8):(8,1)')
    /// Layout('(8,4):(4,1)')
    method inverse(layout);
    /// The coordinates whose offset is 0.
    ///
    /// >>> from tilework import nullspace
    /// >>> nullspace('(4,8):(0,1)')
    /// Layout('4:1')
    method nullspace(layout);
    /// Each mode split into (tile, rest), `layout / tiler`.
    ///
    /// >>> from tilework import logical_divide
    /// >>> logical_divide('16:1', 4)
    /// Layout('(4,4):(1,4)')
    method logical_divide(layout, tiler);
    /// ((tiles), (rests)).
    ///
    /// >>> from tilework import zipped_divide
    /// >>> zipped_divide('(4,8):(8,1)', (2, 4))
    /// Layout('((2,4),(2,2)):((8,1),(16,4))')
    method zipped_divide(layout, tiler);
    /// ((tiles), rest, rest, ...).
    ///
    /// >>> from tilework import tiled_divide
    /// >>> tiled_divide('(4,8):(8,1)', (2, 4))
    /// Layout('((2,4),2,2):((8,1),16,4)')
    method tiled_divide(layout, tiler);
    /// (tile, tile, ..., rest, rest, ...).
    ///
    /// >>> from tilework import flat_divide
    /// >>> flat_divide('(4,8):(8,1)', (2, 4))
    /// Layout('(2,4,2,2):(8,1,16,4)')
    method flat_divide(layout, tiler);
    /// The layout repeated as the tiler says, `layout * tiler`.
    ///
    /// >>> from tilework import logical_product
    /// >>> logical_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method logical_product(layout, tiler);
    /// ((layout), (repetitions)).
    ///
    /// >>> from tilework import zipped_product
    /// >>> zipped_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method zipped_product(layout, tiler);
    /// ((layout), repetition, repetition, ...).
    ///
    /// >>> from tilework import tiled_product
    /// >>> tiled_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method tiled_product(layout, tiler);
    /// (mode, mode, ..., repetition, repetition, ...).
    ///
    /// >>> from tilework import flat_product
    /// >>> flat_product('4:1', 3)
    /// Layout('(4,3):(1,4)')
    method flat_product(layout, tiler);
    /// Copies of the layout side by side, mode by mode.
    ///
    /// >>> from tilework import blocked_product
    /// >>> blocked_product('(2,2):(1,2)', '(2,3):(1,2)')
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    method blocked_product(layout, grid);
    /// Copies of the layout interleaved, mode by mode.
    ///
    /// >>> from tilework import raked_product
    /// >>> raked_product('(2,2):(1,2)', '(2,3):(1,2)')
    /// Layout('((2,2),(3,2)):((4,1),(8,2))')
    method raked_product(layout, grid);
    /// The layout repeated until it fills a shape.
    ///
    /// >>> from tilework import tile_to_shape
    /// >>> tile_to_shape('(2,2):(1,2)', (4, 6))
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    method tile_to_shape(layout, shape; order);
    /// The layout counted in elements that are `factor` times larger.
    ///
    /// >>> from tilework import upcast
    /// >>> upcast('(8,4):(1,8)', 4)
    /// Layout('(2,4):(1,2)')
    method upcast(layout, count);
    /// The layout counted in elements that are `factor` times smaller.
    ///
    /// >>> from tilework import downcast
    /// >>> downcast('(2,4):(1,2)', 4)
    /// Layout('(8,4):(1,8)')
    method downcast(layout, count);
    /// The layout counted in elements of another number of bits.
    ///
    /// >>> from tilework import recast
    /// >>> recast('(8,4):(1,8)', 8, 32)
    /// Layout('(2,4):(1,2)')
    method recast(layout, old_bits, new_bits);
    /// The largest layout that two layouts agree on.
    ///
    /// >>> from tilework import common_layout
    /// >>> common_layout('(4,8):(1,4)', '(4,8):(1,100)')
    /// Layout('4:1')
    method common_layout(layout, other);
    /// How many elements two layouts keep together.
    ///
    /// >>> from tilework import common_vector
    /// >>> common_vector('(4,8):(1,4)', '(4,8):(1,100)')
    /// 4
    method common_vector(layout, other);
    /// The layout `c -> layout(c) + other(c)`.
    ///
    /// >>> from tilework import layout_add
    /// >>> layout_add('(4,8):(1,4)', '(4,8):(10,0)')
    /// Layout('(4,8):(11,4)')
    method layout_add(layout, other);
    /// The coarsest shape on which both have a stride for each mode.
    ///
    /// >>> from tilework import greatest_common_domain
    /// >>> greatest_common_domain('(4,8):(8,1)', '(4,8):(1,4)')
    /// (4, 8)
    method greatest_common_domain(layout, other);
    /// Whether the nestings of two tuples or layouts are the same.
    ///
    /// >>> from tilework import congruent
    /// >>> congruent((4, (8, 2)), (0, (0, 0)))
    /// True
    method congruent(first, second);
    /// Whether the nesting of the second refines that of the first.
    ///
    /// >>> from tilework import weakly_congruent
    /// >>> weakly_congruent((4, 16), (0, (0, 0)))
    /// True
    method weakly_congruent(first, second);
    /// Whether every coordinate into the first shape is one into the second.
    ///
    /// >>> from tilework import compatible
    /// >>> compatible((4, 16), (4, (8, 2)))
    /// True
    method compatible(first, second);
    /// Whether two layouts are the same function of integers.
    ///
    /// >>> from tilework import equivalent
    /// >>> equivalent('(2,4):(1,2)', '8:1')
    /// True
    method equivalent(first, second);
    /// Whether no two coordinates share an offset.
    ///
    /// >>> from tilework import is_injective
    /// >>> is_injective('(4,8):(0,1)')
    /// False
    method is_injective(layout);
    /// Whether every offset from 0 to the greatest is taken.
    ///
    /// >>> from tilework import is_surjective
    /// >>> is_surjective('(4,8):(8,1)')
    /// True
    method is_surjective(layout);
    /// Whether the indices and the offsets below cosize are one to one.
    ///
    /// >>> from tilework import is_bijective
    /// >>> is_bijective('(4,8):(8,1)')
    /// True
    method is_bijective(layout);
    /// Whether the offsets are those below the size, each once.
    ///
    /// >>> from tilework import is_compact
    /// >>> is_compact('(4,8):(8,1)')
    /// True
    method is_compact(layout);
    /// Whether offsets grow with the coordinate.
    ///
    /// >>> from tilework import is_increasing
    /// >>> is_increasing('(4,8):(8,1)')
    /// False
    method is_increasing(layout);
    /// Whether `left @ right` is a layout.
    ///
    /// >>> from tilework import is_composable
    /// >>> is_composable('(4,6,8):(2,3,5)', '6:3')
    /// False
    method is_composable(left, right);
    /// Whether the layout has a complement.
    ///
    /// >>> from tilework import is_complementable
    /// >>> is_complementable('(2,2):(2,3)')
    /// False
    method is_complementable(layout);
}
