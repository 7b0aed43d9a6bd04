"""`cranfield.compat.hf` beside what the metric `trec_eval` of Hugging Face's `evaluate` returned (`goldens/hf_trec_eval.json`)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield.compat import hf, pytrec_eval

GOLDEN: Any = json.loads((Path(__file__).parent / "goldens" / "hf_trec_eval.json").read_text())
QRELS = {"query": [1, 1, 2], "q0": ["0"] * 3, "docid": ["a", "b", "c"], "rel": [1, 0, 2]}


def run_of(rows: list[tuple[Any, str, float]]) -> dict[str, list[Any]]:
    return {
        "query": [topic for topic, _, _ in rows],
        "q0": ["q0"] * len(rows),
        "docid": [document for _, document, _ in rows],
        "rank": list(range(len(rows))),
        "score": [score for _, _, score in rows],
        "system": ["mine"] * len(rows),
    }


def computed(run: Any, qrels: Any = QRELS) -> dict[str, Any]:
    return hf.load("trec_eval").compute(predictions=[run], references=[qrels])


def nested(columns: Any, values: str) -> dict[str, dict[str, Any]]:
    dicts: dict[str, dict[str, Any]] = {}
    for topic, document, value in zip(columns["query"], columns["docid"], columns[values], strict=True):
        dicts.setdefault(str(topic), {})[document] = value
    return dicts


@pytest.mark.parametrize("case", GOLDEN["cases"], ids=range(len(GOLDEN["cases"])))
def test_golden(case: Any) -> None:
    found, expected = computed(case["run"], case["qrels"]), case["values"]
    assert list(found) == list(expected)
    for key, value in expected.items():
        # With newer versions of pandas, R-precision of the original counts relevant documents of other topics.
        if key != "Rprec":
            assert found[key] == (value if isinstance(value, str) else pytest.approx(value, abs=1e-9)), key
    by_topic = pytrec_eval.RelevanceEvaluator(nested(case["qrels"], "rel"), {"Rprec"}).evaluate(
        nested(case["run"], "score")
    )
    assert found["Rprec"] == pytest.approx(sum(row["Rprec"] for row in by_topic.values()) / len(by_topic))


def test_by_hand() -> None:
    run = run_of([(1, "b", 0.5), (1, "a", 0.25), (2, "x", 0.5), (2, "c", 0.75)])
    found = computed(run)
    assert (found["runid"], found["num_ret"], found["num_rel"], found["num_rel_ret"], found["num_q"]) == ("mine", 4, 2, 2, 2)
    assert found["map"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["gm_map"] == pytest.approx(math.sqrt(1 / 2))
    assert found["recip_rank"] == pytest.approx(0.75)
    # nDCG is of the order that is given, whatever the scores: both second.
    assert found["NDCG@5"] == pytest.approx(1 / math.log2(3))


def test_topics_without_judgements_count_as_nothing_found() -> None:
    run = run_of([(1, "a", 1.0), (9, "a", 1.0)])
    found = computed(run)
    assert found["num_q"] == 2 and found["map"] == 0.5 and found["Rprec"] == 0.5


def test_topics_without_a_relevant_document_are_left_out_of_the_geometric_mean() -> None:
    qrels = {"query": [1, 2], "q0": ["0"] * 2, "docid": ["a", "b"], "rel": [1, 0]}
    found = computed(run_of([(1, "a", 1.0), (2, "b", 1.0)]), qrels)
    assert (found["gm_map"], found["map"]) == (1.0, 0.5)


def test_scores_are_of_single_precision() -> None:
    # They differ in double precision only, so that the ids decide.
    run = run_of([(1, "a", 1.0 + 1e-12), (1, "b", 1.0)])
    assert computed(run)["recip_rank"] == 0.5


def test_given_by_and_by() -> None:
    metric, run = hf.load("trec_eval"), run_of([(1, "a", 1.0)])
    metric.add(prediction=run, reference=QRELS)
    assert metric.compute() == computed(run)
    metric.add_batch(predictions=[run])
    metric.add_batch(references=[QRELS])
    assert metric.compute() == computed(run)


@pytest.mark.parametrize(
    ("run", "qrels", "message"),
    [
        ({}, QRELS, "no column `query`"),
        (run_of([]), QRELS, "there is no row"),
        ({**run_of([(1, "a", 1.0)]), "score": []}, QRELS, "differ in length"),
        (run_of([(1, "a", 1.0), (1, "a", 0.5)]), QRELS, "twice"),
        (run_of([(1, "a", math.nan)]), QRELS, "NaN|nan|number"),
        (run_of([(1, "a", 1.0)]), {**QRELS, "rel": ["high"] * 3}, "number|str"),
    ],
)
def test_errors(run: Any, qrels: Any, message: str) -> None:
    with pytest.raises((cranfield.CranfieldError, TypeError), match=message):
        computed(run, qrels)


def test_other_numbers_of_runs() -> None:
    run = run_of([(1, "a", 1.0)])
    with pytest.raises(ValueError, match="found 2 prediction"):
        hf.load("trec_eval").compute(predictions=[run, run], references=[QRELS])
    with pytest.raises(ValueError, match="0 reference"):
        hf.load("trec_eval").compute(predictions=[run])
    with pytest.raises(cranfield.UnknownNameError, match="no metric `bleu`"):
        hf.load("bleu")
