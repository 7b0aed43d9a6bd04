"""`bpref`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def bpref(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Bpref; `k` has no effect."""
    return compute(qrels, run, Metric("bpref", k, rel_lvl))
