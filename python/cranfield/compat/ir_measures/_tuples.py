"""The tuples that go in and come out."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cranfield.compat.ir_measures.measures.base import Measure


class Qrel(NamedTuple):
    """A judgement; `iteration` is the subtopic, for diversity measures.

    >>> Qrel("q1", "d1", 2)
    Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')
    """

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A document of a ranking.

    >>> ScoredDoc("q1", "d1", 0.5).score
    0.5
    """

    query_id: str
    doc_id: str
    score: float


class Metric(NamedTuple):
    """The value of a measure for a topic."""

    query_id: str
    measure: Measure
    value: float | int


class CwlMetric(NamedTuple):
    """A value of the C/W/L framework: the expected utility of a document, with the other figures."""

    query_id: str
    measure: Measure
    value: float | int
    expected_total_utility: float
    expected_cost: float
    expected_total_cost: float
    expected_items: float


class CalcResults(NamedTuple):
    """Aggregates by measure, or the aggregate of the one measure, and the values of topics."""

    aggregated: dict[Measure, float | int] | float | int
    per_query: list[Metric]


def _deprecated(old: str, new: str) -> None:
    text = f"{old} deprecated in 0.2.0. Please use ir_measures.{new} instead."
    warnings.warn(text, DeprecationWarning, stacklevel=3)


class GenericQrel(Qrel):
    """The old name of `Qrel`."""

    def __new__(cls, *args: Any, **kwargs: Any) -> GenericQrel:
        _deprecated("GenericQrel", "Qrel")
        return super().__new__(cls, *args, **kwargs)


class GenericScoredDoc(ScoredDoc):
    """The old name of `ScoredDoc`."""

    def __new__(cls, *args: Any, **kwargs: Any) -> GenericScoredDoc:
        _deprecated("GenericScoredDoc", "ScoredDoc")
        return super().__new__(cls, *args, **kwargs)
