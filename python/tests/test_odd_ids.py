"""Odd ids and columns: each is read without loss, or is an error that says what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import cranfield

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d3": 1.0}}


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
def test_halves_of_surrogates_in_dicts_are_errors(half: str) -> None:
    for call in (
        lambda: cranfield.Run.from_dict({half: {"d": 1.0}}),
        lambda: cranfield.Qrels.from_dict({"q": {half: 1}}),
        lambda: cranfield.Run.from_dict(RUN)[half],
        lambda: half in cranfield.Qrels.from_dict(QRELS),
    ):
        with pytest.raises(cranfield.UsageError, match="is no Unicode text"):
            call()


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


def test_strings_between_the_borders_of_words() -> None:
    np = pytest.importorskip("numpy")
    rows = np.zeros(20, dtype=[("topic", "U1"), ("gap", "i1"), ("doc", "U1"), ("score", "f8")])
    rows["topic"], rows["doc"] = "1", list("abcdefghijklmnopqrst")
    run = cranfield.Run.from_columns(rows["topic"], rows["doc"], rows["score"])
    assert list(run.to_dict()["1"]) == list("abcdefghijklmnopqrst")
    shifted = np.frombuffer(b"x" + np.array(["q1"] * 20).tobytes(), "<U2", offset=1)
    assert cranfield.Run.from_columns(shifted, rows["doc"], rows["score"]).topics == ["q1"]


def test_a_document_twice_is_reported_with_topic_document_and_cure() -> None:
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


def test_a_document_twice_in_a_topic_without_judgements(tmp_path: Path) -> None:
    path = tmp_path / "some.run"
    path.write_text("q1 Q0 d1 1 2 t\nr Q0 x 1 2 t\nr Q0 x 2 1 t\n")
    columns = cranfield.Run.from_columns(["q1", "r", "r"], ["d1", "x", "x"], [1, 2, 3])
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    assert cranfield.scores(tmp_path / "qrels", path, "RR") == {"RR": 1.0}
    assert cranfield.scores({"q1": {"d1": 1}}, columns, "RR") == {"RR": 1.0}
    with pytest.raises(cranfield.InputError, match="IR030"):
        cranfield.Run.from_file(path)


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
    why = r"the id in row \d is a (bool|float); expected a str or an int"
    with pytest.raises(cranfield.InputTypeError, match=f"documents: {why}"):
        cranfield.Run.from_columns(["q", "q"], column, [2, 1])
    with pytest.raises(cranfield.InputTypeError, match=f"topics: {why}"):
        cranfield.Run.from_columns(column, ["d", "d"], [2, 1])
