"""Judgements and runs in any of their forms: dicts of dicts, iterables of named tuples, frames of pandas."""

from __future__ import annotations

import contextlib
import itertools
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, TypeVar

from cranfield.compat.ir_measures import lazylibs
from cranfield.compat.ir_measures._tuples import Qrel, ScoredDoc

Row = TypeVar("Row", Qrel, ScoredDoc)

_ASKED = (
    "unexpected format; please provide either: (1) an iterable of namedtuples (fields {fields}, e.g., "
    "from ir_measures.{name}); (2) a pandas DataFrame with columns {fields}; or (3) a dict-of-dict"
)


class _Converter(Generic[Row]):
    """What converters of judgements and of runs share. `_ROW` is the tuple, `_WHAT` what it is a row of."""

    _ROW: ClassVar[type[Any]]
    _WHAT: ClassVar[str]
    _REQUIRED: ClassVar[tuple[str, ...]]
    _COLUMNS: ClassVar[list[str]]

    def __init__(self, source: Any, strict: bool) -> None:
        self._source = source
        self._predicted_format: tuple[str, str | None] | None = None
        # Otherwise frames may lack columns.
        self.strict = strict

    def tee(self, count: int) -> list[Any]:
        """Converters of the same data, of which each can be read once."""
        kind, _ = self.predict_type()
        if kind == "namedtuple_iter":
            return [self._of(copy) for copy in itertools.tee(self._source, count)]
        return [self] * count

    def _of(self, source: Any) -> _Converter[Row]:
        raise NotImplementedError

    def predict_type(self) -> tuple[str, str | None]:
        """The form, and what is wrong with it if it is `UNKNOWN`."""
        if self._predicted_format is None:
            self._predicted_format = self._predict()
        return self._predicted_format

    def _predict(self) -> tuple[str, str | None]:
        source = self._source
        if isinstance(source, dict):
            return "dict_of_dict", None
        if hasattr(source, "itertuples"):
            wrong = self._missing(source.columns, "DataFrame missing columns")
            return ("UNKNOWN", wrong) if wrong and self.strict else ("pd_dataframe", None)
        if not hasattr(source, "__iter__"):
            return "UNKNOWN", _ASKED.format(fields=self._REQUIRED, name=self._ROW.__name__)
        # The first item tells; it is read again later.
        self._source, ahead = itertools.tee(source, 2)
        for first in ahead:
            if not (isinstance(first, tuple) and hasattr(first, "_fields")):
                return "UNKNOWN", "iterable not a namedtuple iterator"
            wrong = self._missing(first._fields, "namedtuple iter missing fields")
            return ("UNKNOWN", wrong) if wrong else ("namedtuple_iter", None)
        return "namedtuple_iter", None

    def _missing(self, found: Iterable[str], message: str) -> str | None:
        found = list(found)
        missing = [name for name in self._REQUIRED if name not in found]
        return f"{message}: {missing} (found {found})" if missing else None

    def _rows(self) -> Iterator[tuple[Any, Any, Any]]:
        """Topic, document and number of all rows."""
        kind, wrong = self.predict_type()
        if kind == "UNKNOWN":
            raise ValueError(f"unknown {self._WHAT} format: {wrong}")
        topic, document, number = self._REQUIRED
        if kind == "dict_of_dict":
            for query_id, docs in self._source.items():
                for doc_id, value in docs.items():
                    yield query_id, doc_id, value
        elif kind == "pd_dataframe":
            frame = self._source
            yield from zip(frame[topic], frame[document], frame[number], strict=True)
        else:
            for row in self._source:
                yield getattr(row, topic), getattr(row, document), getattr(row, number)

    def as_dict_of_dict(self) -> dict[Any, dict[Any, Any]]:
        """Numbers by topic and document; the last of a document counts."""
        if self.predict_type()[0] == "dict_of_dict":
            known: dict[Any, dict[Any, Any]] = self._source
            return known
        result: dict[Any, dict[Any, Any]] = {}
        for query_id, doc_id, value in self._rows():
            docs = result.get(query_id)
            if docs is None:
                docs = result[query_id] = {}
            docs[doc_id] = value
        return result

    def as_namedtuple_iter(self) -> Iterator[Row]:
        """All rows as tuples."""
        if self.predict_type()[0] == "namedtuple_iter":
            yield from self._source
            return
        for row in self._rows():
            yield self._ROW(*row)

    def as_pd_dataframe(self) -> Any:
        """All rows as a frame."""
        if self.predict_type()[0] == "pd_dataframe":
            return self._source
        pandas = lazylibs.pandas()
        frame = pandas.DataFrame(self.as_namedtuple_iter())
        return frame if len(frame) else pandas.DataFrame([], columns=self._COLUMNS)


