"""Measures of rankings and of sets: those of trec_eval, MS MARCO and gdeval."""

from __future__ import annotations

from cranfield.compat.ir_measures.measures._parameters import cutoff, judged_only, level, number
from cranfield.compat.ir_measures.measures.base import Agg, Measure, ParamInfo, SumAgg, register


class _Accuracy(Measure):
    """How likely a relevant document stands above another one, of topics that have one retrieved."""

    NAME = __name__ = "Accuracy"
    PRETTY_NAME = "Accuracy"
    SHORT_DESC = "How likely a relevant document of the ranking stands above one that is not."
    SUPPORTED_PARAMS = {"cutoff": cutoff(), "rel": level()}


class _AP(Measure):
    """Average precision."""

    NAME = __name__ = "AP"
    PRETTY_NAME = "(Mean) Average Precision"
    SHORT_DESC = "Mean of the precisions at the ranks of relevant documents."
    SUPPORTED_PARAMS = {"cutoff": cutoff(), "rel": level(), "judged_only": judged_only()}


class _Bpref(Measure):
    """Binary preference, which looks at judged documents only."""

    NAME = __name__ = "Bpref"
    PRETTY_NAME = "Binary Preference"
    SHORT_DESC = "How often judged documents that are not relevant stand above relevant ones."
    SUPPORTED_PARAMS = {"rel": level()}


class _ERR(Measure):
    """Expected reciprocal rank."""

    NAME = __name__ = "ERR"
    PRETTY_NAME = "Expected Reciprocal Rank"
    SHORT_DESC = "Expected reciprocal rank at which a user is satisfied, by grades."
    SUPPORTED_PARAMS = {"cutoff": cutoff()}


class _infAP(Measure):
    """Inferred average precision, of sampled judgements; -1 says pooled, but not judged."""

    NAME = __name__ = "infAP"
    PRETTY_NAME = "Inferred Average Precision"
    SHORT_DESC = "Average precision, estimated where pooled documents are not judged."
    SUPPORTED_PARAMS = {"rel": level()}


class _IPrec(Measure):
    """Interpolated precision; the number behind the @ is a recall."""

    NAME = __name__ = "IPrec"
    PRETTY_NAME = "Interpolated Precision@recall"
    SHORT_DESC = "Highest precision at or beyond a recall."
    AT_PARAM = "recall"
    SUPPORTED_PARAMS = {
        "recall": ParamInfo(dtype=float, required=True, desc="recall from which on precision counts"),
        "rel": level(),
        "judged_only": judged_only(),
    }


class _Judged(Measure):
    """The share of judged documents."""

    NAME = __name__ = "Judged"
    PRETTY_NAME = "Judgment Rate at k"
    SHORT_DESC = "Share of the first k documents that are judged."
    SUPPORTED_PARAMS = {"cutoff": cutoff()}


class _nDCG(Measure):
    """Normalised discounted cumulative gain."""

    NAME = __name__ = "nDCG"
    PRETTY_NAME = "Normalised Discounted Cumulative Gain"
    SHORT_DESC = "Gain discounted by rank, as a share of what the ideal ranking has."
    SUPPORTED_PARAMS = {
        "cutoff": cutoff(),
        "dcg": ParamInfo(
            dtype=str, choices=["log2", "exp-log2"], default="log2", desc="gain: grade, or 2^grade - 1"
        ),
        "gains": ParamInfo(dtype=dict, desc="gains by grade; grades that it lacks are their own gains"),
        "judged_only": judged_only(),
    }


class _P(Measure):
    """Precision; it needs a cutoff."""

    NAME = __name__ = "P"
    PRETTY_NAME = "Precision at k"
    SHORT_DESC = "Share of the first k documents that are relevant."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), "rel": level(), "judged_only": judged_only()}


class _R(Measure):
    """Recall; it needs a cutoff. Whether any relevant document is found is `Success`."""

    NAME = __name__ = "R"
    PRETTY_NAME = "Recall at k"
    SHORT_DESC = "Share of the relevant documents that are among the first k."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), "rel": level(), "judged_only": judged_only()}


class _Rprec(Measure):
    """Precision at rank R, where the topic has R relevant documents."""

    NAME = __name__ = "Rprec"
    PRETTY_NAME = "Precision at R"
    SHORT_DESC = "Share of the first R documents that are relevant, of R relevant ones."
    SUPPORTED_PARAMS = {"rel": level(), "judged_only": judged_only()}


class _RR(Measure):
    """Reciprocal rank."""

    NAME = __name__ = "RR"
    PRETTY_NAME = "(Mean) Reciprocal Rank"
    SHORT_DESC = "One divided by the rank of the first relevant document."
    SUPPORTED_PARAMS = {"cutoff": cutoff(), "rel": level(), "judged_only": judged_only()}


class _Success(Measure):
    """Whether a relevant document is found; others call it recall."""

    NAME = __name__ = "Success"
    PRETTY_NAME = "Success at k"
    SHORT_DESC = "1 if a relevant document is among the first k, else 0."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), "rel": level(), "judged_only": judged_only()}


class _SetP(Measure):
    """Precision of all documents returned."""

    NAME = __name__ = "SetP"
    PRETTY_NAME = "Set Precision"
    SHORT_DESC = "Share of all returned documents that are relevant."
    SUPPORTED_PARAMS = {
        "rel": level(),
        "relative": ParamInfo(
            dtype=bool, default=False, desc="divide by the highest value that so many documents can have"
        ),
        "judged_only": judged_only(),
    }


class _SetR(Measure):
    """Recall of all documents returned."""

    NAME = __name__ = "SetR"
    PRETTY_NAME = "Set Recall"
    SHORT_DESC = "Share of the relevant documents that are returned."
    SUPPORTED_PARAMS = {"rel": level()}


class _SetF(Measure):
    """Harmonic mean of precision and recall of all documents returned."""

    NAME = __name__ = "SetF"
    PRETTY_NAME = "Set F1"
    SHORT_DESC = "Harmonic mean of precision and recall of all returned documents."
    SUPPORTED_PARAMS = {
        "rel": level(),
        "beta": number(1.0, "weight of recall beside precision"),
        "judged_only": judged_only(),
    }


class _SetAP(Measure):
    """Precision times recall of all documents returned."""

    NAME = __name__ = "SetAP"
    PRETTY_NAME = "Set Average Precision"
    SHORT_DESC = "Precision times recall of all returned documents."
    SUPPORTED_PARAMS = {"rel": level(), "judged_only": judged_only()}


class _Count(Measure):
    """A number of things, which is added up over topics."""

    def aggregator(self) -> Agg:
        return SumAgg()


class _NumQ(_Count):
    """The number of topics that judgements and run have."""

    NAME = __name__ = "NumQ"
    PRETTY_NAME = "Number of Queries"
    SHORT_DESC = "Number of topics."
    SUPPORTED_PARAMS = {}


class _NumRel(_Count):
    """The number of relevant documents of topics that the run has."""

    NAME = __name__ = "NumRel"
    PRETTY_NAME = "Number of Relevant Documents"
    SHORT_DESC = "Number of relevant documents in the judgements."
    SUPPORTED_PARAMS = {"rel": level()}


class _NumRet(_Count):
    """The number of documents returned, or with `rel` of those that are relevant."""

    NAME = __name__ = "NumRet"
    PRETTY_NAME = "Number of Retrieved Documents"
    SHORT_DESC = "Number of documents returned."
    SUPPORTED_PARAMS = {"rel": level(required=False)}


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
