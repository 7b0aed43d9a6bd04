"""Progress is told where it is asked for, changes no result, and stops nothing but what it raises."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CustomMeasure
from cranfield._progress import Cell, watched

QRELS = {f"q{n}": {"d1": 1, "d2": 0, "d3": 2} for n in range(12)}
RUNS = {
    f"run{at}": {f"q{n}": {"d1": float((n * at) % 5), "d2": 1.0, "d3": 2.0} for n in range(12)} for at in range(6)
}

Steps = list[tuple[str, str, int, int]]


def recorded() -> tuple[Steps, Any]:
    told: Steps = []
    return told, lambda *step: told.append(step)


def check(told: Steps) -> None:
    assert told and all(0 <= done <= total and total > 0 for _, _, done, total in told)
    assert all(isinstance(measure, str) and what for measure, what, _, _ in told)


def test_evaluate_tells_of_runs() -> None:
    told, watch = recorded()
    watched = cranfield.evaluate(QRELS, RUNS, "AP nDCG@10", progress=watch)
    check(told)
    assert told[-1] == ("", "runs", 6, 6)
    assert watched.to_json() == cranfield.evaluate(QRELS, RUNS, "AP nDCG@10").to_json()


def test_evaluate_tells_of_files(tmp_path: Path) -> None:
    cranfield.Qrels.from_dict(QRELS).save(tmp_path / "qrels")
    for name, run in RUNS.items():
        cranfield.Run.from_dict(run).save(tmp_path / f"{name}.run")
    told, watch = recorded()
    runs = [tmp_path / f"{name}.run" for name in RUNS]
    watched = cranfield.evaluate(tmp_path / "qrels", runs, "AP", progress=watch)
    check(told)
    assert told[-1] == ("", "runs", 6, 6)
    assert watched.to_json() == cranfield.evaluate(tmp_path / "qrels", runs, "AP").to_json()


def test_evaluate_tells_of_ones_own_measures() -> None:
    told, watch = recorded()
    first = CustomMeasure("First", lambda topic, grades, context: grades[0])
    watched = cranfield.evaluate(QRELS, RUNS, [first, "AP"], progress=watch)
    check(told)
    assert ("First", "topics of run5", 12, 12) in told
    assert watched.to_dict() == cranfield.evaluate(QRELS, RUNS, [first, "AP"]).to_dict()


@pytest.mark.parametrize("measures", ["AP nDCG@10", ["0.5*AP + 0.5*RR"]])
def test_compare(measures: Any) -> None:
    told, watch = recorded()
    result = cranfield.compare(QRELS, RUNS, measures, seed=3, test="tukey", progress=watch)
    check(told)
    assert ("", "runs", 6, 6) in told and any(measure for measure, _, _, _ in told)
    assert result.to_json() == cranfield.compare(QRELS, RUNS, measures, seed=3, test="tukey").to_json()
    before = len(told)
    result.to_csv()
    assert len(told) == before, "only the call that was given a function tells it"


def test_gate() -> None:
    told, watch = recorded()
    options: dict[str, Any] = {"seed": 3, "test": "randomisation"}
    result = cranfield.gate(QRELS, RUNS["run1"], RUNS["run2"], "AP", progress=watch, **options)
    check(told)
    assert result.to_json() == cranfield.gate(QRELS, RUNS["run1"], RUNS["run2"], "AP", **options).to_json()


def test_report_and_plot(tmp_path: Path) -> None:
    told, watch = recorded()
    page = cranfield.report(QRELS, RUNS, measures="AP", format="md", seed=3, progress=watch)
    check(told)
    assert page == cranfield.report(QRELS, RUNS, measures="AP", format="md", seed=3)
    told.clear()
    cranfield.plot("significance", QRELS, RUNS, tmp_path / "a.svg", "AP", progress=watch)
    check(told)
    cranfield.plot("significance", QRELS, RUNS, tmp_path / "b.svg", "AP")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_fusion_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed")
    from cranfield.compat import ranx

    qrels = ranx.Qrels({topic: dict(grades) for topic, grades in QRELS.items()})
    runs = [ranx.Run(RUNS[name]) for name in ("run1", "run2")]
    quiet = ranx.optimize_fusion(qrels, runs, method="rrf", metric="mrr")
    assert capsys.readouterr().err == "", "nobody sees it"
    monkeypatch.setattr("cranfield.compat.ranx.fusion_optimization._grids.is_seen", lambda: True)
    assert ranx.optimize_fusion(qrels, runs, method="rrf", metric="mrr") == quiet
    assert "mrr: configurations" in capsys.readouterr().err
    ranx.optimize_fusion(qrels, runs, method="rrf", metric="mrr", show_progress=False)
    assert capsys.readouterr().err == ""


def test_functions_are_called_by_the_thread_that_waits() -> None:
    threads = set()
    cranfield.compare(QRELS, RUNS, "AP", seed=3, progress=lambda *step: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("call", [cranfield.evaluate, cranfield.compare])
def test_what_a_function_raises_ends_the_call(call: Any) -> None:
    def watch(*step: Any) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        call(QRELS, RUNS, "AP", progress=watch)
    assert cranfield.evaluate(QRELS, RUNS, "AP").runs == list(RUNS)


def test_lines_are_gone_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    cranfield.evaluate(QRELS, RUNS, "AP", progress=True)
    assert capsys.readouterr().err.endswith(" \r")
    result = cranfield.compare(QRELS, RUNS, "AP", seed=3, progress=True)
    assert capsys.readouterr().err.endswith(" \r")
    result.to_csv()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("progress", [None, 1, "yes"])
def test_what_is_no_progress(progress: Any) -> None:
    with pytest.raises(cranfield.UsageError, match="expected True, False or a function"):
        cranfield.evaluate(QRELS, RUNS, "AP", progress=progress)


INTERRUPTED = """
import cranfield, sys
qrels = {f"q{n}": {"d1": 1, "d2": 0} for n in range(50)}
runs = {f"r{at}": {f"q{n}": {"d1": float((n * at) % 7), "d2": 3.0} for n in range(50)} for at in range(30)}
try:
    cranfield.compare(qrels, runs, "AP RR nDCG@5", test="tukey", replicates=100_000_000, progress=lambda *step: print("step", flush=True))
