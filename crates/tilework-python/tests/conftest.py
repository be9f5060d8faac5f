"""What tests of engines share."""

import os

import pytest

DEVICES = 8


@pytest.fixture(scope="session")
def jax():
    """JAX with eight devices that are none. They are there only if this is so before anything else imports JAX."""
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}"
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    return pytest.importorskip("jax", reason="JAX is not installed: nothing is compared with its index maps or run by it")
