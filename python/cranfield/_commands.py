"""The other commands of the command line, with its names, defaults and outputs.

Each function runs the command itself. What is in memory is handed to it as files of a temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypedDict, Unpack

from cranfield import _core
from cranfield._errors import InputTypeError, UsageError
from cranfield._evaluate import _is_path, _own, evaluate
from cranfield._progress import Progress, watched
from cranfield._results import Result, _Files, _measures, _Once, _options


class Policies(TypedDict, total=False):
    """Options that say how documents and topics count."""

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
    """Options that say how judgements and runs are read and evaluated: those of `evaluate`."""

    intents: str | os.PathLike[str]
    known: str | os.PathLike[str]
    sessions: str | os.PathLike[str]
    threads: int


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
    digits: int | None = None,
    progress: Progress = False,
    **options: Unpack[Options],
) -> Result:
    """Which differences between runs the topics justify: `cranfield compare`.

    `measures` may be of your own, as those of `evaluate`. `progress` is as there; here it also tells of the resampling.

    >>> qrels = {f"q{n}": {"d1": 1} for n in range(8)}
    >>> good = {f"q{n}": {"d1": 2.0, "d2": 1.0} for n in range(8)}
    >>> poor = {f"q{n}": {"d1": 1.0, "d2": 2.0} for n in range(8)}
    >>> result = compare(qrels, {"good": good, "poor": poor}, "RR", seed=1)
    >>> result.to_dict()["settings"]["seed"]
    1
    """
    files = _Files()
    asked, customs = _own(measures)
    with watched(progress) as watch:
        evaluation = evaluate(qrels, runs, asked, progress=watch or False, **options) if customs else None
    inputs = ["qrels", *evaluation.runs] if evaluation else files.inputs(qrels, runs, options)
    given = {
        "baseline": files.name(baseline),
        "test": test,
        "correction": correction,
        "family": family,
        "alpha": alpha,
        "margin": margin,
        "rope": rope,
        "interval": interval,
        "standardise": standardise,
        "replicates": replicates,
        "seed": seed,
        "plan": plan,
        "scenario": scenario,
        "gains": gains,
        "pairs": pairs,
        "claims": claims,
        "methods": methods,
        "digits": digits,
        **options,
    }
    names = [] if evaluation else _measures(asked)
    with watched(progress) as watch:
        arguments = ["compare", *names, *files.options(given), "--", *inputs]
        return Result(files, arguments, watch=watch, evaluation=evaluation)


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
    """How many topics are needed, and what they can show: `cranfield power`.

    The judgements and runs are a pilot; without them, `sd` or `effect` says how much topics vary.

    >>> design = power(sd=0.1**0.5, difference=0.1, among=10).to_dict()["designs"][0]
    >>> design["needed"][0]["t"]["topics"], design["needed"][0]["anova"]["topics"]
    (81, 158)
    """
    files = _Files()
    given = {
        "difference": difference,
        "width": width,
        "sizes": sizes,
        "power": power,
        "alpha": alpha,
        "among": among,
        "sd": sd,
        "effect": effect,
        "digits": digits,
        **options,
    }
    inputs = [] if qrels is None else [files.qrels(qrels, options.get("qrels_format"))]
    inputs += [] if runs is None else files.runs(runs, options.get("run_format"))
    return Result(files, ["power", *_measures(measures), *files.options(given), "--", *inputs])


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
    """How well measures tell runs apart: `cranfield discriminate`.

    >>> qrels = {f"q{n}": {"d1": 1} for n in range(8)}
    >>> good = {f"q{n}": {"d1": 2.0, "d2": 1.0} for n in range(8)}
    >>> poor = {f"q{n}": {"d1": 1.0, "d2": 2.0} for n in range(8)}
    >>> found = discriminate(qrels, {"good": good, "poor": poor}, "RR").to_dict()["discrimination"][0]
    >>> found["pairs"], found["discriminative_power"], found["swaps"]
    (1, 1.0, 0.0)
    """
    files = _Files()
    given = {
        "test": test,
        "alpha": alpha,
        "half": half,
        "bin": bin,
        "rate": rate,
        "fuzziness": fuzziness,
        "replicates": replicates,
        "seed": seed,
        "curves": curves,
        "digits": digits,
        **options,
    }
    inputs = files.inputs(qrels, runs, options)
    return Result(files, ["discriminate", *_measures(measures), *files.options(given), "--", *inputs])


def explain(
    qrels: Any,
    run: Any,
    measure: Any,
    other: Any = None,
    *,
    topic: str | None = None,
    depth_shown: int | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """A value, or with `other` a difference, taken apart: `cranfield explain`."""
    files = _Files()
    given = {"topic": topic, "depth_shown": depth_shown, "digits": digits, **options}
    inputs = files.inputs(qrels, [run] if other is None else [run, other], options)
    arguments = ["explain", *_measures(measure), *files.options(given), "--", *inputs]
    return Result(files, arguments)


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
    """How alike the rankings of two runs are: `cranfield similarity`."""
    files = _Files()
    given = {
        "ideal": None if ideal is None else files.qrels(ideal, qrels_format),
        "p": p,
        "ties": ties,
        "depth": depth,
        "per_topic": per_topic,
        "run_format": run_format,
        "qrels_format": qrels_format,
        "digits": digits,
    }
    runs = files.runs([run] if other is None else [run, other], run_format)
    return Result(files, ["similarity", *_measures(measures), *files.options(given), "--", *runs])


def agree(
    first: Any,
    second: Any,
    *,
    merge: str | None = None,
    merge_first: str | None = None,
    merge_second: str | None = None,
    level: float | None = None,
    percent: str | None = None,
    topic: str | None = None,
    per_topic: bool = False,
    qrels_format: str | None = None,
    digits: int | None = None,
) -> Result:
    """How far two sets of judgements agree: `cranfield agree`."""
    files = _Files()
    given = {
        "merge": merge,
        "merge_first": merge_first,
        "merge_second": merge_second,
        "level": level,
        "percent": percent,
        "topic": topic,
        "per_topic": per_topic,
        "qrels_format": qrels_format,
        "digits": digits,
    }
    inputs = [files.qrels(first, qrels_format, "first"), files.qrels(second, qrels_format, "second")]
    return Result(files, ["agree", *files.options(given), "--", *inputs])


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
    """What is wrong with files of runs and judgements: `cranfield doctor`; `fix` repairs what is safe.

    Findings are those before the repair. `codes` lists all findings that there are.
    """
    given = {"qrels": qrels, "as": kind, "depth": depth, "grades": grades, "strict": strict, "codes": codes}
    repair = _options({"fix": fix, "output": output, "in_place": in_place, "tag": tag})
    once = _Once(repair, ("json", "md")) if repair else None
    return Result(_Files(), ["doctor", *_options(given), "--", *_paths("doctor", *paths)], once)


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    kind: str | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
) -> None:
    """Changes the format of a run or of judgements: `cranfield convert`."""
    given = {"kind": kind, "from": source_format, "to": target_format, "quiet": True}
    inputs = _paths("convert", source, target)
    _core.command(["cranfield", "convert", *_options(given), "--", *inputs])


def _paths(command: str, *paths: Any) -> list[str]:
    for path in paths:
        if not _is_path(path):
            found = f"`{command}` is of files, and this is a {type(path).__name__}"
            raise InputTypeError(f"{found}; a `Run` and `Qrels` have `save`")
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
    """Which settings give a published number: `cranfield whence`."""
    files = _Files()
    given = {"changes": changes, "show": show, **options}
    inputs = [*files.inputs(qrels, [run], options), str(value)]
    return Result(files, ["whence", *_measures(measure), *files.options(given), "--", *inputs])


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
    """One run, one name: the number of every program, and why it differs: `cranfield rosetta`."""
    files = _Files()
    given = {
        "profile": profile,
        "qrels_format": qrels_format,
        "run_format": run_format,
        "digits": digits,
    }
    inputs = files.inputs(qrels, [run], given)
    return Result(files, ["rosetta", *_measures(measure), *files.options(given), "--", *inputs])


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
    """Whether a run may replace another: `cranfield gate`. `exit_code` is 0, 1 or 4: pass, fail, inconclusive.

    `baseline` is a run, or the path of a lock file; with `write_lock` there is none. `except_file` is `--except`.
    """
    files = _Files()
    # A path may be that of a lock file, which only the command reads.
    alone = baseline is None or _is_path(baseline)
    paths = files.runs([run] if alone else [run, baseline], options.get("run_format"))
    given = {
        "baseline": baseline if alone else paths[1],
        "tolerance": tolerance,
        "test": test,
        "alpha": alpha,
        "ratchet": ratchet,
        "except": except_file,
        "inconclusive": inconclusive,
        "self_test": self_test,
        "seed": seed,
        "digits": digits,
        **options,
    }
    inputs = [files.qrels(qrels, options.get("qrels_format")), paths[0]]
    written = _options({"update": update, "junit": junit, "summary": summary})
    lock = _options({"write_lock": write_lock})
    formats = ("json", "md", "csv", "latex", "html") if "--update" in written else ()
    once = _Once(written, formats) if written else None
    arguments = ["gate", *_measures(measures), *files.options(given), *lock, "--", *inputs]
    with watched(progress) as watch:
        return Result(files, arguments, once, watch=watch, writes=bool(lock))


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
    """Draws a picture into a file: `cranfield plot`."""
    files = _Files()
    given = {
        "output": output,
        "format": format,
        "cutoff": cutoff,
        "levels": levels,
        "band": band,
        "ideal": ideal,
        "order": order,
        "of": of,
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
        "size": size,
        "width": width,
        "height": height,
        "dpi": dpi,
        "bare": bare,
        "quiet": True,
        **options,
    }
    inputs = [kind, *files.inputs(qrels, runs, options)]
    with watched(progress) as watch:
        files.command(["plot", *_measures(measures), *files.options(given), "--", *inputs], watch)


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
    digits: int | None = None,
    progress: Progress = False,
    **options: Unpack[Options],
) -> str:
    """One page of an evaluation: `cranfield report`. The text is returned if no file is named."""
    files = _Files()
    inputs = files.inputs(qrels, runs, options)
    given = {
        "output": output,
        "format": format,
        "title": title,
        "depth_shown": depth_shown,
        "baseline": files.name(baseline),
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
        "family": family,
        "margin": margin,
        "rope": rope,
        "interval": interval,
        "standardise": standardise,
        "plan": plan,
        "scenario": scenario,
        "gains": gains,
        "digits": digits,
        "quiet": True,
        **options,
    }
    arguments = ["report", *_measures(measures), *files.options(given), "--", *inputs]
    with watched(progress) as watch:
        return files.command(arguments, watch)[1]


def command(*arguments: str | os.PathLike[str]) -> Result:
    """Any command with any of its options, as on the command line.

    >>> print(command("measures", "RR").to_text().splitlines()[0])
    RR[@k]: reciprocal rank of the first relevant document
    """
    if not arguments:
        raise UsageError("no command; `cranfield --help` lists them")
    for argument in arguments:
        if not _is_path(argument):
            found = f"{argument!r}, a {type(argument).__name__}"
            raise InputTypeError(f"a word of the command line is {found}; expected a str or a path")
    return Result(_Files(), [os.fspath(argument) for argument in arguments], writes=True)
