"""The native interface, against hand-computed values, the command line and published scores."""

from __future__ import annotations

import copy
import gzip

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import UserDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import Evaluator, Qrels, Run, evaluate

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2, "d4": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d4": 3.0, "d9": 2.0, "d3": 1.0}}
# By hand: q1 has its only relevant document at rank 2, q2 two at ranks 1 and 3.
AP = {"q1": 1 / 2, "q2": (1 / 1 + 2 / 3) / 2}


def cli(*arguments: object, check: bool = True) -> str:
    command = [sys.executable, "-m", "cranfield", *map(str, arguments)]
    return subprocess.run(command, check=check, capture_output=True, text=True).stdout


def test_values_by_hand() -> None:
    assert Evaluator(QRELS, "AP").evaluate(RUN) == {
        topic: {"AP": pytest.approx(value, abs=1e-12)} for topic, value in AP.items()
    }
    evaluation = evaluate(QRELS, RUN, ["AP", "P@1"])
    assert evaluation["run", "AP"] == pytest.approx(sum(AP.values()) / 2, abs=1e-12)
    assert evaluation.mean["run"]["P@1"] == 0.5
    assert evaluation.values("run", "P@1") == [0.0, 1.0]
    assert evaluation.topics("run")["q2"]["P@1"] == 1.0
    assert evaluation.runs == ["run"] and evaluation.measures == ["AP", "P@1"]


def test_every_way_in_gives_the_same(tmp_path: Path) -> None:
    run, qrels = Run.from_dict(RUN), Qrels.from_dict(QRELS)
    run.save(tmp_path / "run.txt")
    qrels.save(tmp_path / "qrels.txt")
    rows = [(t, d, s) for t, ranking in RUN.items() for d, s in ranking.items()]
    topics, docs, scores = (list(column) for column in zip(*rows, strict=True))
    runs: dict[str, Any] = {
        "dict": RUN,
        "mapping": UserDict(RUN),
        "object": run,
        "path": str(tmp_path / "run.txt"),
        "path-like": tmp_path / "run.txt",
        "lists": Run.from_columns(topics, docs, scores),
        "numpy": Run.from_columns(np.array(topics), np.array(docs), np.array(scores)),
        "numpy objects": Run.from_columns(
            np.array(topics, dtype=object), np.array(docs, dtype=object), np.array(scores)
        ),
        "strided": Run.from_columns(
            np.array([t for t in topics for _ in "ab"])[::2],
            np.array([d for d in docs for _ in "ab"])[::2],
            np.array([s for s in scores for _ in "ab"])[::2],
        ),
        "ints": Run.from_columns(tuple(topics), iter(docs), np.array(scores, dtype="i4")),
        "float32": Run.from_columns(topics, docs, np.array(scores, dtype="f4")),
    }
    for name, data in runs.items():
        for judged in (QRELS, qrels, tmp_path / "qrels.txt"):
            found = evaluate(judged, data, "AP nDCG@10").to_dict(per_topic=True)
            (values,) = found.values()
            assert {t: v["AP"] for t, v in values.items()} == pytest.approx(AP), name


def test_interleaved_topics_are_grouped() -> None:
    run = Run.from_columns(["q2", "q1", "q2"], ["a", "b", "c"], [1, 2, 3])
    assert run.to_dict() == {"q2": {"a": 1.0, "c": 3.0}, "q1": {"b": 2.0}}
    assert len(run) == 2 and run.topics == ["q2", "q1"] and "q1" in run
    qrels = {"q1": {"b": 1}, "q2": {"a": 1}}
    assert Evaluator(qrels, "RR").evaluate(run) == {"q1": {"RR": 1.0}, "q2": {"RR": 0.5}}


def test_objects() -> None:
    run = Run.from_dict(RUN, name="mine")
    assert repr(run) == "Run('mine', topics=2, documents=5)"
    assert run["q1"] == RUN["q1"] and list(run) == ["q1", "q2"]
    assert run.to_dict() == RUN
    assert pickle.loads(pickle.dumps(run)) == run
    assert copy.copy(run) == copy.deepcopy(run) == run
    assert run.renamed("other") != run and run.renamed("other").name == "other"
    with pytest.raises(KeyError):
        run["q9"]
    qrels = Qrels.from_dict(QRELS)
    assert qrels.to_dict() == QRELS and qrels.judgements == 4
    assert pickle.loads(pickle.dumps(qrels)) == qrels
    assert "<table>" in run._repr_html_() and "judgements" in qrels._repr_html_()
    with pytest.raises(AttributeError):
        run.name = "x"  # type: ignore[misc]


