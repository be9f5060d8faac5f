"""Modes by names: against einops on patterns that both can say, as views; other values are in `corpus/`."""

import random

import einops
import numpy as np
import pytest

import tilework
from tilework import Layout, Scope, Tensor, einfold, errors

PATTERNS = 5000


class Pattern:
    """A random pattern of einops for a random array: its sides, its sizes, and the right side without its groups."""

    def __init__(self, rng):
        self.sizes, self.left, self.shape, names = {}, [], [], []
        letters = iter(rng.sample("abcdefghijklmnopqrstuvwxyz", 26))
        word = rng.random() < 0.5

        def name(size):
            made = next(letters) + (rng.choice(["", "x", "_2"]) if word else "")
            self.sizes[made] = size
            return made

        for _ in range(rng.randint(1, 4)):
            sizes = [rng.choice([1, 2, 3, 4, 5]) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
            own = [name(size) for size in sizes]
            if sizes == [1] and rng.random() < 0.5:
                self.left.append("1")
            else:
                self.left.append(own[0] if len(own) == 1 else f"({' '.join(own)})")
                names += own
            self.shape.append(int(np.prod(sizes)))
        if rng.random() < 0.25:
            self.shape[len(self.shape) : len(self.shape)] = [2, 3][: rng.randint(0, 2)]
            self.left.append("...")
            names.append("...")
        self.new = {}
        if rng.random() < 0.25:
            self.new = {name(size): size for size in rng.sample([2, 3], rng.randint(1, 2))}
        names += self.new
        # What may be one in memory stays so half of the time.
        if rng.random() < 0.7:
            rng.shuffle(names)
        self.order = list(names)
        groups, at = [], 0
        while at < len(names):
            count = rng.choice([1, 1, 2, 3])
            group = names[at : at + count]
            groups.append(group[0] if len(group) == 1 and rng.random() < 0.8 else f"({' '.join(group)})")
            at += count
        for _ in range(rng.choice([0, 0, 1])):
            groups.insert(rng.randint(0, len(groups)), "1")
        self.right = groups or ["1"]
        # One size of each group follows from the others, and einops takes no more names than it has.
        given = {n for part in self.left if part.startswith("(") for n in part[1:-1].split()[1:]} | set(self.new)
        self.given = {n: self.sizes[n] for n in given}

    def text(self, right=None):
        return f"{' '.join(self.left)} -> {' '.join(right or self.right)}"


def array(rng, shape):
    """An array with this shape, contiguous, or a part of another in some order of its axes."""
    kind = rng.randint(0, 3)
    if kind == 0:
        return np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    order = rng.sample(range(len(shape)), len(shape))
    steps = [rng.choice([1, 1, 2]) if kind == 2 else 1 for _ in shape]
    whole = np.arange(int(np.prod([n * s for n, s in zip(shape, steps)])), dtype=np.int32)
    whole = whole.reshape([shape[i] * steps[i] for i in order]).transpose(np.argsort(order))
    part = whole[tuple(slice(None, None, step) for step in steps)]
    return part[::-1] if kind == 3 else part


def test_the_patterns_of_einops():
    rng = random.Random(20261127)
    views = copies = repeats = 0
    while views + copies < PATTERNS:
        pattern = Pattern(rng)
        # Without a blank each letter is a name.
        if " " not in pattern.text().replace(" -> ", "") and any(len(name) > 1 for name in pattern.sizes):
            continue
        own = array(rng, pattern.shape)
        operation = einops.repeat if pattern.new else einops.rearrange
        expected = operation(own, pattern.text(), **pattern.given)
        if expected.ndim == 0:
            with pytest.raises(errors.Rank):
                einfold(pattern.text(), own, **pattern.given)
            continue
        try:
            view = einfold(pattern.text(), own, **pattern.given)
        except errors.Pattern:
            # No view has these groups: NumPy copies what it is without them.
            ungrouped = einfold(pattern.text(pattern.order or ["1"]), own, **pattern.given)
            assert not np.shares_memory(ungrouped.reshape(expected.shape), own), pattern.text()
            copies += 1
            continue
        assert view.shape == expected.shape and (view == expected).all(), pattern.text()
        assert np.shares_memory(view, own), pattern.text()
        views += 1
        repeats += bool(pattern.new)
    assert views > 2000 and copies > 1000 and repeats > 300, (views, copies, repeats)


def test_views_write_to_the_array():
    image = np.zeros((4, 6, 3))
    einfold("h (w w2) c -> (h w) w2 c", image, w2=2)[5, 1, 2] = 7
    assert image[1, 5, 2] == 7
    image.flags.writeable = False
    assert not einfold("h w c -> c h w", image).flags.writeable
    # Without a name at 0, and behind the named axes as they are.
    assert einfold("h w -> w", image).shape == (6, 3)


def test_refusals_of_arrays():
    image = np.zeros((4, 6, 3), np.int8)
    for pattern, error, place in [
        ("h w c -> (w h) c", errors.Pattern, "("),
        ("h w c -> h h w c", errors.Syntax, "h"),
        ("h w c -> h w z", errors.Syntax, "z"),
        ("h (w w2) c, w2=4 -> h w", errors.Syntax, ","),
        ("h (w 4) c -> h w c", errors.Pattern, "("),
        ("h w c d -> h", errors.Pattern, "h"),
        ("h w c -> h w c, h=zero", errors.Syntax, "z"),
        ("h w c -> h w c, c = 0", errors.Syntax, "0"),
        ("h w c -> h w c,  size", errors.Syntax, "s"),
        ("h w c -> h w c, z=2", errors.Syntax, "z"),
    ]:
        with pytest.raises(error) as refused:
            einfold(pattern, image)
        start, end = refused.value.span
        assert pattern[start:end] == place, refused.value
    with pytest.raises(errors.Pattern, match="steps by 3 and not by 72"):
        einfold("h w c -> (w h) c", image)


MARKED = ["4:1", "(4,8):(8,1)", ((2, 2), 8), tilework.Tiler(4, 8), Scope().layout("(M,K):(1,ld)"), np.zeros((4, 8))]
MARKED += [Layout((4, 8)), Tensor(np.zeros(32), "(4,8):(8,1)")]


@pytest.mark.parametrize("value", MARKED, ids=str)
def test_marks_are_under_what_is_wrong(value):
    random_, refused = random.Random(3), 0
    for _ in range(600):
        left, right = (random_.choices("ab" * 3 + "ij(). é布%2", k=random_.randint(1, 5)) for _ in range(2))
        pattern = "".join([*left, " -> ", *right])
        try:
            einfold(pattern, value)
        except errors.TileworkError as error:
            if error.code not in ("syntax", "pattern"):
                continue
            refused += 1
            (start, end), help = error.span, f"; {error.help}" if error.help else ""
            marks = " " * start + "^" * max(1, end - start)
            assert str(error) == f"{error.code}: {error.message}{help}\n  {pattern}\n  {marks}", value
            found = f"`{pattern[start:end]}`" if start < len(pattern) else "the end"
            assert error.code == "pattern" or f", found {found} at byte {len(pattern[:start].encode())} " in error.message
    assert refused > 300


def test_other_values():
    layout = Layout(((12, 4), 42, 5, 7))
    assert einfold("(ab)cde -> c(ade)b", layout).shape == (42, (12, 5, 7), 4)
    assert einfold("ij -> ji", (None, 3)) == (3, None)
    assert str(einfold("ij -> ji", tilework.Tiler(4, Layout(8, 2)))) == "<8:2,4:1>"
    matrix = Scope().layout("(M,K):(1,ld)")
    assert str(einfold("m k -> k m", matrix)) == str(matrix.einfold("m k -> k m")) == "(K,M):(ld,1)"
    tensor = Tensor(np.arange(6), Layout((2, 3), (3, 1)))
    assert einfold("ij -> ji", tensor)[2, 1] == tensor[1, 2] == 5
    assert tilework.parse('einfold("(h h2) w -> h2 (h w)", (8,4):(4,1), h2=2)') == einfold(
        "(h h2) w -> h2 (h w)", "(8,4):(4,1)", h2=2
    )


def test_tensors_of_torch():
    torch = pytest.importorskip("torch")
    image = torch.arange(72.0).reshape(4, 6, 3).requires_grad_()
    view = einfold("h (w w2) c -> c (h w) w2", image, w2=2)
    assert torch.equal(view, einops.rearrange(image, "h (w w2) c -> c (h w) w2", w2=2))
    assert view.data_ptr() == image.data_ptr()
    view.sum().backward()
    assert (image.grad == 1).all()
