"""Measures of the C/W/L framework, as `cwl_eval` computes them."""

from __future__ import annotations

import logging
import math
import typing
from collections.abc import Iterable, Iterator

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import CwlMetric, Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import (
    Grades,
    Native,
    binary,
    judged,
    regraded,
)
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    Evaluator,
    Provider,
    register,
)

logger = logging.getLogger("ir_measures.cwl_eval")
logger.setLevel("WARNING")

# By name: the name of the native measure, its parameters, and whether it has a cutoff.
_BINARY = {
    "P": ("CWL_P", (), True),
    "RR": ("CWL_RR", (), False),
    "AP": ("CWL_AP", (), False),
    "RBP": ("CWL_RBP", ("p",), False),
}
_GRADED = {
    "BPM": ("BPM", ("T",), True),
    "NERR8": ("NERR8", (), True),
    "NERR9": ("NERR9", (), True),
    "NERR10": ("NERR10", ("p",), False),
    "NERR11": ("NERR11", ("T",), False),
    "INST": ("INST", ("T",), False),
    "INSQ": ("INSQ", ("T",), False),
    "SDCG": ("SDCG", (), True),
}
# Nobody reads further.
_DEPTH = 1000
# Utility of a document, total utility, cost of a document, total cost, and documents read.
_FIGURES = ("EU", "ETU", "EC", "ETC", "ED")


def _names(measure: Measure) -> list[str]:
    """The figures of a measure, of gains from 0 to 1."""
    name, parameters, cut = {**_BINARY, **_GRADED}[str(measure.NAME)]
    cutoff = f"@{min(measure['cutoff'], _DEPTH)}" if cut else ""
    if name == "SDCG":
        return [f"SDCG(max=1){cutoff}"]
    given = "".join(f"{parameter}={measure[parameter]!r}," for parameter in parameters)
    return [f"{name}({given}max_rel=1,figure='{figure}'){cutoff}" for figure in _FIGURES]


def _figures(measure: Measure, values: list[float]) -> list[float]:
    if measure.NAME == "P":
        # As there: the weight of a document times the gain of all, which rounds otherwise than dividing does.
        return [values[1] * (1 / values[4]), *values[1:]]
    if len(values) == len(_FIGURES):
        return values
    # DCG: every one of k documents is read, as often as its discount says.
    read = sum(1 / math.log2(rank + 1) for rank in range(1, min(measure["cutoff"], _DEPTH) + 1))
    return [values[0], values[0] * read, 1.0, read, read]


class CwlEvalProvider(Provider):
    """Measures of C/W/L, with all figures of the framework."""

    NAME = "cwl_eval"
    SUPPORTED_MEASURES = [
        measures._P(cutoff=Any(), rel=Any(), judged_only=Choices(False)),
        measures._RR(cutoff=Choices(NOT_PROVIDED), rel=Any(), judged_only=Choices(False)),
        measures._AP(cutoff=Choices(NOT_PROVIDED), rel=Any(), judged_only=Choices(False)),
        measures._RBP(cutoff=Choices(NOT_PROVIDED), rel=Any(required=True), p=Any()),
        measures._BPM(cutoff=Any(), T=Any(), min_rel=Any(), max_rel=Any(required=True)),
        measures._SDCG(
            cutoff=Any(required=True),
            dcg=Choices("log2"),
            min_rel=Any(),
            max_rel=Any(required=True),
        ),
        measures._NERR8(cutoff=Any(required=True), min_rel=Any(), max_rel=Any(required=True)),
        measures._NERR9(cutoff=Any(required=True), min_rel=Any(), max_rel=Any(required=True)),
        measures._NERR10(p=Any(), min_rel=Any(), max_rel=Any(required=True)),
        measures._NERR11(T=Any(), min_rel=Any(), max_rel=Any(required=True)),
        measures._INST(T=Any(), min_rel=Any(), max_rel=Any(required=True)),
        measures._INSQ(T=Any(), min_rel=Any(), max_rel=Any(required=True)),
    ]

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        measures = list(measures)
        for measure in measures:
            if measure.NAME not in _BINARY and measure.NAME not in _GRADED:
                raise ValueError(f"unsupported measure {measure}")
        return CwlEvaluator(measures, judged(QrelsConverter(qrels).as_dict_of_dict()))


class CwlEvaluator(Evaluator):
    """Judgements and measures of C/W/L."""

    def __init__(self, measures: list[Measure], qrels: Grades) -> None:
        super().__init__(measures, set(qrels))
        # Grades below 0 are 0.
        qrels = regraded(qrels, lambda grade: max(grade, 0))
        groups: dict[tuple[typing.Any, ...], list[Measure]] = {}
        for measure in measures:
            groups.setdefault(_scale(measure), []).append(measure)
        self._groups = [(group, _native(group, qrels)) for group in groups.values()]

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        results = [native.topics(scores) for _, native in self._groups]
        for rows in zip(*results, strict=True):
            for (group, _), (topic, values) in zip(self._groups, rows, strict=True):
                # The original has nothing to say of a ranking without documents.
                if scores[topic]:
                    yield from _metrics(group, topic, values)


def _metrics(group: list[Measure], topic: typing.Any, values: list[float]) -> Iterator[Metric]:
    rest = iter(values)
    for measure in group:
        figures = [next(rest) for _ in _names(measure)]
        # It has the fields of a Metric, and more.
        metric: typing.Any = CwlMetric(topic, measure, *_figures(measure, figures))
        yield metric


def _scale(measure: Measure) -> tuple[typing.Any, ...]:
    """A level, or the lowest and the highest grade."""
    if measure.NAME in _BINARY:
        return (measure["rel"],)
    return measure["min_rel"], measure["max_rel"]


def _native(group: list[Measure], qrels: Grades) -> Native:
    names = [name for measure in group for name in _names(measure)]
    scale = _scale(group[0])
    if len(scale) == 1:
        return Native(binary(qrels, scale[0]), names, ties="input-order")
    low, high = scale
    if not low < high:
        raise AssertionError("min_rel must be less than max_rel")
    _warn(qrels, low, high)
    gains = regraded(qrels, lambda grade: (min(max(grade, low), high) - low) / (high - low))
    return Native(gains, names, ties="input-order")


def _warn(qrels: Grades, low: int, high: int) -> None:
    """Warns of grades beyond the scale, and of a scale wider than the grades."""
    grades = {grade for inner in qrels.values() for grade in inner.values()}
    lowest, highest = min(grades, default=math.inf), max(grades, default=-math.inf)
    if lowest < low:
        logger.warning(f"min_rel={low}, but the lowest grade is {lowest}: it counts as {low}.")
    if lowest > low:
        logger.warning(f"min_rel={low}, but the lowest grade is {lowest}.")
    if highest > high:
        logger.warning(f"max_rel={high}, but the highest grade is {highest}: it counts as {high}.")
    if highest < high:
        logger.warning(f"max_rel={high}, but the highest grade is {highest}.")


register(CwlEvalProvider())
