"""Grids of parameters. With `show_progress`, a terminal or notebook shows how many configurations are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from cranfield._progress import is_seen, reported, watched

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..fusion import METHODS, probfuse, probfuse_train, slidefuse, slidefuse_train
from ..metrics._scores import Judged, judgements, rankings, read_metric

Tried = tuple[dict[str, Any], dict[str, Any]]
Trial: TypeAlias = tuple[dict[str, Any], Run]
"""Parameters, and the run that they give."""
_Value = TypeVar("_Value")


def _best(
    qrels: Qrels,
    metric: str,
    values: Sequence[_Value],
    trial: Callable[[_Value], Trial],
    nothing: dict[str, Any],
    show_progress: bool,
) -> Tried:
    """The last of the trials with the highest mean; each is called like its value."""
    judged = Judged(judgements(qrels), [read_metric(metric)])
    np = numpy()
    best, highest = nothing, 0.0
    tried = {}
    with watched(show_progress and is_seen()) as watch:
        for value in reported(values, watch, metric, "configurations"):
            parameters, fused = trial(value)
            mean = np.mean(judged.scores(rankings(fused))[0])
            tried[str(value)] = mean
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


def _whole(least: int, most: int, step: int) -> Sequence[int]:
    """Whole numbers in steps."""
    return range(least, most + 1, step)


def _chosen(usual: Mapping[str, Any], given: Mapping[str, Any]) -> list[Any]:
    """Bounds in their order, of which some are given."""
    for name in given:
        if name not in usual:
            raise TypeError(f"got an unexpected keyword argument {name!r}")
    return [given.get(name, value) for name, value in usual.items()]


def try_numbers_of(
    method: str,
    parameter: str,
    least: float,
    most: float,
    step: float,
    numbers: Callable[[Any, Any, Any], Sequence[Any]] = _steps,
) -> Callable[..., Tried]:
    """A parameter of a method that is a number; `min_...`, `max_...` and `step` may be given."""
    usual = {f"min_{parameter}": least, f"max_{parameter}": most, "step": step}

    def try_numbers(
        qrels: Qrels, runs: Sequence[Run], metric: str, show_progress: bool = True, **given: Any
    ) -> Tried:
        def trial(value: Any) -> Trial:
            return {parameter: value}, METHODS[method](runs, value)

        values = numbers(*_chosen(usual, given))
        return _best(qrels, metric, values, trial, {parameter: []}, show_progress)

    return try_numbers


def try_segments(
    qrels: Qrels,
    runs: Sequence[Run],
    metric: str,
    min_n_segments: int = 1,
    max_n_segments: int = 100,
    show_progress: bool = True,
) -> Tried:
    """The number of segments of ProbFuse, of which the probabilities are given."""

    def trial(number: int) -> Trial:
        probs = probfuse_train(qrels, runs, number)
        return {"probs": probs}, probfuse(runs, probs)

    values = _whole(min_n_segments, max_n_segments, 1)
    return _best(qrels, metric, values, trial, {"probs": None}, show_progress)


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

    def trial(w: int) -> Trial:
        return {"probs": probs, "w": w}, slidefuse(runs, probs, w)

    return _best(qrels, metric, _whole(min_w, max_w, 1), trial, {"probs": probs, "w": []}, show_progress)


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
        def trial(weights: tuple[float, ...]) -> Trial:
            return {"weights": weights}, METHODS[method](runs, weights)

        grid = list(weight_grid(step, len(runs)))
        return _best(qrels, metric, grid, trial, {"weights": []}, show_progress)

    return try_weights
