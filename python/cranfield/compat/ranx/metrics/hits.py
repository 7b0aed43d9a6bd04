"""`hits`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def hits(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The number of relevant documents among the first k."""
    return compute(qrels, run, Metric("hits", k, rel_lvl))
