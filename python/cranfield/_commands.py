"""The other commands of the command line, with its names, defaults and outputs.

Each function runs the command itself. What is in memory is handed to it as files of a temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from cranfield import _core
from cranfield._evaluate import _is_path, _listed, _named, read_qrels, read_run

if TYPE_CHECKING:
    import tempfile


class Options(TypedDict, total=False):
    """Options that say how judgements and runs are read and evaluated: those of `evaluate`."""

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
    intents: str | os.PathLike[str]
    known: str | os.PathLike[str]
    sessions: str | os.PathLike[str]
    threads: int


class _Files:
    """Inputs as files, of which those that were in memory are gone with the object."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def _path(self, name: str, ending: str) -> Path:
        if self._folder is None:
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="cranfield-")
        name = "".join("_" if letter in "/\\\0" else letter for letter in name)
        return Path(self._folder.name) / f"{name}{ending}"

    def qrels(self, data: Any, name: str = "qrels") -> str:
        if _is_path(data):
            return str(os.fspath(data))
        path = self._path(name, ".qrels")
        read_qrels(data).save(path)
        return str(path)

    def runs(self, data: Any) -> list[str]:
        listed = _listed(data)
        if all(name is None and _is_path(run) for name, run in listed):
            return [os.fspath(run) for _, run in listed]
        paths = []
        for run in _named(listed, None):
            path = self._path(run.name, ".run")
            run.save(path)
            paths.append(str(path))
        return paths

    def run(self, data: Any) -> str:
        if _is_path(data):
            return str(os.fspath(data))
        run = read_run(data)
        path = self._path(run.name, ".run")
        run.save(path)
        return str(path)

    def hidden(self, text: str) -> str:
        """A text without the temporary folder."""
        return text if self._folder is None else text.replace(self._folder.name + os.sep, "")


class Result:
    """The result of a command: as data, and in the formats of the command line."""

    def __init__(self, files: _Files, arguments: list[str]) -> None:
        self._files = files
        self._arguments = arguments
        self._json: str | None = None
        self.exit_code, self._text, notes = self._run(None)
        self.notes = [line.removeprefix("note: ") for line in notes.splitlines()]
        """What the command line notes on standard error."""

    def _run(self, format: str | None) -> tuple[int, str, str]:
        chosen = [] if format is None else ["--format", format]
        code, out, err = _core.command(["cranfield", self._arguments[0], *chosen, *self._arguments[1:]])
        return code, self._files.hidden(out), self._files.hidden(err)

    def to_text(self) -> str:
        """As the command line prints it."""
        return self._text

    def to_json(self) -> str:
        """JSON, as the command line writes it."""
        if self._json is None:
            self._json = self._run("json")[1]
        return self._json

    def to_dict(self) -> Any:
        """The JSON as Python's dicts and lists."""
        import json

        return json.loads(self.to_json())

    def to_format(self, format: str) -> str:
        """Any of the formats that the command has."""
        return self._run(format)[1]

    def to_markdown(self) -> str:
        """Markdown."""
        return self.to_format("md")

    def to_latex(self) -> str:
        """LaTeX."""
        return self.to_format("latex")

    def to_html(self) -> str:
        """HTML."""
        return self.to_format("html")

    def to_csv(self) -> str:
        """CSV."""
        return self.to_format("csv")

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self._text)}</pre>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<cranfield {self._arguments[0]}: {len(self._text.splitlines())} lines>"


def _options(given: dict[str, Any]) -> list[str]:
    """Options of the command line: `depth=10` is `--depth 10`, `pairs=True` is `--pairs`."""
    arguments: list[str] = []
    for name, value in given.items():
        option = f"--{name.replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, (list, tuple)):
            arguments.extend(f"{option}={item}" for item in value)
        else:
            arguments.append(f"{option}={os.fspath(value) if _is_path(value) else value}")
    return arguments


