"""`cranfield.compat.pytrec_eval` next to the package that it replaces: same call, same result."""

from __future__ import annotations

import collections
import math
import random
from fractions import Fraction
from typing import Any, Callable

import _forked
import numpy as np
import pytest
import pytrec_eval as theirs

from cranfield.compat import pytrec_eval as ours

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

QREL = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 0, "d4": 1}, "q3": {"d9": 0}}
RUN = {
    "q1": {"d1": 1.0, "d2": 2.0, "d5": 0.5, "d3": 0.25},
    "q2": {"d4": 1.0, "d1": 1.0},
    "q4": {"d1": 1.0},
}


def outcome(call: Callable[[Any], Any], module: Any) -> Any:
    return _forked.outcome(lambda: call(module))


def reference(call: Callable[[Any], Any]) -> Any:
    """What the original does, in a process of its own: its state survives exceptions, and the next call may then never end."""
    return _forked.forked(lambda: call(theirs))


def same(call: Callable[[Any], Any]) -> None:
    expected, found = reference(call), outcome(call, ours)
    if not isinstance(expected, dict):
        assert found == expected
        return
    assert isinstance(found, dict), found
    assert list(found) == list(expected)
    for topic, values in expected.items():
        assert list(found[topic]) == list(values), topic
        for key, value in values.items():
            assert type(found[topic][key]) is type(value)
            if math.isnan(value):
                assert math.isnan(found[topic][key]), (topic, key)
                continue
            assert math.isclose(found[topic][key], value, rel_tol=1e-9, abs_tol=1e-9), (
                topic,
                key,
                found[topic][key],
                value,
            )


def evaluate(
    qrel: Any, measures: Any, run: Any, *args: Any, **options: Any
) -> Callable[[Any], Any]:
    return lambda module: module.RelevanceEvaluator(qrel, measures, *args, **options).evaluate(run)


