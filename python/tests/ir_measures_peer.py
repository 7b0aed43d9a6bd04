"""The package ir_measures next to the module that replaces it: the same call of both, and their outcomes."""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import tempfile
from typing import Any, Callable

import pytest
from _forked import in_child

FOLDER = os.getcwd()
# cwl_eval, which ir_measures imports, opens a log in the working directory.
os.chdir(tempfile.gettempdir())
try:
    theirs = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
finally:
    os.chdir(FOLDER)

from cranfield.compat import ir_measures as ours  # noqa: E402

Call = Callable[[Any], Any]


def plain(result: Any) -> Any:
    """A result without objects of either package; iterators are read to their ends."""
    if isinstance(result, (theirs.Measure, ours.Measure)):
        return f"measure {result!r}"
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return {"type": type(result).__name__, **{k: plain(v) for k, v in result._asdict().items()}}
    if isinstance(result, dict):
        return {plain(key): plain(value) for key, value in result.items()}
    if hasattr(result, "__next__") or isinstance(result, (list, tuple)):
        return [plain(item) for item in result]
    # Values of cwl_eval are those of numpy.
    return float(result) if isinstance(result, float) else result


def outcome(call: Call, module: Any) -> Any:
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            return plain(call(module))
        except Exception as error:
            return type(error).__name__, re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "<object>", str(error))


def reference(call: Call) -> Any:
    """What the original does, in a process of its own: pytrec_eval behind it may never end after an exception."""

    def original() -> Any:
        os.chdir(tempfile.gettempdir())
        return outcome(call, theirs)

    return in_child(original, seconds=60)


def agree(found: Any, expected: Any, where: str = "") -> None:
    """The same values to 1e-9, of the same types."""
    assert type(found) is type(expected), (where, found, expected)
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), (where, found, expected)
        for key, value in expected.items():
            agree(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), (where, found, expected)
        for place, value in enumerate(expected):
            agree(found[place], value, f"{where}[{place}]")
    elif isinstance(expected, float) and math.isnan(expected):
        assert math.isnan(found), (where, found)
    elif isinstance(expected, float):
        close = math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)
        assert close, (where, found, expected)
    else:
        assert found == expected, (where, found, expected)


def same(call: Call) -> Any:
    """Both do the same; returns it."""
    expected = reference(call)
    agree(outcome(call, ours), expected)
    return expected


def sorted_metrics(metrics: Any) -> list[Any]:
    """Metrics in an order of their own: the original's is that of a set where there are several measures."""
    return sorted(metrics, key=lambda metric: (str(metric.measure), metric.query_id))


def parsed(module: Any, names: str) -> list[Any]:
    return [module.parse_measure(name) for name in names.split()]


def aggregate(names: str, qrels: Any, run: Any) -> Call:
    return lambda module: module.calc_aggregate(parsed(module, names), qrels, run)


def topics(names: str, qrels: Any, run: Any) -> Call:
    """The values of topics, in their order if there is one measure."""

    def call(module: Any) -> Any:
        measures = parsed(module, names)
        metrics = module.iter_calc(measures, qrels, run)
        return list(metrics) if len(measures) == 1 else sorted_metrics(metrics)

    return call


def by(provider: str, names: str, qrels: Any, run: Any) -> Call:
    """The same of a provider."""

    def call(module: Any) -> Any:
        metrics = getattr(module, provider).iter_calc(parsed(module, names), qrels, run)
        return sorted_metrics(metrics)

    return call
