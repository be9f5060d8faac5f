"""PyCuTe's names one by one: what each takes, and what has to hold of its results."""

import ctypes
from array import array
from fractions import Fraction

import pytest

from tilework.pycute_nvlabs import *

numpy = pytest.importorskip("numpy")

e0, e1 = E(0), E(1)
L = Layout


def refused(function, *arguments, error=ValueError, **named):
    with pytest.raises(error):
        function(*arguments, **named)
    return True


# Hierarchical tuples.


def test_lists_are_tuples_and_layouts_are_leaves():
    assert is_tuple([1, 2]) and wrap([1, 2]) == (1, 2) and shape([1, [2, 3]]) == (1, (2, 3)) and unwrap([[3]]) == 3
    assert L([4, 8]).shape == (4, 8)
    assert flatten(L((4, 8))) == (L((4, 8)),) and list(leaves(L(4))) == [L(4)]
    assert not congruent(L((4, 8)), (1, 1)) and weakly_congruent(L((8, 2)), 0)


def test_mode_operations():
    t = (4, ((8, 2), 3))
    for by_mode in (get[1, 0], get[1][0], get[[1, 0]]):
        assert by_mode(t) == (8, 2)
    assert get(t, mode=(1, 0, 1)) == get[1](t, mode=(0, 1)) == get[1, 0](t, mode=1) == 2
    assert (size[1](t), rank[1](t), depth[1](t)) == (48, 2, 2) and (size(t), rank(t), depth(t)) == (192, 2, 3)
    assert (size.mode, size[1][0].mode, size[1].func) == ((), (1, 0), size.func)
    assert refused(size, t, 1, error=TypeError) and refused(get, t, 1, error=TypeError)
    for function in (shape, size, rank, depth, stride, coshape, coprofile, get, lift, select, take, coalesce, coalesce_z,
                     composition, logical_product, logical_divide, zipped_divide):
        assert isinstance(function, ModeOpDecorator)
    for function in (right_inverse, left_inverse, complement, nullspace, blocked_product, raked_product, layout_add,
                     greatest_common_domain, recast):
        assert refused(lambda: function[0], error=TypeError)

    class Two:
        def get(self, mode):
            return ("mode", mode)

    assert get[1, 0](Two()) == ("mode", (1, 0))


def test_lift():
    assert lift[0, 2](42) == ((0, 0, 42),) and lift[1](42, pad=None) == (None, 42) and lift(42) == 42
    assert lift(42, mode=1) == (0, 42) and lift[1](42, mode=(0,)) == (0, (42,))


def test_modes_of_a_layout_are_a_tuple():
    layout = L((2, 3, 5))
    assert select[2](layout) == (L(5, 6),) and take[1, 3](layout) == (L(3, 2), L(5, 6))
    assert make_layout(select[1, 0](layout)) == L((3, 2), (2, 1))
    assert refused(take[3, 1], (1, 2, 3)) and refused(take[0, 4], (1, 2, 3))


def test_leaves():
    assert iter(leaves((1, (2,)))) is not None and next(leaves((1, 2))) == 1
    assert list(zip_leaves((1, (2, 3)), (4, (5, (6, 7))))) == [(1, 4), (2, 5), (3, (6, 7))]
    assert transform_leaf(lambda x, y: (x, y), (1, 2), ((3, 4), 5)) == ((1, (3, 4)), (2, 5))
    assert refused(transform_leaf, max, (1, 2), (3,)) and refused(transform_leaf, max, ((1, 2), 3), (3, 4))
    assert transform_apply_leaf(sum, abs, (1, (-2, 3))) == 6 and transform_apply_leaf(list, abs, (1, (-2,))) == [1, [2]]
    assert fold_leaf(lambda v, x, y: v + x * y, 10, (1, (2, 3)), (4, (5, 6))) == 42
    assert flatten((1, (2, (3,))), list) == [1, 2, 3] and flatten(7) == (7,)
    source = iter(range(10))
    assert unflatten(source, (0, (0, 0))) == (0, (1, 2)) and next(source) == 3
    assert unflatten(iter([1, 2]), (0, (0,)), list) == [1, [2]]
    assert repeat_like(0, ((1, (2, 3)), 4)) == ((0, (0, 0)), 0)
    assert product_each((4, (8, 2))) == (4, 16) and product(()) == 1


