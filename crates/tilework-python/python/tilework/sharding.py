"""Tensors on a mesh of devices: the elements of each device, as layouts, and the transfers from one sharding to another.

>>> from tilework.sharding import Mesh, Redistribution, Sharding
>>> mesh = Mesh(x=2, y=4)
>>> rows = Sharding(mesh, (1024, 512), "P((x, y), None)")
>>> print(rows.layout)
((2,4),(128,512)):((512@0,128@0),(1@0,1@1))
>>> columns = Sharding(mesh, (1024, 512), "[Shard(1), Shard(1)]")
>>> for step in Redistribution(rows, columns).steps:
...     print(step)
all-to-all along x, y: divides dimension 1, joins dimension 0

`scatter`, `gather`, `move` and `contract` simulate the devices with NumPy on one machine, to test a program without devices.
`tilework.jax` and `tilework.torch` run the same plans on devices.
"""

from ._core import _sharding

globals().update({name: getattr(_sharding, name) for name in _sharding.__all__})
__all__ = [*_sharding.__all__, "contract", "gather", "move", "scatter"]


def scatter(array, sharding):
    """The parts of an array, one per device; elements past the end are 0.

    >>> import numpy
    >>> from tilework.sharding import Mesh, Sharding, gather, scatter
    >>> sharding = Sharding(Mesh(x=2), (2, 4), "P(None, x)")
    >>> parts = scatter(numpy.arange(8).reshape(2, 4), sharding)
    >>> print(parts[1])
    [[2 3]
     [6 7]]
    >>> print(gather(parts, sharding))
    [[0 1 2 3]
     [4 5 6 7]]
    """
    import numpy

    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError("the array has a mask, which would be ignored; `array.filled(value)` is a copy without one")
    array = numpy.asarray(array)
    if array.shape != sharding.shape:
        raise ValueError(f"the array has the shape {array.shape}, and the sharding {sharding.shape}")
    line = numpy.append(array.reshape(-1), numpy.zeros(1, array.dtype))
    return [line[sharding.elements(device)].reshape(sharding.local_shape) for device in range(sharding.mesh.size)]


def gather(parts, sharding):
    """The array of these parts, the inverse of `scatter`."""
    import numpy

    _check(parts, sharding)
    line = numpy.zeros(int(numpy.prod(sharding.shape)) + 1, numpy.asarray(parts[0]).dtype)
    for device, part in enumerate(parts):
        line[sharding.elements(device)] = numpy.asarray(part).reshape(-1)
    return line[:-1].reshape(sharding.shape)


def move(parts, plan):
    """The parts after a redistribution, by its collectives, or by messages if it has none.

    >>> import numpy
    >>> from tilework.sharding import Mesh, Redistribution, Sharding, gather, move, scatter
    >>> mesh, array = Mesh(x=2, y=2), numpy.arange(16).reshape(4, 4)
    >>> rows, columns = Sharding(mesh, (4, 4), "P((x, y), None)"), Sharding(mesh, (4, 4), "P(None, (x, y))")
    >>> parts = move(scatter(array, rows), Redistribution(rows, columns))
    >>> print(parts[3].reshape(-1), (gather(parts, columns) == array).all())
    [ 3  7 11 15] True
    """
    import numpy

    _check(parts, plan.source)
    parts = [numpy.asarray(part) for part in parts]
    exchanges = plan.exchanges
    if exchanges is None:
        return _by_messages(parts, plan)
    for exchange in exchanges:
        parts = _exchange(parts, exchange)
    if plan.target.is_even:
        return parts
    # Elements past the end of a block become 0.
    held = [numpy.reshape(plan.target.elements(device), part.shape) >= 0 for device, part in enumerate(parts)]
    return [numpy.where(own, part, part.dtype.type(0)) for own, part in zip(held, parts)]


def contract(operands, plan):
    """The parts of the result of an einsum; `operands` has a list of parts for each operand.

    >>> import numpy
    >>> from tilework.sharding import Contraction, Mesh, Sharding, contract, gather, scatter
    >>> mesh, a, b = Mesh(x=2, y=2), numpy.arange(32).reshape(4, 8), numpy.arange(16).reshape(8, 2)
    >>> rows, columns = Sharding(mesh, (4, 8), "P(x, y)"), Sharding(mesh, (8, 2), "P(y, x)")
    >>> plan = Contraction("ij,jk->ik", rows, columns)
    >>> parts = contract([scatter(a, rows), scatter(b, columns)], plan)
    >>> print((gather(parts, plan.result.target) == a @ b).all())
    True
    """
    import numpy

    moved = [move(parts, way) for parts, way in zip(operands, plan.operands, strict=True)]
    return move([numpy.einsum(plan.spec, *own) for own in zip(*moved)], plan.result)


def _exchange(parts, exchange):
    import numpy

    parts = [_divided(numpy, part, exchange) for part in parts]
    done = list(parts)
    for source, target in exchange.pairs:
        done[target] = parts[source]
    for group in exchange.groups:
        for member, device in enumerate(group):
            if exchange.reduction is not None:
                reduce = {"sum": numpy.add, "product": numpy.multiply, "min": numpy.minimum, "max": numpy.maximum}
                whole = reduce[exchange.reduction].reduce([parts[other] for other in group])
                done[device] = whole if exchange.parts == 1 else whole[member]
            elif exchange.joins:
                own = member if exchange.parts > 1 else 0
                done[device] = numpy.stack([parts[other][own] for other in group])
            else:
                done[device] = parts[device][member]
    return [_joined(part, exchange) for part in done]


def _divided(package, array, exchange):
    """An array of NumPy or JAX as its parts, a row each, before an exchange."""
    if exchange.filled is not None:
        held, filled = exchange.filled
        array = package.pad(array.reshape(held), [(0, end - extent) for extent, end in zip(held, filled)])
    shape, order = exchange.before
    return array.reshape(shape).transpose(order).reshape(exchange.parts, -1)


def _joined(parts, exchange):
    """The array that these parts are after an exchange."""
    shape, order = exchange.after
    array = parts.reshape(shape).transpose(order)
    if exchange.cut is not None:
        filled, held = exchange.cut
        array = array.reshape(filled)[tuple(map(slice, held))]
    return array.reshape(exchange.shape)


def _by_messages(parts, plan):
    import numpy

    if plan.settling is not None:
        parts = move(parts, plan.settling)
    elif plan.source.owed != plan.target.owed:
        raise ValueError(f"the parts are partial results along {', '.join(plan.source.owed)}, and messages between devices only move elements: reduce them first")
    moved = []
    for target in range(plan.target.mesh.size):
        part = numpy.zeros(int(numpy.prod(plan.target.local_shape)), parts[0].dtype)
        for source in plan.sources(target):
            message = plan.message(source, target)
            if message is not None:
                sent, kept = message.offsets()
                part[kept] = parts[source].reshape(-1)[sent]
        moved.append(part.reshape(plan.target.local_shape))
    return moved


def _check(parts, sharding):
    if len(parts) != sharding.mesh.size or any(part.shape != sharding.local_shape for part in parts):
        shapes = sorted({part.shape for part in parts})
        raise ValueError(
            f"{len(parts)} parts of the shapes {shapes}, and the sharding has {sharding.mesh.size} of {sharding.local_shape}"
        )
    types = sorted({str(part.dtype) for part in parts})
    if len(types) > 1:
        raise ValueError(f"the parts have elements of {' and of '.join(types)}; they have to be of one type")
