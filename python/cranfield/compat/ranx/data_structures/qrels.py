"""`Qrels`: judgements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._packages import package
from . import _files
from ._frames import from_frame
from ._table import Content, Table

_KINDS = ("json", "trec", "gz", "parquet")


class Qrels(Table):
    """Grades by topic and document; they are ints.

    >>> qrels = Qrels({"q_1": {"d_1": 1, "d_2": 2}}, name="toy")
    >>> qrels["q_1"]
    {'d_2': 2, 'd_1': 1}
    >>> qrels.add_score("q_2", "d_1", 1)
    >>> len(qrels), qrels.get_query_ids()
    (2, ['q_1', 'q_2'])
    """

    _number = int

    def __init__(
        self, qrels: Mapping[str, Mapping[str, int]] | None = None, name: str | None = None
    ) -> None:
        super().__init__(qrels, name)

    @property
    def qrels(self) -> Content:
        """The grades themselves."""
        return self._content

    @qrels.setter
    def qrels(self, content: Content) -> None:
        self._content = content

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Takes `rel_lvl` - 1 from every grade.

        >>> qrels = Qrels({"q_1": {"d_1": 1, "d_2": 3}})
        >>> qrels.set_relevance_level(2)
        >>> qrels["q_1"]
        {'d_2': 2, 'd_1': 0}
        """
        for grades in self._content.values():
            for doc_id in grades:
                grades[doc_id] -= rel_lvl - 1

    def save(self, path: _files.Path_ = "qrels.json", kind: str | None = None) -> None:
        """Writes a file; `kind` is "json", "trec", "gz" or "parquet", or inferred from the extension."""
        kind = _files.kind_of(path, kind, _KINDS)
        if kind == "json":
            content = _files.as_json(self._content)
        elif kind == "parquet":
            content = _files.as_parquet(self.to_dataframe())
        else:
            lines = (
                f"{topic} 0 {doc_id} {grade}"
                for topic, grades in self._content.items()
                for doc_id, grade in grades.items()
            )
            last = next(reversed(self._content.values()), None)
            content = _files.as_trec(lines, kind, not last)
        _files.write(path, content)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, int]]) -> Qrels:
        """Judgements from a dict of dicts."""
        qrels = Qrels()
        qrels._content = qrels._read(d)
        qrels.sorted = True
        return qrels

    @staticmethod
    def from_file(path: _files.Path_, kind: str | None = None) -> Qrels:
        """Reads a file; `kind` is "json", "trec", "gz" or "parquet", or inferred from the extension."""
        kind = _files.kind_of(path, kind, _KINDS)
        if kind == "json":
            return Qrels.from_dict(_files.read_json(path))
        if kind == "parquet":
            return Qrels.from_parquet(path)
        read: dict[str, dict[str, int]] = {}

        def row(fields: list[str]) -> None:
            topic, _, doc_id, grade = fields
            read.setdefault(topic, {})[doc_id] = int(grade)

        _files.read_trec(path, kind, 4, row, "topic 0 document grade")
        return Qrels.from_dict(read)

    @staticmethod
    def from_df(
        df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score"
    ) -> Qrels:
        """Judgements from a pandas frame, with strings as ids and integers as grades."""
        return Qrels.from_dict(
            from_frame(df, (q_id_col, doc_id_col, score_col), "int64", "int")
        )

    @staticmethod
    def from_parquet(
        path: _files.Path_,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: dict[str, Any] | None = None,
    ) -> Qrels:
        """Reads a Parquet file by `pandas.read_parquet`, whose options are `pd_kwargs`."""
        frame = package("pandas", "from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Qrels.from_df(frame, q_id_col, doc_id_col, score_col)

    @staticmethod
    def from_ir_datasets(dataset_id: str) -> Qrels:
        """Judgements of a dataset of the package `ir_datasets`, which may download it."""
        catalogue = package("ir_datasets", "from_ir_datasets")
        qrels = Qrels.from_dict(catalogue.load(dataset_id).qrels_dict())
        qrels.name = dataset_id
        return qrels


def get_file_kind(path: _files.Path_ = "qrels.json", kind: str | None = None) -> str:
    """The kind of a file: as given, or inferred from the extension.

    >>> get_file_kind("qrels.txt")
    'trec'
    """
    return _files.kind_of(path, kind, _KINDS)
