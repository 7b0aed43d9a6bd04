"""BayesFuse. Aslam and Montague: Models for metasearch. SIGIR 2001."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ._combine import fused, learned, rows


def bayesfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """For each run and rank the logarithm of the odds that a document is relevant, the same for all ranks of a bin."""
    return [numpy().array(odds) for odds in learned(qrels, runs, "bayesfuse")]


def bayesfuse(runs: Sequence[Run], log_odds: Sequence[Any], name: str = "bayesfuse") -> Run:
    """The sum of the log odds; a run that does not have a document gives it log(0.001 / 0.999)."""
    return fused(runs, "bayesfuse", name, trained=rows(runs, log_odds))
