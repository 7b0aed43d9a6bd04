"""`average_precision`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def average_precision(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Average precision of the first k."""
    return compute(qrels, run, Metric("map", k, rel_lvl))
