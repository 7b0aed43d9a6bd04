"""Combinations of a document's scores: min, max, median, sum and others."""

from __future__ import annotations

from collections.abc import Sequence

from ..data_structures import Run
from ._combine import checked, fused


def comb_min(runs: Sequence[Run], name: str = "comb_min") -> Run:
    """The lowest score. Fox and Shaw: Combination of multiple searches. TREC 1993."""
    return fused(runs, "min", name)


def comb_max(runs: Sequence[Run], name: str = "comb_max") -> Run:
    """The highest score. Fox and Shaw 1993."""
    return fused(runs, "max", name)


def comb_med(runs: Sequence[Run], name: str = "comb_med") -> Run:
    """The median of the scores. Fox and Shaw 1993."""
    return fused(runs, "med", name)


def comb_sum(runs: Sequence[Run], name: str = "comb_sum") -> Run:
    """The sum of the scores. Fox and Shaw 1993.

    >>> runs = [Run({"q_1": {"d_1": 1.0, "d_2": 0.5}}), Run({"q_1": {"d_2": 1.0}})]
    >>> comb_sum(runs)["q_1"]
    {'d_2': 1.5, 'd_1': 1.0}
    """
    return fused(runs, "sum", name)


def comb_anz(runs: Sequence[Run], name: str = "comb_anz") -> Run:
    """The mean of the scores. Fox and Shaw 1993."""
    return fused(runs, "anz", name)


def comb_mnz(runs: Sequence[Run], name: str = "comb_mnz") -> Run:
    """The sum of the scores times their number. Fox and Shaw 1993."""
    return fused(runs, "mnz", name)


def comb_gmnz(runs: Sequence[Run], gamma: float, name: str = "comb_gmnz") -> Run:
    """The sum of the scores times their number to the power of gamma. Lee: Analyses of multiple evidence combination. SIGIR 1997."""
    return fused(runs, f"gmnz(gamma={float(gamma)!r})", name)


def wsum(runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_sum") -> Run:
    """The sum of the scores times the weights of their runs."""
    return fused(runs, "wsum", name, checked(runs, weights, "weights"))


def wmnz(runs: Sequence[Run], weights: Sequence[float], name: str = "wmnz") -> Run:
    """The sum of the scores times the sum of the weights. Wu and Crestani: Data fusion with estimated weights. CIKM 2002."""
    return fused(runs, "wmnz", name, checked(runs, weights, "weights"))


def mixed(runs: Sequence[Run], weights: Sequence[float], name: str = "mixed") -> Run:
    """The weighted sum of the scores times the square root of their number. Wu and Crestani 2002."""
    return fused(runs, "mixed", name, checked(runs, weights, "weights"))
