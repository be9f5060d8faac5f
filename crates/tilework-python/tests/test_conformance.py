"""The cases for all implementations, by the adapter of this package."""

import pathlib
import sys

FOLDER = pathlib.Path(__file__).parents[3] / "conformance"
sys.path.insert(0, str(FOLDER))

from conformance.adapters import tilework_python  # noqa: E402
from conformance.cases import cases_of  # noqa: E402


def test_every_case_of_the_conformance_suite():
    cases = [case for case, _ in cases_of(FOLDER / "cases.jsonl")]
    answers = tilework_python.answers(cases)
    wrong = [(case.expression, answer) for case, answer in zip(cases, answers) if answer != (case.answer or "refused")]
    assert not wrong
