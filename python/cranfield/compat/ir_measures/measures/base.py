"""Measures as objects: a name and parameters, which compare by what they print."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.compat.ir_measures._tuples import CalcResults, Metric

if TYPE_CHECKING:
    from cranfield.compat.ir_measures.providers.base import Evaluator, Provider


class _NotProvided:
    """Marks a parameter without a value."""

    def __reduce__(self) -> str:
        return "_NOT_PROVIDED"


_NOT_PROVIDED: Any = _NotProvided()


class Agg(ABC):
    """An aggregate over topics."""

    @abstractmethod
    def add(self, value: float) -> None:
        """Adds the value of a topic."""

    @abstractmethod
    def result(self) -> float:
        """The aggregate of the values so far."""


class MeanAgg(Agg):
    """The mean.

    >>> mean = MeanAgg()
    >>> mean.add(1.0)
    >>> mean.add(0.5)
    >>> mean.result()
    0.75
    """

    def __init__(self, default: float = float("nan")) -> None:
        self.sum = 0.0
        self.count = 0
        self.default = default

    def add(self, value: float) -> None:
        self.sum += value
        self.count += 1

    def result(self) -> float:
        return self.sum / self.count if self.count else self.default


class SumAgg(Agg):
    """The sum."""

    def __init__(self) -> None:
        self.sum: float = 0

    def add(self, value: float) -> None:
        self.sum += value

    def result(self) -> float:
        return self.sum


class ParamInfo:
    """A parameter: its type, whether it is needed, its choices, and its value if none is given."""

    def __init__(
        self,
        dtype: Any = None,
        required: bool = False,
        choices: Any = _NOT_PROVIDED,
        default: Any = _NOT_PROVIDED,
        desc: str | None = None,
    ) -> None:
        self.dtype = dtype
        self.required = required
        self.choices = choices
        self.default = default
        self.desc = desc

    def validate(self, value: Any) -> bool:
        """Whether the parameter may have this value."""
        if value is _NOT_PROVIDED:
            return not self.required
        typed = self.dtype is None or isinstance(value, self.dtype)
        return typed and (self.choices is _NOT_PROVIDED or value in self.choices)


class Measure:
    """A measure; called with parameters, or with `@`, it makes another one.

    >>> from cranfield.compat.ir_measures import nDCG, P
    >>> nDCG @ 10, P(rel=2) @ 5
    (nDCG@10, P(rel=2)@5)
    >>> P(rel=1) @ 5 == P(cutoff=5)
    True
    """

    # Here and in subclasses, classes have an attribute of this name beside their own.
    __name__: str
    NAME: ClassVar[str | None] = None
    # What the number behind the @ is.
    AT_PARAM: ClassVar[str] = "cutoff"
    SUPPORTED_PARAMS: ClassVar[dict[str, ParamInfo]] = {}
    # The value for topics that the run lacks.
    DEFAULT: ClassVar[float] = 0.0

    def __init__(self, **params: Any) -> None:
        self.params = params
        self.validated = False

    def validate_params(self) -> None:
        """Raises an AssertionError if parameters are unknown, missing or wrong."""
        if self.validated:
            return
        if not isinstance(self.params, dict):
            raise AssertionError("params must be dict")
        unknown = [name for name in self.params if name not in self.SUPPORTED_PARAMS]
        if unknown:
            raise AssertionError(f"unsupported params found: {unknown}")
        for name, parameter in self.SUPPORTED_PARAMS.items():
            value = self.params.get(name, _NOT_PROVIDED)
            if not parameter.validate(value):
                raise AssertionError(f"invalid param {name}={value!r}")
        self.validated = True

    def __call__(self, **kwargs: Any) -> Measure:
        return type(self)(**{**self.params, **kwargs})

    def __matmul__(self, at_param: Any) -> Measure:
        return self(**{self.AT_PARAM: at_param})

    def __getitem__(self, key: str) -> Any:
        return self.params.get(key, self.SUPPORTED_PARAMS[key].default)

    def iter_calc(self, qrels: Any, run: Any) -> Iterator[Metric]:
        """The values of topics."""
        self.validate_params()
        return _pipeline().iter_calc([self], qrels, run)

    def calc_aggregate(self, qrels: Any, run: Any) -> float | int:
        """An aggregate over topics.

        >>> from cranfield.compat.ir_measures import RR
        >>> RR.calc_aggregate({"q1": {"d1": 1}}, {"q1": {"d0": 2.0, "d1": 1.0}})
        0.5
        """
        return _pipeline().calc_aggregate([self], qrels, run)[self]

    def calc(self, qrels: Any, run: Any) -> CalcResults:
        """The aggregate over topics, and the values of topics."""
        aggregated, per_query = _pipeline().calc([self], qrels, run)
        assert isinstance(aggregated, dict)
        return CalcResults(aggregated[self], per_query)

    def evaluator(self, qrels: Any) -> Evaluator:
        """An evaluator for any number of runs."""
        return _pipeline().evaluator([self], qrels)

    def __str__(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        shown = [
            f"{name}={self._param_repr(value)}"
            for name, value in self.params.items()
            if name != self.AT_PARAM and value != self.SUPPORTED_PARAMS[name].default
        ]
        behind = f"({','.join(shown)})" if shown else ""
        at = f"@{self.params[self.AT_PARAM]}" if self.AT_PARAM in self.params else ""
        return f"{self.__name__}{behind}{at}"

    def _param_repr(self, v: Any) -> str:
        if isinstance(v, dict):
            # Grades that are their own gains need not be named.
            pairs = (f"{grade}:{gain}" for grade, gain in sorted(v.items()) if grade != gain)
            return "{" + ",".join(pairs) + "}"
        return repr(v)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def aggregator(self) -> Agg:
        """A new aggregator."""
        return MeanAgg()


BaseMeasure = Measure


def _pipeline() -> Provider:
    from cranfield.compat import ir_measures

    return ir_measures.DefaultPipeline


registry: dict[str, Measure] = {}


def register(
    measure: Measure, aliases: Iterable[str] = (), name: str | None = None
) -> dict[str, Measure]:
    """Registers a measure under its name and aliases."""
    for known in (measure.__name__ if name is None else name, *aliases):
        if known in registry:
            raise AssertionError(f"measure {known} is registered already")
        registry[known] = measure
    return registry


def family(
    module: str,
    name: str,
    pretty: str,
    summary: str,
    doc: str,
    params: dict[str, ParamInfo],
    *,
    base: type[Measure] = Measure,
    at: str = Measure.AT_PARAM,
) -> type[Measure]:
    """A class of measures: its module, where it is called `_NAME`, its name, what it is, and its parameters."""
    attributes = {
        "__module__": module,
        "__doc__": doc,
        "__name__": name,
        "NAME": name,
        "PRETTY_NAME": pretty,
        "SHORT_DESC": summary,
        "AT_PARAM": at,
        "SUPPORTED_PARAMS": params,
    }
    return type(f"_{name}", (base,), attributes)
