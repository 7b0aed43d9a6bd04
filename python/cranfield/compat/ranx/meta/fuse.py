"""`fuse`: one run from several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data_structures import Run
from ..fusion import fusion_switch
from ..normalization import normalized_runs


def check_runs(runs: Sequence[Run]) -> None:
    """Rejects a single run, and runs with different topics."""
    assert len(runs) > 1, "Only one run provided"
    for place, run in enumerate(runs):
        for other in range(place + 1, len(runs)):
            assert run.keys() == runs[other].keys(), (
                f"Runs {place} and {other} query ids do not match"
            )


def fuse(
    runs: Sequence[Run],
    norm: str | None = "min-max",
    method: str = "wsum",
    params: Mapping[str, Any] | None = None,
) -> Run:
    """Fuses runs.

    >>> runs = [Run({"q_1": {"d_1": 3.0, "d_2": 1.0}}), Run({"q_1": {"d_2": 0.5, "d_3": 0.25}})]
    >>> fuse(runs, norm="min-max", method="wsum", params={"weights": [0.25, 0.75]})["q_1"]
    {'d_2': 0.75, 'd_1': 0.25, 'd_3': 0.0}

    Args:
        runs: runs of the same topics.
        norm: how scores are brought to one scale first, see `normalize`; or "borda", or None.
        method: the method of fusion.
        params: what the method needs: `weights`, `k`, `phi` and so on; `optimize_fusion` finds them.
    """
    check_runs(runs)
    return fusion_switch(method)(normalized_runs(runs, norm), **(params or {}))