def test_congruence_of_coordinates():
    assert congruent(e0, (8, 8)) and congruent(E(1, 1), (8, (2, 4))) and not congruent(E(0, 0), (8, 8))
    assert not weakly_congruent(E(0, 0), (8, 8)) and weakly_congruent(e1, (8, (2, 4)))


# Coordinates as numbers.


def test_arith_tuples():
    assert ArithTuple(5) == 5 and type(ArithTuple(5)) is int and len(ArithTuple(1, 2)) == 2
    assert e0 + e1 == (1, 1) and e1 - e1 == 0 and (1, 2) - e0 == (0, 2) and 0 - e1 == (0, -1) and -e1 == (0, -1)
    assert ArithTuple(1, 2) == (1, 2, 0) and ArithTuple(1, 2) != (1, 2, 3) and ArithTuple(0, 0) == 0
    assert e0 @ 1 == E(1, 0) and V(1) @ 1 @ 0 == E(0, 1) and V(7) @ 2 == ScaledBasis(7, (2,)) == 7 * E(2)
    assert ArithTuple(9, 0) < ArithTuple(0, 1) and e1 > e0 and not e1 < e1 and e1 <= e1
    assert as_tuple((e1, ArithTuple(1, ArithTuple(2, 3)))) == ((0, 1), (1, (2, 3)))
    assert refused(hash, e0, error=TypeError) and refused(lambda: e0 + 1, error=TypeError) and refused(lambda: e0 * e1, error=TypeError)
    assert ScaledBasis(5) == 5 and E() == 1 and make_basis_like((4, (2, 3))) == (e0, (E(1, 0), E(1, 1)))
    assert make_basis_like((4, 8), (3,)) == (E(3, 0), E(3, 1))
    assert str(2 * E(1, 0)) == "2@0@1" and str(e0 + e1) == "(1, 1)" and E(0)._set([3, 4]) == (3, 4)


def test_basis_elements():
    assert basis_repr(5 * E(1, 2)) == [(5, (1, 2))] and basis_repr(e0 - e0) == [(0, ())] and basis_repr(7) == [(7, ())]
    assert is_basis(7) and is_basis(3 * e1) and not is_basis(e0 + e1)
    assert proj((4, (8, 2)), E(1, 0)) == 8 and proj(7, 5) == 7 and proj((1, 2), 0) == (1, 2)
    assert unit(4 * e1) == e1 and unit(F2(9)) == F2(1) and unit(5) == 1
    assert refused(proj, (1, 2), e0 + e1, error=TypeError) and refused(unit, e0 + e1, error=TypeError)


def test_f2():
    assert F2(5) + F2(3) == F2(6) == F2(5) - F2(3) and -F2(5) == F2(5) and F2(5) + 0 == F2(5) == 0 + F2(5)
    assert 3 * F2(5) == F2(15) == F2(5) * F2(3) and F2(3) * F2(3) == F2(5)
    assert divmod(F2(22), F2(4)) == (F2(5), F2(2)) and F2(7) // F2(3) == F2(2) and F2(7) % 3 == F2(1)
    assert F2(3) < F2(5) and f"{F2(5):>4}" == "  F5" and F2(5).val_ == 5 and repr(F2(9)) == "F9"
    assert refused(lambda: F2(5) + 1, error=TypeError) and refused(lambda: F2(5) * -1) and refused(hash, F2(1), error=TypeError)
    assert refused(F2, -1) and refused(F2, 1.5)
    for a in range(16):
        for b in range(1, 16):
            quotient, rest = divmod(F2(a), F2(b))
            assert quotient * b + rest == F2(a) and int(rest).bit_length() < b.bit_length()


