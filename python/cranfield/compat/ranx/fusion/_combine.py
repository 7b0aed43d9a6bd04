"""One run from several: topic by topic, document by document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..data_structures import Run
from ..data_structures._table import Content

# The scores that a document has, with the places of the runs that they come from.
Found = list[tuple[int, float]]


def combined(tables: Sequence[Content], score: Callable[[Found], float], name: str) -> Run:
    """The run whose scores a function makes of those that the runs have for a document."""
    run = Run(name=name)
    for topic in tables[0]:
        found: dict[str, Found] = {}
        for at, table in enumerate(tables):
            for doc_id, old in table[topic].items():
                found.setdefault(doc_id, []).append((at, old))
        run.run[topic] = {doc_id: score(scores) for doc_id, scores in found.items()}
    run.sort()
    return run


def tables(runs: Sequence[Run]) -> list[Content]:
    """The scores of runs."""
    return [run.run for run in runs]


def rescored(run: Run, score: Callable[[int, float, int], float]) -> Content:
    """New scores from places (from 0), scores, and the number of documents of the topic."""
    return {
        topic: {
            doc_id: score(place, old, len(scores))
            for place, (doc_id, old) in enumerate(scores.items())
        }
        for topic, scores in run.run.items()
    }
