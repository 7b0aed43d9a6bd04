"""Custom measures: Python functions, and expressions over built-in measures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

from cranfield import _core
from cranfield._core import Evaluation, Qrels, Run
from cranfield._errors import InputTypeError, MeasureError, UsageError
from cranfield._flags import plain
from cranfield._progress import Watch, reported


class Context(NamedTuple):
    """Data for a custom measure, in addition to topic and grades."""

    run: str
    """The name of the run."""
    documents: list[str]
    """The document ids in rank order, one per grade."""
    judgements: dict[str, float]
    """The grades of all judged documents of the topic, retrieved or not."""

    def relevant(self, level: float = 1) -> int:
        """The number of documents in the judgements with a grade of at least `level`."""
        return sum(grade >= level for grade in self.judgements.values())


Function: TypeAlias = Callable[[str, list[float | None], Context], float | None]
"""Maps a topic id, the grades in rank order (`None`: unjudged) and a context to a value, or `None` if it is undefined."""


@dataclass(frozen=True)
class CustomMeasure:
    """A measure computed by a function. It prints as its name."""

    name: str
    """The name, as results have it."""
    function: Function = field(repr=False)
    """Computes the value of a topic."""
    higher_is_better: bool | None = True
    """Whether a larger value is a better one; `None` if neither is."""

    _computed_in_python = True

    def __post_init__(self) -> None:
        _check(self.name, self.higher_is_better)
        if not callable(self.function):
            raise UsageError(f"measure `{self.name}`: a {type(self.function).__name__} cannot be called")

    def __str__(self) -> str:
        return self.name

    def __call__(self, topic: str, grades: list[float | None], context: Context) -> float | None:
        """Calls the function for a topic and checks the result."""
        try:
            value = self.function(topic, grades, context)
        except Exception as why:
            raise self._error(topic, context, f"{type(why).__name__}: {why}") from why
        if value is None:
            return None
        try:
            number = _number(value)
        except OverflowError:
            number = math.inf
        except (TypeError, ValueError):
            found = f"returned a {type(value).__name__}; expected a number, or None where it is undefined"
            raise self._error(topic, context, found) from None
        if not math.isfinite(number):
            found = f"returned {number}; expected a finite number, or None where it is undefined"
            raise self._error(topic, context, found)
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        # After decoration, the function's qualified name refers to this measure, so pickle that name.
        place = getattr(self.function, "__module__", ""), getattr(self.function, "__qualname__", "")
        try:
            if _decorated(*place) is self:
                return _decorated, place
        except (AttributeError, ImportError, ValueError):
            pass
        return CustomMeasure, (self.name, self.function, self.higher_is_better)

    def _error(self, topic: str, context: Context, what: str) -> MeasureError:
        return MeasureError(f"measure `{self.name}`, run `{context.run}`, topic `{topic}`: {what}")


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise TypeError("expected a number, not a string")
    return float(value)


def _decorated(module: str, name: str) -> Any:
    """The object with this qualified name."""
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def custom_measure(
    name: str, function: Function | None = None, *, higher_is_better: bool | None = True
) -> Any:
    """Makes a measure from a function. Without `function`, returns a decorator.

    The function is called for each topic, with the topic's id, the grades in rank order (`None` for unjudged documents), and a
    `Context`. It returns a number, or `None` if the measure is undefined.

    >>> @custom_measure("First")
    ... def first(topic, grades, context):
    ...     return grades[0] or 0 if grades else 0
    >>> from cranfield import evaluate
    >>> qrels = {"q1": {"d1": 2, "d2": 0}}
    >>> evaluate(qrels, {"q1": {"d1": 2.0, "d2": 1.0}}, [first, "RR"]).to_dict()
    {'run': {'First': 2.0, 'RR': 1.0}}
    """
    if function is not None:
        return CustomMeasure(name, function, higher_is_better)
    return lambda function: CustomMeasure(name, function, higher_is_better)


@dataclass(frozen=True)
class Expression:
    """A measure computed from the values of other measures, topic by topic.

    An expression consists of numbers, measures, `+`, `-`, `*`, `/` and parentheses. It is undefined if one of its measures is,
    or if it divides by zero. It prints as its name, which is the expression by default.

    >>> from cranfield import evaluate
    >>> mixed = Expression("0.5*P@1 + 0.5*RR", name="mixed")
    >>> evaluate({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}, [mixed]).to_dict()
    {'run': {'mixed': 0.25}}
    """

    text: str
    """The expression."""
    name: str = ""
    """The name, as results have it."""
    higher_is_better: bool | None = True
    """Whether a larger value is a better one; `None` if neither is."""
    parts: tuple[str, ...] = field(init=False, repr=False, default=())
    """The names of the measures in the expression."""
    _steps: tuple[_Step, ...] = field(init=False, repr=False, compare=False, default=())

    _computed_in_python = True

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise InputTypeError(f"an expression is {self.text!r}; expected a str such as '0.5*P@1 + 0.5*RR'")
        steps = tuple(_Reader(self.text).steps())
        parts = dict.fromkeys(step for step in steps if isinstance(step, str) and step not in _OPERATORS)
        if not parts:
            raise UsageError(f"`{self.text}` contains no measure")
        object.__setattr__(self, "name", self.name or " ".join(self.text.split()))
        object.__setattr__(self, "parts", tuple(parts))
        object.__setattr__(self, "_steps", steps)
        _check(self.name, self.higher_is_better)

    def __str__(self) -> str:
        return self.name

    def value(self, values: Mapping[str, float | None]) -> float | None:
        """Computes the value of a topic from the values of the parts, by name."""
        stack: list[float] = []
        for step in self._steps:
            if isinstance(step, float):
                stack.append(step)
            elif step in _OPERATORS:
                right, left = stack.pop(), stack.pop()
                if step == "/" and right == 0:
                    return None
                stack.append(_OPERATORS[step](left, right))
            else:
                part = values[step]
                if part is None:
                    return None
                stack.append(part)
        return stack[0] if math.isfinite(stack[0]) else None


_Step: TypeAlias = float | str
"""A number, the name of a measure, or an operator on the last two values."""

_OPERATORS: dict[str, Callable[[float, float], float]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
}

_NUMBER = re.compile(r"\d+(\.\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?")
_NAME = re.compile(r"[^\W\d][\w#]*([-+][^\W\d][\w#]*)*")
_POINT = re.compile(r"@[\d.]+")
_DEEPEST = 100


class _Reader:
    """Parses an expression into postfix order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def steps(self) -> Iterator[_Step]:
        yield from self._sum(0)
        if self.at < len(self.text):
            raise self._error("expected an operator")

    def _error(self, expected: str) -> UsageError:
        rest = self.text[self.at : self.at + 20]
        found = f"found `{rest}`" if rest else "the expression ends"
        hint = "; give several measures as a list" if expected == "expected an operator" else ""
        return UsageError(f"`{self.text}`, character {self.at + 1}: {expected}, {found}{hint}")

    def _next(self) -> str:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def _sum(self, depth: int) -> Iterator[_Step]:
        yield from self._product(depth)
        while (operator := self._next()) in ("+", "-"):
            self.at += 1
            yield from self._product(depth)
            yield operator

    def _product(self, depth: int) -> Iterator[_Step]:
        yield from self._factor(depth)
        while (operator := self._next()) in ("*", "/"):
            self.at += 1
            yield from self._factor(depth)
            yield operator

    def _factor(self, depth: int) -> Iterator[_Step]:
        if depth > _DEEPEST:
            raise self._error("expected fewer parentheses")
        first = self._next()
        if first == "-":
            self.at += 1
            yield 0.0
            yield from self._factor(depth + 1)
            yield "-"
        elif first == "(":
            self.at += 1
            yield from self._sum(depth + 1)
            if self._next() != ")":
                raise self._error("expected `)`")
            self.at += 1
        elif number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            yield float(number.group())
        elif name := _NAME.match(self.text, self.at):
            self.at = name.end()
            yield name.group() + self._parameters() + self._cutoff()
        else:
            raise self._error("expected a measure, a number or `(`")

    def _parameters(self) -> str:
        if self.text[self.at : self.at + 1] != "(":
            return ""
        end = _closing(self.text, self.at)
        if end is None:
            raise self._error("expected parameters that end with `)`")
        start, self.at = self.at, end + 1
        return self.text[start : self.at]

    def _cutoff(self) -> str:
        point = _POINT.match(self.text, self.at)
        if point is None:
            return ""
        self.at = point.end()
        return point.group()


