"""Measures of diversity; `iteration` of a judgement is its subtopic."""

from __future__ import annotations

from cranfield.compat.ir_measures.measures._parameters import cutoff, judged_only, level, number
from cranfield.compat.ir_measures.measures.base import Measure, ParamInfo, register


def _ranked(**more: ParamInfo) -> dict[str, ParamInfo]:
    return {"cutoff": cutoff(), "rel": level(), **more, "judged_only": judged_only()}


def _novelty() -> dict[str, ParamInfo]:
    return {
        "rel": level(),
        "alpha": number(0.5, "loss of what was seen before"),
        "beta": number(0.5, "probability of going on to the next document"),
    }


class _ERR_IA(Measure):
    """ERR over subtopics."""

    NAME = __name__ = "ERR_IA"
    PRETTY_NAME = "Intent-Aware Expected Reciprocal Rank"
    SHORT_DESC = "ERR of several subtopics."
    SUPPORTED_PARAMS = _ranked()


class _nERR_IA(Measure):
    """ERR over subtopics, as a share of the ideal ranking's."""

    NAME = __name__ = "nERR_IA"
    PRETTY_NAME = "Intent-Aware Normalised Expected Reciprocal Rank"
    SHORT_DESC = "ERR of several subtopics, as a share of the ideal."
    SUPPORTED_PARAMS = _ranked()


class _alpha_DCG(Measure):
    """DCG with less gain for subtopics that were seen."""

    NAME = __name__ = "alpha_DCG"
    PRETTY_NAME = "Alpha Discounted Cumulative Gain"
    SHORT_DESC = "DCG with less gain for subtopics that were seen."
    SUPPORTED_PARAMS = _ranked(alpha=number(0.5, "loss of what was seen before"))


class _alpha_nDCG(Measure):
    """The same as a share of the ideal ranking's."""

    NAME = __name__ = "alpha_nDCG"
    PRETTY_NAME = "Alpha Normalised Discounted Cumulative Gain"
    SHORT_DESC = "nDCG with less gain for subtopics that were seen."
    SUPPORTED_PARAMS = _ranked(alpha=number(0.5, "loss of what was seen before"))


class _NRBP(Measure):
    """Rank-biased precision with less gain for subtopics that were seen."""

    NAME = __name__ = "NRBP"
    PRETTY_NAME = "Novelty- and Rank-Biased Precision"
    SHORT_DESC = "RBP with less gain for subtopics that were seen."
    SUPPORTED_PARAMS = _novelty()


class _nNRBP(Measure):
    """The same as a share of the ideal ranking's."""

    NAME = __name__ = "nNRBP"
    PRETTY_NAME = "Normalised Novelty- and Rank-Biased Precision"
    SHORT_DESC = "NRBP as a share of the ideal."
    SUPPORTED_PARAMS = _novelty()


class _AP_IA(Measure):
    """Average precision over subtopics."""

    NAME = __name__ = "AP_IA"
    PRETTY_NAME = "Intent-Aware (Mean) Average Precision"
    SHORT_DESC = "AP of several subtopics."
    SUPPORTED_PARAMS = {"rel": level(), "judged_only": judged_only()}


class _P_IA(Measure):
    """Precision over subtopics."""

    NAME = __name__ = "P_IA"
    PRETTY_NAME = "Intent-Aware Precision@k"
    SHORT_DESC = "Precision of several subtopics."
    SUPPORTED_PARAMS = _ranked()


class _StRecall(Measure):
    """The share of subtopics that are found."""

    NAME = __name__ = "StRecall"
    PRETTY_NAME = "Subtopic Recall at k"
    SHORT_DESC = "Share of the subtopics that the first k documents have."
    SUPPORTED_PARAMS = {"cutoff": cutoff(), "rel": level()}


ERR_IA: Measure = _ERR_IA()
nERR_IA: Measure = _nERR_IA()
alpha_DCG: Measure = _alpha_DCG()
alpha_nDCG: Measure = _alpha_nDCG()
α_DCG = alpha_DCG
α_nDCG = alpha_nDCG
NRBP: Measure = _NRBP()
nNRBP: Measure = _nNRBP()
AP_IA: Measure = _AP_IA()
MAP_IA = AP_IA
P_IA: Measure = _P_IA()
StRecall: Measure = _StRecall()

register(ERR_IA)
register(nERR_IA)
register(alpha_DCG, ["α_DCG"])
register(alpha_nDCG, ["α_nDCG"])
register(NRBP)
register(nNRBP)
register(AP_IA, ["MAP_IA"])
register(P_IA)
register(StRecall)
