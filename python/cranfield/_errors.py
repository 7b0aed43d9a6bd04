"""What can go wrong. All exceptions of this package are `CranfieldError`s."""

from __future__ import annotations

from typing import Any, NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong with an input, and where."""

    code: str
    """Stable code, such as ``IR030``."""
    file: str
    """Name of the file, or of the object."""
    line: int | None
    """Line, from 1."""
    column: int | None
    """Column in bytes, from 1."""
    message: str
    """What was found and what was expected."""
    help: str | None
    """What to do about it."""


class CranfieldError(Exception):
    """Base of all exceptions of this package."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InputError(CranfieldError, ValueError):
    """An input cannot be used as it is; `problems` says all that is wrong with it."""

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
    """Of a file; `filename` is its path, and `errno` the number of what the system said, if it said anything."""

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
    """An object is of a type that cannot be read."""


class UsageError(CranfieldError, ValueError):
    """Options or names that make no sense."""


class UnknownNameError(UsageError, KeyError):
    """A name that no measure, profile, policy, format or column has."""


class MeasureError(CranfieldError, ValueError):
    """A measure of your own failed; its exception is the cause."""


class InternalError(CranfieldError, RuntimeError):
    """A mistake of this package: please report it."""
