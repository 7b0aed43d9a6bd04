"""Base class of `Qrels` and `Run`: numbers by topic and document."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, KeysView, Mapping, Sequence
from typing import Any, ClassVar

from .._packages import numpy, package
from ._order import by_score

Content = dict[str, dict[str, Any]]


def _texts(ids: list[Any]) -> list[str]:
    if set(map(type, ids)) <= {str}:
        return ids
    longest = max(map(len, ids))
    texts: list[str] = numpy().array(ids, dtype=f"<U{longest}").tolist()
    return texts


def hashed(doc_id: str) -> float:
    """A number for a document, the same in every process; it has the 53 bits that a float holds."""
    digest = hashlib.blake2b(doc_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return float(int.from_bytes(digest, "big") >> 11)


class Table:
    """Numbers by topic and document, topics in ascending and documents in descending order once they are sorted."""

    # What a number is made into.
    _number: ClassVar[type]

    def __init__(
        self, content: Mapping[str, Mapping[str, Any]] | None = None, name: str | None = None
    ) -> None:
        self._content: Content = {} if content is None else self._read(content)
        self.sorted = content is not None
        self.name = name

    def _read(self, content: Mapping[str, Mapping[str, Any]]) -> Content:
        topics = list(content.keys())
        documents = [list(inner.keys()) for inner in content.values()]
        # Ids without a length are refused, and so is a table without a single document.
        max(len(one) for ids in documents for one in ids)
        numbers = [self._numbers(list(inner.values())) for inner in content.values()]
        read = {
            topic: by_score(dict(zip(_texts(ids), values)))
            for topic, ids, values in zip(topics, documents, numbers)
        }
        return {topic: read[topic] for topic in sorted(read)}

    def _numbers(self, values: list[Any]) -> list[Any]:
        if set(map(type, values)) <= {self._number}:
            return values
        converted: list[Any] = numpy().array(values, dtype=self._number).tolist()
        return converted

    def keys(self) -> KeysView[str]:
        """The topics."""
        return self._content.keys()

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Sets the number of one document of one topic."""
        for one in (q_id, doc_id):
            if not isinstance(one, str):
                raise TypeError(f"ids are texts, not {type(one).__name__}: {one!r}")
        self._content.setdefault(q_id, {})[doc_id] = self._number(score)
        self.sorted = False

    def add(self, q_id: str, doc_ids: Sequence[str], scores: Sequence[float]) -> None:
        """Sets all documents of a topic."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self,
        q_ids: Sequence[str],
        doc_ids: Sequence[Sequence[str]],
        scores: Sequence[Sequence[float]],
    ) -> None:
        """Sets all documents of several topics."""
        new: Content = {}
        for place, q_id in enumerate(q_ids):
            numbers = [self._number(score) for score in scores[place]]
            new[q_id] = {doc_id: numbers[at] for at, doc_id in enumerate(doc_ids[place])}
        self._content.update(new)
        self.sort()

    def get_query_ids(self) -> list[str]:
        """The topics, as a list."""
        return list(self._content)

    def get_doc_ids_and_scores(self) -> list[dict[str, Any]]:
        """For each topic its numbers by document."""
        return list(self._content.values())

    def sort(self) -> None:
        """Puts topics in ascending order, and documents in descending order of their numbers."""
        self._content = {topic: by_score(self._content[topic]) for topic in sorted(self._content)}
        self.sorted = True

    def to_typed_list(self) -> list[Any]:
        """For each topic an array with a row for each document: a number for its id, and its score."""
        if not self.sorted:
            self.sort()
        return [typed(inner.items()) for inner in self._content.values()]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """A copy, as dicts."""
        copied: dict[str, dict[str, Any]] = defaultdict(dict)
        copied.update((topic, dict(inner)) for topic, inner in self._content.items())
        return copied

    def to_dataframe(self) -> Any:
        """A frame of pandas with the columns `q_id`, `doc_id` and `score`."""
        rows = [
            (topic, doc_id, score)
            for topic, inner in self._content.items()
            for doc_id, score in inner.items()
        ]
        names = ("q_id", "doc_id", "score")
        columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
        return package("pandas", "to_dataframe").DataFrame.from_dict(columns)

    @property
    def size(self) -> int:
        """The number of topics."""
        return len(self._content)

    def __getitem__(self, q_id: str) -> dict[str, Any]:
        return dict(self._content[q_id])

    def __len__(self) -> int:
        return len(self._content)

    def __repr__(self) -> str:
        topics = (
            f"{topic}: {{{', '.join(f'{doc_id}: {score}' for doc_id, score in inner.items())}}}"
            for topic, inner in self._content.items()
        )
        return f"{{{', '.join(topics)}}}"


def typed(items: Iterable[tuple[str, float]]) -> Any:
    """Rows of document numbers and scores."""
    rows = [[hashed(doc_id), score] for doc_id, score in items]
    return numpy().array(rows, dtype=float).reshape(-1, 2)
