"""Inputs that make no sense: each is an exception of the package that says what was expected."""

from __future__ import annotations

import errno
import functools
import pickle
from pathlib import Path
from typing import Any

import pytest

import cranfield

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 1.0}}


def mine(topic: str, grades: list[float | None], context: cranfield.Context) -> float:
    return 1.0


@pytest.mark.parametrize("asked", [mine, [mine], ["AP", mine], len, {mine}, [int]])
def test_a_function_needs_a_name(asked: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="custom_measure"):
        cranfield.evaluate(QRELS, RUN, asked)


@pytest.mark.parametrize("asked", [3, 1.5, b"AP", [None], [b"AP"], ["AP", 3]])
def test_a_measure_is_a_name(asked: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="expected a name"):
        cranfield.evaluate(QRELS, RUN, asked)


def test_objects_that_print_as_names_are_measures() -> None:
    class Named:
        def __call__(self) -> None:
            raise AssertionError("called")

        def __str__(self) -> str:
            return "RR"

    assert cranfield.evaluate(QRELS, RUN, [Named()])["run", "RR"] == 0.75
    assert cranfield.evaluate(QRELS, RUN, Named())["run", "RR"] == 0.75
    assert cranfield.evaluate(QRELS, RUN, iter(["RR", "2*RR"])).to_dict() == {"run": {"RR": 0.75, "2*RR": 1.5}}
    own = cranfield.custom_measure("Mine", functools.partial(mine))
    assert cranfield.evaluate(QRELS, RUN, own)["run", "Mine"] == 1.0


@pytest.mark.parametrize(
    ("text", "value"), [("-RR", -0.75), ("P@1+RR", 1.25), ("P@1+1", 1.5), ("P@1 - RR", -0.25), (" RR ", 0.75)]
)
def test_operators_without_blanks(text: str, value: float) -> None:
    assert list(cranfield.evaluate(QRELS, RUN, text)["run"].values()) == [pytest.approx(value)]


@pytest.mark.parametrize("text", ["P+Q", "ERR-IA@5", "P@5 P@10", "nDCG(gains='0,1,10')@5"])
def test_names_with_operators_in_them_are_names(text: str) -> None:
    from cranfield._custom import is_expression

    assert not is_expression(text)


@pytest.mark.parametrize("name", [1, ("a", "b"), b"a"])
def test_a_run_has_a_text_as_its_name(name: Any) -> None:
    with pytest.raises(cranfield.InputTypeError, match="the name of a run"):
        cranfield.evaluate(QRELS, {name: RUN}, "AP")


def test_files_beside_judgements_are_of_files(tmp_path: Any) -> None:
    path = tmp_path / "intents"
    path.write_text("q1 1 1.0\n")
    with pytest.raises(cranfield.UsageError, match="give their paths"):
        cranfield.evaluate(QRELS, RUN, "AP", intents=path)


def test_an_evaluation_is_a_mapping_of_its_runs() -> None:
    evaluation = cranfield.evaluate(QRELS, {"mine": RUN, "other": RUN}, "AP")
    assert list(evaluation) == ["mine", "other"]
    assert "mine" in evaluation and "AP" not in evaluation and 1 not in evaluation


def test_one_column_is_no_table() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    with pytest.raises(cranfield.InputTypeError, match="expected a table with columns of topics"):
        cranfield.read_run(pandas.Series([1.0]))


HALF = "\ud800"


