"""Symbolic layouts: the worked examples, and answers at values against the static operations."""

import random

import pytest

import examples
import tilework
from tilework import Answer, Layout, Scope, SymbolicLayout, SymbolicNumber, Verdict, assume, errors, hardware, hint, symbol, testing


def test_page():
    assert examples.of_page("symbolic.md") > 40


def made(layout, facts=""):
    scope = Scope()
    layout = scope.layout(layout)
    if facts:
        scope.assume(facts)
    return scope, layout


def composed(left, right, facts="", **hints):
    scope, layout = made(left, facts)
    right = scope.layout(right)
    scope.hint(**hints)
    return str(layout @ right)


def divided(how, layout, tiler, facts=""):
    return str(getattr(made(layout, facts)[1], how)(tiler))


def test_worked_examples():
    # Tiles of a matrix, with and without predicates.
    tiles = "((128,32),(ceil(M/128),ceil(K/32))):((1,ld),(128,32*ld))"
    assert divided("zipped_divide", "(M,K):(1,ld)", (128, 32), "ld >= M") == tiles
    assert divided("zipped_divide", "(M,K):(1,ld)", (128, 32), "M % 128 == 0") == tiles.replace("ceil(M/128)", "M/128")
    assert divided("logical_divide", "(M,K):(1,ld)", 128, "ld >= M") == "(128,(M/128,K)):(1,(128,ld)) if M % 128 == 0"
    assert divided("logical_divide", "(M,K):(1,ld)", 128, "M % 128 == 0") == "(128,(M/128,K)):(1,(128,ld))"
    # A vector of a matrix.
    assert composed("(M,K):(1,ld)", "128:1", "ld >= M") == "128:1 if ld == M or M >= 128"
    assert composed("(M,K):(1,ld)", "128:1", "ld >= M", M=64) == "(M,floor(128/M)):(1,ld) if 128 % M == 0"
    assert composed("(M,K):(1,ld)", "64:3", "ld >= M") == "64:3 if ld == M or M >= 190"
    # Layouts that the CuTe DSL refuses.
    tall = made("(192,N):(1,192)")[1]
    assert str(tall.coalesce()) == "192*N:1" and bool(tall.coalesce())
    assert composed("(192,N):(1,192)", "(256,192):(1,256)") == "(256,192):(1,256)"
    assert composed("(4096,8192,N):(1,4096,0)", "(32,N/8,8,128):(1@0,8@1,1@1,32@0)", "N % 8 == 0") == "(32,N/8,8,128):(1,32768,4096,32)"
    assert str(made("(16,N):(1,16)")[1].right_inverse()) == "16*N:1"
    assert str(made("(16,N):(1,24)")[1].left_inverse()) == "(24,N):(1,16)"
    # Vectors, batches, pages, ranks.
    scope, matrix = made("(M,K):(1,ld)", "ld >= M")
    assert matrix.max_vector(8) == 1 and str(matrix.is_vector(8)) == "M % 8 == 0 and ld % 8 == 0"
    assert str(made("(M,K,L):(1,ld,bs)")[1].equivalent("M*K*L:1")) == "(ld == M or K*L <= 1) and (bs == K*ld or L <= 1)"
    pages = "(page,T):(128,128*page*H)"
    assert composed(pages, "64:1") == "64:128 if H == 1 or page >= 64"
    assert composed(pages, "64:1", page=16, T=99, H=8) == "(page,floor(64/page)):(128,128*page*H) if 64 % page == 0"
    mesh = made("(tp,pp,dp):(1,tp,tp*pp)")[1]
    assert str(mesh.coalesce()) == "tp*pp*dp:1"
    assert divided("logical_divide", "N:1", "tp:1") == "(tp,ceil(N/tp)):(1,tp)"
    # Grid and width of offsets.
    assert str(scope.number("M").ceil_div(128) * scope.number("K").ceil_div(32)) in ("ceil(M/128)*ceil(K/32)", "ceil(K/32)*ceil(M/128)")
    assert str(matrix.fits(31)) == "K*ld + M <= ld + 2147483648"
    # Repetitions, gaps, heads.
    assert str(made("(M,K):(1,M)")[1] * 4) == "((M,K),4):((1,M),M*K)"
    assert str(matrix.complement(4 * scope.number("ld") * scope.number("K"))) == "(floor(ld/M),4):(M,K*ld) if K >= 2 or ld == M*floor(ld/M)"
    assert composed("(64*H,S,B):(1,192*H,192*H*S)", "(64,S,H,B):(1,64*H,64,64*H*S)") == "(64,S,H,B):(1,192*H,64,192*H*S)"


