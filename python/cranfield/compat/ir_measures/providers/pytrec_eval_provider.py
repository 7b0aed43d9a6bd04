"""Measures of trec_eval, as `pytrec_eval` computes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any as Object
from typing import NamedTuple

from cranfield.compat import pytrec_eval
from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers.base import (
    NOT_PROVIDED,
    Any,
    Choices,
    Evaluator,
    Provider,
    register,
)


class _Asked(NamedTuple):
    """A measure of trec_eval: its name there, the name that results have, and the options that it needs."""

    name: str
    key: str
    level: Object = 1
    judged_only: Object = False
    gains: Object = None
    # Of set_F there is one in a call.
    place: int = 0


_PLAIN = {
    "RR": "recip_rank",
    "Rprec": "Rprec",
    "infAP": "infAP",
    "Bpref": "bpref",
    "NumQ": "num_q",
    "NumRel": "num_rel",
    "SetAP": "set_map",
    "SetR": "set_recall",
}
_CUT = {"P": "P", "R": "recall", "Success": "success"}
_CUT_OR_NOT = {"AP": ("map", "map_cut"), "nDCG": ("ndcg", "ndcg_cut")}


def _name(measure: Measure) -> str:
    name = str(measure.NAME)
    if name in _PLAIN:
        return _PLAIN[name]
    if name in _CUT:
        return f"{_CUT[name]}_{measure['cutoff']}"
    if name in _CUT_OR_NOT:
        whole, cut = _CUT_OR_NOT[name]
        return whole if measure["cutoff"] is NOT_PROVIDED else f"{cut}_{measure['cutoff']}"
    if name == "NumRet":
        return "num_ret" if measure["rel"] is NOT_PROVIDED else "num_rel_ret"
    if name == "SetP":
        return "set_relative_P" if measure["relative"] else "set_P"
    if name == "SetF":
        return "set_F" if measure["beta"] == 1.0 else f"set_F_{measure['beta']}"
    if name == "IPrec":
        return f"iprec_at_recall_{measure['recall']:.2f}"
    raise ValueError(f"unsupported measure {measure}")


def _asked(measure: Measure, place: int) -> _Asked:
    name, parameters = _name(measure), measure.SUPPORTED_PARAMS
    level = measure["rel"] if "rel" in parameters else 1
    gains = measure["gains"] if "gains" in parameters else NOT_PROVIDED
    return _Asked(
        name,
        "set_F" if measure.NAME == "SetF" else name,
        1 if level is NOT_PROVIDED else level,
        bool(measure["judged_only"]) if "judged_only" in parameters else False,
        None if gains is NOT_PROVIDED else frozenset(gains.items()),
        place if measure.NAME == "SetF" else 0,
    )


class PytrecEvalProvider(Provider):
    """Measures of trec_eval.

    >>> from cranfield.compat.ir_measures import P, pytrec_eval
    >>> pytrec_eval.calc_aggregate([P @ 2], {"q1": {"d1": 1}}, {"q1": {"d1": 1.0}})
    {P@2: 0.5}
    """

    NAME = "pytrec_eval"
    SUPPORTED_MEASURES = [
        measures._P(cutoff=Any(), rel=Any(), judged_only=Any()),
        measures._RR(cutoff=Choices(NOT_PROVIDED), rel=Any(), judged_only=Any()),
        measures._Rprec(rel=Any(), judged_only=Any()),
        measures._AP(cutoff=Any(), rel=Any(), judged_only=Any()),
        measures._nDCG(cutoff=Any(), dcg=Choices("log2"), gains=Any(), judged_only=Any()),
        measures._R(cutoff=Any(), judged_only=Any()),
        measures._Bpref(rel=Any()),
        measures._NumRet(rel=Any()),
        measures._NumQ(),
        # The level of trec_eval does not change its number of relevant documents.
        measures._NumRel(rel=Choices(1)),
        measures._SetAP(rel=Any(), judged_only=Any()),
        measures._SetF(rel=Any(), beta=Any(), judged_only=Any()),
        measures._SetP(rel=Any(), relative=Any(), judged_only=Any()),
        measures._SetR(rel=Any()),
        measures._Success(rel=Any(), cutoff=Any(), judged_only=Any()),
        measures._IPrec(recall=Any(), judged_only=Any()),
        measures._infAP(rel=Any()),
    ]

    def _evaluator(self, measures: Iterable[Measure], qrels: Object) -> Evaluator:
        grades = QrelsConverter(qrels).as_dict_of_dict()
        groups: dict[_Asked, dict[str, list[tuple[Measure, str]]]] = {}
        measures = list(measures)
        for place, measure in enumerate(measures):
            asked = _asked(measure, place)
            group = groups.setdefault(asked._replace(name="", key=""), {})
            group.setdefault(asked.key, []).append((measure, asked.name))
        invokers = [_Invoker(grades, options, group) for options, group in groups.items()]
        return PytrecEvalEvaluator(measures, invokers, grades)


class _Invoker:
    """Measures with the same options."""

    def __init__(
        self,
        qrels: dict[Object, dict[Object, Object]],
        options: _Asked,
        group: dict[str, list[tuple[Measure, str]]],
    ) -> None:
        if options.gains is not None:
            gains = dict(options.gains)
            qrels = {
                topic: {document: gains.get(grade, grade) for document, grade in grades.items()}
                for topic, grades in qrels.items()
            }
        self._group = group
        self._evaluator = pytrec_eval.RelevanceEvaluator(
            qrels,
            [name for asked in group.values() for _, name in asked],
            relevance_level=options.level,
            judged_docs_only_flag=options.judged_only,
        )

    def iter_calc(self, run: dict[Object, dict[Object, Object]]) -> Iterator[Metric]:
        results = self._evaluator.evaluate(run)
        for topic in run:
            for key, value in results.get(topic, {}).items():
                for measure, _ in self._group[key]:
                    yield Metric(topic, measure, value)


class PytrecEvalEvaluator(Evaluator):
    """Judgements and measures of trec_eval."""

    def __init__(
        self,
        measures: Iterable[Measure],
        invokers: list[_Invoker],
        qrels: dict[Object, dict[Object, Object]],
    ) -> None:
        super().__init__(measures, set(qrels))
        self.invokers = invokers

    def _iter_calc(self, run: Object) -> Iterator[Metric]:
        scores = RunConverter(run).as_dict_of_dict()
        for invoker in self.invokers:
            yield from invoker.iter_calc(scores)


register(PytrecEvalProvider())
