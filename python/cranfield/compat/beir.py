"""The evaluation of BEIR (2.2.0): change the import and keep the script.

`EvaluateRetrieval` and the functions of `beir.retrieval.custom_metrics`, with the same keys, values, rounding and exceptions.

>>> qrels = {"q1": {"d1": 1, "d2": 0}}
>>> results = {"q1": {"d2": 0.9, "d1": 0.8}}
>>> ndcg, map_, recall, precision = EvaluateRetrieval.evaluate(qrels, results, [1, 3])
>>> recall
{'Recall@1': 0.0, 'Recall@3': 1.0}
"""

from __future__ import annotations

import glob
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from cranfield.compat.pytrec_eval import RelevanceEvaluator

__all__ = ["EvaluateRetrieval", "hole", "mrr", "recall_cap", "top_k_accuracy"]

logger = logging.getLogger(__name__)

Qrels: TypeAlias = dict[str, dict[str, int]]
Results: TypeAlias = dict[str, dict[str, float]]

# Keys of BEIR's results, and the measures behind them.
_FAMILIES = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P"}


class EvaluateRetrieval:
    """Retrieves documents with a BEIR model, and evaluates them."""

    def __init__(
        self,
        retriever: Any = None,
        k_values: list[int] = [1, 3, 5, 10, 100, 1000],  # noqa: B006: as the original has it
        score_function: str | None = "cos_sim",
    ) -> None:
        self.k_values = k_values
        self.top_k = max(k_values)
        self.retriever = retriever
        self.score_function = score_function

    def retrieve(
        self, corpus: dict[str, dict[str, str]], queries: dict[str, str], **kwargs: Any
    ) -> Results:
        """Runs the retriever."""
        results: Results = self._given().search(
            corpus, queries, self.top_k, self.score_function, **kwargs
        )
        return results

    def encode_and_retrieve(
        self,
        corpus: dict[str, dict[str, str]],
        queries: dict[str, str],
        encode_output_path: str = "./embeddings/",
        overwrite: bool = False,
        query_filename: str = "queries.pkl",
        corpus_filename: str = "corpus.*.pkl",
        **kwargs: Any,
    ) -> Results:
        """Saves the embeddings, then runs the retriever on them."""
        retriever = self._given()
        retriever.encode(
            corpus,
            queries,
            encode_output_path=encode_output_path,
            overwrite=overwrite,
            query_filename=query_filename,
            corpus_filename=corpus_filename,
            **kwargs,
        )
        results: Results = retriever.search_from_files(
            query_embeddings_file=f"{encode_output_path}/{query_filename}",
            corpus_embeddings_files=glob.glob(f"{encode_output_path}/{corpus_filename}"),
            top_k=self.top_k,
            **kwargs,
        )
        return results

    def _given(self) -> Any:
        if not self.retriever:
            raise ValueError("Model/Technique has not been provided!")
        return self.retriever

    @staticmethod
    def evaluate(
        qrels: Qrels, results: Results, k_values: list[int], ignore_identical_ids: bool = True
    ) -> tuple[dict[str, float], dict[str, float], dict[str, float], dict[str, float]]:
        """Means of nDCG, AP, recall and precision at each cutoff, rounded to five decimals.

        A document that is called like its topic is taken out of `results`, unless `ignore_identical_ids` is false.
        """
        if ignore_identical_ids:
            logger.info("documents that are called like their topic are taken out of the results")
            for topic, ranking in results.items():
                ranking.pop(topic, None)
        cutoffs = ",".join(str(k) for k in k_values)
        # A set that is filled as BEIR's, so that the first of several mistakes in it is the same.
        names = {f"{name}.{cutoffs}" for name in ("map_cut", "ndcg_cut", "recall", "P")}
        scores = RelevanceEvaluator(qrels, names).evaluate(results)
        means = [_means(key, name, scores, k_values) for key, name in _FAMILIES.items()]
        for family in means:
            _log(family)
        ndcg, map_, recall, precision = means
        return ndcg, map_, recall, precision

    @staticmethod
    def evaluate_custom(
        qrels: Qrels, results: Results, k_values: list[int], metric: str
    ) -> dict[str, float] | None:
        """Means of MRR, capped recall, holes or accuracy, by name; `None` for any other name."""
        for function, names in _CUSTOM.items():
            if metric.lower() in names:
                return function(qrels, results, k_values)
        return None


def _means(
    key: str, name: str, scores: dict[str, dict[str, float]], k_values: list[int]
) -> dict[str, float]:
    sums = {f"{key}@{k}": 0.0 for k in k_values}
    for values in scores.values():
        for k in k_values:
            sums[f"{key}@{k}"] += values[f"{name}_{k}"]
    return _averaged(sums, key, k_values, len(scores))


