#!/usr/bin/env python3
"""Seconds that Python packages need for six measures, from objects in memory, in one warm process, as a Markdown page of ratios.

    python benches/python.py FOLDER... [--repeat N] [--binary FILE] [--write]

A FOLDER holds `qrels.txt` and `run.txt`, as `generate` in this folder writes them. Packages that are not installed are left out.
Reports the minimum of the repetitions, or of as many as fit into a second if these are more.
"""

from __future__ import annotations

import argparse
import datetime
import gc
import importlib.metadata
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Callable

from compare import ROOT, command_line, machine, markdown_table, shown_seconds, step

PAGE = ROOT / "docs" / "benchmarks-python.md"
MEASURES = {
    "cranfield": "nDCG@10 AP P@10 RR R@1000 nDCG",
    "pytrec_eval": {"ndcg_cut_10", "map", "P_10", "recip_rank", "recall_1000", "ndcg"},
    "ir_measures": "nDCG@10 AP P@10 RR R@1000 nDCG",
    "ranx": ["ndcg@10", "map", "precision@10", "mrr", "recall@1000", "ndcg"],
}
PEERS = {"pytrec_eval": "pytrec_eval-terrier", "ir_measures": "ir-measures", "ranx": "ranx"}
PYTREC_EVAL, IR_MEASURES, RANX = "pytrec_eval, dict", "ir_measures, dict", "ranx, its objects"
COMMAND_LINE = "command line"
IMPORT, NOTHING = "import cranfield", "import nothing"
# What is divided by what.
RATIOS = [
    (PYTREC_EVAL, "cranfield, dict"),
    (IR_MEASURES, "cranfield, dict"),
    (PYTREC_EVAL, "cranfield, Arrow"),
    (PYTREC_EVAL, "cranfield, numpy"),
    (RANX, "cranfield, Arrow"),
    (RANX, "cranfield, numpy"),
    ("cranfield, files", COMMAND_LINE),
]

Calls = dict[str, Callable[[], Any]]


# ------------------------------------------------------------------------------------------------ calls

def read(folder: Path) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    with open(folder / "qrels.txt") as lines:
        for line in lines:
            topic, _, document, grade = line.split()
            qrels.setdefault(topic, {})[document] = int(grade)
    with open(folder / "run.txt") as lines:
        for line in lines:
            topic, _, document, _, score, _ = line.split()
            run.setdefault(topic, {})[document] = float(score)
    return qrels, run