@pytest.mark.parametrize(
    "call",
    [
        lambda: cranfield.evaluate(QRELS, RUN, HALF),
        lambda: cranfield.evaluate(QRELS, RUN, ["AP", HALF]),
        lambda: cranfield.evaluate(QRELS, {HALF: RUN}, "AP"),
        lambda: cranfield.evaluate(QRELS, RUN, "AP", ties=HALF),
        lambda: cranfield.evaluate(QRELS, RUN, "AP", profile=HALF),
        lambda: cranfield.evaluate(HALF, RUN, "AP"),
        lambda: cranfield.evaluate(QRELS, HALF, "AP"),
        lambda: cranfield.evaluate(HALF, HALF, "AP"),
        lambda: cranfield.compare(QRELS, [RUN, RUN], "AP", baseline=HALF),
        lambda: cranfield.compare(QRELS, [RUN, RUN], HALF),
        lambda: cranfield.report(QRELS, RUN, title=HALF),
        lambda: cranfield.convert(HALF, "out.json"),
        lambda: cranfield.command("measures", HALF),
        lambda: cranfield.measure(HALF),
        lambda: cranfield.Evaluator(QRELS, HALF),
        lambda: cranfield.Evaluator(QRELS, "AP", keys=[HALF]),
        lambda: cranfield.Run.from_dict(RUN, name=HALF),
        lambda: cranfield.Run.from_dict(RUN).renamed(HALF),
        lambda: cranfield.Run.from_file(HALF),
        lambda: cranfield.Run.from_dict(RUN).save(HALF),
        lambda: cranfield.evaluate(QRELS, RUN, "AP")[HALF],
        lambda: cranfield.evaluate(QRELS, RUN, "AP")["run", HALF],
        lambda: cranfield.evaluate(QRELS, RUN, "AP").topics(HALF),
    ],
)
def test_halves_of_surrogates_are_no_names(call: Any) -> None:
    with pytest.raises(cranfield.CranfieldError, match="is no Unicode text|not a valid name"):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: cranfield.evaluate(QRELS, RUN, "AP", level=10**400),
        lambda: cranfield.evaluate(QRELS, RUN, "AP", level="high"),
        lambda: cranfield.evaluate(QRELS, RUN, "AP", profile=3),
        lambda: cranfield.evaluate(QRELS, RUN, "AP").to_text(digits=10**400),
        lambda: cranfield.evaluate(QRELS, RUN, "AP").to_text(per_topic="yes"),
        lambda: cranfield.evaluate(QRELS, RUN, "AP")[1],
        lambda: cranfield.evaluate(QRELS, RUN, "AP")["run", None],
        lambda: cranfield.Run.from_dict(RUN, name=b"bm25"),
        lambda: cranfield.Run.from_file(b"bm25.run"),
        lambda: cranfield.Qrels.from_file(3),
        lambda: cranfield.Evaluator(QRELS, "AP", keys="AP"),
        lambda: cranfield.vectors(QRELS, RUN, None),
        lambda: cranfield.scenarios(QRELS, RUN, 3),
        lambda: cranfield.command("measures", 3),
        lambda: cranfield.compare(QRELS, [RUN, RUN], "RR").to_format([]),
    ],
)
def test_what_is_of_another_type_is_refused_with_what_was_expected(call: Any) -> None:
    with pytest.raises(cranfield.InputTypeError, match="expected"):
        call()


@pytest.mark.parametrize("asked", [3, len, b"AP", object])
def test_an_evaluator_takes_the_measures_that_evaluate_takes(asked: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="expected a name|custom_measure"):
        cranfield.Evaluator(QRELS, asked)


@pytest.mark.parametrize("keys", [(), ("run", "AP", "q1"), ("run",)])
def test_an_evaluation_has_one_key_or_two(keys: Any) -> None:
    with pytest.raises(cranfield.UsageError, match=r"write evaluation\[run\]"):
        cranfield.evaluate(QRELS, RUN, "AP")[keys]


@pytest.mark.parametrize("of", [cranfield.evaluate, cranfield.compare, cranfield.discriminate, cranfield.vectors])
@pytest.mark.parametrize("runs", [[], (), iter([])])
def test_there_is_a_run(of: Any, runs: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="no run is given; give a path"):
        of(QRELS, runs, "P@5")


