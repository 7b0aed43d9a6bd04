"""A script for ranx runs as it is but for the import, and prints the same."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from ranx_pair import random_data

SCRIPT = '''
from ranx import Qrels, Run, compare, evaluate, fuse, normalize, optimize_fusion

qrels = Qrels.from_file(f"{folder}/qrels.trec", kind="trec")
bm25 = Run.from_file(f"{folder}/bm25.trec", kind="trec")
dense = Run.from_file(f"{folder}/dense.json")
dense.name = "dense"

print(f"{len(qrels)} topics, {sum(len(bm25[q]) for q in bm25.keys())} documents of {bm25.name}")
print({name: round(float(mean), 6) for name, mean in
       evaluate(qrels, bm25, ["ndcg@10", "map@100", "mrr", "recall@20"], make_comparable=True).items()})
worst = min(bm25.scores["ndcg@10"], key=bm25.scores["ndcg@10"].get)
print("worst topic", worst, round(float(bm25.scores["ndcg@10"][worst]), 6))

dense = dense.make_comparable(qrels)
best = optimize_fusion(qrels, [bm25, dense], norm="min-max", method="wsum", metric="ndcg@10",
                       step=0.25, show_progress=False)
print([float(weight) for weight in best["weights"]])
mixed = fuse([bm25, dense], norm="min-max", method="wsum", params=best)
mixed.name = "mixed"
rrf = fuse([bm25, dense], method="rrf", params={"k": 60})
rrf.name = "rrf"
print([round(score, 6) for score in list(normalize(dense, "zmuv")["q00"].values())[:3]])

report = compare(qrels, [bm25, dense, mixed, rrf], ["map@100", "mrr@100", "ndcg@10"], max_p=0.05)
print(report)
print(report.to_latex())
print(report.to_dataframe().round(6).to_csv(index=False))
report.save(f"{folder}/report.json")
mixed.save(f"{folder}/mixed.trec")
'''


def folder_with_data(folder: Path) -> Path:
    qrels, (bm25, dense) = random_data(99, runs=2, topics=15, ties=False)
    del bm25["q03"]
    dense["q99"] = {"d001": 1.0}
    folder.mkdir()
    lines = [f"{q} 0 {d} {grade}" for q, row in qrels.items() for d, grade in row.items()]
    (folder / "qrels.trec").write_text("\n".join(lines))
    lines = [f"{q} Q0 {d} 0 {score} bm25" for q, row in bm25.items() for d, score in row.items()]
    (folder / "bm25.trec").write_text("\n".join(lines))
    (folder / "dense.json").write_text(json.dumps(dense))
    return folder


def output(script: str, folder: Path) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(script, "script.py", "exec"), {"folder": str(folder)})
    return printed.getvalue()


def test_a_script(tmp_path: Path) -> None:
    changed = SCRIPT.replace("from ranx import", "from cranfield.compat.ranx import")
    results = []
    for name, script in (("theirs", SCRIPT), ("ours", changed)):
        folder = folder_with_data(tmp_path / name)
        results.append((output(script, folder), (folder / "mixed.trec").read_text()))
    assert results[0] == results[1]
    assert "worst topic q03 0.0" in results[1][0]


def test_imports_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; import cranfield.compat.ranx;"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found = set(json.loads(done.stdout.replace("'", '"')))
    for name in ("numpy", "pandas", "ranx", "numba", "scipy", "rich", "tabulate"):
        assert name not in found, found


@pytest.mark.parametrize("name", ["ranx", "numba", "scipy", "tabulate", "orjson", "rich"])
def test_works_without_the_packages_of_ranx(name: str) -> None:
    code = f"""
import sys
sys.modules[{name!r}] = None
from cranfield.compat.ranx import Qrels, Run, compare, evaluate, fuse, optimize_fusion
qrels = Qrels({{"q1": {{"d1": 1}}, "q2": {{"d1": 1}}}})
runs = [Run({{"q1": {{"d1": 1.0}}, "q2": {{"d2": 1.0}}}}, name=name) for name in "ab"]
print(evaluate(qrels, runs[0], "mrr"))
print(compare(qrels, runs, ["mrr"], stat_test="tukey"))
print(optimize_fusion(qrels, runs, method="rrf", return_optimization_report=True)[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
