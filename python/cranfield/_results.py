"""Results of commands, and what they are run with."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cranfield import _core
from cranfield._errors import CranfieldError, InputError, InputTypeError, Problem, UsageError
from cranfield._evaluate import _is_path, _listed, _named, _numbered, _own, read_qrels
from cranfield._flags import plain
from cranfield._progress import Watch
from cranfield._records import columns_of, csv_of, latex, of_explanations, of_findings

# Commands without a table of their own, and where their rows are.
_RECORDS: dict[str, Callable[[Any], Any]] = {"explain": of_explanations, "doctor": of_findings}
# Formats that pickles have, beside the text.
_KEPT = ("json", "csv", "md", "latex", "html")


def _remove(folder: str, owner: int) -> None:
    """Removes a folder of this process; a copy of the process leaves it to the one that made it."""
    import shutil

    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


class _Files:
    """Inputs as files, of which those that were in memory are gone with the object.

    What is in memory is written as JSON, which keeps the order of documents, every id, and the ranks of a run that has them.
    Each file has a folder of its own, since results have the names of files, and names may be equal but for letters that no
    file name has.
    """

    def __init__(self) -> None:
        self._folder: str | None = None
        self._names: dict[str, str] = {}
        self._count = 0
        self._saved_paths: list[Path] = []
        self._read: set[str] = set()

    def _path(self, name: str, format: str = "json") -> Path:
        if self._folder is None:
            import tempfile
            import weakref

            self._folder = tempfile.mkdtemp(prefix="cranfield-")
            # As `TemporaryDirectory` does, but for its warning to those who do not close it themselves.
            weakref.finalize(self, _remove, self._folder, os.getpid())
        self._count += 1
        folder = Path(self._folder) / str(self._count)
        folder.mkdir()
        path = folder / f"{name}.{format}"
        self._saved_paths.append(path)
        return path

    def _run_path(self, name: str, format: str) -> Path:
        wanted = _file_name(name)
        free = next(free for free in _numbered(wanted) if free not in self._names.values())
        self._names[name] = free
        return self._path(free, format)

    def qrels(self, data: Any, format: str | None = None, name: str = "qrels") -> str:
        if _is_path(data):
            return str(os.fspath(data))
        path = self._path(name)
        self._read.add("qrels_format")
        with self.named():
            read_qrels(data, format).save(path, "json")
        return str(path)

    def runs(self, data: Any, format: str | None = None) -> list[str]:
        listed = _listed(data)
        if all(name is None and _is_path(run) for name, run in listed):
            return [os.fspath(run) for _, run in listed]
        return [self._saved(run) for run in _named(listed, format)]

    def inputs(self, qrels: Any, runs: Any, options: Mapping[str, Any]) -> list[str]:
        """Judgements, then runs."""
        return [self.qrels(qrels, options.get("qrels_format")), *self.runs(runs, options.get("run_format"))]

    def _saved(self, run: _core.Run) -> str:
        # Lines of JSON have ranks, and no topics without documents.
        format = "jsonl" if run._is_ranked else "json"
        path = self._run_path(run.name, format)
        self._read.add("run_format")
        with self.named():
            run.save(path, format)
        return str(path)

    def options(self, given: dict[str, Any]) -> list[str]:
        """Options of the command line, without the formats of what was read here."""
        return _options({name: value for name, value in given.items() if name not in self._read})

    def name(self, run: Any) -> Any:
        """The name of a run, or those of several, as the command knows them."""
        if isinstance(run, (list, tuple)):
            return [self.name(one) for one in run]
        return self._names.get(run, run) if isinstance(run, str) else run

    def hidden(self, text: str) -> str:
        """A text without the temporary folder, and with the runs' own names."""
        if self._folder is None:
            return text
        # Markdown and LaTeX put a backslash before letters that have a meaning for them.
        folder = re.escape(self._folder + os.sep).replace("_", r"\\?_")
        text = re.sub(
            folder + r"\d+" + re.escape(os.sep) + self._any_file(),
            lambda found: re.sub(r"\.jsonl?$", "", found.group(1) or ""),
            text,
        )
        return text.replace(_SLASH, "/") if any("/" in name for name in self._names) else text

    def _any_file(self) -> str:
        """An expression for the names of all files that were written, whose endings users do not know."""
        names = ("".join(r"\\?" + re.escape(letter) for letter in path.name) for path in self._saved_paths)
        return f"({'|'.join(sorted(names, key=len, reverse=True))})?"

    @contextmanager
    def named(self) -> Iterator[None]:
        """Within it, errors do not speak of the temporary folder."""
        try:
            yield
        except CranfieldError as error:
            if isinstance(error, InputError):
                self._without_places(error)
            error.args = tuple(self.hidden(part) if isinstance(part, str) else part for part in error.args)
            if isinstance(error, InputError):
                error.report = self.hidden(error.report)
                error.problems = [
                    problem._replace(file=self.hidden(problem.file), message=self.hidden(problem.message))
                    for problem in error.problems
                ]
            if isinstance(error, OSError) and isinstance(error.filename, str):
                error.filename = self.hidden(error.filename)
            raise

    def _without_places(self, error: InputError) -> None:
        """Takes lines and columns out, which are of files that users never saw."""
        own = {str(path) for path in self._saved_paths}
        if not error.problems or not all(problem.file in own for problem in error.problems):
            return
        others = re.search(r" \(and \d+ more problems?\)$", str(error))
        omitted = re.search(r"\n\nerror: \d+ more problems? of this file (is|are) not shown$", error.report)
        error.problems = [_without_place(problem) for problem in error.problems]
        first = error.problems[0]
        error.args = (f"{first.file}: {first.message} [{first.code}]{others.group() if others else ''}",)
        parts = [f"error[{problem.code}]: {problem.message}\n --> {problem.file}" for problem in error.problems]
        error.report = "\n\n".join(parts) + (omitted.group() if omitted else "")

    def command(
        self,
        arguments: list[str],
        watch: Watch | None = None,
        evaluation: _core.Evaluation | None = None,
    ) -> tuple[int, str, str]:
        """The exit code, output and notes of a command, or of a comparison of an evaluation."""
        words = ["cranfield", *arguments]
        with self.named():
            if evaluation is None:
                code, out, err = _core.command(words, watch)
            else:
                code, out, err = _core.compare(words, evaluation, watch)
        return code, self.hidden(out), self.hidden(err)