def test_topics_that_are_not_there() -> None:
    for data in (cranfield.Run.from_dict(RUN), cranfield.Qrels.from_dict(QRELS)):
        assert 1 not in data and None not in data and "q9" not in data
        for topic in ("q9", 1, None):
            with pytest.raises(cranfield.UnknownNameError, match="no topic"):
                data[topic]
        with pytest.raises(KeyError):
            data["q9"]


@pytest.mark.parametrize("profile", ["cranfield", "ndeval", "quepid"])
def test_runs_without_ranks_have_their_order_for_ranks(profile: str) -> None:
    docs, qrels = ["a", "b", "c"], {"q": {"b": 1, "c": 1}}
    run = dict(zip(docs, [1.0, 2.0, 3.0], strict=True))
    expected = cranfield.evaluate(qrels, {"q": run}, "RR", profile=profile, ties="rank-column").to_dict()
    columns = cranfield.Run.from_columns(["q"] * 3, docs, list(run.values()))
    assert cranfield.evaluate(qrels, columns, "RR", profile=profile, ties="rank-column").to_dict() == expected


def test_evaluators_say_what_they_take() -> None:
    with pytest.raises(cranfield.UsageError, match="two keys are `a`; give each measure its own"):
        cranfield.Evaluator(QRELS, "AP RR", keys=["a", "a"])
    with pytest.raises(cranfield.InputTypeError, match="cranfield.read_qrels` reads files"):
        cranfield.Evaluator("qrels.txt", "AP")
    with pytest.raises(cranfield.InputTypeError, match="cranfield.read_run` reads files"):
        cranfield.Evaluator(QRELS, "AP").evaluate("bm25.run")


@pytest.mark.parametrize("text", [None, 5, []])
def test_expressions_are_texts(text: Any) -> None:
    with pytest.raises(cranfield.InputTypeError, match="expected a str such as"):
        cranfield.Expression(text)


def test_files_that_cannot_be_read_have_their_path_and_the_number_of_the_system(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    for path, number in ((gone, errno.ENOENT), (str(tmp_path), errno.EISDIR)):
        with pytest.raises(cranfield.FileError) as caught:
            cranfield.Run.from_file(path)
        assert (caught.value.filename, caught.value.errno) == (path, number)
        again = pickle.loads(pickle.dumps(caught.value))
        assert (again.filename, again.errno, str(again)) == (path, number, str(caught.value))
    with pytest.raises(cranfield.WriteError) as refused:
        cranfield.Run.from_dict(RUN).save(f"{gone}/run")
    assert (refused.value.filename, refused.value.errno) == (f"{gone}/run", errno.ENOENT)
    with pytest.raises(cranfield.FileError) as lacking:
        cranfield.evaluate(gone, f"{gone}/*.run")
    assert (lacking.value.filename, lacking.value.errno) == (f"{gone}/*.run", None)


def test_bools_of_numpy_are_flags() -> None:
    numpy = pytest.importorskip("numpy")
    yes, no = numpy.True_, numpy.False_
    evaluation = cranfield.evaluate(QRELS, RUN, "AP", progress=no)
    assert evaluation.to_dict(yes) == evaluation.to_dict(True) and evaluation.to_csv(no) == evaluation.to_csv()
    assert cranfield.evaluate(QRELS, RUN, "AP", progress=yes).to_dict() == evaluation.to_dict()
    for flag in (True, False):
        given = {"pairs": flag, "claims": flag, "methods": flag, "progress": False}
        expected = cranfield.compare(QRELS, [RUN, RUN], "RR", seed=1, **given)
        same = cranfield.compare(
            QRELS, [RUN, RUN], "RR", seed=1, **{name: numpy.bool_(value) for name, value in given.items()}
        )
        assert same.to_text() == expected.to_text()
    own = cranfield.custom_measure("Mine", functools.partial(mine), higher_is_better=no)
    assert cranfield.evaluate(QRELS, RUN, own)["run", "Mine"] == 1.0