def test_evaluators_are_pickled() -> None:
    for options in ({}, {"ties": "expected"}, {"profile": "trec_eval-9", "level": 2, "depth": 1}):
        one = Evaluator(QRELS, ["AP", "P@1 RR"], threads=1, **options)  # type: ignore[arg-type]
        other = pickle.loads(pickle.dumps(one))
        assert other.measures == one.measures and repr(other) == repr(one)
        assert other.evaluate(RUN) == one.evaluate(RUN)
    keyed = Evaluator(QRELS, "AP", keys=["mine"], exact=True)
    assert copy.deepcopy(keyed).evaluate(RUN) == keyed.evaluate(RUN)


def test_options_are_those_of_the_command_line(toy: Path) -> None:
    qrels, runs = toy / "qrels.txt", sorted((toy / "runs").glob("*.run"))
    for options in (
        {},
        {"profile": "trec_eval"},
        {"ties": "bounds"},
        {"level": 2, "topics": "both"},
        {"unjudged": "condensed", "depth": 5},
        {"profile": "ir_measures", "undefined": "zero"},
    ):
        given = [f"--{name}={value}" for name, value in options.items()]
        names = "AP nDCG@10 RR P@5"
        evaluation = evaluate(qrels, runs, names, **options)  # type: ignore[arg-type]
        for method, format in {
            "to_csv": "csv",
            "to_latex": "latex",
            "to_markdown": "md",
            "to_html": "html",
            "to_json": "json",
            "to_trec": "trec",
        }.items():
            printed = cli(
                "eval", qrels, *runs, "-m", names, "--format", format, "--sort", "input", *given
            )
            assert getattr(evaluation, method)() == printed, (options, format)
        printed = cli("eval", qrels, *runs, "-m", names, "-q", "--format=csv", "--sort=input", *given)
        assert evaluation.to_csv(per_topic=True) == printed


def test_files_and_memory_agree(toy: Path) -> None:
    qrels, runs = toy / "qrels.txt", sorted((toy / "runs").glob("*.run"))
    files = evaluate(qrels, runs)
    memory = evaluate(Qrels.from_file(qrels), [Run.from_file(run) for run in runs])
    assert memory.to_dict(per_topic=True) == files.to_dict(per_topic=True)
    assert memory.to_csv() == files.to_csv()
    assert [note for note in files.notes if "topic" in note]


def test_published_scores_from_columns(shared: Path) -> None:
    folder = shared / "golden" / "tracks" / "robust03"
    published: dict[str, dict[str, float]] = {}
    with open(folder / "published.tsv") as file:
        header = file.readline().split()
        for line in file:
            cells = dict(zip(header, line.split(), strict=False))
            if cells["block"] == "trec_eval":
                published.setdefault(cells["run"], {})[cells["measure"]] = float(cells["official"])
    evaluator = Evaluator(
        Qrels.from_file(folder / "qrels.txt.gz"), "map", profile="trec_eval-9", topics="judged"
    )
    checked = 0
    for path in sorted((folder / "runs").iterdir()):
        name = path.name.removeprefix("input.").removesuffix(".gz")
        if "map" not in published.get(name, {}):
            continue
        with gzip.open(path, "rt") as file:
            columns = list(zip(*(line.split() for line in file), strict=True))
        run = Run.from_columns(columns[0], columns[2], np.array(columns[4], dtype="f8"))
        assert round(evaluator.aggregate(run)["map"], 4) == published[name]["map"], name
        checked += 1
    assert checked >= 15


