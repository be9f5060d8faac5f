"""Layouts and their algebra, with the names, arguments and results of PyCuTe, computed by the core."""

from functools import cmp_to_key, reduce
from math import gcd, lcm

from .. import _core
from ..errors import Codomain, Kind, NoInverse, Rank, Size, TileworkError
from ._symbols import answer, chain, is_same, merged, unwrap_one
from .htuple import _incongruent, _pairs, _shape_of
from .stride import *
from .stride import __all__ as _below
from .stride import Symbolic, components, native_stride, stride_of
from .typedefs import plain

__all__ = [
    "Layout", "blocked_product", "coalesce", "coalesce_z", "complement", "composition", "coprofile", "coshape", "cosize",
    "greatest_common_domain", "is_layout", "layout_add", "left_inverse", "logical_divide", "logical_product",
    "make_layout", "make_layout_like", "make_ordered_layout", "nullspace", "raked_product", "recast", "right_inverse",
    "slice_", "slice_and_offset", "stride", "tiler_to_layout", "zipped_divide",
]  # fmt: skip


class Layout:
    """A shape with a stride for each extent; a stride coarser than the shape is scaled by the compact layouts of its modes.

    >>> Layout((4, 8), (8, 1)), Layout((4, 8)), Layout((4, 8), 2), Layout((4, 8), (E(0), E(1)))
    (Layout((4, 8), (8, 1)), Layout((4, 8), (1, 4)), Layout((4, 8), (2, 8)), Layout((4, 8), (1@0, 1@1)))
    >>> Layout((4, 8), (8, 1))(2, 5), Layout((4, 8), (8, 1))(22), Layout((4, 8))(E(1))
    (21, 21, 4)
    """

    __slots__ = ("shape", "stride", "_integral", "_known", "__weakref__")
    __hash__ = None

    def __init__(self, shape, stride=1):
        self._set(shape, stride)

    def _set(self, shape, stride):
        self.shape, stride = plain(shape), plain(stride)
        for extent in leaves(self.shape):
            if not is_int(extent) or type(extent) is int and extent < 1:
                raise Kind.of("extent", f"an extent is an integer of 1 or more, and not {extent!r}")
        self.stride = prefix_product(self.shape, stride)
        for step in leaves(self.stride):
            if not is_stride_scalar(step):
                raise Kind.of("kind", f"{step!r} is not a stride")
        self._integral, self._known = False, None
        # A layout that the core cannot hold, such as one with a size past 64 bits, is refused here.
        try:
            self._native()
        except Symbolic:
            pass
        return self

    def _native(self):
        """The layout of the core; `None` if a stride is the sum of several basis elements."""
        if self._known is None:
            for extent in leaves(self.shape):
                if type(extent) is not int:
                    raise Symbolic(extent)
            steps = transform_leaf(native_stride, self.stride)
            mixed = any(step is None for step in leaves(steps)) or _is_mixed(steps)
            self._known = (None if mixed else _core.Layout(self.shape, steps),)
            self._integral = all(type(step) is int for step in leaves(steps))
        return self._known[0]

    def get(self, mode):
        """The mode at a path."""
        return Layout(get(self.shape, mode=mode), get(self.stride, mode=mode))

    def __getitem__(self, mode):
        return self.get(plain(wrap(mode)))

    def __iter__(self):
        return (self[i] for i in range(rank(self)))

    def __call__(self, *crd):
        whole = plain(crd[0] if len(crd) == 1 else crd)
        if type(whole) is int and self._integral:
            return self._known[0](whole)
        if self._integral:
            # Among integers an F2 counts as an index: adding its parts may carry.
            whole = transform_leaf(lambda c: int(c) if isinstance(c, F2) else c, whole)
        return crd2idx(whole, self.shape, self.stride)

    def size(self):
        """The number of coordinates."""
        return size(self.shape)

    def cosize(self):
        """The greatest offset plus one."""
        return cosize(self)

    def __eq__(self, other):
        if not isinstance(other, Layout):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __str__(self):
        return f"{self.shape}:{self.stride}"

    def __repr__(self):
        return f"Layout({self.shape}, {self.stride})"

    def __reduce__(self):
        return Layout, (self.shape, self.stride)

    def _offset_and_slice(self, crd):
        """The offset of the modes that a coordinate fixes, and the layout of the open modes."""
        crd = plain(crd)
        rest = Layout(unwrap_one(_open(crd, self.shape)), unwrap_one(_open(crd, self.stride)))
        return crd2idx(crd, self.shape, self.stride), rest

    def _coshape(self):
        steps = zip_leaves(self.shape, self.stride)
        return _bound([0, *((extent - 1) * step for extent, step in steps)])

    def _coprofile(self):
        return repeat_like(0, self._coshape())

    def _coalesce(self):
        return self._fewest_modes(_core.coalesce, False)

    def _coalesce_z(self):
        return self._fewest_modes(_core.coalesce_extended, True)

    def _fewest_modes(self, operation, extended):
        if self._is_one():
            # Past its end a layout continues with its last stride.
            return Layout(1, flatten(self.stride)[-1]) if extended else self._one()
        try:
            native = self._native()
        except Symbolic:
            native = None
        return _of_core(operation(native)) if native is not None else merged(self, extended)

    def _is_one(self):
        return all(is_static(extent) and extent == 1 for extent in leaves(self.shape))

    def _one(self):
        """A layout of one element with the first of its strides."""
        return Layout(1, next(leaves(self.stride), 0))

    def _composition(self, other):
        return _composition(self, other)

    def _right_inverse(self):
        try:
            return _of_core(_core.right_inverse(_native(self, "right_inverse")))
        except Symbolic:
            return chain(self)

    def _left_inverse(self):
        native = _native(self, "left_inverse")
        # Without modes of stride 0, a repeated offset belongs to several indices.
        if not _core.is_injective(_core.filter(native)):
            raise NoInverse.of("no-inverse", f"{self} is non-injective, and has no left inverse")
        return _of_core(_core.left_inverse(native))

    def _nullspace(self):
        return _of_core(_core.nullspace(_native(self, "nullspace")))

    def _complement(self, extend=None):
        native = _native(self, "complement")
        whole = _of_core(_core.complement(native))
        if extend is None:
            return whole
        if is_int(extend) and not is_static(extend):
            # The last mode may be repeated as often as required.
            *extents, _ = flatten(whole.shape)
            *_, last = flatten(whole.stride)
            extents.append((extend + last - 1) // last)
            return Layout(unwrap_one(tuple(extents)), unwrap_one(flatten(whole.stride)))
        result = _of_core(_core.complement(native, extend))
        if result._is_one() and not is_tuple(result.shape):
            return Layout(1, flatten(whole.stride)[-1])
        if not congruent(result.shape, whole.shape):
            return result
        # A mode of extent 1 keeps the step past its end.
        steps = transform_leaf(lambda s, own, step: step if s == 1 else own, result.shape, result.stride, whole.stride)
        return Layout(result.shape, steps)

    def _logical_divide(self, other):
        parts = make_layout((other, complement(other, _to_cover(self, other))))
        try:
            native = _core.logical_divide(_native(self, "logical_divide"), _native(other, "logical_divide"))
        except (Symbolic, Codomain):
            return composition(self, parts)
        return _with_steps_of_one(self, parts, _of_core(native))

    def _logical_product(self, other):
        return answer(_logical_product, "logical_product", self, _layout_of(other))


def _is_mixed(steps):
    """Whether the strides are of several codomains."""
    kinds = {"xor" if step.is_xor else "basis" for step in leaves(steps) if isinstance(step, _core.Stride)}
    return len(kinds) + any(isinstance(s, int) and s for s in leaves(steps)) > 1


def _open(crd, t):
    """The modes of a tuple at `None`."""
    if crd is None:
        return (t,)
    if is_tuple(crd):
        return tuple(part for parts in _pairs("a coordinate and a shape", crd, (t,)) for part in _open(*parts))
    return ()


def _bound(contributions):
    """The extent that holds all offsets, from the largest offset of each mode."""
    above = [part for part in contributions if part != 0]
    for part in above:
        if hasattr(part, "_coshape_bound"):
            return part._coshape_bound(contributions)
    return 1 + sum(part for part in above if not is_static(part) or part > 0)


def _of_core(native):
    return Layout(native.shape, stride_of(native.stride))


def _native(layout, what):
    native = layout._native()
    if native is None:
        raise Codomain.of("codomain", f"{what} of {layout}: its strides are sums of several basis elements")
    return native


def is_layout(x) -> bool:
    """Whether this is a layout.

    >>> is_layout(Layout(4)), is_layout((4, 8))
    (True, False)
    """
    return isinstance(x, Layout) or hasattr(x, "_composition") and not hasattr(x, "accessor")


def _layout_of(x):
    """The layout of a number, or for a tuple the layout equivalent to the tiler."""
    if is_layout(x):
        return x
    if isinstance(x, _core.Layout):
        return _of_core(x)
    x = plain(x)
    if is_int(x):
        return Layout(x)
    if is_tuple(x):
        return tiler_to_layout(x)
    raise Kind.of("kind", f"expected a layout, found an object of type {type(x).__name__}")


def _on_layout(operation):
    """The operation, also on a tensor, which keeps its accessor."""

    def applied(A, *rest, **named):
        if hasattr(A, "accessor") and hasattr(A, "layout"):
            return type(A)(A.accessor, operation(A.layout, *rest, **named))
        return operation(A, *rest, **named)

    applied.__doc__, applied.__name__, applied.__module__ = operation.__doc__, operation.__name__, operation.__module__
    applied.__wrapped__ = operation
    applied.__qualname__ = operation.__name__
    return applied


@ModeOpDecorator
def stride(x, *, mode=()):
    """The strides of a layout or a tensor; a tuple passes through.

    >>> stride(Layout((4, 8), (8, 1))), stride[0](Layout((4, 8), (8, 1))), stride((4, 8))
    ((8, 1), 8, (4, 8))
    """
    return get(getattr(x, "stride", x), mode=mode)


@ModeOpDecorator
def coshape(x, *, mode=()):
    """The shape that holds all offsets: for integers the cosize, for coordinates an extent for each component.

    >>> coshape(Layout((4, 8), (10, 1))), coshape(Layout((4, 8), (E(1), 2 * E(0)))), coshape(Layout(4, F2(3)))
    (38, (15, 4), 8)
    """
    return get(_layout_of(getattr(x, "layout", x)), mode=mode)._coshape()


@ModeOpDecorator
def coprofile(x, *, mode=()):
    """The nesting of the offsets, with 0 at each leaf.

    >>> coprofile(Layout(4)), coprofile(Layout((4, 8), (E(0), E(1))))
    (0, (0, 0))
    """
    return get(_layout_of(getattr(x, "layout", x)), mode=mode)._coprofile()


@ModeOpDecorator
def cosize(x, *, mode=()):
    """The product of the coshape: for integers the greatest offset plus one.

    >>> cosize(Layout((4, 8), (10, 1)))
    38
    """
    return product(coshape(x, mode=mode))


def make_layout(layouts):
    """The layout with these layouts as its modes.

    >>> make_layout((Layout(4, 2), Layout(8))), make_layout([Layout(4, 2)])
    (Layout((4, 8), (2, 1)), Layout((4,), (2,)))
    """
    layouts = tuple(map(_layout_of, layouts))
    return Layout(tuple(mode.shape for mode in layouts), tuple(mode.stride for mode in layouts))


def tiler_to_layout(tiler, e=1):
    """The layout of coordinates that acts in a composition like a tiler (paper, section 3.3.5), its strides times `e`.

    >>> tiler_to_layout((4, Layout(8, 2))), tiler_to_layout(4), tiler_to_layout(Layout(4, 2), E(1))
    (Layout((4, 8), (1@0, 2@1)), Layout(4, 1), Layout(4, 2@1))
    """
    tiler = plain(tiler)
    if is_tuple(tiler):
        value, path = basis_repr(e)[0]
        return make_layout(tiler_to_layout(tile, ScaledBasis(value, (*path, i))) for i, tile in enumerate(tiler))
    layout = _layout_of(tiler)
    value, path = basis_repr(e)[0]
    return Layout(layout.shape, transform_leaf(lambda step: ScaledBasis(step * value, path), layout.stride))


def make_ordered_layout(shape, order):
    """The compact layout of a shape in which leaves of smaller order are faster.

    >>> make_ordered_layout((4, 8, 2), (2, 0, 1)), make_ordered_layout((1, 4), (0, 1))
    (Layout((4, 8, 2), (16, 1, 8)), Layout((1, 4), (1, 1)))
    """
    shape, order = _shape_of(shape), plain(order)
    if repeat_like(0, shape) != repeat_like(0, order):
        raise _incongruent("an order for each extent", shape, order)
    extents, order = flatten(shape), flatten(order)
    ranked = sorted(range(len(extents)), key=cmp_to_key(lambda i, j: _compared(order[i], order[j])))
    steps, count = [0] * len(extents), 1
    for i in ranked:
        steps[i], count = count, count * extents[i]
    return Layout(shape, unflatten(iter(steps), shape))


def _compared(x, y):
    return 0 if x == y else -1 if x < y else 1


def make_layout_like(layout):
    """The compact layout with the strides in the same order.

    >>> make_layout_like(Layout((4, 8), (100, 1))), make_layout_like(Layout((4, 8), (E(1), E(0))))
    (Layout((4, 8), (8, 1)), Layout((4, 8), (8, 1)))
    """
    layout = _layout_of(layout)
    return make_ordered_layout(layout.shape, layout.stride)


def slice_and_offset(crd, layout):
    """The sublayout of the modes at `None`, and the offset of the others.

    >>> slice_and_offset((2, None), Layout((4, 8), (8, 1)))
    (Layout(8, 1), 16)
    """
    return layout._offset_and_slice(crd)[::-1]


def slice_(crd, trg):
    """The parts of a tuple, or of a layout, at `None`.

    >>> slice_((2, None), (4, 8)), slice_((2, None), Layout((4, 8), (8, 1)))
    ((8,), Layout(8, 1))
    """
    return trg._offset_and_slice(crd)[1] if hasattr(trg, "_offset_and_slice") else _open(plain(crd), plain(trg))


@ModeOpDecorator
@_on_layout
def coalesce(A, profile=1, *, mode=()):
    """The same function of integers with the fewest modes; by a tuple mode by mode, and `None` keeps a mode unchanged.

    >>> coalesce(Layout((2, (1, 6)), (1, (6, 2)))), coalesce(Layout(((2, 2), (2, 2))), (None, 1))
    (Layout(12, 1), Layout(((2, 2), 4), ((1, 2), 4)))
    >>> coalesce[1](Layout(((2, 2), (2, 2))))
    Layout(((2, 2), 4), ((1, 2), 4))
    """
    return _by_profile(lambda layout: layout._coalesce(), A, lift(plain(profile), pad=None, mode=mode))


@ModeOpDecorator
@_on_layout
def coalesce_z(A, profile=1, *, mode=()):
    """The fewest modes of the same function of all integers, also those past the end: a trailing extent 1 counts.

    >>> coalesce_z(Layout((4, 1), (1, 7))), coalesce(Layout((4, 1), (1, 7)))
    (Layout((4, 1), (1, 7)), Layout(4, 1))
    """
    return _by_profile(lambda layout: layout._coalesce_z(), A, lift(plain(profile), pad=None, mode=mode))


def _by_profile(operation, A, profile):
    if A is None or profile is None:
        return A
    A = _layout_of(A)
    if not is_tuple(profile):
        return operation(A)
    return _by_mode(lambda layout, part: _by_profile(operation, layout, part), A, profile)


def _by_mode(operation, A, tiler):
    """The operation on the leading modes; the others are unchanged."""
    if rank(A.shape) < len(tiler):
        raise Rank.of("rank", f"{A} has {rank(A.shape)} modes, and the tiler {tiler} has {len(tiler)}")
    leading = [operation(get(A, mode=i), part) for i, part in enumerate(tiler)]
    return make_layout(leading + [get(A, mode=i) for i in range(len(tiler), rank(A.shape))])


@ModeOpDecorator
@_on_layout
def composition(A, B, *, mode=()):
    """The layout `c -> A(B(c))`; a tuple applies to the leading modes, `None` keeps a mode unchanged.

    >>> composition(Layout((8, 8), (8, 1)), Layout(((4, 8), 2), ((16, 1), 8)))
    Layout(((4, 8), 2), ((2, 8), 1))
    >>> composition[1](Layout((8, 8), (8, 1)), 4), composition(Layout((4, 4), (3, 42)), Layout(4, ArithTuple(1, 1)))
    (Layout((8, 4), (8, 1)), Layout(4, 45))
    """
    B = lift(plain(B), pad=None, mode=mode)
    if A is None:
        return B
    if B is None:
        return A
    A = _layout_of(A)
    return _by_mode(lambda a, b: composition(a, b), A, B) if is_tuple(B) else A._composition(_layout_of(B))


def _composition(A, B):
    try:
        a, b = A._native(), B._native()
    except Symbolic:
        return answer(_composition_by_modes, "composition", A, B)
    if a is None:
        return _composition_by_modes(A, B)
    if b is not None:
        return _with_steps_of_one(A, B, _as_f2(A, _of_core(_core.composition(a, b))))
    # The sum of the ways through each mode of A.
    paths = components(B.shape, B.stride)
    ways = [_composition(get(A, mode=path), Layout(B.shape, steps)) for path, steps in paths.items()]
    for way in ways:
        if _has_f2(A) and not _has_f2(way) and any(step != 0 for step in leaves(way.stride)):
            raise Codomain.of("codomain", f"composition of {A} and {B}: {way} has no XOR strides, and is to be added by XOR")
    return reduce(layout_add, ways)


def _has_f2(layout):
    return any(isinstance(step, F2) for step in leaves(layout.stride))


def _as_f2(A, result):
    """A result for a layout of XOR strides with XOR strides, if possible: the core returns integers if these suffice."""
    if not _has_f2(A) or _has_f2(result):
        return result
    try:
        return _of_core(_core.to_xor(result._native()))
    except TileworkError:
        return result


def _composition_by_modes(A, B):
    """The composition for any strides of `A`: first the coordinates of `A` in order, then their strides.

    This needs no decision about the strides or about the last extent, which a layout continues past.
    """
    if not is_tuple(coshape(B)):
        A = coalesce_z(A)
    if not is_tuple(A.shape):
        return Layout(B.shape, transform_leaf(lambda step: step * A.stride, B.stride))
    extents = A.shape[:-1] + (A.shape[-1] if is_static(A.shape[-1]) else 1,)
    for extent in leaves((extents, B.shape)):
        if not is_static(extent):
            raise Symbolic(extent)
    through = _composition(Layout(extents, make_basis_like(extents)), B)
    return Layout(through.shape, transform_leaf(lambda step: inner_product(idx2crd(step, extents), A.stride), through.stride))


def _with_steps_of_one(A, B, result):
    """The composition with the step `A(d)`, instead of the core's 0, for a mode of extent 1 and stride `d` of `B`."""

    def at(extent, step, part, own):
        if is_tuple(extent):
            if not is_tuple(part) or len(part) != len(extent):
                return own
            return tuple(at(*parts) for parts in zip(extent, step, part, own))
        if extent != 1 or part != 1:
            return own
        return A(step) if _has_f2(result) or not _has_f2(A) else int(A(step))

    try:
        return Layout(result.shape, at(B.shape, B.stride, result.shape, result.stride))
    except (TileworkError, TypeError):
        return result


@_on_layout
def complement(A, extend=None):
    """The layout of the offsets that `A` leaves out, in ascending order; with `extend`, enough elements to cover it together with `A`.

    >>> complement(Layout(4, 2), 24), complement(Layout((4, 8), (1, 8))), complement((4, 8)), complement(Layout((8, 8)), 64)
    (Layout((2, 3), (1, 8)), Layout((2, 1), (4, 64)), Layout((1, 1), (4@0, 8@1)), Layout(1, 64))
    """
    return None if A is None else answer(lambda a, e=None: a._complement(e), "complement", _layout_of(A), plain(extend))


@_on_layout
def right_inverse(A):
    """The largest layout `R` with `A(R(i)) == i`.

    >>> right_inverse(Layout((4, 8), (8, 1)))
    Layout((8, 4), (4, 1))
    """
    return None if A is None else _layout_of(A)._right_inverse()


@_on_layout
def left_inverse(A):
    """A layout `R` with `A(R(A(i))) == A(i)`, which is `R(A(i)) == i` where no mode has the stride 0.

    >>> left_inverse(Layout((4, 2), (1, 16))), left_inverse(Layout(8, 2))
    (Layout((16, 2), (1, 4)), Layout((2, 8), (0, 1)))
    """
    return None if A is None else answer(lambda a: a._left_inverse(), "left_inverse", _layout_of(A))


@_on_layout
def nullspace(A):
    """The layout of the indices whose offset is 0.

    >>> nullspace(Layout((4, 8), (0, 1)))
    Layout(4, 1)
    """
    return None if A is None else _layout_of(A)._nullspace()


def _to_cover(A, B):
    """The part of a layout that a tile and its rest must cover: its size, or for a tile of coordinates its extents."""
    return _extents(A.shape, coshape(B))


def _extents(shape, profile):
    """The extents of a shape as nested as the profile, which may have fewer members."""
    if not is_tuple(profile) or not is_tuple(shape):
        return product(shape)
    rest = profile + (0,) * (len(shape) - len(profile))
    return tuple(map(_extents, shape, rest))


@ModeOpDecorator
@_on_layout
def logical_divide(A, B, *, mode=()):
    """`A` split into (tile, rest); a tuple splits the leading modes, `None` keeps a mode unchanged.

    >>> logical_divide(Layout(24, 3), Layout(8, 3)), logical_divide[0](Layout((8, 5)), 2), logical_divide((6, 4), Layout(2, 1))
    (Layout((8, 3), (9, 3)), Layout(((2, 4), 5), ((1, 2), 8)), Layout((2, (3, 4)), (1@0, (2@0, 1@1))))
    """
    B = lift(plain(B), pad=None, mode=mode)
    if B is None:
        return A
    if A is None:
        return _divide_all(B, 1)
    A = _layout_of(A)
    return _by_mode(lambda a, b: logical_divide(a, b), A, B) if is_tuple(B) else A._logical_divide(_layout_of(B))


def _divide_all(tiler, e):
    """The divide of the layout of all coordinates, which maps each to itself, in the mode of a basis element."""
    if is_tuple(tiler):
        value, path = basis_repr(e)[0]
        return make_layout(_divide_all(tile, ScaledBasis(value, (*path, i))) for i, tile in enumerate(tiler))
    tile = _layout_of(tiler)
    return make_layout((tiler_to_layout(tile, e), tiler_to_layout(complement(tile), e)))


@ModeOpDecorator
@_on_layout
def zipped_divide(A, B, *, mode=()):
    """The divide as `((tiles), (rests))`.

    >>> zipped_divide(Layout((8, 16), (20, 1)), (4, Layout(8, 2))), zipped_divide(None, (3, 5))
    (Layout(((4, 8), (2, 2)), ((20, 2), (80, 1))), Layout(((3, 5), (1, 1)), ((1@0, 1@1), (3@0, 5@1))))
    """
    if mode:
        return _at_mode(zipped_divide, A, B, mode)
    B = plain(B)
    if B is None:
        return make_layout((Layout(1, 0), _layout_of(A)))
    return _zipped(logical_divide(A, B), B) if is_tuple(B) else logical_divide(A, B)


def _at_mode(operation, A, B, mode):
    """The layout with the operation applied to one mode."""
    A = _layout_of(A)
    first, *rest = mode
    changed = _at_mode(operation, get(A, mode=first), B, rest) if rest else operation(get(A, mode=first), B)
    return make_layout(changed if i == first else get(A, mode=i) for i in range(rank(A.shape)))


def _zipped(divided, tiler):
    """The tiles of all modes, and the rests of all modes with the modes that were not divided."""
    if not is_tuple(tiler):
        return divided if tiler is not None else make_layout((Layout(1, 0), divided))
    parts = [_zipped(get(divided, mode=i), tile) for i, tile in enumerate(tiler)]
    others = [get(divided, mode=i) for i in range(len(tiler), rank(divided.shape))]
    return make_layout((make_layout(part[0] for part in parts), make_layout([part[1] for part in parts] + others)))


@ModeOpDecorator
@_on_layout
def logical_product(A, B, *, mode=()):
    """`A` repeated as `B` says, (block, grid); a tuple repeats the leading modes, `None` leaves one as it is.

    >>> logical_product(Layout((3, 4), (4, 1)), Layout((2, 5))), logical_product[0](Layout((3, 4), (4, 1)), None)
    (Layout(((3, 4), (2, 5)), ((4, 1), (12, 24))), Layout((3, 4), (4, 1)))
    """
    B = lift(plain(B), pad=None, mode=mode)
    if A is None:
        raise TypeError("logical_product repeats a layout; found None")
    if B is None:
        return A
    A = _layout_of(A)
    return _by_mode(lambda a, b: logical_product(a, b), A, B) if is_tuple(B) else A._logical_product(_layout_of(B))


def _logical_product(A, B):
    a, b = _native(A, "logical_product"), _native(B, "logical_product")
    try:
        grid = _of_core(_core.logical_product(a, b))[1]
    except Codomain:
        grid = composition(complement(A), B)
    return make_layout((A, _with_steps_of_one(complement(A), B, grid)))


def _products(operation, name, A, B):
    A, B = _layout_of(A), _layout_of(B)
    if rank(A.shape) != rank(B.shape):
        raise Rank.of("rank", f"{name} goes mode by mode, and the ranks are {rank(A.shape)} and {rank(B.shape)}")
    blocks, grid = logical_product(A, B)
    if not is_tuple(A.shape):
        return make_layout(operation(blocks, grid))
    return make_layout(make_layout(operation(blocks[i], grid[i])) for i in range(rank(A.shape)))


def blocked_product(A, B):
    """The block `A` at each element of the grid `B`, mode by mode: blocks stay together.

    >>> blocked_product(Layout((3, 4), (4, 1)), Layout((2, 5)))
    Layout(((3, 2), (4, 5)), ((4, 12), (1, 24)))
    """
    return _products(lambda block, grid: (block, grid), "blocked_product", A, B)


def raked_product(A, B):
    """The block `A` over the grid `B`, mode by mode: the elements of a block are spread over the grid.

    >>> raked_product(Layout((3, 4), (4, 1)), Layout((2, 5)))
    Layout(((2, 3), (5, 4)), ((12, 4), (24, 1)))
    """
    return _products(lambda block, grid: (grid, block), "raked_product", A, B)


def layout_add(A, B):
    """The layout `c -> A(c) + B(c)`, coalesced.

    >>> layout_add(Layout((4, 3), (1, 4)), Layout(12, 1)), layout_add(Layout(4, E(0)), Layout(4, E(1)))
    (Layout(12, 2), Layout(4, (1, 1)))
    """
    if A is None or B is None:
        return B if A is None else A
    if not is_layout(A) or not is_layout(B):
        raise TypeError(f"layout_add takes two layouts, and not {type(A).__name__} and {type(B).__name__}")
    a, b = A._native(), B._native()
    of_a, of_b = components(A.shape, A.stride), components(B.shape, B.stride)
    if a is not None and b is not None and of_a.keys() == of_b.keys():
        return coalesce(_of_core(_core.layout_add(a, b)))
    if size(A) != size(B):
        raise Size.of("size", f"layout_add of {size(A)} and {size(B)} elements")
    extents = _common_extents(A, B)
    steps = (A(at) + B(at) if extent != 1 else 0 for extent, at in zip(extents, prefix_product(extents)))
    return merged(Layout(extents, tuple(steps)))


def _common_extents(A, B):
    """The extents of a flat shape on which both layouts have one stride per mode."""
    ends = sorted({end for layout in (A, B) for end in _ends(coalesce(layout))})
    if any(after % before for before, after in zip(ends, ends[1:])):
        raise Size.of("size", f"no shape has a mode for each step of {A} and of {B}")
    return tuple(after // before for before, after in zip(ends, ends[1:])) or (1,)


def _ends(layout):
    """The indices at which the modes of a layout begin, and its size."""
    return (*prefix_product(flatten(layout.shape)), size(layout))


def greatest_common_domain(a, b):
    """The factors that two shapes share, as extents with the index at which each begins.

    >>> greatest_common_domain(((5, 3, 4), (10, 6)), ((5, 3, 4), (10, 6))) == Layout((5, 3, 4, 10, 6))
    True
    >>> greatest_common_domain((5, 3, 4), (10, 6)), greatest_common_domain(4, 9)
    (Layout((5, 2), (1, 30)), Layout((1,), (0,)))
    """
    shared = []
    for s, d in zip_leaves(*_compact(a)):
        for t, e in zip_leaves(*_compact(b)):
            begin, end = lcm(d, e), gcd(s * d, t * e)
            if end % begin == 0 and end > begin:
                shared.append((end // begin, begin))
    return Layout(*zip(*shared)) if shared else Layout((1,), (0,))


def _compact(x):
    """The extents of a shape and the index at which each begins."""
    extents = flatten(_shape_of(x))
    return extents, prefix_product(extents)


@_on_layout
def recast(layout, scale):
    """The layout in units of `scale` old elements; a fraction splits them, and a tuple has a scale for
    each component of coordinates.

    >>> from fractions import Fraction
    >>> recast(Layout((8, 4)), 4), recast(Layout((2, 4)), Fraction(1, 4)), recast(Layout((8, 4), (E(0), E(1))), (2, 1))
    (Layout((2, 4), (1, 2)), Layout((8, 4), (1, 8)), Layout((4, 4), (1@0, 1@1)))
    """
    layout = _layout_of(layout)
    if is_tuple(scale):
        parts = [(mode, basis_repr(step)[0][1]) for mode, step in zip_leaves(layout.shape, layout.stride)]
        done = iter([_recast_component(*part, step, scale) for part, step in zip(parts, leaves(layout.stride))])
        modes = transform_leaf(lambda _: next(done), layout.shape)
        return Layout(transform_leaf(lambda m: m.shape, modes), transform_leaf(lambda m: m.stride, modes))
    scale = plain(scale)
    numerator, denominator = getattr(scale, "numerator", scale), getattr(scale, "denominator", 1)
    wide = _of_core(_core.recast(_native(layout, "recast"), int(denominator), int(numerator)))
    if denominator != 1 or not layout._integral or not congruent(wide.shape, layout.shape):
        return wide

    def step(extent, own, old):
        return -(-old // numerator) if extent == 1 and own == 0 else own

    return Layout(wide.shape, transform_leaf(step, wide.shape, wide.stride, layout.stride))


def _recast_component(extent, path, step, scale):
    """One mode of coordinates counted in the elements of its component."""
    for index in path:
        scale = scale[index] if is_tuple(scale) else scale
    done = recast(Layout(extent, basis_repr(step)[0][0]), scale)
    return Layout(done.shape, transform_leaf(lambda value: ScaledBasis(value, path), done.stride))


__all__ += _below
