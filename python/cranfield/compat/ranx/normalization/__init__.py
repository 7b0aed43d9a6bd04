"""Scores of different runs on one scale, topic by topic.

>>> from cranfield.compat.ranx import Run, normalize
>>> run = Run({"q_1": {"d_1": 1.0, "d_2": 3.0, "d_3": 2.0}})
>>> normalize(run, "min-max")["q_1"]
{'d_2': 1.0, 'd_3': 0.5, 'd_1': 0.0}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..data_structures import Run
from ._formulas import borda, by_max, by_sum, min_max, min_max_inverted, rank, zmuv

__all__ = [
    "borda_norm",
    "max_norm",
    "min_max_norm",
    "norm_switch",
    "rank_norm",
    "sum_norm",
    "zmuv_norm",
]

Formula = Callable[[dict[str, float]], dict[str, float]]


def _apply(formula: Formula, run: Run) -> Run:
    normalized = Run(name=run.name)
    normalized.run = {topic: formula(scores) for topic, scores in run.run.items()}
    return normalized


def min_max_norm(run: Run, invert: bool = False) -> Run:
    """(score - min) / (max - min); inverted, (max - score) / (max - min)."""
    if not invert:
        return _apply(min_max, run)
    normalized = _apply(min_max_inverted, run)
    normalized.sort()
    return normalized


def max_norm(run: Run) -> Run:
    """score / max."""
    return _apply(by_max, run)


def sum_norm(run: Run) -> Run:
    """(score - min) / sum of all (score - min)."""
    return _apply(by_sum, run)


def zmuv_norm(run: Run) -> Run:
    """(score - mean) / standard deviation."""
    return _apply(zmuv, run)


def rank_norm(run: Run) -> Run:
    """1 for the first of n documents, then 1/n less for each."""
    return _apply(rank, run)


def borda_norm(runs: Sequence[Run]) -> list[Run]:
    """Borda points of all documents that any of the runs has, divided by their number."""
    normalized = [Run(name=run.name) for run in runs]
    for topic in runs[0].keys():
        results = [run.run[topic] for run in runs]
        for run, scores in zip(normalized, borda(results)):
            run.run[topic] = scores
    return normalized


_METHODS: dict[str, Callable[[Any], Any]] = {
    "borda": borda_norm,
    "max": max_norm,
    "min_max": min_max_norm,
    "min-max": min_max_norm,
    "min_max_inverted": lambda run: min_max_norm(run, invert=True),
    "min-max-inverted": lambda run: min_max_norm(run, invert=True),
    "rank": rank_norm,
    "sum": sum_norm,
    "zmuv": zmuv_norm,
}


def norm_switch(method: str = "min-max") -> Callable[[Any], Any]:
    """The function with this name."""
    if method not in _METHODS:
        raise ValueError(f"Normalization method {method} not supported.")
    return _METHODS[method]


def normalized_runs(runs: Sequence[Run], norm: str | None) -> Sequence[Run]:
    """All runs on one scale, or as they are."""
    if norm is None:
        return runs
    if norm == "borda":
        return borda_norm(runs)
    method = norm_switch(norm)
    return [method(run) for run in runs]
