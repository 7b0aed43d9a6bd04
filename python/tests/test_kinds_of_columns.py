"""Columns of every type that libraries have: read, or refused with one exception that says where and what to do."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest

import cranfield
from cranfield import Qrels, Run

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

TOPICS, DOCS, SCORES = ["q", "q"], ["a", "b"], [1.5, 2.0]


def table(**columns: Any) -> Any:
    return pa.table({"topic": TOPICS, "doc": DOCS, "score": SCORES} | columns)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array(SCORES, "f2"), SCORES),
        (np.array(SCORES, "f4"), SCORES),
        (pa.array([Decimal("1.10"), Decimal("-2.3")]), [1.1, -2.3]),
        (pa.array([Decimal("1.10"), Decimal("-2.3")], pa.decimal32(9, 2)), [1.1, -2.3]),
        (pa.array([Decimal("1.10"), Decimal("-2.3")], pa.decimal64(9, 2)), [1.1, -2.3]),
        (pa.array([Decimal("1e38"), Decimal("-2.3")], pa.decimal256(70, 5)), [1e38, -2.3]),
        (pa.array([True, False]), [1.0, 0.0]),
        (pa.array([7.0, True, False]).slice(1), [1.0, 0.0]),
        (pa.array([2.5, 2.5]).dictionary_encode(), [2.5, 2.5]),
        (pa.array([9.0, 1.0, 2.0]).dictionary_encode().slice(1), [1.0, 2.0]),
        (pa.array([2**63, 2**64 - 1], pa.uint64()), [2.0**63, 2.0**64]),
    ],
)
def test_numbers_of_every_type(column: Any, expected: list[float]) -> None:
    assert Run.from_arrow(table(score=column)).to_dict() == {"q": dict(zip(DOCS, expected, strict=True))}
    assert Qrels.from_arrow(table(score=column)).to_dict() == {"q": dict(zip(DOCS, expected, strict=True))}


@pytest.mark.parametrize(
    "column",
    [
        pa.array(DOCS, pa.string_view()),
        pa.array(["z", *DOCS], pa.string_view()).slice(1),
        pa.array(["z", *DOCS], pa.large_string()).slice(1),
        pa.array(["z", *DOCS]).dictionary_encode().slice(1),
        pa.DictionaryArray.from_arrays(pa.array([0, 2]), pa.array(["a", None, "b"])),
        pa.chunked_array([["a"], [], ["b"]]),
    ],
)
def test_ids_of_every_type(column: Any) -> None:
    assert Run.from_arrow(table(doc=column)).to_dict() == {"q": {"a": 1.5, "b": 2.0}}


@pytest.mark.parametrize("name", ["topic", "doc", "score"])
@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, 2], pa.timestamp("ns", "UTC")),
        pa.array([[1], [2]]),
        pa.array([b"x", b"y"]),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.RunEndEncodedArray.from_arrays([1, 2], ["x", "y"]),
    ],
)
def test_other_types_are_refused_by_name(name: str, column: Any) -> None:
    with pytest.raises(cranfield.InputTypeError, match=f"column `{name}` is of type .*; convert it"):
        Run.from_arrow(table(**{name: column}))


@pytest.mark.parametrize("name", ["topic", "doc", "score"])
@pytest.mark.parametrize("kind", ["null", "dictionary", "all"])
def test_rows_without_a_value_are_told(name: str, kind: str) -> None:
    cells = 1.0 if name == "score" else "x"
    column = pa.array([cells, None])
    if kind == "dictionary":
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1]), column)
    if kind == "all":
        column = pa.array([None, None])
    row = 1 if kind == "all" else 2
    for read in (Run, Qrels):
        with pytest.raises(cranfield.InputError, match=f"column `{name}` has no value in row {row}; leave the row out"):
            read.from_arrow(table(**{name: column}))
    if kind == "dictionary":
        return
    # Rows are counted through all batches.
    with pytest.raises(cranfield.InputError, match=f"row {row + 2};"):
        Run.from_arrow(pa.concat_tables([table(), table(**{name: column})], promote_options="permissive"))


ABSENT = [None, math.nan, pandas.NA, pandas.NaT]


@pytest.mark.parametrize("absent", ABSENT, ids=str)
def test_absent_values_in_lists_are_told(absent: Any) -> None:
    with pytest.raises(cranfield.InputError, match="the column of topics has no value in row 2; leave the row out"):
        Run.from_columns(["q", absent], DOCS, SCORES)
    with pytest.raises(cranfield.InputError, match="the column of documents has no value in row 1"):
        Qrels.from_columns(TOPICS, [absent, "b"], [1, 2])
    with pytest.raises(cranfield.InputError, match="in row 2"):
        Run.from_columns(TOPICS, DOCS, [1.0, absent])
    with pytest.raises(cranfield.InputError, match="in row 2"):
        Run.from_columns(TOPICS, DOCS, SCORES, ranks=[1, absent])


def test_absent_whole_numbers_of_pandas_are_no_floats() -> None:
    with pytest.raises(cranfield.InputError, match="documents has no value in row 2"):
        Run.from_columns(TOPICS, pandas.array([1, None], dtype="Int64"), SCORES)


def test_a_frame_without_rows_is_a_run_without_topics() -> None:
    empty = {"topic": [], "doc": [], "score": []}
    for frame in (pandas.DataFrame(empty), polars.DataFrame(empty), pa.table(empty)):
        assert len(cranfield.read_run(frame)) == 0
        assert cranfield.evaluate({"q": {"d": 1}}, frame, "AP").to_dict() == {"run": {"AP": 0.0}}
    nothing = pa.Table.from_batches([], schema=pa.schema([("a", pa.string())]))
    with pytest.raises(cranfield.UnknownNameError, match="missing topic column"):
        Run.from_arrow(nothing)


def test_columns_of_polars_without_any_value() -> None:
    frame = polars.DataFrame({"topic": TOPICS, "doc": DOCS, "score": SCORES, "notes": [None, None]})
    assert cranfield.read_run(frame).to_dict() == Run.from_polars(frame).to_dict() == {"q": {"a": 1.5, "b": 2.0}}
    with pytest.raises(cranfield.InputError, match="column `score` has no value in row 1"):
        Run.from_polars(frame.drop("score").rename({"notes": "score"}))


def test_columns_of_one_name_are_refused() -> None:
    columns = [pa.array(column) for column in (TOPICS, DOCS, SCORES, SCORES)]
    for names in (["topic", "doc", "score", "score"], ["topic", "doc", "score", "topic"]):
        with pytest.raises(cranfield.UsageError, match=f"two columns are called `{names[3]}`"):
            Run.from_arrow(pa.table(columns, names=names))
    other = pa.table([*columns, columns[3]], names=["topic", "doc", "score", "other", "other"])
    assert Run.from_arrow(other).documents == 2


@pytest.mark.parametrize("grade", [2**62, 2**63, -(2**63), 2**64, 2**70, 10**300, 2**53, -1, 0])
def test_whole_grades_of_any_size_are_the_same_ints(grade: int) -> None:
    found = Qrels.from_dict({"q": {"d": grade}})["q"]["d"]
    assert found == float(grade) and type(found) is int


@pytest.mark.parametrize("number", [10**400, -(10**400)])
def test_numbers_beyond_floats_are_refused(number: int) -> None:
    for call in (
        lambda: Run.from_dict({"q": {"d": number}}),
        lambda: Qrels.from_dict({"q": {"d": number}}),
        lambda: Run.from_columns(["q"], ["d"], [number]),
    ):
        with pytest.raises(cranfield.InputError, match="inf.*expected a finite number; leave the document out"):
            call()


@pytest.mark.parametrize("column", ["ab", b"ab", {"a", "b"}, frozenset("ab"), {"a": 1, "b": 2}, 3, None, object()])
def test_what_has_no_rows_in_order_is_no_column(column: Any) -> None:
    for columns in ((column, DOCS, SCORES), (TOPICS, column, SCORES), (TOPICS, DOCS, column)):
        with pytest.raises(cranfield.InputTypeError, match="expected a column such as a list"):
            Run.from_columns(*columns)


@pytest.mark.parametrize("kind", ["M8[ns]", "M8[D]", "m8[s]"])
def test_times_are_neither_ids_nor_numbers(kind: str) -> None:
    times = np.array([1, 2]).astype(kind)
    for columns in ((times, DOCS, SCORES), (TOPICS, times, SCORES), (TOPICS, DOCS, times)):
        with pytest.raises(cranfield.UsageError, match="times; convert them"):
            Run.from_columns(*columns)


@pytest.mark.parametrize(
    "scores",
    [
        np.array(SCORES, ">f8"),
        np.array(SCORES, "g"),
        np.array([1.5, 0.0, 2.0, 0.0])[::2],
        np.frombuffer(np.array(SCORES).tobytes()),
        np.array(SCORES, object),
        np.array(SCORES, "f2"),
        (score for score in SCORES),
        pandas.Series(SCORES, dtype="category"),
        pandas.Series(SCORES, dtype="Float64"),
        polars.Series(SCORES),
        pa.chunked_array([[1.5], [], [2.0]]),
        [Decimal("1.5"), 2],
    ],
)
def test_arrays_of_every_layout(scores: Any) -> None:
    assert Run.from_columns(TOPICS, DOCS, scores).to_dict() == {"q": {"a": 1.5, "b": 2.0}}


@pytest.mark.parametrize(
    "docs",
    [
        np.array(DOCS),
        np.array(DOCS, ">U5"),
        np.array(["a", "", "b", ""])[::2],
        pandas.Categorical(DOCS),
        pandas.Index(DOCS),
        pandas.Series(DOCS, dtype="string"),
        polars.Series(DOCS, dtype=polars.Categorical),
        pa.array(DOCS).dictionary_encode(),
        (doc for doc in DOCS),
        [np.str_(doc) for doc in DOCS],
    ],
)
def test_ids_of_every_layout(docs: Any) -> None:
    assert Run.from_columns(TOPICS, docs, SCORES).to_dict() == {"q": {"a": 1.5, "b": 2.0}}


UNDEFINED: Any = ({"q": {"d": 0}}, {"q": {"d": 1.0}}, "AP RR")


def test_columns_without_any_defined_value_are_of_floats() -> None:
    evaluation = cranfield.evaluate(*UNDEFINED)
    assert evaluation.topics("run") == {"q": {"AP": None, "RR": None}}
    frame = evaluation.to_pandas(per_topic=True)
    assert [str(frame[name].dtype) for name in ("AP", "RR")] == ["float64", "float64"]
    assert frame["AP"].isna().all()
    assert evaluation.to_polars(per_topic=True).schema["AP"] == polars.Float64
    assert pa.table(evaluation.to_arrow(per_topic=True)).schema.field("AP").type == pa.float64()
    explained = cranfield.explain({"q": {"d": 1}}, {"q": {"d": 1.0}}, "RR")
    columns, frames = explained.to_columns(), explained.to_polars()
    for name, cells in columns.items():
        assert frames.schema[name] != polars.Null, (name, cells)


def test_tables_are_read_by_every_library() -> None:
    evaluation = cranfield.evaluate({"q": {"d": 1}}, {"q": {"d": 1.0}}, "AP")
    for made in (evaluation, evaluation.to_arrow(per_topic=True)):
        assert polars.DataFrame(made).to_dict(as_series=False) == {"run": ["run"], "topic": ["q"], "AP": [1.0]}
        assert pa.table(made).to_pydict() == {"run": ["run"], "topic": ["q"], "AP": [1.0]}
        assert pandas.DataFrame.from_arrow(made).to_dict("list") == {"run": ["run"], "topic": ["q"], "AP": [1.0]}
