"""Results of commands, in the formats of the command line and as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from cranfield import _core
from cranfield._errors import CranfieldError, InputTypeError, UsageError
from cranfield._records import columns_of, csv_of, latex, of_explanations, of_findings

# Commands without a table, and functions that return their rows.
_RECORDS: dict[str, Callable[[Any], Any]] = {"explain": of_explanations, "doctor": of_findings}
# Formats that pickles keep.
_KEPT = ("table", "json", "csv", "md", "latex", "html")


class CommandOutput:
    """The output of `cranfield ARGUMENTS`. Another format runs the command again."""

    def __init__(self, arguments: list[str]) -> None:
        self.command = arguments[0]
        self._arguments = arguments
        self.exit_code, self._text, notes = _core.command(["cranfield", *arguments])
        self.notes = [line.removeprefix("note: ") for line in notes.splitlines()]

    def render(self, format: str) -> str:
        if format == "table":
            return self._text
        if self.command == "trec_eval":
            raise UsageError("`trec_eval` has only its own format; use `cranfield eval` for others")
        if any(argument.startswith(("-o", "--output")) for argument in self._arguments):
            raise UsageError("the command writes a file, which another format would replace; omit its output")
        return _core.command(["cranfield", self.command, "--format", format, *self._arguments[1:]])[1]

    def columns(self) -> dict[str, list[Any]] | None:
        import csv
        import io

        names, *rows = csv.reader(io.StringIO(self.render("csv")))
        columns = zip(*rows, strict=True) if rows else ([] for _ in names)
        return {name: _cells(list(column)) for name, column in zip(names, columns, strict=True)}


Output: TypeAlias = "_core.Output | CommandOutput"
"""A result that renders formats on demand."""


def _cells(column: list[str]) -> list[Any]:
    """Floats, or else strings.

    >>> _cells(["1", ""]), _cells(["1", "a"])
    ([1.0, None], ['1', 'a'])
    """
    try:
        return [float(cell) if cell else None for cell in column]
    except ValueError:
        return [cell or None for cell in column]


class Result:
    """The result of a command, as data and in the formats of the command line.

    A pickle contains everything that the methods return, but not the inputs. A pickled result of `cranfield.command`, which may
    write files, contains only the formats that were used before.
    """

    def __init__(self, output: Output) -> None:
        self._output: Output | None = output
        self._command = output.command
        self._formats: dict[str, str | CranfieldError] = {}
        self._columns: dict[str, list[Any]] | None = None
        self.exit_code = output.exit_code
        self.notes = output.notes
        """The notes that the command line prints to standard error."""
        if isinstance(output, CommandOutput):
            self.to_text()

    def __getstate__(self) -> dict[str, Any]:
        formats = dict(self._formats)
        if self._output is not None and not isinstance(self._output, CommandOutput):
            for format in _KEPT:
                try:
                    formats[format] = self.to_format(format)
                except CranfieldError as why:
                    formats[format] = type(why)(str(why))
            if self._command not in _RECORDS:
                self.to_columns()
        return self.__dict__ | {"_output": None, "_formats": formats}

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, _memo: Any) -> Result:
        return self

    def to_text(self) -> str:
        """Text, as the command line prints it."""
        return self.to_format("table")

    def to_json(self) -> str:
        """JSON, as the command line writes it."""
        return self.to_format("json")

    def to_dict(self) -> Any:
        """The JSON output as dicts and lists."""
        import json

        return json.loads(self.to_json())

    def to_format(self, format: str) -> str:
        """Any output format of the command."""
        if not isinstance(format, str):
            raise InputTypeError(f"the format is {format!r}, a {type(format).__name__}; expected a str such as json")
        if format not in self._formats:
            if self._output is None:
                raise UsageError(f"the pickle has no {format!r} of `cranfield {self._command}`; run it again")
            self._formats[format] = self._output.render(format)
        found = self._formats[format]
        if isinstance(found, CranfieldError):
            raise type(found)(str(found))
        return found

    def to_markdown(self) -> str:
        """Markdown."""
        return self.to_format("md")

    def to_latex(self) -> str:
        """LaTeX output of the command or, if it has none, the table of `to_columns`."""
        return latex(self.to_columns()) if self._command in _RECORDS else self.to_format("latex")

    def to_html(self) -> str:
        """HTML."""
        return self.to_format("html")

    def to_csv(self) -> str:
        """CSV output of the command or, if it has none, the table of `to_columns`."""
        return csv_of(self.to_columns()) if self._command in _RECORDS else self.to_format("csv")

    def to_columns(self) -> dict[str, list[Any]]:
        """The columns of `to_csv`. Cells are floats or strings, or `None` if empty."""
        if self._command in _RECORDS:
            return columns_of(_RECORDS[self._command](self.to_dict()))
        if self._columns is None and self._output is not None:
            self._columns = self._output.columns()
        if self._columns is None:
            raise UsageError(f"`cranfield {self._command}` has no table")
        return {name: list(column) for name, column in self._columns.items()}

    def to_pandas(self) -> Any:
        """The columns as a pandas frame."""
        return self._frame("pandas")

    def to_polars(self) -> Any:
        """The columns as a polars frame."""
        return self._frame("polars")

    def _frame(self, library: str) -> Any:
        from cranfield._frames import to_frame

        columns = self.to_columns()
        numbers = [name for name, column in columns.items() if not any(isinstance(cell, str) for cell in column)]
        return to_frame(library, columns, numbers)

    def to_arrow(self) -> _core.ArrowTable:
        """The columns in Arrow's memory format, for `pyarrow.table` and others."""
        return _core.ArrowTable.from_columns(self.to_columns())

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.to_text())}</pre>"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<cranfield {self._command}: {len(self.to_text().splitlines())} lines>"
