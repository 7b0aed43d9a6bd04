"""`evaluate`: the values of measures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .._packages import numpy
from ..data_structures import Qrels, Run
from ..metrics._scores import Judged, judgements, rankings, read_metric


def format_metrics(metrics: Sequence[str] | str) -> Sequence[str]:
    """Names of measures as a list."""
    return [metrics] if isinstance(metrics, str) else metrics


def check_keys(topics: Iterable[Any], others: Iterable[Any]) -> None:
    """Rejects judgements and runs with different topics."""
    assert set(topics) == set(others), (
        "Qrels and Run query ids do not match. Pass `make_comparable=True` to add empty results for"
        " queries missing from the run and remove those not appearing in qrels."
    )


def evaluate(
    qrels: Qrels | Mapping[str, Mapping[str, float]] | Any,
    run: Run | Mapping[str, Mapping[str, float]] | Any,
    metrics: Sequence[str] | str,
    return_mean: bool = True,
    return_std: bool = False,
    threads: int = 0,
    save_results_in_run: bool = True,
    make_comparable: bool = False,
) -> Any:
    """The mean of one measure, or a dict of means of several; without `return_mean`, arrays of values by topic.

    >>> qrels = Qrels({"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}})
    >>> run = Run({"q_1": {"d_12": 0.9, "d_23": 0.8}, "q_2": {"d_12": 0.9, "d_11": 0.8}})
    >>> float(evaluate(qrels, run, "mrr"))
    0.75
    >>> float(run.scores["mrr"]["q_2"])
    0.5

    Args:
        qrels: judgements: `Qrels`, a dict of dicts, or an array for each topic.
        run: the run, in the same form.
        metrics: names of measures: `ndcg@10`, `map-l2`, `rbp.95`.
        return_mean: means, not values of topics.
        return_std: standard deviations as well, as `{"mean": ..., "std": ...}`.
        threads: 0 for one thread for each core.
        save_results_in_run: put values, means and deviations into a `Run`.
        make_comparable: give a `Run` the topics of the `Qrels`.
    """
    if make_comparable and isinstance(qrels, Qrels) and isinstance(run, Run):
        run = run.make_comparable(qrels)
    topics = None
    if isinstance(qrels, (Qrels, dict)) and isinstance(run, (Run, dict)):
        check_keys(qrels.keys(), run.keys())
        # Dicts may have their topics in any order.
        topics = sorted(qrels.keys()) if isinstance(qrels, Qrels) else list(qrels.keys())
    names = format_metrics(metrics)
    assert all(isinstance(name, str) for name in names), "Metrics error"
    read = [read_metric(name) for name in names]
    if isinstance(qrels, dict) and isinstance(run, Run):
        topics = sorted(qrels)
        qrels = {topic: qrels[topic] for topic in topics}
    grades, documents = judgements(qrels), rankings(run, topics)
    if len(grades) != len(documents):
        raise ValueError(f"judgements of {len(grades)} topics, and a run of {len(documents)}")
    found = dict(zip(names, Judged(grades, read, threads).scores(documents)))
    return_std = return_std and return_mean
    if isinstance(run, Run) and save_results_in_run:
        _save(run, found, return_std)
    results = {name: _result(scores, return_mean, return_std) for name, scores in found.items()}
    return results[names[0]] if len(names) == 1 else results


def _save(run: Run, found: Mapping[str, Any], return_std: bool) -> None:
    np = numpy()
    for name, scores in found.items():
        run.mean_scores[name] = np.mean(scores)
        if return_std:
            run.std_scores[name] = np.std(scores)
        run.scores[name].update(zip(run.get_query_ids(), scores))


def _result(scores: Any, mean: bool, std: bool) -> Any:
    np = numpy()
    if not mean:
        return scores
    return {"mean": np.mean(scores), "std": np.std(scores)} if std else np.mean(scores)