def _measures(names: str | Iterable[Any] | None) -> list[str]:
    if names is None:
        return []
    names = [names] if isinstance(names, str) else [str(name) for name in names]
    return [f"--measure={name}" for name in names]


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    baseline: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    family: str | None = None,
    alpha: float | None = None,
    margin: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    pairs: bool = False,
    claims: bool = False,
    methods: bool = False,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Which differences between runs the topics justify: `cranfield compare`.

    >>> qrels = {f"q{n}": {"d1": 1} for n in range(8)}
    >>> good = {f"q{n}": {"d1": 2.0, "d2": 1.0} for n in range(8)}
    >>> poor = {f"q{n}": {"d1": 1.0, "d2": 2.0} for n in range(8)}
    >>> result = compare(qrels, {"good": good, "poor": poor}, "RR", seed=1)
    >>> result.to_dict()["settings"]["seed"]
    1
    """
    files = _Files()
    chosen = _options(
        {
            "baseline": baseline,
            "test": test,
            "correction": correction,
            "family": family,
            "alpha": alpha,
            "margin": margin,
            "replicates": replicates,
            "seed": seed,
            "pairs": pairs,
            "claims": claims,
            "methods": methods,
            "digits": digits,
            **options,
        }
    )
    inputs = [files.qrels(qrels), *files.runs(runs)]
    return Result(files, ["compare", *_measures(measures), *chosen, "--", *inputs])


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
    runs = [files.run(run)] if other is None else files.runs([run, other])
    inputs = [files.qrels(qrels), *runs]
    arguments = ["explain", *_measures(measure), *_options(given), "--", *inputs]
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
        "ideal": None if ideal is None else files.qrels(ideal),
        "p": p,
        "ties": ties,
        "depth": depth,
        "per_topic": per_topic,
        "run_format": run_format,
        "qrels_format": qrels_format,
        "digits": digits,
    }
    runs = [files.run(run)] if other is None else files.runs([run, other])
    return Result(files, ["similarity", *_measures(measures), *_options(given), "--", *runs])


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
    inputs = [files.qrels(first, "first"), files.qrels(second, "second")]
    return Result(files, ["agree", *_options(given), "--", *inputs])


def doctor(
    *paths: str | os.PathLike[str],
    qrels: str | os.PathLike[str] | None = None,
    kind: str | None = None,
    depth: int | None = None,
    grades: str | None = None,
    strict: bool = False,
) -> Result:
    """What is wrong with files of runs and judgements: `cranfield doctor`."""
    given = {"qrels": qrels, "as": kind, "depth": depth, "grades": grades, "strict": strict}
    inputs = [os.fspath(path) for path in paths]
    return Result(_Files(), ["doctor", *_options(given), "--", *inputs])


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
    inputs = [os.fspath(source), os.fspath(target)]
    _core.command(["cranfield", "convert", *_options(given), "--", *inputs])


def whence(
    qrels: Any,
    run: Any,
    measure: Any,
    value: float | str,
    *,
    changes: int | None = None,
    show: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Which settings give a published number: `cranfield whence`."""
    files = _Files()
    given = {"changes": changes, "show": show, **options}
    inputs = [files.qrels(qrels), files.run(run), str(value)]
    return Result(files, ["whence", *_measures(measure), *_options(given), "--", *inputs])


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
    inputs = [files.qrels(qrels), files.run(run)]
    return Result(files, ["rosetta", *_measures(measure), *_options(given), "--", *inputs])


def gate(
    qrels: Any,
    run: Any,
    baseline: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    tolerance: float | str | None = None,
    against: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float | None = None,
    power: float | None = None,
    see: float | None = None,
    ratchet: float | None = None,
    inconclusive: str | None = None,
    worst: int | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> Result:
    """Whether a run may replace another: `cranfield gate`. `exit_code` is 0, 1 or 4: pass, fail, inconclusive."""
    files = _Files()
    paths = files.runs([run, baseline])
    given = {
        "baseline": paths[1],
        "tolerance": tolerance,
        "against": against,
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "power": power,
        "see": see,
        "ratchet": ratchet,
        "inconclusive": inconclusive,
        "worst": worst,
        "replicates": replicates,
        "seed": seed,
        "digits": digits,
        **options,
    }
    inputs = [files.qrels(qrels), paths[0]]
    return Result(files, ["gate", *_measures(measures), *_options(given), "--", *inputs])


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
    size: str | None = None,
    width: float | None = None,
    height: float | None = None,
    dpi: int | None = None,
    bare: bool = False,
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
        "size": size,
        "width": width,
        "height": height,
        "dpi": dpi,
        "bare": bare,
        "quiet": True,
        **options,
    }
    inputs = [kind, files.qrels(qrels), *files.runs(runs)]
    arguments = ["plot", *_measures(measures), *_options(given), "--", *inputs]
    _core.command(["cranfield", *arguments])


def report(
    qrels: Any,
    runs: Any,
    output: str | os.PathLike[str] | None = None,
    measures: str | Iterable[Any] | None = None,
    *,
    format: str | None = None,
    title: str | None = None,
    depth_shown: int | None = None,
    baseline: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    digits: int | None = None,
    **options: Unpack[Options],
) -> str:
    """One page of an evaluation: `cranfield report`. The text is returned if no file is named."""
    files = _Files()
    given = {
        "output": output,
        "format": format,
        "title": title,
        "depth_shown": depth_shown,
        "baseline": baseline,
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
        "digits": digits,
        "quiet": True,
        **options,
    }
    inputs = [files.qrels(qrels), *files.runs(runs)]
    arguments = ["report", *_measures(measures), *_options(given), "--", *inputs]
    return files.hidden(_core.command(["cranfield", *arguments])[1])
