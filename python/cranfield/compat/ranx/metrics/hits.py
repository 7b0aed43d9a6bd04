"""`hits`, for arrays as `to_typed_list` gives them."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def hits(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Relevant documents in the first k."""
    return compute(qrels, run, Metric("hits", k, rel_lvl))
