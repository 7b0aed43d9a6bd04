"""Measures of user models, of C/W/L and of similarity to an ideal ranking."""

from __future__ import annotations

from functools import partial

from cranfield.compat.ir_measures.measures._parameters import cutoff, level, number, scale
from cranfield.compat.ir_measures.measures.base import Measure, ParamInfo, family, register

_family = partial(family, __name__)

_TARGET = "gain that the user wants"
_PERSISTENCE = "probability of going on to the next document"

_BPM = _family(
    "BPM",
    "Bejeweled Player Model",
    "Gain per document until a gain is reached or patience ends.",
    "Bejeweled player model.",
    {"cutoff": cutoff(True), "T": number(1.0, _TARGET), **scale()},
)

_Compat = _family(
    "Compat",
    "Compatibility",
    "Rank-biased overlap of the ranking with an ideal one.",
    "Compatibility.",
    {
        "p": number(0.95, _PERSISTENCE),
        "normalize": ParamInfo(
            dtype=bool, default=True, desc="divide by what the ideal ranking has with itself"
        ),
    },
)

_INST = _family(
    "INST",
    "INST",
    "Gain per document of a user who wants a gain and adapts to what was found.",
    "INST, in which gain that was found ends the reading earlier.",
    {"T": number(1.0, _TARGET), **scale()},
)

_INSQ = _family(
    "INSQ",
    "INSQ",
    "Gain per document of a user who wants a gain.",
    "INSQ.",
    {"T": number(1.0, _TARGET), **scale()},
)

_NERR8 = _family(
    "NERR8",
    "Nearly Expected Reciprocal Rank Eq 8",
    "Gain per document of a user who stops at gain, or at rank k.",
    "Nearly ERR, equation 8: stops at gain, or at rank k.",
    {"cutoff": cutoff(True), **scale()},
)

_NERR9 = _family(
    "NERR9",
    "Nearly Expected Reciprocal Rank Eq 9",
    "The same as NERR8, with a discount by rank.",
    "Nearly ERR, equation 9: the same with a discount by rank.",
    {"cutoff": cutoff(True), **scale()},
)

_NERR10 = _family(
    "NERR10",
    "Nearly Expected Reciprocal Rank Eq 10",
    "The same as NERR8, with the persistence of RBP in place of a cutoff.",
    "Nearly ERR, equation 10: with the persistence of RBP.",
    {"p": number(0.9, _PERSISTENCE), **scale()},
)

_NERR11 = _family(
    "NERR11",
    "Nearly Expected Reciprocal Rank Eq 11",
    "The same as NERR8, with the target of INST in place of a cutoff.",
    "Nearly ERR, equation 11: with the target of INST.",
    {"T": number(1.0, _TARGET), **scale()},
)

_RBP = _family(
    "RBP",
    "Rank-Biased Precision",
    "Gain per document of a user who goes on with a fixed probability.",
    "Rank-biased precision; it needs `rel`.",
    {
        "cutoff": cutoff(),
        "p": number(0.8, _PERSISTENCE),
        "rel": level(required=False),
    },
)

_SDCG = _family(
    "SDCG",
    "Scaled Discounted Cumulative Gain",
    "DCG as a share of what k documents of the highest grade would give.",
    "Scaled DCG: compared with k documents of the highest grade, whether they exist or not.",
    {
        "cutoff": cutoff(True),
        "dcg": ParamInfo(dtype=str, choices=["log2"], default="log2", desc="gain and discount"),
        **scale(),
    },
)


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
