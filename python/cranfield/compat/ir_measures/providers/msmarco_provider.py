"""Reciprocal rank as MS MARCO computes it."""

from __future__ import annotations

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, at, binary
from cranfield.compat.ir_measures.providers._simple import SimpleProvider
from cranfield.compat.ir_measures.providers.base import Any, Choices, register


class MsMarcoProvider(SimpleProvider):
    """Reciprocal rank, with or without a cutoff."""

    NAME = "msmarco"
    SUPPORTED_MEASURES = [measures._RR(cutoff=Any(), rel=Any(), judged_only=Choices(False))]
    _NAMES = ("RR",)

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        # Topics without a relevant document come last, as do those that the run lacks.
        grades = binary(qrels, measure["rel"])
        found = {topic: inner for topic, inner in grades.items() if any(inner.values())}
        return Native(found, [f"RR{at(measure)}"], ties="docid-asc")


register(MsMarcoProvider())
