"""`evaluate`: from files, dicts, frames and objects to an `Evaluation`."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cranfield import _core
from cranfield._core import Evaluation, Qrels, Run
from cranfield._errors import InputTypeError, UsageError

if TYPE_CHECKING:
    from cranfield._progress import Watch

Grades: TypeAlias = Any
"""A path, `Qrels`, a dict of dicts, or a frame."""
Scores: TypeAlias = Any
"""A path, a `Run`, a dict of dicts, or a frame."""


def _is_path(data: object) -> bool:
    return isinstance(data, (str, os.PathLike))


def _is_frame(data: object) -> bool:
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def _unreadable(what: str, data: object) -> InputTypeError:
    cure = "expected a path, a dict of dicts, or a frame of pandas, polars or pyarrow"
    if hasattr(data, "collect"):
        cure = "a lazy frame has no rows yet: call its `collect()`"
    elif hasattr(data, "read"):
        cure = "pass the path of the file, not an open file"
    return InputTypeError(f"cannot read {what} from a {type(data).__name__}; {cure}")


_Data = TypeVar("_Data", Qrels, Run)


def _read(kind: type[_Data], data: Any, format: str | None, name: str, what: str) -> _Data:
    if isinstance(data, kind):
        return data
    if _is_path(data):
        return kind.from_file(data, format)
    if _is_frame(data):
        from cranfield._frames import from_frame

        return from_frame(kind, data, name)
    if isinstance(data, Mapping):
        return kind.from_dict(data, name=name)
    raise _unreadable(what, data)


def read_qrels(data: Grades, format: str | None = None) -> Qrels:
    """Reads judgements from a path, a dict of dicts or a frame; returns `Qrels` unchanged.

    >>> read_qrels({"q1": {"d1": 1}})
    Qrels('qrels', topics=1, judgements=1)
    """
    # Data in memory has no format, but an unknown name is still an error.
    _core.check_formats(qrels=format)
    return _read(Qrels, data, format, "qrels", "judgements")


def read_run(data: Scores, format: str | None = None, name: str = "run") -> Run:
    """Reads a run from a path, a dict of dicts or a frame; returns a `Run` unchanged.

    >>> read_run({"q1": {"d1": 0.5}}, name="bm25")
    Run('bm25', topics=1, documents=1)
    """
    _core.check_formats(run=format)
    return _read(Run, data, format, name, "a run")


def _is_run(data: object) -> bool:
    return isinstance(data, Run) or _is_path(data) or _is_frame(data)


def _by_name(runs: Mapping[str, Any]) -> bool:
    """Whether a mapping contains runs by name, rather than being a run."""
    for value in runs.values():
        if _is_run(value):
            return True
        # A run has numbers at this depth; runs by name have mappings.
        if isinstance(value, Mapping):
            for inner in value.values():
                return isinstance(inner, Mapping)
    return False


def _listed(runs: Any) -> list[tuple[str | None, Any]]:
    if _is_run(runs):
        return [(None, runs)]
    if isinstance(runs, Mapping):
        return list(runs.items()) if _by_name(runs) else [(None, runs)]
    items = _items(runs)
    if items is None:
        raise _unreadable("runs", runs)
    listed: list[tuple[str | None, Any]] = [(None, run) for run in items]
    if not listed:
        raise UsageError("no run is given; give a path, a `Run`, a dict of dicts, a frame, or a list of these")
    return listed


def _items(data: Any) -> Iterator[Any] | None:
    """An iterator over the data, or `None`. Arrays without dimensions only look iterable."""
    try:
        return iter(data) if isinstance(data, Iterable) else None
    except TypeError:
        return None


def _numbered(name: str) -> Iterator[str]:
    """The name, then the name with 2, 3 and so on."""
    yield name
    for number in count(2):
        yield f"{name} ({number})"


def _named(runs: list[tuple[str | None, Any]], format: str | None) -> list[Run]:
    read: list[Run] = []
    taken: set[str] = set()
    for name, data in runs:
        run = read_run(data, format)
        if name is not None and not isinstance(name, str):
            raise InputTypeError(f"the name of a run is {name!r}, a {type(name).__name__}; expected a str")
        free = next(free for free in _numbered(name or run.name) if free not in taken)
        taken.add(free)
        read.append(run if run.name == free else run.renamed(free))
    return read


class _Inputs:
    """Judgements and runs, as files or in memory."""

    def __init__(self, qrels: Any, runs: list[tuple[str | None, Any]], files: dict[str, Any]) -> None:
        self._qrels = qrels
        self._runs = runs
        self._files = files
        self._objects: tuple[Qrels, list[Run]] | None = None
        self._only_files = any(files[name] is not None for name in ("intents", "known", "sessions"))
        paths = _is_path(qrels) and all(name is None and _is_path(run) for name, run in runs)
        if self._only_files and not paths:
            raise UsageError("intents, known and sessions work only with judgements and runs in files; give their paths")
        self._are_files = paths

    def evaluate(self, measures: Any, watch: Watch | None, **options: Any) -> Evaluation:
        return _core.evaluate(self.native(), measures, watch=watch, **options)

    def native(self) -> _core.Inputs:
        """The inputs for the native module, which reads the files."""
        if self._are_files:
            return _core.Inputs(self._qrels, [run for _, run in self._runs], **self._files)
        if self._objects is None and _is_path(self._qrels):
            format = self._files["qrels_format"]
            return _core.Inputs(self._qrels, self._loaded_runs(), qrels_format=format)
        qrels, runs = self.loaded()
        return _core.Inputs(qrels, runs)

    def load(self) -> None:
        """Reads files into memory, for measures that are Python functions."""
        if self._only_files:
            raise UsageError("custom measures cannot use intents, known or sessions")
        self._are_files = False

    def loaded(self) -> tuple[Qrels, list[Run]]:
        if self._objects is None:
            qrels = read_qrels(self._qrels, self._files["qrels_format"])
            self._objects = qrels, self._loaded_runs()
        return self._objects

    def _loaded_runs(self) -> list[Run]:
        runs = self._runs
        if all(name is None and _is_path(run) for name, run in runs):
            # A glob or folder is several files; `expand_paths` gives them distinct names.
            runs = list(_core.expand_paths([run for _, run in runs]))
        return _named(runs, self._files["run_format"])


def _asked(measures: Any) -> str | list[Any] | None:
    """The measures as a string or a list; each item is a name, or an object that prints as one."""
    if measures is None or isinstance(measures, str):
        return measures
    alone = hasattr(measures, "_computed_in_python") or isinstance(measures, bytes)
    items = None if alone else _items(measures)
    asked = [measures] if items is None else list(items)
    for item in asked:
        if isinstance(item, (FunctionType, MethodType, BuiltinFunctionType, type)):
            raise UsageError(f"`{item.__name__}` has no name to print; pass `custom_measure(name, {item.__name__})`")
        if item is None or isinstance(item, (bytes, int, float)):
            raise UsageError(f"a measure is {item!r}, a {type(item).__name__}; expected a name such as nDCG@10")
    return asked


def _strings(names: Any, what: str) -> list[str]:
    """One string or several, as a list."""
    items = [names] if isinstance(names, str) else None if isinstance(names, bytes) else _items(names)
    if items is None:
        raise InputTypeError(f"{what} is {names!r}, a {type(names).__name__}; expected a str or a list of them")
    return list(items)


def _own(measures: Any) -> tuple[Any, list[Any]]:
    """The measures, and the custom ones among them."""
    asked = _asked(measures)
    if not _may_have_own(asked):
        return asked, []
    from cranfield import _custom

    asked = _custom.listed(asked)
    return asked, list(_custom.customs(asked))


def _may_have_own(measures: str | list[Any] | None) -> bool:
    """Whether there may be custom measures; avoids importing `_custom` if not."""
    if measures is None:
        return False
    if isinstance(measures, str):
        outer = measures.strip()
        return any(letter in outer for letter in "+*/(") or " -" in outer or "- " in outer or outer[:1] == "-"
    return any(
        _may_have_own(item) if isinstance(item, str) else hasattr(item, "_computed_in_python") for item in measures
    )


def _checked_threads(threads: Any) -> int | None:
    """A number of threads, with the limits of the command line."""
    if threads is None:
        return None
    try:
        number = 0 if isinstance(threads, bool) else operator.index(threads)
    except TypeError:
        number = 0
    if not 1 <= number <= 1024:
        raise UsageError(f"threads is {threads!r}; expected a whole number from 1 to 1024")
    return number


def evaluate(
    qrels: Grades,
    runs: Any,
    measures: str | Iterable[Any] | None = None,
    *,
    profile: str = "cranfield",
    level: float | None = None,
    ties: str | None = None,
    topics: str | None = None,
    unjudged: str | None = None,
    negative: str | None = None,
    undefined: str | None = None,
    depth: int | None = None,
    identical: str | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    intents: str | os.PathLike[str] | None = None,
    known: str | os.PathLike[str] | None = None,
    sessions: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: bool | Watch = False,
) -> Evaluation:
    """Evaluates runs against judgements.

    Args:
        qrels: a path, `Qrels`, a dict of dicts, or a frame of pandas, polars or pyarrow.
        runs: one run, a list of runs, or a dict of runs by name. A run is a path, a `Run`, a dict of dicts or a frame.
        measures: names in a string or a list, `CustomMeasure`s, and expressions such as `0.5*AP + 0.5*RR`. The default is
            that of the command line.
        profile, level, ties, ...: the options of `cranfield eval`, with the same values and defaults.
        threads: the number of threads. The default is all cores.
        progress: `True` shows progress, as a line on standard error or a bar in a notebook. A function is called with the
            measure (empty for all), the step, the amount done and the total.

    >>> runs = {"a": {"q1": {"d1": 2, "d2": 1}}, "b": {"q1": {"d1": 1, "d2": 2}}}
    >>> evaluation = evaluate({"q1": {"d1": 1}}, runs, "RR")
    >>> evaluation["b", "RR"]
    0.5
    """
    threads = _checked_threads(threads)
    policies = {
        "ties": ties,
        "topics": topics,
        "unjudged": unjudged,
        "negative": negative,
        "undefined": undefined,
        "depth": depth,
        "identical": identical,
    }
    options: dict[str, Any] = {"profile": profile, "level": level, "policies": policies}
    files = {
        "qrels_format": qrels_format,
        "run_format": run_format,
        "intents": intents,
        "known": known,
        "sessions": sessions,
    }
    inputs = _Inputs(qrels, _listed(runs), files)
    asked, customs = _own(measures)
    with _watched(progress) as watch:
        if not customs:
            return inputs.evaluate(asked, watch, threads=threads, **options)
        from cranfield import _custom

        if any(isinstance(one, _custom.CustomMeasure) for one in customs):
            inputs.load()
        return _custom.filled(
            inputs.evaluate(asked, watch, threads=threads, **options),
            customs,
            lambda parts: inputs.evaluate(parts, watch, threads=threads, **options),
            inputs.loaded,
            options,
            watch,
        )


def _watched(progress: bool | Watch) -> AbstractContextManager[Watch | None]:
    """The callback for progress. Avoids importing `_progress` if there is none."""
    if progress is False:
        return nullcontext()
    from cranfield._progress import watched

    return watched(progress)


def scores(
    qrels: Grades, run: Scores, measures: str | Iterable[Any] | None = None, **options: Any
) -> dict[str, Any]:
    """Evaluates one run and returns a dict of values by measure, as trainers and leaderboards expect.

    The arguments are those of `evaluate`.

    >>> scores({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}, ["RR", "P@1"])
    {'RR': 0.5, 'P@1': 0.0}
    """
    evaluation = evaluate(qrels, run, measures, **options)
    if len(evaluation) != 1:
        raise UsageError(f"{len(evaluation)} runs; `scores` takes one run, `evaluate` several")
    values: dict[str, Any] = evaluation[evaluation.runs[0]]
    return values
