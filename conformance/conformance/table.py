"""Verdicts, and the tables of README.md and COMPARE.md."""

from functools import lru_cache

from conformance import judge
from conformance.cases import Case
from conformance.notation import Layout, Swizzled, read
from conformance.preconditions import is_chain

VERDICTS = ("right", "refused", "wrong", "crashed")


def verdict(case, answer):
    """How an answer is counted; None where there is no such operation. A refusal is right where no answer exists."""
    if answer == "-":
        return None
    if answer == "refused":
        return "right" if case.none else "refused"
    if answer == "crashed":
        return answer
    return "right" if is_right(case, answer) else "wrong"


def is_right(case, answer):
    return _is_right(case.op, case.args, "".join(answer.split()).replace("_", ""))


@lru_cache(maxsize=None)
def _is_right(op, args, answer):
    """Judged once, since most give the same answer."""
    try:
        return judge.right(op, [read(arg) for arg in args], read(answer))
    except ValueError:
        return False


def is_in_form(case, answer):
    """Whether a right answer is the one of the case, whatever the strides of extents 1."""
    return answer == "refused" or not case.answer or _formed(read(answer)) == _formed(read(case.answer))


def _formed(value):
    if isinstance(value, Swizzled):
        return value.bits, value.base, value.shift, value.offset, _formed(value.layout)
    return (value.shape, _with_zeros(value.shape, value.stride)) if isinstance(value, Layout) else value


def _with_zeros(shape, stride):
    if isinstance(shape, tuple):
        return tuple(map(_with_zeros, shape, stride))
    return 0 if shape == 1 else stride


def cell(verdicts, in_form=None):
    """right % / refused % / **wrong %**, of the right ones the share in canonical form."""
    total = len(verdicts)
    if total == 0:
        return "-"
    right, refused, wrong, crashed = (100 * verdicts.count(kind) / total for kind in VERDICTS)
    text = f"{right:.1f} / {refused:.1f} / **{f'{wrong:.2f}' if wrong else 0}**"
    text += f", {crashed:.1f} crash" if crashed else ""
    return text if in_form is None or not right else f"{text}; {100 * in_form / verdicts.count('right'):.0f}"


ROWS = {
    "numbers, coordinates, shapes": judge.VALUES,
    "coalesce": ("coalesce",),
    "composition": ("composition",),
    "complement": ("complement",),
    "right inverse, common layout": ("right_inverse", "common_layout"),
    "left inverse": ("left_inverse",),
    "nullspace": ("nullspace",),
    "the four divides": judge.DIVIDES,
    "the six products": judge.PRODUCTS,
    "upcast, downcast, recast": ("upcast", "downcast", "recast"),
}


def suite_table(cases, classes, columns):
    """A row for each family of operations, and one for each class; `columns` has a head and the answers."""
    rows = [(row, [case.op in operations for case in cases]) for row, operations in ROWS.items()]
    rows += [(f"all {name} the documented preconditions", [each == name for each in classes]) for name in ("inside", "outside")]
    judged = [[_judged(*pair) for pair in zip(cases, answers)] for _, answers in columns]
    print(f"| {len(cases):,} cases |", " | ".join(["", *(head for head, _ in columns)]), "|")
    print("|---" * (len(columns) + 2) + "|")
    for name, chosen in rows:
        cells = []
        for column in judged:
            some = [each for each, is_chosen in zip(column, chosen) if is_chosen and each[0]]
            cells.append(cell([each for each, _ in some], sum(form for _, form in some)))
        print(f"| {name} | {sum(chosen)} |", " | ".join(cells), "|")


def _judged(case, answer):
    how = verdict(case, answer)
    return how, how == "right" and is_in_form(case, answer)


# The table of pairs: row, operation, and the class of the pair.


def _inside(a, b):
    return max(judge.values(b)) < judge.size(a.shape)


def _composes(a, b):
    return judge.no_composition(a, b, True)[0] == "exists"


PAIR_OPERATIONS = ("coalesce", "composition", "complement", "left_inverse", "logical_divide", "logical_product")
PAIR_ROWS = (
    ("coalesce", "coalesce", lambda a, b: True),
    ("composition, all", "composition", lambda a, b: True),
    ("composition, B inside A, a layout exists", "composition", lambda a, b: _inside(a, b) and _composes(a, b)),
    ("composition, B inside A, none exists", "composition", lambda a, b: _inside(a, b) and not _composes(a, b)),
    ("complement of B in size(A)", "complement", lambda a, b: True),
    ("left inverse, all", "left_inverse", lambda a, b: True),
    ("left inverse, strides a chain of divisors", "left_inverse", lambda a, b: is_chain(a)),
    ("logical divide, all", "logical_divide", lambda a, b: True),
    ("logical product, all", "logical_product", lambda a, b: True),
)


def questions(pairs):
    """Six cases for each pair, in the order of the operations."""
    found = []
    for a, b in pairs:
        args = (a,), (a, b), (b, judge.size(a.shape)), (a,), (a, b), (a, b)
        found += [Case(op, tuple(map(str, some))) for op, some in zip(PAIR_OPERATIONS, args)]
    return found


def pairs_table(head, pairs, cases, columns):
    """`columns` has a head and the answers, to all cases or to a prefix."""
    print(f"| {head} |", " | ".join(name for name, _ in columns), "|")
    print("|---" * (len(columns) + 1) + "|")
    verdicts = [[verdict(*each) for each in zip(cases, answers)] for _, answers in columns]
    for name, op, in_class in PAIR_ROWS:
        chosen = [in_class(*pair) for pair in pairs]
        which = PAIR_OPERATIONS.index(op)
        cells = [cell([each for each, is_chosen in zip(column[which::6], chosen) if is_chosen]) for column in verdicts]
        print(f"| {name} |", " | ".join(cells), "|")
