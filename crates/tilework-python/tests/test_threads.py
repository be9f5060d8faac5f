"""Objects are shared among threads; where there is no global lock, the package does not bring it back."""

import sys
import threading

import numpy as np

import tilework
import tilework.pycute
from tilework import Layout, Session, Tensor, hardware, parse

THREADS = 8


def in_threads(run):
    """Runs it in several threads at once, each of which is told its number, and raises what one of them raised."""
    barrier, raised = threading.Barrier(THREADS), []

    def body(number):
        barrier.wait()
        try:
            run(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_the_lock_is_not_taken():
    """Importing the package leaves a free-threaded interpreter so."""
    free = getattr(sys, "_is_gil_enabled", lambda: True)
    assert free() or all(hasattr(module, "Layout") for module in (tilework, tilework.pycute))
    if sys.version_info >= (3, 13):
        import sysconfig

        assert free() != bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def test_layouts_are_shared():
    data, threads = Layout("(8,8):(8,1)"), Layout("((4,8),2):((16,1),8)")
    mma = hardware.TiledMma("SM80_16x8x16_F32F16F16F32_TN", (2, 2, 1))
    for _ in range(20):
        # What is kept from the first call on is asked for by all of them at once.
        cute = tilework.pycute.Layout((4, (2, 3)), (1, (4, 8)))

        def run(number):
            for _ in range(50):
                assert str(data @ threads) == "((4,8),2):((2,8),1)" and data(number) == 8 * number
                assert (cute.shape, cute.stride, hash(cute)) == ((4, (2, 3)), (1, (4, 8)), hash(cute))
                assert tilework.pycute.coalesce(cute) == tilework.pycute.Layout(24)
                assert str(parse("8:1") / 2) == "(2,4):(1,2)" and mma.thread(number).partition_C((64, 64)).layout.size == 32

        in_threads(run)


def test_a_session_is_shared():
    session = Session()

    def run(number):
        for i in range(200):
            session.evaluate(f"let A{number} = ({number + 1},{i + 1}):({i + 1},1)")
            assert session.evaluate(f"size(A{number})") == (number + 1) * (i + 1) and session.variables

    in_threads(run)
    assert len(session.variables) == THREADS


def test_a_tensor_is_shared():
    for memory in (np.zeros(THREADS * 64), [0.0] * (THREADS * 64)):
        tensor = Tensor(memory, (THREADS, 64))

        def run(number):
            for i in range(64):
                tensor[number, i] = number * i
                assert tensor[number, i] == number * i

        in_threads(run)
        assert [tensor[3, i] for i in range(64)] == [3.0 * i for i in range(64)]


def test_an_iterator_gives_each_element_once():
    for _ in range(20):
        shared, got = iter(Tensor(list(range(1000)), 1000)), [[] for _ in range(THREADS)]
        in_threads(lambda number: got[number].extend(shared))
        assert sorted(sum(got, [])) == list(range(1000)) and next(shared, None) is None


def test_kernels_run_side_by_side():
    a, b = np.arange(64.0).reshape(8, 8), np.ones((8, 8))
    expected = a @ b.T

    def run(number):
        for _ in range(50):
            assert np.array_equal(tilework.gemm(a, b), expected)

    in_threads(run)
