"""Judgements by programs and by functions of Python: `cranfield judge`."""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from cranfield import _core
from cranfield._core import Qrels
from cranfield._errors import InputTypeError, UsageError
from cranfield._evaluate import _is_path, _listed, read_run
from cranfield._pool import _open
from cranfield._progress import Progress, watched
from cranfield._results import Result

Grade: TypeAlias = "float | None | tuple[float | None, str]"
"""A grade, `None` to decline, or a pair of either and a reason."""

Grader: TypeAlias = Callable[[Mapping[str, str], Mapping[str, str]], Grade]
"""A function of a topic (`id`, `title`, `description`, `narrative`) and a document (`id`, `text`)."""

# Options of programs, which have no effect on functions.
_OF_PROGRAMS = ("plain", "timeout", "restarts")


def judge(
    pool: Any,
    output: str | os.PathLike[str],
    *,
    with_: str | Iterable[str] | Grader,
    as_: str | None = None,
    collection: str | os.PathLike[str] | None = None,
    index: str | os.PathLike[str] | None = None,
    topics: str | os.PathLike[str] | None = None,
    scale: str | os.PathLike[str] | None = None,
    seed: int | None = None,
    merge: str | None = None,
    prompt: str | None = None,
    votes: int | None = None,
    audit: int | None = None,
    fill_holes: str | os.PathLike[str] | None = None,
    export: str | os.PathLike[str] | None = None,
    plain: bool | None = None,
    timeout: float | None = None,
    in_flight: int | None = None,
    restarts: int | None = None,
    strategy: str | None = None,
    budget: int | None = None,
    depth: int | None = None,
    level: float | None = None,
    version: str | None = None,
    progress: Progress = False,
) -> Result:
    """Lets a program or a function judge the documents of a pool: `cranfield judge --with`.

    `with_` is a command, as a str or a list of arguments, or a function `grader(topic, document)` that returns a grade, `None` to decline, or
    a pair of either and a reason. Answers are kept in the folder `output`; only missing ones are asked for when the call is repeated.
    A function is asked again for everything if `version` changes. `in_flight` questions are asked at the same time, by threads if
    `with_` is a function.

    `prompt` is the text of the prompt, not a file. With `fill_holes`, only documents that these judgements lack are judged, and
    `export` is where both are written. With `strategy`, `pool` is one or more runs, from which the strategy chooses documents as
    `cranfield.pool` does, with `budget`, `depth` and `level`: if it adapts to grades, each answer decides about the next question. Read the judgements with `read_judgements`. To judge by hand, run `cranfield judge` in a
    terminal.
    """
    given: dict[str, Any] = {
        "collection": collection,
        "index": index,
        "topics": topics,
        "scale": scale,
        "seed": seed,
        "merge": merge,
        "prompt": prompt,
        "votes": votes,
        "audit": audit,
        "fill_holes": fill_holes,
        "export": export,
    }
    if export is not None and fill_holes is None:
        raise UsageError("export is where the judgements of fill_holes are completed; read others with read_judgements")
    of_choice: dict[str, Any] = {"budget": budget, "depth": depth, "level": level}
    if strategy is not None:
        given |= {"strategy": strategy} | of_choice
        files = [path for _, path in _listed(pool) if _is_path(path)]
        given["files"] = [os.fspath(path) for _, path in _core.expand_paths(files)]
        run: Any = _open(None, pool, {})
    else:
        unused = [name for name, value in of_choice.items() if value is not None]
        if unused:
            raise UsageError(f"{unused[0]} has no effect without strategy")
        run = pool if _is_path(pool) else read_run(pool)
    of_program: dict[str, Any] = {"plain": plain, "timeout": timeout, "restarts": restarts}
    if callable(with_):
        unused = [name for name in _OF_PROGRAMS if of_program[name] is not None]
        if unused:
            raise UsageError(f"{unused[0]} has no effect if with_ is a function")
        name = as_ or getattr(with_, "__name__", type(with_).__name__).strip("<>")
        judging = _core.Judging(run, output, name, version, given)
        with watched(progress) as watch:
            asked = _ask(judging, with_, in_flight or 1, watch)
        return Result(judging.finish(asked))
    if version is not None:
        raise UsageError("version has no effect if with_ is a program, which gives its own")
    command = shlex.split(with_) if isinstance(with_, str) else [os.fspath(part) for part in with_]
    if not command:
        raise UsageError("with_ names no program")
    name = as_ or Path(command[0]).stem
    with watched(progress) as watch:
        given |= of_program | {"in_flight": in_flight}
        return Result(_core.judge(run, output, name, command, given, watch))


def _ask(judging: _core.Judging, grader: Grader, threads: int, watch: Any) -> int:
    """Asks a function for all grades that are missing, and returns their number."""
    missing = judging.missing()
    total = judging.left()
    done = 0

    def ask(number: int) -> tuple[int, Grade, int]:
        question = json.loads(judging.question(number))
        topic = {"id": question["topic"]}
        topic |= {name: question[name] for name in ("title", "description", "narrative")}
        start = time.perf_counter()
        grade = grader(topic, {"id": question["doc"], "text": question["text"]})
        return number, grade, int(1000 * (time.perf_counter() - start))

    def keep(answer: tuple[int, Grade, int]) -> None:
        nonlocal done
        number, grade, ms = answer
        grade, reason = grade if isinstance(grade, tuple) else (grade, None)
        try:
            grade = None if grade is None else float(grade)
        except (TypeError, ValueError):
            raise InputTypeError(f"expected a grade, None, or a pair of either and a reason; found {grade!r}") from None
        judging.record(number, grade, reason, ms)
        done += 1
        if watch is not None:
            watch("", "answers", done, total)

    # With a strategy, each answer decides about the next question.
    while (number := judging.choose()) is not None:
        keep(ask(number))
    if threads == 1:
        for number in missing:
            keep(ask(number))
        return done
    with ThreadPoolExecutor(threads) as pool:
        numbers = iter(missing)
        waiting: set[Future[tuple[int, Grade, int]]] = set()
        try:
            while True:
                waiting |= {pool.submit(ask, number) for number in islice(numbers, threads - len(waiting))}
                if not waiting:
                    return done
                answered, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in answered:
                    keep(future.result())
        finally:
            for future in waiting:
                future.cancel()


def read_judgements(folder: str | os.PathLike[str], as_: str | None = None, *, merge: str | None = None) -> Qrels:
    """Reads the judgements of a folder of `judge`: those of one assessor, or of all.

    Judgements of several assessors are merged by `merge`: `majority` (the default; the lower of two grades that are equally
    frequent), `max`, `min`, `mean` or `median`.
    """
    return _core.read_judgements(folder, as_, {"merge": merge})[0]
