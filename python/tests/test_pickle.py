"""Results survive pickles and copies, and need nothing of what they were made from."""

from __future__ import annotations

import copy
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import CustomMeasure, Expression, custom_measure
from cranfield.compat import pytrec_eval

QRELS = {f"q{n}": {"d1": 1, "d2": 0, "d3": 2} for n in range(12)}
GOOD = {f"q{n}": {"d3": 3.0, "d1": 2.0, "d2": 1.0, "x": 0.5 + n} for n in range(12)}
POOR = {f"q{n}": {"d1": 1.0, "d2": 1.0, "d3": 1.0 if n % 3 else 4.0} for n in range(11)}
RUNS = {"good": GOOD, "poor": POOR}


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


def texts(evaluation: Any) -> list[Any]:
    """All that an evaluation tells."""
    told = [repr(evaluation), str(evaluation), evaluation.runs, evaluation.measures, evaluation.profile]
    told += [evaluation.policies, evaluation.notes, evaluation._repr_html_()]
    for per_topic in (False, True):
        told += [evaluation.to_dict(per_topic), evaluation.to_columns(per_topic)]
        for name in ("text", "markdown", "latex", "html", "csv", "json", "trec"):
            told.append(getattr(evaluation, f"to_{name}")(per_topic))
    return told


def first(topic: str, grades: list[float | None], context: Any) -> float | None:
    return grades[0] if grades else None


@custom_measure("Second", higher_is_better=None)
def second(topic: str, grades: list[float | None], context: Any) -> float | None:
    return grades[1] if len(grades) > 1 else None


EVALUATIONS: list[tuple[Any, dict[str, Any]]] = [
    (None, {}),
    ("nDCG@10 AP P@5 RR", {}),
    ("P(rel=2)@2 Bpref", {"level": 1, "depth": 3}),
    ("map ndcg_cut_5 runid", {"profile": "trec_eval"}),
    ("ndcg@10 mrr", {"profile": "ranx"}),
    ("AP RR@2", {"ties": "bounds"}),
    ("AP RR@2", {"ties": "expected", "topics": "judged", "undefined": "skip"}),
    ([CustomMeasure("First", first, False), "AP", "0.5*AP + 0.5*RR", second], {}),
]


@pytest.mark.parametrize(("measures", "options"), EVALUATIONS)
def test_evaluations(measures: Any, options: Any) -> None:
    evaluation = cranfield.evaluate(QRELS, RUNS, measures, **options)
    same = again(evaluation)
    assert texts(same) == texts(evaluation)
    assert texts(again(same)) == texts(evaluation)
    assert len(same) == 2 and same["poor"] == evaluation["poor"]
    assert copy.copy(evaluation) is evaluation and copy.deepcopy(evaluation) is evaluation
    assert copy.deepcopy({"results": [evaluation]})["results"][0] is evaluation