def installed(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None


def ours(qrels: Any, run: Any, folder: Path) -> Calls:
    import cranfield

    names = MEASURES["cranfield"]
    evaluator = cranfield.Evaluator(qrels, names)
    rows = [(t, d, s) for t, ranking in run.items() for d, s in ranking.items()]
    topics, docs, scores = (list(column) for column in zip(*rows, strict=True))
    calls: Calls = {
        "cranfield, dict": lambda: evaluator.evaluate(run),
        "cranfield, files": lambda: cranfield.evaluate(folder / "qrels.txt", folder / "run.txt", names),
    }
    if pyarrow := installed("pyarrow"):
        table = pyarrow.table({"topic": topics, "doc": docs, "score": scores})
        calls["cranfield, Arrow"] = lambda: evaluator.evaluate(cranfield.Run.from_arrow(table))
        loaded = cranfield.Run.from_arrow(table)
        calls["cranfield, Run"] = lambda: evaluator.evaluate(loaded)
    if numpy := installed("numpy"):
        columns = {"numpy": (numpy.array(topics), numpy.array(docs), numpy.array(scores))}
        ids = [numpy.array(column, dtype=object) for column in (topics, docs)]
        columns["objects"] = *ids, columns["numpy"][2]
        if all(one.isdigit() and str(int(one)) == one for one in {*topics, *docs}):
            numbers = [numpy.array(column).astype("int64") for column in (topics, docs)]
            columns["ints"] = *numbers, columns["numpy"][2]
        for kind, given in columns.items():
            calls[f"cranfield, {kind}"] = lambda given=given: evaluator.evaluate(cranfield.Run.from_columns(*given))
    return calls


def others(qrels: Any, run: Any) -> Calls:
    calls: Calls = {}
    if pytrec_eval := installed("pytrec_eval"):
        reference = pytrec_eval.RelevanceEvaluator(qrels, MEASURES["pytrec_eval"])
        calls[PYTREC_EVAL] = lambda: reference.evaluate(run)
    if ir_measures := installed("ir_measures"):
        parsed = [ir_measures.parse_measure(name) for name in MEASURES["ir_measures"].split()]
        provider = ir_measures.evaluator(parsed, qrels)
        calls[IR_MEASURES] = lambda: list(provider.iter_calc(run))
    if ranx := installed("ranx"):
        judged, ranked = ranx.Qrels(qrels), ranx.Run(run)
        calls[RANX] = lambda: ranx.evaluate(judged, ranked, MEASURES["ranx"])
    return calls


def processes(folder: Path, binary: Path | None) -> Calls:
    """Whole processes: the command line, and the import of the package in a fresh interpreter."""
    def started(*words: Any) -> Callable[[], Any]:
        return lambda: subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    calls: Calls = {IMPORT: started(sys.executable, "-c", "import cranfield"), NOTHING: started(sys.executable, "-c", "")}
    if binary is not None:
        calls[COMMAND_LINE] = started(
            binary, "eval", folder / "qrels.txt", folder / "run.txt", "--measure", MEASURES["cranfield"]
        )
    return calls


def least(repeats: int, call: Callable[[], Any]) -> float:
    """The minimum time of consecutive calls with garbage collection off, as in `timeit`: of `repeats` calls, or of as many as fit
    into a second."""
    seconds: list[float] = []
    call()
    gc.collect()
    gc.disable()
    while len(seconds) < repeats or sum(seconds) < 1:
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    gc.enable()
    return min(seconds)


# ------------------------------------------------------------------------------------------------ report

def versions() -> str:
    told = [f"Python {sys.version.split()[0]}", f"cranfield {import_module('cranfield').__version__}"]
    packages = [*(PEERS[name] for name in PEERS if installed(name)), "numpy", "pyarrow"]
    for name in packages:
        try:
            told.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return ", ".join(told)


def ratios(times: dict[str, float]) -> list[list[str]]:
    rows = [
        [f"{top} / {bottom}", f"{times[top] / times[bottom]:.2f}"]
        for top, bottom in RATIOS
        if top in times and bottom in times
    ]
    return [*rows, ["import of cranfield, beyond the interpreter's start", shown_seconds(times[IMPORT] - times[NOTHING])]]


def section(folder: Path, lines: int, times: dict[str, float]) -> str:
    rows = [[name, shown_seconds(seconds)] for name, seconds in times.items()]
    return f"""## {folder.name}: {lines:,} documents in the run

{markdown_table(["minimum time", "seconds"], rows)}
{markdown_table(["ratio of times", ""], ratios(times))}"""


def report(sections: list[str], arguments: argparse.Namespace) -> str:
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return f"""# Speed of the Python package

Written by `{command_line("benches/python.py")}` on {today}.

- machine: {machine()}
- versions: {versions()}

Six measures (AP, nDCG, nDCG@10, P@10, R@1000, RR) of one run, all topics, in one warm process: the minimum of {arguments.repeat} consecutive calls, or of as many as fit into a second, with garbage collection off.
Judgements are parsed in advance, except in the row "files"; just-in-time compilation is not included.
The command line and the imports are timed as whole processes.

{chr(10).join(sections)}"""


def measured(folder: Path, arguments: argparse.Namespace) -> str:
    qrels, run = read(folder)
    calls = others(qrels, run) | ours(qrels, run, folder) | processes(folder, arguments.binary)
    times = {}
    for name, call in calls.items():
        times[name] = least(arguments.repeat, call)
        step(f"{folder.name}, {name}: {shown_seconds(times[name])}")
    return section(folder, sum(map(len, run.values())), times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="folder with qrels.txt and run.txt")
    parser.add_argument("--repeat", type=int, default=5, help="calls of each kind (default: 5)")
    parser.add_argument("--binary", type=Path, help="the program cranfield, to time it as well")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}, too")
    arguments = parser.parse_args()
    text = report([measured(folder, arguments) for folder in arguments.folders], arguments)
    if arguments.write:
        PAGE.write_text(text, encoding="utf-8")
    step(text)


if __name__ == "__main__":
    main()
