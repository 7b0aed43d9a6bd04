"""Pools of documents to judge: `cranfield pool`."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any, TypeAlias

from cranfield import _core
from cranfield._commands import _given, _inputs
from cranfield._core import Run
from cranfield._results import Result

Groups: TypeAlias = str | os.PathLike[str] | Mapping[str, str]
"""A file of runs and their groups, or a dict."""

# Stands for judgements where none are needed.
_NONE = {"": {"": 0}}


def _open(qrels: Any, runs: Any, given: dict[str, Any]) -> _core.Inputs:
    return _inputs(_NONE if qrels is None else qrels, runs, given)


def pool(
    runs: Any,
    strategy: str | None = None,
    *,
    budget: int | None = None,
    qrels: Any = None,
    measure: str | None = None,
    depth: int | None = None,
    ties: str | None = None,
    level: float | None = None,
    seed: int | None = None,
    sample: str | os.PathLike[str] | None = None,
    output: str | os.PathLike[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    quiet: bool = True,
) -> Run:
    """Chooses documents to judge: `cranfield pool make`.

    The documents of the run are in the order in which they should be judged. With `qrels`, judgements answer for a person, and an
    adaptive strategy is replayed. `sample` and `output` write files. Unless `quiet`, notes become warnings.

    >>> runs = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d3": 2.0, "d1": 1.0}}}
    >>> pool(runs, "take(2)").to_dict()
    {'1': {'d1': 2.0, 'd3': 1.0}}
    """
    given = _given(locals(), "runs", "qrels", "quiet")
    run, notes = _core.pool(_open(qrels, runs, given), qrels is not None, given)
    if not quiet:
        for note in notes:
            warnings.warn(note, stacklevel=2)
    return run


def pool_stats(
    runs: Any,
    *,
    qrels: Any = None,
    groups: Groups | None = None,
    depth: int | None = None,
    seconds: float | None = None,
    ties: str | None = None,
    level: float | None = None,
    per_topic: bool = False,
    figure: str | os.PathLike[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Reports size, overlap, unique contributions and hours of work: `cranfield pool stats`."""
    given = _given(locals(), "runs", "qrels")
    return Result(_core.pool_stats(_open(qrels, runs, given), qrels is not None, given))


def pool_bias(
    qrels: Any,
    runs: Any,
    measure: str | None = None,
    *,
    groups: Groups | None = None,
    depth: int | None = None,
    ties: str | None = None,
    level: float | None = None,
    figure: str | os.PathLike[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Scores runs as if they had not contributed to the pool: `cranfield pool bias`."""
    given = _given(locals(), "runs", "qrels")
    return Result(_core.pool_bias(_open(qrels, runs, given), given))


def pool_missing(
    qrels: Any,
    runs: Any = (),
    *,
    groups: Groups | None = None,
    depth: int | None = None,
    to: int | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    ties: str | None = None,
    level: float | None = None,
    per_topic: bool = False,
    figure: str | os.PathLike[str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Estimates how many relevant documents are missing: `cranfield pool missing`."""
    given = _given(locals(), "runs", "qrels")
    if isinstance(runs, tuple) and not runs:
        # A stratified sample needs no runs.
        given.pop("run_format")
        inputs = _core.Inputs(qrels, [], qrels_format=given.pop("qrels_format"))
    else:
        inputs = _open(qrels, runs, given)
    return Result(_core.pool_missing(inputs, given))


def pool_votes(
    runs: Any,
    *,
    qrels: Any = None,
    measure: str | None = None,
    depth: int | None = None,
    rate: float | None = None,
    draws: int | None = None,
    seed: int | None = None,
    ties: str | None = None,
    level: float | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Ranks runs without judgements: `cranfield pool votes`."""
    given = _given(locals(), "runs", "qrels")
    return Result(_core.pool_votes(_open(qrels, runs, given), qrels is not None, given))


def pool_settle(
    qrels: Any,
    run: Any,
    other: Any,
    measure: str | None = None,
    *,
    ties: str | None = None,
    level: float | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> tuple[Result, Run]:
    """Lists the documents that would settle a comparison, also as a run: `cranfield pool settle`."""
    given = _given(locals(), "run", "other", "qrels")
    result, documents = _core.pool_settle(_open(qrels, [run, other], given), given)
    return Result(result), documents
