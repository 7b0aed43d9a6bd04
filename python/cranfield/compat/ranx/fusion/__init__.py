"""Methods of fusion."""

from __future__ import annotations

from collections.abc import Callable

from ..data_structures import Run
from .bayesfuse import bayesfuse, bayesfuse_train
from .borda import bordafuse, weighted_bordafuse
from .comb import (
    comb_anz,
    comb_gmnz,
    comb_max,
    comb_med,
    comb_min,
    comb_mnz,
    comb_sum,
    mixed,
    wmnz,
    wsum,
)
from .condorcet import condorcet, weighted_condorcet
from .mapfuse import mapfuse, mapfuse_train
from .ranks import isr, log_isr, logn_isr, rbc, rrf
from .trained import (
    posfuse,
    posfuse_train,
    probfuse,
    probfuse_train,
    segfuse,
    segfuse_train,
    slidefuse,
    slidefuse_train,
)

__all__ = [
    "bayesfuse",
    "bayesfuse_train",
    "bordafuse",
    "comb_anz",
    "comb_gmnz",
    "comb_max",
    "comb_med",
    "comb_min",
    "comb_mnz",
    "comb_sum",
    "condorcet",
    "fusion_switch",
    "isr",
    "log_isr",
    "logn_isr",
    "mapfuse",
    "mapfuse_train",
    "mixed",
    "posfuse",
    "posfuse_train",
    "probfuse",
    "probfuse_train",
    "rbc",
    "rrf",
    "segfuse",
    "segfuse_train",
    "slidefuse",
    "slidefuse_train",
    "weighted_bordafuse",
    "weighted_condorcet",
    "wmnz",
    "wsum",
]

METHODS: dict[str, Callable[..., Run]] = {
    "anz": comb_anz,
    "bayesfuse": bayesfuse,
    "bordafuse": bordafuse,
    "condorcet": condorcet,
    "gmnz": comb_gmnz,
    "isr": isr,
    "log_isr": log_isr,
    "logn_isr": logn_isr,
    "mapfuse": mapfuse,
    "max": comb_max,
    "med": comb_med,
    "min": comb_min,
    "mixed": mixed,
    "mnz": comb_mnz,
    "posfuse": posfuse,
    "probfuse": probfuse,
    "rbc": rbc,
    "rrf": rrf,
    "segfuse": segfuse,
    "slidefuse": slidefuse,
    "sum": comb_sum,
    "w_bordafuse": weighted_bordafuse,
    "w_condorcet": weighted_condorcet,
    "wmnz": wmnz,
    "wsum": wsum,
}


def fusion_switch(method: str) -> Callable[..., Run]:
    """The function with this name."""
    if method not in METHODS:
        raise ValueError(f"Fusion method {method} not supported.")
    return METHODS[method]