except KeyboardInterrupt:
    print("interrupted", flush=True)
import os
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "step\n"
    child.send_signal(signal.SIGINT)
    started = time.monotonic()
    rest = child.stdout.read()
    assert rest.endswith("interrupted\n") and time.monotonic() - started < 10
    assert child.wait(10) == 0


class Handle:
    def __init__(self, shown: list[Any]) -> None:
        self.shown = shown

    def update(self, data: Any, *, raw: bool) -> None:
        assert raw
        self.shown.append(data)


def test_bars_of_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []

    class Display:
        @staticmethod
        def display(data: Any, *, raw: bool, display_id: bool) -> Handle:
            assert raw and display_id
            shown.append(data)
            return Handle(shown)

    class IPython:
        display = Display

        @staticmethod
        def get_ipython() -> Any:
            return type("Shell", (), {"kernel": object()})()

    monkeypatch.setitem(sys.modules, "IPython", IPython)  # type: ignore[arg-type]
    with watched(True) as watch:
        assert isinstance(watch, Cell)
        watch("<AP>", "pairs", 1, 4)
        watch("<AP>", "pairs", 4, 4)
    assert shown[0] == {
        "text/html": '<progress max="4" value="1"></progress> 25 % &lt;AP&gt;: pairs',
        "text/plain": "#####...............  25 % <AP>: pairs",
    }
    assert 'value="4"' in shown[1]["text/html"] and shown[2] == {"text/html": "", "text/plain": ""}


def test_in_a_notebook() -> None:
    nbformat: Any = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient: Any = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    code = f"import cranfield\ncranfield.evaluate({QRELS!r}, {RUNS!r}, 'AP', progress=True).runs"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = notebook.cells[0].outputs
    kinds = [output.output_type for output in outputs]
    # The bar, which is empty at the end, and the value; nothing on standard error.
    assert kinds == ["display_data", "execute_result"]
    assert outputs[0].data["text/html"] == ""
