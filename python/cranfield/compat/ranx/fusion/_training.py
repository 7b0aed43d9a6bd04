"""Training data of fusion methods, from judgements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..metrics._scores import judgements, rankings
from ..metrics.get_hit_lists import hit_list


def hit_lists(qrels: Qrels, run: Run) -> list[list[float]]:
    """For each topic and rank 1 if the document is relevant, and 0 if it is not."""
    pairs = zip(judgements(qrels), rankings(run))
    return [hit_list(grades, ranking) for grades, ranking in pairs]


def positions(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """For each run and rank the share of topics with a document at that rank that have a relevant one there."""
    return [_position(hit_lists(qrels, run)) for run in runs]


def _position(lists: list[list[float]]) -> Any:
    longest = max(map(len, lists), default=0)
    found, there = [0.0] * longest, [0.0] * longest
    for hits in lists:
        for place, hit in enumerate(hits):
            found[place] += hit
            there[place] += 1
    return numpy().array([hit / count for hit, count in zip(found, there)], dtype=float)


def equal_segments(qrels: Qrels, runs: Sequence[Run], n_segments: int) -> Any:
    """For each run and segment of its rankings the mean share of relevant documents, with all segments of one length."""
    rows = [_equal(hit_lists(qrels, run), n_segments) for run in runs]
    return numpy().array(rows, dtype=float).reshape(len(rows), n_segments)


def _equal(lists: list[list[float]], n_segments: int) -> list[float]:
    shares = [0.0] * n_segments
    for hits in lists:
        length = -(-len(hits) // n_segments)
        for at in range(n_segments):
            segment = hits[at * length : (at + 1) * length]
            if segment:
                shares[at] += sum(segment) / len(segment)
    return [share / len(lists) if lists else 0.0 for share in shares]


# Ranks at which segments of SegFuse end: each is twice as long as the one before.
SEGMENTS = (0, *(10 * 2**number - 5 for number in range(10)))


def growing_segments(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """For each run and segment of its rankings the mean share of relevant documents, with segments that grow."""
    found = []
    for run in runs:
        lists = hit_lists(qrels, run)
        bounds = list(zip(SEGMENTS, SEGMENTS[1:]))
        shares = [0.0] * len(bounds)
        for hits in lists:
            for at, (start, end) in enumerate(bounds):
                shares[at] += sum(hits[start:end]) / (end - start)
        found.append(numpy().array(shares, dtype=float) / max(len(lists), 1))
    return found