def test_evaluations_of_files(toy: Path, tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    shutil.copytree(toy, folder)
    evaluation = cranfield.evaluate(folder / "qrels.txt", folder / "runs", "nDCG@10 AP")
    assert len(evaluation) > 1
    told = texts(evaluation)
    pickled = pickle.dumps(evaluation)
    assert texts(pickle.loads(pickled)) == told
    shutil.rmtree(folder)
    same = pickle.loads(pickled)
    assert same.to_dict(True) == evaluation.to_dict(True) and same.notes == evaluation.notes
    assert same.to_text(True) == evaluation.to_text(True)


def test_evaluations_with_files_of_their_own(toy: Path, tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("roses 101\nroses 102\nlawn 104\n")
    (tmp_path / "known").write_text("101 GW-0050\n102 GW-0001\n")
    groups, runs = toy / "diversity" / "qrels.txt", toy / "diversity" / "runs"
    intents = toy / "diversity" / "intents.txt"
    asked: list[tuple[Path, Path, str, dict[str, Any]]] = [
        (groups, runs, "alpha_nDCG@5 StRecall@5", {"qrels_format": "qrels_jg"}),
        (groups, runs, "D#-nDCG@5 I-rec@5", {"qrels_format": "qrels_jg", "intents": intents}),
        (toy / "qrels.txt", toy / "runs", "PrefSimp PrefPair", {"qrels_format": "qrels_prefs"}),
        (toy / "qrels.txt", toy / "runs", "nsDCG@10 SessionDCG@10", {"sessions": tmp_path / "sessions"}),
        (toy / "qrels.txt", toy / "runs", "Coverage Novelty AP@5", {"known": tmp_path / "known"}),
        (toy / "qrels.txt", toy / "runs", "AP nDCG@5", {"known": tmp_path / "known", "unjudged": "bounds"}),
        (toy / "qrels.txt", toy / "runs", "all_trec", {"profile": "trec_eval"}),
    ]
    for qrels, files, measures, options in asked:
        evaluation = cranfield.evaluate(qrels, files, [measures], **options)
        assert texts(again(evaluation)) == texts(evaluation), measures


def test_frames_of_evaluations() -> None:
    evaluation = cranfield.evaluate(QRELS, RUNS, [CustomMeasure("First", first), "AP"])
    frame = pytest.importorskip("pandas", reason="pandas is not installed")
    frame.testing.assert_frame_equal(again(evaluation).to_pandas(True), evaluation.to_pandas(True))


def test_ids_that_are_no_texts(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(b"q\xff 0 d\xfe 1\nq2 0 d 1\n")
    (tmp_path / "a.run").write_bytes(b"q\xff Q0 d\xfe 1 1.0 a\n")
    evaluation = cranfield.evaluate(tmp_path / "qrels", tmp_path / "a.run", "AP", topics="judged")
    assert again(evaluation).to_dict(True) == evaluation.to_dict(True)
    assert "q\udcff" in evaluation.topics("a")


def test_damaged_pickles_are_refused() -> None:
    build, (state,) = cranfield.evaluate(QRELS, RUNS, "AP P@5").__reduce__()
    scores = state["runs"][0]["scores"]
    damages: list[dict[str, Any]] = [
        state | {"version": 99},
        state | {"measures": [("AP", None)]},
        state | {"measures": [("nothing", None)]},
        state | {"profile": "nobody"},
    ]
    for name, value in (("values", b"12345678"), ("totals", []), ("unjudged", [1]), ("shown", [1]), ("topics", [])):
        damages.append(state | {"runs": [state["runs"][0] | {"scores": scores | {name: value}}]})
    for damaged in damages:
        with pytest.raises(cranfield.UsageError):
            build(damaged)
    for wrong in (state | {"runs": 3}, state | {"version": "2"}, {}, None):
        with pytest.raises(cranfield.UsageError, match="damaged pickle; evaluate again"):
            build(wrong)
    # Other versions have other fields.
    with pytest.raises(cranfield.UsageError, match="another version"):
        build({"version": 1})


RESULTS: dict[str, Any] = {
    "compare": lambda: cranfield.compare(QRELS, RUNS, "AP nDCG@10", seed=1, pairs=True),
    "compare of one's own": lambda: cranfield.compare(QRELS, RUNS, ["0.5*AP + 0.5*RR"], seed=1),
    "explain": lambda: cranfield.explain(QRELS, GOOD, "AP", topic="q1"),
    "explain two": lambda: cranfield.explain(QRELS, GOOD, "AP", POOR),
    "similarity": lambda: cranfield.similarity(GOOD, POOR),
    "agree": lambda: cranfield.agree(QRELS, {topic: {"d1": 1, "d2": 1} for topic in QRELS}),
    "whence": lambda: cranfield.whence(QRELS, GOOD, "AP", 0.5),
    "rosetta": lambda: cranfield.rosetta(QRELS, GOOD, "nDCG@10"),
    "gate": lambda: cranfield.gate(QRELS, GOOD, POOR, "AP", test="randomisation", seed=1),
}


def told_by(result: Any) -> list[Any]:
    """All that a result tells, or the error where it has no such format."""
    told = [repr(result), str(result), result.exit_code, result.notes, result._repr_html_()]
    for name in ("text", "json", "dict", "markdown", "latex", "html", "csv", "columns"):
        try:
            told.append(getattr(result, f"to_{name}")())
        except cranfield.UsageError as why:
            told.append((type(why), str(why)))
    return told


@pytest.mark.parametrize("name", RESULTS)
def test_results(name: str) -> None:
    result = RESULTS[name]()
    pickled = pickle.dumps(result)
    told = told_by(result)
    del result
    same = pickle.loads(pickled)
    assert told_by(same) == told
    assert told_by(again(same)) == told
    assert copy.deepcopy(same) is same and copy.copy(same) is same


def test_results_of_files_need_no_files(tmp_path: Path) -> None:
    path = tmp_path / "good.run"
    cranfield.Run.from_dict(GOOD).save(path)
    result = cranfield.doctor(path)
    pickled, told = pickle.dumps(result), told_by(result)
    path.unlink()
    assert told_by(pickle.loads(pickled)) == told


def test_frames_of_results() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    result = RESULTS["compare"]()
    pandas.testing.assert_frame_equal(again(result).to_pandas(), result.to_pandas())


def test_formats_that_pickles_lack() -> None:
    same = again(RESULTS["compare"]())
    with pytest.raises(cranfield.UsageError, match="run it again"):
        same.to_format("tsv")


def test_pickling_runs_no_command_that_writes(tmp_path: Path) -> None:
    qrels, run, out = tmp_path / "qrels", tmp_path / "good.run", tmp_path / "out.txt"
    cranfield.Qrels.from_dict(QRELS).save(qrels)
    cranfield.Run.from_dict(GOOD).save(run)
    result = cranfield.command("eval", qrels, run, "-m", "AP", "--output", out)
    out.unlink()
    same = again(result)
    assert not out.exists() and told_text(same) == told_text(result)


def told_text(result: Any) -> list[Any]:
    return [repr(result), result.to_text(), result.notes, result.exit_code]


def test_measures() -> None:
    for thing in (
        cranfield.measure("P(rel=2)@5"),
        CustomMeasure("First", first, None),
        Expression("0.5*AP + 0.5*RR", name="mixed"),
        cranfield.Context("run", ["d1"], {"d1": 1.0}),
    ):
        assert again(thing) == thing and copy.deepcopy(thing) == thing
    assert again(second) is second and again(second).higher_is_better is None
    assert again(Expression("AP + RR")).value({"AP": 0.5, "RR": 0.25}) == 0.75


def test_arrow_tables() -> None:
    evaluation = cranfield.evaluate(QRELS, RUNS, "AP")
    for table in (evaluation.to_arrow(True), RESULTS["compare"]().to_arrow()):
        same = again(table)
        assert (repr(same), same.column_names, len(same)) == (repr(table), table.column_names, len(table))
        assert same.__reduce__()[1] == table.__reduce__()[1]


def test_errors() -> None:
    for call in (lambda: cranfield.evaluate(QRELS, "missing.run"), lambda: cranfield.evaluate(QRELS, GOOD, "nothing")):
        with pytest.raises(cranfield.CranfieldError) as raised:
            call()
        same = again(raised.value)
        assert type(same) is raised.type and str(same) == str(raised.value)
        assert getattr(same, "problems", None) == getattr(raised.value, "problems", None)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol(protocol: int) -> None:
    options: dict[str, Any] = {"profile": "trec_eval", "ties": "input-order", "depth": 3, "keys": ["a", "b"], "threads": 1}
    evaluator = cranfield.Evaluator(QRELS, ["map", "P_5"], **options)
    same = pickle.loads(pickle.dumps(evaluator, protocol))
    assert repr(same) == repr(evaluator) and same.evaluate(GOOD) == evaluator.evaluate(GOOD)
    for thing in (cranfield.Run.from_dict(GOOD), cranfield.Qrels.from_dict(QRELS)):
        assert pickle.loads(pickle.dumps(thing, protocol)) == thing
    evaluation = cranfield.evaluate(QRELS, RUNS, "AP")
    assert texts(pickle.loads(pickle.dumps(evaluation, protocol))) == texts(evaluation)
    shim = pytrec_eval.RelevanceEvaluator(QRELS, {"map", "P_5"})
    assert pickle.loads(pickle.dumps(shim, protocol)).evaluate(GOOD) == shim.evaluate(GOOD)
