"""Providers whose measures have a name of the native evaluator each."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator
from typing import ClassVar

from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, judged
from cranfield.compat.ir_measures.providers.base import Evaluator, Provider


class SimpleEvaluator(Evaluator):
    """Judgements, and a native evaluator for each measure."""

    def __init__(
        self, measures: Iterable[Measure], qrels: Grades, natives: list[tuple[Measure, Native]]
    ) -> None:
        super().__init__(measures, set(qrels))
        self._natives = natives

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        for measure, native in self._natives:
            for topic, (value,) in native.topics(scores):
                yield from self._metrics(measure, topic, value)

    def _metrics(self, measure: Measure, topic: typing.Any, value: typing.Any) -> Iterator[Metric]:
        yield Metric(topic, measure, 0.0 if value is None else value)


class SimpleProvider(Provider):
    """Subclasses define the measures, and their names for the native evaluator."""

    _NAMES: ClassVar[tuple[str, ...]]
    _EVALUATOR: ClassVar[type[SimpleEvaluator]] = SimpleEvaluator
    # Whether topics without any judgement count.
    _EMPTY_TOPICS: ClassVar[bool] = False

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        measures = list(measures)
        for measure in measures:
            if measure.NAME not in self._NAMES:
                raise ValueError(f"unsupported measure {measure}")
        grades: Grades = QrelsConverter(qrels).as_dict_of_dict()
        grades = grades if self._EMPTY_TOPICS else judged(grades)
        natives = [(measure, self._native(measure, grades)) for measure in measures]
        return self._EVALUATOR(measures, grades, natives)

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        raise NotImplementedError
