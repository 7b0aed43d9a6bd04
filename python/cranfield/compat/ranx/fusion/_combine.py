"""One run from several, by the formulas of the native module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield import _core, read_qrels, read_run

from ..data_structures import Qrels, Run


def fused(
    runs: Sequence[Run],
    method: str,
    name: str,
    weights: Sequence[float] = (),
    trained: list[list[float]] | None = None,
) -> Run:
    """The run that a method makes of others. Documents with equal scores are in ranx's order."""
    tables = [run.run for run in runs]
    everything, topics = [], []
    for topic in tables[0]:
        numbers: dict[str, int] = {}
        lists = [
            (
                [numbers.setdefault(doc_id, len(numbers)) for doc_id in table[topic]],
                [float(score) for score in table[topic].values()],
            )
            for table in tables
        ]
        everything.append((topic, numbers))
        topics.append(lists)
    scores = _core.ranx_fuse(topics, method, _listed(weights), trained)
    run = Run(name=name)
    run.run = {topic: dict(zip(numbers, found)) for (topic, numbers), found in zip(everything, scores)}
    run.sort()
    return run


def _listed(numbers: Sequence[float]) -> list[float]:
    return [float(number) for number in numbers]


def checked(runs: Sequence[Run], given: Sequence[Any], what: str) -> Sequence[Any]:
    """As many weights or learned numbers as there are runs."""
    if len(given) < len(runs):
        raise IndexError(f"{len(given)} {what} for {len(runs)} runs; give one for each")
    return given[: len(runs)]


def rows(runs: Sequence[Run], learned: Sequence[Any]) -> list[list[float]]:
    """What was learned of each run, as lists."""
    return [_listed(row) for row in checked(runs, learned, "rows of learned numbers")]


def learned(qrels: Qrels, runs: Sequence[Run], method: str) -> list[list[float]]:
    """What a method learns of each run."""
    return _core.ranx_train(read_qrels(qrels.qrels), [read_run(run.run) for run in runs], method)
