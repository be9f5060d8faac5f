"""tilework's C interface on arrays, by ctypes: functions by their names. `TILEWORK_C` is the library. Swizzles and tilers by mode, which
arrays do not hold, are passed as text."""

import os
from ctypes import CDLL, POINTER, Structure, c_char, c_char_p, c_int, c_int8, c_int64, c_size_t, create_string_buffer

from conformance.notation import Swizzled, Tiler

VERSION, MOST = "", None
OK, REFUSED = 0, 1
TRUTHS = ("congruent", "weakly_congruent", "compatible")


class Value(Structure):
    _fields_ = [
        ("kind", c_int),
        ("nodes", c_int),
        ("offset", c_int64),
        ("extents", c_int64 * 32),
        ("strides", c_int64 * 32),
        ("profile", c_int8 * 63),
    ]


class Error(Structure):
    _fields_ = [("code", c_char * 32), ("begin", c_size_t), ("end", c_size_t), ("message", c_char * 464)]


def answers(cases):
    library = CDLL(os.environ["TILEWORK_C"])
    text, value, error = (c_char_p, c_size_t), POINTER(Value), POINTER(Error)
    library.tw_eval.argtypes = [c_int, *text, *text, POINTER(c_size_t), error]
    library.tw_read.argtypes = [*text, value, error]
    library.tw_apply.argtypes = [*text, value, c_size_t, value, error]
    library.tw_write.argtypes = [value, *text, POINTER(c_size_t), error]
    return [_answer(library, case) for case in cases]


def _answer(library, case):
    buffer, error = create_string_buffer(4096), Error()
    if any(isinstance(each, (Swizzled, Tiler)) for each in case.operands):
        text = case.expression.encode()
        status = library.tw_eval(0, text, len(text), buffer, len(buffer), None, error)
    else:
        operands, result, name = (Value * len(case.args))(), Value(), case.op.encode()
        status = max(library.tw_read(arg.encode(), len(arg), operand, error) for arg, operand in zip(case.args, operands))
        status = status or library.tw_apply(name, len(name), operands, len(operands), result, error)
        status = status or library.tw_write(result, buffer, len(buffer), None, error)
    if status != OK:
        return "refused" if status == REFUSED else "crashed"
    answer = buffer.value.decode()
    return str(answer == "1").lower() if case.op in TRUTHS else answer
