"""`get_hit_lists`: which ranks hold relevant documents."""

from __future__ import annotations

from typing import Any

from .._packages import numpy
from ._scores import Documents, judgements, rankings


def hit_list(grades: Documents, ranking: Documents, level: float = 1) -> list[float]:
    """For each rank 1 if its document is relevant, and 0 if it is not.

    >>> hit_list({"d1": 1}, {"d2": 2.0, "d1": 1.0})
    [0.0, 1.0]
    """
    relevant = {doc_id for doc_id, grade in grades.items() if grade >= level}
    return [float(doc_id in relevant) for doc_id in ranking]


def get_hit_lists(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> list[Any]:
    """For each topic an array of 1 and 0, for the first k ranks or for all."""
    assert k >= 0, "k must be grater or equal to 0"
    pairs = zip(judgements(qrels), rankings(run))
    lists = [hit_list(grades, ranking, rel_lvl) for grades, ranking in pairs]
    return [numpy().array(hits[: k or None], dtype=float) for hits in lists]
