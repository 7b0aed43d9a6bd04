"""Calls of other packages in processes of their own, since some of them end the process or never return after an error."""

from __future__ import annotations

import os
import pickle
import signal
from typing import Any, Callable


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or the kind and the text of what it raises."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__, str(error)


def forked(call: Callable[[], Any]) -> Any:
    """The outcome of a call in a process that is given twenty seconds."""
    return in_child(lambda: outcome(call))


def in_child(call: Callable[[], Any], seconds: int = 20) -> Any:
    """What a call returns in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        with os.fdopen(writer, "wb") as out:
            pickle.dump(call(), out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as result:
        returned = result.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, f"the original ended with {status}"
    return pickle.loads(returned)
