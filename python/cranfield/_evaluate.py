"""`evaluate`: from files, dicts, frames and objects to an `Evaluation`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from cranfield import _core
from cranfield._core import Evaluation, Qrels, Run
from cranfield._errors import InputTypeError

Grades: TypeAlias = Any
"""A path, `Qrels`, a dict of dicts, or a frame."""
Scores: TypeAlias = Any
"""A path, a `Run`, a dict of dicts, or a frame."""


def _is_path(data: object) -> bool:
    return isinstance(data, (str, os.PathLike))


def _is_frame(data: object) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def read_qrels(data: Grades, format: str | None = None) -> Qrels:
    """`Qrels` of a path, a dict of dicts, a frame, or `Qrels`.

    >>> read_qrels({"q1": {"d1": 1}})
    Qrels('qrels', topics=1, judgements=1)
    """
    if isinstance(data, Qrels):
        return data
    if _is_path(data):
        return Qrels.from_file(data, format)
    if _is_frame(data):
        return Qrels.from_arrow(data)
    if isinstance(data, Mapping):
        return Qrels.from_dict(data)
    raise InputTypeError(f"cannot read judgements from a {type(data).__name__}")


def read_run(data: Scores, format: str | None = None, name: str = "run") -> Run:
    """A `Run` of a path, a dict of dicts, a frame, or a `Run`.

    >>> read_run({"q1": {"d1": 0.5}}, name="bm25")
    Run('bm25', topics=1, documents=1)
    """
    if isinstance(data, Run):
        return data
    if _is_path(data):
        return Run.from_file(data, format)
    if _is_frame(data):
        return Run.from_arrow(data, name=name)
    if isinstance(data, Mapping):
        return Run.from_dict(data, name=name)
    raise InputTypeError(f"cannot read a run from a {type(data).__name__}")


def _is_run(data: object) -> bool:
    return isinstance(data, Run) or _is_path(data) or _is_frame(data)


def _by_name(runs: Mapping[str, Any]) -> bool:
    """Whether a mapping holds runs by name, and is not a run itself."""
    for value in runs.values():
        if _is_run(value):
            return True
        # Of a run, the values of topics are numbers; of runs by name, they are mappings.
        if isinstance(value, Mapping):
            for inner in value.values():
                return isinstance(inner, Mapping)
    return False


def _listed(runs: Any) -> list[tuple[str | None, Any]]:
    if _is_run(runs):
        return [(None, runs)]
    if isinstance(runs, Mapping):
        return list(runs.items()) if _by_name(runs) else [(None, runs)]
    if isinstance(runs, Iterable):
        return [(None, run) for run in runs]
    raise InputTypeError(f"cannot read runs from a {type(runs).__name__}")


def _named(runs: list[tuple[str | None, Any]], format: str | None) -> list[Run]:
    read: list[Run] = []
    taken: set[str] = set()
    for name, data in runs:
        run = read_run(data, format)
        wanted = name or run.name
        free, number = wanted, 1
        while free in taken:
            number += 1
            free = f"{wanted} ({number})"
        taken.add(free)
        read.append(run if run.name == free else run.renamed(free))
    return read


def evaluate(
    qrels: Grades,
    runs: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    profile: str = "cranfield",
    level: float | None = None,
    ties: str | None = None,
    topics: str | None = None,
    unjudged: str | None = None,
    negative: str | None = None,
    undefined: str | None = None,
    depth: int | None = None,
    identical: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    intents: str | os.PathLike[str] | None = None,
    known: str | os.PathLike[str] | None = None,
    sessions: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> Evaluation:
    """Evaluates runs against judgements.

    Args:
        qrels: a path, `Qrels`, a dict of dicts, or a frame of pandas, polars or pyarrow.
        runs: one run, several in a list, or several in a dict by name; each a path, a `Run`, a dict of dicts or a frame.
        measures: names in one text or in several; those of the command line by default.
        profile, level, ties, ...: the options of `cranfield eval`, with its values and defaults.
        threads: number of threads; all cores by default.

    >>> runs = {"a": {"q1": {"d1": 2, "d2": 1}}, "b": {"q1": {"d1": 1, "d2": 2}}}
    >>> evaluation = evaluate({"q1": {"d1": 1}}, runs, "RR")
    >>> evaluation["b", "RR"]
    0.5
    """
    policies = {
        "ties": ties,
        "topics": topics,
        "unjudged": unjudged,
        "negative": negative,
        "undefined": undefined,
        "depth": depth,
        "identical": identical,
    }
    listed = _listed(runs)
    all_files = _is_path(qrels) and all(
        name is None and _is_path(run) for name, run in listed
    )
    if all_files or intents is not None or known is not None or sessions is not None:
        return _core.evaluate_files(
            qrels,
            [run for _, run in listed],
            measures,
            profile=profile,
            level=level,
            policies=policies,
            qrels_format=qrels_format,
            run_format=run_format,
            intents=intents,
            known=known,
            sessions=sessions,
            threads=threads,
        )
    return _core.evaluate_runs(
        read_qrels(qrels, qrels_format),
        _named(listed, run_format),
        measures,
        profile=profile,
        level=level,
        policies=policies,
        threads=threads,
    )