def _without_place(problem: Problem) -> Problem:
    """The same problem of data in memory, with what to do in place of where it is."""
    message = re.sub(r"; first on line \d+$", "; keep it once, usually with its best score", problem.message)
    return problem._replace(line=None, column=None, message=message)


_SLASH = "\N{DIVISION SLASH}"
"""Stands in file names for the slash, which names of models have."""


def _file_name(name: str) -> str:
    """A name of a file, short enough for all systems, without letters that file names cannot have.

    >>> _file_name("org/model")
    'org\u2215model'
    """
    never = '\\:*?"<>|' if os.name == "nt" else ""
    letters = (_SLASH if letter == "/" else letter for letter in name)
    cleaned = "".join("_" if letter in never or not letter.isprintable() else letter for letter in letters)
    return cleaned.encode()[:200].decode(errors="ignore") or "run"


class _Once(NamedTuple):
    """What a command does beside printing, and so must do once."""

    options: list[str]
    formats: tuple[str, ...] = ()
    """Formats that are printed first, since the command changes its inputs."""


class Result:
    """The result of a command: as data, and in the formats of the command line.

    A pickle has all that the methods here return, and needs none of the inputs. That of a command that may write files has the
    formats that were asked for before.
    """

    def __init__(
        self,
        files: _Files,
        arguments: list[str],
        once: _Once | None = None,
        *,
        watch: Watch | None = None,
        evaluation: _core.Evaluation | None = None,
        writes: bool = False,
    ) -> None:
        self._files: _Files | None = files
        self._arguments = arguments
        self._evaluation = evaluation
        self._writes = writes
        self._formats: dict[str, str | CranfieldError] = {}
        self._stamps = _stamps(arguments)
        for format in once.formats if once else ():
            self.to_format(format)
        self.exit_code, self._text, notes = self._run(files, None, watch, *(once.options if once else ()))
        self.notes = [line.removeprefix("note: ") for line in notes.splitlines()]
        """What the command line notes on standard error."""

    def _run(
        self, files: _Files, format: str | None, watch: Watch | None, *options: str
    ) -> tuple[int, str, str]:
        chosen = [] if format is None else ["--format", format]
        arguments = [*self._arguments[:1], *chosen, *options, *self._arguments[1:]]
        return files.command(arguments, watch, self._evaluation)

    def __getstate__(self) -> dict[str, Any]:
        formats = dict(self._formats)
        for format in _KEPT if self._files is not None and not self._writes else ():
            try:
                formats[format] = self.to_format(format)
            except CranfieldError as why:
                formats[format] = type(why)(str(why))
        gone = {"_files": None, "_evaluation": None, "_stamps": {}, "_formats": formats}
        return self.__dict__ | gone

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, _memo: Any) -> Result:
        return self

    def _check_inputs(self) -> None:
        """Another format is another run of the command, which must read what the first one read."""
        now = _stamps(self._arguments)
        # A file that was not there and is named is an output; one of a glob or a folder would be read.
        named = {argument.partition("=")[2] if argument[:2] == "--" else argument for argument in self._arguments}
        for path in sorted(self._stamps.keys() | (now.keys() - named)):
            if now.get(path) != self._stamps.get(path):
                raise InputError(f"{path} has changed since `{self._arguments[0]}` read it; call that again")

    def to_text(self) -> str:
        """As the command line prints it."""
        return self._text

    def to_json(self) -> str:
        """JSON, as the command line writes it."""
        return self.to_format("json")

    def to_dict(self) -> Any:
        """The JSON as Python's dicts and lists."""
        import json

        return json.loads(self.to_json())

    def to_format(self, format: str) -> str:
        """Any of the formats that the command has."""
        if not isinstance(format, str):
            raise InputTypeError(f"the format is {format!r}, a {type(format).__name__}; expected a str such as json")
        if self._arguments[:1] == ["trec_eval"]:
            raise UsageError("`trec_eval` prints in its own format alone; `cranfield eval` has others")
        if any(argument.startswith(("-o", "--output")) for argument in self._arguments):
            raise UsageError("the command writes a file, which another format would replace; leave out its output")
        if format not in self._formats:
            if self._files is None:
                raise UsageError(f"the pickle has no {format!r} of `cranfield {self._arguments[0]}`; run it again")
            self._check_inputs()
            self._formats[format] = self._run(self._files, format, None)[1]
        found = self._formats[format]
        if isinstance(found, CranfieldError):
            raise type(found)(str(found))
        return found

    def to_markdown(self) -> str:
        """Markdown."""
        return self.to_format("md")

    def to_latex(self) -> str:
        """LaTeX: the command's own, or else the table of `to_columns`."""
        if self._arguments[0] in _RECORDS:
            return latex(self.to_columns())
        return self.to_format("latex")

    def to_html(self) -> str:
        """HTML."""
        return self.to_format("html")

    def to_csv(self) -> str:
        """CSV: the command's own, or else the table of `to_columns`."""
        if self._arguments[0] in _RECORDS:
            return csv_of(self.to_columns())
        return self.to_format("csv")

    def to_columns(self) -> dict[str, list[Any]]:
        """The table of `to_csv`, or of shares or findings, by columns. Cells are floats, or else texts; `None` is empty."""
        import csv
        import io

        if self._arguments[0] in _RECORDS:
            return columns_of(_RECORDS[self._arguments[0]](self.to_dict()))
        names, *rows = csv.reader(io.StringIO(self.to_csv()))
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        return {name: _cells(name, list(column)) for name, column in zip(names, columns, strict=True)}

    def to_pandas(self) -> Any:
        """The same as a pandas frame."""
        return self._frame("pandas")

    def to_polars(self) -> Any:
        """The same as a polars frame."""
        return self._frame("polars")

    def _frame(self, library: str) -> Any:
        from cranfield._frames import to_frame

        columns = self.to_columns()
        numbers = [
            name
            for name, column in columns.items()
            if name not in _NAMES and not any(isinstance(cell, str) for cell in column)
        ]
        return to_frame(library, columns, numbers)

    def to_arrow(self) -> _core.ArrowTable:
        """The same in Arrow's memory format, for `pyarrow.table` and others."""
        return _core.ArrowTable.from_columns(self.to_columns())

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self._text)}</pre>"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<cranfield {self._arguments[0]}: {len(self._text.splitlines())} lines>"


