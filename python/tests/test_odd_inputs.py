"""Inputs that make no sense: each is refused by an exception of the package that says what was expected."""

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


@pytest.mark.parametrize("threads", [0, -1, 1025, 10**10, 1.5, "x", True])
@pytest.mark.parametrize("measures", ["AP", ["AP", "2*AP"]])
def test_threads_are_as_many_as_on_the_command_line(threads: Any, measures: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="1 to 1024"):
        cranfield.evaluate(QRELS, RUN, measures, threads=threads)
    with pytest.raises(cranfield.UsageError, match=r"threads|1\.\.=1024"):
        cranfield.compare(QRELS, [RUN, RUN], measures, threads=threads)


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


def test_nothing_of_an_array_is_lost_in_silence() -> None:
    numpy = pytest.importorskip("numpy")
    topics, docs = ["q1", "q1"], ["d1", "d2"]
    masked = numpy.ma.array([1.0, 2.0], mask=[False, True])
    with pytest.raises(cranfield.UsageError, match="some rows are masked"):
        cranfield.Run.from_columns(topics, docs, masked)
    whole = numpy.ma.array([1.0, 2.0])
    assert len(cranfield.Run.from_columns(topics, docs, whole)) == 1
    with pytest.raises(cranfield.UsageError, match="complex"):
        cranfield.Run.from_columns(topics, docs, numpy.array([1j, 2.0]))
    with pytest.raises(cranfield.UsageError, match="2 dimensions"):
        cranfield.Run.from_columns(topics, docs, numpy.array([[1.0, 2.0]]))


@pytest.mark.parametrize("as_array", [False, True])
def test_halves_of_surrogates_are_no_ids(as_array: bool) -> None:
    ids: Any = ["d1", "\ud800"]
    if as_array:
        ids = pytest.importorskip("numpy").array(ids)
    with pytest.raises(cranfield.UsageError, match="documents: the id in row 2 is no Unicode text: .*; decode its bytes"):
        cranfield.Run.from_columns(["q1", "q1"], ids, [1.0, 2.0])


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


def test_ids_that_are_no_unicode_come_back_as_they_were(tmp_path: Any) -> None:
    path = tmp_path / "latin1.run"
    path.write_bytes(b"caf\xe9 Q0 d\xff 1 2.5 x\n")
    run = cranfield.read_run(path)
    (topic,) = run.topics
    assert topic == "caf\udce9" and topic in run and run[topic] == {"d\udcff": 2.5}
    again = cranfield.Run.from_dict(run.to_dict(), name=run.name)
    assert again.to_dict() == run.to_dict()
    qrels = cranfield.Qrels.from_dict({topic: {"d\udcff": 1}})
    assert topic in qrels and qrels[topic] == {"d\udcff": 1}
    assert cranfield.evaluate(qrels, path, "RR").to_dict() == {"latin1": {"RR": 1.0}}


@pytest.mark.parametrize("half", ["\ud800", "q\udfff"])
def test_halves_of_surrogates_in_dicts_are_refused(half: str) -> None:
    for call in (
        lambda: cranfield.Run.from_dict({half: {"d": 1.0}}),
        lambda: cranfield.Qrels.from_dict({"q": {half: 1}}),
        lambda: cranfield.Run.from_dict(RUN)[half],
        lambda: half in cranfield.Qrels.from_dict(QRELS),
    ):
        with pytest.raises(cranfield.UsageError, match="is no Unicode text"):
            call()


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


def test_arrays_without_dimensions_are_no_lists() -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(cranfield.InputTypeError, match="cannot read runs from a ndarray"):
        cranfield.evaluate(QRELS, numpy.array(1), "AP")
    assert cranfield.evaluate(QRELS, RUN, "AP(rel=1)", level=numpy.float32(1)).runs == ["run"]


@pytest.mark.parametrize("column", ["topic", "doc"])
def test_periods_are_no_whole_numbers(column: str) -> None:
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"topic": ["q1", "q1"], "doc": ["d1", "d2"], "score": [2.0, 1.0]})
    frame[column] = pandas.period_range("2020-01", periods=2, freq="M")
    for read in (
        lambda: cranfield.read_run(frame),
        lambda: cranfield.Run.from_pandas(frame),
        lambda: cranfield.Run.from_arrow(pyarrow.Table.from_pandas(frame)),
    ):
        with pytest.raises(cranfield.InputTypeError, match=r"pandas\.period.*astype\(str\)"):
            read()
    frame[column] = frame[column].astype(str)
    assert "2020-01" in str(cranfield.read_run(frame).to_dict())


