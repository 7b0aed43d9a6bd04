"""Diversity measures, as ndeval of the TREC web track computes them."""

from __future__ import annotations

import sys
import typing
from collections.abc import Iterable, Iterator

from cranfield import _core
from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric, Qrel
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Evaluator,
    Provider,
    register,
)

_NAMES = (
    "ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall",
)  # fmt: skip


def _name(measure: Measure) -> str:
    """The name of a measure as the native evaluator reads it."""
    if measure.NAME not in _NAMES:
        raise ValueError(f"unsupported measure {measure}")
    skipped = ("cutoff", "judged_only")
    parameters = [name for name in measure.SUPPORTED_PARAMS if name not in skipped]
    given = ",".join(f"{name}={measure[name]!r}" for name in parameters)
    if "cutoff" not in measure.SUPPORTED_PARAMS:
        return f"{measure.NAME}({given})"
    if measure["cutoff"] is NOT_PROVIDED:
        raise ValueError(f"{measure} needs a cutoff, such as {measure}@20")
    return f"{measure.NAME}({given})@{measure['cutoff']}"


class PyNdEvalProvider(Provider):
    """Diversity measures; `iteration` of a judgement is its subtopic."""

    NAME = "pyndeval"
    SUPPORTED_MEASURES = [
        measures._ERR_IA(cutoff=Any(), rel=Any(), judged_only=Any()),
        measures._nERR_IA(cutoff=Any(), rel=Any(), judged_only=Any()),
        measures._alpha_DCG(cutoff=Any(), alpha=Any(), rel=Any(), judged_only=Any()),
        measures._alpha_nDCG(cutoff=Any(), alpha=Any(), rel=Any(), judged_only=Any()),
        measures._NRBP(alpha=Any(), beta=Any(), rel=Any()),
        measures._nNRBP(alpha=Any(), beta=Any(), rel=Any()),
        measures._AP_IA(rel=Any(), judged_only=Any()),
        measures._P_IA(cutoff=Any(), rel=Any(), judged_only=Any()),
        measures._StRecall(cutoff=Any(), rel=Any()),
    ]

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        named = [(measure, _name(measure)) for measure in measures]
        rows = list(QrelsConverter(qrels).as_namedtuple_iter())
        subtopics = {(row.query_id, getattr(row, "iteration", "0")) for row in rows}
        if len(subtopics) == len({topic for topic, _ in subtopics}):
            sys.stderr.write(
                "WARNING: no topic has more than one subtopic, so that values of diversity are of "
                "little use. Give judgements whose `iteration` is the subtopic.\n"
            )
        return PyNdEvalEvaluator(named, rows)


Scores = dict[typing.Any, dict[typing.Any, typing.Any]]


class PyNdEvalEvaluator(Evaluator):
    """Judgements by subtopic, and diversity measures."""

    def __init__(self, named: list[tuple[Measure, str]], rows: list[Qrel]) -> None:
        super().__init__([measure for measure, _ in named], {row.query_id for row in rows})
        self._named = named
        self._rows = rows
        self._judged = {(row.query_id, row.doc_id) for row in rows}

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        known: dict[bool, dict[typing.Any, dict[str, typing.Any]]] = {}
        for measure, name in self._named:
            judged_only = bool(measure.params.get("judged_only", False))
            if judged_only not in known:
                known[judged_only] = self._values(self._some(scores, judged_only))
            for topic, values in known[judged_only].items():
                value = values[name]
                yield Metric(topic, measure, 0.0 if value is None else value)

    def _some(self, scores: Scores, judged_only: bool) -> Scores:
        """Rankings of judged topics, if asked for without documents that no subtopic has a judgement of."""
        if judged_only:
            scores = {
                topic: {doc: score for doc, score in docs.items() if (topic, doc) in self._judged}
                for topic, docs in scores.items()
            }
        return {topic: docs for topic, docs in scores.items() if docs and topic in self.qrel_qids}

    def _values(self, scores: Scores) -> dict[typing.Any, dict[str, typing.Any]]:
        """By topic and name. Numbers replace ids, which may be of any type."""
        if not scores:
            return {}
        topics = {topic: str(number) for number, topic in enumerate(scores)}
        documents = {document for docs in scores.values() for document in docs}
        documents.update(row.doc_id for row in self._rows)
        # Equal scores are in the order of the ids.
        width = len(str(len(documents)))
        places = {document: f"{place:0{width}}" for place, document in enumerate(sorted(documents))}
        run = {
            number: {places[document]: float(score) for document, score in scores[topic].items()}
            for topic, number in topics.items()
        }
        asked = list(dict.fromkeys(name for _, name in self._named))
        inputs = _core.Inputs.of_groups(self._judgements(topics, places), [_core.Run.from_dict(run)])
        evaluation = _core.evaluate(inputs, asked, profile="ir_measures", policies={"topics": "both"})
        rows = evaluation.topics(evaluation.runs[0])
        found = {topic: rows[number].values() for topic, number in topics.items()}
        return {topic: dict(zip(asked, values, strict=True)) for topic, values in found.items()}

    def _judgements(
        self, topics: dict[typing.Any, str], places: dict[typing.Any, str]
    ) -> list[tuple[str, str, str, float]]:
        subtopics: dict[typing.Any, str] = {}
        kept: dict[tuple[str, str, str], float] = {}
        for row in self._rows:
            if row.query_id in topics:
                subtopic = getattr(row, "iteration", "0")
                subtopic = subtopics.setdefault(subtopic, str(len(subtopics)))
                kept[topics[row.query_id], subtopic, places[row.doc_id]] = float(row.relevance)
        return [(*key, grade) for key, grade in kept.items()]


register(PyNdEvalProvider())