def _stamps(arguments: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Sizes and times of the files that the arguments stand for, those of globs and folders too."""
    found: dict[str, tuple[int, ...]] = {}
    for path in (path for argument in arguments for path in _paths(argument)):
        try:
            known = os.stat(path)
        except (OSError, ValueError):
            continue
        if stat.S_ISREG(known.st_mode):
            found[path] = known.st_ino, known.st_size, known.st_mtime_ns
    return found


def _paths(argument: str) -> list[str]:
    """What may be files: an argument, the value of an option, or all that a glob or a folder stands for."""
    if argument.startswith("--"):
        return [argument.partition("=")[2]]
    if not (os.path.isdir(argument) or any(letter in argument for letter in "*?[")):
        return [argument]
    try:
        return [os.fspath(path) for _, path in _core.expand_paths([argument])]
    except CranfieldError:
        return [argument]


# Columns of names, which may look like numbers and are none.
_NAMES = frozenset(
    "against agreement at first first_grade measure options other policies profile reason run scenario second "
    "second_grade target topic vector verdict".split()
)


def _cells(name: str, column: list[str]) -> list[Any]:
    """Floats, or else texts.

    >>> _cells("value", ["1", ""]), _cells("run", ["1", "007"])
    ([1.0, None], ['1', '007'])
    """
    if name not in _NAMES:
        try:
            return [float(cell) if cell else None for cell in column]
        except ValueError:
            pass
    return [cell or None for cell in column]


def _options(given: dict[str, Any]) -> list[str]:
    """Options of the command line: `depth=10` is `--depth 10`, `pairs=True` is `--pairs`."""
    arguments: list[str] = []
    for name, value in given.items():
        option, value = f"--{name.replace('_', '-')}", plain(value)
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option)
        elif isinstance(value, (list, tuple)):
            arguments.extend(f"{option}={item}" for item in value)
        else:
            arguments.append(f"{option}={os.fspath(value) if _is_path(value) else value}")
    return arguments


def _measures(names: Any) -> list[str]:
    """Options that name measures; those of Python are not known to commands."""
    if names is None:
        return []
    asked, own = _own([names] if isinstance(names, str) else names)
    if own:
        raise UsageError(f"`{own[0]}` is a measure of your own, which `evaluate` and `compare` take")
    return [f"--measure={name}" for name in asked]
