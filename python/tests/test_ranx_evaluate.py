"""`cranfield.compat.ranx.evaluate` beside that of ranx: same call, same result."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from ranx_pair import Call, agree, ours, outcome, random_data, same, theirs

FAMILIES = [
    "hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map", "dcg",
    "dcg_burges", "ndcg", "ndcg_burges",
]  # fmt: skip
NAMES = [
    f"{family}{cutoff}{level}"
    for family in FAMILIES
    for cutoff in ("", "@1", "@10", "@100")
    for level in ("", "-l2")
] + [
    "bpref", "bpref@3", "rbp.95", "rbp.5", "rbp@80", "rbp.955", "rbp.05", "rbp.0", "rbp.8-l2",
    "ndcg@0", "hits@3-l3", "map@20-l4", "precision@1000000", "ndcg-l0",
]  # fmt: skip

QRELS, (RUN,) = random_data(7, ties=False)


def objects(qrels: Any, run: Any, metrics: Any, **options: Any) -> Call:
    return lambda ranx: ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run, name="x"), metrics, **options)


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    same(objects(QRELS, RUN, name))
    same(objects(QRELS, RUN, name, return_mean=False))


@pytest.mark.parametrize(
    "name",
    [
        "foo", "ndcg@x", "ndcg@-1", "NDCG", "ndcg@", "", "rbp", "map-lx", "ndcg@5-l1-l2", "rbp.x",
        "precision @5", 5, None, ["ndcg", 3],
    ],
)  # fmt: skip
def test_names_that_are_refused(name: Any) -> None:
    same(objects(QRELS, RUN, name))


@pytest.mark.parametrize("seed", range(40))
def test_random_objects(seed: int) -> None:
    qrels, (run,) = random_data(seed)
    same(objects(qrels, run, [*FAMILIES, "bpref", "rbp.8", "ndcg@5", "map@3-l2"], return_mean=False))


@pytest.mark.parametrize("seed", range(40, 70))
def test_random_dicts(seed: int) -> None:
    qrels, (run,) = random_data(seed)
    names = [*FAMILIES, "rbp.8", "ndcg@5"]
    same(lambda ranx: ranx.evaluate(qrels, run, names))
    same(lambda ranx: ranx.evaluate(qrels, run, names, return_mean=False))


@pytest.mark.parametrize("metrics", [["ndcg@5", "map"], "mrr", ["mrr"], [], ("map", "mrr")])
@pytest.mark.parametrize("mean", [True, False])
@pytest.mark.parametrize("std", [True, False])
def test_shapes_of_results(metrics: Any, mean: bool, std: bool) -> None:
    same(objects(QRELS, RUN, metrics, return_mean=mean, return_std=std))


@pytest.mark.parametrize("save", [True, False])
@pytest.mark.parametrize("std", [True, False])
def test_what_is_left_in_the_run(save: bool, std: bool) -> None:
    def call(ranx: Any) -> Any:
        run = ranx.Run(RUN)
        ranx.evaluate(
            ranx.Qrels(QRELS), run, ["ndcg@5", "mrr"], return_std=std, save_results_in_run=save
        )
        return dict(run.scores), run.mean_scores, run.std_scores

    same(call)


PAIRS: dict[str, tuple[Any, Any]] = {
    "ten and more topics": random_data(3, topics=12)[0:1] + tuple(random_data(3, topics=12)[1]),
    "nothing relevant": ({"q1": {"d001": 0}}, {"q1": {"d001": 1.0, "d002": 2.0}}),
    "nothing found": ({"q1": {"d001": 1}}, {"q1": {"d003": 1.0, "d002": 2.0}}),
    "an empty topic of the run": ({"q1": {"d001": 1}, "q2": {"d002": 2}}, {"q1": {}, "q2": {"d002": 1.0}}),
    "negative grades": ({"q1": {"d001": -1, "d002": 1, "d003": -2}}, {"q1": {"d001": 3.0, "d002": 2.0}}),
    "large grades": ({"q1": {"d001": 40, "d002": 1}}, {"q1": {"d001": 3.0, "d002": 2.0}}),
    "float grades are cut": ({"q1": {"d001": 1.9, "d002": 0.9}}, {"q1": {"d001": 3.0, "d002": 2.0}}),
    "whole scores": ({"q1": {"d001": 1}}, {"q1": {"d001": 3, "d002": 7}}),
    "infinite scores": ({"q1": {"d001": 1}}, {"q1": {"d001": np.inf, "d002": -np.inf, "d003": 0.0}}),
    "no number as score": ({"q1": {"d001": 1}}, {"q1": {"d001": np.nan, "d002": 1.0, "d003": 0.0}}),
    "numpy numbers": ({"q1": {"d001": np.int64(2)}}, {"q1": {"d001": np.float32(0.5), "d002": np.float64(1)}}),
    "zeros of both signs": ({"q1": {"d002": 1}}, {"q1": {"d001": 0.0, "d002": -0.0}}),
    "topics in another order": ({"q2": {"d001": 1}, "q1": {"d002": 1}}, {"q1": {"d002": 1.0}, "q2": {"d002": 1.0}}),
    "other letters": ({"ä": {"日本語x": 1}}, {"ä": {"日本語x": 1.0, "d002": 2.0}}),
    "a topic is missing": ({"q1": {"d001": 1}, "q2": {"d001": 1}}, {"q1": {"d001": 1.0}}),
    "a topic is too many": ({"q1": {"d001": 1}}, {"q1": {"d001": 1.0}, "q2": {"d001": 1.0}}),
    "no topics": ({}, {"q1": {"d001": 1.0}}),
    "no documents": ({"q1": {"d001": 1}}, {"q1": {}}),
    "text as grade": ({"q1": {"d001": "x"}}, {"q1": {"d001": 1.0}}),
    "text of a number": ({"q1": {"d001": "2"}}, {"q1": {"d001": "1.5", "d002": "2"}}),
    "no grade": ({"q1": {"d001": None}}, {"q1": {"d001": 1.0}}),
    "number as id": ({"q1": {1: 1}}, {"q1": {1: 1.0}}),
    "list of documents": ({"q1": ["d001"]}, {"q1": {"d001": 1.0}}),
    "a list": ([], {"q1": {"d001": 1.0}}),
    "a number": (3, {"q1": {"d001": 1.0}}),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_odd_data(name: str) -> None:
    qrels, run = PAIRS[name]
    same(objects(qrels, run, ["ndcg", "map@5", "precision", "f1@2", "mrr", "rbp.9", "hits"]))


@pytest.mark.parametrize("name", ["a topic is missing", "a topic is too many", "negative grades"])
def test_made_comparable(name: str) -> None:
    qrels, run = PAIRS[name]
    same(objects(qrels, run, ["ndcg", "mrr"], make_comparable=True, return_mean=False))
    same(lambda ranx: ranx.Run(run).make_comparable(ranx.Qrels(qrels)))
    same(lambda ranx: ranx.evaluate(qrels, run, ["ndcg", "mrr"], make_comparable=True))


@pytest.mark.parametrize("name", ["nothing relevant", "large grades", "negative grades", "a topic is missing"])
def test_odd_dicts(name: str) -> None:
    qrels, run = PAIRS[name]
    same(lambda ranx: ranx.evaluate(qrels, run, ["ndcg", "map@5", "precision", "mrr", "rbp.9"]))


def test_float_grades_of_dicts() -> None:
    qrels = {"q1": {"d001": 1.5, "d002": 0.5, "d003": 2.25}}
    run = {"q1": {"d003": 3.0, "d002": 2.0, "d001": 1.0}}
    names = ["ndcg", "dcg", "ndcg_burges", "rbp.9", "map", "hits", "ndcg-l2"]
    same(lambda ranx: ranx.evaluate(qrels, run, names))


def test_ids_of_dicts_may_be_numbers() -> None:
    qrels = {1: {10: 1, 11: 0, (1, 2): 2}, 2: {10: 1}}
    run = {1: {11: 3.0, 10: 2.0, (1, 2): 1.0}, 2: {np.int64(10): 1.0, 12: 2.0}}
    same(lambda ranx: ranx.evaluate(qrels, run, ["ndcg", "map", "mrr", "hits"]))
    same(lambda ranx: ranx.evaluate(qrels, run, ["ndcg", "map"], return_mean=False))


def test_an_empty_topic_of_a_dict() -> None:
    """ranx fails without saying why."""
    qrels, run = {"q1": {"d1": 1}, "q2": {"d1": 1}}, {"q1": {}, "q2": {"d1": 1.0}}
    assert outcome(lambda ranx: ranx.evaluate(qrels, run, "map"), theirs) == ("error", "AssertionError")
    assert ours.evaluate(qrels, run, "map") == 0.5


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_threads(threads: int) -> None:
    qrels, (run,) = random_data(5, topics=12)
    same(objects(qrels, run, ["ndcg", "map"], threads=threads))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_relevance_level_of_judgements(level: int) -> None:
    def call(ranx: Any) -> Any:
        qrels = ranx.Qrels(QRELS)
        qrels.set_relevance_level(level)
        return qrels, ranx.evaluate(qrels, ranx.Run(RUN), ["ndcg", "map", "mrr"])

    same(call)


ARRAYS = [
    ([[[1, 1], [4, 1], [5, 1], [6, 1]]], [[[1, 1], [2, 1], [3, 1], [4, 1], [5, 1], [7, 1]]]),
    ([[[2, 5], [4, 4], [5, 3], [10, 2]]], [[[10, 1], [5, 1], [2, 1], [4, 1], [3, 1]]]),
    ([[[3, 1]], [[1, 1]]], [[[2, 1], [3, 1]], [[1, 1], [2, 1]]]),
]


@pytest.mark.parametrize("place", range(len(ARRAYS)))
def test_arrays(place: int) -> None:
    qrels, run = (np.array(part) for part in ARRAYS[place])
    for name in ("hits@5", "precision@5", "map@6", "mrr", "r-precision", "recall@2", "ndcg@10", "dcg_burges"):
        same(lambda ranx: ranx.evaluate(qrels, run, name))


def test_lists_of_arrays() -> None:
    from numba.typed import List

    def arrays(rows: Any) -> Any:
        return List([np.array(row) for row in rows])

    qrels = arrays([[[1, 1], [2, 1], [3, 1]], [[5, 2], [4, 1]], [[8, 1], [9, 1]]])
    run = arrays([[[4, 1], [5, 1], [1, 1]], [[4, 1], [6, 1], [5, 1], [1, 1]], [[7, 1]]])
    for name in ("hits@5", "precision@5", "map", "mrr", "r-precision", "recall@2", "ndcg"):
        same(lambda ranx: ranx.evaluate(qrels, run, name))


PATHS = [
    "data_structures.FrozensetDict", "data_structures.OptimizationReport", "data_structures.Report",
    "metrics.bpref.bpref", "metrics.f1.f1", "metrics.precision.precision", "metrics.recall.recall",
    "metrics.rank_biased_precision.rank_biased_precision", "metrics.get_hit_lists.get_hit_lists",
    "metrics.interpolated_precision_at_recall.interpolated_precision_at_recall",
    "normalization.min_max_norm", "normalization.norm_switch", "normalization.borda_norm",
    "fusion.comb_min", "fusion.bayesfuse.bayesfuse_train", "fusion.condorcet.get_results",
    "fusion.weighted_condorcet", "fusion.probfuse_train", "fusion.fusion_switch",
    "statistical_tests.fisher_randomization_test", "statistical_tests.paired_student_t_test",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_names_below_the_top(path: str) -> None:
    """Import lines of scripts that reach into the package."""
    module, _, name = path.rpartition(".")
    for package in ("ranx", "cranfield.compat.ranx"):
        assert callable(getattr(importlib.import_module(f"{package}.{module}"), name))


FUNCTIONS = [
    "hits", "hit_rate", "precision", "recall", "f1", "r_precision", "reciprocal_rank",
    "average_precision", "bpref", "dcg", "dcg_burges", "ndcg", "ndcg_burges",
    "interpolated_precision_at_recall", "get_hit_lists",
]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_arrays(name: str) -> None:
    import ranx.metrics

    import cranfield.compat.ranx.metrics

    expected = getattr(ranx.metrics, name)(
        theirs.Qrels(QRELS).to_typed_list(), theirs.Run(RUN).to_typed_list()
    )
    found = getattr(cranfield.compat.ranx.metrics, name)(
        ours.Qrels(QRELS).to_typed_list(), ours.Run(RUN).to_typed_list()
    )
    if name == "get_hit_lists":
        expected, found = list(map(list, expected)), list(map(list, found))
    agree(found, expected)


def test_rank_biased_precision_of_arrays() -> None:
    import ranx.metrics

    import cranfield.compat.ranx.metrics

    for p in (0.95, 0.5, 0.123456):
        agree(
            cranfield.compat.ranx.metrics.rank_biased_precision(
                ours.Qrels(QRELS).to_typed_list(), ours.Run(RUN).to_typed_list(), p
            ),
            ranx.metrics.rank_biased_precision(
                theirs.Qrels(QRELS).to_typed_list(), theirs.Run(RUN).to_typed_list(), p
            ),
        )


def test_topics_of_dicts_are_paired_by_name() -> None:
    """ranx pairs them by their places in the dicts."""
    qrels = {"q1": {"d001": 1}, "q2": {"d002": 1}}
    run = {"q2": {"d002": 1.0, "d001": 0.5}, "q1": {"d001": 1.0, "d002": 0.5}}
    assert theirs.evaluate(qrels, run, "mrr") == 0.5
    assert ours.evaluate(qrels, run, "mrr") == 1.0


def test_one_measure_of_topics_without_saving() -> None:
    """ranx looks the measure up without its cutoff."""
    call = objects(QRELS, RUN, "ndcg@5", return_mean=False, save_results_in_run=False)
    assert outcome(call, theirs) == ("error", "KeyError")
    agree(outcome(call, ours), outcome(objects(QRELS, RUN, "ndcg@5", return_mean=False), theirs))


def test_judgements_as_arrays_in_any_order() -> None:
    """ranx takes the order of the judgements as the best ranking."""
    qrels, run = np.array([[[4, 1], [5, 2]]]), np.array([[[5, 1], [4, 1]]])
    assert theirs.evaluate(qrels, run, "ndcg") > 1.0
    assert ours.evaluate(qrels, run, "ndcg") == 1.0


def test_bpref_without_judged_documents_of_both_kinds() -> None:
    """ranx divides by zero."""
    qrels = {"q1": {"d001": 1, "d002": 2}, "q2": {"d001": 0}}
    run = {"q1": {"d001": 2.0, "d003": 1.0}, "q2": {"d001": 1.0}}
    assert list(ours.evaluate(ours.Qrels(qrels), ours.Run(run), "bpref", return_mean=False)) == [0.5, 0.0]


def test_an_empty_topic_of_the_judgements() -> None:
    found = ours.evaluate(
        ours.Qrels({"q1": {}, "q2": {"d001": 1}}),
        ours.Run({"q1": {"d001": 1.0}, "q2": {"d001": 1.0}}),
        ["ndcg", "map", "bpref"],
    )
    assert found == {"ndcg": 0.5, "map": 0.5, "bpref": 0.5}
