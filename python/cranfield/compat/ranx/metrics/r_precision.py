"""`r_precision`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def r_precision(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Precision at the number of relevant documents; `k` has no effect."""
    return compute(qrels, run, Metric("r-precision", k, rel_lvl))
