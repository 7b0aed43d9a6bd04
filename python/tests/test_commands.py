"""Everything that the command line can do, Python can do; results of commands in all of their forms."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cranfield

# Commands that Python knows by another name.
NAMES = {
    "eval": "evaluate",
    "experiment": "Experiment",
    "index": "Index",
    "trec_eval": "command",
    "tune-fuse": "tune_fuse",
    "completions": "command",
    "help": "command",
}


def help_of(*arguments: str) -> str:
    command = [sys.executable, "-m", "cranfield", *arguments, "--help"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commands() -> list[str]:
    text = help_of().partition("Commands:\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([\w-]+)", text, flags=re.MULTILINE)


def test_every_command_is_a_function() -> None:
    found = commands()
    assert len(found) > 10 and "compare" in found and "index" in found
    for name in found:
        function = getattr(cranfield, NAMES.get(name, name))
        assert callable(function) and function.__doc__, name
        assert NAMES.get(name, name) in cranfield.__all__


WITH_KEYWORDS = [
    "eval",
    "compare",
    "gate",
    "power",
    "discriminate",
    "explain",
    "similarity",
    "agree",
    "rosetta",
    "whence",
    "search",
    "tune",
    "fuse",
    "tune-fuse",
    "bench",
    "judge",
]


@pytest.mark.parametrize("name", WITH_KEYWORDS)
def test_options_are_keywords(name: str) -> None:
    """All options of a command are keywords of its function, but for those that choose or hide outputs."""
    options = set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", help_of(name), flags=re.MULTILINE))
    known = set(inspect.signature(getattr(cranfield, NAMES.get(name, name))).parameters)
    if "options" in known:
        from cranfield._commands import Options

        known |= set(Options.__annotations__)
    outputs = {"help", "format", "output", "quiet", "measure", "version", "digits", "sort", "per-topic"}
    # These have results of their own forms; `cranfield.command` takes them.
    elsewhere = {
        "eval": {"all-ranks", "scenario", "sideways", "topic", "vector", "wide"},
        "gate": {"except", "junit", "self-test", "summary", "update", "write-lock"},
        "search": {"explain"},
        # `text=False` in Python.
        "bench": {"no-text"},
        # `as` and `with` are keywords of Python; people judge in a terminal.
        "judge": {"as", "with", "assessors", "overlap", "hours"},
    }
    missing = {option for option in options - outputs if option.replace("-", "_") not in known}
    assert missing <= elsewhere.get(name, set()), missing


def test_any_command_with_any_option(toy: Path) -> None:
    qrels, run = toy / "qrels.txt", toy / "runs" / "bm25.run"
    result = cranfield.command("eval", "-m", "AP", qrels, run)
    assert "AP" in result.to_text() and result.exit_code == 0
    assert result.to_dict()["runs"][0]["run"] == "bm25"
    assert cranfield.command("trec_eval", "-m", "map", qrels, run).to_text().startswith("map")
    with pytest.raises(cranfield.UsageError):
        cranfield.command("nonsense")
    with pytest.raises(cranfield.FileError):
        cranfield.command("eval", "absent.txt", run)


def results(toy: Path) -> dict[str, Any]:
    qrels, runs = toy / "qrels.txt", [toy / "runs" / "bm25.run", toy / "runs" / "dense.run"]
    return {
        "compare": cranfield.compare(qrels, runs, "AP", seed=1),
        "explain": cranfield.explain(qrels, runs[0], "AP"),
        "explain a topic": cranfield.explain(qrels, runs[0], "AP", topic="101"),
        "explain a difference": cranfield.explain(qrels, runs[0], "AP", runs[1]),
        "doctor": cranfield.doctor(qrels, *runs, toy / "broken" / "twice.run"),
        "whence": cranfield.whence(qrels, runs[0], "AP", 0.48),
        "similarity": cranfield.similarity(*runs),
        "agree": cranfield.agree(qrels, qrels),
        "rosetta": cranfield.rosetta(qrels, runs[0], "AP"),
        "gate": cranfield.gate(qrels, runs[1], runs[0], "AP"),
        "power": cranfield.power(qrels, runs, "AP", difference=[0.05, 0.1]),
        "power without a pilot": cranfield.power(effect=0.5),
        "discriminate": cranfield.discriminate(qrels, runs, "AP", replicates=100, curves=True),
    }


def test_results_in_all_forms(toy: Path) -> None:
    for name, result in results(toy).items():
        assert result.to_text() and str(result) == result.to_text(), name
        assert "<" in result._repr_html_(), name
        assert isinstance(result.to_dict(), (dict, list)), name
        columns = result.to_columns()
        lengths = {len(column) for column in columns.values()}
        assert len(lengths) == 1 and lengths != {0}, name
        for column in columns.values():
            kinds = {type(cell) for cell in column} - {type(None)}
            assert len(kinds) <= 1 and kinds <= {float, str}, name
        assert "tabular" in result.to_latex(), name


def test_results_as_frames(toy: Path) -> None:
    found = results(toy)
    pandas = pytest.importorskip("pandas")
    for name, result in found.items():
        frame = result.to_pandas()
        assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == list(result.to_columns()), name
    polars = pytest.importorskip("polars")
    for name, result in found.items():
        assert result.to_polars().columns == list(result.to_columns()), name
    pyarrow = pytest.importorskip("pyarrow")
    for name, result in found.items():
        table = pyarrow.table(result.to_arrow())
        assert table.to_pydict() == result.to_columns(), name
        assert isinstance(polars.from_arrow(table), polars.DataFrame)


def test_scores() -> None:
    assert cranfield.scores({"q": {"d": 1}}, {"q": {"d": 1.0}}, "RR") == {"RR": 1.0}
    with pytest.raises(cranfield.UsageError, match="2 runs"):
        cranfield.scores({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"d": 1.0}}}, "RR")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["eval", "--help"], ["help"], ["--version"]])
def test_help_is_no_mistake(arguments: list[str]) -> None:
    result = cranfield.command(*arguments)
    assert result.exit_code == 0 and result.notes == []
    assert ("cranfield" in result.to_text()) and result.to_text().endswith("\n")
