"""Parameters of fusion methods: from a grid search, or learned from judgements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..data_structures import Qrels, Run
from ..fusion import (
    bayesfuse_train,
    mapfuse_train,
    posfuse_train,
    segfuse_train,
)
from ._grids import _whole, try_numbers_of, try_segments, try_weights_of, try_windows

__all__ = ["TRAINED", "TRIED", "has_hyperparams"]

# Parameters that were best, and the mean that each configuration gave.
Tried = tuple[dict[str, Any], dict[str, Any]]

TRIED: dict[str, Callable[..., Tried]] = {
    "gmnz": try_numbers_of("gmnz", "gamma", 0.01, 1.0, 0.01),
    "logn_isr": try_numbers_of("logn_isr", "sigma", 0.01, 1.0, 0.01),
    "mixed": try_weights_of("mixed"),
    "probfuse": try_segments,
    "rbc": try_numbers_of("rbc", "phi", 0.01, 1.0, 0.01),
    "rrf": try_numbers_of("rrf", "k", 10, 100, 10, _whole),
    "slidefuse": try_windows,
    "w_bordafuse": try_weights_of("w_bordafuse"),
    "w_condorcet": try_weights_of("w_condorcet"),
    "wmnz": try_weights_of("wmnz"),
    "wsum": try_weights_of("wsum"),
}


def _learned(name: str, train: Callable[[Qrels, Sequence[Run]], Any]) -> Callable[..., Any]:
    return lambda qrels, runs: {name: train(qrels, runs)}


TRAINED: dict[str, Callable[..., dict[str, Any]]] = {
    "bayesfuse": _learned("log_odds", bayesfuse_train),
    "mapfuse": _learned("map_scores", mapfuse_train),
    "posfuse": _learned("probs", posfuse_train),
    "segfuse": _learned("probs", segfuse_train),
}


def has_hyperparams(method: str) -> bool:
    """True, or an error if a method has nothing to be tried out."""
    if method not in TRIED:
        raise ValueError(f"{method} does not support optimization report.")
    return True
