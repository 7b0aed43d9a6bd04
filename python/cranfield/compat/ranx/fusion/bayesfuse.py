"""BayesFuse. Aslam and Montague: Models for metasearch. SIGIR 2001."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..normalization._formulas import added
from ._combine import Found, combined, rescored
from ._training import hit_lists

_ENDS = (0, 5, 10, 15, 20, 30, 100, 200, 500, 1000)
# Of a document that a run has not found, or has below the last rank that was looked at.
_NOTHING = math.log(0.001 / 0.999)


def _estimate_log_odds(hit_lists: Sequence[Any], cut_offs: Sequence[int]) -> Any:
    """For each rank the logarithm of the odds that a document is relevant, the same for all ranks between two cutoffs."""
    odds = numpy().zeros(max(cut_offs))
    for start, end in zip(cut_offs, cut_offs[1:]):
        share = added(added(hits[start:end]) / (end - start) / len(hit_lists) for hits in hit_lists)
        share = share or 0.001
        odds[start:end] = math.log(share / ((1 - share) or 0.001))
    return odds


def bayesfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Log odds of the ranks of each run."""
    return [_estimate_log_odds(hit_lists(qrels, run), _ENDS) for run in runs]


def bayesfuse(runs: Sequence[Run], log_odds: Sequence[Any], name: str = "bayesfuse") -> Run:
    """The sum of the log odds; a run that does not have a document gives it log(0.001 / 0.999)."""
    known = [[float(value) for value in odds] for odds in log_odds]

    def odds_of(at: int) -> Any:
        return lambda place, *_: known[at][place] if place < len(known[at]) else _NOTHING

    scored = [rescored(run, odds_of(at)) for at, run in enumerate(runs)]

    def score(found: Found) -> float:
        given = dict(found)
        return added(given.get(at, _NOTHING) for at in range(len(runs)))

    return combined(scored, score, name)
