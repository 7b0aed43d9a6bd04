"""Combinations of a document's scores: min, max, median, sum and others."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from ..data_structures import Run
from ..normalization._formulas import added, power
from ._combine import Found, combined, tables


def values(found: Found) -> list[float]:
    """The scores, unchanged."""
    return [score for _, score in found]


def total(found: Found) -> float:
    """The sum of the scores."""
    return added(values(found))


def comb_min(runs: Sequence[Run], name: str = "comb_min") -> Run:
    """The lowest score. Fox and Shaw: Combination of multiple searches. TREC 1993."""
    return combined(tables(runs), lambda found: min(values(found)), name)


def comb_max(runs: Sequence[Run], name: str = "comb_max") -> Run:
    """The highest score. Fox and Shaw 1993."""
    return combined(tables(runs), lambda found: max(values(found)), name)


def comb_med(runs: Sequence[Run], name: str = "comb_med") -> Run:
    """The median of the scores. Fox and Shaw 1993."""
    return combined(tables(runs), lambda found: statistics.median(values(found)), name)


def comb_sum(runs: Sequence[Run], name: str = "comb_sum") -> Run:
    """The sum of the scores. Fox and Shaw 1993.

    >>> runs = [Run({"q_1": {"d_1": 1.0, "d_2": 0.5}}), Run({"q_1": {"d_2": 1.0}})]
    >>> comb_sum(runs)["q_1"]
    {'d_2': 1.5, 'd_1': 1.0}
    """
    return combined(tables(runs), total, name)


def comb_anz(runs: Sequence[Run], name: str = "comb_anz") -> Run:
    """The mean of the scores. Fox and Shaw 1993."""
    return combined(tables(runs), lambda found: total(found) / len(found), name)


def comb_mnz(runs: Sequence[Run], name: str = "comb_mnz") -> Run:
    """The sum of the scores times their number. Fox and Shaw 1993."""
    return combined(tables(runs), lambda found: total(found) * len(found), name)


def comb_gmnz(runs: Sequence[Run], gamma: float, name: str = "comb_gmnz") -> Run:
    """The sum of the scores times their number to the power of gamma. Lee: Analyses of multiple evidence combination. SIGIR 1997."""
    return combined(tables(runs), lambda found: total(found) * power(float(len(found)), gamma), name)


def wsum(runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_sum") -> Run:
    """The sum of the scores times the weights of their runs."""
    weights = _weights(runs, weights)
    return combined(
        tables(runs), lambda found: added(weights[at] * score for at, score in found), name
    )


def wmnz(runs: Sequence[Run], weights: Sequence[float], name: str = "wmnz") -> Run:
    """The sum of the scores times the sum of the weights. Wu and Crestani: Data fusion with estimated weights. CIKM 2002."""
    weights = _weights(runs, weights)
    return combined(
        tables(runs), lambda found: total(found) * added(weights[at] for at, _ in found), name
    )


def mixed(runs: Sequence[Run], weights: Sequence[float], name: str = "mixed") -> Run:
    """The weighted sum of the scores times the square root of their number. Wu and Crestani 2002."""
    weights = _weights(runs, weights)

    def score(found: Found) -> float:
        return added(score * weights[at] for at, score in found) * math.sqrt(len(found))

    return combined(tables(runs), score, name)


def _weights(runs: Sequence[Run], weights: Sequence[float]) -> list[float]:
    weights = [float(weight) for weight in weights]
    if len(weights) < len(runs):
        raise IndexError(f"{len(weights)} weights for {len(runs)} runs; give one for each")
    return weights
