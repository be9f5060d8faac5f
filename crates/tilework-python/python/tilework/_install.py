"""A package under the name of another, for programs that import the other."""

import sys


def install_as(name, package, modules):
    """Enters a package and its modules under another name."""
    sys.modules[name] = sys.modules[package]
    for module in modules:
        sys.modules[name + module.__name__.removeprefix(package)] = module
