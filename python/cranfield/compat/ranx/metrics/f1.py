"""`f1`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def f1(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The harmonic mean of precision and recall."""
    return compute(qrels, run, Metric("f1", k, rel_lvl))
