"""Arrow data that is damaged, or no such data at all: refused before anything of it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import cranfield
from cranfield import Qrels, Run

pa = pytest.importorskip("pyarrow")
np = pytest.importorskip("numpy")

TOPICS, DOCS, SCORES = ["q1", "q1", "q2"], ["d1", "d2", "a document with a long id"], [3.0, 2.0, 1.0]


def column(kind: Any, first: Any, values: bytes) -> Any:
    """An array of these offsets or views."""
    return pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(first), pa.py_buffer(values)])


def texts(offsets: list[int], kind: Any = None, width: str = "i4") -> Any:
    return column(kind or pa.string(), np.array(offsets, width), b"d1d2d3" * 4)


def views(*rows: tuple[int, int, int]) -> Any:
    """Texts by their lengths, buffers and offsets."""
    parts = [(length, 0, buffer, offset) for length, buffer, offset in rows]
    return column(pa.string_view(), np.array(parts, "u4"), b"a document with a long id" * 2)


def coded(keys: list[int], kind: Any = "i4") -> Any:
    made = pa.array(keys, pa.from_numpy_dtype(np.dtype(kind)))
    return pa.DictionaryArray.from_arrays(made, pa.array(["a", "b"]), safe=False)


DAMAGED: dict[str, Callable[[], Any]] = {
    "falling offsets": lambda: texts([0, 4, 2, 6]),
    "falling large offsets": lambda: texts([0, 4, 2, 6], pa.large_string(), "i8"),
    "offsets beyond the values": lambda: texts([0, 2, 6000, 6]),
    "an offset before the values": lambda: texts([0, -2, 4, 6]),
    "views beyond the values": lambda: views((2, 0, 0), (25, 0, 0), (25, 0, 26)),
    "views of buffers that are not there": lambda: views((2, 0, 0), (25, 0, 0), (25, 7, 0)),
    "keys beyond the dictionary": lambda: coded([0, 1, 2]),
    "keys before the dictionary": lambda: coded([0, -1, 1], "i1"),
    "a dictionary of falling offsets": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2]), texts([0, 4, 2, 6]), safe=False
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
@pytest.mark.parametrize("at", ["topic", "doc"])
@pytest.mark.parametrize("as_batch", [False, True])
def test_damaged_ids(name: str, at: str, as_batch: bool) -> None:
    columns = {"topic": TOPICS, "doc": DOCS, "score": SCORES, at: DAMAGED[name]()}
    table = (pa.record_batch if as_batch else pa.table)(columns)
    for read in (Run.from_arrow, cranfield.read_run):
        with pytest.raises(cranfield.InputError, match=f"column `{at}` is damaged Arrow data: .*; make the table again"):
            read(Handed(table) if as_batch else table)


class Handed:
    """A batch that can be handed over as such alone."""

    def __init__(self, batch: Any) -> None:
        self.batch = batch

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.batch.__arrow_c_array__(requested_schema)


def test_the_first_offset_is_not_negative() -> None:
    offsets = np.array([0, 2, 4, 6], "i4")
    table = pa.table({"topic": TOPICS, "doc": column(pa.string(), offsets, b"d1d2d3"), "score": SCORES})
    assert Run.from_arrow(table)["q2"] == {"d3": 1.0}
    # pyarrow looks at the first and the last.
    offsets[0] = -2
    with pytest.raises(cranfield.InputError, match="column `doc` is damaged Arrow data: the text of row 1 "):
        Run.from_arrow(table)


def test_damaged_numbers() -> None:
    keys = pa.array([0, 1, 2], pa.int32())
    scores = pa.DictionaryArray.from_arrays(keys, pa.array([1.0, 2.0]), safe=False)
    with pytest.raises(cranfield.InputError, match="column `score` is damaged Arrow data: a key"):
        Run.from_arrow(pa.table({"topic": TOPICS, "doc": DOCS, "score": scores}))
    with pytest.raises(cranfield.InputError, match="column `grade` is damaged Arrow data: a key"):
        Qrels.from_arrow(pa.table({"topic": TOPICS, "doc": DOCS, "grade": scores}))


def test_columns_that_are_not_read_may_be_damaged() -> None:
    table = pa.table({"topic": TOPICS, "doc": DOCS, "score": SCORES, "text": texts([0, 4, 2, 6])})
    assert Run.from_arrow(table).documents == 3


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_parts_of_sound_columns_are_sound(kind: Any) -> None:
    docs = pa.array([f"document with the number {at}" for at in range(100)], kind)
    topics = pa.array([f"q{at // 10}" for at in range(100)], kind)
    table = pa.table({"topic": topics, "doc": docs, "score": [1.0] * 100})
    run = Run.from_arrow(table.slice(37, 20))
    assert list(run.topics) == ["q3", "q4", "q5"] and list(run["q5"])[-1] == "document with the number 56"
    with_null = pa.DictionaryArray.from_arrays(pa.array([0, None, 1]), pa.array(["a", "b"]))
    with pytest.raises(cranfield.InputError, match="row 2"):
        Run.from_arrow(pa.table({"topic": TOPICS, "doc": with_null, "score": SCORES}))


def test_lengths_that_contradict_each_other() -> None:
    ctypes = pytest.importorskip("ctypes")
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    batch = pa.record_batch({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    schema, array = batch.__arrow_c_array__()
    # The first field of the structure is the number of rows.
    ctypes.c_int64.from_address(pointer(array, b"arrow_array")).value = 5
    with pytest.raises(cranfield.InputError, match="lengths contradict each other; make the table again"):
        Run.from_arrow(Given("__arrow_c_array__", (schema, array)))


class Given:
    """An object whose method of the interface gives this."""

    def __init__(self, method: str, given: Any) -> None:
        setattr(self, method, lambda requested_schema=None: given)


SCHEMA = pa.schema([("topic", pa.string())]).__arrow_c_schema__()


@pytest.mark.parametrize("given", [None, 3, "x", (1, 2), (), SCHEMA, (SCHEMA,), (SCHEMA, SCHEMA), (SCHEMA, 3, 4)])
@pytest.mark.parametrize("method", ["__arrow_c_stream__", "__arrow_c_array__"])
def test_junk_in_place_of_arrow_data(given: Any, method: str) -> None:
    for read in (Run.from_arrow, Qrels.from_arrow, cranfield.read_run, Run.from_pandas, Run.from_polars):
        with pytest.raises(cranfield.InputTypeError, match=f"`{method}` of a Given gave a .*; give a frame"):
            read(Given(method, given))


def test_capsules_are_read_once() -> None:
    table = pa.table({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    for method, given in (
        ("__arrow_c_stream__", table.__arrow_c_stream__()),
        ("__arrow_c_array__", table.to_batches()[0].__arrow_c_array__()),
    ):
        assert Run.from_arrow(Given(method, given)).documents == 3
        with pytest.raises(cranfield.InputError, match="was read before|already released"):
            Run.from_arrow(Given(method, given))


def test_readers_are_read_once() -> None:
    table = pa.table({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    reader = table.to_reader()
    assert Run.from_arrow(reader).documents == 3
    for read in (Run.from_arrow, cranfield.read_run):
        with pytest.raises(cranfield.InputError, match=r"the reader has no rows left; .*`read_all\(\)`"):
            read(reader)
    # Whether it was read before, or never had rows, a reader cannot tell.
    with pytest.raises(cranfield.InputError, match="no rows left"):
        Run.from_arrow(table.slice(0, 0).to_reader())
    assert Run.from_arrow(table.slice(0, 0).to_reader().read_all()).documents == 0
    assert Run.from_arrow(table.slice(0, 0)).documents == 0


def test_frames_that_are_not_computed_yet(recwarn: pytest.WarningsRecorder) -> None:
    polars = pytest.importorskip("polars")
    lazy = polars.LazyFrame({"topic": TOPICS, "doc": DOCS, "score": SCORES})
    for read in (Run.from_polars, Qrels.from_polars, Run.from_arrow, cranfield.read_run):
        with pytest.raises(cranfield.InputTypeError, match=r"call its `collect\(\)`"):
            read(lazy)
    assert not recwarn.list
    assert Run.from_polars(lazy.collect()).documents == 3
