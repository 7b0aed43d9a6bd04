"""`interpolated_precision_at_recall`, for the arrays that `to_typed_list` returns."""

from __future__ import annotations

from typing import Any

from cranfield import _core

from .._packages import numpy
from ._scores import at_level, defined, judgements, numbered, rankings

_POINTS = [f"iprec_at_recall.{tenth / 10}" for tenth in range(11)]


def interpolated_precision_at_recall(qrels: Any, run: Any, rel_lvl: int = 1) -> Any:
    """For each topic the interpolated precision at recall 0, 0.1 and so on up to 1."""
    grades, documents = judgements(qrels), rankings(run)
    found = numpy().zeros((len(grades), 11))
    if not len(grades):
        return found
    evaluator = _core.Evaluator(
        numbered(at_level(one, rel_lvl, binary=True) for one in grades),
        _POINTS,
        profile="trec_eval-9",
    )
    places = numbered(
        {doc_id: -float(at) for at, doc_id in enumerate(ranking)} for ranking in documents
    )
    topics, columns = evaluator.rows(places)
    for point, column in enumerate(columns):
        found[[int(topic) for topic in topics], point] = defined(column)
    return found