class QrelsConverter(_Converter[Qrel]):
    """Judgements in any form.

    >>> QrelsConverter([Qrel("q1", "d1", 1)]).as_dict_of_dict()
    {'q1': {'d1': 1}}
    """

    _ROW = Qrel
    _WHAT = "qrels"
    _REQUIRED = ("query_id", "doc_id", "relevance")
    _COLUMNS = ["query_id", "doc_id", "relevance", "iteration"]

    def __init__(self, qrels: Any, strict: bool = True) -> None:
        super().__init__(qrels, strict)

    @property
    def qrels(self) -> Any:
        """The judgements as they were given."""
        return self._source

    def _of(self, source: Any) -> QrelsConverter:
        return QrelsConverter(source)

    def as_namedtuple_iter(self) -> Iterator[Qrel]:
        """All judgements as tuples, with their subtopics if they have any."""
        if self.predict_type()[0] == "pd_dataframe" and "iteration" in self._source.columns:
            rows = zip(self._rows(), self._source["iteration"], strict=True)
            return (Qrel(*row, iteration) for row, iteration in rows)
        return super().as_namedtuple_iter()

    def as_pd_dataframe(self) -> Any:
        """All judgements as a frame with the column `iteration`."""
        frame = super().as_pd_dataframe()
        if "iteration" in frame.columns:
            return frame
        return frame.assign(iteration=["0"] * len(frame))

    @contextlib.contextmanager
    def as_tmp_file(self) -> Iterator[Any]:
        """The judgements in a file of TREC format, which is gone afterwards."""
        lines = (f"{q.query_id} 0 {q.doc_id} {q.relevance}\n" for q in self.as_namedtuple_iter())
        with _temporary(lines) as file:
            yield file


class RunConverter(_Converter[ScoredDoc]):
    """A run in any form.

    >>> RunConverter({"q1": {"d1": 0.5}}).as_sorteddict()
    {'q1': [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]}
    """

    _ROW = ScoredDoc
    _WHAT = "run"
    _REQUIRED = ("query_id", "doc_id", "score")
    _COLUMNS = ["query_id", "doc_id", "score"]

    def __init__(self, run: Any, strict: bool = True) -> None:
        super().__init__(run, strict)

    @property
    def run(self) -> Any:
        """The run as it was given."""
        return self._source

    def _of(self, source: Any) -> RunConverter:
        return RunConverter(source)

    def as_sorted_namedtuple_iter(self) -> Iterator[ScoredDoc]:
        """All rows; those that follow each other and have the same topic are sorted by score."""
        for _, rows in itertools.groupby(self.as_namedtuple_iter(), lambda row: row.query_id):
            yield from sorted(rows, key=lambda row: row.score, reverse=True)

    def as_sorteddict(self) -> dict[str, list[ScoredDoc]]:
        """The ranking of each topic, highest score first; equal scores stay in their order."""
        topics: dict[str, list[ScoredDoc]] = {}
        for row in self.as_namedtuple_iter():
            topics.setdefault(row.query_id, []).append(row)
        for ranking in topics.values():
            ranking.sort(key=lambda row: row.score, reverse=True)
        return topics

    @contextlib.contextmanager
    def as_tmp_file(self) -> Iterator[Any]:
        """The run in a file of TREC format, which is gone afterwards."""
        with _temporary(self._lines()) as file:
            yield file

    def _lines(self) -> Iterator[str]:
        ranks: dict[str, int] = {}
        for query_id, doc_id, score in self._rows():
            rank = ranks[query_id] = ranks.get(query_id, -1) + 1
            yield f"{query_id} Q0 {doc_id} {rank} {score} run\n"


@contextlib.contextmanager
def _temporary(lines: Iterable[str]) -> Iterator[Any]:
    with tempfile.NamedTemporaryFile(mode="w+t", encoding="utf-8") as file:
        file.writelines(lines)
        file.flush()
        file.seek(0)
        yield file
