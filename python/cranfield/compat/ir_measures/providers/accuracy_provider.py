"""Accuracy of the order."""

from __future__ import annotations

import typing
from collections.abc import Iterator

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, at, binary
from cranfield.compat.ir_measures.providers._simple import SimpleEvaluator, SimpleProvider
from cranfield.compat.ir_measures.providers.base import Any, register


class AccuracyEvaluator(SimpleEvaluator):
    """Topics without a relevant document in the ranking have no value."""

    def iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        return self._iter_calc(run)

    def _metrics(self, measure: Measure, topic: typing.Any, value: typing.Any) -> Iterator[Metric]:
        if value is not None:
            yield Metric(topic, measure, value)


class AccuracyProvider(SimpleProvider):
    """Accuracy; equal scores stay in the order of the run."""

    NAME = "accuracy"
    SUPPORTED_MEASURES = [measures._Accuracy(cutoff=Any(), rel=Any())]
    _NAMES = ("Accuracy",)
    _EMPTY_TOPICS = True
    _EVALUATOR = AccuracyEvaluator

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        cutoff = at(measure) if measure["cutoff"] else ""
        grades = binary(qrels, measure["rel"])
        return Native(grades, [f"Accuracy{cutoff}"], ties="input-order", undefined="skip")


register(AccuracyProvider())
