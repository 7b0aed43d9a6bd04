"""Measures of rankings and of sets: those of trec_eval, MS MARCO and gdeval."""

from __future__ import annotations

from functools import partial

from cranfield.compat.ir_measures.measures._parameters import cutoff, judged_only, level, number, ranked
from cranfield.compat.ir_measures.measures.base import Agg, Measure, ParamInfo, SumAgg, family, register

_family = partial(family, __name__)

_Accuracy = _family(
    "Accuracy",
    "Accuracy",
    "How likely a relevant document of the ranking stands above one that is not.",
    "How likely a relevant document stands above another one, of topics that have one retrieved.",
    {"cutoff": cutoff(), "rel": level()},
)

_AP = _family(
    "AP",
    "(Mean) Average Precision",
    "Mean of the precisions at the ranks of relevant documents.",
    "Average precision.",
    ranked(),
)

_Bpref = _family(
    "Bpref",
    "Binary Preference",
    "How often judged documents that are not relevant stand above relevant ones.",
    "Binary preference, which looks at judged documents only.",
    {"rel": level()},
)

_ERR = _family(
    "ERR",
    "Expected Reciprocal Rank",
    "Expected reciprocal rank at which a user is satisfied, by grades.",
    "Expected reciprocal rank.",
    {"cutoff": cutoff()},
)

_infAP = _family(
    "infAP",
    "Inferred Average Precision",
    "Average precision, estimated where pooled documents are not judged.",
    "Inferred average precision, of sampled judgements; -1 says pooled, but not judged.",
    {"rel": level()},
)

_IPrec = _family(
    "IPrec",
    "Interpolated Precision@recall",
    "Highest precision at or beyond a recall.",
    "Interpolated precision; the number behind the @ is a recall.",
    {
        "recall": ParamInfo(dtype=float, required=True, desc="recall from which on precision counts"),
        "rel": level(),
        "judged_only": judged_only(),
    },
    at="recall",
)

_Judged = _family(
    "Judged",
    "Judgment Rate at k",
    "Share of the first k documents that are judged.",
    "The fraction of documents that are judged.",
    {"cutoff": cutoff()},
)

_nDCG = _family(
    "nDCG",
    "Normalised Discounted Cumulative Gain",
    "Gain discounted by rank, as a share of what the ideal ranking has.",
    "Normalised discounted cumulative gain.",
    {
        "cutoff": cutoff(),
        "dcg": ParamInfo(
            dtype=str, choices=["log2", "exp-log2"], default="log2", desc="gain: grade, or 2^grade - 1"
        ),
        "gains": ParamInfo(dtype=dict, desc="gains by grade; grades that it lacks are their own gains"),
        "judged_only": judged_only(),
    },
)

_P = _family(
    "P",
    "Precision at k",
    "Share of the first k documents that are relevant.",
    "Precision; it needs a cutoff.",
    ranked(True),
)

_R = _family(
    "R",
    "Recall at k",
    "Share of the relevant documents that are among the first k.",
    "Recall; it needs a cutoff. Whether any relevant document is found is `Success`.",
    ranked(True),
)

_Rprec = _family(
    "Rprec",
    "Precision at R",
    "Share of the first R documents that are relevant, of R relevant ones.",
    "Precision at rank R, where the topic has R relevant documents.",
    {"rel": level(), "judged_only": judged_only()},
)

_RR = _family(
    "RR",
    "(Mean) Reciprocal Rank",
    "One divided by the rank of the first relevant document.",
    "Reciprocal rank.",
    ranked(),
)

_Success = _family(
    "Success",
    "Success at k",
    "1 if a relevant document is among the first k, else 0.",
    "Whether a relevant document is found; others call it recall.",
    ranked(True),
)

_SetP = _family(
    "SetP",
    "Set Precision",
    "Share of all returned documents that are relevant.",
    "Precision of all documents returned.",
    {
        "rel": level(),
        "relative": ParamInfo(
            dtype=bool, default=False, desc="divide by the highest value that so many documents can have"
        ),
        "judged_only": judged_only(),
    },
)

_SetR = _family(
    "SetR",
    "Set Recall",
    "Share of the relevant documents that are returned.",
    "Recall of all documents returned.",
    {"rel": level()},
)

_SetF = _family(
    "SetF",
    "Set F1",
    "Harmonic mean of precision and recall of all returned documents.",
    "Harmonic mean of precision and recall of all documents returned.",
    {
        "rel": level(),
        "beta": number(1.0, "weight of recall beside precision"),
        "judged_only": judged_only(),
    },
)

_SetAP = _family(
    "SetAP",
    "Set Average Precision",
    "Precision times recall of all returned documents.",
    "Precision times recall of all documents returned.",
    {"rel": level(), "judged_only": judged_only()},
)


class _Count(Measure):
    """A count, which is summed over topics."""

    def aggregator(self) -> Agg:
        return SumAgg()

_NumQ = _family(
    "NumQ",
    "Number of Queries",
    "Number of topics.",
    "The number of topics that judgements and run have.",
    {},
    base=_Count,
)

_NumRel = _family(
    "NumRel",
    "Number of Relevant Documents",
    "Number of relevant documents in the judgements.",
    "The number of relevant documents of topics that the run has.",
    {"rel": level()},
    base=_Count,
)

_NumRet = _family(
    "NumRet",
    "Number of Retrieved Documents",
    "Number of documents returned.",
    "The number of documents returned, or with `rel` of those that are relevant.",
    {"rel": level(required=False)},
    base=_Count,
)


Accuracy: Measure = _Accuracy()
AP: Measure = _AP()
MAP = AP
Bpref: Measure = _Bpref()
BPref = Bpref
ERR: Measure = _ERR()
infAP: Measure = _infAP()
IPrec: Measure = _IPrec()
Judged: Measure = _Judged()
nDCG: Measure = _nDCG()
NDCG = nDCG
NumQ: Measure = _NumQ()
NumRel: Measure = _NumRel()
NumRet: Measure = _NumRet()
NumRelRet = NumRet(rel=1)
P: Measure = _P()
Precision = P
R: Measure = _R()
Recall = R
Rprec: Measure = _Rprec()
RPrec = Rprec
RR: Measure = _RR()
MRR = RR
SetP: Measure = _SetP()
SetRelP = SetP(relative=True)
SetR: Measure = _SetR()
SetF: Measure = _SetF()
SetAP: Measure = _SetAP()
Success: Measure = _Success()

register(Accuracy)
register(AP, ["MAP"])
register(Bpref, ["BPref"])
register(ERR)
register(infAP)
register(IPrec)
register(Judged)
register(nDCG, ["NDCG"])
register(NumQ)
register(NumRel)
register(NumRet)
register(NumRelRet, name="NumRelRet")
register(P, ["Precision"])
register(R, ["Recall"])
register(Rprec, ["RPrec"])
register(RR, ["MRR"])
register(SetP)
register(SetRelP, name="SetRelP")
register(SetR)
register(SetF)
register(SetAP)
register(Success)
