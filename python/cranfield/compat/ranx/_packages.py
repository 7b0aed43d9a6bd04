"""Optional packages, imported when a call needs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def package(name: str, caller: str) -> Any:
    """Imports a module, or raises an error that says what to install.

    >>> package("json", "save").loads("[1]")
    [1]
    >>> package("no_such_module", "save")
    Traceback (most recent call last):
    ImportError: save needs the package no_such_module: pip install no_such_module
    """
    try:
        return import_module(name)
    except ImportError:
        missing = name.partition(".")[0]
        raise ImportError(f"{caller} needs the package {missing}: pip install {missing}") from None


def numpy() -> Any:
    """NumPy, whose arrays and floats are the results."""
    return package("numpy", "cranfield.compat.ranx")
