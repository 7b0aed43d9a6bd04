"""Results of commands, and what they are run with."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield import _core
from cranfield._evaluate import _is_path, _listed, _named, read_qrels, read_run
from cranfield._records import columns_of, latex, of_explanations, of_findings

if TYPE_CHECKING:
    import tempfile


# Commands without a table of their own, and where their rows are.
_RECORDS: dict[str, Callable[[Any], Any]] = {"explain": of_explanations, "doctor": of_findings}


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
        code, out, err = self._command(["cranfield", self._arguments[0], *chosen, *self._arguments[1:]])
        return code, self._files.hidden(out), self._files.hidden(err)

    def _command(self, arguments: list[str]) -> tuple[int, str, str]:
        return _core.command(arguments)

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
        """LaTeX: the command's own, or else the table of `to_columns`."""
        if self._arguments[0] in _RECORDS:
            return latex(self.to_columns())
        return self.to_format("latex")

    def to_html(self) -> str:
        """HTML."""
        return self.to_format("html")

    def to_csv(self) -> str:
        """CSV."""
        return self.to_format("csv")

    def to_columns(self) -> dict[str, list[Any]]:
        """The table of `to_csv`, or of shares or findings, by columns. Cells are floats, or else texts; `None` is empty."""
        import csv
        import io

        if self._arguments[0] in _RECORDS:
            return columns_of(_RECORDS[self._arguments[0]](self.to_dict()))
        names, *rows = csv.reader(io.StringIO(self.to_csv()))
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        return {name: _cells(list(column)) for name, column in zip(names, columns, strict=True)}

    def to_pandas(self) -> Any:
        """The same as a pandas frame."""
        return import_module("pandas").DataFrame(self.to_columns())

    def to_polars(self) -> Any:
        """The same as a polars frame."""
        return import_module("polars").DataFrame(self.to_columns())

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


class Comparison(Result):
    """The result of `compare`, of an evaluation if one is given."""

    def __init__(
        self,
        files: _Files,
        arguments: list[str],
        evaluation: _core.Evaluation | None,
        watch: Callable[[str, str, int, int], object] | None,
    ) -> None:
        self._evaluation = evaluation
        self._watch = watch
        super().__init__(files, arguments)

    def _command(self, arguments: list[str]) -> tuple[int, str, str]:
        return _core.compare(arguments, self._evaluation, self._watch)


def _cells(column: list[str]) -> list[Any]:
    try:
        return [float(cell) if cell else None for cell in column]
    except ValueError:
        return [cell or None for cell in column]


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
