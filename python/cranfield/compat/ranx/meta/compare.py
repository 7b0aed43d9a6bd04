"""`compare`: runs side by side, with tests of significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Report, Run
from ..statistical_tests import compute_statistical_significance
from .evaluate import evaluate, format_metrics


def compare(
    qrels: Qrels,
    runs: Sequence[Run],
    metrics: Sequence[str] | str,
    stat_test: str = "student",
    n_permutations: int = 1000,
    max_p: float = 0.01,
    random_seed: int = 42,
    threads: int = 0,
    rounding_digits: int = 3,
    show_percentages: bool = False,
    make_comparable: bool = False,
) -> Report:
    """Evaluates runs and tests all pairs of them.

    >>> qrels = Qrels({"q_1": {"d_1": 1}, "q_2": {"d_1": 1}})
    >>> first = Run({"q_1": {"d_1": 2.0, "d_2": 1.0}, "q_2": {"d_1": 2.0, "d_2": 1.0}}, name="first")
    >>> other = Run({"q_1": {"d_1": 1.0, "d_2": 2.0}, "q_2": {"d_1": 2.0, "d_2": 1.0}}, name="other")
    >>> print(compare(qrels, [first, other], ["mrr", "hits"]))
    #    Model      MRR    Hits
    ---  -------  -----  ------
    a    first     1          1
    b    other     0.75       1

    Args:
        qrels: judgements.
        runs: the runs; those without a name are `run_1`, `run_2` and so on.
        metrics: names of measures.
        stat_test: "student", "fisher" or "tukey".
        n_permutations: random signs of "fisher".
        max_p: largest p that is significant.
        random_seed: seed of "fisher"; the same seed gives the same p.
        threads: 0 for one thread for each core.
        rounding_digits: digits in the report.
        show_percentages: percentages in the report.
        make_comparable: give the runs the topics of the judgements.
    """
    metrics = list(format_metrics(metrics))
    assert all(isinstance(metric, str) for metric in metrics), "Metrics error"
    names: list[str] = []
    found: dict[str, dict[str, Any]] = {}
    for place, run in enumerate(runs, 1):
        name = run.name if run.name is not None else f"run_{place}"
        if name in found:
            raise ValueError(f"two runs are named {name}: give each a name of its own")
        names.append(name)
        found[name] = _scores(qrels, run, metrics, threads, make_comparable)
    np = numpy()
    return Report(
        model_names=names,
        results={
            name: {metric: float(np.mean(scores)) for metric, scores in found[name].items()}
            for name in names
        },
        comparisons=compute_statistical_significance(
            names, found, stat_test, n_permutations, max_p, random_seed
        ),
        metrics=metrics,
        max_p=max_p,
        win_tie_loss={
            (one, other): _wins(found[one], found[other])
            for one in names
            for other in names
            if one != other
        },
        rounding_digits=rounding_digits,
        show_percentages=show_percentages,
        stat_test=stat_test,
    )


def _scores(
    qrels: Qrels, run: Run, metrics: list[str], threads: int, make_comparable: bool
) -> dict[str, Any]:
    found = evaluate(
        qrels, run, metrics, return_mean=False, threads=threads, make_comparable=make_comparable
    )
    return {metrics[0]: found} if len(metrics) == 1 else found


def _wins(control: Mapping[str, Any], treatment: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """On how many topics the first wins, ties and loses, by measure."""
    return {
        metric: {
            "W": int((scores > treatment[metric]).sum()),
            "T": int((scores == treatment[metric]).sum()),
            "L": int((scores < treatment[metric]).sum()),
        }
        for metric, scores in control.items()
    }
