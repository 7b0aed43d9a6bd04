"""Seconds that Python packages need for six measures, from objects in memory, in one warm process.

    python benches/python.py FOLDER [REPEATS]

FOLDER holds `qrels.txt` and `run.txt`, as `cargo run --release` in this folder writes them. Packages that are not installed are
left out. The least of the repetitions is told.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from typing import Any, Callable

MEASURES = {
    "cranfield": "nDCG@10 AP P@10 RR R@1000 nDCG",
    "pytrec_eval": {"ndcg_cut_10", "map", "P_10", "recip_rank", "recall_1000", "ndcg"},
    "ir_measures": "nDCG@10 AP P@10 RR R@1000 nDCG",
    "ranx": ["ndcg@10", "map", "precision@10", "mrr", "recall@1000", "ndcg"],
}


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


def least(repeats: int, call: Callable[[], Any]) -> float:
    seconds = []
    call()
    for _ in range(repeats):
        gc.collect()
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def ours(qrels: Any, run: Any, folder: Path) -> dict[str, Callable[[], Any]]:
    import cranfield

    names = MEASURES["cranfield"]
    evaluator = cranfield.Evaluator(qrels, names)
    rows = [(t, d, s) for t, ranking in run.items() for d, s in ranking.items()]
    topics, docs, scores = (list(column) for column in zip(*rows, strict=True))
    calls: dict[str, Callable[[], Any]] = {
        "cranfield, dict": lambda: evaluator.evaluate(run),
        "cranfield, files": lambda: cranfield.evaluate(
            folder / "qrels.txt", folder / "run.txt", names
        ),
    }
    try:
        import pyarrow
    except ImportError:
        pass
    else:
        table = pyarrow.table({"topic": topics, "doc": docs, "score": scores})
        calls["cranfield, Arrow"] = lambda: evaluator.evaluate(cranfield.Run.from_arrow(table))
        loaded = cranfield.Run.from_arrow(table)
        calls["cranfield, Run"] = lambda: evaluator.evaluate(loaded)
    try:
        import numpy
    except ImportError:
        pass
    else:
        columns = numpy.array(topics), numpy.array(docs), numpy.array(scores)
        calls["cranfield, numpy"] = lambda: evaluator.evaluate(
            cranfield.Run.from_columns(*columns)
        )
        objects = *(numpy.array(ids, dtype=object) for ids in (topics, docs)), columns[2]
        calls["cranfield, objects"] = lambda: evaluator.evaluate(
            cranfield.Run.from_columns(*objects)
        )
        # Ids as whole numbers, which are other ids where the texts are no numbers.
        numbers = *(numpy.unique(ids, return_inverse=True)[1] for ids in columns[:2]), columns[2]
        if all(ids[0].isdigit() for ids in (topics, docs)):
            numbers = columns[0].astype("int64"), columns[1].astype("int64"), columns[2]
        calls["cranfield, ints"] = lambda: evaluator.evaluate(
            cranfield.Run.from_columns(*numbers)
        )
    return calls


def others(qrels: Any, run: Any) -> dict[str, Callable[[], Any]]:
    calls: dict[str, Callable[[], Any]] = {}
    try:
        import pytrec_eval
    except ImportError:
        pass
    else:
        reference = pytrec_eval.RelevanceEvaluator(qrels, MEASURES["pytrec_eval"])
        calls["pytrec_eval, dict"] = lambda: reference.evaluate(run)
    try:
        import ir_measures
    except ImportError:
        pass
    else:
        parsed = [ir_measures.parse_measure(name) for name in MEASURES["ir_measures"].split()]  # type: ignore[union-attr]
        provider = ir_measures.evaluator(parsed, qrels)
        calls["ir_measures, dict"] = lambda: list(provider.iter_calc(run))
    try:
        import ranx
    except ImportError:
        pass
    else:
        judged, ranked = ranx.Qrels(qrels), ranx.Run(run)
        calls["ranx, its objects"] = lambda: ranx.evaluate(judged, ranked, MEASURES["ranx"])
    return calls


def main() -> None:
    folder = Path(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    qrels, run = read(folder)
    print(f"{'what':22} seconds")
    for what, call in (others(qrels, run) | ours(qrels, run, folder)).items():
        print(f"{what:22} {least(repeats, call):9.5f}", flush=True)


if __name__ == "__main__":
    main()
