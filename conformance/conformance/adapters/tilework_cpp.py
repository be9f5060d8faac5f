"""tilework's C interface on texts, by its example in C++17."""

import shutil

from conformance.adapters.tilework_c import compiled

VERSION, MOST = "" if shutil.which("c++") else None, None


def answers(cases):
    return compiled("c++", "evaluate.cpp", cases)
