"""What can go wrong. All exceptions of this package are `CranfieldError`s."""

from __future__ import annotations

import errno
import os
import stat
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


class FileError(InputError, OSError):
    """A file cannot be found or read; `filename` is its path, `errno` what the system says of it."""

    def __init__(
        self, message: str, problems: list[Problem] | None = None, report: str = ""
    ) -> None:
        super().__init__(message, problems, report)
        if self.problems:
            self.filename = self.problems[0].file
            self.errno = _why_unreadable(self.filename)


class WriteError(InputError, OSError):
    """A file cannot be written; `filename` is its path."""

    def __init__(
        self, message: str, problems: list[Problem] | None = None, report: str = ""
    ) -> None:
        super().__init__(message, problems, report)
        if self.problems:
            self.filename = self.problems[0].file


def _why_unreadable(path: str) -> int | None:
    """The system's number for the reason, if there still is one: the file is not opened, since that may wait for a writer."""
    try:
        mode = os.stat(path).st_mode
    except OSError as why:
        return why.errno
    except ValueError:
        return errno.EINVAL
    if stat.S_ISDIR(mode):
        return errno.EISDIR
    return None if os.access(path, os.R_OK) else errno.EACCES


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
