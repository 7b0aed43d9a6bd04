"""Borda's count, plain and weighted. Aslam and Montague: Models for metasearch. SIGIR 2001."""

from __future__ import annotations

from collections.abc import Sequence

from ..data_structures import Run
from ..normalization._formulas import Scores, candidates
from .comb import comb_sum, wsum


def _points(scores: Scores, everything: list[str]) -> Scores:
    """As many points as there are documents for the first, one less for the next; what is left is shared by all others."""
    count = len(everything)
    points = {doc_id: float(count - place) for place, doc_id in enumerate(scores)}
    left = (count - len(scores) + 1) / 2
    points.update((doc_id, left) for doc_id in everything if doc_id not in scores)
    return points


def _voters(runs: Sequence[Run]) -> list[Run]:
    voters = [Run() for _ in runs]
    for topic in runs[0].keys():
        everything = candidates(run.run[topic] for run in runs)
        for voter, run in zip(voters, runs):
            voter.run[topic] = _points(run.run[topic], everything)
    return voters


def bordafuse(runs: Sequence[Run], name: str = "bordafuse") -> Run:
    """The sum of the points.

    >>> runs = [Run({"q_1": {"d_1": 1.0, "d_2": 0.5}}), Run({"q_1": {"d_2": 1.0}})]
    >>> bordafuse(runs)["q_1"]
    {'d_1': 3.0, 'd_2': 3.0}
    """
    return comb_sum(_voters(runs), name)


def weighted_bordafuse(
    runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_bordafuse"
) -> Run:
    """The weighted sum of the points."""
    return wsum(_voters(runs), weights, name)
