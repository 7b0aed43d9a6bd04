"""Programs that use ir_measures: a script, its command line, the guide, and PyTerrier."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ir_measures_peer import theirs

SCRIPT = Path(__file__).with_name("ir_measures_script.py")
assert theirs


def python(*arguments: str | Path, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    # cwl_eval opens a log in the working directory.
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", **more}
    return subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=folder, env=environment
    )


def files(toy: Path) -> list[Path]:
    return [toy / "qrels.txt", *sorted((toy / "runs").glob("*.run"))]


def test_a_script_runs_unchanged(toy: Path, tmp_path: Path) -> None:
    told = [python(SCRIPT, whose, *files(toy), folder=tmp_path) for whose in ("ours", "theirs")]
    assert told[0].returncode == told[1].returncode == 0, told[0].stderr
    assert told[0].stdout == told[1].stdout
    assert told[0].stdout.count("\n") > 15


COMMANDS = [
    ["AP", "P@5", "nDCG@10"], ["AP P@5", "nDCG@10", "AP"], ["-p", "2", "AP"], ["--places", "-1", "AP", "RR"],
    ["-p", "0", "NumRet", "AP"], ["-q", "P@5"], ["-q", "-n", "P@5"], ["--by_query", "--no_summary", "AP", "P@5", "NumRet"],
    ["-o", "jsonl", "AP", "NumQ"], ["-q", "-o", "jsonl", "P@5"], ["-o", "jsonl", "-p", "2", "AP"], ["-n", "AP"],
    ["--provider", "pytrec_eval", "nDCG@10"], ["--provider", "judged", "Judged@10"], ["--provider", "msmarco", "RR@5"],
    ["--provider", "judged", "-q", "Judged@3"], ["--provider", "foo", "AP"], ["foo", "P@", "AP"], ["P"], ["-h"], [],
    ["-q", "RR@10"], ["-q", "AP(rel=2)"], ["RBP"], ["--provider", "judged", "AP"], ["-x", "AP"], ["nDCG(gains={1:3})@5"],
    ["-q", "-p", "3", "nDCG(dcg='exp-log2')@5"], ["RBP(rel=1)", "RBP(rel=2)", "INSQ(max_rel=3)"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_command_line(arguments: list[str], toy: Path, tmp_path: Path) -> None:
    paths = [str(path) for path in files(toy)[:2]]
    if any("exp-log2" in argument for argument in arguments):
        # Its topics must be numbers.
        for place, path in enumerate(paths):
            numbered = tmp_path / str(place)
            numbered.write_text("".join(line.lstrip("qt") for line in Path(path).read_text().splitlines(keepends=True)))
            paths[place] = str(numbered)
    ours, original = (
        python("-m", module, *paths, *arguments, folder=tmp_path, COLUMNS="80")
        for module in ("cranfield.compat.ir_measures", "ir_measures")
    )
    assert ours.stdout == original.stdout
    assert ours.returncode == original.returncode
    # What Python says of exceptions names files; what the logger says is in other words.
    last = [program.stderr.strip().rpartition("\n")[2] for program in (ours, original)]
    last = [re.sub(r"<[^<>]* at 0x[0-9a-f]+>", "<object>", line) for line in last]
    if "[WARNING]" not in last[0]:
        assert last[0] == last[1]


@pytest.mark.parametrize("arguments", [["missing", "AP"], ["vaswani/train", "AP"]])
def test_judgements_that_are_no_file(arguments: list[str], toy: Path, tmp_path: Path) -> None:
    run = str(files(toy)[1])
    ours, original = (
        python("-m", module, arguments[0], run, arguments[1], folder=tmp_path)
        for module in ("cranfield.compat.ir_measures", "ir_measures")
    )
    assert (ours.stdout, ours.stderr, ours.returncode) == (original.stdout, original.stderr, original.returncode)


def test_the_guide(tmp_path: Path) -> None:
    """Its examples give the same with ir_measures itself."""
    guide = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python-ir_measures.md"
    if not guide.exists():
        pytest.skip("no guide beside the tests")
    text = guide.read_text().replace("```\n", "\n").replace("from cranfield.compat import", "import")
    (tmp_path / "guide.md").write_text(text.replace("cranfield.compat.ir_measures", "ir_measures"))
    told = python("-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "guide.md", folder=tmp_path)
    assert told.returncode == 0, told.stdout


EXPERIMENT = """
import json, sys
from cranfield.compat import ir_measures
if sys.argv[1] == "ours":
    ir_measures.install()
