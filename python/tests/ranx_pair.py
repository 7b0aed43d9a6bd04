"""ranx and what stands in for it, side by side: the same call, and whether it came to the same."""

from __future__ import annotations

import math
import random
from typing import Any, Callable

import numpy as np
import pytest

theirs = pytest.importorskip("ranx", reason="skipped: the package ranx is not installed")

import pandas as pd  # noqa: E402

from cranfield.compat import ranx as ours  # noqa: E402

Call = Callable[[Any], Any]
# Every width of document ids is compiled anew by ranx, so there are two: these, and those of the examples.
WIDTH = 4


def outcome(call: Call, module: Any) -> Any:
    try:
        return plain(call(module))
    except Exception as error:
        return "error", type(error).__name__


def plain(thing: Any) -> Any:
    """Runs and judgements as lists, in which order counts."""
    if isinstance(thing, (theirs.Qrels, theirs.Run, ours.Qrels, ours.Run)):
        content = {topic: list(thing[topic].items()) for topic in thing.keys()}
        return type(thing).__name__, thing.name, thing.sorted, list(content.items())
    if isinstance(thing, pd.DataFrame):
        types = [str(dtype) for dtype in thing.dtypes]
        return "frame", list(thing.columns), types, thing.values.tolist()
    if isinstance(thing, tuple):
        return tuple(map(plain, thing))
    return thing


def agree(found: Any, expected: Any, where: str = "") -> None:
    """Same types, same keys in the same order, numbers to 1e-9."""
    if isinstance(expected, np.ndarray):
        assert isinstance(found, np.ndarray) and found.dtype == expected.dtype, where
        assert found.shape == expected.shape, where
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=where)
        return
    assert type(found) is type(expected), (where, found, expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            agree(found[key], value, f"{where}[{key!r}]")
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), (where, found, expected)
        for place, value in enumerate(expected):
            agree(found[place], value, f"{where}[{place}]")
    elif isinstance(expected, float) and math.isnan(expected):
        assert math.isnan(found), where
    elif isinstance(expected, float):
        assert math.isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9), (where, found, expected)
    else:
        assert found == expected, (where, found, expected)


def same(call: Call) -> None:
    agree(outcome(call, ours), outcome(call, theirs))


def random_data(
    seed: int, runs: int = 1, topics: int = 8, documents: int = 40, ties: bool | None = None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Judgements, in which every topic has relevant and other documents, and runs."""
    choose = random.Random(seed)
    tied = choose.random() < 0.5 if ties is None else ties
    names = [f"d{number:03}" for number in range(documents)]
    assert len(names[0]) == WIDTH
    qrels, found = {}, [{} for _ in range(runs)]
    for number in range(topics):
        topic = f"q{number:02}"
        judged = choose.sample(names, choose.randint(4, documents // 2))
        grades = [0, 1, *(choose.choice([0, 0, 1, 2, 3]) for _ in judged[2:])]
        qrels[topic] = dict(zip(judged, grades))
        for run in found:
            retrieved = choose.sample(names, choose.randint(1, documents))
            scores = [
                float(choose.randint(0, 4)) if tied else choose.uniform(-5, 20) for _ in retrieved
            ]
            run[topic] = dict(zip(retrieved, scores))
    return qrels, found