#: Operations with what they are given: of symbolic layouts and static ones the same.
OPERATIONS = {
    "composition": lambda random: random.choice([4, 8, "4:2", "8:3", "(2,4):(1,8)", "(4,2):(2,1)"]),
    "composition by mode": lambda random: random.choice([(2, 4), (None, 2), ("2:2", None)]),
    "logical_divide": lambda random: random.choice([2, 4, (2, 4), (4, None)]),
    "zipped_divide": lambda random: random.choice([2, (2, 2), (4, None)]),
    "logical_product": lambda random: random.choice([2, 3, "(2,2):(2,1)"]),
    "coalesce": lambda random: None,
    "right_inverse": lambda random: None,
    "left_inverse": lambda random: None,
    "complement": lambda random: random.choice([64, 96, 256]),
}


def static_result(name, layout, argument):
    method = getattr(layout, name.partition(" ")[0])
    return method() if argument is None else method(argument)


def is_result(name, layout, ours, theirs):
    """Whether a result is right: the function that the static operation gives; of inverses, which are not unique, what defines them."""
    if name == "right_inverse":
        return all(layout(ours(i)) == i for i in range(min(ours.size, 512)))
    if name == "left_inverse":
        return all(ours(layout(i)) == i for i in range(min(layout.size, 512)))
    return ours.size == theirs.size and all(ours(i) == theirs(i) for i in range(min(ours.size, 512)))


LAYOUTS = ["(M,K):(1,M)", "(M,K):(1,ld)", "(M,K):(K,1)", "(M,K):(ld,1)", "(M,(2,K)):(2,(1,2*M))", "(4,M,K):(1,4,4*M)", "(M,K):(1,M + 8)", "((2,M),K):((M,1),2*M)", "(6,M):(1,7)", "(M,6):(8,1)"]
FACTS = ["", "ld >= M", "M % 4 == 0", "M % 8 == 0, K % 2 == 0", "M % 2 == 0, ld >= M", "M >= 8", "ld == M", "ld % M == 0"]


def test_instances():
    """10,000 answers at values that their guards admit are those of the static operation."""
    chance, judged, never, violated = random.Random(17), 0, 0, 0
    while judged < 10_000:
        scope = Scope()
        text = chance.choice(LAYOUTS)
        layout = scope.layout(text)
        try:
            scope.assume(chance.choice(FACTS[:-1]))
        except errors.TileworkError:
            pass  # A fact about a name that the layout does not have, or none.
        if chance.random() < 0.5:
            hints = {name: chance.choice([2, 4, 6, 8, 16]) for name in scope.names}
            scope.hint(**hints)
        name = chance.choice(list(OPERATIONS))
        argument = OPERATIONS[name](chance)
        try:
            answer = static_result(name, layout, argument)
        except errors.Never:
            never += 1
            answer = None
        except errors.TileworkError:
            continue
        for _ in range(12):
            values = {name: chance.choice([1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32]) for name in scope.names}
            try:
                static = layout.at(**values)
            except errors.Fact:
                continue
            try:
                wanted = static_result(name, static, argument)
            except errors.TileworkError:
                wanted = None
            if answer is None:
                assert wanted is None, (text, name, argument, values)
                continue
            try:
                found = answer.at(**values)
            except errors.Guard:
                violated += 1
                continue
            assert wanted is not None, (text, name, argument, values, str(answer))
            assert is_result(name, static, found, wanted), (text, name, argument, values, str(answer), str(wanted))
            judged += 1
    assert violated > 100 and never > 0


def test_bool_and_verdicts():
    scope, matrix = made("(M,K):(1,ld)", "ld >= M")
    M = scope.number("M")
    assert bool(M >= 1) and not bool(M == 0) and bool(M != 0)
    for asked in (M == 4, M >= 4, M < 4, matrix @ 128, matrix.fits(31), M != 4):
        with pytest.raises((errors.Guard, errors.Undecided)):
            bool(asked)
    assert (M >= 4).is_never is False and (M >= 0).is_always
    assert [type(x) for x in (M, matrix, matrix @ 4, M == 4)] == [SymbolicNumber, SymbolicLayout, Answer, Verdict]
    with pytest.raises(errors.Fact):
        (M == 0).assume()
    with pytest.raises(errors.Fact, match="alternatives"):
        (matrix @ 128).assume()
    with pytest.raises(errors.Name, match="ld"):
        matrix.at(M=4, K=4)
    with pytest.raises(errors.Fact):
        matrix.at(M=4, K=4, ld=3)
    with pytest.raises(TypeError):
        M + "x"
    with pytest.raises(TypeError):
        range(M)
    assert {M: 1}[scope.number("M")] == 1


