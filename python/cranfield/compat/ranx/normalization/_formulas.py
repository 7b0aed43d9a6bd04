"""Formulas of normalisation, for the documents of one topic in the order of their ranks. No divisor is below 1e-9."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

Scores = dict[str, float]
_LEAST = 1e-9


def added(values: Iterable[float]) -> float:
    """The sum, added up from the left whatever Python's `sum` does: equal sums decide over ties."""
    total = 0.0
    for value in values:
        total += value
    return total


def power(base: float, exponent: float) -> float:
    """The power, which is infinite where Python raises an error.

    >>> power(2.0, 3.0), power(10.0, 400.0)
    (8.0, inf)
    """
    try:
        return float(base**exponent)
    except OverflowError:
        return math.inf


def min_max(scores: Scores) -> Scores:
    """Lowest 0, highest 1."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    divisor = max(high - low, _LEAST)
    return {doc_id: (score - low) / divisor for doc_id, score in scores.items()}


def min_max_inverted(scores: Scores) -> Scores:
    """Lowest 1, highest 0."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    divisor = max(high - low, _LEAST)
    return {doc_id: (high - score) / divisor for doc_id, score in scores.items()}


def by_max(scores: Scores) -> Scores:
    """Highest 1."""
    divisor = max(max(scores.values(), default=0.0), _LEAST)
    return {doc_id: score / divisor for doc_id, score in scores.items()}


def by_sum(scores: Scores) -> Scores:
    """Lowest 0, and a sum of 1."""
    low = min(scores.values(), default=0.0)
    divisor = max(added(scores.values()) - low * len(scores), _LEAST)
    return {doc_id: (score - low) / divisor for doc_id, score in scores.items()}


def zmuv(scores: Scores) -> Scores:
    """Mean 0 and variance 1.

    >>> zmuv({"d1": 3.0, "d2": 1.0})
    {'d1': 1.0, 'd2': -1.0}
    """
    if not scores:
        return {}
    mean = added(scores.values()) / len(scores)
    variance = added((score - mean) * (score - mean) for score in scores.values()) / len(scores)
    divisor = max(math.sqrt(variance), _LEAST)
    return {doc_id: (score - mean) / divisor for doc_id, score in scores.items()}


def rank(scores: Scores) -> Scores:
    """Even steps from 1 down."""
    return {doc_id: 1 - place / len(scores) for place, doc_id in enumerate(scores)}


def candidates(results: Iterable[Scores]) -> list[str]:
    """All documents, in the order in which they are first met."""
    return list(dict.fromkeys(doc_id for scores in results for doc_id in scores))


def borda(results: Sequence[Scores]) -> list[Scores]:
    """For each run: its documents in even steps from 1 down, and the mean of the steps that are left for all others.

    >>> borda([{"d1": 2.0}, {"d2": 1.0, "d1": 0.5}])
    [{'d1': 1.0, 'd2': 0.5}, {'d2': 1.0, 'd1': 0.5}]
    """
    everything = candidates(results)
    count = len(everything)
    normalized = []
    for scores in results:
        points = {doc_id: 1 - place / count for place, doc_id in enumerate(scores)}
        left = 0.5 - (len(scores) - 1) / (2 * count) if count else 0.0
        points.update((doc_id, left) for doc_id in everything if doc_id not in scores)
        normalized.append(points)
    return normalized
