"""Condorcet's vote, plain and weighted. Montague and Aslam: Condorcet fusion for improved retrieval. CIKM 2002."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cmp_to_key
from typing import Any

from ..data_structures import Run
from ..normalization._formulas import Scores, candidates

Tables = Sequence[Mapping[str, Scores]]


def get_candidates(runs: Tables) -> list[list[str]]:
    """For each topic all documents, in the order in which they are first met."""
    return [candidates(run[topic] for run in runs) for topic in runs[0]]


def get_results(runs: Tables) -> list[list[list[str]]]:
    """For each topic and run its documents in order."""
    return [[list(run[topic]) for run in runs] for topic in runs[0]]


def _elected(results: list[list[str]], weights: Sequence[float]) -> Scores:
    """Documents by pairwise votes. A run that has neither document does not vote; in a draw the document that was met first wins."""
    places = [{doc_id: place for place, doc_id in enumerate(ranking)} for ranking in results]

    def compare(first: str, second: str) -> int:
        balance = 0.0
        for ranks, weight in zip(places, weights):
            one, other = ranks.get(first, len(ranks)), ranks.get(second, len(ranks))
            balance += weight * ((one > other) - (one < other))
        return (balance > 0) - (balance < 0)

    everything = list(dict.fromkeys(doc_id for ranking in results for doc_id in ranking))
    order = sorted(everything, key=cmp_to_key(compare))
    return {doc_id: float(len(order) - place) for place, doc_id in enumerate(order)}


def condorcet(runs: Sequence[Run], name: str = "condorcet") -> Run:
    """The order in which a majority of the runs has each pair of documents.

    >>> runs = [Run({"q_1": {"d_1": 2.0, "d_2": 1.0}}), Run({"q_1": {"d_2": 1.0}}), Run({"q_1": {"d_2": 1.0}})]
    >>> condorcet(runs)["q_1"]
    {'d_2': 2.0, 'd_1': 1.0}
    """
    return weighted_condorcet(runs, [1.0] * len(runs), name)


def weighted_condorcet(
    runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_condorcet"
) -> Run:
    """The same with votes of different weight."""
    if len(weights) < len(runs):
        raise IndexError(f"{len(weights)} weights for {len(runs)} runs; give one for each")
    results: dict[Any, list[list[str]]] = dict(
        zip(runs[0].keys(), get_results([run.run for run in runs]))
    )
    run = Run(name=name)
    run.run = {topic: _elected(rankings, weights) for topic, rankings in results.items()}
    return run
