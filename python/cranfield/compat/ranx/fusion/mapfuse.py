"""MAPFuse. Lillis et al.: Estimating probabilities for effective data fusion. SIGIR 2010."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ._combine import checked, fused, learned


def mapfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Mean average precision of each run."""
    return [numpy().float64(mean) for (mean,) in learned(qrels, runs, "mapfuse")]


def mapfuse(runs: Sequence[Run], map_scores: Sequence[float], name: str = "mapfuse") -> Run:
    """The sum of the runs' mean average precision, divided by the rank."""
    means = [[float(mean)] for mean in checked(runs, map_scores, "means")]
    return fused(runs, "mapfuse", name, trained=means)
