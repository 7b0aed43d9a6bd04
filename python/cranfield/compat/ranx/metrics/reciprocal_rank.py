"""`reciprocal_rank`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def reciprocal_rank(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """1 / rank of the first relevant document in the first k."""
    return compute(qrels, run, Metric("mrr", k, rel_lvl))
