"""`precision`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def precision(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The fraction of the first k documents that is relevant, or of all without k."""
    return compute(qrels, run, Metric("precision", k, rel_lvl))
