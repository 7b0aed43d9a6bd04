"""`precision`, for arrays as `to_typed_list` gives them."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def precision(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The part of the first k that is relevant; without k, of all documents."""
    return compute(qrels, run, Metric("precision", k, rel_lvl))
