"""`agree` and `merge_qrels`: several assessors."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Unpack

from cranfield import _core
from cranfield._commands import _FILES, Options, _given, _inputs, _measures
from cranfield._errors import UsageError
from cranfield._evaluate import _is_path, read_qrels
from cranfield._results import Result


def agree(
    first: Any,
    second: Any,
    *more: Any,
    runs: Any = None,
    measures: str | Iterable[Any] | None = None,
    merge: str | None = None,
    merge_first: str | None = None,
    merge_second: str | None = None,
    percent: str | None = None,
    topic: str | None = None,
    per_topic: bool = False,
    disputed: int | None = None,
    merged: str | os.PathLike[str] | None = None,
    consensus: str | None = None,
    adjudicated: Any = None,
    figure: str | os.PathLike[str] | None = None,
    baseline: str | Iterable[str] | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    family: str | None = None,
    margin: float | None = None,
    rope: float | None = None,
    interval: str | None = None,
    standardise: str | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Measures the agreement of two or more sets of judgements: `cranfield agree`.

    With `runs`, also compares the runs under each set of judgements.

    >>> ann = {"q": {"a": 0, "b": 1, "c": 2}}
    >>> bob = {"q": {"a": 0, "b": 1, "c": 1}}
    >>> cid = {"q": {"a": 0, "b": 2, "c": 2}}
    >>> round(agree(ann, bob, cid).to_dict()["figures"]["agreement"], 4)
    0.5556
    """
    given = _given(locals(), "first", "second", "more", "runs", "measures")
    assessors = [first, second, *more]
    _check(assessors, runs, measures, given)
    qrels_format = given.get("qrels_format")
    if not all(map(_is_path, assessors)):
        assessors = [read_qrels(assessor, qrels_format) for assessor in assessors]
    if adjudicated is not None and not _is_path(adjudicated):
        given["adjudicated"] = read_qrels(adjudicated, qrels_format)
    inputs = None if runs is None else _inputs(assessors[0], runs, given)
    for name in _FILES:
        given.pop(name, None)
    given["qrels_format"] = qrels_format
    return Result(_core.agree(assessors, inputs, _measures(measures), given, None))


def _check(assessors: list[Any], runs: Any, measures: Any, given: dict[str, Any]) -> None:
    of_two = [name for name in ("merge_first", "merge_second", "percent") if given[name] is not None]
    if of_two and len(assessors) > 2:
        raise UsageError(f"{of_two[0]} needs exactly two sets of judgements, not {len(assessors)}")
    if runs is None and measures is not None:
        raise UsageError("measures are for runs; pass the runs too")
    if runs is None and given["merged"] is None:
        unused = [name for name in ("consensus", "adjudicated") if given[name] is not None]
        if unused:
            raise UsageError(f"{unused[0]} needs merged or runs")


def merge_qrels(*assessors: Any, rule: str = "majority", adjudicated: Any = None) -> _core.Qrels:
    """Merges the judgements of several assessors.

    Rules are `majority` (the lower grade of a tie), `max`, `min`, `mean` and `median` (the lower of two middle grades).
    Grades of `adjudicated` replace merged ones.

    >>> ann, bob, cid = {"q": {"a": 2}}, {"q": {"a": 1}}, {"q": {"a": 2, "b": 1}}
    >>> merge_qrels(ann, bob, cid).to_dict()
    {'q': {'a': 2, 'b': 1}}
    """
    if not assessors:
        raise UsageError("no judgements to merge; pass those of one assessor or more")
    settled = None if adjudicated is None else read_qrels(adjudicated)
    return _core.merge_qrels([read_qrels(assessor) for assessor in assessors], rule, settled)
