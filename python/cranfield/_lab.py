"""Tuning, benchmarks and experiments: `cranfield tune`, `bench`, `experiment` and `demo`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cranfield import _core
from cranfield._commands import _measures
from cranfield._core import Run
from cranfield._errors import UsageError
from cranfield._evaluate import _is_path, _items, read_qrels
from cranfield._progress import Progress, watched
from cranfield._results import Result
from cranfield._search import Index, Topics, _engine, _topics


class Tuned(Result):
    """The result of `tune`."""

    run: Run
    """The run in which every topic is answered by the parameters that were chosen without it."""


def _qrels(qrels: Any) -> Any:
    return qrels if qrels is None or _is_path(qrels) else read_qrels(qrels)


def tune(
    index: Index | str | os.PathLike[str],
    topics: Topics,
    qrels: Any = None,
    *,
    space: str | list[str],
    measure: str = "AP",
    model: str = "BM25",
    feedback: str | None = None,
    query: str = "title",
    depth: int | None = None,
    folds: int | None = None,
    groups: str | os.PathLike[str] | None = None,
    splits: str | os.PathLike[str] | None = None,
    search: str = "grid",
    choice: str = "best",
    seed: int | None = None,
    alpha: float | None = None,
    qrels_format: str | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Tuned:
    """Chooses parameters by cross-validation: `cranfield tune`.

    Args:
        index: an `Index` or its folder.
        topics: as in `search`.
        qrels: a path, `Qrels`, a dict of dicts or a frame. The default is the judgements of the collection, if `topics` is one.
        space: parameters and their values, such as `k1=[0.6, 0.9, 1.2]; b=0..1 step 0.1`.
        output: also write the run to this file.

    The other arguments are the options of the command.
    """
    given = {
        "space": space,
        "measure": measure,
        "model": model,
        "feedback": feedback,
        "query": query,
        "depth": depth,
        "folds": folds,
        "groups": groups,
        "splits": splits,
        "search": search,
        "choice": choice,
        "seed": seed,
        "alpha": alpha,
        "qrels_format": qrels_format,
        "output": output,
    }
    tuned, run = _core.tune(_engine(index), _topics(topics), _qrels(qrels), given)
    result = Tuned(tuned)
    result.run = run
    return result


def bench(
    engines: Any = None,
    topics: Topics | None = None,
    qrels: Any = None,
    measures: str | Iterable[Any] | None = None,
    *,
    model: str | list[str] | None = None,
    feedback: str | None = None,
    similarity: str | None = None,
    query: str = "title",
    load: str | list[str] | None = None,
    find_rate: str | None = None,
    depth: int | None = None,
    repetitions: int | None = None,
    length: str | None = None,
    clients: int | None = None,
    quick: bool = False,
    cold: bool = False,
    strict: bool = False,
    seed: int | None = None,
    figure: str | os.PathLike[str] | None = None,
    index: Any = None,
    analyzer: str | list[str] | None = None,
    threads: int | list[int] | None = None,
    fields: str | list[str] | None = None,
    text: bool = True,
    progress: Progress = False,
) -> Result:
    """Measures latency, throughput and CPU time of engines on the same topics: `cranfield bench`.

    With `index`, it measures indexing instead. Each repetition runs in a process of its own, which is this interpreter with
    `-m cranfield`, so its peak memory includes that of the interpreter.

    Args:
        engines: one engine or a list of them, as in `search`.
        topics: as in `search`.
        qrels: judgements, to report quality next to cost: a path, `Qrels`, a dict of dicts or a frame.
        measures: measures of quality. The default is nDCG@10.
        model: the models of the indexes; each is measured.
        load: `closed:CLIENTS`, `open:RATE/s` or `open:RATE/s,even`; several in a list.
        length: the time of each load in each repetition, such as `10s`.
        quick: measure a few seconds only.
        cold: remove indexes from the system's cache before each pass over the topics. Indexes are paths; Linux only.
        strict: the `exit_code` of the result is 4 if the machine was noisy.
        figure: write a figure of quality against latency to this file.
        index: the path of a collection, or of documents (several in a list), whose indexing is measured.
        analyzer: the analysers of the index; each is measured.
        threads: the numbers of threads of indexing; each is measured.
        fields: the fields to index, as in `Index.build`.
        text: whether the index stores the text of documents.

    The other arguments are the options of the command.
    """
    if index is not None:
        if engines is not None or topics is not None:
            raise UsageError("pass either engines and topics, or index")
        options = {
            "analyzer": analyzer,
            "threads": threads,
            "fields": fields.split(",") if isinstance(fields, str) else fields,
            "text": text,
            "repetitions": repetitions,
            "quick": quick,
            "strict": strict,
            "seed": seed,
        }
        program = [sys.executable, "-m", "cranfield"]
        with watched(progress) as watch:
            paths = [index] if _is_path(index) else list(index)
            return Result(_core.bench_index(paths, program, options, watch))
    if engines is None or topics is None:
        raise UsageError("bench needs engines and topics, or index")
    given = {
        "models": model,
        "feedback": feedback,
        "similarity": similarity,
        "query": query,
        "load": load,
        "find_rate": find_rate,
        "depth": depth,
        "repetitions": repetitions,
        "length": length,
        "clients": clients,
        "quick": quick,
        "cold": cold,
        "strict": strict,
        "seed": seed,
        "figure": figure,
    }
    items = None if isinstance(engines, Index) or _is_path(engines) else _items(engines)
    opened = [_engine(engine) for engine in ([engines] if items is None else items)]
    with watched(progress) as watch:
        return Result(_core.bench(opened, _topics(topics), _qrels(qrels), _measures(measures), given, watch))


class Experiment:
    """An experiment file: `cranfield experiment`.

    The file is read again by each method, so it may be edited in between.
    """

    def __init__(self, path: str | os.PathLike[str] = "experiment.toml") -> None:
        _core.experiment_paths(path)
        self.path = Path(path)

    @property
    def output(self) -> Path:
        """The folder of the outputs."""
        return _core.experiment_paths(self.path)[0]

    @property
    def report(self) -> Path | None:
        """The report, if the experiment has one."""
        return _core.experiment_paths(self.path)[1]

    def run(self, only: str | None = None, *, progress: Progress = False) -> Result:
        """Does all steps whose inputs have changed, or one step, such as `run.bm25`, and those that it needs."""
        with watched(progress) as watch:
            return Result(_core.experiment_run(self.path, only, watch))

    def plan(self) -> Result:
        """The steps and what is to be done, without doing it: `--dry-run`."""
        return Result(_core.experiment_plan(self.path))

    def check(self, *, progress: Progress = False) -> Result:
        """Does everything again in a temporary folder and compares the files byte by byte: `--check`.

        The rows of the result are the files that differ; its `exit_code` is 1 if there are any.
        """
        with watched(progress) as watch:
            return Result(_core.experiment_check(self.path, watch))

    def __repr__(self) -> str:
        return f"Experiment({str(self.path)!r})"


def demo(folder: str | os.PathLike[str] = "cranfield-demo", *, progress: Progress = False) -> Result:
    """Writes a small collection about the kitchen garden and runs its experiment: `cranfield demo`.

    The result lists the steps, and its last note names the report. `Experiment(folder + "/experiment.toml")` runs it again.
    """
    with watched(progress) as watch:
        return Result(_core.demo(folder, watch))
