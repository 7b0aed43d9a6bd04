"""`fuse` and `normalize` of `cranfield.compat.ranx` beside those of ranx: same call, same result."""

from __future__ import annotations

import math
from typing import Any

import pytest
from ranx_pair import Call, agree, ours, outcome, plain, random_data, same, theirs

# The minimum, the maximum and so on; and the order of the documents where scores are equal.
NORMS = ["min-max", "min_max", "min-max-inverted", "min_max_inverted", "max", "sum", "zmuv", "rank"]
METHODS: dict[str, dict[str, Any]] = {
    "min": {},
    "max": {},
    "med": {},
    "sum": {},
    "anz": {},
    "mnz": {},
    "gmnz": {"gamma": 0.37},
    "isr": {},
    "log_isr": {},
    "logn_isr": {"sigma": 0.2},
    "rrf": {"k": 30},
    "rbc": {"phi": 0.8},
    "wsum": {"weights": [0.5, 0.3, 0.2]},
    "wmnz": {"weights": [0.5, 0.3, 0.2]},
    "mixed": {"weights": [0.5, 0.3, 0.2]},
    "mapfuse": {"map_scores": [0.3, 0.2, 0.1]},
}
DEFAULTS = ["logn_isr", "rrf"]


def runs_of(ranx: Any, content: list[Any]) -> list[Any]:
    return [ranx.Run(run, name=f"run {place}") for place, run in enumerate(content)]


def fused(content: list[Any], *args: Any, **options: Any) -> Call:
    return lambda ranx: ranx.fuse(runs_of(ranx, content), *args, **options)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("seed", range(4))
def test_normalize(norm: str, seed: int) -> None:
    _, (run,) = random_data(seed, ties=seed % 2 == 0)
    same(lambda ranx: ranx.normalize(ranx.Run(run, name="x"), norm))


ODD = {
    "one document": {"q1": {"d001": 3.0}},
    "equal scores": {"q1": {"d001": 3.0, "d002": 3.0}},
    "negative scores": {"q1": {"d001": -3.0, "d002": -1.0}},
    "zeros": {"q1": {"d001": 0.0, "d002": 0.0}},
    "an empty topic": {"q1": {"d001": 1.0, "d002": 0.5}, "q2": {}},
    "tiny differences": {"q1": {"d001": 1.0, "d002": 1.0 + 1e-12}},
    "large scores": {"q1": {"d001": 1e300, "d002": -1e300, "d003": 1.0}},
    "infinite": {"q1": {"d001": math.inf, "d002": 1.0}},
}


@pytest.mark.parametrize("name", ODD)
def test_odd_scores(name: str) -> None:
    for norm in ("min-max", "min-max-inverted", "max", "sum", "rank", "zmuv"):
        same(lambda ranx: ranx.normalize(ranx.Run(ODD[name]), norm))
    same(fused([ODD[name], ODD[name]], "min-max", "sum"))
    same(fused([ODD[name], ODD[name]], "rank", "rrf"))


def test_names_that_are_refused() -> None:
    same(lambda ranx: ranx.normalize(ranx.Run(ODD["zeros"]), "foo"))
    same(lambda ranx: ranx.normalize(ranx.Run(ODD["zeros"]), None))
    same(fused([ODD["zeros"], ODD["zeros"]], "foo", "sum"))
    same(fused([ODD["zeros"], ODD["zeros"]], "max", "foo"))
    same(fused([ODD["zeros"], ODD["zeros"]]))
    same(fused([ODD["zeros"], ODD["zeros"]], "max", "rbc"))
    same(fused([ODD["zeros"], ODD["zeros"]], "max", "rrf", {"foo": 1}))
    same(fused([ODD["zeros"]], "max", "sum"))
    same(fused([], "max", "sum"))
    same(fused([ODD["zeros"], {"q2": {"d001": 1.0}}], "max", "sum"))
    same(fused([ODD["zeros"], ODD["zeros"]], "max", "logn_isr", {"sigma": 2}))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("norm", [None, "min-max", "zmuv", "rank"])
def test_methods(method: str, norm: str | None) -> None:
    _, content = random_data(11, runs=3, ties=False)
    same(fused(content, norm, method, METHODS[method]))


@pytest.mark.parametrize("method", METHODS)
def test_methods_with_ties(method: str) -> None:
    """The order of documents with equal scores is that of ranx as well."""
    for seed in range(3):
        _, content = random_data(20 + seed, runs=3, ties=True)
        same(fused(content, "max", method, METHODS[method]))


@pytest.mark.parametrize("norm", NORMS)
def test_norms_before_fusion(norm: str) -> None:
    _, content = random_data(12, runs=2)
    same(fused(content, norm, "sum"))
    same(fused(content, norm=norm, method="wsum", params={"weights": (0.1, 0.9)}))


@pytest.mark.parametrize("method", DEFAULTS)
def test_defaults(method: str) -> None:
    _, content = random_data(13, runs=2)
    same(fused(content, method=method))


def test_fusion_of_unsorted_runs() -> None:
    def call(ranx: Any) -> Any:
        runs = [ranx.Run(), ranx.Run()]
        for run, scores in zip(runs, ([1, 3, 2], [2, 1, 3])):
            for number, score in enumerate(scores):
                run.add_score("q1", f"d{number}", score)
        return ranx.fuse(runs, norm=None, method="rrf")

    same(call)


