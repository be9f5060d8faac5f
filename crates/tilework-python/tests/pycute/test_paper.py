"""PyCuTe's names on the examples of the paper, with the contract of each operation stated once and asked of many."""

from fractions import Fraction

import pytest

import tilework.pycute as cute
from tilework.pycute import *

e0, e1 = E(0), E(1)
f = F2

#: Figures 3 and 4, tables 5 to 7.
LAYOUTS = [
    Layout((4, 8), (1, 4)), Layout((4, 8), (8, 1)), Layout((3, 7, 5), (5, 15, 1)), Layout((4, 8), (1, 5)),
    Layout((4, (4, 2)), (4, (1, 16))), Layout(((2, 2), (4, 2)), ((1, 8), (2, 16))), Layout((4, 8), (1, 8)),
    Layout(((2, 2), (2, 4)), ((0, 1), (0, 2))), Layout(((2, 2), (2, 4)), ((0, 2), (0, 4))),
]  # fmt: skip


def postcondition_right_inverse(L, R):
    assert all(L(R(k)) == k for k in range(size(R)))
    assert size(R) <= size(L)


def postcondition_left_inverse(L, R):
    assert all(L(R(L(i))) == L(i) for i in range(size(L)))


def postcondition_complement(L, R):
    image = {L(i) for i in range(size(L))}
    # The paper's complement may be extended, and is looked at beyond its size.
    steps = [R(i) for i in range(4 * size(R))]
    assert image & set(steps) <= {0}
    assert all(a < b for a, b in zip(steps, steps[1:]))


def postcondition_composition(A, B, R):
    assert compatible(B, R)
    assert all(R(c) == A(B(c)) for c in coordinates(B))


def postcondition_coalesce(A, R):
    assert size(R) == size(A) and depth(R) <= 1
    assert all(R(i) == A(i) for i in range(size(A)))


@pytest.mark.parametrize("L", LAYOUTS, ids=str)
def test_postconditions(L):
    postcondition_right_inverse(L, right_inverse(L))
    postcondition_left_inverse(L, left_inverse(L))
    postcondition_complement(L, complement(L))
    postcondition_coalesce(L, coalesce(L))
    image = {L(i) for i in range(size(L))}
    assert {L(nullspace(L)(i)) for i in range(size(nullspace(L)))} == {0}
    assert size(nullspace(L)) * len(image) == size(L)
    assert layout_add(L, L) == Layout(L.shape, transform_leaf(lambda d: 2 * d, L.stride))


RIGHT = ["32:1", "(8, 4):(4, 1)", "(5, 21):(21, 1)", "4:1", "(4, 4, 2):(4, 1, 16)", "(2, 4, 2, 2):(1, 4, 2, 16)"]
LEFT = RIGHT[:3] + ["(5, 8):(1, 4)"] + RIGHT[4:]
COMPLEMENT = ["1:32", "1:32", "1:105", "1:40", "1:32", "1:32", "(2, 1):(4, 64)", "1:8", "(2, 1):(1, 16)"]


def test_tables():
    assert [str(right_inverse(L)) for L in LAYOUTS[:6]] == RIGHT
    assert [str(left_inverse(L)) for L in LAYOUTS[:6]] == LEFT
    assert [str(complement(L)) for L in LAYOUTS] == COMPLEMENT
    identity = Layout((4, 8), (e0, e1))
    assert right_inverse(identity) == left_inverse(identity) == Layout((4, 8), (1, 4))
    assert left_inverse(Layout((4, (4, 2)), (e1, (e0, 6 * e1)))) == Layout((4, (6, 2)), (4, (1, 16)))
    # Table 7 prints 4e1, which is in the image.
    assert complement(identity) == Layout((1, 1), (4 * e0, 8 * e1))
    assert complement(Layout((4, (4, 2)), (e1, (e0, 12 * e1)))) == Layout((1, (3, 1)), (4 * e0, (4 * e1, 24 * e1)))


@pytest.mark.parametrize(
    "data, result",
    [
        (((8, 8), (1, 8)), "((4, 8), 2):((16, 1), 8)"),
        (((8, 8), (8, 1)), "((4, 8), 2):((2, 8), 1)"),
        (((8, 8), (1, 9)), "((4, 8), 2):((18, 1), 9)"),
        ((((4, 2), (2, 4)), ((2, 16), (1, 8))), "((4, (4, 2)), 2):((8, (2, 16)), 1)"),
        (((8, 8), (f(1), f(9))), "((4, 8), 2):((F18, F1), F9)"),
        (((8, 8), (e0, e1)), "((4, 8), 2):((2@1, 1@0), 1@1)"),
    ],
)
def test_table_4(data, result):
    A, B = Layout(*data), Layout(((4, 8), 2), ((16, 1), 8))
    R = composition(A, B)
    assert str(R) == result
    postcondition_composition(A, B, R)


