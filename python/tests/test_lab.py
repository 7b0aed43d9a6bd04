"""Tuning, benchmarks, experiments and titles of collections: the same numbers as the command line."""

from __future__ import annotations

import base64
import gzip
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cranfield
from conftest import ROOT

GARDEN = ROOT / "examples" / "garden"
COLLECTION = GARDEN / "collection.toml"
QRELS = GARDEN / "qrels.txt"


def command_line(*arguments: str | os.PathLike[str]) -> str:
    line = [sys.executable, "-m", "cranfield", *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> cranfield.Index:
    return cranfield.Index.build(COLLECTION, tmp_path_factory.mktemp("lab") / "index")


SPACE = "k1=[0.6, 0.9, 1.2]; b=[0.3, 0.7]"


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        (
            {"measure": "nDCG@10", "folds": 3, "seed": 7, "search": "random(4)", "choice": "one-se", "depth": 50},
            ["-m", "nDCG@10", "--folds", "3", "--seed", "7", "--search", "random(4)", "--choice", "one-se", "-d", "50"],
        ),
    ],
)
def test_tuning_is_that_of_the_command_line(
    options: dict[str, Any], arguments: list[str], index: cranfield.Index, tmp_path: Path
) -> None:
    expected, written = tmp_path / "cli.run", tmp_path / "py.run"
    text = command_line("tune", index.path, COLLECTION, "--space", SPACE, "-f", "json", "-o", expected, *arguments)
    tuned = cranfield.tune(index, COLLECTION, space=SPACE, output=written, **options)
    assert tuned.to_dict() == json.loads(text)
    assert written.read_bytes() == expected.read_bytes()
    assert tuned.run.to_dict() == cranfield.read_run(expected).to_dict()
    assert tuned.notes[0].startswith("the default point is")
    again = pickle.loads(pickle.dumps(tuned))
    assert again.to_dict() == tuned.to_dict() and again.run == tuned.run


def test_tuning_in_memory(index: cranfield.Index) -> None:
    expected = cranfield.tune(index, COLLECTION, space=SPACE).to_dict()
    qrels = cranfield.read_qrels(QRELS)
    for given in (QRELS, qrels, qrels.to_dict(), qrels.to_arrow()):
        assert cranfield.tune(index.path, COLLECTION, given, space=SPACE).to_dict() == expected


def test_errors_of_tuning(index: cranfield.Index) -> None:
    with pytest.raises(cranfield.UsageError, match="judgements"):
        cranfield.tune(index, {"1": "slugs"}, space=SPACE)
    with pytest.raises(cranfield.UsageError, match="k9"):
        cranfield.tune(index, COLLECTION, space="k9=[1, 2]")
    with pytest.raises(cranfield.UsageError, match="found `k1`"):
        cranfield.tune(index, COLLECTION, space="k1")
    with pytest.raises(cranfield.FileError):
        cranfield.tune(index, COLLECTION, "nowhere.txt", space=SPACE)


def test_bench_measures_quality_and_cost(index: cranfield.Index, tmp_path: Path) -> None:
    steps: list[tuple[str, str, int, int]] = []
    figure = tmp_path / "pareto.svg"
    result = cranfield.bench(
        index,
        COLLECTION,
        QRELS,
        "AP",
        model=["BM25", "QL"],
        quick=True,
        repetitions=2,
        length="20ms",
        depth=20,
        figure=figure,
        progress=lambda *step: steps.append(step),
    )
    assert result.exit_code == 0 and "<svg" in figure.read_text() and steps
    found = result.to_dict()
    assert [engine["name"] for engine in found["engines"]] == ["bm25-k1-0.9-b-0.4", "ql-mu-1000"]
    for engine, model in zip(found["engines"], ["BM25", "QL"], strict=True):
        run = index.search(COLLECTION, model, depth=20)
        expected = cranfield.evaluate(QRELS, run, "AP")[run.name, "AP"]
        assert engine["quality"][0]["mean"]["value"] == pytest.approx(expected, abs=1e-12)
        assert all(one["requests"] > 0 and one["failed"] == 0 for one in engine["loads"][0]["repetitions"])