def test_undefined_and_bounds() -> None:
    nothing = {"q1": {"d1": 0}}
    assert Evaluator(nothing, "AP").evaluate({"q1": {"d1": 1.0}}) == {"q1": {"AP": None}}
    tied = Evaluator({"q1": {"d1": 1, "d2": 0}}, "RR", ties="bounds")
    assert tied.evaluate({"q1": {"d1": 1.0, "d2": 1.0}}) == {"q1": {"RR": (0.5, 1.0)}}
    columns = evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 1, "d2": 1}}, "RR", ties="bounds").to_columns()
    assert columns == {"run": ["run"], "RR.low": [0.5], "RR.high": [1.0]}


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (lambda: Run.from_dict({"q1": {"d1": "x"}}), (cranfield.InputTypeError, TypeError)),
        (lambda: Run.from_dict({1: {"d1": 1}}), (cranfield.InputTypeError, TypeError)),
        (lambda: Run.from_dict({"q1": {"d1": math.nan}}), (cranfield.InputError, ValueError)),
        (lambda: Run.from_dict([1]), (cranfield.InputTypeError,)),
        (lambda: Run.from_file("/no/such/file"), (cranfield.FileError, OSError)),
        (lambda: Run.from_dict({}).save("/no/such/folder/x"), (cranfield.WriteError, OSError)),
        (lambda: Run.from_columns(["q"], ["d"], [1, 2]), (cranfield.UsageError,)),
        (lambda: Run.from_columns(["q"], [None], [1]), (cranfield.InputError,)),
        (lambda: Run.from_columns(["q"], ["d"], ["x"]), (cranfield.InputTypeError,)),
        (lambda: Run.from_columns([""], ["d"], [1]), (cranfield.InputError,)),
        (lambda: Run.from_arrow([1]), (cranfield.InputTypeError,)),
        (lambda: Run._from_state(b"\x01\xff", "x"), (cranfield.UsageError,)),
        (lambda: evaluate(QRELS, RUN, "nosuch"), (cranfield.UnknownNameError, KeyError)),
        (lambda: evaluate(QRELS, RUN, "P@0"), (cranfield.UsageError, ValueError)),
        (lambda: evaluate(QRELS, RUN, []), (cranfield.UsageError,)),
        (lambda: evaluate(QRELS, RUN, ties="no"), (cranfield.UnknownNameError,)),
        (lambda: evaluate(QRELS, RUN, profile="no"), (cranfield.UnknownNameError,)),
        (lambda: evaluate(QRELS, RUN, level=math.nan), (cranfield.UsageError,)),
        (lambda: evaluate(QRELS, 7), (cranfield.InputTypeError,)),
        (lambda: evaluate(QRELS, RUN)["run", "no"], (cranfield.UnknownNameError, KeyError)),
        (lambda: evaluate(QRELS, RUN)["no"], (KeyError,)),
        (lambda: Qrels.from_columns(["q", "q"], ["d", "d"], [1, 2]), (cranfield.InputError,)),
    ],
)
def test_errors(call: Any, kinds: tuple[type[Exception], ...]) -> None:
    with pytest.raises(cranfield.CranfieldError) as caught:
        call()
    assert isinstance(caught.value, kinds)
    assert str(caught.value) and not str(caught.value).startswith("'")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value)


def test_errors_tell_the_place(toy: Path) -> None:
    with pytest.raises(cranfield.InputError) as caught:
        Run.from_file(toy / "broken" / "twice.run")
    problem = caught.value.problems[0]
    assert problem.code == "IR030" and problem.line and "twice" in problem.file
    twice = Run.from_columns(["q", "q"], ["d", "d"], [1, 2])
    with pytest.raises(cranfield.InputError, match="twice"):
        evaluate({"q": {"d": 1}}, twice, "RR")


def test_a_dict_that_changes_while_it_is_read() -> None:
    class Score:
        def __float__(self) -> float:
            ranking["new"] = 1.0
            return 2.0

    ranking: dict[str, Any] = {"d1": Score(), "d2": 1.0}
    assert Run.from_dict({"q1": ranking})["q1"] == {"d1": 2.0, "d2": 1.0}