def test_types():
    assert is_int(numpy.int64(4)) and not is_int(True) and not is_int(4.0) and isinstance(4, Integer)
    assert is_stride_scalar(4) and is_stride_scalar(F2(3)) and is_stride_scalar(e0) and not is_stride_scalar((4,))
    assert is_static(4) and is_static(numpy.int64(4)) and not is_static((4, 8)) and is_static(e0)

    class Symbol:
        pass

    assert not is_int(Symbol()) and register_integer_type(Symbol) is None and is_int(Symbol())


# Shapes and coordinates.


def test_coordinates():
    assert idx2crd(22, (4, 8)) == (2, 5) and idx2crd(100, (2, 3)) == (0, 50) and idx2crd(None, (4, (2, 2))) == (0, (0, 0))
    assert idx2crd(e1, (8, 8)) == (0, 1) and idx2crd(F2(22), (4, 8)) == (F2(2), F2(5)) and L((4, 8))(e0) == 1
    assert crd2idx((2, 5), (4, 8), (8, 1)) == 21 and crd2idx((None, 5), (4, 8)) == 20 and L((8, 8), (8, 1))(1, None) == 8
    for extents in (4, (5, 2), (2, (3, 4)), ((1, 2), (2, 1))):
        points = list(coordinates(extents))
        assert [crd2idx(c, extents) for c in points] == list(range(product(extents)))
    assert refused(crd2idx, (1, 2), 4) and refused(L((4, 8)), (1, 2, 3))

    class Odd:
        """A scalar of its own that says what it is as a coordinate."""

        def _idx2crd(self, shape):
            return repeat_like(1, shape)

    assert L((4, 8), (8, 1))(Odd()) == 9


def test_numpy_scalars():
    n = numpy.int64
    assert complement(L(4, 2), n(24)) == L((2, 3), (1, 8)) and size(n(24)) == 24 and compatible(n(8), (2, 4))
    assert composition(L((4, 8)), n(4)) == L(4) and logical_divide(L((8, 5)), (n(2),)) == L(((2, 4), 5), ((1, 2), 8))
    assert L((n(4), n(8)), (n(8), n(1))) == L((4, 8), (8, 1)) and type(L(n(4)).shape) is int
    assert (shape(n(5)), rank(n(5)), depth(n(5))) == (5, 1, 0)


# Layouts.


def test_construction():
    assert L((4, 8)) == L((4, 8), (1, 4)) and L((4, 8), 2).stride == (2, 8) and L((4, 8), 0).stride == (0, 0)
    assert L(((2, 3), (4, 5)), (1, 100)).stride == ((1, 2), (100, 400)) and L((4, 8), e1).stride == (e1, 4 * e1)
    assert (str(L((4, 8))), repr(L((4, 8)))) == ("(4, 8):(1, 4)", "Layout((4, 8), (1, 4))")
    assert eval(repr(L((4, 8), (8, 1)))) == L((4, 8), (8, 1))
    assert refused(L, (4, 8), (1,)) and refused(L, 0) and refused(L, (4, "a")) and refused(hash, L(4), error=TypeError)
    assert refused(len, L((4, 8)), error=TypeError) and L((4, 8))[1] == L(8, 4) and L(4) != None  # noqa: E711
    changed = L(4)
    changed._set((2, 3), 1)
    assert changed == L((2, 3)) and changed(5) == 5
    assert refused(L, 2**70) and refused(L, (2**40, 2**40))


def test_strides_that_are_sums():
    diagonal = L(4, ArithTuple(1, 1))
    assert [diagonal(i) for i in range(4)] == [(i, i) for i in range(4)]
    assert composition(L((4, 4), (3, 42)), diagonal) == L(4, 45)
    mixed = L((4, 8), (ScaledBasis(F2(1), (0,)), e1))
    assert mixed(3, 5) == ArithTuple(F2(3), 5)
    assert layout_add(L(4, e0), L(4, e1)) == L(4, ArithTuple(1, 1)) and layout_add(L(8, F2(3)), L(8, 0)) == L(8, F2(3))
    assert coshape(diagonal) == (4, 4) and composition(diagonal, L(2, 2)) == L(2, ArithTuple(2, 2))
    assert refused(layout_add, L(8), L(8, F2(3))) and refused(right_inverse, diagonal)
    sheared = L((4, 4), (e0, ArithTuple(1, 1)))
    plain = L((8, 8), (8, 1))
    through = composition(plain, sheared)
    assert all(through(c) == plain(sheared(c)) for c in coordinates((4, 4)))