else:
    import ir_measures
import pandas as pd
import pyterrier as pt
topics = pd.DataFrame([["q1", "a"], ["q2", "b"], ["q3", "c"]], columns=["qid", "query"])
qrels = pd.DataFrame([["q1", "d1", 1], ["q1", "d2", 2], ["q2", "d1", 1]], columns=["qid", "docno", "label"])
rows = [["q1", "d2", 1.0], ["q1", "d3", 2.0], ["q1", "d1", 0.5], ["q2", "d1", 0.5], ["q2", "d9", 1.5], ["q3", "d1", 1.0]]
run = pd.DataFrame(rows, columns=["qid", "docno", "score"])
run["rank"] = run.groupby("qid")["score"].rank(ascending=False).astype(int) - 1
other = run.assign(score=-run["score"], rank=0)
measures = [ir_measures.nDCG @ 10, ir_measures.RR(rel=2), "map", "P_5", ir_measures.NumRet, ir_measures.Judged @ 2, "official"]
def show(table):
    # The original's order of measures is that of a set.
    rows = sorted(json.loads(table.to_json(orient="records", double_precision=9)), key=str)
    print(json.dumps(sorted([sorted(row.items()) for row in rows], key=str)))
show(pt.Experiment([run, other], topics, qrels, measures, names=["one", "other"], baseline=0))
show(pt.Experiment([run], topics, qrels, measures[:4], names=["one"], perquery=True))
defined = ir_measures.define_byquery(lambda qrels, run: len(run) + 0.0, name="Length")
show(pt.Experiment([run[run.qid != "q3"]], topics[:2], qrels, [defined, pt.measures.AP], names=["one"]))
print(type(measures[0]).__module__.partition(".")[0])
"""


def test_pyterrier(tmp_path: Path) -> None:
    """`pt.Experiment` takes measures and computes them, whoever made them."""
    pytest.importorskip("pyterrier", reason="pyterrier is not installed")
    told = [python("-c", EXPERIMENT, whose, folder=tmp_path) for whose in ("ours", "theirs")]
    assert told[0].returncode == told[1].returncode == 0, told[0].stderr + told[1].stderr
    ours, original = (program.stdout.splitlines() for program in told)
    assert ours[:-1] == original[:-1] and (ours[-1], original[-1]) == ("cranfield", "ir_measures")


def test_install_comes_first(tmp_path: Path) -> None:
    late = "import ir_measures\nfrom cranfield.compat import ir_measures as own\nown.install()"
    told = python("-c", late, folder=tmp_path)
    assert told.returncode == 1 and "call install() before" in told.stderr


REAL = "AP nDCG@10 P@5 P(rel=2)@10 RR R@1000 Bpref Rprec IPrec@0.5 SetF NumRelRet RR@10 Judged@10 RBP(rel=1,p=0.5) INST(max_rel=2)"


@pytest.mark.parametrize("track", ["covid-round1/qrels-rnd1.txt", "robust03/qrels.txt.gz"])
def test_real_runs(track: str, shared: Path, tmp_path: Path) -> None:
    """Runs of TREC, by both command lines: the same bytes for all measures, and for topics of one."""
    qrels = shared / "golden" / "tracks" / track
    for run in sorted((qrels.parent / "runs").iterdir())[:2]:
        for arguments in (["-p", "9", REAL], ["-q", "-p", "9", "nDCG@10"]):
            ours, original = (
                python("-m", module, qrels, run, *arguments, folder=tmp_path)
                for module in ("cranfield.compat.ir_measures", "ir_measures")
            )
            assert original.returncode == 0, original.stderr
            assert ours.stdout == original.stdout