def _closing(text: str, at: int) -> int | None:
    """The index of the parenthesis that closes the one at `at`."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return None


def _check(name: str, higher_is_better: bool | None) -> None:
    if not isinstance(name, str) or not name or name != name.strip() or not name.isprintable():
        raise UsageError(f"{name!r} is not a valid name of a measure")
    if not (higher_is_better is None or isinstance(plain(higher_is_better), bool)):
        raise UsageError(f"higher_is_better is {higher_is_better!r}; expected True, False or None")


def is_expression(text: str) -> bool:
    """Whether a string has an operator outside parameters, and is therefore not a list of names.

    >>> is_expression("AP + RR"), is_expression("P+Q"), is_expression("nDCG(dcg=exp-log2)@10 AP")
    (True, False, False)
    """
    outside, at = "", 0
    while at < len(text):
        end = _closing(text, at) if text[at] == "(" and re.match(r"[\w#]", outside[-1:]) else None
        if end is None:
            outside += text[at]
        at = (at if end is None else end) + 1
    # After a cutoff, `+` is an operator, unlike in `P+Q`; `-` may be part of a name, as in ranx's `ndcg@10-l2`.
    return re.search(r"[*/(]|(?<=\s)[-+]|[-+](?=\s)|^[-+]|@\d+\+", outside.strip()) is not None


def listed(measures: str | Iterable[Any] | None) -> str | list[Any] | None:
    """The measures, with strings that are expressions parsed."""
    if measures is None:
        return None
    if isinstance(measures, str):
        return [Expression(measures)] if is_expression(measures) else measures
    return [
        Expression(item) if isinstance(item, str) and is_expression(item) else item for item in measures
    ]


def customs(measures: str | list[Any] | None) -> list[CustomMeasure | Expression]:
    """The custom measures among these. Their names must be distinct."""
    if measures is None or isinstance(measures, str):
        return []
    found = [item for item in measures if isinstance(item, (CustomMeasure, Expression))]
    names = [item.name for item in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two measures are called `{name}`; rename one of them")
    return found


def filled(
    evaluation: Evaluation,
    customs: list[CustomMeasure | Expression],
    evaluate: Callable[[list[str]], Evaluation],
    inputs: Callable[[], tuple[Qrels, list[Run]]],
    options: dict[str, Any],
    watch: Watch | None = None,
) -> Evaluation:
    """Fills in the values of custom measures. `evaluate` computes the parts of expressions, `inputs` loads data for functions."""
    for custom in customs:
        if evaluation.measures.count(custom.name) > 1:
            raise UsageError(f"two measures are called `{custom.name}`; rename yours")
    topics = [list(evaluation.topics(run)) for run in evaluation.runs]
    expressions = [custom for custom in customs if isinstance(custom, Expression)]
    functions = [custom for custom in customs if isinstance(custom, CustomMeasure)]
    values: dict[str, list[list[float | None]]] = {}
    if expressions:
        values |= _of_expressions(expressions, evaluation.runs, topics, evaluate)
    if functions:
        values |= _of_functions(functions, topics, *inputs(), options, watch)
    return evaluation._filled(values)


def _of_expressions(
    expressions: list[Expression],
    runs: list[str],
    topics: list[list[str]],
    evaluate: Callable[[list[str]], Evaluation],
) -> dict[str, list[list[float | None]]]:
    parts = list(dict.fromkeys(part for one in expressions for part in one.parts))
    evaluated = evaluate(parts)
    if len(evaluated.measures) != len(parts):
        raise UsageError(f"each of {', '.join(parts)} must be a single measure")
    by_run = []
    for run in runs:
        of_topics = [row.values() for row in evaluated.topics(run).values()]
        by_topic = {
            topic: dict(zip(parts, row, strict=True))
            for topic, row in zip(evaluated.topics(run), of_topics, strict=True)
        }
        for part, value in (pair for row in by_topic.values() for pair in row.items()):
            if not isinstance(value, (float, type(None))):
                kind = "a string" if isinstance(value, str) else "an interval"
                raise UsageError(f"the value of `{part}` is {kind}; expressions need numbers")
        by_run.append(by_topic)
    nothing: dict[str, float | None] = dict.fromkeys(parts)
    return {
        one.name: [
            [one.value(by_topic.get(topic, nothing)) for topic in of_run]
            for by_topic, of_run in zip(by_run, topics, strict=True)
        ]
        for one in expressions
    }


def _of_functions(
    functions: list[CustomMeasure],
    topics: list[list[str]],
    qrels: Qrels,
    runs: list[Run],
    options: dict[str, Any],
    watch: Watch | None,
) -> dict[str, list[list[float | None]]]:
    values: dict[str, list[list[float | None]]] = {one.name: [] for one in functions}
    judgements = qrels.to_dict()
    for run, of_run in zip(runs, topics, strict=True):
        rankings = {
            topic: (documents, grades)
            for topic, documents, grades in _core.rankings(qrels, run, **options)
        }
        for one in functions:
            column = []
            for topic in reported(of_run, watch, one.name, f"topics of {run.name}"):
                documents, grades = rankings.get(topic, ([], []))
                # Copies, so that functions cannot affect each other.
                context = Context(run.name, list(documents), dict(judgements.get(topic, {})))
                column.append(one(topic, list(grades), context))
            values[one.name].append(column)
    return values
