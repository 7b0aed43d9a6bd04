"""Functions for the commands other than `eval`, with the same names, defaults and outputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypedDict, Unpack

from cranfield import _core
from cranfield._errors import InputTypeError, UsageError
from cranfield._evaluate import _Inputs, _is_path, _listed, _named, _own, evaluate, read_qrels, read_run
from cranfield._progress import Progress, watched
from cranfield._results import CommandOutput, Result


class Policies(TypedDict, total=False):
    """Options that control how documents and topics count."""

    profile: str
    level: float
    ties: str
    topics: str
    unjudged: str
    negative: str
    undefined: str
    depth: int
    identical: str
    qrels_format: str
    run_format: str


class Options(Policies, total=False):
    """Options that control how judgements and runs are read and evaluated, as in `evaluate`."""

    intents: str | os.PathLike[str]
    known: str | os.PathLike[str]
    sessions: str | os.PathLike[str]
    threads: int


_FILES = ("qrels_format", "run_format", "intents", "known", "sessions")


def _given(arguments: dict[str, Any], *own: str) -> dict[str, Any]:
    """The keyword arguments of a call, without those named in `own`."""
    arguments = arguments | arguments.get("options", {})
    return {name: value for name, value in arguments.items() if name != "options" and name not in own}


def _inputs(qrels: Any, runs: Any, given: dict[str, Any]) -> _core.Inputs:
    """Judgements and runs; removes the options about files from `given`."""
    files = {name: given.pop(name, None) for name in _FILES}
    return _Inputs(qrels, _listed(runs), files).native()


def _measures(names: Any) -> Any:
    """Names of measures. Only `evaluate` and `compare` accept custom measures."""
    if names is None:
        return None
    asked, own = _own(names)
    if own:
        raise UsageError(f"`{own[0]}` is a measure of your own; only `evaluate` and `compare` accept those")
    return asked


def _run(
    function: Callable[..., _core.Output],
    inputs: _core.Inputs,
    measures: Any,
    given: dict[str, Any],
    progress: Progress = False,
) -> Result:
    with watched(progress) as watch:
        return Result(function(inputs, _measures(measures), given, watch))


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    baseline: str | list[str] | None = None,
    test: str | None = None,
    correction: str | None = None,
    family: str | None = None,
    alpha: float | None = None,
    margin: float | None = None,
    rope: float | None = None,
    interval: str | None = None,
    standardise: str | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    plan: str | os.PathLike[str] | None = None,
    scenario: str | list[str] | None = None,
    gains: str | list[str] | None = None,
    pairs: bool = False,
    claims: bool = False,
    methods: bool = False,
    collection: str | os.PathLike[str] | None = None,
    digits: int | None = None,
    progress: Progress = False,
    **options: Unpack[Options],
) -> Result:
    """Tests which differences between runs are significant: `cranfield compare`.

    `measures` may be custom measures, as in `evaluate`. `progress` also reports resampling. `collection`, a collection or a file
    of topics, adds titles of topics.

    >>> qrels = {f"q{n}": {"d1": 1} for n in range(8)}
    >>> good = {f"q{n}": {"d1": 2.0, "d2": 1.0} for n in range(8)}
    >>> poor = {f"q{n}": {"d1": 1.0, "d2": 2.0} for n in range(8)}
    >>> result = compare(qrels, {"good": good, "poor": poor}, "RR", seed=1)
    >>> result.to_dict()["settings"]["seed"]
    1
    """
    given = _given(locals(), "qrels", "runs", "measures", "progress")
    asked, customs = _own(measures)
    if not customs:
        return _run(_core.compare, _inputs(qrels, runs, given), asked, given, progress)
    given = {name: value for name, value in given.items() if name not in options}
    with watched(progress) as watch:
        evaluation = evaluate(qrels, runs, asked, progress=watch or False, **options)
        return Result(_core.compare_evaluation(evaluation, given, watch))


def power(
    qrels: Any = None,
    runs: Any = None,
    measures: str | Iterable[Any] | None = None,
    *,
    difference: float | list[float] | None = None,
    width: float | list[float] | None = None,
    sizes: int | list[int] | None = None,
    power: float | None = None,
    alpha: float | None = None,
    among: int | None = None,
    sd: float | None = None,
    effect: float | list[float] | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Estimates how many topics an experiment needs: `cranfield power`.

    The judgements and runs are those of a pilot experiment; `sd` or `effect` replaces it.

    >>> design = power(sd=0.1**0.5, difference=0.1, among=10).to_dict()["designs"][0]
    >>> design["needed"][0]["t"]["topics"], design["needed"][0]["anova"]["topics"]
    (81, 158)
    """
    given = _given(locals(), "qrels", "runs", "measures")
    if qrels is None:
        given = {name: value for name, value in given.items() if name not in options or value is not None}
        return Result(_core.power(None, _measures(measures), given, None))
    if runs is None:
        raise UsageError("a pilot needs judgements and two or more runs; pass the runs too")
    return _run(_core.power, _inputs(qrels, runs, given), measures, given)