def test_composition():
    A = Layout((4, 6, 8, 10), (2, 3, 5, 7))
    assert composition(A, Layout(6, 12)) == Layout((2, 3), (9, 5))
    assert composition(Layout((4, 2, 8), (3, 12, 97)), Layout(3, 3)) == Layout(3, 9)
    for B in (Layout(6, 3), Layout(6, 1)):
        with pytest.raises(ValueError):
            composition(Layout((4, 6, 8), (2, 3, 5)), B)
    data = Layout((8, 16), (20, 1))
    tiler = (4, Layout(8, 2))
    assert composition(data, tiler) == composition(data, tiler_to_layout(tiler)) == Layout((4, 8), (20, 2))
    assert composition[1](data, Layout(8, 2)) == Layout(8, 2)


def test_modes():
    L = Layout((4, (2, 3)), (1, (4, 8)))
    assert (size[0](L), size[1](L), size[1, 1](L), rank[1](L), depth[1](L), rank[0, 0](L)) == (4, 6, 3, 2, 1, 1)
    assert (shape[1](L), stride[1, 0](L), get[1](L), get(L, 1, 0)) == ((2, 3), 4, Layout((2, 3), (4, 8)), Layout(2, 4))
    assert coalesce[1](L) == Layout(6, 4) and right_inverse[0](L) == Layout(4, 1)
    assert complement[0](L, extend=24) == Layout(6, 4) and cosize[1](L) == 21
    assert select[1, 0](L) == Layout(((2, 3), 4), ((4, 8), 1)) and take[0, 1](L) == Layout((4,), (1,))
    assert size[1]((4, (8, 2))) == 16 and get[1, 0]((4, (8, 2))) == 8


def test_htuples():
    t = ((4, 6), (3, (2, 2), 8))
    assert (rank(t), depth(t), size(t), rank(31), depth(31)) == (2, 3, 2304, 1, 0)
    assert leaves(t) == flatten(t) == (4, 6, 3, 2, 2, 8)
    assert unflatten(leaves(t), t) == t and repeat_like(t, 0) == ((0, 0), (0, (0, 0), 0))
    assert product_each(t) == (24, 96) and zip_leaves(t, t)[3] == (2, 2)
    assert transform_leaf(lambda x: x + 1, (1, (2,))) == (2, (3,)) == lift(lambda x: x + 1)((1, (2,)))
    assert fold_leaf(t, 0, lambda a, b: a + b) == 25
    assert congruent((4, 8), (5, 7)) and congruent((4, (2, 4)), (7, (3, 2))) and not congruent((4, 8), (4, (2, 4)))
    assert weakly_congruent(30, ((0, 0), 0)) and not weakly_congruent((0, (0, 0)), ((0, 0), 0))
    assert compatible(30, (2, 15)) and compatible((2, 15), (2, (3, 5))) and not compatible((2, (3, 5)), ((3, 2), 5))
    assert compatible((6, 5), Layout(((3, 2), 5)))
    assert common_refinement((4, 6), ((2, 2), 6)) == ((2, 2), 6) and common_coarsening(((2, 2), 6), (4, 6)) == (4, 6)
    assert wrap(4) == (4,) and unwrap(((4,),)) == 4 and slice_((None, (0, None)), (3, (4, 5))) == (3, 5)
    assert dice_((None, (0, None)), (3, (4, 5))) == (4,) and select((4, 8, 2), (2, 0)) == (2, 4) and take((4, 8, 2), 1, 3) == (8, 2)
    assert list(coordinates((2, (1, 2)))) == [(0, (0, 0)), (1, (0, 0)), (0, (0, 1)), (1, (0, 1))]
    assert idx2crd(100, (2, 3)) == (0, 50) and crd2idx(idx2crd(100, (2, 3)), (2, 3)) == 100


def test_coordinates_as_numbers():
    assert e0 + e1 == (1, 1) and 2 * e0 + 3 * e1 == V(2, 3) == ArithTuple((2, 3)) and e0 - e0 == 0 and 0 + e0 == e0
    assert ScaledBasis(2, 1) == 2 * e1 and is_basis(e0) and not is_basis(3) and hash(2 * e1) == hash(V(0, 2))
    assert basis_repr(2 * E(1, 0)) == "2@0@1" and make_basis_like((4, (2, 3))) == (E(0), (E(1, 0), E(1, 1)))
    assert (proj(V(3, 5), e1), unit(4 * e1), as_tuple(E(1, 0))) == (5, e1, (0, (1,)))
    L = Layout((4, (4, 2)), (e1, (e0, 6 * e1)))
    assert L(3, (2, 1)) == (2, 9) and L.stride == (e1, (e0, 6 * e1)) and str(L) == "(4, (4, 2)):(1@1, (1@0, 6@1))"
    assert coshape(L) == (4, 10) and coprofile(L) == (0, 0) and coshape(Layout((4, 8), (8, 1))) == 32
    assert f(5) + f(3) == 6 and 3 * f(5) == f(15) and str(f(9)) == "F9"
    assert [Layout((4, 4), (f(1), f(5)))(3, j) for j in range(4)] == [3, 6, 9, 12]
    assert is_static((4, 8)) and not is_static((4, object())) and cute.typedefs.StrideScalar is not None
    with pytest.raises(ValueError):
        Layout(4, e0 + e1)


