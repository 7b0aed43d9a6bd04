"""Libraries that are imported when they are first needed."""

from __future__ import annotations

import importlib
from typing import Any


def pandas() -> Any:
    """The module pandas."""
    return importlib.import_module("pandas")
