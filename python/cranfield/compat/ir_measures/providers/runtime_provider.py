"""User-defined measures, as functions of pandas frames."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator

from cranfield.compat.ir_measures._convert import QrelsConverter, RunConverter
from cranfield.compat.ir_measures._tuples import Metric
from cranfield.compat.ir_measures.measures.base import Measure, ParamInfo
from cranfield.compat.ir_measures.providers.base import Evaluator, Provider, register

# A frame of pandas, which is imported when one is needed.
Frame = typing.Any


class RuntimeProvider(Provider):
    """Measures of `define` and `define_byquery`."""

    NAME = "runtime"

    def supports(self, measure: Measure) -> bool:
        """Whether the measure is user-defined."""
        measure.validate_params()
        return hasattr(measure, "runtime_impl")

    def _evaluator(self, measures: Iterable[Measure], qrels: typing.Any) -> Evaluator:
        frame = QrelsConverter(qrels, strict=False).as_pd_dataframe()
        _check(frame, "qrels")
        columns = [name for name in ("query_id", "doc_id") if name in frame.columns]
        return RuntimeEvaluator(measures, frame.sort_values(by=columns))

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of a run that the measures need."""
        return _inputs(measures, "RUN_INPUTS")

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        """The columns of judgements that the measures need."""
        return _inputs(measures, "QREL_INPUTS")


def _inputs(measures: Iterable[Measure], attribute: str) -> list[str]:
    columns = [column for measure in measures for column in getattr(measure, attribute, ())]
    return list(dict.fromkeys(columns))


def _check(frame: Frame, what: str) -> None:
    if "query_id" not in frame.columns:
        found = frame.columns.to_list()
        message = f"Required column query_id not found in {what}. Found columns was {found}"
        raise ValueError(message)


class RuntimeEvaluator(Evaluator):
    """Judgements, in the order of topics and documents, and measures of a user."""

    def __init__(self, measures: Iterable[Measure], qrels: Frame) -> None:
        super().__init__(measures, set(qrels["query_id"].unique()))
        self.qrels = qrels

    def _iter_calc(self, run: typing.Any) -> Iterator[Metric]:
        frame = RunConverter(run, strict=False).as_pd_dataframe()
        _check(frame, "run")
        columns = [name for name in ("query_id", "score") if name in frame.columns]
        orders = [name == "query_id" for name in columns]
        frame = frame.sort_values(by=columns, ascending=orders)
        for measure in self.measures:
            impl: Callable[..., Iterator[Metric]] = getattr(measure, "runtime_impl")  # noqa: B009
            yield from impl(self.qrels, frame)


class _Defined(Measure):
    """Base class of user-defined measures."""

    _impl: typing.ClassVar[Callable[..., typing.Any]]

    def runtime_impl(self, qrels: Frame, run: Frame) -> Iterator[Metric]:
        """The values of topics, of frames in the order of topics and scores."""
        cutoff = self.params.get("cutoff")
        if cutoff is not None:
            run = run.groupby("query_id").head(cutoff).reset_index(drop=True)
        for topic, value in type(self)._impl(qrels, run):
            yield Metric(topic, self, value)

    def __repr__(self) -> str:
        return object.__repr__(self) if self.NAME is None else super().__repr__()


def define(
    impl: Callable[[Frame, Frame], Iterable[tuple[str, float]]],
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: list[str] | None = None,
    qrel_inputs: list[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure from a function of all topics: it gets judgements and run, and gives topics with values.

    Args:
        impl: the function; it gets frames with the columns of `Qrel` and `ScoredDoc`.
        name: what the measure prints as.
        support_cutoff: whether `@k` hands only the first k documents to the function.
        run_inputs: columns that a run must have.
        qrel_inputs: columns that judgements must have.
        pretty_name: a name for people.
        short_desc: a sentence about the measure.
    """
    cutoff = ParamInfo(dtype=int, desc="number of documents from the top that count")
    body = {
        "__doc__": short_desc,
        "__name__": name,
        "NAME": name,
        "PRETTY_NAME": pretty_name,
        "SHORT_DESC": short_desc,
        "SUPPORTED_PARAMS": {"cutoff": cutoff} if support_cutoff else {},
        "RUN_INPUTS": ["query_id", "doc_id", "score"] if run_inputs is None else run_inputs,
        "QREL_INPUTS": ["query_id", "doc_id", "relevance"] if qrel_inputs is None else qrel_inputs,
        "_impl": staticmethod(impl),
    }
    defined: Measure = type("_RuntimeMeasure", (_Defined,), body)()
    return defined


def define_byquery(
    impl: Callable[[Frame, Frame], float],
    name: str | None = None,
    support_cutoff: bool = True,
    *,
    run_inputs: list[str] | None = None,
    qrel_inputs: list[str] | None = None,
    pretty_name: str | None = None,
    short_desc: str | None = None,
) -> Measure:
    """A measure from a function that gets the judgements and the run of one topic, and gives its value.

    The arguments are those of `define`; without a name, the function's is taken.
    """

    def topics(qrels: Frame, run: Frame) -> Iterator[tuple[str, float]]:
        for topic, ranking in run.groupby("query_id"):
            yield topic, impl(qrels[qrels["query_id"] == topic], ranking)

    return define(
        topics,
        getattr(impl, "__name__", repr(impl)) if name is None else name,
        support_cutoff,
        run_inputs=run_inputs,
        qrel_inputs=qrel_inputs,
        pretty_name=pretty_name,
        short_desc=short_desc,
    )


register(RuntimeProvider())