@pytest.mark.parametrize("baseline", ["b", ["b"], ("b",)])
def test_baselines_are_one_or_several(baseline: Any) -> None:
    runs = {"a": RUN, "b": {"q1": {"d1": 1.0}, "q2": {"d9": 1.0}}}
    compared = cranfield.compare(QRELS, runs, "RR", baseline=baseline).to_dict()
    assert compared["settings"]["baselines"] == ["b"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"margin": -1}, "the margin is -1; give a number above 0"),
        ({"margin": 5}, "AP is from 0 to 1, so no difference is larger than a margin of 5"),
        ({"rope": 1e308}, r"\(rope\) is 1e308; give a number from 1e-50 to 1e50"),
        ({"alpha": 1e-17}, "alpha is 1e-17; give a number from 1e-9 to 0.5"),
        ({"alpha": float("nan")}, "alpha is NaN; give a number from 1e-9 to 0.5"),
        ({"replicates": 0}, "the number of replicates is 0; give a whole number from 1"),
        ({"replicates": -1}, "expected a whole number that is not negative"),
    ],
)
def test_numbers_of_comparisons(options: Any, why: str) -> None:
    with pytest.raises(cranfield.UsageError, match=why):
        cranfield.compare(QRELS, [RUN, RUN], "AP", **options)


def test_numbers_of_designs_and_gates() -> None:
    with pytest.raises(cranfield.UsageError, match="a difference is -0.1; give a number above 0"):
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


@pytest.mark.parametrize("profile", ["cranfield", "ndeval", "quepid"])
def test_runs_without_ranks_have_their_order_for_ranks(profile: str) -> None:
    docs, qrels = ["a", "b", "c"], {"q": {"b": 1, "c": 1}}
    run = dict(zip(docs, [1.0, 2.0, 3.0], strict=True))
    expected = cranfield.evaluate(qrels, {"q": run}, "RR", profile=profile, ties="rank-column").to_dict()
    columns = cranfield.Run.from_columns(["q"] * 3, docs, list(run.values()))
    assert cranfield.evaluate(qrels, columns, "RR", profile=profile, ties="rank-column").to_dict() == expected


def test_a_document_twice_behind_a_topic_whose_ranks_are_not_in_order() -> None:
    run = cranfield.Run.from_columns(["q0"] * 2 + ["q1"] * 3, ["a", "b", "x", "x", "y"], [1.0, 2.0, 1.0, 1.0, 0.0])
    with pytest.raises(cranfield.InputError, match="IR030"):
        cranfield.evaluate({"q0": {"a": 1, "b": 1}, "q1": {"x": 1}}, run, "AP", threads=1)


def test_rows_of_arrow_tables_without_a_value() -> None:
    pa = pytest.importorskip("pyarrow")
    columns = [pa.array(["a", "b"]), pa.array(["d", "e"]), pa.array([1.0, 2.0])]
    table = pa.StructArray.from_arrays(columns, names=["topic", "doc", "score"], mask=pa.array([False, True]))
    with pytest.raises(cranfield.UsageError, match="row 2 of the table has no value; leave it out"):
        cranfield.Run.from_arrow(table)


def test_texts_between_the_borders_of_words() -> None:
    np = pytest.importorskip("numpy")
    rows = np.zeros(20, dtype=[("topic", "U1"), ("gap", "i1"), ("doc", "U1"), ("score", "f8")])
    rows["topic"], rows["doc"] = "1", list("abcdefghijklmnopqrst")
    run = cranfield.Run.from_columns(rows["topic"], rows["doc"], rows["score"])
    assert list(run.to_dict()["1"]) == list("abcdefghijklmnopqrst")
    shifted = np.frombuffer(b"x" + np.array(["q1"] * 20).tobytes(), "<U2", offset=1)
    assert cranfield.Run.from_columns(shifted, rows["doc"], rows["score"]).topics == ["q1"]


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


def test_threads_of_numpy() -> None:
    np = pytest.importorskip("numpy")
    assert cranfield.evaluate(QRELS, RUN, "AP", threads=np.int64(2)).runs == ["run"]


