"""`cranfield.compat.ir_measures` without any other package: examples worked out by hand, and the guide."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import AP, ERR, INST, RR, Accuracy, Judged, NumRet, P, R, SetF, StRecall, nDCG

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1}}
RUN = {"q1": {"b": 3.0, "c": 2.0, "x": 1.0}, "q3": {"a": 1.0}}


def python(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=dict(os.environ))


def test_values() -> None:
    """q1 has one of two relevant documents at rank 2 of 3; q2 is judged and not in the run, q3 is not judged."""
    expected = {
        AP: 1 / 2 / 2,
        RR: 1 / 2,
        P @ 3: 1 / 3,
        R @ 3: 1 / 2,
        AP(rel=2): 1 / 2,
        nDCG: 2 / math.log2(3) / (2 + 1 / math.log2(3)),
        nDCG(gains={2: 5}): 5 / math.log2(3) / (5 + 1 / math.log2(3)),
        RR @ 1: 0.0,
        Judged @ 3: 2 / 3,
        NumRet: 3.0,
        SetF: 2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2),
        # Grade 2 satisfies with probability (2^2 - 1) / 2^4, and five digits are printed.
        ERR @ 3: round(3 / 16 / 2, 5),
    }
    for measure, value in expected.items():
        first, second = sorted(measure.iter_calc(QRELS, RUN))
        assert (first.query_id, second.query_id, second.value) == ("q1", "q2", 0.0)
        assert math.isclose(first.value, value, rel_tol=1e-12), measure
        total = value if measure == NumRet else value / 2
        assert math.isclose(measure.calc_aggregate(QRELS, RUN), total, rel_tol=1e-12), measure
    # One pair of a relevant document and one below it, of two pairs; q2 has no value.
    assert [metric.value for metric in Accuracy.iter_calc(QRELS, RUN)] == [0.5]


def test_figures_of_cwl() -> None:
    """P@2 of q1: two documents are read, and one has gain."""
    (metric,) = ir_measures.cwl_eval.iter_calc([P @ 2], {"q1": QRELS["q1"]}, RUN)
    assert metric == ir_measures.CwlMetric("q1", P @ 2, 0.5, 1.0, 1.0, 2.0, 2.0)
    values = [metric.value for metric in INST(max_rel=2).iter_calc(QRELS, RUN)]
    assert 0 < values[0] < 1 and values[1] == 0.0


def test_subtopics() -> None:
    rows = [ir_measures.Qrel("q", "a", 1, "1"), ir_measures.Qrel("q", "b", 1, "2")]
    assert (StRecall @ 1).calc_aggregate(rows, {"q": {"a": 2.0, "b": 1.0}}) == 0.5
    assert (StRecall @ 2).calc_aggregate(rows, {"q": {"a": 2.0, "b": 1.0}}) == 1.0


@pytest.mark.parametrize("measure", [P @ 2, RR @ 2, Judged, INST(max_rel=1), StRecall @ 2, Accuracy])
def test_ids_of_any_text(measure: ir_measures.Measure) -> None:
    """Ids with spaces and without letters are ids as others."""
    plain = measure.calc_aggregate({"q": {"a": 1, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}})
    odd = measure.calc_aggregate({"é 1": {"a b": 1, "": 0}}, {"é 1": {"": 2.0, "a b": 1.0}})
    assert plain == odd


def test_the_guide(tmp_path: Path) -> None:
    guide = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python-ir_measures.md"
    if not guide.exists():
        pytest.skip("no guide beside the tests")
    (tmp_path / "guide.md").write_text(guide.read_text().replace("```\n", "\n"))
    told = python("-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "guide.md", folder=tmp_path)
    assert told.returncode == 0, told.stdout


def test_nothing_else_is_imported(tmp_path: Path) -> None:
    code = """
import sys
from cranfield.compat import ir_measures
ir_measures.calc_aggregate([ir_measures.P @ 5, ir_measures.RR @ 5], {"q": {"a": 1}}, {"q": {"a": 1.0}})
found = {name.partition(".")[0] for name in sys.modules}
assert not found & {"numpy", "pandas", "ir_measures", "pytrec_eval"}, found
"""
    told = python("-c", code, folder=tmp_path)
    assert told.returncode == 0, told.stderr


def test_install(tmp_path: Path) -> None:
    code = """
from cranfield.compat import ir_measures as own
own.install()
own.install()
from ir_measures.util import Qrel
from ir_measures.measures.ap import AP
import ir_measures.providers.base
assert Qrel is own.Qrel and AP is own.AP
"""
    told = python("-c", code, folder=tmp_path)
    assert told.returncode == 0, told.stderr


def expected(path: Path) -> list[tuple[str, list[str], dict[str, float]]]:
    """Names, and values by topic, of a table of published values."""
    header, *rows = (line.split("\t") for line in path.read_text().splitlines() if line)
    topics = [name for name in header[1:] if name != "mean"]
    return [(row[0].partition(" (")[0], topics, dict(zip(topics, map(float, row[1:])))) for row in rows]


def test_published_values(shared: Path) -> None:
    """What the authors of compatibility and of cwl_eval computed."""
    for name, provider, tolerance in (("compat", ir_measures.compat, 1e-9), ("cwl", ir_measures.cwl_eval, 5.1e-5)):
        folder = shared / "golden" / name
        qrels = list(ir_measures.read_trec_qrels(str(folder / f"{name}.qrels")))
        run = list(ir_measures.read_trec_run(str(folder / f"{name}.run")))
        rows = expected(folder / "expected.tsv")
        assert len(rows) >= 3
        for text, topics, values in rows:
            measure = ir_measures.parse_measure(text)
            found = {metric.query_id: metric.value for metric in provider.iter_calc([measure], qrels, run)}
            for topic in topics:
                assert math.isclose(found[topic], values[topic], abs_tol=tolerance), (measure, topic)
