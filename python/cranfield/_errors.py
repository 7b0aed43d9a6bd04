"""Exceptions. All of them are `CranfieldError`s."""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """A problem in an input, with its location."""

    code: str
    """Stable code, such as ``IR030``."""
    file: str
    """Name of the file or object."""
    line: int | None
    """Line number, from 1."""
    column: int | None
    """Column in bytes, from 1."""
    message: str
    """The value found, and what was expected."""
    help: str | None
    """How to fix it."""


class CranfieldError(Exception):
    """Base class of all exceptions of this package."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InputError(CranfieldError, ValueError):
    """An input is invalid; `problems` lists the reasons."""

    problems: list[Problem]
    report: str

    def __init__(
        self, message: str, problems: list[Problem] | None = None, report: str = ""
    ) -> None:
        super().__init__(message)
        self.problems = problems or []
        self.report = report or message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.problems, self.report)


class _SystemError(InputError, OSError):
    """A file cannot be read or written; `filename` is its path, and `errno` the system's error number, if any."""

    def __init__(
        self, message: str, problems: list[Problem] | None = None, report: str = ""
    ) -> None:
        super().__init__(message, problems, report)
        if self.problems:
            self.filename = self.problems[0].file

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {"filename": self.filename, "errno": self.errno}


class FileError(_SystemError):
    """A file cannot be found or read."""


class WriteError(_SystemError):
    """A file cannot be written."""


class InputTypeError(InputError, TypeError):
    """An object has an unsupported type."""


class UsageError(CranfieldError, ValueError):
    """An argument is invalid."""


class UnknownNameError(UsageError, KeyError):
    """No measure, profile, policy, format or column has this name."""


class MeasureError(CranfieldError, ValueError):
    """A custom measure failed; its exception is the cause."""


class InternalError(CranfieldError, RuntimeError):
    """A bug in this package; please report it."""
