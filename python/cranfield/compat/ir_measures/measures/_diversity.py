"""Diversity measures; `iteration` of a judgement is its subtopic."""

from __future__ import annotations

from functools import partial

from cranfield.compat.ir_measures.measures._parameters import cutoff, judged_only, level, number, ranked
from cranfield.compat.ir_measures.measures.base import Measure, ParamInfo, family, register

_family = partial(family, __name__)


def _alpha() -> ParamInfo:
    return number(0.5, "loss of what was seen before")


def _novelty() -> dict[str, ParamInfo]:
    return {
        "rel": level(),
        "alpha": _alpha(),
        "beta": number(0.5, "probability of going on to the next document"),
    }


_ERR_IA = _family(
    "ERR_IA",
    "Intent-Aware Expected Reciprocal Rank",
    "ERR of several subtopics.",
    "ERR over subtopics.",
    ranked(),
)

_nERR_IA = _family(
    "nERR_IA",
    "Intent-Aware Normalised Expected Reciprocal Rank",
    "ERR of several subtopics, as a share of the ideal.",
    "ERR over subtopics, as a share of the ideal ranking's.",
    ranked(),
)

_alpha_DCG = _family(
    "alpha_DCG",
    "Alpha Discounted Cumulative Gain",
    "DCG with less gain for subtopics that were seen.",
    "DCG with less gain for subtopics that were seen.",
    ranked(alpha=_alpha()),
)

_alpha_nDCG = _family(
    "alpha_nDCG",
    "Alpha Normalised Discounted Cumulative Gain",
    "nDCG with less gain for subtopics that were seen.",
    "The same as a share of the ideal ranking's.",
    ranked(alpha=_alpha()),
)

_NRBP = _family(
    "NRBP",
    "Novelty- and Rank-Biased Precision",
    "RBP with less gain for subtopics that were seen.",
    "Rank-biased precision with less gain for subtopics that were seen.",
    _novelty(),
)

_nNRBP = _family(
    "nNRBP",
    "Normalised Novelty- and Rank-Biased Precision",
    "NRBP as a share of the ideal.",
    "The same as a share of the ideal ranking's.",
    _novelty(),
)

_AP_IA = _family(
    "AP_IA",
    "Intent-Aware (Mean) Average Precision",
    "AP of several subtopics.",
    "Average precision over subtopics.",
    {"rel": level(), "judged_only": judged_only()},
)

_P_IA = _family(
    "P_IA",
    "Intent-Aware Precision@k",
    "Precision of several subtopics.",
    "Precision over subtopics.",
    ranked(),
)

_StRecall = _family(
    "StRecall",
    "Subtopic Recall at k",
    "Share of the subtopics that the first k documents have.",
    "The fraction of subtopics that are found.",
    {"cutoff": cutoff(), "rel": level()},
)


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