def test_slices():
    layout = L((4, (2, 3)), (1, (4, 8)))
    offset, rest = layout._offset_and_slice((2, None))
    assert (offset, rest) == (2, L((2, 3), (4, 8))) and slice_and_offset((2, None), layout) == (rest, 2)
    assert layout._offset_and_slice((None, (1, None))) == (4, L((4, 3), (1, 8)))
    assert slice_((None, (0, None)), (3, (4, 5))) == (3, 5) and dice_((None, (0, None)), (3, (4, 5))) == (4,)


def test_tiles_of_a_tuple():
    assert tiler_to_layout((4, L(8, 2))) == L((4, 8), (e0, 2 * e1)) and tiler_to_layout(L(4, 2), e1) == L(4, 2 * e1)
    assert tiler_to_layout((4, (2, 3))) == L((4, (2, 3)), (e0, (E(1, 0), E(1, 1)))) and tiler_to_layout(4, 3) == L(4, 3)
    tv = L(((4, 8), 2), ((16, 1), 8))
    coordinates_of = composition((8, 8), tv)
    assert coordinates_of == L(((4, 8), 2), ((2 * e1, e0), e1))
    data = L((8, 8), (8, 1))
    assert zipped_divide(data, coordinates_of)[0] == composition(data, tv)
    assert logical_divide((6, 4), L(2, 1)) == L((2, (3, 4)), (e0, (2 * e0, e1)))
    assert complement((4, 8)) == L((1, 1), (4 * e0, 8 * e1)) and coalesce((4, 8)) == L((4, 8), (e0, e1))


def test_nothing():
    assert composition(None, L(4)) == L(4) and composition(L(4), None) == L(4) and coalesce(None) is None
    assert complement(None) is None and logical_divide(None, L(3)) == L((3, 1), (1, 3)) and layout_add(None, L(4)) == L(4)
    assert zipped_divide(None, (3, 5)) == L(((3, 5), (1, 1)), ((e0, e1), (3 * e0, 5 * e1)))
    assert refused(logical_product, None, L(4), error=TypeError)


def test_operations_at_a_mode():
    layout = L((8, 5))
    assert logical_divide[0](layout, 2) == logical_divide(layout, 2, mode=0) == L(((2, 4), 5), ((1, 2), 8))
    assert composition[1](layout, 3) == L((8, 3), (1, 8)) and logical_product[1](layout, 2)[0] == L(8)
    nested = L(((2, 2), (2, 2)))
    assert coalesce[1](nested) == coalesce(nested, (None, 1)) == L(((2, 2), 4), ((1, 2), 4)) and coalesce(nested, None) == nested
    assert coalesce[1, 0](nested) == nested and zipped_divide[0](layout, 2) == L(((2, 4), 5), ((1, 2), 8))
    assert refused(composition, layout, (2, 2, 2))


def test_steps_at_extents_of_one():
    assert coalesce(L(1, 1)) == L(1, 1) and composition(L(1, 6), L(1, 1)) == L(1, 6)
    assert complement(L((8, 8)), 64) == L(1, 64) and recast(L((4, 4), (4, 1)), 8) == L((2, 1), (1, 1))
    assert make_layout_like(L((1, 4), (7, 2))) == L((1, 4), (4, 1)) and make_ordered_layout((1, 4), (0, 1)) == L((1, 4), (1, 1))
    assert coalesce_z(L((4, 1), (1, 100))) == L((4, 1), (1, 100)) and logical_divide(L(8), 8) == L((8, 1), (1, 8))


