"""Pools: the functions of `cranfield pool`."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import cranfield

RUNS = {
    name: {"1": {doc: 5.0 - rank for rank, doc in enumerate(docs.split())}}
    for name, docs in {"A": "a b c d e", "B": "b f a g h", "C": "i b j c k"}.items()
}
QRELS = {"1": {"a": 1, "b": 1, "c": 1, "j": 1, "f": 0, "d": 0}}

FUNCTIONS = {
    "make": cranfield.pool,
    "stats": cranfield.pool_stats,
    "bias": cranfield.pool_bias,
    "missing": cranfield.pool_missing,
    "votes": cranfield.pool_votes,
    "settle": cranfield.pool_settle,
}


@pytest.mark.parametrize("mode", FUNCTIONS)
def test_options_are_keywords(mode: str) -> None:
    command = [sys.executable, "-m", "cranfield", "pool", mode, "--help"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    options = set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", text, flags=re.MULTILINE))
    known = set(inspect.signature(FUNCTIONS[mode]).parameters)
    # The list that settles a comparison is returned as a run.
    outputs = {"help", "format", "output", "quiet", "digits", "pool"}
    assert {option for option in options - outputs if option.replace("-", "_") not in known} == set()


def order(strategy: str, **options: object) -> str:
    scores = cranfield.pool(RUNS, strategy, **options).to_dict()["1"]
    return " ".join(sorted(scores, key=lambda doc: -scores[doc]))


def test_orders_of_the_worked_example() -> None:
    assert order("take") == "b a i f c j d g e h k"
    assert order("depth(2)") == "a b f i"
    assert order("mtf", qrels=QRELS) == "a b c d f i e g j k h"
    assert order("mm(1)", qrels=QRELS) == "a b c d e f i g j k h"
    assert order("hedge(0.1)", qrels=QRELS, budget=4, depth=5) == "b a f c"


def test_samples_are_written_for_eval(tmp_path: Path) -> None:
    strata = tmp_path / "strata.txt"
    cranfield.pool(RUNS, "strata('1-2:1, 3-:0.5')", qrels=QRELS, sample=strata)
    lines = [line.split() for line in strata.read_text().splitlines()]
    assert len(lines) == 11 and {line[3] for line in lines} == {"1", "2"}
    found = cranfield.pool_missing(strata, qrels_format="strata").to_dict()
    assert found["estimates"][0]["total"] >= found["estimates"][0]["found"]


def test_results() -> None:
    stats = cranfield.pool_stats(RUNS, groups={"A": "x", "B": "x"}).to_dict()
    assert [row["unique"] for row in stats["groups"]] == [6, 3]
    bias = cranfield.pool_bias(QRELS, RUNS, "P@2").to_dict()
    # Judged to depth 3, where only A has c and only C has j.
    assert [row["relevant"] for row in bias["runs"]] == [1, 0, 1]
    votes = cranfield.pool_votes(RUNS, draws=2).to_dict()
    assert [row["wu-crestani"] for row in votes["scores"]] == [4.0, 3.0, 3.0]
    assert "misplace the best systems" in votes["caveat"]
    result, documents = cranfield.pool_settle(QRELS, RUNS["A"], RUNS["B"], "P@3")
    assert result.to_dict()["settled lead"] > 0 and len(documents.to_dict()) <= 1


def test_errors() -> None:
    with pytest.raises(cranfield.CranfieldError, match="unknown strategy `deep`"):
        cranfield.pool(RUNS, "deep(1)")
    with pytest.raises(cranfield.UsageError, match="unknown run `Z`"):
        cranfield.pool_stats(RUNS, groups={"Z": "x"})
    with pytest.raises(cranfield.UsageError, match="sample needs qrels"):
        cranfield.pool(RUNS, "take(2)", sample="x")
