"""Indexes, and runs from engines: `cranfield index` and `cranfield search`."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sized
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, overload

from cranfield import _core
from cranfield._core import Run
from cranfield._errors import InputTypeError, UsageError
from cranfield._evaluate import _is_frame, _is_path, _items
from cranfield._frames import to_frame
from cranfield._progress import Progress, watched
from cranfield._results import Result

Topics: TypeAlias = Any
"""A path of topics or of a collection, a dict of queries by id, a list of dicts, or a frame."""


class Hit(NamedTuple):
    """A document in the answer to a query."""

    id: str
    score: float
    title: str | None = None
    """The title, if the document has one and the index stores text."""
    text: str | None = None
    """The indexed text, if the index stores it."""


class Hits(list[Hit]):
    """The answer to a query, best first.

    >>> Hits([Hit("d1", 2.5, "Peas")]).to_columns()
    {'id': ['d1'], 'score': [2.5], 'title': ['Peas'], 'text': [None]}
    """

    def to_columns(self) -> dict[str, list[Any]]:
        """A dict of columns: `id`, `score`, `title` and `text`."""
        return {name: [getattr(hit, name) for hit in self] for name in Hit._fields}

    def to_pandas(self) -> Any:
        """A pandas frame with these columns."""
        return to_frame("pandas", self.to_columns(), ["score"])

    def to_polars(self) -> Any:
        """A polars frame with these columns."""
        return to_frame("polars", self.to_columns(), ["score"])

    def to_arrow(self) -> _core.ArrowTable:
        """An Arrow table with these columns, for `pyarrow.table` and others."""
        return _core.ArrowTable.from_columns(self.to_columns())


def _rows(data: Any, what: str) -> Iterator[dict[str, Any]]:
    """The rows of a frame, or of an iterable of dicts."""
    if hasattr(data, "iter_rows"):
        rows: Iterator[dict[str, Any]] = data.iter_rows(named=True)
        return rows
    if hasattr(data, "to_batches"):
        return chain.from_iterable(batch.to_pylist() for batch in data.to_batches())
    if hasattr(data, "itertuples"):
        table = data.reset_index() if any(level is not None for level in data.index.names) else data
        names = [str(name) for name in table.columns]
        return (dict(zip(names, row, strict=True)) for row in table.itertuples(index=False, name=None))
    cure = "expected a path, dicts, or a frame of pandas, polars or pyarrow"
    if hasattr(data, "collect"):
        cure = "it has no rows yet: call its `collect()`"
    elif _is_frame(data):
        try:
            return _rows(import_module("pyarrow").table(data), what)
        except ImportError:
            cure = "install pyarrow to read it"
        except (TypeError, ValueError) as why:
            cure = str(why)
    else:
        items = None if isinstance(data, (str, bytes, Mapping)) else _items(data)
        if items is not None:
            return items
    raise InputTypeError(f"cannot read {what} from a {type(data).__name__}; {cure}")


def _by_id(data: Mapping[Any, Any], field: str) -> Iterator[dict[str, Any]]:
    """Rows of a dict by id: each item is a text, or a dict of fields."""
    for id, item in data.items():
        yield {**item, "id": id} if isinstance(item, Mapping) else {"id": id, field: item}


def _topics(topics: Any) -> Any:
    """Topics as the native module reads them: a path, or a list of dicts."""
    if _is_path(topics):
        return topics
    if isinstance(topics, Mapping):
        return list(_by_id(topics, "title"))
    return list(_rows(topics, "topics"))


def _engine(engine: Any) -> Any:
    if isinstance(engine, Index):
        return engine._native
    if _is_path(engine):
        return engine
    cure = "expected an Index, the folder of an index or of vectors, or the file of an engine"
    raise InputTypeError(f"the engine is a {type(engine).__name__}; {cure}")


class Index:
    """An inverted index.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> documents = [
    ...     {"id": "d1", "title": "Tomatoes", "text": "Tomatoes ripen in the sun."},
    ...     {"id": "d2", "title": "Peas", "text": "Sow peas in spring."},
    ... ]
    >>> index = Index.build(documents, folder.name + "/index")
    >>> index
    <cranfield Index: 2 documents, analyzer 'english'>
    >>> index.search("ripe tomatoes")[0].title
    'Tomatoes'
    >>> index.search({"q1": "ripe tomatoes", "q2": "sowing peas"}).to_dict()["q2"].keys()
    dict_keys(['d2'])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the index in a folder."""
        self._native = _core.Index(path)
        self.built: Result | None = None
        """The result of `build`: counts, sizes, time, CPU time and peak memory."""

    @classmethod
    def build(
        cls,
        documents: Any,
        path: str | os.PathLike[str],
        *,
        analyzer: str = "english",
        fields: str | list[str] | None = None,
        id: str | None = None,
        text: bool = True,
        document_format: str | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> Index:
        """Builds an index in a folder and opens it: `cranfield index`. An index in the folder is replaced.

        Documents that are skipped or doubtful, such as those without an id, are reported by a warning.

        Args:
            documents: the path of a collection, or of files or folders (several in a list); or documents in memory: a frame of
                pandas, polars or pyarrow, an iterable of dicts, or a dict of texts by id. An iterator is read as a stream.
            path: the folder.
            analyzer: the analyser of documents and queries; `analyzers()` lists them.
            fields: the fields to index, or "all". The default is those of the collection, or the usual ones, such as title and
                text.
            id: the field with the id. The default is the first of `_id`, `id`, `docid`, `docno` and others.
            text: whether to store the text of documents, which feedback and hits need.
            document_format: the format of files. The default is detected.
            threads: the number of threads. The default is all cores.
            progress: as in `evaluate`.
        """
        given = {
            "analyzer": analyzer,
            "fields": fields.split(",") if isinstance(fields, str) else fields,
            "id": id,
            "text": text,
            "document_format": document_format,
            "threads": threads,
        }
        if _is_path(documents):
            documents = [documents]
        with watched(progress) as watch:
            if isinstance(documents, (list, tuple)) and documents and all(map(_is_path, documents)):
                native, output = _core.index_files(list(documents), path, given, watch)
            else:
                total = len(documents) if isinstance(documents, Sized) else 0
                by_id = isinstance(documents, Mapping)
                rows = _by_id(documents, "text") if by_id else _rows(documents, "documents")
                native, output = _core.index_objects(iter(rows), total, path, given, watch)
        index = cls.__new__(cls)
        index._native, index.built = native, Result(output)
        _warn(output.notes)
        return index

    @property
    def path(self) -> Path:
        """The folder."""
        return self._native.path

    @property
    def description(self) -> dict[str, Any]:
        """The analyser, the fields, counts of documents, tokens and terms, and the size in bytes."""
        return self._native.description()

    @property
    def analyzer(self) -> str:
        """The name of the analyser."""
        return str(self.description["analyzer"])

    @property
    def fields(self) -> list[str]:
        """The names of the indexed fields."""
        return list(self.description["fields"])

    def __len__(self) -> int:
        """The number of documents."""
        return int(self.description["documents"])

    def __repr__(self) -> str:
        return f"<cranfield Index: {len(self)} documents, analyzer {self.analyzer!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path,)

    @overload
    def search(
        self,
        topics: str,
        model: str = ...,
        *,
        feedback: str | None = ...,
        depth: int | None = ...,
    ) -> Hits: ...
    @overload
    def search(
        self,
        topics: os.PathLike[str] | Mapping[str, Any] | Iterable[Any],
        model: str = ...,
        *,
        feedback: str | None = ...,
        query: str = ...,
        depth: int | None = ...,
        tag: str | None = ...,
        output: str | os.PathLike[str] | None = ...,
        threads: int | None = ...,
        progress: Progress = ...,
    ) -> Run: ...
    def search(
        self,
        topics: Any,
        model: str = "BM25",
        *,
        feedback: str | None = None,
        query: str = "title",
        depth: int | None = None,
        tag: str | None = None,
        output: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> Any:
        """Searches for one query or for topics.

        A str is a query; its answer is a list of at most 10 hits, or `depth`, with the frames of `Hits`. Anything else is topics, and the answer is a `Run`:
        a `pathlib.Path` of topics or of a collection, a dict of queries by id, a list of dicts, or a frame. The other arguments are
        those of `cranfield.search`.
        """
        if not isinstance(topics, str):
            return search(
                self,
                topics,
                model,
                feedback=feedback,
                query=query,
                depth=depth,
                tag=tag,
                output=output,
                threads=threads,
                progress=progress,
            )
        if os.path.isfile(topics):
            raise UsageError(f"{topics!r} is a file; pass Path({topics!r}) to search for its topics")
        given = {"model": model, "feedback": feedback, "depth": depth}
        return Hits(Hit(*hit) for hit in self._native.hits(topics, given))

    def explain(self, query: str, document: str, model: str = "BM25", *, feedback: str | None = None) -> Result:
        """Breaks the score of a document for a query down by term: `cranfield search --explain`.

        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> index = Index.build({"d1": "Tomatoes ripen in the sun.", "d2": "Sow peas in spring."}, folder.name + "/index")
        >>> index.explain("tomatoes in the sun", "d1").to_columns()["term"]
        ['tomato', 'sun']
        """
        given = {"model": model, "feedback": feedback}
        return Result(self._native.explain(query, document, given))


def analyzers() -> dict[str, str]:
    """The names of the analysers, and what each does: `cranfield index --analyzers`.

    >>> "english" in analyzers()
    True
    """
    return dict(_core.analyzers())


def search(
    engine: Any,
    topics: Topics,
    model: str = "BM25",
    *,
    feedback: str | None = None,
    query: str = "title",
    depth: int | None = None,
    tag: str | None = None,
    similarity: str | None = None,
    keep_going: bool = False,
    empty: str = "note",
    header: bool = False,
    output: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Run:
    """Searches for every topic and returns a run: `cranfield search`.

    Args:
        engine: an `Index`, the folder of an index or of vectors (`vectors:DIR`), or the file of another engine.
        topics: the path of topics or of a collection, a dict of queries by id, a list of dicts, or a frame.
        model: the ranking function, such as `BM25(k1=1.2, b=0.75)`, `QL(mu=1000)` or `VSM('lnc.ltc')`.
        feedback: expands queries by the terms of the best documents, such as `RM3`.
        query: the fields of the topic to search for, such as `title+desc`.
        depth: the number of documents per topic. The default is 1000.
        tag: the name of the run. The default is made from the model.
        similarity: of vectors: `dot` or `cosine`.
        keep_going: return a run, with a warning, even if the engine fails to answer some topics.
        empty: `fail` raises an error if topics have no results.
        output: also write the run to this file, and next to it a file that describes how it was made.
        header: begin that file with the description too, in lines that begin with `#`.
    """
    given = {
        "model": model,
        "feedback": feedback,
        "query": query,
        "depth": depth,
        "tag": tag,
        "similarity": similarity,
        "keep_going": keep_going,
        "empty": empty,
        "header": header,
        "output": output,
        "threads": threads,
    }
    with watched(progress) as watch:
        run, notes = _core.search(_engine(engine), _topics(topics), given, watch)
    _warn(notes)
    return run


def _warn(notes: list[str]) -> None:
    """Warns at the line that calls the package."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, stacklevel=level)