def test_other_layouts():
    assert make_layout((4, 8)) == Layout((4, 8)) and make_layout((4, 8), (8, 1)) == Layout((4, 8), (8, 1))
    assert make_ordered_layout((4, 8), (1, 0)) == Layout((4, 8), (8, 1)) == make_layout_like(Layout((4, 8), (100, 1)))
    assert recast(Layout((8, 4)), 8, 32) == recast(Layout((8, 4)), 4) == recast(4, Layout((8, 4))) == Layout((2, 4))
    assert recast(Layout((2, 4)), Fraction(1, 4)) == Layout((8, 4))
    assert tiler_to_layout((4, 8)) == Layout((4, 8), (e0, e1))
    assert blocked_product(Layout((3, 4), (4, 1)), Layout((2, 5))) == Layout(((3, 2), (4, 5)), ((4, 12), (1, 24)))
    assert raked_product(Layout((3, 4), (4, 1)), Layout((2, 5))) == Layout(((2, 3), (5, 4)), ((12, 4), (24, 1)))
    assert logical_product(Layout((4, 8), (20, 2)), Layout((3, 2), (2, 1)))[1] == Layout((3, 2), (80, 1))
    assert coalesce_z(Layout((4, 1), (1, 100)))(4) == 100
    assert greatest_common_domain(Layout((4, 8), (8, 1)), Layout((4, 8))) == (4, 8)


def test_tensors():
    A = make_tensor(ImplicitAccessor(0), Layout(((3, 2), ((2, 3), 2)), ((4, 1), ((2, 15), 100))))
    assert [A[i, 0] for i in range(6)] == [0, 4, 8, 1, 5, 9] and A[5, 11] == 141
    # Figure 5; values, since the original's slices are flat within a mode.
    for slice, begin, values in [
        ((2, None), 8, [8, 10, 23]), ((None, 5), 32, [32, 36, 40]), ((2, ((0, None), None)), 8, [8, 23, 38]),
        (((None, 1), (None, 0)), 1, [1, 5, 9]), (((None, 0), ((0, None), 1)), 100, [100, 104, 108]),
        (((1, None), ((None, 0), None)), 4, [4, 5, 6]),
    ]:  # fmt: skip
        part = A[slice]
        assert is_tensor(part) and [part[i] for i in range(3)] == values and part[0] == begin
    tiles = zipped_divide(A, (3, (2, 3)))
    assert is_tensor(tiles) and tiles[None, (1, 0)][0] == A[3, 0]
    assert size(A) == 72 and size[0](A) == 6 and rank(A) == 2 and A.shape == A.layout.shape
    I = identity_tensor((4, (2, 3)))
    assert all(I[c] == c for c in coordinates((4, (2, 3)))) and [x for x in identity_tensor(3)] == [0, 1, 2]
    assert composition(identity_tensor((8, 8)), Layout(((4, 8), 2), ((16, 1), 8)))[5, 1] == (1, 3)


def test_accessors():
    memory = list(range(8))
    p = Ptr(memory)
    (p + 2)[1] = 30
    assert memory[3] == 30 and p[3] == 30 and isinstance(p, MutableAccessor) and isinstance(p, Accessor)
    assert TransformAccessor(p, lambda x: x + 1)[3] == 31 and ImplicitAccessor(3)[4] == 7
    with pytest.raises(IndexError):
        p[-1]


def test_algorithms():
    src = make_tensor(Array(range(12)), (3, 4))
    dst = make_tensor(Array(12), (3, 4), (4, 1))
    cute.alg.copy(src, dst)
    assert all(src[c] == dst[c] for c in coordinates((3, 4)))
    C = make_tensor(Array(9), (3, 3))
    cute.alg.gemm(src, dst, C)
    assert C[1, 2] == sum(src[1, k] * dst[2, k] for k in range(4))
    with pytest.raises(ValueError):
        cute.alg.copy(src, make_tensor(Array(5), 5))
    assert cute.alg.composition is composition


def test_pictures(tmp_path, capsys):
    L = Layout((4, 8), (8, 1))
    assert draw_svg(L, tmp_path / "a.svg") == (tmp_path / "a.svg").read_text() and ">31<" in draw_svg(L)
    assert "T31" in draw_svg_tv(Layout(((4, 8), 2), ((16, 1), 8)), (8, 8)) and "T31" in draw_latex_tv(Layout(((4, 8), 2), ((16, 1), 8)))
    assert draw_latex(L).startswith("\\documentclass") and len(draw_colors(12)) == 12
    assert "F6" in draw_svg(Layout((4, 4), (f(1), f(5)))) and "(1, 2)" in draw_svg(Layout((4, 8), (e0, e1)))
    print_table(L)
    print_tensor(make_tensor(0, L))
    assert "31" in capsys.readouterr().out
