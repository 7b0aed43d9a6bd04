"""Measures as ranx computes them."""

from __future__ import annotations

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers._native import Grades, Native, at, binary
from cranfield.compat.ir_measures.providers._simple import SimpleProvider
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    register,
)

_CUT = {"P": "precision", "R": "recall", "RR": "mrr", "AP": "map", "Success": "hit_rate"}
_WHOLE = {"SetP": "precision", "SetR": "recall", "NumRet": "hits", "Rprec": "r-precision"}


class RanxProvider(SimpleProvider):
    """Measures of ranx; equal scores stay in the order of the run."""

    NAME = "ranx"
    SUPPORTED_MEASURES = [
        measures._P(cutoff=Any(), rel=Any(), judged_only=Choices(False)),
        measures._SetP(rel=Any(), judged_only=Choices(False)),
        measures._RR(cutoff=Choices(NOT_PROVIDED), rel=Any(), judged_only=Choices(False)),
        measures._Rprec(rel=Any(), judged_only=Choices(False)),
        measures._AP(cutoff=Any(), rel=Any(), judged_only=Choices(False)),
        measures._nDCG(
            cutoff=Any(),
            dcg=Choices("log2", "exp-log2"),
            gains=Choices(NOT_PROVIDED),
            judged_only=Choices(False),
        ),
        measures._R(cutoff=Any(), judged_only=Choices(False)),
        measures._SetR(rel=Any()),
        measures._NumRet(rel=Any(required=True)),
        measures._Success(cutoff=Any(required=True), rel=Any(), judged_only=Choices(False)),
    ]
    _NAMES = ("nDCG", *_CUT, *_WHOLE)

    def _native(self, measure: Measure, qrels: Grades) -> Native:
        name = str(measure.NAME)
        if name == "nDCG":
            gains = "ndcg_burges" if measure["dcg"] == "exp-log2" else "ndcg"
            return Native(qrels, [f"{gains}{at(measure)}"], profile="ranx")
        asked = f"{_CUT[name]}{at(measure)}" if name in _CUT else _WHOLE[name]
        return Native(binary(qrels, measure["rel"]), [asked], profile="ranx")


register(RanxProvider())
