"""ERR and nDCG with exponential gains, as gdeval of the TREC web track prints them."""

from __future__ import annotations

import typing
from collections.abc import Iterator

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, at
from cranfield.compat.ir_measures.providers._simple import SimpleEvaluator, SimpleProvider
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    register,
)


class GdevalEvaluator(SimpleEvaluator):
    """Values have five digits."""

    def _metrics(self, measure: Measure, topic: typing.Any, value: typing.Any) -> Iterator[Metric]:
        if value is not None:
            yield Metric(topic, measure, float(f"{value:.5f}"))


class GdevalProvider(SimpleProvider):
    """ERR and nDCG; grades from 0 to 4, and equal scores by document id."""

    NAME = "gdeval"
    SUPPORTED_MEASURES = [
        measures._nDCG(
            cutoff=Any(required=True),
            dcg=Choices("exp-log2"),
            gains=Choices(NOT_PROVIDED),
            judged_only=Choices(False),
        ),
        measures._ERR(cutoff=Any(required=True)),
    ]
    _NAMES = ("nDCG", "ERR")
    _EVALUATOR = GdevalEvaluator

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        return Native(qrels, [f"{str(measure.NAME).lower()}{at(measure)}"], profile="gdeval")


register(GdevalProvider())
