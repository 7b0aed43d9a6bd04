"""Providers, which compute measures, and their evaluators."""

from __future__ import annotations

import contextlib
import typing
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from cranfield.compat.ir_measures._tuples import CalcResults, Metric
from cranfield.compat.ir_measures.measures.base import _NOT_PROVIDED, Measure

NOT_PROVIDED = _NOT_PROVIDED


class Evaluator:
    """Evaluates runs with fixed judgements and measures. Subclasses implement `_iter_calc`."""

    def __init__(self, measures: Iterable[Measure], qrel_qids: Iterable[typing.Any]) -> None:
        self.measures = measures
        self.qrel_qids = qrel_qids

    def iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        """The values of topics. Judged topics that are missing from the run come last."""
        expected = {(measure, topic) for measure in self.measures for topic in self.qrel_qids}
        for metric in self._iter_calc(run):
            expected.discard((metric.measure, metric.query_id))
            yield metric
        for measure, topic in sorted(expected, key=lambda pair: (str(pair[0]), pair[1])):
            yield Metric(query_id=topic, measure=measure, value=measure.DEFAULT)

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        raise NotImplementedError

    def calc_aggregate(self, run: typing.Any) -> dict[Measure, float | int]:
        """The aggregate over topics, by measure."""
        return self._calc(run, lambda metric: None)

    def calc(self, run: typing.Any) -> CalcResults:
        """The aggregate over topics, and the values of topics."""
        metrics: list[Metric] = []
        return CalcResults(self._calc(run, metrics.append), metrics)

    def _calc(
        self, run: typing.Any, each: Callable[[Metric], None]
    ) -> dict[Measure, float | int]:
        aggregators = {measure: measure.aggregator() for measure in self.measures}
        for metric in self.iter_calc(run):
            aggregators[metric.measure].add(metric.value)
            each(metric)
        return {measure: aggregator.result() for measure, aggregator in aggregators.items()}


class Provider:
    """Computes measures. Subclasses have a name and a list of measures, and implement `_evaluator`."""

    NAME: ClassVar[str]
    SUPPORTED_MEASURES: ClassVar[list[Measure]] = []

    def __init__(self) -> None:
        self._is_available: bool | None = None

    def _check_available(self) -> None:
        if not self.is_available():
            how = self.install_instructions()
            more = f" To install:\n  {how}" if how else how
            raise RuntimeError(f"Provider {self.NAME} is not available.{more}")

    def evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        """Evaluates any number of runs with fixed judgements and measures."""
        self._check_available()
        return self._evaluator(measures, qrels)

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        raise NotImplementedError

    @contextlib.contextmanager
    def calc_ctxt(
        self, measures: Iterable[Measure], qrels: typing.Any
    ) -> Iterator[Callable[[typing.Any], Iterator[Metric]]]:
        """The old form of `evaluator`."""
        text = "calc_ctxt deprecated in 0.2.0. Please use .evaluator(measures, qrels) instead."
        warnings.warn(text, DeprecationWarning, stacklevel=3)
        yield self.evaluator(measures, qrels).iter_calc

    def iter_calc(
        self, measures: Iterable[Measure], qrels: typing.Any, run: typing.Any
    ) -> Iterator[Metric]:
        """The values of topics."""
        self._check_available()
        return self._iter_calc(measures, qrels, run)

    def _iter_calc(
        self, measures: Iterable[Measure], qrels: typing.Any, run: typing.Any
    ) -> Iterator[Metric]:
        return self._evaluator(measures, qrels).iter_calc(run)

    def calc_aggregate(
        self, measures: Iterable[Measure], qrels: typing.Any, run: typing.Any
    ) -> dict[Measure, float | int]:
        """The aggregate over topics, by measure."""
        return self.evaluator(measures, qrels).calc_aggregate(run)

    def calc(
        self, measures: Iterable[Measure], qrels: typing.Any, run: typing.Any
    ) -> CalcResults:
        """The aggregate over topics, and the values of topics."""
        return self.evaluator(measures, qrels).calc(run)

    def supports(self, measure: Measure) -> bool:
        """Whether the provider supports the measure with these parameters."""
        measure.validate_params()
        same = (known for known in self.SUPPORTED_MEASURES if known.NAME == measure.NAME)
        return any(
            all(spec.validate(measure[name]) for name, spec in known.params.items())
            for known in same
        )

    def is_available(self) -> bool:
        """Whether the provider's requirements are installed."""
        if self._is_available is None:
            try:
                self.initialize()
                self._is_available = True
            except RuntimeError:
                self._is_available = False
        return self._is_available

    def initialize(self) -> None:
        """Raises a RuntimeError if something is missing."""

    def install_instructions(self) -> str | None:
        """How to install what is missing."""
        return None

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of a run that the measures need."""
        return ["query_id", "doc_id", "score"]

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of judgements that the measures need."""
        return ["query_id", "doc_id", "relevance"]


class ParamSpec:
    """The values of a parameter that a provider supports."""

    def validate(self, value: typing.Any) -> bool:
        """Whether a value is supported."""
        raise NotImplementedError


class Any(ParamSpec):
    """All values, or all but none."""

    def __init__(self, required: bool = False) -> None:
        self.required = required

    def validate(self, value: typing.Any) -> bool:
        return not self.required or value is not NOT_PROVIDED

    def __repr__(self) -> str:
        return "REQUIRED" if self.required else "ANY"


class Choices(ParamSpec):
    """Some values."""

    def __init__(self, *args: typing.Any) -> None:
        self.choices = args

    def validate(self, value: typing.Any) -> bool:
        return value in self.choices

    def __repr__(self) -> str:
        if len(self.choices) != 1:
            return repr(self.choices)
        return "NOT_PROVIDED" if self.choices[0] is NOT_PROVIDED else repr(self.choices[0])


registry: dict[str, Provider] = {}

P = typing.TypeVar("P", bound=Provider)


def register(provider: P) -> P:
    """Registers a provider under its name."""
    registry[provider.NAME] = provider
    return provider
