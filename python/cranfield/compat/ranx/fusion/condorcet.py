"""Condorcet's vote, plain and weighted. Montague and Aslam: Condorcet fusion for improved retrieval. CIKM 2002."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data_structures import Run
from ._combine import checked, fused

Tables = Sequence[Mapping[str, Mapping[str, Any]]]


def get_candidates(runs: Tables) -> list[list[str]]:
    """For each topic all documents, in the order in which they are first met."""
    return [list(dict.fromkeys(doc_id for run in runs for doc_id in run[topic])) for topic in runs[0]]


def get_results(runs: Tables) -> list[list[list[str]]]:
    """For each topic and run its documents in order."""
    return [[list(run[topic]) for run in runs] for topic in runs[0]]


def _elected(run: Run) -> Run:
    """As ranx leaves the run: in order, but not marked as sorted."""
    run.sorted = False
    return run


def condorcet(runs: Sequence[Run], name: str = "condorcet") -> Run:
    """The order in which a majority of the runs has each pair of documents.

    >>> runs = [Run({"q_1": {"d_1": 2.0, "d_2": 1.0}}), Run({"q_1": {"d_2": 1.0}}), Run({"q_1": {"d_2": 1.0}})]
    >>> condorcet(runs)["q_1"]
    {'d_2': 2.0, 'd_1': 1.0}
    """
    return _elected(fused(runs, "condorcet", name))


def weighted_condorcet(
    runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_condorcet"
) -> Run:
    """The same with votes of different weight."""
    return _elected(fused(runs, "w_condorcet", name, checked(runs, weights, "weights")))