def test_questions():
    assert (size(L((4, 8))), cosize(L((4, 8), (10, 1))), coshape(L(4, F2(3))), coshape(L((4, 8), (e1, 2 * e0)))) == (32, 38, 8, (15, 4))
    assert coprofile(L((4, 8), (e0, e1))) == (0, 0) and stride((1, 2)) == (1, 2) and stride[0](L((4, 8), (8, 1))) == 8
    assert compatible((4, 16), (4, (8, 2))) and not compatible((4, (8, 2)), (4, 16))
    assert common_refinement((4, 6), ((2, 2), 6)) == ((2, 2), 6) and common_coarsening(((2, 2), 6), (4, 6)) == (4, 6)


def test_greatest_common_domain():
    assert greatest_common_domain((5, 3, 4), (10, 6)) == L((5, 2), (1, 30)) and greatest_common_domain(4, 9) == L((1,), (0,))
    for a, b in (((4, 6), (8, 3)), ((2, 2, 3), (12,)), ((6, 35), (10, 21))):
        shared = greatest_common_domain(a, b)
        for extent, begin in zip(shared.shape, shared.stride):
            for t in (a, b):
                # Within one mode of the shape, going by `begin` counts that mode up.
                at = [idx2crd(begin * i, t) for i in range(extent)]
                moved = [m for m in range(rank(t)) if len({wrap(c)[m] for c in at}) > 1]
                assert len(moved) == 1


def test_products_and_orders():
    assert blocked_product(L((3, 4), (4, 1)), L((2, 5))) == L(((3, 2), (4, 5)), ((4, 12), (1, 24)))
    assert raked_product(L((3, 4), (4, 1)), L((2, 5))) == L(((2, 3), (5, 4)), ((12, 4), (24, 1)))
    assert refused(blocked_product, L((4, 2)), L(2)) and refused(raked_product, L((4, 2)), L(2))
    assert make_ordered_layout((4, 8, 2), (2, 0, 1)) == L((4, 8, 2), (16, 1, 8)) and refused(make_ordered_layout, (4, (8, 2)), (0, 1))
    assert make_layout_like(L((4, 8), (e1, e0))) == L((4, 8), (8, 1))
    product_of_coordinates = logical_product(L((4, 8), (e0, e1)), L(2))
    assert product_of_coordinates[0] == L((4, 8), (e0, e1)) and size(product_of_coordinates) == 64


def test_left_inverses():
    assert left_inverse(L(8, 2)) == L((2, 8), (0, 1)) and left_inverse(L((4, 8), (e0, e1))) == L((4, 8))
    for overlapping in (L((2, 3), (2, 1)), L((4, 2), (1, 1)), L((4, 4), (F2(1), F2(1))), L((4, 4), (e0, e0))):
        with pytest.raises(ValueError, match="non-injective"):
            left_inverse(overlapping)
    # These PyCuTe refuses, and they are injective.
    for layout in (L((2, 2), (2, 3)), L(8, F2(2))):
        inverse = left_inverse(layout)
        assert all(inverse(layout(i)) == i for i in range(size(layout)))


def test_recast():
    assert recast(L((8, 4)), 4) == L((2, 4)) and recast(L((2, 4)), Fraction(1, 4)) == L((8, 4))
    assert recast(L(24, 2), 8) == L(6) and recast(L(8, 0), 2) == L(8, 0) and recast(L(24), 16) == L(2)
    assert recast(L((8, 4), (e0, e1)), (2, 1)) == L((4, 4), (e0, e1))


def test_adding_coalesces():
    assert layout_add(L((4, 3)), L(12)) == L(12, 2) and layout_add(L((6,), (5,)), L((6,), (3,))) == L(6, 8)
    assert layout_add(L(12), L((4, 3))) == layout_add(L((4, 3)), L(12))
    assert refused(layout_add, L(4), 4, error=TypeError) and refused(layout_add, L(4), L(6))