NAMES = sorted(theirs.supported_measures) + [
    "P_5", "P.5", "P_5,10", "P.5,10", "P_10,5", "P_05", "P_5,5", "P_5x", "P_1000000",
    "recall_7", "ndcg_cut_1", "ndcg_cut.3,7", "ndcg_cut_5.5", "ndcg_cut.1=3", "map_cut_2",
    "success_3", "relative_P_3", "iprec_at_recall_0.5", "iprec_at_recall_0.123456",
    "iprec_at_recall_1.5", "iprec_at_recall.0.1,0.9", "Rprec_mult.0.5", "Rprec_mult_1.5,0.5",
    "set_F_0.5", "set_F.2", "11pt_avg.0.1,0.5", "11pt_avg_0.3", "map_5", "num_rel_1",
    "relstring_3", "utility_1,2,3,4", "bpref_2",
    "official", "set", "all_trec",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    same(evaluate(QREL, {name}, RUN))


@pytest.mark.parametrize(
    "name",
    ["foo", "P_", "P_-1", "all", "map ", "MAP", "", "rbp", "unj", "p_5", "ndcg@10", "all_prefs_1"],
)
def test_unknown_names(name: str) -> None:
    same(evaluate(QREL, {name}, RUN))


@pytest.mark.parametrize("name", ["all_prefs", "prefs", "qrels_jg"])
def test_groups_without_measures_of_grades(name: str) -> None:
    kind, message = reference(evaluate(QREL, {name}, RUN))
    found_kind, found = outcome(evaluate(QREL, {name}, RUN), ours)
    # Which measure of the set is named first changes from run to run.
    assert (kind, message[:20]) == (found_kind, found[:20]) == ("ValueError", "unsupported measure ")


@pytest.mark.parametrize(
    "measures",
    [
        ["map", "map"], ("map", "P_5"), {"ndcg_cut", "ndcg_cut_7"}, {"P", "P_5", "P.10"},
        ["recall_5", "recall.10,20"], {"map": 1, "ndcg": 2}, iter(["map"]), "map", None, [1],
        [None], set(), {"official", "map_cut_3"}, {"set", "set_F.3"}, frozenset(["ndcg"]), 5,
    ],
)  # fmt: skip
def test_measures(measures: Any) -> None:
    if measures == "map":
        # One letter after the other, in the order of a set.
        assert outcome(evaluate(QREL, "m", RUN), ours) == reference(evaluate(QREL, "m", RUN))
        return
    if hasattr(measures, "__next__"):
        expected = reference(evaluate(QREL, iter(["map"]), RUN))
        assert outcome(evaluate(QREL, measures, RUN), ours) == expected
        return
    same(evaluate(QREL, measures, RUN))


QRELS: dict[str, Any] = {
    "float grade": {"q1": {"d1": 1.5}},
    "float that is whole": {"q1": {"d1": 1.0}},
    "numpy grade": {"q1": {"d1": np.int64(1)}},
    "bool grade": {"q1": {"d1": True, "d2": False}},
    "text grade": {"q1": {"d1": "1"}},
    "no grade": {"q1": {"d1": None}},
    "negative grade": {"q1": {"d1": -1, "d2": 1, "d5": -2}},
    "large grade": {"q1": {"d1": 1000, "d2": 3}},
    "int topic": {1: {"d1": 1}},
    "bytes topic": {b"q1": {"d1": 1}},
    "int document": {"q1": {1: 1}},
    "list of documents": {"q1": ["d1"]},
    "inner mapping": {"q1": collections.UserDict({"d1": 1})},
    "inner ordered": {"q1": collections.OrderedDict(d1=1)},
    "outer default": collections.defaultdict(dict, QREL),
    "outer mapping": collections.UserDict(QREL),
    "outer list": [("q1", {"d1": 1})],
    "none": None,
    "empty": {},
    "empty topic": {"q1": {}},
    "empty topic and other": {"q1": {}, "q2": {"d1": 1}},
    "nothing relevant": {"q1": {"d1": 0}},
    "unicode": {"q1": {"d1": 1, "é": 2, "日本": 1}},
    "second topic bad": {"q1": {"d1": 1}, "q2": {"d1": "x"}},
}


@pytest.mark.parametrize("name", QRELS)
def test_judgements(name: str) -> None:
    same(evaluate(QRELS[name], {"map", "ndcg", "bpref", "num_rel", "infAP"}, RUN))


RUNS: dict[str, Any] = {
    "empty": {},
    "empty topic": {"q1": {}},
    "empty topic and other": {"q1": {}, "q2": {"d4": 1.0}},
    "none": None,
    "empty list": [],
    "list": [1],
    "other topic": {"zz": {"d1": 1.0}},
    "float32": {"q1": {"d1": np.float32(1)}},
    "float64": {"q1": {"d1": np.float64(1), "d3": np.float64(2)}},
    "numpy int": {"q1": {"d1": np.int64(1)}},
    "numpy bool": {"q1": {"d1": np.bool_(True)}},
    "int": {"q1": {"d1": 1, "d3": 2}},
    "bool": {"q1": {"d1": True}},
    "text": {"q1": {"d1": "1"}},
    "no score": {"q1": {"d1": None}},
    "infinite": {"q1": {"d1": math.inf, "d2": 1.0, "d3": -math.inf}},
    "large int": {"q1": {"d1": 2**80, "d3": 1}},
    "int topic": {1: {"d1": 1.0}},
    "int document": {"q1": {1: 1.0}},
    "bytes document": {"q1": {b"d1": 1.0}},
    "inner list": {"q1": ["d1"]},
    "inner none": {"q1": None},
    "inner mapping": {"q1": collections.UserDict({"d1": 1.0})},
    "outer mapping": collections.UserDict(RUN),
    "outer default": collections.defaultdict(dict, RUN),
    "outer ordered": collections.OrderedDict(RUN),
    "a bad other topic": {"q1": {"d1": 1.0}, "q9": 3},
    "empty id": {"q1": {"": 1.0, "d1": 0.5}},
    "unicode": {"q1": {"é": 1.0, "d1": 0.5, "日本": 0.25}},
    "fraction": {"q1": {"d1": Fraction(1, 2)}},
    "ties": {"q1": {"d1": 1.0, "d2": 1.0, "d3": 1.0, "x": 1.0}},
    "ties at 32 bits": {"q1": {"d1": 1.00000001, "d2": 1.0, "d3": 1.00000002}},
    "beyond 32 bits": {"q1": {"d1": 1e300, "d2": 2e300, "d3": -1e300}},
    "tiny": {"q1": {"d1": 1e-300, "d2": 2e-300, "d3": 0.0}},
    "negative": {"q1": {"d1": -1.0, "d2": -2.0, "d3": -0.0}},
    "not a number last": {"q1": {"d1": 1.0, "d2": 0.5}},
}


@pytest.mark.parametrize("name", RUNS)
def test_runs(name: str) -> None:
    same(evaluate(QREL, {"map", "ndcg", "num_ret", "P_2", "recip_rank"}, RUNS[name]))


@pytest.mark.parametrize("level", [1, 2, 3, 0, 1.5, "1", None, True])
def test_levels(level: Any) -> None:
    same(evaluate(QREL, {"map", "P_5", "ndcg", "recip_rank", "num_rel"}, RUN, level))
    same(evaluate(QREL, {"set_F"}, RUN, relevance_level=level))


class Whole:
    """What stands for an integer, and can do nothing else."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def __index__(self) -> Any:
        return self.number

    def __repr__(self) -> str:
        return f"Whole({self.number!r})"


WHOLE = [np.int64(2), np.int32(2), np.uint8(1), np.int64(0), np.array(2), Whole(2), Whole(0), 2**31 - 1, -(2**31)]
NOT_WHOLE = [np.bool_(True), np.float64(2), np.array([2]), Whole("x"), Whole(2**31), 2**31, -(2**31) - 1, 2**70]


@pytest.mark.parametrize("option", [*WHOLE, *NOT_WHOLE], ids=repr)
def test_options_that_stand_for_integers(option: Any) -> None:
    same(evaluate(QREL, {"map", "P_5", "num_rel"}, RUN, relevance_level=option))
    same(evaluate(QREL, {"map", "P_5", "num_ret"}, RUN, judged_docs_only_flag=option))


@pytest.mark.parametrize("seed", range(12))
def test_levels_below_zero(seed: int) -> None:
    rng = random.Random(seed)
    docs = [f"d{number}" for number in range(30)]
    qrel = {f"q{n}": {doc: rng.choice([0, 0, 1, 2, 3, -1]) for doc in rng.sample(docs, 9)} | {"d0": 1} for n in range(3)}
    run = {topic: {doc: float(rng.randint(0, 9)) for doc in rng.sample(docs, 12)} for topic in qrel}
    # The original's bpref looks behind the end of a list here.
    measures = theirs.supported_measures - {"runid", "relstring", "bpref", "gm_bpref"}
    level = rng.choice([-1, -2, -5, -1000, -(2**31)])
    same(evaluate(qrel, measures, run, relevance_level=level, judged_docs_only_flag=seed % 2 == 0))
    bpref = outcome(evaluate(qrel, {"bpref"}, run, relevance_level=level), ours)
    assert bpref == {topic: {"bpref": 0.0} for topic in qrel}


def test_ids_are_not_cut_at_nul() -> None:
    call = evaluate({"r\0s": {"d": 1}}, {"recip_rank"}, {"r\0s": {"d": 1.0}})
    assert reference(call) == {"r": {"recip_rank": 1.0}}
    assert outcome(call, ours) == {"r\0s": {"recip_rank": 1.0}}


@pytest.mark.parametrize("flag", [True, False, 1, 0, "x", None])
def test_judged_documents_only(flag: Any) -> None:
    same(evaluate(QREL, {"P_2", "map", "num_ret", "bpref", "ndcg"}, RUN, 1, flag))
    same(evaluate(QREL, {"P_2"}, RUN, judged_docs_only_flag=flag))


def test_wrong_calls() -> None:
    same(lambda module: module.RelevanceEvaluator())
    same(lambda module: module.RelevanceEvaluator(QREL, {"map"}).evaluate())
    same(lambda module: module.RelevanceEvaluator(QREL, {"map"}).evaluate(scores=RUN))
    same(lambda module: module.RelevanceEvaluator(query_relevance=QREL, measures={"map"}).evaluate(RUN))


def test_an_evaluator_is_used_again() -> None:
    evaluator = ours.RelevanceEvaluator(QREL, {"P_5,10"})
    reference = theirs.RelevanceEvaluator(QREL, {"P_5,10"})
    for _ in range(3):
        assert evaluator.evaluate(RUN) == reference.evaluate(RUN)


def random_case(seed: int) -> tuple[Any, set[str], Any, int, bool]:
    choose = random.Random(seed)
    documents = [f"doc{number}" for number in range(choose.choice([3, 30, 300]))]
    grades = choose.choice([[0, 1], [0, 1, 2, 3], [-1, 0, 1, 2]])
    topics = [f"t{number}" for number in range(choose.choice([1, 5, 20]))]
    few = choose.random() < 0.5

    def some(probability: float) -> list[str]:
        return [document for document in documents if choose.random() < probability]

    def score() -> float:
        return choose.choice([1.0, 2.0, 3.0]) if few else choose.uniform(-10, 10)

    qrel = {
        topic: {document: choose.choice(grades) for document in some(0.4)}
        for topic in topics
        if choose.random() < 0.9
    }
    run = {
        topic: {document: score() for document in some(0.7)}
        for topic in [*topics, "other"]
        if choose.random() < 0.9
    }
    # Two spellings of one cutoff make the original abort.
    plain = [name for name in NAMES[:-3] if name != "P_05"]
    names = choose.sample(plain, 6) if seed % 3 else ["all_trec"]
    return qrel, set(names), run, choose.choice([1, 1, 2]), choose.random() < 0.3


@pytest.mark.parametrize("seed", range(120))
def test_random(seed: int) -> None:
    qrel, names, run, level, judged = random_case(seed)
    same(evaluate(qrel, names, run, level, judged))


def test_what_is_supported() -> None:
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames
    assert type(ours.supported_measures) is type(theirs.supported_measures)
    assert ours.__version__ == theirs.__version__
    assert ours.__all__ == sorted(theirs.__all__)


LINES = [
    ["q1 Q0 d1 1 2.5 x", "q1\tQ0\td2 2 1e3 x\n", "q2 Q0 d1 1 -1 x"],
    ["q1 Q0 d1 1 2.5 x", "q1 Q0 d1 2 1 x"],
    ["q1 Q0 d1 1 2.5"],
    [""],
    ["q1 Q0 d1 1 high x"],
    [],
]


@pytest.mark.parametrize("lines", LINES)
def test_runs_are_parsed(lines: list[str]) -> None:
    expected = outcome(lambda module: module.parse_run(lines), theirs)
    found = outcome(lambda module: module.parse_run(lines), ours)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize(
    "lines",
    [["q1 0 d1 1", "q2 0 d1 -2\n"], ["q1 0 d1 1", "q1 0 d1 1"], ["q1 0 d1 1.5"], ["q1 0 d1"], []],
)
def test_judgements_are_parsed(lines: list[str]) -> None:
    expected = outcome(lambda module: module.parse_qrel(lines), theirs)
    found = outcome(lambda module: module.parse_qrel(lines), ours)
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize("measure", ["map", "num_ret", "gm_map", "P_5", "number"])
@pytest.mark.parametrize(
    "values", [[0.5, 0.25, 1.0], [1.0], [-1.0, -2.0], np.array([1, 2, 4]), [True, 2]]
)
def test_aggregates(measure: str, values: Any) -> None:
    expected = theirs.compute_aggregated_measure(measure, values)
    found = ours.compute_aggregated_measure(measure, values)
    assert type(found) is type(expected) is float
    assert math.isclose(found, expected, rel_tol=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_aggregates_of_nothing() -> None:
    for measure in ("map", "num_ret", "gm_map"):
        expected = theirs.compute_aggregated_measure(measure, [])
        found = ours.compute_aggregated_measure(measure, [])
        assert found == expected or (math.isnan(found) and math.isnan(expected))


def test_deliberate_differences() -> None:
    """Where the original ends the process or shows memory, there is an exception."""
    for name in ("P_0", "ndcg_cut_0", "ndcg_1"):
        assert outcome(evaluate(QREL, {name}, RUN), ours) == (
            "TypeError",
            "Unable to resolve all measures.",
        )
    assert outcome(evaluate(QREL, {"P_05", "P_5"}, RUN), ours)["q1"] == {"P_5": 0.4}
    # Its sums are taken from memory that belongs to nobody.
    negative = evaluate({"q1": {"d1": -1}}, {"map", "ndcg"}, RUN)
    assert outcome(negative, ours) == {"q1": {"map": 0.0, "ndcg": 0.0}}
    surrogate = {"q1": {"\ud800": 1.0}}
    assert outcome(evaluate(QREL, {"map"}, surrogate), ours)[0] == "UnicodeEncodeError"
    huge = {"q1": {"d1": 10**400}}
    assert outcome(evaluate(QREL, {"map"}, huge), ours)[0] == "TypeError"


def test_scores_that_are_nan_are_rejected() -> None:
    import cranfield

    evaluator = ours.RelevanceEvaluator({"q": {"d": 1}}, {"map"})
    with pytest.raises(cranfield.InputError, match="is NaN"):
        evaluator.evaluate({"q": {"d": math.nan, "e": 1.0}})
