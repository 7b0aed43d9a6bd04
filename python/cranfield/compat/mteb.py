"""The evaluation of retrieval in MTEB (2.26): change the import and keep the script.

`RetrievalEvaluator.evaluate` and the functions of `mteb._evaluators.retrieval_metrics` that it is made of, with the same keys,
values and rounding. What differs on purpose is in docs/compat/mteb.md.

>>> qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1}}
>>> results = {"q1": {"d2": 0.9, "d1": 0.8}, "q2": {"d3": 0.7, "d1": 0.1}}
>>> scores = RetrievalEvaluator.evaluate(qrels, results, [1, 3])
>>> scores.ndcg, scores.mrr
({'NDCG@1': 0.5, 'NDCG@3': 0.81546}, {'MRR@1': 0.5, 'MRR@3': 0.75})
>>> score_dict(scores)["ndcg_at_3"]
0.81546
"""

from __future__ import annotations

import logging
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from cranfield.compat.beir import _relevant
from cranfield.compat.pytrec_eval import RelevanceEvaluator

__all__ = [
    "RetrievalEvaluationResult",
    "RetrievalEvaluator",
    "calculate_pmrr",
    "calculate_retrieval_scores",
    "confidence_scores",
    "evaluate_abstention",
    "evaluate_p_mrr_change",
    "hole",
    "make_score_dict",
    "max_over_subqueries",
    "mrr",
    "nauc",
    "paired_accuracy",
    "recall_cap",
    "robustness_at_10",
    "score_dict",
    "top_k_accuracy",
]

logger = logging.getLogger(__name__)

Qrels: TypeAlias = Mapping[str, Mapping[str, int]]
Results: TypeAlias = Mapping[str, Mapping[str, float]]
ByTopic: TypeAlias = dict[str, dict[str, float]]

# Keys of the results, and the measures behind them.
_FAMILIES = {
    "NDCG": "ndcg_cut",
    "MAP": "map_cut",
    "Recall": "recall",
    "P": "P",
    "HitRate": "success",
}
_RATES = tuple(tenth * 0.1 for tenth in range(10))
"""Fractions of topics to leave out: 0, 0.1, ..., 0.9."""


class RetrievalEvaluationResult(NamedTuple):
    """Values of topics, and their means by measure and cutoff."""

    all_scores: ByTopic
    ndcg: dict[str, float]
    map: dict[str, float]
    recall: dict[str, float]
    precision: dict[str, float]
    naucs: dict[str, float]
    mrr: dict[str, float]
    naucs_mrr: dict[str, float]
    hit_rate: dict[str, float]


class RetrievalEvaluator:
    """Evaluates retrieved documents. Retrieval itself is left to MTEB."""

    @staticmethod
    def evaluate(
        qrels: Qrels,
        results: dict[str, dict[str, float]],
        k_values: Sequence[int],
        ignore_identical_ids: bool = False,
        skip_first_result: bool = False,
    ) -> RetrievalEvaluationResult:
        """Values at each cutoff. With `ignore_identical_ids`, documents with the topic's id are removed from `results`."""
        if ignore_identical_ids:
            for topic, ranking in results.items():
                ranking.pop(topic, None)
        return calculate_retrieval_scores(results, qrels, list(k_values), skip_first_result)


def calculate_retrieval_scores(
    results: Results, qrels: Qrels, k_values: Sequence[int], skip_first_result: bool = False
) -> RetrievalEvaluationResult:
    """Means of nDCG, AP, recall, precision, reciprocal rank and success at each cutoff, and their nAUC.

    With `skip_first_result`, the first document of each topic is left out. Means are rounded to five decimals, but for that of
    the reciprocal rank.
    """
    if skip_first_result:
        results = {topic: dict(_by_score(scores)[1:]) for topic, scores in results.items()}
    cutoffs = ",".join(str(k) for k in k_values)
    names = {f"{name}.{cutoffs}" for name in _FAMILIES.values()}
    found = RelevanceEvaluator(qrels, names).evaluate(results)
    # Confidences are in the order of the results, and so must values be.
    scores = {topic: found[topic] for topic in results if topic in found}
    columns = {
        key: {f"{key}@{k}": [values[f"{name}_{k}"] for values in scores.values()] for k in k_values}
        for key, name in _FAMILIES.items()
    }
    means = {
        key: {label: round(sum(column) / len(scores), 5) for label, column in family.items()}
        for key, family in columns.items()
    }
    ranks = mrr(qrels, results, k_values)
    hidden = {"HitRate"}
    told = {label: column for key, family in columns.items() if key not in hidden for label, column in family.items()}
    return RetrievalEvaluationResult(
        all_scores=scores,
        ndcg=means["NDCG"],
        map=means["MAP"],
        recall=means["Recall"],
        precision=means["P"],
        naucs=evaluate_abstention(results, told),
        mrr={label: sum(column) / len(column) for label, column in ranks.items()},
        naucs_mrr=evaluate_abstention(results, ranks),
        hit_rate=means["HitRate"],
    )


