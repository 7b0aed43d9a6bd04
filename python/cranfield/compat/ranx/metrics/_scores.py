"""Values of measures: ranx's names, and those of the evaluator."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cranfield import _core

from .._packages import numpy
from ..data_structures._order import ascending
from ..data_structures._table import Table

Documents = Mapping[Any, float]

# Measures that know a document as relevant or not; the others take its grade as gain.
_BINARY = {"hits", "hit_rate", "precision", "recall", "f1", "r-precision", "mrr", "map", "bpref"}
_GRADED = {"dcg", "dcg_burges", "ndcg", "ndcg_burges", "rbp"}
# These take no notice of a cutoff.
_WHOLE = {"r-precision", "bpref"}
# Ranks have 32 bits.
_DEEPEST = 4294967295


@dataclass(frozen=True)
class Metric:
    """A measure with its cutoff, or persistence, and its relevance level."""

    name: str
    k: float = 0
    level: int = 1

    @property
    def in_profile(self) -> str:
        """Its name for the evaluator."""
        if self.name == "rbp":
            digits = f"{self.k:.17f}".rstrip("0").partition(".")[2]
            return f"rbp.{digits or 0}"
        if self.k == 0 or self.name in _WHOLE:
            return self.name
        return f"{self.name}@{min(int(self.k), _DEEPEST)}"

    @property
    def needs(self) -> tuple[int, bool]:
        """The judgements that it needs: the level, and whether grades are binary."""
        return self.level, self.name in _BINARY


def read_metric(text: str) -> Metric:
    """Reads a name such as `ndcg@10`, `map-l2` or `rbp.95`.

    >>> read_metric("ndcg@10-l2")
    Metric(name='ndcg', k=10, level=2)
    """
    level: str | int = 1
    if "-l" in text:
        text, level = text.split("-l")
    k: float
    if "rbp" in text:
        mark = "." if "." in text else "@"
        if mark not in text:
            raise ValueError("RBP requires persistence value. Example: `rbp.95`")
        name, persistence = text.split(mark)[:2]
        k = float(f"0.{persistence}")
    else:
        name, *cutoff = text.split("@")
        k = int(cutoff[0]) if cutoff else 0
    return checked(Metric(name, k, int(level)))


def checked(metric: Metric) -> Metric:
    """The measure, if it exists and its cutoff is not negative."""
    if metric.name not in _BINARY | _GRADED:
        known = ", ".join(f"`{name}`" for name in sorted(_BINARY | _GRADED))
        raise ValueError(f"Metric {metric.name} not supported. Supported metrics are {known}.")
    assert metric.k >= 0 or metric.name in _WHOLE, "k must be grater or equal to 0"
    return metric


class Judged:
    """Judgements and measures, read once for any number of runs."""

    def __init__(
        self, grades: Sequence[Documents], metrics: Iterable[Metric], threads: int = 0
    ) -> None:
        self._count = len(grades)
        self._metrics = list(metrics)
        self._groups: list[tuple[list[int], Any]] = []
        for needs in dict.fromkeys(metric.needs for metric in self._metrics):
            places = [at for at, metric in enumerate(self._metrics) if metric.needs == needs]
            names = [self._metrics[at].in_profile for at in places]
            evaluator = _core.Evaluator(
                numbered(at_level(one, *needs) for one in grades),
                names,
                profile="ranx",
                threads=threads or None,
                keys=[str(at) for at in places],
            )
            self._groups.append((places, evaluator))

    def scores(self, rankings: Sequence[Documents]) -> list[Any]:
        """For each measure an array with a value for each topic. Documents come in the order of their ranks."""
        np = numpy()
        found = [np.zeros(self._count) for _ in self._metrics]
        if not self._count:
            return found
        run = numbered(map(_finite, rankings))
        for places, evaluator in self._groups:
            topics, columns = evaluator.rows(run)
            rows = [int(topic) for topic in topics]
            for place, column in zip(places, columns):
                found[place][rows] = defined(column)
        return found


def defined(column: Iterable[Any]) -> list[float]:
    """Values of which those that are undefined, such as the precision of no documents, are 0."""
    return [0.0 if value is None else value for value in column]


def numbered(topics: Iterable[Documents]) -> dict[str, Documents]:
    """Topics by their places, so that they are in ascending order."""
    return {f"{place:09}": documents for place, documents in enumerate(topics)}


def at_level(grades: Documents, level: int, binary: bool) -> Documents:
    """Grades at or above the level, as they are or as 1; the others are 0."""
    if level == 1 and all(grade >= 1 or grade == 0 for grade in grades.values()):
        return grades
    return {
        doc_id: (1 if binary else grade) if grade >= level else 0
        for doc_id, grade in grades.items()
    }


def _finite(scores: Documents) -> Documents:
    """The scores or, if some are not finite, substitutes with the same order."""
    if all(map(math.isfinite, scores.values())):
        return scores
    return {doc_id: -float(place) for place, doc_id in enumerate(scores)}


def judgements(qrels: Any) -> Sequence[Documents]:
    """Grades of each topic, of anything that ranx evaluates: objects, dicts, or arrays for each topic."""
    if isinstance(qrels, Table):
        if not qrels.sorted:
            qrels.sort()
        return qrels.get_doc_ids_and_scores()
    if isinstance(qrels, dict):
        return [_named(documents) for documents in qrels.values()]
    return [_from_array(rows) for rows in qrels]


def rankings(run: Any, topics: Iterable[Any] | None = None) -> Sequence[Documents]:
    """Documents of each topic in the order of their ranks, topics in the given order."""
    if isinstance(run, Table):
        return judgements(run)
    if isinstance(run, dict):
        return [_reversed(run[topic]) for topic in (run if topics is None else topics)]
    lists = [_from_array(rows) for rows in run]
    # Arrays are taken to be in order, whatever their scores are.
    return [{doc_id: -float(at) for at, doc_id in enumerate(documents)} for documents in lists]


def _named(documents: Documents) -> Documents:
    """Documents with string ids. In dicts, ids of other types are identified by their hashes, as in ranx."""
    if set(map(type, documents)) <= {str}:
        return documents
    return {
        one if isinstance(one, str) else f"#{hash(one)}": number for one, number in documents.items()
    }


def _reversed(scores: Documents) -> Documents:
    """Documents of a dict: ranx sorts them in ascending order, and turns that around."""
    scores = _named(scores)
    ids = list(scores)
    values = [float(score) for score in scores.values()]
    return {ids[place]: values[place] for place in reversed(ascending(values))}


def _from_array(rows: Any) -> dict[str, float]:
    """Documents of an array of ids and numbers. A repeated id is an unknown document."""
    documents: dict[str, float] = {}
    for number, value in rows.tolist() if hasattr(rows, "tolist") else rows:
        doc_id = repr(float(number))
        while doc_id in documents:
            doc_id += "+"
        documents[doc_id] = float(value)
    return documents


def compute(qrels: Any, run: Any, metric: Metric) -> Any:
    """An array of the values of one measure."""
    grades, documents = judgements(qrels), rankings(run)
    if len(grades) != len(documents):
        raise ValueError(f"judgements of {len(grades)} topics, and a run of {len(documents)}")
    return Judged(grades, [checked(metric)]).scores(documents)[0]