class DenseIndex:
    """Vectors of documents, searched exactly.

    >>> index = DenseIndex({"d1": [1.0, 0.0], "d2": [0.0, 1.0], "d3": [0.5, 0.5]})
    >>> index
    <cranfield DenseIndex: 3 documents, 2 dimensions, dot>
    >>> index.search({"q1": [1.0, 0.5]}, depth=2).to_dict()
    {'q1': {'d1': 1.0, 'd3': 0.75}}
    >>> index.search([0.0, 2.0], depth=1)
    [Hit(id='d2', score=2.0, title=None, text=None)]
    """

    def __init__(self, vectors: Any, ids: Iterable[str] | None = None, *, similarity: str = "dot") -> None:
        """Opens a file of vectors or the file `documents.*` of a folder, or takes vectors from memory.

        Args:
            vectors: a path (npy, Parquet or JSON lines), a dict of vectors by id, or an array with a row for each of `ids`.
            ids: the ids of the rows.
            similarity: `dot` or `cosine`.
        """
        self._native = _core.DenseIndex(*_vectors(vectors, ids), {"similarity": similarity})

    @property
    def dimensions(self) -> int:
        """The number of components of each vector."""
        return self._native.description()[1]

    @property
    def similarity(self) -> str:
        """The similarity: `dot` or `cosine`."""
        return self._native.description()[2]

    def __len__(self) -> int:
        """The number of documents."""
        return self._native.description()[0]

    def __repr__(self) -> str:
        documents, dimensions, similarity = self._native.description()
        return f"<cranfield DenseIndex: {documents} documents, {dimensions} dimensions, {similarity}>"

    def search(
        self,
        topics: Any,
        ids: Iterable[str] | None = None,
        *,
        depth: int | None = None,
        tag: str | None = None,
        threads: int | None = None,
    ) -> Any:
        """Searches for vectors of topics, and returns a `Run` with 1000 documents per topic, or `depth`.

        Topics are given as the vectors of documents are: a path, a dict, or an array with `ids`. One vector without an id is a
        query; its answer is a list of at most 10 hits, or `depth`.
        """
        is_query = ids is None and not _is_path(topics) and not isinstance(topics, Mapping)
        if is_query:
            topics, ids, depth = [topics], ["query"], 10 if depth is None else depth
        given = {"depth": depth, "tag": tag, "threads": threads}
        run = self._native.search(*_vectors(topics, ids), given)
        if not is_query:
            return run
        return Hits(Hit(id, score) for id, score in run["query"].items())


