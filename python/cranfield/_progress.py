"""Progress of long computations: a line on standard error, a bar in notebooks, or a callback."""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias, TypeVar

from cranfield._errors import UsageError
from cranfield._flags import plain

Watch: TypeAlias = Callable[[str, str, int, int], object]
"""Called with the measure (empty for all), the step, the amount done and the total."""
Progress: TypeAlias = bool | Watch
"""`False`: no progress; `True`: shown on standard error or in the notebook; or a callback."""

_PAUSE = 0.1
"""Minimum number of seconds between two reports."""


class _Shown(Protocol):
    def __call__(self, measure: str, what: str, done: int, total: int, /) -> object: ...
    def clear(self) -> None: ...


class Line:
    """A line that is rewritten in place until `clear` removes it."""

    def __init__(self) -> None:
        self._shown = 0

    def __call__(self, measure: str, what: str, done: int, total: int) -> None:
        text = bar(measure, what, done, total)
        sys.stderr.write(f"\r{text:<{self._shown}}")
        sys.stderr.flush()
        self._shown = max(self._shown, len(text))

    def clear(self) -> None:
        """Erases the line, if there is one."""
        if self._shown:
            sys.stderr.write(f"\r{'':{self._shown}}\r")
            sys.stderr.flush()
            self._shown = 0


class Cell:
    """A progress bar in the output of a notebook cell, until `clear` removes it."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, measure: str, what: str, done: int, total: int) -> None:
        text = bar(measure, what, done, total)
        label = html.escape(text.split(maxsplit=1)[1])
        self._show(f'<progress max="{max(total, 1)}" value="{done}"></progress> {label}', text)

    def _show(self, markup: str, text: str) -> None:
        data = {"text/html": markup, "text/plain": text}
        if self._handle is None:
            # IPython is already imported in a notebook.
            display: Any = sys.modules["IPython"].display.display
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def clear(self) -> None:
        """Removes the bar, if there is one."""
        if self._handle is not None:
            self._show("", "")
            self._handle = None


def bar(measure: str, what: str, done: int, total: int) -> str:
    """A bar of twenty characters, the percentage and the step.

    >>> bar("AP", "randomised Tukey HSD", 456, 1000)
    '#########...........  45 % AP: randomised Tukey HSD'
    >>> bar("", "runs", 4, 4)
    '#################### 100 % runs'
    """
    share = done / max(total, 1)
    filled = int(20 * share)
    subject = f"{measure}: {what}" if measure else what
    return f"{'#' * filled}{'.' * (20 - filled)} {int(100 * share):3} % {subject}"[:79]


def _in_notebook() -> bool:
    """Whether the code runs in a notebook kernel."""
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


def is_seen() -> bool:
    """Whether progress is visible: on a terminal or in a notebook."""
    return _in_notebook() or sys.stderr.isatty()


@contextmanager
def watched(progress: Progress) -> Iterator[Watch | None]:
    """The callback for progress, or `None`."""
    progress = plain(progress)
    if progress is False:
        yield None
    elif progress is True:
        shown: _Shown = Cell() if _in_notebook() else Line()
        try:
            yield shown
        finally:
            shown.clear()
    elif callable(progress):
        yield progress
    else:
        raise UsageError(f"progress is {progress!r}; expected True, False or a function")


_Item = TypeVar("_Item")


def reported(items: Sequence[_Item], watch: Watch | None, measure: str, what: str) -> Iterator[_Item]:
    """Yields the items, and calls `watch` from time to time and at the end.

    >>> list(reported("abc", lambda *step: print(*step), "AP", "topics"))
    AP topics 3 3
    ['a', 'b', 'c']
    """
    next_time = time.monotonic() + _PAUSE
    for done, item in enumerate(items, 1):
        yield item
        if watch is not None and (done == len(items) or time.monotonic() >= next_time):
            watch(measure, what, done, len(items))
            next_time = time.monotonic() + _PAUSE