def test_bench_takes_topics_and_judgements_in_memory(index: cranfield.Index) -> None:
    topics = {"1": "protecting seedlings from slugs", "2": "late blight"}
    result = cranfield.bench([index], topics, {"1": {"G259": 1}}, quick=True, length="10ms", repetitions=1)
    assert result.to_dict()["engines"][0]["loads"][0]["repetitions"][0]["requests"] > 0
    with pytest.raises(cranfield.UsageError, match="named"):
        cranfield.bench([index, index.path], topics)
    with pytest.raises(cranfield.UsageError, match="load"):
        cranfield.bench(index, topics, load="open")
    with pytest.raises(cranfield.UsageError, match="qrels"):
        cranfield.bench(index, topics, figure="x.svg")


def test_bench_measures_cold_indexes(index: cranfield.Index) -> None:
    result = cranfield.bench(index.path, COLLECTION, cold=True, length="1ms", repetitions=2)
    (engine,) = result.to_dict()["engines"]
    assert engine["name"].endswith("-cold") and engine["is_cold"] and engine["warm_ups"] == []
    with pytest.raises(cranfield.UsageError, match="paths"):
        cranfield.bench(index, COLLECTION, cold=True)
    with pytest.raises(cranfield.UsageError, match="closed:1"):
        cranfield.bench(index.path, COLLECTION, cold=True, load="closed:2")


def test_bench_measures_indexing() -> None:
    result = cranfield.bench(index=COLLECTION, threads=[1, 2], text=False, repetitions=1)
    found = result.to_dict()["indexes"]
    assert [index["threads"] for index in found] == [1, 2]
    assert all(index["bytes"] > 0 and index["seconds"]["value"] > 0 for index in found)
    assert not found[0]["index"]["text"] and found[0]["index"] == found[1]["index"]
    with pytest.raises(cranfield.UsageError, match="either"):
        cranfield.bench("index", index=COLLECTION)
    with pytest.raises(cranfield.UsageError, match="needs"):
        cranfield.bench("index")


EXPERIMENT = """
collection = "collection.toml"
output = "out"

[index.english]
analyzer = "english"

[run.bm25]
model = "BM25(k1=0.9, b=0.4)"

[run.ql]
model = "QL(mu=1000)"

[evaluate]
measures = ["nDCG@10", "AP"]
baseline = "bm25"

[report]
title = "Garden"
"""


@pytest.fixture
def experiment(tmp_path: Path) -> cranfield.Experiment:
    folder = tmp_path / "garden"
    shutil.copytree(GARDEN, folder)
    (folder / "experiment.toml").write_text(EXPERIMENT)
    return cranfield.Experiment(folder / "experiment.toml")


def unpacked(page: str) -> str:
    """The packed parts of a report."""
    parts = re.findall(r"H4sI[A-Za-z0-9+/]+=*", page)
    return "\n".join(gzip.decompress(base64.b64decode(part)).decode() for part in parts)


def statuses(result: cranfield.Result) -> dict[str, str]:
    columns = result.to_columns()
    return dict(zip(columns["step"], columns["status"], strict=True))


def test_an_experiment(experiment: cranfield.Experiment, index: cranfield.Index, tmp_path: Path) -> None:
    assert experiment.output == experiment.path.parent / "out"
    assert experiment.report == experiment.output / "report.html"
    planned = statuses(experiment.plan())
    assert planned["run.bm25"] == planned["index.english"] == "to do" and not experiment.output.exists()
    steps: list[tuple[str, str, int, int]] = []
    done = experiment.run(progress=lambda *step: steps.append(step))
    assert set(statuses(done).values()) == {"done"} and done.notes[-1] == f"report: {experiment.report}" and steps
    index.search(COLLECTION, tag="bm25", output=tmp_path / "bm25.run")
    assert (experiment.output / "runs" / "bm25.run").read_bytes() == (tmp_path / "bm25.run").read_bytes()
    assert experiment.report is not None and "Beer traps, honestly assessed" in unpacked(experiment.report.read_text())
    assert set(statuses(experiment.plan()).values()) == {"unchanged"}
    assert experiment.plan().to_text() == command_line("experiment", experiment.path, "--dry-run")
    checked = experiment.check()
    assert checked.exit_code == 0 and checked.to_columns()["file"] == []