def discriminate(
    qrels: Any,
    runs: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    test: str | None = None,
    alpha: float | None = None,
    half: int | None = None,
    bin: float | None = None,
    rate: float | None = None,
    fuzziness: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    curves: bool = False,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Estimates the discriminative power of measures: `cranfield discriminate`.

    >>> qrels = {f"q{n}": {"d1": 1} for n in range(8)}
    >>> good = {f"q{n}": {"d1": 2.0, "d2": 1.0} for n in range(8)}
    >>> poor = {f"q{n}": {"d1": 1.0, "d2": 2.0} for n in range(8)}
    >>> found = discriminate(qrels, {"good": good, "poor": poor}, "RR").to_dict()["discrimination"][0]
    >>> found["pairs"], found["discriminative_power"], found["swaps"]
    (1, 1.0, 0.0)
    """
    given = _given(locals(), "qrels", "runs", "measures")
    return _run(_core.discriminate, _inputs(qrels, runs, given), measures, given)


def explain(
    qrels: Any,
    run: Any,
    measure: Any,
    other: Any = None,
    *,
    topic: str | None = None,
    depth_shown: int | None = None,
    collection: str | os.PathLike[str] | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Explains a value or, with `other`, a difference: `cranfield explain`.

    `collection` adds titles of topics and documents.
    """
    given = _given(locals(), "qrels", "run", "measure", "other")
    runs = [run] if other is None else [run, other]
    return _run(_core.explain, _inputs(qrels, runs, given), measure, given)


def similarity(
    run: Any,
    other: Any = None,
    measures: str | Iterable[Any] | None = None,
    *,
    ideal: Any = None,
    p: float | None = None,
    ties: str | None = None,
    depth: int | None = None,
    per_topic: bool = False,
    run_format: str | None = None,
    qrels_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Compares the rankings of two runs: `cranfield similarity`."""
    given = _given(locals(), "run", "other", "ideal")
    if (other is None) == (ideal is None):
        raise UsageError("expected a second run, or judgements as ideal")
    names = _measures(measures)
    given["measures"] = names if names is None or isinstance(names, str) else " ".join(map(str, names))
    second = other if ideal is None else ideal
    if not (_is_path(run) and _is_path(second)):
        if ideal is None:
            run, second = _named([(None, run), (None, other)], run_format)
        else:
            run, second = read_run(run, run_format), read_qrels(ideal, qrels_format)
    return Result(_core.similarity(run, second, ideal is not None, given, None))


def doctor(
    *paths: str | os.PathLike[str],
    qrels: str | os.PathLike[str] | None = None,
    kind: str | None = None,
    depth: int | None = None,
    grades: str | None = None,
    fix: bool = False,
    output: str | os.PathLike[str] | None = None,
    in_place: bool = False,
    tag: str | None = None,
    strict: bool = False,
    codes: bool = False,
) -> Result:
    """Finds problems in runs and judgements: `cranfield doctor`.

    `fix` repairs what is safe to repair; the findings are those before the repair. `codes` lists all diagnostic codes.
    """
    given = _given(locals(), "paths")
    if not paths and not codes:
        raise UsageError("no file to check; pass its path")
    return Result(_core.examine(_paths("doctor", *paths), given))


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    kind: str | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
) -> None:
    """Converts a run or judgements to another format: `cranfield convert`."""
    given = _given(locals(), "source", "target")
    read, written = _paths("convert", source, target)
    _core.convert(read, written, given)


def _paths(command: str, *paths: Any) -> list[str]:
    for path in paths:
        if not _is_path(path):
            message = f"`{command}` takes paths, not a {type(path).__name__}"
            raise InputTypeError(f"{message}; `Run` and `Qrels` have `save`")
    return [os.fspath(path) for path in paths]


def whence(
    qrels: Any,
    run: Any,
    measure: Any,
    value: float | str,
    *,
    changes: int | None = None,
    show: int | None = None,
    **options: Unpack[Policies],
) -> Result:
    """Finds the settings that reproduce a published number: `cranfield whence`."""
    given = _given(locals(), "qrels", "run", "measure")
    given["value"] = str(value)
    return _run(_core.whence, _inputs(qrels, [run], given), measure, given)


def rosetta(
    qrels: Any,
    run: Any,
    measure: Any,
    *,
    profile: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """Computes a measure as other tools do, and explains the differences: `cranfield rosetta`."""
    given = _given(locals(), "qrels", "run", "measure")
    return _run(_core.rosetta, _inputs(qrels, [run], given), measure, given)


def gate(
    qrels: Any,
    run: Any,
    baseline: Any = None,
    measures: str | Iterable[Any] | None = None,
    *,
    tolerance: float | str | None = None,
    test: str | None = None,
    alpha: float | None = None,
    ratchet: float | None = None,
    except_file: str | os.PathLike[str] | None = None,
    inconclusive: str | None = None,
    write_lock: str | os.PathLike[str] | None = None,
    update: bool = False,
    junit: str | os.PathLike[str] | None = None,
    summary: str | os.PathLike[str] | None = None,
    self_test: bool = False,
    seed: int | None = None,
    digits: int | None = None,
    progress: Progress = False,
    **options: Unpack[Options],
) -> Result:
    """Checks a run for regressions: `cranfield gate`.

    The `exit_code` of the result is 0 (pass), 1 (fail) or 4 (inconclusive). `baseline` is a run or the path of a lock file, and
    is omitted with `write_lock`. `except_file` is `--except`.
    """
    given = _given(locals(), "qrels", "run", "baseline", "measures", "progress")
    if (baseline is None) == (write_lock is None):
        raise UsageError("expected a baseline (a run or a lock file), or write_lock")
    lock = _core.Lock.read(baseline) if _is_path(baseline) else None
    runs = [run] if lock is not None or baseline is None else [run, baseline]
    inputs = _inputs(qrels, runs, given)
    with watched(progress) as watch:
        return Result(_core.gate(inputs, lock, _measures(measures), given, watch))


def plot(
    kind: str,
    qrels: Any,
    runs: Any,
    output: str | os.PathLike[str],
    measures: str | Iterable[Any] | None = None,
    *,
    format: str | None = None,
    cutoff: int | None = None,
    levels: str | None = None,
    raw: bool = False,
    topic: str | None = None,
    band: str | None = None,
    ideal: str | None = None,
    order: str | None = None,
    of: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    size: str | None = None,
    width: float | None = None,
    height: float | None = None,
    dpi: int | None = None,
    bare: bool = False,
    progress: Progress = False,
    **options: Unpack[Options],
) -> None:
    """Writes a plot to a file: `cranfield plot`."""
    given = _given(locals(), "kind", "qrels", "runs", "output", "measures", "progress")
    inputs = _inputs(qrels, runs, given)
    with watched(progress) as watch:
        _core.plot(kind, inputs, output, _measures(measures), given, watch)


def report(
    qrels: Any,
    runs: Any,
    output: str | os.PathLike[str] | None = None,
    measures: str | Iterable[Any] | None = None,
    *,
    format: str | None = None,
    title: str | None = None,
    depth_shown: int | None = None,
    baseline: str | list[str] | None = None,
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
    plan: str | os.PathLike[str] | None = None,
    scenario: str | list[str] | None = None,
    gains: str | list[str] | None = None,
    assessor: Any = None,
    collection: str | os.PathLike[str] | None = None,
    digits: int | None = None,
    progress: Progress = False,
    **options: Unpack[Options],
) -> str:
    """Writes a report to a file, or returns it if there is no `output`: `cranfield report`.

    `collection` adds titles of topics, and titles and texts of documents. `assessor` is a file, a Qrels, or a list of either: the
    judgements of other assessors, with whom those of the report are compared.
    """
    given = _given(locals(), "qrels", "runs", "output", "measures", "progress")
    inputs = _inputs(qrels, runs, given)
    with watched(progress) as watch:
        return _core.report(inputs, output, _measures(measures), given, watch)


def command(*arguments: str | os.PathLike[str]) -> Result:
    """Runs any command, with arguments as on the command line.

    >>> print(command("measures", "RR").to_text().splitlines()[0])
    RR[@k]: reciprocal rank of the first relevant document
    """
    if not arguments:
        raise UsageError("no command; `cranfield --help` lists them")
    for argument in arguments:
        if not _is_path(argument):
            found = f"{argument!r}, a {type(argument).__name__}"
            raise InputTypeError(f"an argument is {found}; expected a str or a path")
    return Result(CommandOutput([os.fspath(argument) for argument in arguments]))
