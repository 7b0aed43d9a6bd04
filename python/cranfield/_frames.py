"""Frames of pandas that cannot be handed over in Arrow's memory format: without pyarrow, or with columns of mixed types."""

from __future__ import annotations

from collections.abc import Callable
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


def from_frame(
    frame: Any, from_arrow: Callable[[Any], Data], from_columns: Callable[[Any, Any, Any], Data]
) -> Data:
    """What is read from a frame, by Arrow if that can be, or else column by column."""
    try:
        return from_arrow(frame)
    except CranfieldError:
        raise
    except Exception:
        if type(frame).__module__.partition(".")[0] != "pandas":
            raise
    table = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
    names = [str(name) for name in table.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two columns are called `{twice}`; drop one of them")
    roles = roles_of(names, from_arrow)
    columns = {name: table.iloc[:, place] for place, name in enumerate(names)}
    numbers = columns[roles.number]
    return from_columns(
        columns[roles.topic], columns[roles.document], -numbers if roles.sign < 0 else numbers
    )


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
