"""Booleans of other libraries."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """Converts numpy's booleans to Python's, and returns other values unchanged.

    >>> plain(True), plain(1), plain(None)
    (True, 1, None)
    """
    kind = type(value)
    return bool(value) if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_") else value
