"""`pytrec_eval` (pytrec-eval-terrier 0.5.11): change the import and keep the script.

The same keys, values, types and exceptions; what differs on purpose is in docs/compat/pytrec_eval.md.

>>> qrel = {"q1": {"d1": 0, "d2": 1}}
>>> run = {"q1": {"d1": 1.0, "d2": 0.5}}
>>> RelevanceEvaluator(qrel, {"recip_rank", "P_5"}).evaluate(run) == {"q1": {"recip_rank": 0.5, "P_5": 0.2}}
True
"""

from __future__ import annotations

import collections
import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cranfield import _core

__version__ = "0.5.11"

__all__ = [
    "RelevanceEvaluator",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

# Version 9 of trec_eval lacks these measures of version 10.
_NEWER = {"rbp", "rbp_resid", "unj"}


def _measures_of(group: str) -> set[str]:
    rows = _core.trec_names()
    return {name for name, groups in rows if group in groups and name not in _NEWER}


supported_nicknames: dict[str, set[str]] = {
    group: _measures_of(group)
    for group in ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")
}

supported_measures: set[str] = set(supported_nicknames["all_trec"])


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """Reads lines `topic Q0 document rank score tag`.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    run: dict[str, dict[str, float]] = collections.defaultdict(dict)
    for line in f_run:
        query_id, _, object_id, _, score, _ = line.strip().split()
        assert object_id not in run[query_id]
        run[query_id][object_id] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """Reads lines `topic 0 document grade`.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    qrel: dict[str, dict[str, int]] = collections.defaultdict(dict)
    for line in f_qrel:
        query_id, _, object_id, relevance = line.strip().split()
        assert object_id not in qrel[query_id]
        qrel[query_id][object_id] = int(relevance)
    return qrel


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """The sum, the geometric mean (of logarithms) or the mean, by the name of the measure.

    >>> compute_aggregated_measure("num_ret", [1.0, 2.0])
    3.0
    """
    total = math.fsum(values)
    if measure.startswith("num_"):
        return total
    if not len(values):
        return math.nan
    mean = total / len(values)
    return math.exp(mean) if measure.startswith("gm_") else mean


# A number, or several with commas, behind a dot or an underscore; what follows is ignored.
_PARAMETERS = re.compile(r"[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")

_CUTOFFS = {
    "P": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "recall": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "relative_P": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "map_cut": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "ndcg_cut": (5, 10, 15, 20, 30, 100, 200, 500, 1000),
    "success": (1, 5, 10),
}
_POINTS = {
    "iprec_at_recall": tuple(tenth / 10 for tenth in range(11)),
    "Rprec_mult": tuple(tenth / 5 for tenth in range(1, 11)),
}
# Lists of numbers that are one measure together, and how many of them are read.
_FLOATS = {"set_F": 1, "utility": None, "11pt_avg": None}
# Pairs of grades and gains, which these names cannot say.
_PAIRS = {"ndcg", "ndcg_rel", "Rndcg", "G"}
# Texts, of which the original returns a number that was never set.
_TEXTS = {"runid", "relstring"}
# Geometric means, of which the original returns the logarithm that is added up for a topic.
_LOGARITHMS = {"gm_map", "gm_bpref"}


def _columns(base: str, parameters: set[str]) -> list[tuple[str, str]]:
    """Keys of results and names of measures behind a name with parameters."""
    if base in _CUTOFFS:
        given = {int(text.partition(".")[0]) for text in parameters}
        cutoffs = sorted(given or _CUTOFFS[base])
        if cutoffs[0] < 1:
            raise TypeError("Unable to resolve all measures.")
        return [(f"{base}_{cutoff}", f"{base}.{cutoff}") for cutoff in cutoffs]
    if base in _POINTS:
        points = sorted({float(text) for text in parameters} or _POINTS[base])
        return [(f"{base}{f'_{point:.2f}'[:9]}", f"{base}.{point!r}") for point in points]
    if base in _FLOATS and parameters:
        # The original puts them in the order of their texts, and takes as many as it needs.
        numbers = sorted(parameters)[: _FLOATS[base]]
        return [(base, f"{base}.{','.join(numbers)}")]
    if base in _PAIRS and parameters:
        raise TypeError("Unable to resolve all measures.")
    return [(base, base)]


class RelevanceEvaluator:
    """Evaluates any number of runs with fixed judgements and measures.

    Args:
        query_relevance: grades (ints) by topic and document.
        measures: names, nicknames, or names with parameters (``P_5``, ``ndcg_cut.5,10``).
        relevance_level: least grade that counts as relevant.
        judged_docs_only_flag: leave unjudged documents out of rankings.
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        combined = self._combine_measures(self._expand_nicknames(measures))
        judged = {
            topic: grades for topic, grades in query_relevance.items() if len(grades) > 0
        }
        level, judged_only = _whole(relevance_level), _whole(judged_docs_only_flag)
        if level == 0:
            raise TypeError("Argument relevance_level should be positive.")
        columns = [
            column
            for base, parameters in _in_order(combined)
            for column in _columns(base, parameters)
        ]
        self._keys = [key for key, _ in columns]
        computed = [column for column in columns if column[0] not in _TEXTS]
        self._as_computed = computed == columns and not _LOGARITHMS & set(self._keys)
        # Without any measure there is still the question which topics count.
        names = [name for _, name in computed] or ["num_q"]
        try:
            self._evaluator = _core.Evaluator(
                judged,
                names,
                profile="trec_eval-9",
                # The original's level has no sign: one below 0 is one that no grade reaches.
                level=float(level % 2**32),
                unjudged="condensed" if judged_only else None,
                exact=True,
                keys=[key for key, _ in computed] or ["num_q"],
            )
        except TypeError:
            raise TypeError(_why(judged)) from None

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Values by topic and measure, for topics in both the judgements and `scores`."""
        if not scores:
            return {}
        if not isinstance(scores, dict):
            raise TypeError("Argument object scores should be of type dictionary.")
        try:
            found: dict[str, dict[str, float]] = self._evaluator.evaluate(scores, exact=True)
        except TypeError:
            raise TypeError("Unable to extract query/object scores.") from None
        # The original has the topics in the order of the run.
        results = {topic: found[topic] for topic in scores if topic in found}
        if self._as_computed and self._keys:
            return results
        return {
            topic: {key: _value(key, values.get(key, 0.0)) for key in self._keys}
            for topic, values in results.items()
        }

    def _expand_nicknames(self, measures: Iterable[str]) -> set[str]:
        result: set[str] = set()
        for measure in measures:
            result.update(supported_nicknames.get(measure, {measure}))
        return result

    def _combine_measures(self, measures: Iterable[str]) -> set[str]:
        combined: dict[str, set[str]] = collections.defaultdict(set)
        for measure in measures:
            if measure in supported_measures or measure in supported_nicknames:
                combined[measure].update(())
                continue
            found = _with_parameters(measure)
            if found is None:
                raise ValueError(f"unsupported measure {measure}")
            base, parameters = found
            combined[base].update(parameters)
        return {
            f"{base}.{','.join(sorted(parameters))}" if parameters else base
            for base, parameters in combined.items()
        }


def _whole(option: Any) -> int:
    """An option as the original accepts it: anything that converts to a 32-bit integer."""
    try:
        number = operator.index(option)
    except TypeError:
        number = None
    if number is None or not -(2**31) <= number < 2**31:
        raise TypeError("Expected object_relevance_per_qid dictionary and measures set.")
    return number


def _value(key: str, value: float) -> float:
    return math.log(max(value, 0.00001)) if key in _LOGARITHMS else value


def _with_parameters(measure: str) -> tuple[str, list[str]] | None:
    re.match("", measure)  # the original's error for what is no text
    for base in supported_measures:
        found = _PARAMETERS.match(measure, len(base)) if measure.startswith(base) else None
        if found is not None:
            return base, found.group(1).split(",")
    return None


_ORDER = {name: place for place, (name, _) in enumerate(_core.trec_names())}


def _in_order(combined: set[str]) -> list[tuple[str, set[str]]]:
    """Names and parameters, in the order in which trec_eval prints its measures."""
    split = (measure.partition(".") for measure in combined)
    named = [(base, set(rest.split(",")) if rest else set()) for base, _, rest in split]
    return sorted(named, key=lambda item: _ORDER.get(item[0], len(_ORDER)))


def _why(judged: Mapping[Any, Any]) -> str:
    """The original's error for judgements that it cannot read."""
    for topic, grades in judged.items():
        if not isinstance(topic, str):
            return "Expected string as key."
        if not isinstance(grades, dict):
            return "Expected dictionary as value."
        for document, grade in grades.items():
            if not isinstance(document, str):
                return "Expected mapping of document id to query relevance or matching score."
            if not isinstance(grade, int):
                return "Expected relevance to be integer."
    return "Expected object_relevance_per_qid dictionary and measures set."
