"""`recall`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def recall(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The fraction of the relevant documents among the first k."""
    return compute(qrels, run, Metric("recall", k, rel_lvl))