def test_scopes():
    with Scope() as outer:
        a = symbol("a")
        with Scope() as inner:
            symbol("b")
            assume("b >= 4")
            hint(b=8)
        symbol("c")
    assert (outer.names, inner.names) == (("a", "c"), ("b",))
    with pytest.raises(errors.Fact, match="another scope"):
        a + inner.number("b")
    with pytest.raises(errors.Fact, match="another scope"):
        inner.assume(a >= 3)
    # There are as many names as a problem has.
    for number in range(40):
        inner.symbol(f"x{number}")
    assert len(inner.names) == 41
    # What was made on the way fills nothing.
    total = 0
    for number in range(2000):
        total = outer.number("a") * number + number
        outer.layout((4, outer.number("a") + number), (1, number)).coalesce()
    assert str(total) == "1999*a + 1999"
    # A refused change leaves the scope as it was.
    with pytest.raises(errors.TileworkError):
        inner.symbol("b", high=2)
    assert bool(inner.number("b") >= 4)
    with pytest.raises(errors.Fact):
        inner.hint(z=3)


def test_layout_from_objects():
    with Scope():
        M, K = symbol("M", div=128), symbol("K")
        assert str(Layout((M, K), (1, M * 128))) == "(M,K):(1,128*M)"
        assert str(Layout((M, (2, K)))) == "(M,(2,K)):(1,(M,2*M))"
        assert str(Layout(M, 2)) == "M:2" and str(tilework.layout((4, K), (K, 1))) == "(4,K):(K,1)"
        assert str(Layout((M, K), (tilework.E(0), tilework.E(1)))) == "(M,K):(1@0,1@1)"

        class Index:
            def __index__(self):
                return 4

        assert str(Layout((Index(), M), (1, Index()))) == "(4,M):(1,4)"
        assert type(Layout((4, 8), (8, 1))) is Layout
        for wrong in [((M, K), (1, 2, 3)), ((M, "x y"), (1, 2)), ((M, 1.5), (1, 2)), ((M, 0), (1, 1))]:
            with pytest.raises(errors.TileworkError):
                Layout(*wrong)
        deep = M
        for _ in range(50):
            deep = (deep,)
        with pytest.raises(errors.TileworkError):
            Layout(deep, 1)
    assert Layout("(4,8):(8,1)") @ Layout("2:1") == Layout("2:8")


def test_functions_take_symbolic_layouts():
    scope, matrix = made("(M,K):(1,ld)")
    assert str(tilework.zipped_divide(matrix, (128, None))) == str(matrix.zipped_divide((128, None)))
    assert str(tilework.composition(Layout((8, 8), (8, 1)), scope.layout("(2,x):(1,2)"))) == "(2,(4,x/4)):(8,(16,1)) if x % 4 == 0"
    assert tilework.rank(matrix) == 2 and str(tilework.size(matrix)) == "M*K"
    assert str(Layout((4, 8)) @ scope.layout("x:1")) == "x:1"
    with pytest.raises(errors.Kind, match="nullspace"):
        tilework.nullspace(matrix)


def test_sympy():
    sympy = pytest.importorskip("sympy")
    N, H = sympy.Symbol("N", integer=True, positive=True), sympy.Symbol("H", integer=True, nonnegative=True)
    with Scope() as scope:
        assert str(Layout((4, 2 * N + 1), (1, N**2))) == "(4,2*N+1):(1,N*N)"
        assert str(Layout((16, N), (1, 16)).coalesce()) == "16*N:1"
        # What is not a polynomial is a name of its own, the same each time.
        strange = Layout((4, sympy.Mod(N, 8)), (1, sympy.Mod(N, 8)))
        assert len(scope.names) == 2 and strange.shape[1] == strange.stride[1]
        assert str(Layout(4, 1).composition(Layout(2, N))) == str(Layout(4, 1) @ scope.layout("2:N"))
        assert bool(symbol("N") >= 1)
        Layout(4, H)
        assert not (symbol("H") >= 1).is_always


def test_integers_of_torch():
    """What is asked of them is their expression and the value that torch has seen; as a number they would be one from then on."""
    sympy = pytest.importorskip("sympy")

    class SymInt:
        def __init__(self, expression, hint):
            self.node = type("Node", (), {"expr": expression, "hint": hint})

        def __index__(self):
            raise AssertionError("this would fix the value")

    s0 = sympy.Symbol("s0", integer=True, positive=True)
    with Scope():
        M = SymInt(s0, 64)
        matrix = Layout((M, 8), (1, 2 * symbol("s1")))
        assert str(matrix.composition(128)) == "(s0,floor(128/s0)):(1,2*s1) if 128 % s0 == 0"
        assert str(Layout(SymInt(2 * s0, 128), 1)) == "2*s0:1"


