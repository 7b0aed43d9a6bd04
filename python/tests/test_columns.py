"""Columns of every kind give the run that lists of texts give."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import Evaluator, Qrels, Run

NUMBERS = [3, 3, 12, 3, 100, 12, 0]
DOCS = [7, 10, 7, 123456, 5, 99, 1]
SCORES = [2.0, 1.5, 3.0, 1.0, 0.0, -1.0, 4.0]
EXPECTED = {
    "3": {"7": 2.0, "10": 1.5, "123456": 1.0},
    "12": {"7": 3.0, "99": -1.0},
    "100": {"5": 0.0},
    "0": {"1": 4.0},
}


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", "O", "U", "list"])
def test_whole_numbers(kind: str) -> None:
    def column(values: list[int]) -> Any:
        if kind == "list":
            return values
        return np.array(values).astype(str) if kind == "U" else np.array(values, dtype=kind)

    docs = DOCS if kind not in ("i1", "u1", "i2", "u2") else [d % 100 for d in DOCS]
    topics = column(NUMBERS)
    run = Run.from_columns(topics, column(docs), SCORES)
    rows = zip(NUMBERS, docs, SCORES, strict=True)
    expected: dict[str, dict[str, float]] = {}
    for topic, doc, score in rows:
        expected.setdefault(str(topic), {})[str(doc)] = score
    assert run.to_dict() == expected
    assert len(run) == 4 and run.documents == 7
    qrels = {"3": {"10": 1}, "12": {"99": 1}}
    if docs is DOCS:
        assert Evaluator(qrels, "RR").evaluate(run) == Evaluator(qrels, "RR").evaluate(EXPECTED)


def test_extreme_numbers() -> None:
    extreme = [-(2**63), 2**63 - 1, 0, -1, -10]
    run = Run.from_columns(np.zeros(5, "i8"), np.array(extreme), np.arange(5))
    assert list(run["0"]) == [str(number) for number in extreme]
    large = [2**64 - 1, 2**63, 1]
    run = Run.from_columns(np.array(large, "u8"), np.array(large, "u8"), np.arange(3))
    assert run.topics == [str(number) for number in large]
    strided = np.arange(20)[::-2]
    run = Run.from_columns(np.zeros(10, "i4"), strided, np.arange(10))
    assert list(run["0"]) == [str(number) for number in strided]
    assert len(Run.from_columns(np.array([], "i8"), np.array([], "i8"), np.array([]))) == 0


TEXTS = ["a", "bb", "ccc", "é", "日本語", "🙂x", "x" * 40, "with blank", "tab\tbed", "a\0b", "0", "-1"]


@pytest.mark.parametrize("seed", range(30))
def test_texts(seed: int) -> None:
    choose = random.Random(seed)
    texts = TEXTS if seed % 2 else [text for text in TEXTS if text.isascii()]
    topics = choose.choices(texts, k=choose.randint(1, 60))
    if choose.random() < 0.5:
        topics.sort()
    docs = [f"{choose.choice(texts)}{row}" for row in range(len(topics))]
    scores = [choose.random() for _ in topics]
    expected = Run.from_columns(topics, docs, scores).to_dict()
    assert sum(map(len, expected.values())) == len(topics)
    for text in (np.array, lambda column: np.array(column, dtype=object), lambda column: np.array(column, ">U60")):
        found = Run.from_columns(text(topics), text(docs), np.array(scores))
        assert found.to_dict() == expected
        assert found.topics == list(expected)
    doubled = [np.array([cell for cell in column for _ in "ab"])[::2] for column in (topics, docs)]
    assert Run.from_columns(*doubled, scores).to_dict() == expected


@pytest.mark.parametrize("lengths", [[1], [2, 3], [40, 1, 90], [64, 65, 200], [20_000, 1, 50_000, 30_000]])
@pytest.mark.parametrize("name", ["q", "thème-", "a topic with a longer name "])
def test_topics_of_many_rows_each(lengths: list[int], name: str) -> None:
    choose = random.Random(7)
    topics = [topic for length in lengths * 5 for topic in [f"{name}{choose.choice('ABC')}"] * length]
    docs = [f"d{number}" for number in range(len(topics))]
    expected: dict[str, dict[str, float]] = {}
    for topic, doc in zip(topics, docs, strict=True):
        expected.setdefault(topic, {})[doc] = 1.0
    doubled = np.array([topics, topics[::-1]]).T
    for column in (np.array(topics), doubled[:, 0]):
        assert Run.from_columns(column, np.array(docs), np.ones(len(docs))).to_dict() == expected


def test_the_first_row_of_a_topic_that_is_none_is_told() -> None:
    docs = np.array([f"d{number}" for number in range(200)])
    for odd, why in (("", "empty id of a topic in row 91"), ("\ud800", "the id in row 91 is no Unicode text")):
        with pytest.raises(cranfield.CranfieldError, match=why):
            Run.from_columns(np.array(["q1"] * 90 + [odd] * 110), docs, np.ones(200))


def test_many_rows_in_pieces() -> None:
    """More rows than one thread looks through at a time, with topics across the borders, in two orders."""
    n = 50_000
    for topics in (np.arange(n) // 1000, np.arange(n) % 7):
        docs, scores = np.arange(n), (np.arange(n) * 7919 % 1000).astype(float)
        run = Run.from_columns(topics, docs, scores)
        as_text = Run.from_columns(topics.astype(str), docs.astype(str), scores)
        as_list = Run.from_columns(topics.tolist(), docs.tolist(), scores.tolist())
        assert run == as_text == as_list
        assert len(run) == len(np.unique(topics))
        qrels = Qrels.from_columns(topics[::10], docs[::10], docs[::10] % 3)
        evaluator = Evaluator(qrels, "AP nDCG@10 RR")
        expected = evaluator.evaluate(run.to_dict())
        for one in (run, as_text, as_list):
            assert evaluator.evaluate(one) == expected


def test_series() -> None:
    topics, docs = [str(topic) for topic in NUMBERS], [str(doc) for doc in DOCS]
    makers: list[Any] = []
    for name, maker in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        try:
            makers.append(getattr(__import__(name), maker))
        except ImportError:
            continue
    for make in makers:
        assert Run.from_columns(make(topics), make(docs), make(SCORES)).to_dict() == EXPECTED
        assert Run.from_columns(make(NUMBERS), make(DOCS), make(SCORES)).to_dict() == EXPECTED
    if not makers:
        pytest.skip("neither pandas, polars nor pyarrow is installed")


def test_refused() -> None:
    two = np.array([["a", "b"]])
    for topics, docs, scores, text in (
        (["q"], ["d", "e"], [1.0], "different lengths"),
        (two, two, [[1.0, 2.0]], "2 dimensions"),
        (["q"], np.array([""]), [1.0], "empty id of a document in row 1"),
        (np.array(["q", ""]), ["d", "e"], [1.0, 2.0], "empty id of a topic in row 2"),
        (np.array([1.5]), ["d"], [1.0], "expected a str or an int"),
        (np.array([True]), ["d"], [1.0], "expected a str or an int"),
            (np.array([1]), ["d"], [np.inf], "inf"),
        (["q"], ["d"], ["high"], "expected a number"),
        (["q"] * 40_000, np.arange(40_000), np.where(np.arange(40_000) == 39_999, np.nan, 0), "NaN"),
    ):
        with pytest.raises(cranfield.CranfieldError, match=text):
            Run.from_columns(topics, docs, scores)
