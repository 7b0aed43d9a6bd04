"""Vectors and scenarios: `cranfield eval --vector` and `--scenario`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from cranfield import _core
from cranfield._commands import Options, _given, _inputs, _measures
from cranfield._evaluate import _strings
from cranfield._results import Result


def vectors(
    qrels: Any,
    runs: Any,
    names: str | Iterable[str],
    *,
    sideways: int | str | Iterable[int] | None = None,
    per_topic: bool = False,
    all_ranks: bool = False,
    sort: str | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Computes measures such as `nDCG@30` or `IPrec` at every rank or recall level: `cranfield eval --vector`.

    `sideways` counts the documents of each run to read to match the other runs, and the ideal, at these ranks. Tables show a
    selection of ranks, or all with `all_ranks`.

    >>> result = vectors({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}, "P@3")
    >>> result.to_columns()["value"][:3] == [0.0, 1 / 2, 1 / 3]
    True
    """
    given = _given(locals(), "qrels", "runs")
    given["names"] = _strings(names, "a vector")
    inputs = _inputs(qrels, runs, given)
    return Result(_core.vectors(inputs, given, None))


def scenarios(
    qrels: Any,
    runs: Any,
    names: str | Iterable[str],
    measures: str | Iterable[Any] | None = None,
    *,
    per_topic: bool = False,
    sort: str | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Evaluates scenarios (`impatient`, `patient`, or those in a TOML file): `cranfield eval --scenario`.

    `measures` replace those of the scenarios.

    >>> result = scenarios({"q1": {"d1": 3}}, {"q1": {"d1": 1.0}}, "impatient")
    >>> set(result.to_columns()["value"])
    {1.0}
    """
    given = _given(locals(), "qrels", "runs", "measures")
    given["names"] = _strings(names, "a scenario")
    asked = _measures(measures)
    replaced = asked if asked is None or isinstance(asked, str) else " ".join(map(str, asked))
    inputs = _inputs(qrels, runs, given)
    return Result(_core.scenarios(inputs, replaced, given, None))
