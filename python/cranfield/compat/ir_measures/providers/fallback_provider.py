"""A chain of providers: the first that supports a measure computes it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator

from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure
from cranfield.compat.ir_measures.providers.base import Evaluator, Provider


class FallbackProvider(Provider):
    """Providers in order of preference."""

    def __init__(self, providers: list[Provider]) -> None:
        super().__init__()
        self.providers = providers

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        asked = list(dict.fromkeys(measures))
        pairs = self._pairs(asked)
        copies = QrelsConverter(qrels).tee(len(pairs))
        evaluators = [
            provider.evaluator(supported, copy.qrels)
            for (provider, supported), copy in zip(pairs, copies, strict=True)
        ]
        return evaluators[0] if len(evaluators) == 1 else FallbackEvaluator(asked, evaluators)

    def _pairs(self, measures: list[Measure]) -> list[tuple[Provider, list[Measure]]]:
        """Providers with the measures that they compute."""
        pairs: list[tuple[Provider, list[Measure]]] = []
        missing: list[Provider] = []
        left = measures
        for provider in self.providers:
            supported = [measure for measure in left if provider.supports(measure)]
            if supported and not provider.is_available():
                missing.append(provider)
            elif supported:
                left = [measure for measure in left if measure not in supported]
                pairs.append((provider, supported))
        if left:
            raise ValueError(_unsupported(left, missing))
        return pairs

    def supports(self, measure: Measure) -> bool:
        """Whether one of the providers computes the measure."""
        return any(
            provider.is_available() and provider.supports(measure) for provider in self.providers
        )

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of a run that the measures need."""
        return self._inputs(measures, lambda provider: provider.run_inputs)

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of judgements that the measures need."""
        return self._inputs(measures, lambda provider: provider.qrel_inputs)

    def _inputs(
        self,
        measures: Iterable[Measure],
        inputs: Callable[[Provider], Callable[[list[Measure]], list[str]]],
    ) -> list[str]:
        found: dict[str, None] = {}
        left = list(measures)
        for provider in self.providers:
            supported = [m for m in left if provider.is_available() and provider.supports(m)]
            if supported:
                found.update(dict.fromkeys(inputs(provider)(supported)))
            left = [measure for measure in left if measure not in supported]
        return list(found)


def _unsupported(measures: list[Measure], missing: list[Provider]) -> str:
    message = f"Unsupported measures {{{', '.join(map(repr, measures))}}}."
    if missing:
        what = "this measure" if len(measures) == 1 else "at least one of these measures"
        message += f" The following providers would support {what}:"
    for provider in missing:
        how = provider.install_instructions()
        message += f"\n - {provider.NAME} ({how})" if how else f"\n - {provider.NAME}"
    return message


class FallbackEvaluator(Evaluator):
    """The evaluators of several providers."""

    def __init__(self, measures: list[Measure], evaluators: list[Evaluator]) -> None:
        super().__init__(measures, evaluators[0].qrel_qids)
        self.evaluators = evaluators

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        copies = RunConverter(run).tee(len(self.evaluators))
        for evaluator, copy in zip(self.evaluators, copies, strict=True):
            yield from evaluator.iter_calc(copy.run)
