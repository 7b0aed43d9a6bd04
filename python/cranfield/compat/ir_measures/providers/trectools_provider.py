"""Measures of trectools, of which the default pipeline asks for none."""

from __future__ import annotations

import typing
from collections.abc import Iterator

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._convert import RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import LAST_RANK, Grades, Native, at, regraded
from cranfield.compat.ir_measures.providers._simple import SimpleEvaluator, SimpleProvider
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    register,
)


class TrectoolsEvaluator(SimpleEvaluator):
    """Topics are in the order of their ids."""

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        return super()._iter_calc({topic: scores[topic] for topic in sorted(scores)})


class TrectoolsProvider(SimpleProvider):
    """Measures of trectools; equal scores stay in the order of the run, and are averaged by RBP."""

    NAME = "trectools"
    SUPPORTED_MEASURES = [
        measures._P(cutoff=Any(), rel=Choices(1), judged_only=Choices(False)),
        measures._RR(cutoff=Choices(NOT_PROVIDED), rel=Choices(1), judged_only=Choices(False)),
        measures._Rprec(rel=Choices(1), judged_only=Choices(False)),
        measures._AP(cutoff=Any(), rel=Choices(1), judged_only=Choices(False)),
        measures._nDCG(
            cutoff=Any(), dcg=Any(), gains=Choices(NOT_PROVIDED), judged_only=Choices(False)
        ),
        measures._Bpref(rel=Choices(1)),
        measures._RBP(cutoff=Any(), p=Any(), rel=Any()),
    ]
    _NAMES = ("P", "RR", "Rprec", "AP", "nDCG", "Bpref", "RBP")
    _EVALUATOR = TrectoolsEvaluator

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        name = str(measure.NAME)
        cutoff = at(measure) if "cutoff" in measure.SUPPORTED_PARAMS else ""
        if name == "RBP":
            if measure["rel"] is not NOT_PROVIDED:
                raise RuntimeError("unsupported")
            asked = f"RBP(gains='grade',p={measure['p']!r}){cutoff}"
            return Native(qrels, [asked], ties="expected")
        if name == "nDCG":
            gains = "exp" if measure["dcg"] == "exp-log2" else "grade"
            return Native(qrels, [f"nDCG(gains='{gains}'){cutoff}"], ties="input-order")
        if name == "P" and not cutoff:
            cutoff = f"@{LAST_RANK}"
        grades = regraded(qrels, lambda grade: 1.0 if grade > 0 else 0.0)
        return Native(grades, [f"{name}{cutoff}"], ties="input-order")


register(TrectoolsProvider())