def test_torch():
    torch = pytest.importorskip("torch")
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
    from torch._subclasses.fake_tensor import FakeTensorMode

    mode = FakeTensorMode(shape_env=ShapeEnv())
    context = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC, DimDynamic.STATIC])
    tensor = mode.from_tensor(torch.empty(96, 8), symbolic_context=context)
    with Scope() as scope:
        layout = Layout(tuple(tensor.shape), tuple(tensor.stride()))
        assert isinstance(layout, SymbolicLayout) and len(scope.names) == 1
        assert layout.at(**{scope.names[0]: 96}) == Layout((96, 8), (8, 1))
    assert not mode.shape_env.guards


def test_names_of_coordinates():
    """One that is in the layout is refused, and the default is none of the scope."""
    names = ["x", "x1", "i", "j", "M", "K", "ld"]
    generator = random.Random(17)
    for _ in range(200):
        m, k, ld, *coordinate = (generator.choice(names) for _ in range(5))
        scope = Scope()
        layout = scope.layout(f"({m},{k}):(1,{ld})")
        own = {m, k, ld}
        values = {name: generator.randrange(2, 6) for name in own}
        at = layout.at(**values)
        source = layout.emit("python", name="offset")
        assert offsets_of(source, values, at) == [at(index) for index in range(at.size)], source
        if coordinate[0] == coordinate[1]:
            continue
        if own & set(coordinate):
            with pytest.raises(errors.Fact, match="name in the layout"):
                layout.emit("python", coordinate)
        else:
            assert layout.emit("python", coordinate) == f"{coordinate[0]} + {coordinate[1]}*{ld}"


def offsets_of(source, values, at):
    """What an emitted function of an index gives for all indices."""
    scope = {}
    exec(source, scope)
    function = scope["offset"]
    own = function.__code__.co_varnames[: function.__code__.co_argcount]
    return [function(index, *(values[name] for name in own[1:])) for index in range(at.size)]


def test_unnamed_numbers():
    scope = Scope()
    layout = scope.layout("(?,?{div=8}):(?,1)")
    assert str(layout) == "(?0,?1):(?2,1)" and scope.names == ("?0", "?1", "?2")
    assert layout.at(**{"?0": 4, "?1": 8, "?2": 8}) == Layout((4, 8), (8, 1))
    with pytest.raises(errors.Name, match=r"a value of \?1 is missing"):
        layout.at(**{"?0": 4, "?2": 8})
    assert scope.layout("(?1,4):(_0,_1)") == scope.layout("(?1,4):(0,1)")
    assert str(scope.layout("(?,4):(1,?)")) == "(?3,4):(1,?4)"


ELEMENTS = [f"{unit}{number}" for unit in "efF" for number in (1, 5, 12)] + ["e0"]


@pytest.mark.parametrize("word", ELEMENTS)
def test_elements_are_strides_everywhere(word):
    """A word that is an element in the language is one in every text, and is no name."""
    unit = "e" if word[0] == "e" else "f"
    for strides in (f"({word},{unit}3)", f"({word},2*{unit}2)", f"({unit}7,2*{word})"):
        text = f"(2,4):{strides}"
        wanted = tilework.parse(text)
        for read in (Layout(text), Layout((2, 4), strides), Layout("(2,4)", strides), tilework.Tensor(range(99), text).layout if unit == "f" else wanted):
            assert type(read) is Layout and read == wanted
        assert str(Scope().layout(text)) == str(wanted) == str(tilework.coalesce(Layout(text), (None, None)))
        testing.assert_same_layout(text, wanted)
        if unit == "e":
            onto = (16,) * len(wanted(1, 1))
            assert str(hardware.cover(text, onto)) == str(hardware.cover(wanted, onto))
        # Among names too, and in a stride of a symbolic shape; no symbolic layout has XOR strides.
        if unit == "f":
            with pytest.raises(errors.Codomain, match="XOR"):
                Layout(f"(M,4):{strides}")
            continue
        named = str(Layout(f"(M,4):{strides}"))
        assert named == str(wanted).replace("(2,4)", "(M,4)") == tilework.parse(f"(M,4):{strides}")
        with Scope():
            assert str(Layout((symbol("M"), 4), strides)) == named
    for refused in (lambda: symbol(word), lambda: Scope().layout(f"({word},4)"), lambda: Layout(f"({word},M):(1,M)")):
        with pytest.raises(errors.TileworkError):
            refused()


def test_elements_compose():
    assert str(Layout("(8,8):(e0,e1)") @ Layout("8:9")) == "8:(1@0+1@1)"
    assert str(Layout("(M,8):(ld*e1,2e0)")) == "(M,8):(ld@1,2@0)"
