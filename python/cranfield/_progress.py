"""How far a long computation has come, as a line on standard error, or told to a function."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Watch = Callable[[str, str, int, int], object]
"""Called with the measure, what is done, how much of it, and how much there is."""


class Line:
    """A line that is rewritten in place, on terminals and in notebooks, and gone when `clear` is called."""

    def __init__(self) -> None:
        self._shown = 0

    def __call__(self, measure: str, what: str, done: int, total: int) -> None:
        text = bar(measure, what, done, total)
        sys.stderr.write(f"\r{text:<{self._shown}}")
        sys.stderr.flush()
        self._shown = max(self._shown, len(text))

    def clear(self) -> None:
        """Leaves an empty line, if anything was shown."""
        if self._shown:
            sys.stderr.write(f"\r{'':{self._shown}}\r")
            sys.stderr.flush()
            self._shown = 0


def bar(measure: str, what: str, done: int, total: int) -> str:
    """A bar of twenty places, the share, and what is done.

    >>> bar("AP", "randomised Tukey HSD", 456, 1000)
    '#########...........  45 % AP: randomised Tukey HSD'
    """
    share = done / max(total, 1)
    filled = int(20 * share)
    return f"{'#' * filled}{'.' * (20 - filled)} {int(100 * share):3} % {measure}: {what}"[:79]


@contextmanager
def watched(progress: bool | Watch) -> Iterator[Watch | None]:
    """What is told of progress: nothing, a line, or a function."""
    if progress is False:
        yield None
    elif progress is True:
        line = Line()
        try:
            yield line
        finally:
            line.clear()
    else:
        yield progress
