"""Grids of parameters. `show_progress` is there for scripts that give it: nothing is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..fusion import (
    METHODS,
    comb_gmnz,
    logn_isr,
    probfuse,
    probfuse_train,
    rbc,
    rrf,
    slidefuse,
    slidefuse_train,
)
from ..metrics._scores import Judged, judgements, rankings, read_metric

Tried = tuple[dict[str, Any], dict[str, Any]]


def _best(
    qrels: Qrels,
    metric: str,
    trials: Iterable[tuple[str, dict[str, Any], Callable[[], Run]]],
    nothing: dict[str, Any],
) -> Tried:
    """The last of the trials with the highest mean: each has a name, parameters, and a run."""
    judged = Judged(judgements(qrels), [read_metric(metric)])
    np = numpy()
    best, highest = nothing, 0.0
    tried = {}
    for name, parameters, fused in trials:
        mean = np.mean(judged.scores(rankings(fused()))[0])
        tried[name] = mean
        if mean >= highest:
            best, highest = parameters, mean
    return best, tried


def _steps(least: float, most: float, step: float) -> list[float]:
    """Numbers in steps, rounded to the digits of the step.

    >>> _steps(0.25, 1.0, 0.25)
    [0.25, 0.5, 0.75, 1.0]
    """
    digits = max(0, str(step)[::-1].find("."))
    return [round(float(x), digits) for x in numpy().arange(least, most + step, step)]


def _one_number(
    name: str, values: Iterable[Any], fused: Callable[[Any], Run], qrels: Qrels, metric: str
) -> Tried:
    trials = ((str(value), {name: value}, partial(fused, value)) for value in values)
    return _best(qrels, metric, trials, {name: []})


def try_gamma(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_gamma: float = 0.01,
    max_gamma: float = 1.0,
    step: float = 0.01,
    show_progress: bool = True,
) -> Tried:
    """`gamma` of CombGMNZ."""
    values = _steps(min_gamma, max_gamma, step)
    return _one_number("gamma", values, lambda gamma: comb_gmnz(runs, gamma), qrels, metric)


def try_sigma(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_sigma: float = 0.01,
    max_sigma: float = 1.0,
    step: float = 0.01,
    show_progress: bool = True,
) -> Tried:
    """`sigma` of LogN_ISR."""
    values = _steps(min_sigma, max_sigma, step)
    return _one_number("sigma", values, lambda sigma: logn_isr(runs, sigma), qrels, metric)


def try_phi(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_phi: float = 0.01,
    max_phi: float = 1.0,
    step: float = 0.01,
    show_progress: bool = True,
) -> Tried:
    """`phi` of RBC."""
    values = _steps(min_phi, max_phi, step)
    return _one_number("phi", values, lambda phi: rbc(runs, phi), qrels, metric)


def try_k(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_k: int = 10,
    max_k: int = 100,
    step: int = 10,
    show_progress: bool = True,
) -> Tried:
    """`k` of RRF."""
    values = range(min_k, max_k + 1, step)
    return _one_number("k", values, lambda k: rrf(runs, k), qrels, metric)


def try_segments(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_n_segments: int = 1,
    max_n_segments: int = 100,
    show_progress: bool = True,
) -> Tried:
    """The number of segments of ProbFuse, of which the probabilities are given."""

    def trials() -> Iterator[tuple[str, dict[str, Any], Callable[[], Run]]]:
        for number in range(min_n_segments, max_n_segments + 1):
            probs = probfuse_train(qrels, runs, number)
            yield str(number), {"probs": probs}, partial(probfuse, runs, probs)

    return _best(qrels, metric, trials(), {"probs": None})


def try_windows(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_w: int = 1,
    max_w: int = 100,
    show_progress: bool = True,
) -> Tried:
    """`w` of SlideFuse."""
    probs = slidefuse_train(qrels, runs)
    trials = (
        (str(w), {"probs": probs, "w": w}, partial(slidefuse, runs, probs, w))
        for w in range(min_w, max_w + 1)
    )
    return _best(qrels, metric, trials, {"probs": probs, "w": []})


def weight_grid(step: float, count: int) -> Iterator[tuple[float, ...]]:
    """All weights in steps whose sum is 1, whatever rounding does to it.

    >>> list(weight_grid(0.5, 2))
    [(0.0, 1.0), (0.5, 0.5), (1.0, 0.0)]
    >>> sum(1 for _ in weight_grid(0.1, 3))
    66
    """
    values = _steps(0.0, 1.0, step)

    def extended(start: tuple[float, ...]) -> Iterator[tuple[float, ...]]:
        left = 1.0 - sum(start)
        if len(start) == count:
            if abs(left) < 1e-9:
                yield start
            return
        for value in values:
            if value <= left + 1e-9:
                yield from extended((*start, value))

    return extended(())


def try_weights_of(method: str) -> Callable[..., Tried]:
    """Weights of a method."""

    def try_weights(
        qrels: Qrels,
        runs: Sequence[Run],
        metric: str,
        step: float = 0.1,
        show_progress: bool = True,
    ) -> Tried:
        fusion = METHODS[method]
        trials = (
            (str(weights), {"weights": weights}, partial(fusion, runs, weights))
            for weights in weight_grid(step, len(runs))
        )
        return _best(qrels, metric, trials, {"weights": []})

    return try_weights