def make_score_dict(
    *,
    ndcg: dict[str, float],
    _map: dict[str, float],
    recall: dict[str, float],
    precision: dict[str, float],
    mrr: dict[str, float],
    naucs: dict[str, float],
    naucs_mrr: dict[str, float],
    hit_rate: dict[str, float],
    task_scores: dict[str, float],
    previous_results_model_meta: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """All values under their names on leaderboards, such as `ndcg_at_10` and `nauc_map_at_3_max`."""
    families = {"ndcg": ndcg, "map": _map, "recall": recall, "precision": precision, "mrr": mrr}
    named: dict[str, Any] = {}
    for family, values in families.items():
        named |= {f"{family}_at_{label.split('@')[1]}": value for label, value in values.items()}
        if family == "recall":
            named["accuracy"] = recall["Recall@1"]
    for label, value in (naucs | naucs_mrr).items():
        named[label.replace("@", "_at_").replace("_P", "_precision").lower()] = value
    named |= {f"hit_rate_at_{label.split('@')[1]}": value for label, value in hit_rate.items()}
    named |= task_scores
    if previous_results_model_meta:
        named["previous_results_model_meta"] = previous_results_model_meta
    return named


def score_dict(scores: RetrievalEvaluationResult, task_scores: dict[str, float] | None = None) -> dict[str, Any]:
    """`make_score_dict` of a result. Like that function, it requires cutoff 1."""
    return make_score_dict(
        ndcg=scores.ndcg,
        _map=scores.map,
        recall=scores.recall,
        precision=scores.precision,
        mrr=scores.mrr,
        naucs=scores.naucs,
        naucs_mrr=scores.naucs_mrr,
        hit_rate=scores.hit_rate,
        task_scores=task_scores or {},
    )


def _by_score(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Documents by descending score; ties keep the order given."""
    return sorted(scores.items(), key=lambda item: item[1], reverse=True)


def _ranked(scores: Mapping[str, float]) -> list[str]:
    """Documents by descending score; ties by descending id."""
    ranked = sorted(scores.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return [document for document, _ in ranked]


def _rankings(results: Results, k_values: Sequence[int]) -> Iterator[tuple[str, list[str]]]:
    deepest = max(k_values)
    for topic, scores in results.items():
        yield topic, _ranked(scores)[:deepest]


def mrr(qrels: Qrels, results: Results, k_values: Sequence[int]) -> dict[str, list[float]]:
    """The reciprocal rank of each topic's first relevant document, by cutoff.

    >>> mrr({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 10])
    {'MRR@1': [0.0], 'MRR@10': [0.5]}
    """
    values: dict[str, list[float]] = defaultdict(list)
    for topic, documents in _rankings(results, k_values):
        relevant = _relevant(qrels, topic)
        first = next((rank for rank, document in enumerate(documents, 1) if document in relevant), math.inf)
        for k in k_values:
            values[f"MRR@{k}"].append(1.0 / first if first <= k else 0.0)
    return dict(values)


def recall_cap(qrels: Qrels, results: Results, k_values: Sequence[int]) -> dict[str, list[float | None]]:
    """Recall of each topic relative to at most k relevant documents; `None` if no document is relevant.

    >>> recall_cap({"q1": {"d1": 1, "d2": 1}}, {"q1": {"d2": 0.9, "d3": 0.8}}, [1, 2])
    {'R_cap_at_1': [1.0], 'R_cap_at_2': [0.5]}
    """
    values: dict[str, list[float | None]] = defaultdict(list)
    for topic, documents in _rankings(results, k_values):
        relevant = _relevant(qrels, topic)
        for k in k_values:
            possible = min(len(relevant), k)
            found = sum(document in relevant for document in documents[:k])
            values[f"R_cap_at_{k}"].append(found / possible if possible else None)
    return dict(values)


def hole(qrels: Qrels, results: Results, k_values: Sequence[int]) -> dict[str, list[float]]:
    """Fraction of each topic's documents that were not judged for any topic.

    >>> hole({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 2])
    {'Hole_at_1': [1.0], 'Hole_at_2': [0.5]}
    """
    judged = {document for grades in qrels.values() for document in grades}
    values: dict[str, list[float]] = defaultdict(list)
    for _, documents in _rankings(results, k_values):
        for k in k_values:
            values[f"Hole_at_{k}"].append(sum(one not in judged for one in documents[:k]) / k)
    return dict(values)


def top_k_accuracy(qrels: Qrels, results: Results, k_values: Sequence[int]) -> dict[str, list[float]]:
    """1 for each topic with a relevant document; other topics are omitted.

    >>> top_k_accuracy({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 2])
    {'Accuracy@2': [1.0]}
    """
    values: dict[str, list[float]] = defaultdict(list)
    for topic, documents in _rankings(results, k_values):
        relevant = _relevant(qrels, topic)
        for k in k_values:
            if not relevant.isdisjoint(documents[:k]):
                values[f"Accuracy@{k}"].append(1.0)
    return dict(values)


def confidence_scores(sim_scores: Sequence[float]) -> dict[str, float]:
    """Confidence estimates from the scores of a topic: the maximum, the standard deviation, and the lead of the first.

    >>> confidence_scores([0.5, 1.0, 0.0])
    {'max': 1.0, 'std': 0.408248290463863, 'diff1': 0.5}
    """
    if not sim_scores:
        return {"max": 0.0, "std": 0.0, "diff1": 0.0}
    first, *others = sorted(sim_scores, reverse=True)
    mean = math.fsum(sim_scores) / len(sim_scores)
    variance = math.fsum((score - mean) ** 2 for score in sim_scores) / len(sim_scores)
    return {"max": first, "std": math.sqrt(variance), "diff1": first - others[0] if others else 0.0}


def _curve(confidence: Sequence[float], values: Sequence[float], rates: Sequence[float]) -> list[float]:
    """The mean of the remaining values as more and more topics are left out, least confident first.

    Topics that are equally sure have their mean.
    """
    by_confidence = sorted(zip(confidence, values, strict=True), key=lambda pair: pair[0])
    levelled: list[float] = []
    for _, pairs in groupby(by_confidence, key=lambda pair: pair[0]):
        group = [value for _, value in pairs]
        levelled += [math.fsum(group) / len(group)] * len(group)
    kept = (levelled[min(round(rate * len(levelled)), len(levelled) - 1) :] for rate in rates)
    return [math.fsum(part) / len(part) for part in kept]


def _area(rates: Sequence[float], curve: Sequence[float]) -> float:
    pairs = zip(zip(rates, curve, strict=True), zip(rates[1:], curve[1:], strict=True), strict=False)
    return math.fsum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairs)


def nauc(conf_scores: Sequence[float], metrics: Sequence[float], abstention_rates: Sequence[float] = _RATES) -> float:
    """How well confidence predicts the values of topics: 1 is a perfect order, 0 is no information.

    The area under the curve of means while topics are left out by confidence, between that of a flat line and that of the order
    by the values themselves. NaN if all values are the same.

    >>> nauc([1.0, 2.0, 3.0], [0.0, 0.5, 1.0])
    1.0
    >>> nauc([1.0, 2.0], [0.5, 0.5])
    nan
    """
    confidence, values = [float(one) for one in conf_scores], [float(one) for one in metrics]
    rates = [float(rate) for rate in abstention_rates]
    if min(values, default=0.0) == max(values, default=0.0):
        return math.nan
    best = _curve(values, values, rates)
    flat = best[0] * (rates[-1] - rates[0])
    possible = _area(rates, best) - flat
    return (_area(rates, _curve(confidence, values, rates)) - flat) / possible if possible else math.nan


def evaluate_abstention(results: Results, metric_scores: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """`nauc` of each measure for each of the three confidence estimates."""
    by_topic = [confidence_scores(list(scores.values())) for scores in results.values()]
    confidences = {kind: [one[kind] for one in by_topic] for kind in by_topic[0]}
    return {
        f"nAUC_{label}_{kind}": nauc(confidence, values)
        for label, values in metric_scores.items()
        for kind, confidence in confidences.items()
    }


def paired_accuracy(qrels: Qrels, results: Results, scores: ByTopic) -> float:
    """Fraction of pairs of topics, `ID_q1` and `ID_q2`, in which both rank the relevant document first."""
    pairs = {topic.split("_")[0] for topic in qrels}
    right = sum(all(scores[f"{pair}_{one}"]["recall_1"] == 1 for one in ("q1", "q2")) for pair in pairs)
    return right / len(pairs)


def robustness_at_10(qrels: Qrels, results: Results, scores: ByTopic) -> float:
    """The mean of the lowest nDCG@10 among topics whose ids share the part before the first `_`."""
    least: dict[str, float] = {}
    for topic in qrels:
        group, value = topic.split("_")[0], scores[topic]["ndcg_cut_10"]
        least[group] = min(value, least.get(group, value))
    return sum(least.values()) / len(least)


def max_over_subqueries(qrels: Qrels, results: Results, k_values: Sequence[int]) -> dict[str, float]:
    """Values of merged topics, whose ids share the part before the last `_`: each document has its highest score."""
    merged: dict[str, dict[str, float]] = {}
    grades: dict[str, Mapping[str, int]] = {}
    for topic in qrels:
        whole = "_".join(topic.split("_")[:-1])
        ranking = merged.setdefault(whole, {})
        for document, score in results[topic].items():
            ranking[document] = max(score, ranking.get(document, score))
        grades[whole] = qrels[topic]
    scores = calculate_retrieval_scores(merged, grades, k_values)
    return {f"max_over_subqueries_{key}": value for key, value in score_dict(scores).items()}


def _rank(ranking: Mapping[str, float], document: str) -> int:
    """The rank of a document; one more than the last rank if it was not retrieved."""
    documents = _ranked(ranking)
    return documents.index(document) + 1 if document in ranking else len(documents) + 1


def _moved(before: int, after: int) -> float:
    """How far a document moved down, from -1 to 1."""
    return after / before - 1 if before >= after else 1 - before / after


def calculate_pmrr(original_run: Results, new_run: Results, changed_qrels: Mapping[str, Sequence[str]]) -> float:
    """How far documents that are no longer relevant moved, from topics `ID-og` to topics `ID-changed`.

    >>> calculate_pmrr({"1-og": {"a": 2, "b": 1}}, {"1-changed": {"a": 1, "b": 2}}, {"1": ["a"]})
    0.5
    """
    means = []
    for topic, documents in changed_qrels.items():
        before, after = original_run.get(f"{topic}-og"), new_run.get(f"{topic}-changed")
        if before is None or after is None:
            logger.warning("topic %s is not in both runs", topic)
            continue
        moves = [_moved(_rank(before, document), _rank(after, document)) for document in documents]
        if moves:
            means.append(sum(moves) / len(moves))
    return sum(means) / len(means) if means else math.nan


def evaluate_p_mrr_change(
    qrels: Qrels, results: Results, changed_qrels: Mapping[str, Sequence[str]], k_values: Sequence[int]
) -> dict[str, float | dict[str, float]]:
    """`calculate_pmrr` as `p-MRR`, with all values of the topics that end with `-og`, and of the others."""

    def half(rows: Mapping[str, Any], original: bool) -> dict[str, Any]:
        return {topic: row for topic, row in rows.items() if topic.endswith("-og") is original}

    values: dict[str, float | dict[str, float]] = {
        "p-MRR": calculate_pmrr(half(results, True), half(results, False), changed_qrels)
    }
    for name, original in (("og", True), ("changed", False)):
        scores = calculate_retrieval_scores(half(results, original), half(qrels, original), k_values)
        values[name] = score_dict(scores)
    return values
