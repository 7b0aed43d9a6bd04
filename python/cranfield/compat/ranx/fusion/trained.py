"""Fusion by probabilities that a rank holds a relevant document, which are learned from judgements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..data_structures import Qrels, Run
from ._combine import combined, rescored
from ._training import SEGMENTS, equal_segments, growing_segments, positions
from .comb import total

# The score of a document, from the probabilities of its run, its place, its score and the number of documents.
Score = Callable[[list[float], int, float, int], float]


def _fused(runs: Sequence[Run], probs: Sequence[Any], score: Score, name: str) -> Run:
    known = [[float(value) for value in row] for row in probs]
    if len(known) < len(runs):
        raise IndexError(f"probabilities of {len(known)} runs for {len(runs)} runs")

    def of(at: int) -> Callable[[int, float, int], float]:
        return lambda place, old, count: score(known[at], place, old, count)

    return combined([rescored(run, of(at)) for at, run in enumerate(runs)], total, name)


def posfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of ranks."""
    return positions(qrels, runs)


def posfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "posfuse") -> Run:
    """The sum of the probabilities of the ranks. Lillis et al.: Estimating probabilities for effective data fusion. SIGIR 2010."""

    def score(known: list[float], place: int, _: float, __: int) -> float:
        return known[place] if place < len(known) else 0.0

    return _fused(runs, probs, score, name)


def probfuse_train(qrels: Qrels, runs: Sequence[Run], n_segments: int) -> Any:
    """Probabilities of segments of one length."""
    return equal_segments(qrels, runs, n_segments)


def probfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "probfuse") -> Run:
    """The sum of the probabilities of the segments, each divided by the segment's number. Lillis et al.: ProbFuse. SIGIR 2006."""

    def score(known: list[float], place: int, _: float, count: int) -> float:
        segment = place // -(-count // len(known))
        return known[segment] / (segment + 1)

    return _fused(runs, probs, score, name)


def segfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of segments that grow."""
    return growing_segments(qrels, runs)


def segfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "segfuse") -> Run:
    """The sum of the probabilities of the segments, times score + 1. Shokouhi: Segmentation of search engine results for effective
    data-fusion. ECIR 2007."""

    def score(known: list[float], place: int, old: float, _: int) -> float:
        segment = sum(place >= end for end in SEGMENTS[1:])
        return (known[segment] if segment < len(known) else 0.0) * (old + 1)

    return _fused(runs, probs, score, name)


def slidefuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of ranks."""
    return positions(qrels, runs)


def slidefuse(runs: Sequence[Run], probs: Sequence[Any], w: int, name: str = "slidefuse") -> Run:
    """The sum of the means of the probabilities from w ranks above to w ranks below. Lillis et al.: Extending probabilistic data fusion
    using sliding windows. ECIR 2008."""

    def score(known: list[float], place: int, _: float, count: int) -> float:
        start, end = max(place - w, 0), min(place + w, count - 1) + 1
        return sum(known[start:end]) / (end - start)

    return _fused(runs, probs, score, name)
