"""Borda's count, plain and weighted. Aslam and Montague: Models for metasearch. SIGIR 2001."""

from __future__ import annotations

from collections.abc import Sequence

from ..data_structures import Run
from ._combine import checked, fused


def bordafuse(runs: Sequence[Run], name: str = "bordafuse") -> Run:
    """As many points as there are documents for the first, one less for the next; what is left is shared by all others.

    >>> runs = [Run({"q_1": {"d_1": 1.0, "d_2": 0.5}}), Run({"q_1": {"d_2": 1.0}})]
    >>> bordafuse(runs)["q_1"]
    {'d_1': 3.0, 'd_2': 3.0}
    """
    return fused(runs, "bordafuse", name)


def weighted_bordafuse(
    runs: Sequence[Run], weights: Sequence[float], name: str = "weighted_bordafuse"
) -> Run:
    """The weighted sum of the points."""
    return fused(runs, "w_bordafuse", name, checked(runs, weights, "weights"))
