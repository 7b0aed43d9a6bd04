"""Conversion to frames of pandas and polars, and from frames that cannot export Arrow data.

pandas exports Arrow data only through pyarrow, which may be missing and rejects columns of mixed types.
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
    """The columns of a table to read."""

    topic: str
    document: str
    number: str
    sign: float
    """-1 if the numbers are ranks, where lower is better."""


def from_frame(kind: type[Data], frame: Any, name: str) -> Data:
    """Reads a frame through Arrow if possible, and otherwise column by column."""
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
    """Casts polars columns without any value, which it exports as a type that no other library reads."""
    # Accessing the schema of a lazy frame would compute it.
    is_frame = hasattr(frame, "__arrow_c_stream__") and hasattr(frame, "schema")
    if _library(frame) != "polars" or not is_frame:
        return frame
    polars = import_module("polars")
    absent = [name for name, kind in frame.schema.items() if kind == polars.Null]
    return frame.cast(dict.fromkeys(absent, polars.String)) if absent else frame


def roles_of(names: list[str], read: Callable[[Any], Qrels | Run]) -> Roles:
    """Finds the columns that the native reader uses, by letting it read a row of names and indices.

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
    # No choice of columns works; the reader raises an error that names the missing ones.
    read(ArrowTable.from_columns({name: [name] for name in names}))
    raise UsageError(f"no column of numbers among {', '.join(names)}")


def to_frame(library: str, columns: Mapping[str, list[Any]], numbers: Collection[str]) -> Any:
    """A pandas or polars frame. Columns in `numbers` are floats, even if they have no value."""
    module = import_module(library)
    if library == "polars":
        return module.DataFrame(columns, schema_overrides=dict.fromkeys(numbers, module.Float64))
    return module.DataFrame(
        {name: module.Series(column, dtype="float64") if name in numbers else column for name, column in columns.items()}
    )
