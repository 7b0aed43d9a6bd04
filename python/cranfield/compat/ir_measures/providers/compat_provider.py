"""Compatibility."""

from __future__ import annotations

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native
from cranfield.compat.ir_measures.providers._simple import SimpleProvider
from cranfield.compat.ir_measures.providers.base import Any, register


class CompatProvider(SimpleProvider):
    """Compatibility with an ideal ranking."""

    NAME = "compat"
    SUPPORTED_MEASURES = [measures._Compat(p=Any(), normalize=Any())]
    _NAMES = ("Compat",)
    _EMPTY_TOPICS = True

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        name = f"Compat(p={measure['p']!r},normalize='{bool(measure['normalize'])}')"
        return Native(qrels, [name], ties="docid-asc")


register(CompatProvider())