def _vectors(vectors: Any, ids: Iterable[str] | None) -> tuple[Any, list[str] | None]:
    """A path, or an array of floats and ids."""
    if _is_path(vectors):
        return vectors, None
    if isinstance(vectors, Mapping):
        vectors, ids = list(vectors.values()), list(vectors)
    if ids is None:
        raise UsageError("vectors in memory need ids; pass a dict of vectors by id, or the ids of the rows")
    ids = [str(id) for id in ids]
    if not hasattr(vectors, "__len__") or getattr(vectors, "ndim", 2) != 2 or len(vectors) != len(ids):
        raise UsageError(f"expected an array with a row for each of {len(ids)} ids")
    if isinstance(vectors, list):
        vectors = _joined(vectors)
    elif hasattr(vectors, "astype") and str(vectors.dtype) not in ("float32", "float64"):
        vectors = vectors.astype("float32")
    return vectors, ids


def _joined(rows: list[Any]) -> Any:
    """Rows of the same length as one array of floats."""
    import array

    try:
        lengths = {len(row) for row in rows}
        joined = array.array("d", chain.from_iterable(rows))
    except TypeError as why:
        raise InputTypeError("a vector is not a list or an array of numbers; several need ids") from why
    if len(lengths) > 1:
        raise UsageError(f"vectors have different lengths: {', '.join(map(str, sorted(lengths)))}")
    return joined
