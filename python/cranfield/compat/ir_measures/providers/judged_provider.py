"""The fraction of documents that are judged."""

from __future__ import annotations

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, at, regraded
from cranfield.compat.ir_measures.providers._simple import SimpleProvider
from cranfield.compat.ir_measures.providers.base import Any, register


class JudgedProvider(SimpleProvider):
    """The fraction of documents that are judged, with any grade."""

    NAME = "judged"
    SUPPORTED_MEASURES = [measures._Judged(cutoff=Any())]
    _NAMES = ("Judged",)
    _EMPTY_TOPICS = True

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        # Any grade will do.
        grades = regraded(qrels, lambda grade: 0.0)
        return Native(grades, [f"Judged{at(measure)}"], ties="docid-asc")


register(JudgedProvider())
