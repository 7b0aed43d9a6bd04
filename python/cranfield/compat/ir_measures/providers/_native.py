"""Shared code for providers: values of topics from the native evaluator, for ids and scores of any type."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cranfield import _core
from cranfield._errors import CranfieldError
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers.base import NOT_PROVIDED

# Ranks have 32 bits: this is the whole ranking.
LAST_RANK = 2**32 - 1

Grades = Mapping[Any, Mapping[Any, Any]]


def at(measure: Measure) -> str:
    """The cutoff of a measure as names have it, if there is one."""
    cutoff = measure["cutoff"]
    return "" if cutoff is NOT_PROVIDED else f"@{min(cutoff, LAST_RANK)}"


def judged(qrels: Grades) -> Grades:
    """Judgements without topics that have none."""
    return {topic: grades for topic, grades in qrels.items() if grades}


def regraded(qrels: Grades, grade: Callable[[Any], float]) -> dict[Any, dict[Any, float]]:
    """Judgements with other grades."""
    return {
        topic: {document: grade(value) for document, value in grades.items()}
        for topic, grades in qrels.items()
    }


def binary(qrels: Grades, level: float) -> dict[Any, dict[Any, float]]:
    """Judgements with grade 1 from a level on, and 0 below."""
    return regraded(qrels, lambda grade: 1.0 if grade >= level else 0.0)


class Native:
    """Judgements and names of measures."""

    def __init__(
        self, qrels: Grades, names: Sequence[str], *, profile: str = "cranfield", **policies: str
    ) -> None:
        options: dict[str, Any] = {"profile": profile, **policies}
        keys = [str(number) for number in range(len(names))]
        try:
            self._evaluator = _core.Evaluator(qrels, names, keys=keys, **options)
        except TypeError:
            self._evaluator = _core.Evaluator(_plain(qrels), names, keys=keys, **options)

    def topics(self, run: Grades) -> Iterator[tuple[Any, list[Any]]]:
        """The values of each topic that judgements and run have, in the order of the run; None is undefined."""
        try:
            results = self._evaluator.evaluate(run)
        except CranfieldError:
            # Ids that are no texts, or scores that are not finite.
            results = self._evaluator.evaluate(_plain(run), exact=True)
        for topic in run:
            values = results.get(_text(topic))
            if values is not None:
                # What is undefined is not a number if the run is read exactly.
                yield topic, [None if value != value else value for value in values.values()]


def _plain(numbers: Grades) -> dict[str, dict[str, float]]:
    # The sign is changed twice: a text, which would be read as a number, has none.
    return {
        _text(topic): {_text(document): -float(-number) for document, number in inner.items()}
        for topic, inner in numbers.items()
    }


def _text(identifier: Any) -> str:
    """A text for an id of any type; those of whole numbers are in the order of the numbers."""
    if isinstance(identifier, str):
        return identifier
    if isinstance(identifier, int):
        return f"\0{identifier + 2**63:020d}"
    return f"\0{identifier!r}"