def _averaged(sums: dict[str, float], key: str, k_values: list[int], count: int) -> dict[str, float]:
    # A cutoff that is given twice is divided twice, as the original does.
    for k in k_values:
        sums[f"{key}@{k}"] = round(sums[f"{key}@{k}"] / count, 5)
    return sums


def _log(values: dict[str, float]) -> None:
    for key, value in values.items():
        logger.info("%s: %.4f", key, value)


def _rankings(results: Results, k_values: list[int]) -> Iterator[tuple[str, list[str]]]:
    """Topics and their documents by descending score; ties keep the order given."""
    deepest = max(k_values)
    for topic, scores in results.items():
        ranked = sorted(scores.items(), key=lambda item: item[1], reverse=True)
        yield topic, [document for document, _ in ranked[:deepest]]


def _relevant(qrels: Mapping[str, Mapping[str, int]], topic: str) -> set[str]:
    return {document for document, grade in qrels[topic].items() if grade > 0}


def _summed(
    key: str,
    qrels: Qrels,
    results: Results,
    k_values: list[int],
    value: Callable[[str, list[str], int], float],
) -> dict[str, float]:
    """The sum of a value over topics, divided by the number of judged topics, at each cutoff."""
    sums = {f"{key}@{k}": 0.0 for k in k_values}
    for topic, documents in _rankings(results, k_values):
        for k in k_values:
            sums[f"{key}@{k}"] += value(topic, documents[:k], k)
    means = _averaged(sums, key, k_values, len(qrels))
    _log(means)
    return means


def mrr(qrels: Qrels, results: Results, k_values: list[int]) -> dict[str, float]:
    """Mean reciprocal rank of the first relevant document.

    >>> mrr({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 10])
    {'MRR@1': 0.0, 'MRR@10': 0.5}
    """
    relevant = {topic: _relevant(qrels, topic) for topic, _ in results.items()}

    def value(topic: str, documents: list[str], _: int) -> float:
        found = (rank for rank, document in enumerate(documents, 1) if document in relevant[topic])
        return next((1.0 / rank for rank in found), 0.0)

    return _summed("MRR", qrels, results, k_values, value)


def recall_cap(qrels: Qrels, results: Results, k_values: list[int]) -> dict[str, float]:
    """Recall at cutoff k, relative to at most k relevant documents.

    >>> recall_cap({"q1": {"d1": 1, "d2": 1}}, {"q1": {"d2": 0.9, "d3": 0.8}}, [1, 2])
    {'R_cap@1': 1.0, 'R_cap@2': 0.5}
    """

    def value(topic: str, documents: list[str], k: int) -> float:
        relevant = _relevant(qrels, topic)
        return sum(document in relevant for document in documents) / min(len(relevant), k)

    return _summed("R_cap", qrels, results, k_values, value)


def hole(qrels: Qrels, results: Results, k_values: list[int]) -> dict[str, float]:
    """Fraction of documents that were not judged for any topic.

    >>> hole({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 2])
    {'Hole@1': 1.0, 'Hole@2': 0.5}
    """
    judged = {document for _, grades in qrels.items() for document in grades}

    def value(_: str, documents: list[str], k: int) -> float:
        return sum(document not in judged for document in documents) / k

    return _summed("Hole", qrels, results, k_values, value)


def top_k_accuracy(qrels: Qrels, results: Results, k_values: list[int]) -> dict[str, float]:
    """Fraction of topics with a relevant document.

    >>> top_k_accuracy({"q1": {"d1": 1}}, {"q1": {"d2": 0.9, "d1": 0.8}}, [1, 2])
    {'Accuracy@1': 0.0, 'Accuracy@2': 1.0}
    """
    relevant = {topic: _relevant(qrels, topic) for topic, _ in results.items()}

    def value(topic: str, documents: list[str], _: int) -> float:
        return float(not relevant[topic].isdisjoint(documents))

    return _summed("Accuracy", qrels, results, k_values, value)


_CUSTOM: dict[Callable[[Qrels, Results, list[int]], dict[str, float]], tuple[str, ...]] = {
    mrr: ("mrr", "mrr@k", "mrr_cut"),
    recall_cap: ("recall_cap", "r_cap", "r_cap@k"),
    hole: ("hole", "hole@k"),
    top_k_accuracy: ("acc", "top_k_acc", "accuracy", "accuracy@k", "top_k_accuracy"),
}
