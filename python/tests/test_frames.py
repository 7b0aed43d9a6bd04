"""Frames of other libraries: in by the PyCapsule interface, out as frames. Each is skipped where the library is absent."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield
from cranfield import Evaluator, Qrels, Run, evaluate

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2, "d4": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d4": 3.0, "d9": 2.0, "d3": 1.0}}
ROWS = {
    "qid": ["q1", "q1", "q2", "q2", "q2"],
    "docno": ["d2", "d1", "d4", "d9", "d3"],
    "score": [2.0, 1.0, 3.0, 2.0, 1.0],
}
GRADES = {"qid": ["q1", "q1", "q2", "q2"], "docno": ["d1", "d2", "d3", "d4"], "label": [1, 0, 2, 1]}


def check(run: Any, qrels: Any) -> None:
    expected = Evaluator(QRELS, "AP nDCG@10").evaluate(RUN)
    evaluator = Evaluator(Qrels.from_arrow(qrels), "AP nDCG@10")
    assert evaluator.evaluate(Run.from_arrow(run)) == expected
    assert Run.from_arrow(run).to_dict() == RUN
    assert evaluate(qrels, run, "AP").to_dict(per_topic=True)["run"]["q1"]["AP"] == 0.5
    assert evaluate(qrels, {"a": run, "b": RUN}, "AP").runs == ["a", "b"]


def test_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    run, qrels = pyarrow.table(ROWS), pyarrow.table(GRADES)
    check(run, qrels)
    check(pyarrow.record_batch(ROWS), pyarrow.record_batch(GRADES))
    in_pieces = pyarrow.concat_tables([run.slice(0, 1), run.slice(1, 2), run.slice(3)])
    check(in_pieces, qrels)
    for kind in (pyarrow.large_string(), pyarrow.string_view()):
        columns = {name: pyarrow.array(ROWS[name]).cast(kind) for name in ("qid", "docno")}
        check(pyarrow.table({**columns, "score": ROWS["score"]}), qrels)
    coded = {name: pyarrow.array(ROWS[name]).dictionary_encode() for name in ("qid", "docno")}
    check(pyarrow.table({**coded, "score": ROWS["score"]}), qrels)
    ints = pyarrow.table({"topic": [1, 1], "doc": [10, 20], "score": pyarrow.array([2, 1], "int8")})
    assert Run.from_arrow(ints).to_dict() == {"1": {"10": 2.0, "20": 1.0}}
    ranks = pyarrow.table({"topic": ["q"] * 2, "doc": ["a", "b"], "rank": [2, 1]})
    assert Evaluator({"q": {"b": 1}}, "RR").evaluate(Run.from_arrow(ranks)) == {"q": {"RR": 1.0}}
    both = pyarrow.table({"topic": ["q"] * 2, "doc": ["a", "b"], "rank": [2, 1], "score": [2, 1]})
    by_rank = Evaluator({"q": {"b": 1}}, "RR", ties="rank-column")
    assert by_rank.evaluate(Run.from_arrow(both)) == {"q": {"RR": 1.0}}


def test_columns_that_cannot_be_read() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    for columns, kind, text in (
        ({"a": ["q"], "doc": ["d"], "score": [1.0]}, cranfield.UnknownNameError, "missing topic column"),
        ({"qid": ["q"], "doc": ["d"]}, cranfield.UnknownNameError, "missing score or rank column"),
        ({"qid": pyarrow.array([None], "string"), "doc": ["d"], "score": [1.0]}, cranfield.InputError, "row 1"),
        ({"qid": ["q"], "doc": ["d"], "score": pyarrow.array([None], "f8")}, cranfield.InputError, "row 1"),
        ({"qid": ["q"], "doc": [1.5], "score": [1.0]}, cranfield.InputTypeError, "`doc`"),
        ({"qid": ["q"], "doc": ["d"], "score": ["x"]}, cranfield.InputTypeError, "`score`"),
        ({"qid": ["q"], "doc": ["d"], "score": [float("nan")]}, cranfield.InputError, "NaN"),
        ({"qid": ["q"], "doc": [""], "score": [1.0]}, cranfield.InputError, "empty id"),
    ):
        with pytest.raises(kind, match=text):
            Run.from_arrow(pyarrow.table(columns))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    check(pandas.DataFrame(ROWS), pandas.DataFrame(GRADES))
    assert Run.from_pandas(pandas.DataFrame(ROWS), name="x").name == "x"
    assert Qrels.from_pandas(pandas.DataFrame(GRADES)).to_dict() == QRELS


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    check(polars.DataFrame(ROWS), polars.DataFrame(GRADES))
    assert Run.from_polars(polars.DataFrame(ROWS)).to_dict() == RUN


def evaluation() -> cranfield.Evaluation:
    return evaluate(QRELS, {"a": RUN, "b": {"q1": {"d1": 1.0}}}, "AP P@1")


def test_columns_of_results() -> None:
    assert evaluation().to_columns()["run"] == ["a", "b"]
    assert evaluation().to_columns(per_topic=True) == {
        "run": ["a", "a", "b", "b"],
        "topic": ["q1", "q2", "q1", "q2"],
        "AP": [0.5, pytest.approx(5 / 6), 1.0, 0.0],
        "P@1": [0.0, 1.0, 1.0, 0.0],
    }


def test_results_as_frames() -> None:
    pandas = pytest.importorskip("pandas")
    frame = evaluation().to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["run", "AP", "P@1"]
    assert len(evaluation().to_pandas(per_topic=True)) == 4


def test_results_as_polars() -> None:
    polars = pytest.importorskip("polars")
    assert evaluation().to_polars(per_topic=True).shape == (4, 4)
    assert polars.DataFrame(evaluation().to_arrow()).shape == (2, 3)


def test_results_as_arrow() -> None:
    table = evaluation().to_arrow(per_topic=True)
    assert len(table) == 4 and table.column_names == ["run", "topic", "AP", "P@1"]
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.table(table)["AP"].to_pylist() == evaluation().to_columns(True)["AP"]
    assert pyarrow.record_batch(table).num_rows == 4
    assert pyarrow.table(evaluation()).num_rows == 4


def test_results_are_inputs_of_other_libraries_only() -> None:
    with pytest.raises(cranfield.CranfieldError):
        Run.from_arrow(evaluation())