def unordered(result: Any) -> Any:
    """Documents with equal scores in the order of their names: ranx has them in an order that changes from process to process."""
    kind, name, is_sorted, topics = result
    ordered = [
        (topic, sorted(documents, key=lambda item: (-round(item[1], 9), item[0])))
        for topic, documents in topics
    ]
    return kind, name, ordered


@pytest.mark.parametrize("seed", range(6))
def test_borda(seed: int) -> None:
    _, content = random_data(seed, runs=3)
    for call in (
        fused(content, None, "bordafuse"),
        fused(content, "rank", "bordafuse"),
        fused(content, None, "w_bordafuse", {"weights": [0.5, 0.3, 0.2]}),
        fused(content, "borda", "sum"),
        fused(content, "borda", "mnz"),
        fused(content, "borda", "wsum", {"weights": [0.5, 0.3, 0.2]}),
    ):
        agree(unordered(outcome(call, ours)), unordered(outcome(call, theirs)))


def test_borda_with_an_empty_topic() -> None:
    content = [{"q1": {"d001": 1.0, "d002": 0.5}, "q2": {}}, {"q1": {"d001": 1.0}, "q2": {}}]
    for call in (fused(content, None, "bordafuse"), fused(content, "borda", "sum")):
        agree(unordered(outcome(call, ours)), unordered(outcome(call, theirs)))


VOTES = [
    [{"q1": {"d1": 1, "d2": 2, "d3": 3}, "q2": {"d1": 1, "d2": 2}},
     {"q1": {"d1": 2, "d2": 3}, "q2": {"d1": 1, "d3": 3}},
     {"q1": {"d3": 3}, "q2": {"d2": 2, "d3": 3}}],
    [{"q1": {"d1": 5, "d2": 4, "d3": 3, "d4": 2}}, {"q1": {"d1": 5, "d2": 4, "d4": 3, "d3": 2}},
     {"q1": {"d2": 5, "d1": 4, "d3": 3, "d4": 2}}],
    [{"q1": {"d1": 3, "d2": 2, "d3": 1}}] * 3,
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(VOTES)))
def test_condorcet(place: int) -> None:
    """Where every pair has a majority and there is no circle; elsewhere ranx depends on the order of a set."""
    same(fused(VOTES[place], None, "condorcet"))
    same(fused(VOTES[place], "min-max", "condorcet"))
    same(fused(VOTES[place], None, "w_condorcet", {"weights": [1, 1, 1]}))
    same(fused(VOTES[place], None, "w_condorcet", {"weights": [1, 5, 2]}))


def test_condorcet_with_a_majority_of_the_absent() -> None:
    """One run has d1 before d2, two have neither: nobody votes against d1."""
    content = [{"q1": {"d1": 2.0, "d2": 1.0}}, {"q1": {"d3": 1.0}}, {"q1": {"d3": 1.0}}]
    for order in (content, content[::-1]):
        assert ours.fuse(runs_of(ours, order), None, "condorcet")["q1"] == {
            "d3": 3.0,
            "d1": 2.0,
            "d2": 1.0,
        }


def test_borda_of_one_run() -> None:
    """The error of ranx is one of numba's."""

    def call(ranx: Any) -> Any:
        return ranx.normalize(ranx.Run(ODD["zeros"]), "borda")

    assert outcome(call, theirs) == ("error", "TypingError")
    assert outcome(call, ours) == ("error", "TypeError")


def test_too_few_weights() -> None:
    """ranx gives a run without documents."""
    call = fused([ODD["zeros"], ODD["zeros"]], "max", "wsum", {"weights": [1.0]})
    assert outcome(call, theirs)[3] == [("q1", [])]
    assert outcome(call, ours) == ("error", "IndexError")


def test_ranks_after_borda() -> None:
    """ranx has the documents in the order of a set then, and ranks mean nothing."""
    content = [{"q1": {"d001": 2.0, "d002": 1.0}}, {"q1": {"d001": 2.0, "d003": 1.0}}]
    found = ours.fuse(runs_of(ours, content), "borda", "rrf")
    assert list(found["q1"]) == ["d001", "d002", "d003"]


def test_runs_with_ids_of_different_length() -> None:
    """ranx cuts ids to the length of the first run's, if there is no normalisation."""
    content = [{"q1": {"d1": 2.0}}, {"q1": {"d10": 2.0}}]
    assert theirs.fuse(runs_of(theirs, content), None, "sum")["q1"] == {"d1": 2.0}
    assert ours.fuse(runs_of(ours, content), None, "sum")["q1"] == {"d1": 2.0, "d10": 2.0}


def test_bayesfuse_below_the_last_rank_that_was_learned() -> None:
    """ranx reads memory behind the odds."""
    deep = {"q1": {f"d{number:04}": -float(number) for number in range(1100)}}
    runs = runs_of(ours, [deep, deep])
    odds = [[0.0] * 1000] * 2
    found = ours.fuse(runs, None, "bayesfuse", {"log_odds": odds})["q1"]
    assert found["d0999"] == 0.0
    assert math.isclose(found["d1000"], 2 * math.log(0.001 / 0.999))


def test_plain_runs_are_left_alone() -> None:
    _, content = random_data(14, runs=2)
    runs = runs_of(ours, content)
    before = [plain(run) for run in runs]
    ours.fuse(runs, "min-max", "sum")
    assert [plain(run) for run in runs] == before
