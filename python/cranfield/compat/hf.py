"""The metric `trec_eval` of Hugging Face's `evaluate` (0.4): change the import and keep the script.

`load("trec_eval").compute(predictions=[run], references=[qrels])`, with columns of the same names and the same keys in the result.
What differs on purpose is in docs/compat/huggingface.md.

>>> trec_eval = load("trec_eval")
>>> qrels = {"query": [0], "q0": ["0"], "docid": ["d1"], "rel": [2]}
>>> run = {"query": [0, 0], "q0": ["q0", "q0"], "docid": ["d2", "d1"], "rank": [0, 1], "score": [1.5, 1.2], "system": ["s", "s"]}
>>> results = trec_eval.compute(predictions=[run], references=[qrels])
>>> results["runid"], results["num_rel_ret"], results["recip_rank"], results["P@5"]
('s', 1, 0.5, 0.2)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from cranfield._core import Evaluator, Qrels, Run
from cranfield._errors import UnknownNameError, UsageError

__all__ = ["TRECEval", "load"]

Columns: TypeAlias = Mapping[str, Sequence[Any]]
"""Columns of equal length by name."""

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)

# Keys of results that are means over the topics of the run, and the measures behind them. Documents are in the order of their
# scores, as floats of single precision; of equal ones the greater id comes first.
_MEANS = {
    "map": "AP@10000",
    "bpref": "Bpref",
    "Rprec": "Rprec",
    "recip_rank": "RR@1000",
    **{f"P@{k}": f"P@{k}" for k in CUTOFFS},
}
# nDCG is of the order in which documents are given.
_IN_ORDER = {f"NDCG@{k}": f"nDCG(gains='grade')@{k}" for k in CUTOFFS}
_LEAST_AP = 0.00001
"""The value that replaces an AP of 0 in a geometric mean."""
_COLUMNS = {"predictions": ("query", "docid", "score", "system"), "references": ("query", "docid", "rel")}


class TRECEval:
    """Computes the values of one run, passed at once or incrementally."""

    name = "trec_eval"

    def __init__(self) -> None:
        self._predictions: list[Columns] = []
        self._references: list[Columns] = []

    def add(self, *, prediction: Columns | None = None, reference: Columns | None = None) -> None:
        """Adds a run, its judgements, or both."""
        self._predictions += [] if prediction is None else [prediction]
        self._references += [] if reference is None else [reference]

    def add_batch(
        self, *, predictions: Iterable[Columns] | None = None, references: Iterable[Columns] | None = None
    ) -> None:
        """Adds lists of runs and judgements."""
        self._predictions += predictions or []
        self._references += references or []

    def compute(
        self, *, predictions: Iterable[Columns] | None = None, references: Iterable[Columns] | None = None
    ) -> dict[str, Any]:
        """All values, for the data passed here and added before."""
        self.add_batch(predictions=predictions, references=references)
        runs, judged = self._predictions, self._references
        self._predictions, self._references = [], []
        if len(runs) != 1 or len(judged) != 1:
            found = f"{len(runs)} prediction(s) and {len(judged)} reference(s)"
            raise UsageError(f"expected one prediction and one reference, found {found}")
        return _values(_checked(runs[0], "predictions"), _checked(judged[0], "references"))


def load(path: str, *_: Any, **__: Any) -> TRECEval:
    """The metric with this name, which must be `trec_eval`. Other arguments concern downloads and are ignored."""
    if path != TRECEval.name:
        raise UnknownNameError(f"no metric `{path}`; expected `{TRECEval.name}`")
    return TRECEval()


def _checked(columns: Columns, kind: str) -> dict[str, list[Any]]:
    """The required columns, as lists; topics are strings."""
    wanted = _COLUMNS[kind]
    lacking = [name for name in wanted if name not in columns]
    if lacking:
        raise UsageError(f"{kind}: there is no column `{lacking[0]}`; expected {', '.join(wanted)}")
    lists = {name: list(columns[name]) for name in wanted}
    lengths = {name: len(cells) for name, cells in lists.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"{kind}: columns differ in length: {lengths}")
    if not lists["query"]:
        raise UsageError(f"{kind}: there is no row")
    lists["query"] = [str(topic) for topic in lists["query"]]
    return lists


def _values(run: dict[str, list[Any]], judged: dict[str, list[Any]]) -> dict[str, Any]:
    topics, documents = run["query"], run["docid"]
    qrels = Qrels.from_columns(judged["query"], judged["docid"], judged["rel"])
    relevant = {
        (topic, document)
        for topic, document, grade in zip(judged["query"], judged["docid"], judged["rel"], strict=True)
        if grade > 0
    }
    by_score = _rows(qrels, Run.from_columns(topics, documents, run["score"]), _MEANS, "docid-desc-f32")
    falling = [float(-place) for place in range(len(topics))]
    in_order = _rows(qrels, Run.from_columns(topics, documents, falling), _IN_ORDER, "docid-desc")
    count = len(set(topics))
    means = {
        key: math.fsum(value for value in column if value is not None) / count
        for key, column in (by_score | in_order).items()
    }
    return {
        "runid": run["system"][0],
        "num_ret": len(topics),
        "num_rel": len(relevant),
        "num_rel_ret": sum(pair in relevant for pair in zip(topics, documents, strict=True)),
        "num_q": count,
        "map": means.pop("map"),
        "gm_map": _geometric([value for value in by_score["map"] if value is not None]),
        **means,
    }


def _rows(qrels: Qrels, run: Run, names: dict[str, str], ties: str) -> dict[str, list[float | None]]:
    """Values of the topics in both, by key."""
    keys = list(names)
    evaluator = Evaluator(qrels, list(names.values()), keys=keys, ties=ties, topics="both", undefined="skip")
    return dict(zip(keys, evaluator.rows(run)[1], strict=True))


def _geometric(values: list[float]) -> float:
    if not values:
        return math.nan
    return math.exp(math.fsum(math.log(value or _LEAST_AP) for value in values) / len(values))