def test_threads_give_the_answers_of_one(toy: Path) -> None:
    evaluator = Evaluator(Qrels.from_file(toy / "qrels.txt"), "AP nDCG@10 RR")
    runs = [Run.from_file(path) for path in sorted((toy / "runs").glob("*.run"))] * 20
    expected = [evaluator.evaluate(run) for run in runs]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(evaluator.evaluate, runs)) == expected
    for threads in (1, 2, 5):
        limited = Evaluator(Qrels.from_file(toy / "qrels.txt"), "AP nDCG@10 RR", threads=threads)
        assert limited.evaluate(runs[0]) == expected[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes by copying")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_processes_that_are_copies() -> None:
    evaluator = Evaluator(QRELS, "AP")
    expected = evaluator.evaluate(RUN)
    child = os.fork()
    if child == 0:
        os._exit(0 if evaluator.evaluate(RUN) == expected else 1)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the copy waits for threads that it does not have")


# A shell that starts tests in the background has them ignore the key.
HEARS_THE_KEY = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
"""

INTERRUPTED = HEARS_THE_KEY + """
import _thread, sys, threading, time
from cranfield import _core
n = 3_000_000
topics = ["q"] * n
run = _core.Run.from_columns(topics, [f"d{i}" for i in range(n)], [0.0] * n)
evaluator = _core.Evaluator({"q": {"d1": 1}}, "AP nDCG", ties="expected")
def press():
    global pressed
    time.sleep(0.05)
    pressed = time.monotonic()
    _thread.interrupt_main()
threading.Thread(target=press).start()
try:
    while True:
        evaluator.evaluate(run)
except KeyboardInterrupt:
    sys.exit(0 if time.monotonic() - pressed < 1 else 3)
sys.exit(4)
"""


def test_keyboard_interrupt() -> None:
    assert subprocess.run([sys.executable, "-c", INTERRUPTED], timeout=120).returncode == 0


INTERRUPTED_CALLS = HEARS_THE_KEY + """
import _thread, pickle, sys, threading, time
import cranfield
qrels, bm25, dense = "qrels.txt", "runs/bm25.run", "runs/dense.run"
n = 1_500_000
run = cranfield.Run.from_columns([str(row % 50) for row in range(n)], [f"d{row}" for row in range(n)], range(n))
scores = run.to_dict()
calls = {
    "compare": lambda: cranfield.compare(qrels, [bm25, dense], "AP nDCG", test="bootstrap", replicates=50_000_000, seed=1),
    "report": lambda: cranfield.report(qrels, [bm25, dense], None, "AP", replicates=50_000_000),
    "from_dict": lambda: cranfield.Run.from_dict(scores),
    "to_dict": run.to_dict,
    "dumps": lambda: pickle.dumps(run),
    "save": lambda: run.save(sys.argv[2] + "/x.run"),
    "explain": lambda: cranfield.explain({"1": {"d1": 1}}, run, "AP"),
    "judgements": lambda: cranfield.Qrels.from_dict(scores),
}
def press():
    global pressed
    time.sleep(0.1)
    pressed = time.monotonic()
    _thread.interrupt_main()
threading.Thread(target=press, daemon=True).start()
try:
    while True:
        calls[sys.argv[1]]()
except KeyboardInterrupt:
    late = time.monotonic() - pressed
    print(late)
    sys.stdout.flush()
    __import__("os")._exit(0 if late < 1 else 3)
"""


@pytest.mark.parametrize("call", ["compare", "report", "from_dict", "to_dict", "dumps", "save", "explain", "judgements"])
def test_keyboard_interrupt_of_every_kind_of_call(call: str, toy: Path, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_CALLS, call, tmp_path], timeout=120, cwd=toy, capture_output=True)
    assert done.returncode == 0, done


BESIDE_A_LONG_CALL = """
import os, random, threading, time
import numpy
import cranfield

topics = [f"q{i}" for i in range(50)]
qrels = {topic: {f"d{i}": i % 3 for i in range(20)} for topic in topics}
runs = {f"r{k}": {topic: {f"d{i}": random.random() for i in range(20)} for topic in topics} for k in range(10)}
long = threading.Thread(
    target=lambda: cranfield.compare(qrels, runs, "AP", test="randomised-tukey", replicates=100_000_000), daemon=True
)
long.start()
time.sleep(0.5)
columns = numpy.repeat(numpy.array(topics), 2000), numpy.array([f"d{i:09}" for i in range(100_000)]), numpy.arange(100_000.0)
run = cranfield.Run.from_columns(*columns)
cranfield.evaluate(qrels, run, "AP")
cranfield.evaluate("qrels.txt", "runs/bm25.run", "AP")
os._exit(0 if long.is_alive() else 1)
"""


def test_short_calls_do_not_wait_for_long_ones(toy: Path) -> None:
    assert subprocess.run([sys.executable, "-c", BESIDE_A_LONG_CALL], timeout=120, cwd=toy).returncode == 0


def test_other_threads_go_on() -> None:
    n = 400_000
    run = Run.from_columns(["q"] * n, [f"d{i}" for i in range(n)], np.zeros(n))
    evaluator = Evaluator({"q": {"d1": 1}}, "AP")
    worker = threading.Thread(target=lambda: [evaluator.evaluate(run) for _ in range(5)])
    worker.start()
    ticks = 0
    while worker.is_alive():
        ticks += 1
        time.sleep(0.001)
    assert ticks > 5


def test_import_is_light() -> None:
    code = (
        "import sys; import cranfield; "
        "heavy = {'numpy', 'pandas', 'polars', 'pyarrow', 'json', 'asyncio'} & set(sys.modules); "
        "sys.exit(1 if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-S", "-c", "pass"]).returncode == 0
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_measures() -> None:
    assert cranfield.measure("ndcg_cut_10").canonical == "nDCG@10"
    assert cranfield.measure("AP(rel=2)").params["rel"] == "2"
    assert cranfield.measure("P@5").cutoff == 5
    with pytest.raises(cranfield.UsageError):
        cranfield.measure("official")
    names = [measure.name for measure in cranfield.measures()]
    assert len(names) > 50 and names == sorted(names, key=str.lower)
    assert evaluate(QRELS, RUN, [cranfield.measure("RR")]).measures == ["RR"]


def test_the_command_line(toy: Path) -> None:
    assert cli("--version").strip() == f"cranfield {cranfield.__version__}"
    printed = subprocess.run(
        [sys.executable, "-m", "cranfield", "eval", "nothing", "nothing"], capture_output=True
    )
    assert printed.returncode == 3 and b"nothing" in printed.stderr


def test_commands(toy: Path, tmp_path: Path) -> None:
    qrels, runs = toy / "qrels.txt", sorted((toy / "runs").glob("*.run"))
    compared = cranfield.compare(qrels, runs[:2], "AP", seed=7)
    assert compared.to_text() == cli("compare", qrels, *runs[:2], "-m", "AP", "--seed", 7)
    document = json.loads(cli("compare", qrels, *runs[:2], "-m", "AP", "--seed", 7, "-f", "json"))
    assert compared.to_dict() == document
    memory = cranfield.compare(
        Qrels.from_file(qrels), [Run.from_file(run) for run in runs[:2]], "AP", seed=7
    )
    assert memory.to_dict()["comparison"] == document["comparison"]
    topic = Qrels.from_file(qrels).topics[0]
    shown = cranfield.explain(qrels, runs[0], "nDCG@10", topic=topic)
    assert shown.to_text() == cli("explain", qrels, runs[0], "-m", "nDCG@10", "--topic", topic)
    assert cranfield.similarity(RUN, RUN).to_dict()
    assert cranfield.agree(QRELS, QRELS).to_dict()
    assert cranfield.rosetta(qrels, runs[0], "nDCG@10").to_dict()
    assert cranfield.whence(qrels, runs[0], "nDCG@10", "0.5").to_text()
    assert cranfield.doctor(toy / "broken" / "lines.run").to_dict()
    passed = cranfield.gate(qrels, runs[0], runs[0], "AP", test="randomisation", seed=1)
    assert passed.exit_code == 0 and passed.to_dict()
    cranfield.plot("box", qrels, runs[:2], tmp_path / "plot.svg", "AP")
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")
    assert cranfield.report(qrels, runs[:2], None, "AP", format="csv").startswith("measure,run,")
    cranfield.convert(runs[0], tmp_path / "run.json")
    assert Run.from_file(tmp_path / "run.json").to_dict() == Run.from_file(runs[0]).to_dict()
    with pytest.raises(cranfield.UsageError):
        cranfield.compare(qrels, runs[:2], "AP", test="no")


def test_streams_are_not_touched(capfd: pytest.CaptureFixture[str]) -> None:
    cranfield.similarity(RUN, RUN)
    evaluate(QRELS, RUN).to_text()
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")
