"""Odd values of options: each is an error that says what was expected."""

from __future__ import annotations

import functools
from typing import Any

import pytest

import cranfield

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 1.0}}


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**10, 1.5, "x", True])
@pytest.mark.parametrize("measures", ["AP", ["AP", "2*AP"]])
def test_threads_are_as_many_as_on_the_command_line(threads: Any, measures: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="1 to 1024"):
        cranfield.evaluate(QRELS, RUN, measures, threads=threads)
    with pytest.raises(cranfield.UsageError, match=r"threads|1\.\.=1024"):
        cranfield.compare(QRELS, [RUN, RUN], measures, threads=threads)


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**30, 1.5, "x", True])
def test_threads_of_an_evaluator_have_the_same_bounds(threads: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="1 to 1024"):
        cranfield.Evaluator(QRELS, "AP", threads=threads)


@pytest.mark.parametrize("digits", [-1, 18, 300])
def test_decimals_are_as_many_as_on_the_command_line(digits: int) -> None:
    evaluation = cranfield.evaluate(QRELS, RUN, "AP")
    for render in (evaluation.to_text, evaluation.to_markdown, evaluation.to_latex, evaluation.to_html):
        with pytest.raises(cranfield.UsageError, match="from 0 to 17"):
            render(digits=digits)
    assert "0.75000000000000000" in evaluation.to_text(digits=17)


@pytest.mark.parametrize("baseline", ["b", ["b"], ("b",)])
def test_baselines_are_one_or_several(baseline: Any) -> None:
    runs = {"a": RUN, "b": {"q1": {"d1": 1.0}, "q2": {"d9": 1.0}}}
    compared = cranfield.compare(QRELS, runs, "RR", baseline=baseline).to_dict()
    assert compared["settings"]["baselines"] == ["b"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"margin": -1}, "margin is -1; give a number above 0"),
        ({"margin": 5}, "AP is from 0 to 1, so no difference is larger than a margin of 5"),
        ({"rope": 1e308}, "rope is 1e308; give a number from 1e-50 to 1e50"),
        ({"alpha": 1e-17}, "alpha is 1e-17; give a number from 1e-9 to 0.5"),
        ({"alpha": float("nan")}, "alpha is NaN; give a number from 1e-9 to 0.5"),
        ({"replicates": 0}, "replicates is 0; give a whole number from 1"),
        ({"replicates": -1}, "expected a whole number that is not negative"),
    ],
)
def test_numbers_of_comparisons(options: Any, why: str) -> None:
    with pytest.raises(cranfield.UsageError, match=why):
        cranfield.compare(QRELS, [RUN, RUN], "AP", **options)


def test_numbers_of_designs_and_gates() -> None:
    with pytest.raises(cranfield.UsageError, match="difference is -0.1; give a number above 0"):
        cranfield.power(sd=1, difference=[0.1, -0.1])
    with pytest.raises(cranfield.UsageError, match="tolerance"):
        cranfield.gate(QRELS, RUN, RUN, "AP", tolerance=-1)


def test_intervals_have_the_name_of_what_they_are() -> None:
    def method(replicates: int) -> str:
        runs = {"a": RUN, "b": {"q1": {"d1": 1.0}}}
        result = cranfield.compare(QRELS, runs, "AP", interval="bca", replicates=replicates)
        name: str = result.to_dict()["comparison"][0]["pairs"][0]["interval"]["method"]
        return name

    assert [method(3), method(1000)] == ["t", "bca"]


def test_threads_of_numpy() -> None:
    np = pytest.importorskip("numpy")
    assert cranfield.evaluate(QRELS, RUN, "AP", threads=np.int64(2)).runs == ["run"]


class Whole:
    """An object that converts to an integer, and can do nothing else."""

    def __index__(self) -> int:
        return 2


def test_threads_of_an_object_with_an_index() -> None:
    np = pytest.importorskip("numpy")
    two: Any = Whole()
    assert cranfield.evaluate(QRELS, RUN, "AP", threads=two).runs == ["run"]
    assert cranfield.Evaluator(QRELS, "RR", threads=two).evaluate(RUN)["q2"] == {"RR": 1.0}
    for call in (functools.partial(cranfield.evaluate, QRELS, RUN), functools.partial(cranfield.Evaluator, QRELS)):
        with pytest.raises(cranfield.UsageError, match="expected a whole number from 1 to 1024"):
            call("AP", threads=np.array([1]))


@pytest.mark.parametrize("option", ["run_format", "qrels_format"])
@pytest.mark.parametrize("format", ["x", 3, object(), "\ud800"], ids=["unknown", "number", "object", "surrogate"])
def test_formats_are_checked_without_files(option: str, format: Any) -> None:
    with pytest.raises(cranfield.CranfieldError, match="unknown format|expected a str|no Unicode"):
        cranfield.evaluate(QRELS, RUN, "RR", **{option: format})
    with pytest.raises(cranfield.CranfieldError, match="unknown format|expected a str|no Unicode"):
        cranfield.compare(QRELS, {"a": RUN, "b": RUN}, "RR", **{option: format})
    assert cranfield.evaluate(QRELS, RUN, "RR", run_format="trec", qrels_format="json").runs == ["run"]


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: cranfield.Evaluator(QRELS, "AP", dept=3), "unknown option `dept`; did you mean `depth`?"),
        (lambda: cranfield.Evaluator(QRELS, "AP", thread=3), "unknown option `thread`; did you mean `threads`?"),
        (lambda: cranfield.Evaluator(QRELS, "AP", colour=3), "unknown option `colour`; one of: ties, topics, "),
        (lambda: cranfield.compare(QRELS, [RUN, RUN], "AP", dept=3), "unexpected keyword argument 'dept'"),
        (lambda: cranfield.command("measures", "--fomat", "csv"), "; did you mean '--format'?"),
    ],
)
def test_options_that_nothing_has(call: Any, why: str) -> None:
    with pytest.raises(cranfield.UsageError) as raised:
        call()
    assert why in str(raised.value)
