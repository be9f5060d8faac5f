"""A layout in arrays; then each line of standard input is evaluated. The library is the first argument.

Python programs have a package of their own, tilework; this shows what any language with a foreign function interface does."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
OK, SHORT = 0, 2
LEAVES, NODES = 32, 63


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_char * 32), ("begin", ctypes.c_size_t), ("end", ctypes.c_size_t), ("message", ctypes.c_char * 464)]


class Value(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("nodes", ctypes.c_int),
        ("offset", ctypes.c_int64),
        ("extents", ctypes.c_int64 * LEAVES),
        ("strides", ctypes.c_int64 * LEAVES),
        ("profile", ctypes.c_int8 * NODES),
    ]


text, size = ctypes.c_char_p, ctypes.c_size_t
to_size, to_value, to_error = (ctypes.POINTER(type) for type in (size, Value, Error))
library.tw_eval.argtypes = [ctypes.c_int, text, size, text, size, to_size, to_error]
library.tw_read.argtypes = [text, size, to_value, to_error]
library.tw_apply.argtypes = [text, size, to_value, size, to_value, to_error]
library.tw_offsets.argtypes = [to_value, ctypes.c_int64, size, ctypes.POINTER(ctypes.c_int64), to_error]


def evaluate(expression, part=0):
    """The value of an expression, or the code of the error behind a `!`."""
    expression, length, error = expression.encode(), size(), Error()
    status = library.tw_eval(part, expression, len(expression), None, 0, length, error)
    if status == SHORT:
        buffer = ctypes.create_string_buffer(length.value + 1)
        status = library.tw_eval(part, expression, len(expression), buffer, len(buffer), None, error)
    return buffer.value.decode() if status == OK else "! " + error.code.decode()


def read(expression):
    value, error = Value(), Error()
    status = library.tw_read(expression.encode(), len(expression.encode()), value, error)
    assert status == OK, error.message.decode()
    return value


operands = (Value * 2)(read("(8,8):(8,1)"), read("((4,8),2):((16,1),8)"))
shared, offsets = Value(), (ctypes.c_int64 * 64)()
assert library.tw_apply(b"composition", len(b"composition"), operands, 2, shared, None) == OK
assert library.tw_offsets(shared, 0, 64, offsets, None) == OK
print("# thread 5 has the offsets", offsets[5], "and", offsets[5 + 32])
assert (offsets[5], offsets[5 + 32]) == (10, 11)

for line in sys.stdin:
    print(evaluate(line.rstrip("\n")))
