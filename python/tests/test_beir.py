"""`cranfield.compat.beir` beside BEIR itself: same call, same result."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from _forked import forked, outcome

from cranfield.compat import beir as ours

theirs = pytest.importorskip("beir.retrieval.evaluation", reason="BEIR is not installed")
functions = pytest.importorskip("beir.retrieval.custom_metrics", reason="BEIR is not installed")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 0, "d4": 1}, "q3": {"d9": 0}}
RESULTS = {
    "q1": {"d1": 1.0, "d2": 2.0, "d5": 0.5, "d3": 0.25},
    "q2": {"d4": 1.0, "d1": 1.0, "q2": 3.0},
}
CUTOFFS = [1, 3, 5, 10, 100]


def close(found: Any, expected: Any) -> None:
    """Equal in types, keys, their order, and values to 1e-9."""
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, (tuple, list)) and all(isinstance(one, dict) for one in expected):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            close(one, other)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            close(found[key], expected[key])
    elif isinstance(expected, float):
        # Five decimals are left; sums in another order could round to the other side.
        assert abs(found - expected) < 1e-9, (found, expected)
    else:
        assert found == expected


def same(qrels: Any, results: Any, cutoffs: Any, *args: Any) -> None:
    mine, other = copy.deepcopy(results), copy.deepcopy(results)

    def reference() -> Any:
        return theirs.EvaluateRetrieval.evaluate(qrels, other, cutoffs, *args), other

    found = outcome(lambda: (ours.EvaluateRetrieval.evaluate(qrels, mine, cutoffs, *args), mine))
    expected = forked(reference)
    close(found[0], expected[0])
    # The results that were given have changed in the same way.
    assert found[1] == expected[1]


def same_custom(qrels: Any, results: Any, cutoffs: Any, metric: Any) -> None:
    expected = outcome(lambda: theirs.EvaluateRetrieval.evaluate_custom(qrels, results, cutoffs, metric))
    found = outcome(lambda: ours.EvaluateRetrieval.evaluate_custom(qrels, results, cutoffs, metric))
    close(found, expected)


def random_case(seed: int) -> tuple[Any, Any, list[int]]:
    choose = random.Random(seed)
    documents = [f"d{n}" for n in range(15)]
    topics = [f"q{n}" for n in range(choose.randint(1, 8))]
    qrels = {
        topic: {d: choose.choice([0, 1, 1, 2, 3]) for d in choose.sample(documents, choose.randint(1, 10))}
        for topic in topics
    }
    score = choose.choice([choose.random, lambda: float(choose.randint(0, 3))])
    results = {
        topic: {d: score() for d in choose.sample([*documents, topic], choose.randint(1, 15))}
        for topic in choose.sample(topics, max(1, len(topics) - choose.randint(0, 2)))
    }
    return qrels, results, sorted(choose.sample(range(1, 20), choose.randint(1, 5)))


@pytest.mark.parametrize("seed", range(60))
def test_random(seed: int) -> None:
    same(*random_case(seed))


@pytest.mark.parametrize("seed", range(60, 80))
def test_random_with_identical_ids(seed: int) -> None:
    same(*random_case(seed), False)


@pytest.mark.parametrize("metric", ["mrr", "recall_cap", "hole", "acc"])
@pytest.mark.parametrize("seed", range(20))
def test_random_of_other_measures(seed: int, metric: str) -> None:
    same_custom(*random_case(seed), metric)


ODD: list[tuple[Any, Any, Any]] = [
    (QRELS, RESULTS, CUTOFFS),
    (QRELS, RESULTS, [10, 1]),
    (QRELS, RESULTS, [5, 5]),
    (QRELS, RESULTS, (1, 2)),
    (QRELS, RESULTS, []),
    (QRELS, {}, CUTOFFS),
    ({}, RESULTS, CUTOFFS),
    ({}, {}, CUTOFFS),
    (QRELS, {"q1": {}}, CUTOFFS),
    (QRELS, {"q1": {}, **RESULTS}, CUTOFFS),
    (QRELS, {"other": {"d1": 1.0}}, CUTOFFS),
    ({"q1": {"d1": 1.5}}, RESULTS, CUTOFFS),
    ({"q1": {"d1": "1"}}, RESULTS, CUTOFFS),
    ({"q1": {}}, RESULTS, CUTOFFS),
    (QRELS, {"q1": {"d1": "high"}}, CUTOFFS),
    (QRELS, {"q1": {"d1": None}}, CUTOFFS),
    (QRELS, {"q1": {1: 1.0}}, CUTOFFS),
    (QRELS, {1: {"d1": 1.0}}, CUTOFFS),
    (QRELS, {"q1": {"d1": 1}}, CUTOFFS),
    (QRELS, {"q1": {"d1": True}}, CUTOFFS),
    (QRELS, [], CUTOFFS),
    (None, RESULTS, CUTOFFS),
    (QRELS, None, CUTOFFS),
    (QRELS, RESULTS, None),
    (QRELS, RESULTS, ["a"]),
    (QRELS, RESULTS, 10),
]


@pytest.mark.parametrize("case", ODD)
def test_odd_inputs(case: tuple[Any, Any, Any]) -> None:
    same(*case)


@pytest.mark.parametrize("metric", ["mrr", "recall_cap", "hole", "acc"])
@pytest.mark.parametrize("case", ODD)
def test_odd_inputs_of_other_measures(case: tuple[Any, Any, Any], metric: str) -> None:
    same_custom(*case, metric)


@pytest.mark.parametrize(
    "metric",
    ["MRR", "mrr@k", "mrr_cut", "R_cap", "r_cap@k", "Hole@k", "top_k_acc", "accuracy", "Accuracy@k", "ndcg", "", 3],
)
def test_names_of_other_measures(metric: Any) -> None:
    same_custom(QRELS, RESULTS, CUTOFFS, metric)


@pytest.mark.parametrize("name", ["mrr", "recall_cap", "hole", "top_k_accuracy"])
def test_functions(name: str) -> None:
    results = {"q1": RESULTS["q1"]}
    close(
        getattr(ours, name)(QRELS, results, CUTOFFS),
        getattr(functions, name)(QRELS, results, CUTOFFS),
    )


class Retriever:
    def search(self, corpus: Any, queries: Any, top_k: int, score_function: str, **options: Any) -> Any:
        return {topic: {document: len(text["text"]) / top_k for document, text in corpus.items()} for topic in queries}


def script(EvaluateRetrieval: Any) -> Any:
    """As scripts of BEIR have it."""
    corpus = {"d1": {"text": "a"}, "d2": {"text": "bb"}, "d3": {"text": "ccc"}}
    queries = {"q1": "one", "q2": "two"}
    qrels = {"q1": {"d2": 1}, "q2": {"d1": 1, "d3": 2}}
    retriever = EvaluateRetrieval(Retriever(), score_function="dot")
    results = retriever.retrieve(corpus, queries)
    ndcg, _map, recall, precision = retriever.evaluate(qrels, results, retriever.k_values)
    mrr = retriever.evaluate_custom(qrels, results, retriever.k_values, metric="mrr")
    return ndcg, _map, recall, precision, mrr


def test_a_script_of_beir() -> None:
    close(script(ours.EvaluateRetrieval), script(theirs.EvaluateRetrieval))


def test_no_retriever() -> None:
    for module in (theirs, ours):
        with pytest.raises(ValueError, match="has not been provided"):
            module.EvaluateRetrieval().retrieve({}, {})
        with pytest.raises(ValueError, match="has not been provided"):
            module.EvaluateRetrieval().encode_and_retrieve({}, {})
