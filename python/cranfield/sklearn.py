"""Ranking measures for scikit-learn: scores of predictions, and scorers for model selection.

`groups` has the topic of each row, as for `GroupKFold` and the rankers of gradient boosting libraries.

>>> import numpy as np
>>> grades = np.array([1, 0, 0, 1])
>>> predictions = np.array([0.1, 0.2, 0.3, 0.4])
>>> ranking_score(grades, predictions, measure="RR", groups=["a", "a", "b", "b"])
0.75
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cranfield import _core
from cranfield._core import Evaluator, Qrels, Run
from cranfield._errors import UsageError

__all__ = ["make_ranking_scorer", "ranking_score"]


def ranking_score(
    y_true: Any,
    y_score: Any,
    *,
    measure: Any = "nDCG@10",
    groups: Any = None,
    ties: str = "expected",
    **options: Any,
) -> float:
    """The mean of a measure over topics, from grades and predicted scores.

    Args:
        y_true: grades, with one row per document, or one row per topic and one column per document as for `ndcg_score`.
        y_score: predicted scores, in the same shape.
        measure: a name such as `nDCG@10`.
        groups: the topic of each row. Without it, one-dimensional data is a single topic.
        ties: treatment of equal scores. The default is the mean over all orders, because rows have no ids.
        options: other options of `cranfield.evaluate`, such as `level` or `undefined`.

    >>> ranking_score([[3, 2, 0]], [[0.1, 0.9, 0.5]], measure="P(rel=2)@1")
    1.0
    """
    numpy = import_module("numpy")
    grades, scores = numpy.asarray(y_true), numpy.asarray(y_score)
    if grades.shape != scores.shape:
        raise UsageError(f"grades have the shape {grades.shape}, scores {scores.shape}; expected the same")
    if grades.ndim == 2 and groups is None:
        rows, columns = grades.shape
        topics = numpy.repeat(numpy.arange(rows), columns)
    elif grades.ndim == 1:
        topics = numpy.zeros(len(grades), dtype="int64") if groups is None else numpy.asarray(groups)
    else:
        message = "expected one row per document with its group, or one row per topic without groups"
        raise UsageError(f"{message}; found {grades.ndim} dimensions")
    if len(topics) != grades.size:
        raise UsageError(f"{len(topics)} groups for {grades.size} rows")
    if grades.size == 0:
        raise UsageError("there are no rows to score")
    documents = numpy.arange(grades.size)
    qrels = Qrels.from_columns(topics, documents, grades.ravel())
    run = Run.from_columns(topics, documents, scores.ravel())
    evaluator = Evaluator(qrels, measure, ties=ties, **options)
    if len(evaluator.measures) != 1:
        raise UsageError(f"`{measure}` is {len(evaluator.measures)} measures, not one")
    (value,) = evaluator.aggregate(run).values()
    if not isinstance(value, float):
        raise UsageError(f"`{measure}` is undefined for all topics; see the option `undefined`")
    return value


def make_ranking_scorer(
    measure: Any = "nDCG@10", *, response_method: Any = "predict", **options: Any
) -> Any:
    """Makes a scorer for `GridSearchCV`, `cross_validate` and others. It knows whether higher or lower values are better.

    If `sklearn.set_config(enable_metadata_routing=True)` was called before, the scorer requests `groups`: pass them to `fit`, or
    to `cross_validate` in `params`, and scikit-learn passes them to the splitter and the scorer. Without metadata routing,
    scorers get no groups; if the same rows are scored every time, pass `groups` here.
    """
    (info,) = _core.parse(str(measure), options.get("profile", "cranfield"), options.get("level"))
    scorer = import_module("sklearn.metrics").make_scorer(
        ranking_score,
        response_method=response_method,
        greater_is_better=info["higher_is_better"] is not False,
        measure=str(measure),
        **options,
    )
    if import_module("sklearn").get_config().get("enable_metadata_routing"):
        scorer = scorer.set_score_request(groups=True)
    return scorer
