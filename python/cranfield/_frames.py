"""Frames of pandas and polars: to them, and from those that cannot be handed over in Arrow's memory format.

pandas does that by pyarrow alone, which may be absent, and which refuses columns of mixed types.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from cranfield._core import ArrowTable, Qrels, Run
from cranfield._errors import CranfieldError, UsageError

Data = TypeVar("Data", Qrels, Run)


class Roles(NamedTuple):
    """Which columns of a table are read."""

    topic: str
    document: str
    number: str
    sign: float
    """-1 if the numbers are ranks, of which less is better."""


def from_frame(kind: type[Data], frame: Any, name: str) -> Data:
    """What is read from a frame, by Arrow if that can be, or else column by column."""
    try:
        return kind.from_arrow(_readable(frame), name)
    except CranfieldError:
        raise
    except Exception:
        if _library(frame) != "pandas":
            raise
    table = frame.reset_index() if any(level is not None for level in frame.index.names) else frame
    names = [str(column) for column in table.columns]
    twice = next((column for column in names if names.count(column) > 1), None)
    if twice is not None:
        raise UsageError(f"two columns are called `{twice}`; drop one of them")
    roles = roles_of(names, kind.from_arrow)
    columns = {column: table.iloc[:, place] for place, column in enumerate(names)}
    numbers = columns[roles.number]
    read = (columns[roles.topic], columns[roles.document], -numbers if roles.sign < 0 else numbers, name)
    ranks = next((column for column in names if column.strip().lower() == "rank"), None)
    if ranks is not None and issubclass(kind, Run):
        return kind.from_columns(*read, ranks=columns[ranks])
    return kind.from_columns(*read)


def _library(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]


def _readable(frame: Any) -> Any:
    """The frame; but polars hands over columns that have no value at all in a form that no other library reads."""
    # Of a frame that is not computed yet, the mere look at its schema is a computation.
    is_frame = hasattr(frame, "__arrow_c_stream__") and hasattr(frame, "schema")
    if _library(frame) != "polars" or not is_frame:
        return frame
    polars = import_module("polars")
    absent = [name for name, kind in frame.schema.items() if kind == polars.Null]
    return frame.cast(dict.fromkeys(absent, polars.String)) if absent else frame


def roles_of(names: list[str], read: Callable[[Any], Qrels | Run]) -> Roles:
    """The columns that the native reader takes, found by letting it read a row of names and places.

    >>> roles_of(["rank", "docno", "qid", "score", "text"], Run.from_arrow)
    Roles(topic='qid', document='docno', number='score', sign=1.0)
    """
    for size in (1, 2):
        for numbers in combinations(names, size):
            row = {
                name: [place + 1.0] if name in numbers else [name] for place, name in enumerate(names)
            }
            try:
                found = read(ArrowTable.from_columns(row)).to_dict()
            except CranfieldError:
                continue
            ((topic, documents),) = found.items()
            ((document, number),) = documents.items()
            return Roles(topic, document, names[int(abs(number)) - 1], 1.0 if number > 0 else -1.0)
    # No choice of columns will do; the reader says which are missing.
    read(ArrowTable.from_columns({name: [name] for name in names}))
    raise UsageError(f"no column of numbers among {', '.join(names)}")


def to_frame(library: str, columns: Mapping[str, list[Any]], numbers: Collection[str]) -> Any:
    """A frame of pandas or polars, whose columns of numbers are of floats, even if no cell has a value."""
    module = import_module(library)
    if library == "polars":
        return module.DataFrame(columns, schema_overrides=dict.fromkeys(numbers, module.Float64))
    return module.DataFrame(
        {name: module.Series(column, dtype="float64") if name in numbers else column for name, column in columns.items()}
    )
