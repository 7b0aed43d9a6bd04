"""`normalize`: the scores of a run on another scale."""

from __future__ import annotations

from ..data_structures import Run
from ..normalization import norm_switch


def normalize(run: Run, norm: str = "min-max") -> Run:
    """A run with the scores of each topic on another scale: "min-max", "min-max-inverted", "max", "sum", "zmuv" or "rank".

    >>> normalize(Run({"q_1": {"d_1": 4.0, "d_2": 1.0}}), "max")["q_1"]
    {'d_1': 1.0, 'd_2': 0.25}
    """
    if norm == "borda":
        raise TypeError('"borda" is for several runs: use fuse, or normalization.borda_norm([...])')
    normalized: Run = norm_switch(norm)(run)
    return normalized
