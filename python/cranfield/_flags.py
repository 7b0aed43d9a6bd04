"""Bools of other libraries."""

from __future__ import annotations

from typing import Any


def plain(value: Any) -> Any:
    """The value; but numpy's bools, which are none for Python, as Python's.

    >>> plain(True), plain(1), plain(None)
    (True, 1, None)
    """
    kind = type(value)
    return bool(value) if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_") else value
