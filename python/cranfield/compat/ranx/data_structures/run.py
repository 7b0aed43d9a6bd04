"""`Run`: scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from .._packages import package
from . import _files
from ._frames import from_frame
from ._table import Content, Table
from .qrels import Qrels

_KINDS = ("json", "trec", "lz4", "gz", "parquet")


class Run(Table):
    """Scores by topic and document; they are floats.

    >>> run = Run({"q_1": {"d_1": 1.5, "d_2": 2.6}}, name="bm25")
    >>> run["q_1"]
    {'d_2': 2.6, 'd_1': 1.5}
    >>> run.name, run.size
    ('bm25', 1)
    """

    _number = float

    def __init__(
        self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(run, name)
        self.metadata: dict[str, Any] = {}
        self.scores: dict[str, dict[str, Any]] = defaultdict(dict)
        self.mean_scores: dict[str, Any] = {}
        self.std_scores: dict[str, Any] = {}

    @property
    def run(self) -> Content:
        """The scores themselves."""
        return self._content

    @run.setter
    def run(self, content: Content) -> None:
        self._content = content

    def make_comparable(self, qrels: Qrels) -> Run:
        """Adds empty rankings for missing topics, and removes topics without judgements.

        >>> run = Run({"q_2": {"d_1": 1.0}, "q_3": {"d_1": 1.0}})
        >>> run.make_comparable(Qrels({"q_1": {"d_1": 1}, "q_2": {"d_1": 1}})).to_dict() == {
        ...     "q_1": {},
        ...     "q_2": {"d_1": 1.0},
        ... }
        True
        """
        self._content = {topic: self._content.get(topic, {}) for topic in qrels.keys()}
        self.sort()
        return self

    def save(self, path: _files.Path_ = "run.json", kind: str | None = None) -> None:
        """Writes a file; `kind` is "json", "trec", "gz", "lz4" or "parquet", or inferred from the extension."""
        kind = _files.kind_of(path, kind, _KINDS)
        if not self.sorted:
            self.sort()
        if kind == "json":
            content = _files.as_json(self._content)
        elif kind == "lz4":
            content = _files.as_lz4(self._content)
        elif kind == "parquet":
            content = _files.as_parquet(self.to_dataframe())
        else:
            lines = (
                f"{topic} Q0 {doc_id} {rank} {score} {self.name}"
                for topic, scores in self._content.items()
                for rank, (doc_id, score) in enumerate(scores.items(), 1)
            )
            last = next(reversed(self._content.values()), None)
            content = _files.as_trec(lines, kind, not last)
        _files.write(path, content)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Run:
        """A run from a dict of dicts."""
        run = Run(name=name)
        run._content = run._read(d)
        run.sorted = True
        return run

    @staticmethod
    def from_file(path: _files.Path_, kind: str | None = None, name: str | None = None) -> Run:
        """Reads a file; `kind` is "json", "trec", "gz", "lz4" or "parquet", or inferred from the extension. The name of a TREC run
        is that of its first line, unless one is given."""
        kind = _files.kind_of(path, kind, _KINDS)
        if kind == "json":
            return Run.from_dict(_files.read_json(path), name)
        if kind == "lz4":
            return Run.from_dict(_files.read_lz4(path), name)
        if kind == "parquet":
            return Run.from_parquet(path, name=name)
        read: dict[str, dict[str, float]] = {}
        tags: list[str] = []

        def row(fields: list[str]) -> None:
            topic, _, doc_id, _, score, tag = fields
            read.setdefault(topic, {})[doc_id] = float(score)
            if not tags:
                tags.append(tag)

        _files.read_trec(path, kind, 6, row, "topic Q0 document rank score tag")
        return Run.from_dict(read, tags[0] if name is None and tags else name)

    @staticmethod
    def from_df(
        df: Any,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Run:
        """A run from a pandas frame, with strings as ids and floats as scores."""
        content = from_frame(df, (q_id_col, doc_id_col, score_col), "float64", "float")
        return Run.from_dict(content, name)

    @staticmethod
    def from_parquet(
        path: _files.Path_,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> Run:
        """Reads a Parquet file by `pandas.read_parquet`, whose options are `pd_kwargs`."""
        frame = package("pandas", "from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Run.from_df(frame, q_id_col, doc_id_col, score_col, name)

    @staticmethod
    def from_ranxhub(id: str) -> Run:
        """Not available: nothing is downloaded."""
        raise NotImplementedError(
            f"cranfield downloads nothing: fetch the run {id} yourself and read it with Run.from_dict"
        )


def get_file_kind(path: _files.Path_ = "run.json", kind: str | None = None) -> str:
    """The kind of a file: as given, or inferred from the extension.

    >>> get_file_kind("run.txt")
    'trec'
    """
    return _files.kind_of(path, kind, _KINDS)
