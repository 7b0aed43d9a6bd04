"""Measures of trectools, which only ir_measures itself computes."""

from __future__ import annotations

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    Provider,
    register,
)


class TrectoolsProvider(Provider):
    """Never available: the default pipeline of ir_measures does not ask it either."""

    NAME = "trectools"
    SUPPORTED_MEASURES = [
        measures._P(cutoff=Any(), rel=Choices(1), judged_only=Choices(False)),
        measures._RR(cutoff=Choices(NOT_PROVIDED), rel=Choices(1), judged_only=Choices(False)),
        measures._Rprec(rel=Choices(1), judged_only=Choices(False)),
        measures._AP(cutoff=Any(), rel=Choices(1), judged_only=Choices(False)),
        measures._nDCG(
            cutoff=Any(), dcg=Any(), gains=Choices(NOT_PROVIDED), judged_only=Choices(False)
        ),
        measures._Bpref(rel=Choices(1)),
        measures._RBP(cutoff=Any(), p=Any(), rel=Any()),
    ]

    def initialize(self) -> None:
        """Raises a RuntimeError."""
        raise RuntimeError("trectools not available")

    def install_instructions(self) -> str:
        """Where the provider is to be had."""
        return "pip install ir-measures[trectools], and import ir_measures for this provider"


register(TrectoolsProvider())
