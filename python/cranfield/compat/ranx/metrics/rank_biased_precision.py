"""`rank_biased_precision`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def rank_biased_precision(qrels: Any, run: Any, p: float, rel_lvl: int = 1) -> Any:
    """RBP with persistence p; the gain is the grade."""
    return compute(qrels, run, Metric("rbp", p, rel_lvl))