def test_a_change_repeats_what_depends_on_it(experiment: cranfield.Experiment) -> None:
    assert set(statuses(experiment.run("run.ql"))) >= {"index.english", "run.ql"}
    assert not (experiment.output / "runs" / "bm25.run").exists()
    experiment.run()
    experiment.path.write_text(EXPERIMENT.replace("mu=1000", "mu=500"))
    found = statuses(experiment.run())
    assert (found["index.english"], found["run.bm25"], found["run.ql"]) == ("unchanged", "unchanged", "done")
    run = experiment.output / "runs" / "ql.run"
    run.write_text(run.read_text().replace("Q0", "Q1", 1))
    checked = experiment.check()
    assert checked.exit_code == 1 and "runs/ql.run" in checked.to_columns()["file"]


def test_errors_of_an_experiment(experiment: cranfield.Experiment) -> None:
    with pytest.raises(cranfield.FileError):
        cranfield.Experiment(experiment.path.parent / "nowhere.toml")
    experiment.path.write_text(EXPERIMENT.replace("QL(mu=1000)", "QM(mu=1000)"))
    with pytest.raises(cranfield.InputError) as raised:
        experiment.run()
    problem = raised.value.problems[0]
    assert problem.file == str(experiment.path)
    assert problem.line == EXPERIMENT.splitlines().index('model = "QL(mu=1000)"') + 1


def test_the_demo(tmp_path: Path) -> None:
    result = cranfield.demo(tmp_path / "demo")
    assert "run.dense" in statuses(result) and result.exit_code == 0
    experiment = cranfield.Experiment(tmp_path / "demo" / "experiment.toml")
    assert result.notes[-1] == f"report: {experiment.report}" and experiment.report is not None
    assert "The kitchen garden" in experiment.report.read_text()


def test_titles_of_a_collection(index: cranfield.Index, tmp_path: Path) -> None:
    one, other = tmp_path / "bm25.run", tmp_path / "ql.run"
    index.search(COLLECTION, tag="bm25", output=one)
    index.search(COLLECTION, "QL", tag="ql", output=other)
    explained = cranfield.explain(QRELS, one, "AP", topic="1", collection=COLLECTION)
    assert "Beer traps" in explained.to_text() and "protecting seedlings" in explained.to_text()
    shown = command_line("explain", QRELS, one, "-m", "AP", "-t", "1", "--collection", COLLECTION)
    assert explained.to_text() == shown
    compared = cranfield.compare(QRELS, [one, other], "AP", collection=COLLECTION)
    shown = command_line("compare", QRELS, one, other, "-m", "AP", "--collection", COLLECTION)
    plain = cranfield.compare(QRELS, [one, other], "AP")
    assert compared.to_text() == shown != plain.to_text()
    page = cranfield.report(QRELS, [one, other], None, "AP", collection=COLLECTION)
    assert "protecting seedlings from slugs" in page
    assert "Beer traps, honestly assessed" in unpacked(page) and "slug" in unpacked(page)
    assert "Beer traps" not in unpacked(cranfield.report(QRELS, [one, other], None, "AP"))


def test_errors_of_collections(index: cranfield.Index, toy: Path) -> None:
    run = index.search(COLLECTION, depth=5)
    with pytest.raises(cranfield.FileError):
        cranfield.explain(QRELS, run, "AP", collection="nowhere.toml")
    other = cranfield.explain({"a": {"d1": 1}}, {"a": {"d1": 1.0}}, "AP", collection=toy / "topics.tsv")
    assert other.notes == [f"collection: no topic of `{toy / 'topics.tsv'}` has an evaluated id"]


INTERRUPTED = """
import _thread, signal, sys, threading, time
import cranfield
signal.signal(signal.SIGINT, signal.default_int_handler)
index = cranfield.Index(sys.argv[2])
topics = sys.argv[3]
calls = {
    "bench": lambda: cranfield.bench(index, topics, length="60s", repetitions=9),
    "tune": lambda: cranfield.tune(index, topics, space="k1=0.1..3 step 0.001; b=0..1 step 0.01"),
}

def press():
    time.sleep(0.5)
    _thread.interrupt_main()

threading.Thread(target=press, daemon=True).start()
try:
    calls[sys.argv[1]]()
except KeyboardInterrupt:
    __import__("os")._exit(7)
"""


@pytest.mark.parametrize("call", ["bench", "tune"])
def test_ctrl_c_ends_long_calls(call: str, index: cranfield.Index) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, call, index.path, COLLECTION], timeout=60)
    assert done.returncode == 7