def test_foreign_layouts():
    class Named:
        """Not a layout of this package: what it supplies is asked."""

        shape = (4, 8)

        def _composition(self, other):
            return ("composition", other)

        def _coalesce(self):
            return "coalesced"

        def _right_inverse(self):
            return "inverse"

        def _coshape(self):
            return 32

    assert composition(Named(), L(4)) == ("composition", L(4)) and coalesce(Named()) == "coalesced"
    assert right_inverse(Named()) == "inverse" and coshape(Named()) == 32


# Memory and tensors.


def test_pointers():
    memory = array("i", range(8))
    p = Ptr(memory)
    (p + 2)[1] = 30
    assert memory[3] == 30 == p[3] and p == Ptr(memory) and p + 1 != p and p.dtype is ctypes.c_int and p.owner is memory
    assert p.address == p.base == memory.buffer_info()[0] and p.ptr[3] == 30
    matrix = numpy.arange(4, dtype=numpy.float32).reshape(2, 2)
    assert [Ptr(matrix)[i] for i in range(4)] == [0, 1, 2, 3] and Ptr(matrix).dtype is ctypes.c_float
    raw = (ctypes.c_double * 3)(1, 2, 3)
    assert Ptr(ctypes.addressof(raw), ctypes.c_double, owner=raw)[2] == 3 and Ptr(raw)[1] == 2
    assert Ptr(bytearray(b"\x01\x02"), ctypes.c_uint8)[1] == 2
    assert refused(Ptr, 4096) and refused(Ptr, "text") and refused(Ptr, b"fixed") and refused(lambda: p[8]) and refused(lambda: p[-1])
    assert refused(Ptr, matrix.T)


def test_arrays_and_accessors():
    assert list(Array(3)) == [0.0, 0.0, 0.0] and Array(3).dtype is ctypes.c_double and Array(2, ctypes.c_int)[1] == 0
    assert isinstance(Array(1), Ptr) and isinstance(Array(1), MutableAccessor) and refused(Array, [1, 2])
    assert ImplicitAccessor(5)[2] == 7 and ImplicitAccessor(5) == ImplicitAccessor(5) and ImplicitAccessor(5).base == 5
    double = lambda x: 2 * x  # noqa: E731
    assert TransformAccessor(ImplicitAccessor(0), double)[21] == 42 and TransformAccessor(ImplicitAccessor(0), double).transform is double
    assert TransformAccessor(ImplicitAccessor(0), double) == TransformAccessor(ImplicitAccessor(0), double)

    class Square(Accessor):
        def __init__(self, at=0):
            self.at = at

        def __add__(self, offset):
            return Square(self.at + offset)

        def __getitem__(self, offset):
            return (self.at + offset) ** 2

    assert [Tensor(Square(1), L(3))[i] for i in range(3)] == [1, 4, 9] and refused(Accessor, error=TypeError)


def test_tensors():
    A = Tensor(ImplicitAccessor(0), L(((3, 2), ((2, 3), 2)), ((4, 1), ((2, 15), 100))))
    assert [A[i, 0] for i in range(6)] == [0, 4, 8, 1, 5, 9] and A[5, 11] == 141
    # Figure 5.
    for slice, begin, values in [
        ((2, None), 8, [8, 10, 23]), ((None, 5), 32, [32, 36, 40]), ((2, ((0, None), None)), 8, [8, 23, 38]),
        (((None, 1), (None, 0)), 1, [1, 5, 9]), (((None, 0), ((0, None), 1)), 100, [100, 104, 108]),
        (((1, None), ((None, 0), None)), 4, [4, 5, 6]),
    ]:  # fmt: skip
        part = A[slice]
        assert is_tensor(part) and [part[i] for i in range(3)] == values and part[0] == begin
    assert A[:, 5] == A[None, 5] and A.get((1, 0)).shape == (2, 3) and refused(A, 0, error=TypeError)
    assert refused(Tensor, 5, L(4)) and refused(Tensor, ImplicitAccessor(0), (4, 8))
    T = make_tensor((2, 3), ctypes.c_int)
    T[1, 2] = 7
    assert T[5] == 7 and list(T.accessor) == [0, 0, 0, 0, 0, 7] and refused(T.__setitem__, (1, None), 0)
    assert T == Tensor(T.accessor, L((2, 3))) and T != make_tensor((2, 3), ctypes.c_int) and refused(make_tensor, L(4, e0))
    assert zipped_divide(A, (3, (2, 3)))[None, (1, 0)][0] == A[3, 0] and composition(A, (2, 2))[1, 1] == A[1, 1]
    assert composition(identity_tensor((8, 8)), L(((4, 8), 2), ((16, 1), 8)))[5, 1] == (1, 3)
    assert all(identity_tensor((4, (2, 3)))[c] == c for c in coordinates((4, (2, 3))))


