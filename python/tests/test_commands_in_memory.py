"""Commands of what is in memory: the numbers, names and errors are those of `evaluate`, and never those of files."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield._commands import Options, Policies

EXAMPLES = Path(__file__).parents[2] / "examples"
QRELS = EXAMPLES / "qrels.txt"
BM25, DENSE = EXAMPLES / "runs/bm25.run", EXAMPLES / "runs/dense.run"


@pytest.fixture
def runs() -> dict[str, cranfield.Run]:
    return {"org/model": cranfield.read_run(BM25), "org_model": cranfield.read_run(DENSE)}


@pytest.mark.parametrize("order", [["d", "e"], ["e", "d"]])
@pytest.mark.parametrize(
    "options", [{"ties": "input-order"}, {"ties": "file-order"}, {"profile": "ranx"}, {"ties": "docid-desc"}, {}]
)
def test_ties_keep_the_order_of_documents(order: list[str], options: Any) -> None:
    qrels, run = {"q": {"d": 1}}, {"q": dict.fromkeys(order, 1.0)}
    value = cranfield.evaluate(qrels, run, "RR", **options)["run", "RR"]
    explained = cranfield.explain(qrels, run, "RR", **options).to_dict()
    assert explained["explanations"][0]["value"] == value


RANKED = cranfield.Run.from_columns([*"qqqppp"], [*"defdef"], [3.0, 2.0, 1.0] * 2, "ranked", ranks=[3, 1, 2] * 2)


@pytest.mark.parametrize("options", [{"ties": "rank-column"}, {"profile": "quepid"}, {}])
def test_ranks_are_kept(options: Any, tmp_path: Path) -> None:
    qrels = {"q": {"d": 1, "f": 0}, "p": {"d": 1}}
    value = cranfield.evaluate(qrels, RANKED, "RR", **options)["ranked", "RR"]
    assert value == (pytest.approx(1 / 3) if options else 1.0)
    explained = cranfield.explain(qrels, RANKED, "RR", **options).to_dict()
    assert explained["explanations"][0]["value"] == value
    from_file = tmp_path / "ranked.run"
    RANKED.save(from_file)
    read = cranfield.read_run(from_file)
    assert cranfield.evaluate(qrels, read, "RR", **options)["ranked", "RR"] == value
    compared = cranfield.compare(qrels, {"one": RANKED, "two": read}, "RR", seed=1, **options)
    assert {row["mean"] for row in _leaderboard(compared)} == {value}



def test_a_topic_without_documents_stays_a_topic_of_the_run() -> None:
    qrels, run = {"q": {"d": 1}, "p": {"d": 1}}, {"q": {}, "p": {"d": 1.0}}
    value = cranfield.evaluate(qrels, run, "RR", topics="run")["run", "RR"]
    explained = cranfield.explain(qrels, run, "RR", topics="run").to_dict()
    assert explained["explanations"][0]["value"] == value


def test_runs_whose_names_differ_by_a_slash_are_two(runs: Any) -> None:
    means = {row["run"]: row["mean"] for row in _leaderboard(cranfield.compare(QRELS, runs, "AP", seed=1))}
    evaluated = cranfield.evaluate(QRELS, runs, "AP")
    assert means == {name: pytest.approx(evaluated[name, "AP"]) for name in runs}
    assert means["org/model"] != means["org_model"]


def _leaderboard(result: cranfield.Result) -> Any:
    return result.to_dict()["comparison"][0]["runs"]


def test_a_baseline_is_named_as_the_run_is(runs: Any) -> None:
    result = cranfield.compare(QRELS, runs, "AP", baseline="org/model", seed=1)
    assert "org/model" in result.to_text()
    text = cranfield.report(QRELS, runs, measures="AP", format="md", baseline="org/model", seed=1)
    standardised = cranfield.report(QRELS, runs, measures="AP", format="md", standardise="z")
    assert "z-scores" in standardised and "z-scores" not in text
    assert "org/model" in text


def test_reports_compare_other_assessors(runs: Any) -> None:
    files = [EXAMPLES / "assessors" / name for name in ("ann.txt", "bob.txt")]
    page = cranfield.report(QRELS, runs, measures="AP", assessor=files, seed=1)
    assert 'id="plot-agreement"' in page and "with 2 other assessors" in page
    one = cranfield.Qrels.from_file(files[0])
    assert "with 1 other assessor." in cranfield.report(QRELS, runs, measures="AP", assessor=one, seed=1)
    assert 'id="plot-agreement"' not in cranfield.report(QRELS, runs, measures="AP", seed=1)


@pytest.mark.parametrize("name", ["..", "-x", "a.run", "a.gz", "a*", "[a]", "é 😀", "x" * 300, "a\nb", "qrels"])
def test_any_name_of_a_run_will_do(name: str, runs: Any) -> None:
    first, second = runs.values()
    means = [row["mean"] for row in _leaderboard(cranfield.compare(QRELS, {name: first, "c": second}, "AP", seed=1))]
    evaluated = cranfield.evaluate(QRELS, runs, "AP")
    assert sorted(means) == pytest.approx(sorted(evaluated[run, "AP"] for run in runs))


def test_ids_with_spaces_are_read_by_every_command() -> None:
    qrels = {f"topic {n}": {"the document": 1} for n in range(3)}
    run = {f"topic {n}": {"the document": 1.0, "a\nb": 2.0} for n in range(3)}
    assert cranfield.explain(qrels, run, "RR").to_dict()["explanations"][0]["value"] == 0.5
    assert cranfield.gate(qrels, run, run, "RR").exit_code == 0


def test_formats_are_those_of_files_only() -> None:
    run = cranfield.read_run(BM25)
    in_memory = cranfield.compare(QRELS, {"bm25": run, "dense": str(DENSE)}, "AP", run_format="trec", seed=1)
    assert in_memory.to_text() == cranfield.compare(QRELS, [BM25, DENSE], "AP", seed=1).to_text()


def test_errors_name_runs_in_memory() -> None:
    twice = cranfield.Run.from_columns(["q", "q"], ["d", "d"], [1.0, 2.0], name="twice")
    with pytest.raises(cranfield.InputError) as raised:
        cranfield.explain({"q": {"d": 1}}, twice, "RR")
    told = [str(raised.value), raised.value.report, *(problem.file for problem in raised.value.problems)]
    assert not any("cranfield-" in text for text in told)
    assert any("twice" in text for text in told)


@pytest.mark.parametrize("name", ["run", "a.json", "a_b.json/c", "x.jsonl", "[a]*"])
def test_names_of_runs_in_memory_are_kept(name: str) -> None:
    run = cranfield.Run.from_dict({"q": {"d": 1.0}}, name)
    with pytest.raises(cranfield.UsageError, match=f"nor in <{re.escape(name)}>;"):
        cranfield.explain({"q": {"d": 1}}, run, "RR", topic="other")
    told = cranfield.similarity(run, run.renamed("z")).to_dict()
    assert name in json.dumps(told) and not re.search(re.escape(name) + r"\.jsonl?", json.dumps(told))


@pytest.mark.parametrize("command", ["gate", "plot", "report", "explain"])
def test_custom_measures_are_errors_in_other_commands(command: str, tmp_path: Path) -> None:
    own = cranfield.custom_measure("Mine", lambda topic, grades, context: 1.0)
    calls = {
        "gate": lambda: cranfield.gate(QRELS, BM25, DENSE, own),
        "plot": lambda: cranfield.plot("box", QRELS, [BM25], tmp_path / "x.svg", [own]),
        "report": lambda: cranfield.report(QRELS, [BM25], None, "2*AP"),
        "explain": lambda: cranfield.explain(QRELS, BM25, own),
    }
    with pytest.raises(cranfield.UsageError, match="measure of your own"):
        calls[command]()


def test_one_measure_needs_no_list() -> None:
    explained = cranfield.explain(QRELS, BM25, cranfield.measure("AP")).to_dict()
    own = cranfield.custom_measure("One", lambda topic, grades, context: 1.0)
    assert explained["explanations"][0]["measure"] == "AP"
    assert cranfield.evaluate(QRELS, BM25, own).to_dict() == {"bm25": {"One": 1.0}}
    assert cranfield.evaluate(QRELS, BM25, cranfield.measure("RR")).measures == ["RR"]


def _command_options(command: str) -> set[str]:
    done = subprocess.run([sys.executable, "-m", "cranfield", command, "--help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^ +(?:-\w, )?--([a-z][a-z-]*)", done.stdout, re.MULTILINE))


# Options that Python has in another form: `to_...` and `notes` of results, arguments without a name, words of Python, and
# `Index.explain`.
OTHERWISE = {
    "eval": {"measure", "per-topic", "format", "digits", "output", "quiet", "help"},
    "compare": {"measure", "format", "output", "quiet", "help"},
    "explain": {"format", "output", "quiet", "help"},
    "similarity": {"measure", "format", "output", "quiet", "help"},
    "agree": {"measure", "format", "output", "quiet", "help"},
    "doctor": {"as", "format", "quiet", "help"},
    "convert": {"from", "to", "output", "quiet", "help"},
    "whence": {"format", "quiet", "help"},
    "rosetta": {"format", "output", "quiet", "help"},
    "gate": {"except", "measure", "format", "output", "quiet", "help"},
    "plot": {"measure", "quiet", "help"},
    "report": {"measure", "quiet", "help"},
    "search": {"explain", "format", "quiet", "help"},
    "tune": {"format", "quiet", "help"},
    # `text=False` in Python.
    "bench": {"measure", "no-text", "format", "digits", "output", "quiet", "help"},
}
# Of `eval`, vectors and scenarios are functions of their own; runs keep their order, and `sort` is for those two.
BY_FUNCTION = {"eval": {"all-ranks", "sort", "topic", "vector", "sideways", "scenario", "wide"}}


@pytest.mark.parametrize("command", OTHERWISE)
def test_python_has_every_option_of_the_command_line(command: str) -> None:
    function = getattr(cranfield, {"eval": "evaluate"}.get(command, command))
    parameters = inspect.signature(function).parameters
    names = {name for name in parameters if name != "options"}
    if "options" in parameters:
        names |= set(inspect.get_annotations(Options)) | set(inspect.get_annotations(Policies))
    known = {name.replace("_", "-") for name in names}
    assert _command_options(command) - known == OTHERWISE[command] | BY_FUNCTION.get(command, set())


def test_gate_with_a_lock_file(tmp_path: Path) -> None:
    lock, summary, junit = tmp_path / "base.lock", tmp_path / "summary.md", tmp_path / "junit.xml"
    run = cranfield.read_run(BM25)
    assert cranfield.gate(QRELS, run, measures="AP", write_lock=lock).exit_code == 0
    before = lock.read_bytes()
    exempt = tmp_path / "exempt.txt"
    exempt.write_text("101\n102\n")
    result = cranfield.gate(QRELS, run, lock, "AP", summary=summary, junit=junit, ratchet=0.1, except_file=exempt)
    written = summary.read_text()
    assert result.exit_code == 0
    assert "<testsuite" in junit.read_text()
    assert json.loads(result.to_json()) == result.to_dict()
    result.to_markdown()
    assert summary.read_text() == written, "formats append nothing"
    assert lock.read_bytes() == before



def test_gate_updates_its_lock_once(tmp_path: Path) -> None:
    lock = tmp_path / "base.lock"
    grades = {f"q{n}": {"d1": 1} for n in range(30)}
    poor = {topic: {"d1": 1.0, "d2": 2.0} for topic in grades}
    good = {topic: {"d1": 2.0, "d2": 1.0} for topic in grades}
    cranfield.gate(grades, poor, measures="RR", write_lock=lock)
    before = lock.read_bytes()
    expected = cranfield.gate(grades, good, lock, "RR")
    as_data, as_csv = expected.to_dict(), expected.to_csv()
    result = cranfield.gate(grades, good, lock, "RR", update=True)
    assert result.exit_code == 0
    assert lock.read_bytes() != before
    assert (result.to_dict(), result.to_csv()) == (as_data, as_csv), "against the lock that was there"
    assert cranfield.gate(grades, good, lock, "RR").to_dict() != as_data


def test_doctor_repairs(tmp_path: Path) -> None:
    path, fixed = tmp_path / "crlf.run", tmp_path / "fixed.run"
    path.write_bytes(b"q1 Q0 d1 1 2.0 r\r\nq1 Q0 d2 2 1.0 r\r\n")
    found = cranfield.doctor(path, fix=True, output=fixed)
    assert fixed.read_bytes() == b"q1 Q0 d1 1 2.0 r\nq1 Q0 d2 2 1.0 r\n"
    assert found.to_dict()["files"][0]["findings"]
    found = cranfield.doctor(path, fix=True, in_place=True)
    assert path.read_bytes() == fixed.read_bytes()
    assert found.to_dict()["files"][0]["findings"], "the findings before the repair"
    assert "IR001" in cranfield.doctor(codes=True).to_text()


def test_tables_of_texts_are_csv_too() -> None:
    text = cranfield.explain(QRELS, BM25, "AP").to_csv()
    assert text.startswith("measure,run,topic,")
    assert len(text.splitlines()) == 1 + len(cranfield.read_qrels(QRELS))


def test_objects_in_place_of_files_are_errors(tmp_path: Path) -> None:
    run = cranfield.read_run(BM25)
    with pytest.raises(cranfield.InputTypeError, match="`save`"):
        cranfield.convert(run, tmp_path / "run.json")  # type: ignore[arg-type]
    with pytest.raises(cranfield.InputTypeError, match="`save`"):
        cranfield.doctor(run)  # type: ignore[arg-type]
    with pytest.raises(cranfield.UsageError, match="no command"):
        cranfield.command()
    with pytest.raises(cranfield.UsageError, match="own format"):
        cranfield.command("trec_eval", os.fspath(QRELS), os.fspath(BM25)).to_json()


def test_vectors_end_with_the_measure_and_are_those_of_the_command_line() -> None:
    runs = {"bm25": cranfield.read_run(BM25), "dense": cranfield.read_run(DENSE)}
    result = cranfield.vectors(QRELS, runs, "nDCG@7", sort="name")
    measured = cranfield.evaluate(QRELS, runs, "nDCG@7")
    last = {run["run"]: run["vectors"]["nDCG@7"]["values"][-1] for run in result.to_dict()["runs"]}
    assert last == {name: pytest.approx(measured[name, "nDCG@7"]) for name in runs}
    asked = ["eval", "--vector", "nDCG@7", "--sort", "name", os.fspath(QRELS), os.fspath(BM25), os.fspath(DENSE)]
    assert result.to_text() == cranfield.command(*asked).to_text()
    sideways = cranfield.vectors(QRELS, runs, "nDCG@7", sideways=[1, 3]).to_text()
    assert sideways == cranfield.command(*asked[:3], "--sideways", "1,3", *asked[5:]).to_text()


def test_scenarios_are_those_of_the_command_line() -> None:
    run = cranfield.read_run(BM25)
    result = cranfield.scenarios(QRELS, run, ["impatient", "patient"])
    asked = ["--scenario", "impatient", "--scenario", "patient", os.fspath(QRELS), os.fspath(BM25)]
    assert result.to_csv() == cranfield.command("eval", *asked).to_csv()
    columns = result.to_columns()
    name = "nCG(gains='0,1,2,3')@200"
    value = columns["value"][columns["measure"].index(name)]
    assert value == pytest.approx(cranfield.evaluate(QRELS, run, [name])["bm25", name])


def test_results_do_not_change_with_their_files(tmp_path: Path) -> None:
    path = tmp_path / "bm25.run"
    path.write_bytes(BM25.read_bytes())
    result = cranfield.explain(QRELS, path, "AP")
    expected = cranfield.explain(QRELS, BM25, "AP").to_dict()
    path.write_bytes(DENSE.read_bytes())
    assert result.to_dict() == expected
    path.unlink()
    assert "bm25" in result.to_markdown() and "bm25" in result.to_html()


def test_nothing_is_written_to_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "absent"))
    qrels, run = {"q1": {"d": 1}, "q2": {"d": 1}}, {"q1": {"d": 1.0}, "q2": {"e": 1.0}}
    assert "RR" in cranfield.explain(qrels, run, "RR").to_text()
    assert cranfield.gate(qrels, run, run, "RR").to_csv()
    assert cranfield.similarity(run, run).to_json()


def test_a_lock_file_and_a_baseline_contradict_each_other(tmp_path: Path) -> None:
    lock = tmp_path / "never.lock"
    with pytest.raises(cranfield.UsageError, match="expected a baseline"):
        cranfield.gate(QRELS, BM25, DENSE, "AP", write_lock=lock)
    with pytest.raises(cranfield.UsageError, match="expected a baseline"):
        cranfield.gate(QRELS, BM25, measures="AP")
    assert not lock.exists()


def test_a_lock_file_of_other_judgements_in_memory_is_an_error(tmp_path: Path) -> None:
    lock = tmp_path / "base.lock"
    grades = {f"q{n}": {"d1": 1} for n in range(5)}
    run = {topic: {"d1": 1.0} for topic in grades}
    cranfield.gate(grades, run, measures="RR", write_lock=lock)
    assert cranfield.gate(grades, run, lock).to_dict()["gate"][0]["better_by"] == 0.0
    with pytest.raises(cranfield.InputError, match="qrels"):
        cranfield.gate(grades | {"q9": {"d1": 1}}, run, lock)


def test_the_namespace_lists_public_names_only() -> None:
    assert dir(cranfield) == sorted(cranfield.__all__)


def test_formats_do_not_replace_the_file_that_a_command_wrote(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    result = cranfield.command("eval", "-m", "AP", "-o", path, QRELS, BM25)
    written = path.read_bytes()
    with pytest.raises(cranfield.UsageError, match="omit its output"):
        result.to_json()
    assert path.read_bytes() == written != b""


def test_names_that_look_like_numbers_stay_names(runs: Any) -> None:
    first, second = runs.values()
    columns = cranfield.compare(QRELS, {"007": first, "1e5": second}, "AP", seed=1).to_columns()
    assert {*columns["run"], *columns["against"]} == {"007", "1e5"}
    assert all(isinstance(cell, float) for cell in columns["difference"])
    topics = cranfield.vectors(QRELS, first, "P@3", per_topic=True).to_columns()["topic"]
    assert set(topics) >= {"101", "102"}


