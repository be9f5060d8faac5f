"""`tilework.Kernel` writes the texts of Rust's builder, and `Program.run` computes what NumPy does at ragged sizes."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import examples
import numpy
import pytest

from tilework import Kernel, Program, errors

PROGRAMS = Path(__file__).parents[2] / "tilework-program/tests/programs"
RANDOM = numpy.random.default_rng(11)


def program(name):
    return Program((PROGRAMS / name).with_suffix(".tw").read_text())


def integers(*shape):
    return RANDOM.integers(-8, 9, shape).astype("float32")


def test_page():
    assert examples.of_page("kernels.md") > 50


def test_a_program_is_its_text():
    for path in PROGRAMS.glob("*.tw"):
        text = path.read_text()
        assert Program(text) == Program(str(Program(text))) and hash(Program(text)) == hash(Program(str(Program(text))))
        assert eval(repr(Program(text))) == Program(text)
    assert Program(text) != text


def reduce():
    k = Kernel("reduce", 256)
    a, y = k.read("A", "f32", "(M,K):(lda,1)"), k.write("y", "f32", "M:1")
    s, sums = k.shared("s", "f32", "(8,32):(32,1)"), k.registers("sums", "f32", "4:1")
    (m,) = k.grid("ceil(M/8)")
    own = "(32,8):(1@1,1@0)"
    k.fill_neutral(sums, "sum")
    with k.repeat("ceil(K/128)") as step:
        k.fold("sum", a.tile((8, 128), (m, step)).threads(own).values("4:32@1"), sums)
    k.fill_neutral(s.threads(own), "sum")
    k.fold("sum", sums, s.threads(own).values("4:0"))
    for half in (16, 8, 4, 2, 1):
        threads = f"({half},8):(1@1,1@0)"
        k.barrier()
        k.fold("sum", s.at(1, half).threads(threads), s.threads(threads))
    k.barrier()
    k.copy(s.threads("8:1@0"), y.tile((8,), (m,)).threads("8:1@0"))
    return k.finish()


def gemm():
    """The library's product on tensor cores, with a bias and relu."""
    k = Kernel("gemm", 128)
    stages = "Sw<2,3,3> o 0 o (128,32,3):(32,1,4096)"
    a, sa = k.read("A", "f16", "(M,K):(lda,1)"), k.shared("sA", "f16", stages)
    b, sb = k.read("B", "f16", "(N,K):(ldb,1)"), k.shared("sB", "f16", stages)
    c, bias = k.write("C", "f16", "(M,N):(ldc,1)"), k.read("bias", "f32", "N:1")
    k.assume("lda % 8 == 0, K % 8 == 0")
    k.assume("ldb % 8 == 0, K % 8 == 0")
    mma = k.tiled_mma("SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,4)", "<_,(8,2,2):(1,16,8),_>")
    inner = mma.tile[2]
    fill = k.tiled_copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "(32,4):(4,1)", "(1,8):(0,1)")
    load_a, load_b = mma.copy_a("SM75_U32x4_LDSM_N"), mma.copy_b("SM75_U32x4_LDSM_N")
    ra, rb = k.fragment_a(mma, (128, inner), "f16"), k.fragment_b(mma, (128, inner), "f16")
    sums = k.fragment_c(mma, (128, 128), "f32")
    i, j = k.grid("ceil(M/128)", "ceil(N/128)")

    def fetch(step):
        with k.when(step, "ceil(K/32)"):
            for x, s, at in [(a, sa, i), (b, sb, j)]:
                k.copy_by(fill, x.tile((128, 32), (at, step)), s.at(2, step % 3))
        k.commit()

    k.fill(sums, 0)
    for first in range(2):
        fetch(first)
    with k.repeat("ceil(K/32)") as step:
        k.wait(1)
        k.barrier()
        fetch(step + 2)
        for q in range(32 // inner):
            k.copy_by(load_a, sa.at(2, step % 3).tile((128, inner), (0, q)), ra)
            k.copy_by(load_b, sb.at(2, step % 3).tile((128, inner), (0, q)), rb)
            k.gemm(mma, ra, rb, sums)
    out = c.tile((128, 128), (i, j))
    k.map((sums, mma.partition_c(bias.along(out, 1))), mma.partition_c(out), lambda x, b: (x + b).max(0).cast("f16"))
    return k.finish()


def test_the_builder_writes_the_text_of_rust():
    assert reduce() == program("reduce")
    assert gemm() == program("tensor_gemm")


def test_a_loop_takes_no_name_of_a_size():
    k = Kernel("k", 32)
    k.read("A", "f32", "(k,k1):(k1,1)")
    with k.repeat("k") as outer, k.repeat("k1") as inner:
        assert (str(outer), str(inner)) == ("k2", "k3")


def test_atoms_multiply():
    """One tile by each atom of few threads, side by side along every mode: the fragments are those of the instruction."""
    for atom, of, (m, n, depth) in [
        ("SM80_16x8x16_F32F16F16F32_TN", "f16", (16, 8, 16)),
        ("SM80_16x8x8_F32BF16BF16F32_TN", "bf16", (16, 8, 8)),
        ("UniversalFMA<float>", "f32", (1, 1, 1)),
    ]:
        for atoms, counts in [("(2,2,1):(1,2,0)", (2, 2)), ("(2,1,1):(1,0,0)", (2, 1)), ("(1,4,1):(0,1,0)", (1, 4))]:
            threads = counts[0] * counts[1] * (1 if depth == 1 else 32)
            rows, columns, steps = 2 * m * counts[0], 2 * n * counts[1], 2 * depth
            k = Kernel("product", threads)
            a, b = k.read("A", of, f"({rows},{steps}):({steps},1)"), k.read("B", of, f"({columns},{steps}):({steps},1)")
            c = k.write("C", "f32", f"({rows},{columns}):({columns},1)")
            mma = k.tiled_mma(atom, atoms, "<_,_,_>")
            ra, rb = k.fragment_a(mma, (rows, steps), of), k.fragment_b(mma, (columns, steps), of)
            rc = k.fragment_c(mma, (rows, columns), "f32")
            k.fill(rc, 0)
            k.copy(mma.partition_a(a.tile((rows, steps), (0, 0))), ra)
            k.copy(mma.partition_b(b.tile((columns, steps), (0, 0))), rb)
            k.gemm(mma, ra, rb, rc)
            k.copy(rc, mma.partition_c(c.tile((rows, columns), (0, 0))))
            product = k.finish()
            assert product.check().is_proved, product.check()
            x, y = integers(rows, steps), integers(columns, steps)
            # The bits of bf16 are the upper ones of f32.
            given = [(own.view("uint32") >> 16).astype("uint16") if of == "bf16" else own for own in (x, y)]
            assert (product.run(A=given[0], B=given[1]) == x @ y.T).all(), (atom, atoms)


@pytest.mark.parametrize("m, n, k", [(1, 4, 4), (65, 4, 20), (3, 68, 36)])
def test_products_of_integers_are_exact(m, n, k):
    a, b, bias = integers(m, k), integers(n, k), integers(n)
    expected = numpy.maximum(a @ b.T + bias, 0)
    out = numpy.full((m, n), 7, "float32")
    assert program("sgemm").run(A=a, B=b, bias=bias, C=out) is out and (out == expected).all()
    # Memory of any strides, and of another order than that of the program.
    assert (program("sgemm").run(A=a.T.copy().T, B=b[::-1], bias=bias) == numpy.maximum(a @ b[::-1].T + bias, 0)).all()


@pytest.mark.parametrize("m, n", [(1, 1), (33, 31), (70, 45)])
def test_copies_of_every_type(m, n):
    for of, dtype in [("f32", "f4"), ("f16", "f2"), ("bf16", "u2"), ("i32", "i4"), ("u32", "u4"), ("i8", "i1"), ("u8", "u1")]:
        text = str(program("transpose")).replace("f32", of)
        matrix = RANDOM.integers(0, 100, (m, n)).astype(dtype)
        result = Program(text).run(A=matrix)
        assert result.dtype == dtype and (result == matrix).all(), of
    values = integers(m, n)
    assert (reduce().run(A=values) == values.sum(1)).all()


def test_what_cannot_be_run_is_refused():
    transpose, causal = program("transpose"), program("causal")
    square, k = numpy.ones((2, 2)), Kernel("k", 1)
    one = k.tiled_mma("UniversalFMA<float>", "(1,1,1):(0,0,0)", "<_,_,_>")
    for wrong, sentence in [
        (lambda: transpose.run(), "the tensor A is not given"),
        (lambda: transpose.run(A=square, lda=1 << 40), "has more than 268435456 elements"),
        (lambda: transpose.run("gpu", A=square), "there is no device gpu: the devices are host, webgpu, cuda"),
        (lambda: transpose.run(A=square, B=numpy.ones((2, 3))), "mode 1 of B: N is 2, and the array has 3"),
        (lambda: transpose.run(A=numpy.ones(2)), "A has 2 modes, and the array 1"),
        (lambda: transpose.run(A=square, K=4), "K is no size"),
        (lambda: transpose.run(A=square, M=3), "mode 0 of A: M is 3, and the array has 2"),
        (lambda: causal.run(X=square), "the scalar low is not given"),
        (lambda: Program("kernel"), "line 1: "),
        (lambda: transpose.emit("ptx"), '"ptx" is not a language'),
        (lambda: program("unpack").emit("wgsl"), "WGSL has no type u8"),
        (lambda: program("hgemm").emit("cuda", "sm_75"), "is an instruction of sm_80 and later, which sm_75 does not have"),
        (lambda: transpose.emit("cuda", "ninety"), "is no architecture of CUDA"),
        (lambda: transpose.emit("wgsl", arch="sm_90"), "sm_90 is an architecture of CUDA"),
        (lambda: Kernel("k", 32).fill_neutral(Kernel("k", 32).read("A", "f32", "M:1"), "mean"), "there is no fold mean"),
        (lambda: Kernel("k", 32).tiled_mma("UniversalFMA<float>", "(2,2,1):(1,2,0)", "<_,_,_>"), "take 4 threads, and a block has 32"),
        (lambda: one.partition_c(Kernel("k", 1).read("A", "f32", "M:1")), "A: a tile is partitioned: write"),
        (lambda: one.partition_c(Kernel("k", 1).read("A", "f32", "M:1").tile((8,), (0,))), r"does not divide a tile of \(8,\)"),
        (lambda: k.gemm(one, *(k.registers(name, "f32", f"(1,{name[1:]},1):(0,1,0)") for name in ("a2", "b1", "c1"))), "have no product"),
        (lambda: Kernel("k", 32).repeat("4").__enter__() % 0, "is no digit of a loop or block when it is taken modulo 0"),
    ]:
        with pytest.raises((errors.TileworkError, ImportError), match=sentence):
            wrong()
    with pytest.raises(errors.Kernel, match="has no truth before it runs"):
        k = Kernel("k", 32)
        k.map(k.scalar("x", "f32"), k.write("B", "f32", "M:1"), lambda x: x if x < 0 else 1)


def test_a_device_without_its_package_says_what_to_install():
    text = (
        "import sys, numpy\nsys.modules['wgpu'] = sys.modules['cupy'] = None\nfrom tilework import Program\n"
        "p = Program('kernel k 32 threads, grid (1)\\nwrite B f32 M:1\\nassume M <= 32\\nB[t 32:1@0] = 1\\n')\n"
        "for device in ('webgpu', 'cuda'):\n    try: p.run(device, M=3)\n    except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert done.stdout.count("pip install") == 2, done.stderr


def test_webgpu():
    wgpu = pytest.importorskip("wgpu") if importlib.util.find_spec("wgpu") else pytest.skip("the package wgpu is not installed")
    if not wgpu.gpu.enumerate_adapters_sync():
        pytest.skip("wgpu finds no device")
    matrix = integers(70, 45)
    assert (program("transpose").run("webgpu", A=matrix) == matrix).all()
    a, b, bias = integers(65, 20), integers(68, 20), integers(68)
    assert (program("sgemm").run("webgpu", A=a, B=b, bias=bias) == program("sgemm").run(A=a, B=b, bias=bias)).all()
    table, rows = integers(5, 130).astype("float16"), [1, 4, 7]
    assert (program("gather").run("webgpu", table=table, rows=rows) == program("gather").run(table=table, rows=rows)).all()
    lower = program("causal").run("webgpu", X=numpy.ones((3, 70), "int32"), low=-5)
    assert (lower == program("causal").run(X=numpy.ones((3, 70), "int32"), low=-5)).all()