def test_algorithms():
    from tilework.pycute_nvlabs.alg.copy import copy
    from tilework.pycute_nvlabs.alg.ref.copy import copy as copy_of_the_paper
    from tilework.pycute_nvlabs.alg.ref.gemm import gemm
    from tilework.pycute_nvlabs import alg

    for copied in (copy, copy_of_the_paper, alg.copy, alg.ref.copy):
        src, dst = Tensor(ImplicitAccessor(0), L((3, 4))), make_tensor(L((3, 4), (4, 1)))
        copied(src, dst)
        assert all(src[c] == dst[c] for c in coordinates((3, 4))) and refused(copied, src, make_tensor(5))
    # Two different elements to one place; and one element twice.
    assert refused(copy, Tensor(ImplicitAccessor(0), L(4)), Tensor(Array(4), L(4, 0)))
    order = []

    class Noted(MutableAccessor):
        def __add__(self, offset):
            return self

        def __getitem__(self, offset):
            return 0

        def __setitem__(self, offset, value):
            order.append((offset, value))

    copy(Tensor(ImplicitAccessor(0), L((2, 3), (0, 1))), Tensor(Noted(), L((2, 3), (0, -1))))
    assert order == [(-2, 2), (-1, 1), (0, 0)]
    A, B = Tensor(ImplicitAccessor(0), L((2, 3, 2))), Tensor(ImplicitAccessor(1), L((4, 3, 2)))
    C = make_tensor((2, 4, 2))
    gemm(A, B, C)
    assert all(C[m, n, b] == sum(A[m, k, b] * B[n, k, b] for k in range(3)) for m, n, b in coordinates((2, 4, 2)))
    assert refused(gemm, A, B, make_tensor((2, 4))) and refused(gemm, A, A, C)


def test_pictures(tmp_path, capsys):
    from tilework.pycute_nvlabs.util import draw_colors, draw_latex, draw_svg, print_table, print_tensor

    svg, tex = tmp_path / "a.svg", tmp_path / "a.tex"
    assert draw_svg.draw_svg(L((4, 8), (8, 1)), svg, color=draw_colors.constant((1, 2, 3))) is None
    assert svg.read_text().count("#010203") == 32
    assert draw_svg.draw_svg_tv(L(((4, 8), 2), ((16, 1), 8)), (8, 8), svg) is None and "T31" in svg.read_text()
    draw_svg.draw_svg_tv(composition((8, 8), L(((4, 8), 2), ((16, 1), 8))), filename=svg)
    assert svg.read_text().count("<rect") == 64
    assert draw_latex.draw_latex(L((4, 8)), tex, compile_pdf=False) is None and "node[box" in tex.read_text()
    for name in ("index_grey_8x", "bank_color_8x", "bank_color_16x", "bank_color_32x", "white"):
        assert len(getattr(draw_colors, name)(5)) == 3
    for name in ("thread_color_8x", "value_color_8x", "warp_color_8x"):
        assert len(getattr(draw_colors, name)(5, 1)) == 3
    print_table.print_table(L((2, 3)))
    print_tensor.print_tensor(Tensor(ImplicitAccessor(0), L((2, 3, 2, 2))), print_type=False)
    printed = capsys.readouterr().out
    assert "23" in printed and "(2, 3):(1, 2)" in printed and refused(print_table.print_table, L((2, 3, 4)))


