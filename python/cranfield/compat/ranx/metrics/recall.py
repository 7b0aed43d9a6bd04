"""`recall`, for arrays as `to_typed_list` gives them."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def recall(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The part of the relevant documents that is in the first k."""
    return compute(qrels, run, Metric("recall", k, rel_lvl))