class Whole:
    """What stands for an integer, and can do nothing else."""

    def __index__(self) -> int:
        return 2


def test_threads_of_what_stands_for_an_integer() -> None:
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


def test_a_document_twice_is_told_with_topic_document_and_cure() -> None:
    run = cranfield.Run.from_columns(["q1", "q1", "r"], ["d1", "d1", "x"], [1, 2, 3], name="mine")
    cure = "document `d1` is in topic `q1` twice{}; keep it once, usually with its best score"
    calls = {
        "": [lambda: cranfield.evaluate(QRELS, run, "RR"), lambda: cranfield.compare(QRELS, [run, RUN], "RR")],
        ", and a dict holds it once": [run.to_dict, lambda: run["q1"]],
    }
    for why, each in calls.items():
        for call in each:
            with pytest.raises(cranfield.InputError) as caught:
                call()
            (problem,) = caught.value.problems
            assert (problem.code, problem.file, problem.line, problem.column) == ("IR030", "mine", None, None)
            assert str(caught.value) == f"mine: {cure.format(why)} [IR030]"
            assert caught.value.report.startswith(f"error[IR030]: {cure.format(why)}\n")
    assert run["r"] == {"x": 3.0}


def test_a_document_twice_in_a_topic_that_nobody_judged(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    path.write_text("q1 Q0 d1 1 2 t\nr Q0 x 1 2 t\nr Q0 x 2 1 t\n")
    columns = cranfield.Run.from_columns(["q1", "r", "r"], ["d1", "x", "x"], [1, 2, 3])
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    assert cranfield.scores(tmp_path / "qrels", path, "RR") == {"RR": 1.0}
    assert cranfield.scores({"q1": {"d1": 1}}, columns, "RR") == {"RR": 1.0}
    with pytest.raises(cranfield.InputError, match="IR030"):
        cranfield.Run.from_file(path)


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


def test_whole_numbers_of_numpy_are_ids_as_those_of_python_are() -> None:
    numpy = pytest.importorskip("numpy")
    for ids in (
        ["1", numpy.int64(2)],
        [1, numpy.uint64(2)],
        (numpy.int8(1), 2),
        numpy.array(["1", numpy.int64(2)], dtype=object),
        numpy.array([numpy.int32(1), numpy.int64(2)], dtype=object),
    ):
        assert cranfield.Run.from_columns(["q", "q"], ids, [2, 1]).to_dict() == {"q": {"1": 2.0, "2": 1.0}}
        assert cranfield.Qrels.from_columns(ids, ["d", "d"], [2, 1]).to_dict() == {"1": {"d": 2}, "2": {"d": 1}}
    largest = numpy.iinfo("u8").max
    run = cranfield.Run.from_columns(["q", "q"], ["1", numpy.uint64(largest)], [2, 1])
    assert list(run["q"]) == ["1", str(largest)]


@pytest.mark.parametrize(
    "ids", [lambda np: [True, "1"], lambda np: ["1", np.True_], lambda np: np.array([True, False]), lambda np: [1.0, 2.0]]
)
def test_bools_and_floats_are_no_ids(ids: Any) -> None:
    column = ids(pytest.importorskip("numpy"))
    told = r"the id in row \d is a (bool|float); expected a str or an int"
    with pytest.raises(cranfield.InputTypeError, match=f"documents: {told}"):
        cranfield.Run.from_columns(["q", "q"], column, [2, 1])
    with pytest.raises(cranfield.InputTypeError, match=f"topics: {told}"):
        cranfield.Run.from_columns(column, ["d", "d"], [2, 1])


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


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: cranfield.Evaluator(QRELS, "AP", dept=3), "unknown option `dept`; did you mean `depth`?"),
        (lambda: cranfield.Evaluator(QRELS, "AP", thread=3), "unknown option `thread`; did you mean `threads`?"),
        (lambda: cranfield.Evaluator(QRELS, "AP", colour=3), "unknown option `colour`; one of: ties, topics, "),
        (lambda: cranfield.compare(QRELS, [RUN, RUN], "AP", dept=3), "unexpected keyword argument 'dept'"),
        (lambda: cranfield.command("measures", "--fomat", "csv"), "; did you mean '--format'?"),
    ],
)
def test_options_that_nothing_has(call: Any, told: str) -> None:
    with pytest.raises(cranfield.UsageError) as raised:
        call()
    assert told in str(raised.value)
