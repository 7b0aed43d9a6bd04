"""`optimize_fusion`: grid search for parameters of fusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..data_structures import OptimizationReport, Qrels, Run
from ..fusion_optimization import TRAINED, TRIED, has_hyperparams
from ..normalization import normalized_runs
from .fuse import check_runs


def optimize_fusion(
    qrels: Qrels,
    runs: Sequence[Run],
    norm: str | None = "min-max",
    method: str = "wsum",
    metric: str = "ndcg",
    return_optimization_report: bool = False,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    **kwargs: Any,
) -> Any:
    """The best parameters for `fuse`, and on request all that were tried. Among equal ones, the last wins.

    >>> qrels = Qrels({"q_1": {"d_2": 1}})
    >>> runs = [Run({"q_1": {"d_1": 3.0, "d_2": 1.0}}), Run({"q_1": {"d_2": 0.5, "d_3": 0.25}})]
    >>> optimize_fusion(qrels, runs, method="wsum", metric="mrr", step=0.5)
    {'weights': (0.0, 1.0)}

    Args:
        qrels: judgements to learn from.
        runs: runs of the same topics.
        norm: how scores are brought to one scale first, see `fuse`.
        method: the method of fusion.
        metric: the measure that decides.
        return_optimization_report: a pair of parameters and `OptimizationReport`.
        rounding_digits: digits in the report.
        show_percentages: percentages in the report.
        kwargs: bounds of what is tried: `step`, `min_k`, `max_k` and so on.
    """
    check_runs(runs)
    for place, run in enumerate(runs):
        assert run.keys() == qrels.keys(), f"Run {place} and Qrels query ids do not match"
    scaled = normalized_runs(runs, norm)
    if method in TRIED:
        best, tried = TRIED[method](qrels, scaled, metric, **kwargs)
        if not return_optimization_report:
            return best
        return best, OptimizationReport(
            method=method,
            configs=list(tried),
            results=list(tried.values()),
            metric=metric,
            rounding_digits=rounding_digits,
            show_percentages=show_percentages,
        )
    if return_optimization_report:
        has_hyperparams(method)
    if method not in TRAINED:
        raise ValueError(f"{method} does not support optimization.")
    return TRAINED[method](qrels, scaled, **kwargs)
