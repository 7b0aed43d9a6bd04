"""MAPFuse. Lillis et al.: Estimating probabilities for effective data fusion. SIGIR 2010."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..metrics._scores import Metric, compute
from ._combine import combined, rescored
from .comb import total


def mapfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Mean average precision of each run."""
    return [numpy().mean(compute(qrels, run, Metric("map"))) for run in runs]


def mapfuse(runs: Sequence[Run], map_scores: Sequence[float], name: str = "mapfuse") -> Run:
    """The sum of the runs' mean average precision, divided by the rank."""

    def over_rank(mean: float) -> Callable[[int, float, int], float]:
        return lambda place, *_: mean / (place + 1)

    scored = [rescored(run, over_rank(float(map_scores[at]))) for at, run in enumerate(runs)]
    return combined(scored, total, name)
