"""Tuples, readers, converters and names of measures."""

from __future__ import annotations

from typing import Any

from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._names import (
    convert_trec_name,
    parse_measure,
    parse_trec_measure,
)
from cranfield.compat.ir_measures._read import (
    parse_trec_qrels,
    parse_trec_run,
    read_trec_qrels,
    read_trec_run,
)
from cranfield.compat.ir_measures._tuples import (
    CalcResults,
    GenericQrel,
    GenericScoredDoc,
    Metric,
    Qrel,
    ScoredDoc,
)

__all__ = [
    "TYPE_QREL",
    "TYPE_RUN",
    "CalcResults",
    "GenericQrel",
    "GenericScoredDoc",
    "Metric",
    "Qrel",
    "QrelsConverter",
    "RunConverter",
    "ScoredDoc",
    "convert_trec_name",
    "parse_measure",
    "parse_trec_measure",
    "parse_trec_qrels",
    "parse_trec_run",
    "read_trec_qrels",
    "read_trec_run",
]

# Dicts of dicts, iterables of named tuples, and frames of pandas.
TYPE_RUN = Any
TYPE_QREL = Any