# Symbols.


def test_symbols():
    import sympy

    N = sympy.Symbol("N", integer=True, positive=True)
    assert is_int(N) and not is_static(N) and L(N).shape == N and size(L((4, N))) == 4 * N and coshape(L((4, N))) == 4 * N
    assert L((4, 8), (8, N))(2, 3) == 16 + 3 * N and L((N, 4)).stride == (1, N) and product((N, (2, N))) == 2 * N**2
    assert coalesce(L((4, N))) == L(4 * N) and coalesce(L((4, 8), (N, 4 * N))) == L(32, N) and coalesce(L((4, 8), (1, N))) == L((4, 8), (1, N))
    assert composition(L(N, 3), L((4, 2))) == L((4, 2), (3, 12)) and composition(L((4, 8), (N, 1)), (2, None)) == L((2, 8), (N, 1))
    assert logical_divide(L((4, 8), (N, 1)), (2, 4)) == L(((2, 2), (4, 2)), ((N, 2 * N), (1, 4)))
    assert right_inverse(L((16, N), (1, 16))) == L((16, N), (1, 16))
    divided = logical_divide(L(N), 4)
    assert divided.shape[0] == 4 and divided.shape[1].subs(N, 10) == 3 and divided.shape[1].subs(N, 12) == 3
    for value in (1, 3, 8):
        substituted = transform_leaf(lambda x: int(sympy.sympify(x).subs(N, value)), composition(L((4, 8), (N, 1)), L(8, 2)).stride)
        expected = [L((4, 8), (value, 1))(2 * i) for i in range(8)]
        assert [L((2, 4), substituted)(i) for i in range(8)] == expected
    with pytest.raises(ValueError, match="N >= 8"):
        complement(L((4, 8), (N, 1)))
    with pytest.raises(ValueError, match="N"):
        composition(L((N, 4), (1, 100)), L(8))


def test_symbols_at_values():
    """What is answered for all values is what is answered at each of them, as a function."""
    import sympy

    N, M = sympy.Symbol("N", integer=True, positive=True), sympy.Symbol("M", integer=True, positive=True)
    asked = [
        (complement, L((4, N), (1, 8)), 16 * N), (left_inverse, L((4, N), (1, 8))), (composition, L((192, N), (1, 192)), L((4, 192), (1, 4))),
        (composition, L((N, 4), (1, N)), L(8)), (logical_product, L((N, 4), (1, N)), L(3)), (logical_product, L((N, M), (1, N)), L(3)),
        (composition, L((64 * N, M), (1, 192 * N)), L((64, N, M), (1, 64, 64 * N))), (logical_divide, L((16, N), (1, 16)), 64),
    ]  # fmt: skip
    at = lambda x, values: int(sympy.sympify(x).subs(values))  # noqa: E731
    def layout_at(x, values):
        return L(*(transform_leaf(lambda leaf: at(leaf, values), t) for t in (x.shape, x.stride))) if isinstance(x, L) else at(x, values)

    for operation, *operands in asked:
        found = operation(*operands)
        for values in ({N: 1, M: 2}, {N: 4, M: 3}, {N: 12, M: 1}):
            wanted, instance = operation(*(layout_at(x, values) for x in operands)), layout_at(found, values)
            count = min(size(wanted), size(instance))
            assert [instance(i) for i in range(count)] == [wanted(i) for i in range(count)], (operation, operands, values)


def test_every_name_is_there():
    import tilework.pycute_nvlabs as pycute

    assert not {"Union", "alg", "util", "draw_svg", "print_tensor", "install"} & set(pycute.__all__)
    assert {"Coord", "HTuple", "IntTuple", "ModeOpDecorator", "Profile", "Shape", "Stride", "Tiler", "divmod"} <= set(pycute.__all__)
    for name in pycute.__all__:
        assert getattr(pycute, name).__doc__, name
