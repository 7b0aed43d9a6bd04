"""Scores of different runs on one scale, topic by topic.

>>> from cranfield.compat.ranx import Run, normalize
>>> run = Run({"q_1": {"d_1": 1.0, "d_2": 3.0, "d_3": 2.0}})
>>> normalize(run, "min-max")["q_1"]
{'d_2': 1.0, 'd_3': 0.5, 'd_1': 0.0}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cranfield import _core

from ..data_structures import Run

__all__ = [
    "borda_norm",
    "max_norm",
    "min_max_norm",
    "norm_switch",
    "rank_norm",
    "sum_norm",
    "zmuv_norm",
]

def _normalized(run: Run, norm: str) -> Run:
    """A run with other scores; its documents are in rank order."""
    lists = [[float(score) for score in scores.values()] for scores in run.run.values()]
    found, _ = _core.ranx_normalize(lists, norm, [len(scores) for scores in lists])
    normalized = Run(name=run.name)
    normalized.run = {
        topic: dict(zip(scores, new)) for (topic, scores), new in zip(run.run.items(), found)
    }
    return normalized


def min_max_norm(run: Run, invert: bool = False) -> Run:
    """(score - min) / (max - min); inverted, (max - score) / (max - min)."""
    if not invert:
        return _normalized(run, "min-max")
    normalized = _normalized(run, "min-max-inverted")
    normalized.sort()
    return normalized


def max_norm(run: Run) -> Run:
    """score / max."""
    return _normalized(run, "max")


def sum_norm(run: Run) -> Run:
    """(score - min) / sum of all (score - min)."""
    return _normalized(run, "sum")


def zmuv_norm(run: Run) -> Run:
    """(score - mean) / standard deviation."""
    return _normalized(run, "zmuv")


def rank_norm(run: Run) -> Run:
    """1 for the first of n documents, then 1/n less for each."""
    return _normalized(run, "rank")


def borda_norm(runs: Sequence[Run]) -> list[Run]:
    """Borda points of all documents that any of the runs has, divided by their number.

    >>> runs = [Run({"q": {"d1": 2.0}}), Run({"q": {"d2": 1.0, "d1": 0.5}})]
    >>> [run["q"] for run in borda_norm(runs)]
    [{'d1': 1.0, 'd2': 0.5}, {'d2': 1.0, 'd1': 0.5}]
    """
    topics = list(runs[0].keys())
    everything = [dict.fromkeys(doc_id for run in runs for doc_id in run.run[topic]) for topic in topics]
    counts = [len(doc_ids) for doc_ids in everything]
    normalized = []
    for run in runs:
        lists = [[float(score) for score in run.run[topic].values()] for topic in topics]
        found, missing = _core.ranx_normalize(lists, "borda", counts)
        new = Run(name=run.name)
        for topic, doc_ids, scores, rest in zip(topics, everything, found, missing):
            points = dict(zip(run.run[topic], scores))
            points.update((doc_id, rest or 0.0) for doc_id in doc_ids if doc_id not in points)
            new.run[topic] = points
        normalized.append(new)
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
