"""Measures of user models, of C/W/L and of similarity to an ideal ranking."""

from __future__ import annotations

from cranfield.compat.ir_measures.measures._parameters import cutoff, level, number, scale
from cranfield.compat.ir_measures.measures.base import Measure, ParamInfo, register

_TARGET = "gain that the user wants"
_PERSISTENCE = "probability of going on to the next document"


class _BPM(Measure):
    """Bejeweled player model."""

    NAME = __name__ = "BPM"
    PRETTY_NAME = "Bejeweled Player Model"
    SHORT_DESC = "Gain per document until a gain is reached or patience ends."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), "T": number(1.0, _TARGET), **scale()}


class _Compat(Measure):
    """Compatibility."""

    NAME = __name__ = "Compat"
    PRETTY_NAME = "Compatibility"
    SHORT_DESC = "Rank-biased overlap of the ranking with an ideal one."
    SUPPORTED_PARAMS = {
        "p": number(0.95, _PERSISTENCE),
        "normalize": ParamInfo(
            dtype=bool, default=True, desc="divide by what the ideal ranking has with itself"
        ),
    }


class _INST(Measure):
    """INST, in which gain that was found ends the reading earlier."""

    NAME = __name__ = "INST"
    PRETTY_NAME = "INST"
    SHORT_DESC = "Gain per document of a user who wants a gain and adapts to what was found."
    SUPPORTED_PARAMS = {"T": number(1.0, _TARGET), **scale()}


class _INSQ(Measure):
    """INSQ."""

    NAME = __name__ = "INSQ"
    PRETTY_NAME = "INSQ"
    SHORT_DESC = "Gain per document of a user who wants a gain."
    SUPPORTED_PARAMS = {"T": number(1.0, _TARGET), **scale()}


class _NERR8(Measure):
    """Nearly ERR, equation 8: stops at gain, or at rank k."""

    NAME = __name__ = "NERR8"
    PRETTY_NAME = "Nearly Expected Reciprocal Rank Eq 8"
    SHORT_DESC = "Gain per document of a user who stops at gain, or at rank k."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), **scale()}


class _NERR9(Measure):
    """Nearly ERR, equation 9: the same with a discount by rank."""

    NAME = __name__ = "NERR9"
    PRETTY_NAME = "Nearly Expected Reciprocal Rank Eq 9"
    SHORT_DESC = "The same as NERR8, with a discount by rank."
    SUPPORTED_PARAMS = {"cutoff": cutoff(True), **scale()}


class _NERR10(Measure):
    """Nearly ERR, equation 10: with the persistence of RBP."""

    NAME = __name__ = "NERR10"
    PRETTY_NAME = "Nearly Expected Reciprocal Rank Eq 10"
    SHORT_DESC = "The same as NERR8, with the persistence of RBP in place of a cutoff."
    SUPPORTED_PARAMS = {"p": number(0.9, _PERSISTENCE), **scale()}


class _NERR11(Measure):
    """Nearly ERR, equation 11: with the target of INST."""

    NAME = __name__ = "NERR11"
    PRETTY_NAME = "Nearly Expected Reciprocal Rank Eq 11"
    SHORT_DESC = "The same as NERR8, with the target of INST in place of a cutoff."
    SUPPORTED_PARAMS = {"T": number(1.0, _TARGET), **scale()}


class _RBP(Measure):
    """Rank-biased precision; it needs `rel`."""

    NAME = __name__ = "RBP"
    PRETTY_NAME = "Rank-Biased Precision"
    SHORT_DESC = "Gain per document of a user who goes on with a fixed probability."
    SUPPORTED_PARAMS = {
        "cutoff": cutoff(),
        "p": number(0.8, _PERSISTENCE),
        "rel": level(required=False),
    }


class _SDCG(Measure):
    """Scaled DCG: compared with k documents of the highest grade, whether they exist or not."""

    NAME = __name__ = "SDCG"
    PRETTY_NAME = "Scaled Discounted Cumulative Gain"
    SHORT_DESC = "DCG as a share of what k documents of the highest grade would give."
    SUPPORTED_PARAMS = {
        "cutoff": cutoff(True),
        "dcg": ParamInfo(dtype=str, choices=["log2"], default="log2", desc="gain and discount"),
        **scale(),
    }


BPM: Measure = _BPM()
Compat: Measure = _Compat()
INST: Measure = _INST()
INSQ: Measure = _INSQ()
NERR8: Measure = _NERR8()
NERR9: Measure = _NERR9()
NERR10: Measure = _NERR10()
NERR11: Measure = _NERR11()
RBP: Measure = _RBP()
SDCG: Measure = _SDCG()

for _measure in (BPM, Compat, INST, INSQ, NERR8, NERR9, NERR10, NERR11, RBP, SDCG):
    register(_measure)
