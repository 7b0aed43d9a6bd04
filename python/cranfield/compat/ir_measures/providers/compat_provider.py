"""Compatibility. It is computed here: the original has two orders of equal scores, see `_ideal`."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping

from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers.base import Any, Evaluator, Provider, register

Numbers = Mapping[typing.Any, typing.Any]


class CompatProvider(Provider):
    """Compatibility with an ideal ranking."""

    NAME = "compat"
    SUPPORTED_MEASURES = [measures._Compat(p=Any(), normalize=Any())]

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        measures = list(measures)
        for measure in measures:
            if measure.NAME != "Compat":
                raise ValueError(f"unsupported measure {measure}")
        return CompatEvaluator(measures, QrelsConverter(qrels).as_dict_of_dict())


class CompatEvaluator(Evaluator):
    """Judgements and measures of compatibility."""

    def __init__(self, measures: list[Measure], qrels: Mapping[typing.Any, Numbers]) -> None:
        super().__init__(measures, set(qrels))
        self._qrels = qrels

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        for measure in self.measures:
            for topic, ranking in scores.items():
                if topic in self._qrels:
                    yield Metric(topic, measure, _compatibility(measure, self._qrels[topic], ranking))


def _compatibility(measure: Measure, grades: Numbers, scores: Numbers) -> float:
    ranking = sorted(sorted(scores), key=lambda document: scores[document], reverse=True)
    ideal = _ideal(grades, scores)
    depth = max(len(ranking), len(ideal))
    found = _overlap(ranking, ideal, measure["p"], depth)
    best = _overlap(ideal, ideal, measure["p"], depth) if measure["normalize"] else 0.0
    return found / best if best > 0.0 else found


def _ideal(grades: Numbers, scores: Numbers) -> list[typing.Any]:
    """Relevant documents, highest grade first, then highest score, which is 0 for those that the run lacks.

    Those that are equal in both stay in the order of the judgements; the ranking has them by id.
    """
    relevant = [document for document in grades if grades[document] > 0]
    relevant.sort(key=lambda document: scores.get(document, 0.0), reverse=True)
    return sorted(relevant, key=lambda document: grades[document], reverse=True)


def _overlap(one: list[typing.Any], other: list[typing.Any], p: float, depth: int) -> float:
    """Rank-biased overlap down to a depth."""
    total, weights, weight, common = 0.0, 0.0, 1.0, 0
    seen: tuple[set[typing.Any], set[typing.Any]] = (set(), set())
    for rank in range(depth):
        for place, documents in enumerate((one, other)):
            if rank < len(documents):
                seen[place].add(documents[rank])
                common += documents[rank] in seen[1 - place]
        total += weight * common / (rank + 1)
        weights += weight
        weight *= p
    return total / weights if depth else 0.0


register(CompatProvider())
