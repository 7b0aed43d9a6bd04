"""Frames of pandas without pyarrow, and those that pyarrow refuses: they are read column by column."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import pytest

import cranfield
from cranfield._frames import roles_of

pandas = pytest.importorskip("pandas")


def frame(**changed: Any) -> Any:
    columns = {"query_id": ["a", "a", "b"], "doc_id": ["x", "y", "x"], "score": [1.0, 2.0, 3.0]}
    return pandas.DataFrame(columns | changed)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import cranfield, pandas

frame = pandas.DataFrame({"query_id": ["a", "a", "b"], "doc_id": ["x", "y", "x"], "score": [1.0, 2.0, 3.0]})
qrels = frame.rename(columns={"score": "relevance"}).assign(relevance=[1, 0, 2])
assert cranfield.read_run(frame, name="bm25").to_dict() == {"a": {"x": 1.0, "y": 2.0}, "b": {"x": 3.0}}
assert cranfield.read_run(frame, name="bm25").name == "bm25"
assert cranfield.read_qrels(qrels).to_dict() == {"a": {"x": 1, "y": 0}, "b": {"x": 2}}
assert cranfield.evaluate(qrels, {"one": frame}, "RR").to_dict() == {"one": {"RR": 0.75}}
indexed = frame.set_index(["query_id", "doc_id"])
assert cranfield.read_run(indexed).to_dict() == cranfield.read_run(frame).to_dict()
for kind, data in ((cranfield.Run, frame), (cranfield.Qrels, qrels)):
    read = kind.from_pandas(data, "mine")
    assert type(read) is kind and read.name == "mine" and len(read) == 2
ranked = frame.assign(rank=[2, 1, 1], score=0.0)
assert cranfield.evaluate(qrels, ranked, "RR", ties="rank-column").topics("run")["a"] == {"RR": 0.5}
numbers = pandas.DataFrame({"qid": [1, 1], "docno": [7, 8], "rank": [1, 2], "text": ["", None]})
assert cranfield.read_run(numbers).to_dict() == {"1": {"7": -1.0, "8": -2.0}}
try:
    cranfield.read_run(frame.rename(columns={"query_id": "a"}))
except cranfield.UnknownNameError as error:
    assert "missing topic column" in str(error), error
else:
    raise AssertionError("read")
"""


def test_pandas_without_pyarrow() -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(WITHOUT_PYARROW)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_ids_of_mixed_types_are_texts() -> None:
    mixed = pandas.Series([1, "a", 2], dtype=object)
    assert cranfield.read_run(frame(query_id=mixed)).to_dict() == {"1": {"x": 1.0}, "a": {"y": 2.0}, "2": {"x": 3.0}}


def test_columns_of_one_name_are_refused() -> None:
    twice = pandas.concat([frame(), frame()[["score"]]], axis=1)
    with pytest.raises(cranfield.UsageError, match="two columns are called `score`"):
        cranfield.read_run(twice)


@pytest.mark.parametrize(
    ("names", "roles"),
    [
        (["query_id", "doc_id", "score"], ("query_id", "doc_id", "score", 1.0)),
        (["docno", "qid", "rank"], ("qid", "docno", "rank", -1.0)),
        (["qid", "docno", "rank", "score", "query"], ("qid", "docno", "score", 1.0)),
    ],
)
def test_columns_are_those_of_the_native_reader(names: list[str], roles: tuple[str, ...]) -> None:
    assert roles_of(names, cranfield.Run.from_arrow) == roles


@pytest.mark.parametrize(
    ("data", "cure"),
    [
        (3, "expected a path"),
        (None, "expected a path"),
        (open, "expected a path"),
    ],
)
def test_what_cannot_be_read_is_told_with_a_cure(data: Any, cure: str) -> None:
    with pytest.raises(cranfield.InputTypeError, match=cure):
        cranfield.evaluate({"q": {"d": 1}}, data, "RR")
    with pytest.raises(cranfield.InputTypeError, match=cure):
        cranfield.evaluate(data, {"q": {"d": 1.0}}, "RR")


def test_frames_that_are_not_computed_and_open_files() -> None:
    polars = pytest.importorskip("polars")
    with pytest.raises(cranfield.InputTypeError, match="collect"):
        cranfield.evaluate({"a": {"x": 1}}, polars.LazyFrame({"qid": ["a"]}), "RR")
    with open(__file__, encoding="utf-8") as lines, pytest.raises(cranfield.InputTypeError, match="open file"):
        cranfield.evaluate(lines, {"a": {"x": 1.0}}, "RR")
