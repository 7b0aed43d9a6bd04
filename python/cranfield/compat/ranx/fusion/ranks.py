"""Fusion by ranks alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..data_structures import Run
from ._combine import fused


def isr(runs: Sequence[Run], name: str = "isr") -> Run:
    """n times the sum of 1 / rank^2. Mourao et al.: Inverse square rank fusion for multimodal search. CBMI 2014."""
    return fused(runs, "isr", name)


def log_isr(runs: Sequence[Run], name: str = "log_isr") -> Run:
    """log n times the sum of 1 / rank^2. Mourao et al. 2014."""
    return fused(runs, "log_isr", name)


def logn_isr(runs: Sequence[Run], sigma: float = 0.01, name: str = "logn_isr") -> Run:
    """log(n + sigma) times the sum of 1 / rank^2. Mourao et al. 2014."""
    assert 0.0 <= sigma <= 1.0, "`sigma` must be in [0, 1]"
    return fused(runs, f"logn_isr(sigma={float(sigma)!r})", name)


def rrf(runs: Sequence[Run], k: int = 60, name: str = "rrf") -> Run:
    """The sum of 1 / (k + rank). Cormack et al.: Reciprocal rank fusion outperforms Condorcet and individual rank learning methods.
    SIGIR 2009.

    >>> runs = [Run({"q_1": {"d_1": 1.0, "d_2": 0.5}}), Run({"q_1": {"d_2": 1.0}})]
    >>> rrf(runs, k=1)["q_1"] == {"d_2": 1 / 3 + 1 / 2, "d_1": 1 / 2}
    True
    """
    return fused(runs, f"rrf(k={float(k)!r})", name)


def rbc(runs: Sequence[Run], phi: float, name: str = "rbc") -> Run:
    """The sum of (1 - phi) phi^(rank - 1). Bailey et al.: Retrieval consistency in the presence of query variations. SIGIR 2017."""
    return fused(runs, f"rbc(phi={float(phi)!r})", name)
