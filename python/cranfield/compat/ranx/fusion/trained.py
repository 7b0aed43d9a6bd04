"""Fusion by probabilities that a rank holds a relevant document, which are learned from judgements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ._combine import fused, learned, rows


def _arrays(found: list[list[float]]) -> list[Any]:
    return [numpy().array(row, dtype=float) for row in found]


def posfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of ranks."""
    return _arrays(learned(qrels, runs, "posfuse"))


def posfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "posfuse") -> Run:
    """The sum of the probabilities of the ranks. Lillis et al.: Estimating probabilities for effective data fusion. SIGIR 2010."""
    return fused(runs, "posfuse", name, trained=rows(runs, probs))


def probfuse_train(qrels: Qrels, runs: Sequence[Run], n_segments: int) -> Any:
    """Probabilities of segments of one length."""
    return numpy().array(learned(qrels, runs, f"probfuse(segments={n_segments})"), dtype=float)


def probfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "probfuse") -> Run:
    """The sum of the probabilities of the segments, each divided by the segment's number. Lillis et al.: ProbFuse. SIGIR 2006."""
    return fused(runs, "probfuse", name, trained=rows(runs, probs))


def segfuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of segments that grow."""
    return _arrays(learned(qrels, runs, "segfuse"))


def segfuse(runs: Sequence[Run], probs: Sequence[Any], name: str = "segfuse") -> Run:
    """The sum of the probabilities of the segments, times score + 1. Shokouhi: Segmentation of search engine results for effective
    data-fusion. ECIR 2007."""
    return fused(runs, "segfuse", name, trained=rows(runs, probs))


def slidefuse_train(qrels: Qrels, runs: Sequence[Run]) -> list[Any]:
    """Probabilities of ranks."""
    return _arrays(learned(qrels, runs, "slidefuse"))


def slidefuse(runs: Sequence[Run], probs: Sequence[Any], w: int, name: str = "slidefuse") -> Run:
    """The sum of the means of the probabilities from w ranks above to w ranks below. Lillis et al.: Extending probabilistic data fusion
    using sliding windows. ECIR 2008."""
    return fused(runs, f"slidefuse(w={w})", name, trained=rows(runs, probs))
