"""Files of TREC format, line by line."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator
from typing import Any

from cranfield.compat.ir_measures._tuples import Qrel, ScoredDoc, _deprecated


def _lines(file: Any) -> Iterator[list[str]]:
    """The fields of all non-empty lines. A string with newlines is data; any other string is a path."""
    if hasattr(file, "read"):
        lines: Iterable[str] = file
        yield from (line.split() for line in lines if line.strip())
    elif isinstance(file, str) and "\n" in file:
        yield from _lines(io.StringIO(file))
    elif isinstance(file, str):
        with gzip.open(file, "rt") if file.endswith(".gz") else open(file) as opened:
            yield from _lines(opened)


def read_trec_qrels(file: Any) -> Iterator[Qrel]:
    """Reads judgements from a path, an open file, or a string with newlines.

    >>> list(read_trec_qrels("q1 0 d1 2\\n"))
    [Qrel(query_id='q1', doc_id='d1', relevance=2, iteration='0')]
    """
    for query_id, iteration, doc_id, relevance in _lines(file):
        yield Qrel(query_id, doc_id, int(relevance), iteration)


def read_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """Reads a run from a path, an open file, or a string with newlines.

    >>> list(read_trec_run("q1 Q0 d1 1 0.5 bm25\\n"))
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """
    for query_id, _, doc_id, _, score, _ in _lines(file):
        yield ScoredDoc(query_id, doc_id, float(score))


def parse_trec_qrels(file: Any) -> Iterator[Qrel]:
    """The old name of `read_trec_qrels`."""
    _deprecated("parse_trec_qrels", "read_trec_qrels()")
    return read_trec_qrels(file)


def parse_trec_run(file: Any) -> Iterator[ScoredDoc]:
    """The old name of `read_trec_run`."""
    _deprecated("parse_trec_run", "read_trec_run()")
    return read_trec_run(file)
