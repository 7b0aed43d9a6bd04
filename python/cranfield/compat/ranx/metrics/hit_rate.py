"""`hit_rate`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def hit_rate(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """1 if there is a relevant document in the first k."""
    return compute(qrels, run, Metric("hit_rate", k, rel_lvl))
