"""Tests of significance between runs that were evaluated on the same topics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield import _core

from .._packages import numpy
from ..data_structures import FrozensetDict

__all__ = [
    "compute_statistical_significance",
    "fisher_randomization_test",
    "paired_student_t_test",
    "tukey_hsd_test",
]


def paired_student_t_test(control: Any, treatment: Any, max_p: float = 0.01) -> tuple[Any, Any]:
    """p of the two-sided paired t test, and whether it is at most `max_p`. Scores that are the same give p = 1.

    >>> p, significant = paired_student_t_test([2.0, 4.0, 6.0], [1.0, 2.0, 3.0], 0.1)
    >>> round(float(p), 6), bool(significant)
    (0.07418, True)
    """
    p = numpy().float64(_p("student", control, treatment) if len(control) > 1 else math.nan)
    return p, p <= max_p


def fisher_randomization_test(
    control: Any,
    treatment: Any,
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
) -> tuple[float, bool]:
    """p of the two-sided randomisation test, (count + 1) / (n + 1) over n random signs, and whether it is at most `max_p`. The same seed
    gives the same p."""
    p = _p("fisher", control, treatment, replicates=n_permutations, seed=random_seed)
    return p, p <= max_p


def tukey_hsd_test(
    model_names: Sequence[str], scores: Sequence[Any], max_p: float
) -> list[dict[str, Any]]:
    """Tukey's test of all pairs, as if every run had topics of its own: what `scipy.stats.tukey_hsd` computes."""
    np = numpy()
    p_values = np.ones((len(model_names), len(model_names)))
    for first, second, p in _core.pair_tests("tukey", _lists(scores)):
        p_values[first, second] = p_values[second, first] = p
    return [
        {
            "control": control,
            "treatment": treatment,
            "p-value": p_values[i, j],
            "significant": p_values[i, j] <= max_p,
        }
        for i, control in enumerate(model_names)
        for j, treatment in enumerate(model_names)
    ]


def _lists(scores: Sequence[Any]) -> list[list[float]]:
    return [[float(score) for score in row] for row in scores]


def _p(test: str, control: Any, treatment: Any, **options: int) -> float:
    [(_, _, p)] = _core.pair_tests(test, _lists([control, treatment]), **options)
    return p


def compute_statistical_significance(
    model_names: Sequence[str],
    metric_scores: Mapping[str, Mapping[str, Any]],
    stat_test: str = "fisher",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
) -> FrozensetDict:
    """For each pair of runs and each measure `p_value` and `significant`."""
    if stat_test not in ("fisher", "student", "tukey"):
        raise NotImplementedError(f"Statistical test `{stat_test}` not supported.")
    comparisons = FrozensetDict()
    metrics = list(metric_scores[model_names[0]]) if model_names else []
    if stat_test == "tukey":
        for metric in metrics:
            scores = [metric_scores[name][metric] for name in model_names]
            for pair in tukey_hsd_test(model_names, scores, max_p):
                _set(comparisons, pair["control"], pair["treatment"], metric, (pair["p-value"], pair["significant"]))
        return comparisons
    for place, control in enumerate(model_names):
        for treatment in model_names[place + 1 :]:
            for metric in metrics:
                pair_of_scores = metric_scores[control][metric], metric_scores[treatment][metric]
                if stat_test == "student":
                    result = paired_student_t_test(*pair_of_scores, max_p)
                else:
                    result = fisher_randomization_test(
                        *pair_of_scores, n_permutations, max_p, random_seed
                    )
                _set(comparisons, control, treatment, metric, result)
    return comparisons


def _set(
    comparisons: FrozensetDict, control: str, treatment: str, metric: str, result: tuple[Any, Any]
) -> None:
    pair = comparisons.setdefault(frozenset((control, treatment)), {})
    pair[metric] = {"p_value": result[0], "significant": result[1]}
