"""`cranfield.compat.mteb` beside what MTEB itself returned (`goldens/mteb.json`), and beside MTEB where it is installed."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from cranfield.compat import mteb as ours

GOLDEN: Any = json.loads((Path(__file__).parent / "goldens" / "mteb.json").read_text())
QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 0, "d4": 1}, "q3": {"d9": 0}}
RESULTS = {"q1": {"d1": 1.0, "d2": 2.0, "d5": 0.5, "d3": 0.25}, "q2": {"d4": 1.0, "d1": 1.5}}


def close(found: Any, expected: Any, place: str = "") -> None:
    """The same keys in the same order, and values to 1e-9; a `None` of the golden is NaN, or None.

    Of confidence, NaN is accepted where rounding gave the original a number; `defined` says where it has to be.
    """
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for key in expected:
            close(found[key], expected[key], f"{place}/{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), place
        for one, other in zip(found, expected, strict=True):
            close(one, other, place)
    elif expected is None or (isinstance(expected, float) and math.isnan(expected)):
        assert found is None or math.isnan(found), place
    elif "nauc" not in place.lower() or not math.isnan(found):
        assert found == pytest.approx(expected, abs=1e-9), place


NAMES = {"NDCG": "ndcg_cut", "MAP": "map_cut", "Recall": "recall", "P": "P"}


def defined(scores: ours.RetrievalEvaluationResult, ranks: dict[str, list[float]]) -> None:
    """Confidence has a number exactly where topics differ in their values."""
    for label, value in (scores.naucs | scores.naucs_mrr).items():
        measure = label.split("_")[1]
        family, cutoff = measure.split("@")
        if family == "MRR":
            column = ranks[measure]
        else:
            column = [row[f"{NAMES[family]}_{cutoff}"] for row in scores.all_scores.values()]
        assert math.isnan(value) == (len(set(column)) == 1), label


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_golden(case: Any) -> None:
    qrels, results, cutoffs = case["qrels"], case["results"], case["k_values"]
    scores = ours.RetrievalEvaluator().evaluate(qrels, results, cutoffs)
    close(scores._asdict(), case["scores"])
    defined(scores, ours.mrr(qrels, results, cutoffs))
    close(ours.score_dict(scores), case["named"])
    for name, values in case["more"].items():
        close(getattr(ours, name)(qrels, results, cutoffs), values, name)


def test_golden_of_tasks() -> None:
    tasks = GOLDEN["tasks"]
    close(ours.evaluate_p_mrr_change(*tasks["p_mrr"]["arguments"]), tasks["p_mrr"]["value"])
    close(ours.max_over_subqueries(*tasks["subqueries"]["arguments"]), tasks["subqueries"]["value"])
    qrels, results = tasks["pairs"]["arguments"]
    scores = ours.calculate_retrieval_scores(results, qrels, [1, 10]).all_scores
    found = [ours.paired_accuracy(qrels, results, scores), ours.robustness_at_10(qrels, results, scores)]
    close(found, tasks["pairs"]["value"])


def test_confidence_by_hand() -> None:
    # Of four topics, the one that is surest is the worst. Means while 0, 1, 2, 3 topics are left out, by rates of a tenth:
    # 0 0 1 1 2 2 2 3 3 3 topics (half to even: 0.4, 0.8, 1.2, 1.6, 2, 2.4, 2.8, 3.2, 3.6 -> 3 at most).
    values, confidence = [0.0, 1.0, 1.0, 1.0], [4.0, 1.0, 2.0, 3.0]
    left_out = [0, 0, 1, 1, 2, 2, 2, 3, 3, 3]
    curve = [[3 / 4, 2 / 3, 1 / 2, 0.0][count] for count in left_out]
    best = [[3 / 4, 1.0, 1.0, 1.0][count] for count in left_out]

    def area(heights: list[float]) -> float:
        return sum((one + other) / 2 * 0.1 for one, other in zip(heights, heights[1:], strict=False))

    expected = (area(curve) - 0.75 * 0.9) / (area(best) - 0.75 * 0.9)
    assert ours.nauc(confidence, values) == pytest.approx(expected)
    assert ours.nauc(values, values) == pytest.approx(1.0)


def test_topics_that_are_equally_sure_have_their_mean() -> None:
    one = ours.nauc([1.0, 1.0, 2.0], [0.0, 1.0, 0.5])
    assert one == ours.nauc([1.0, 1.0, 2.0], [1.0, 0.0, 0.5])


def test_values_that_are_all_the_same_tell_nothing() -> None:
    assert math.isnan(ours.nauc([1.0, 2.0, 3.0], [0.1, 0.1, 0.1]))


def test_the_order_of_results_changes_nothing() -> None:
    one = ours.calculate_retrieval_scores(RESULTS, QRELS, [1, 3])
    turned = dict(reversed(RESULTS.items()))
    other = ours.calculate_retrieval_scores(turned, QRELS, [1, 3])
    assert one.ndcg == other.ndcg and list(other.all_scores) == ["q2", "q1"]
    close(one.naucs, other.naucs)


def test_documents_called_like_their_topic() -> None:
    results = {"q1": {"q1": 3.0, "d1": 1.0}}
    assert ours.RetrievalEvaluator.evaluate(QRELS, results, [1]).mrr == {"MRR@1": 0.0}
    assert ours.RetrievalEvaluator.evaluate(QRELS, results, [1], ignore_identical_ids=True).mrr == {"MRR@1": 1.0}
    assert results == {"q1": {"d1": 1.0}}


def test_the_first_document_left_out() -> None:
    results = {"q1": {"other": 3.0, "d1": 1.0}}
    assert ours.calculate_retrieval_scores(results, QRELS, [1], skip_first_result=True).mrr == {"MRR@1": 1.0}


def test_a_cutoff_given_twice_counts_once() -> None:
    twice, once = (ours.calculate_retrieval_scores(RESULTS, QRELS, cutoffs) for cutoffs in ([3, 3], [3]))
    assert twice.ndcg == once.ndcg


@pytest.mark.parametrize(
    ("qrels", "results", "cutoffs", "error"),
    [
        (QRELS, RESULTS, [], ValueError),
        (QRELS, {}, [1], ZeroDivisionError),
        ({}, RESULTS, [1], ZeroDivisionError),
        (QRELS, {**RESULTS, "other": {"d1": 1.0}}, [1], KeyError),
        ({"q1": {"d1": 1.5}}, RESULTS, [1], TypeError),
        (QRELS, {"q1": {"d1": "high"}}, [1], TypeError),
        (QRELS, RESULTS, ["a"], ValueError),
    ],
)
def test_errors(qrels: Any, results: Any, cutoffs: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        ours.calculate_retrieval_scores(results, qrels, cutoffs)


def test_beside_mteb_itself() -> None:
    theirs = pytest.importorskip("mteb._evaluators.retrieval_metrics", reason="MTEB is not installed")
    for seed in range(40):
        choose = random.Random(seed)
        documents = [f"d{n}" for n in range(15)]
        topics = [f"q{n}" for n in range(choose.randint(2, 8))]
        qrels = {t: {d: choose.choice([0, 1, 2]) for d in choose.sample(documents, 8)} for t in topics}
        results = {t: {d: choose.random() for d in choose.sample(documents, 10)} for t in topics}
        expected = theirs.calculate_retrieval_scores(results, qrels, [1, 3, 10])
        scores = ours.calculate_retrieval_scores(results, qrels, [1, 3, 10])
        close(scores._asdict(), expected._asdict())
        defined(scores, ours.mrr(qrels, results, [1, 3, 10]))
