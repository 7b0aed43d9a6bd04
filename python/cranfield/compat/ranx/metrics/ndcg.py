"""DCG and nDCG, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from ._scores import Metric, compute


def dcg(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Discounted gain of the first k; the gain is the grade."""
    return compute(qrels, run, Metric("dcg", k, rel_lvl))


def ndcg(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The discounted gain divided by that of the ideal ranking."""
    return compute(qrels, run, Metric("ndcg", k, rel_lvl))


def dcg_burges(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """Discounted gain of the first k; the gain is 2^grade - 1."""
    return compute(qrels, run, Metric("dcg_burges", k, rel_lvl))


def ndcg_burges(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Any:
    """The discounted gain divided by that of the ideal ranking."""
    return compute(qrels, run, Metric("ndcg_burges", k, rel_lvl))
