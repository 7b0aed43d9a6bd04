"""What `cranfield eval` prints beside values of measures: vectors over ranks, and scenarios."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from cranfield._commands import Options
from cranfield._evaluate import _items, _texts
from cranfield._results import Result, _Files, _measures


def vectors(
    qrels: Any,
    runs: Any,
    names: str | Iterable[str],
    *,
    sideways: int | str | Iterable[int] | None = None,
    per_topic: bool = False,
    sort: str | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Values at every rank or level of recall, `nDCG@30` or `IPrec`: `cranfield eval --vector`.

    With `sideways`, how many documents of each run give what every run, and the ideal, gives at these ranks.

    >>> result = vectors({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}, "P@3")
    >>> result.to_columns()["value"][:3] == [0.0, 1 / 2, 1 / 3]
    True
    """
    ranks = None if isinstance(sideways, str) else _items(sideways)
    if ranks is not None:
        sideways = ",".join(str(rank) for rank in ranks)
    given = {
        "vector": _texts(names, "a vector"),
        "sideways": sideways,
        "per_topic": per_topic,
        "sort": sort,
        "digits": digits,
        **options,
    }
    return _evaluated(qrels, runs, None, given)


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
    """Values for kinds of users, `impatient`, `patient`, or those of a TOML file: `cranfield eval --scenario`.

    `measures` replace those of the scenarios.

    >>> result = scenarios({"q1": {"d1": 3}}, {"q1": {"d1": 1.0}}, "impatient")
    >>> set(result.to_columns()["value"])
    {1.0}
    """
    given = {
        "scenario": _texts(names, "a scenario"),
        "per_topic": per_topic,
        "sort": sort,
        "digits": digits,
        **options,
    }
    return _evaluated(qrels, runs, measures, given)


def _evaluated(qrels: Any, runs: Any, measures: Any, given: dict[str, Any]) -> Result:
    files = _Files()
    inputs = files.inputs(qrels, runs, given)
    return Result(files, ["eval", *_measures(measures), *files.options(given), "--", *inputs])
