"""`compare`, `Report` and `plot` of `cranfield.compat.ranx` beside those of ranx: same call, same result."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from ranx_pair import agree, ours, random_data, same, theirs
from test_ranx_fusion import runs_of


def data(seed: int, runs: int = 3, topics: int = 12) -> tuple[Any, list[Any]]:
    """Runs of which some are better than others."""
    qrels, content = random_data(seed, runs=runs, topics=topics, ties=False)
    choose = random.Random(seed)
    for place, run in enumerate(content):
        for topic, scores in run.items():
            for doc_id in scores:
                scores[doc_id] = choose.uniform(0, 3) + place * qrels[topic].get(doc_id, 0)
    return qrels, content


QRELS, CONTENT = data(1)
METRICS = ["map@100", "mrr@100", "ndcg@10", "rbp.80", "precision@5-l2"]


def compared(ranx: Any, metrics: Any = METRICS, content: Any = CONTENT, **options: Any) -> Any:
    return ranx.compare(ranx.Qrels(QRELS), runs_of(ranx, content), metrics, **options)


def parts(report: Any) -> Any:
    pairs = {
        tuple(sorted(pair)): values for pair, values in report.comparisons.items() if len(pair) == 2
    }
    return (
        report.to_dict(), dict(sorted(pairs.items())), report.win_tie_loss, report.results,
        report.to_table(), report.to_latex(), str(report), repr(report), report.to_dataframe(),
        report.metrics, report.model_names, report.max_p, report.stat_test,
    )  # fmt: skip


OPTIONS: list[dict[str, Any]] = [
    {},
    {"max_p": 0.05},
    {"max_p": 0.5, "rounding_digits": 4},
    {"max_p": 1.0, "show_percentages": True},
    {"rounding_digits": 2, "show_percentages": True},
    {"rounding_digits": 1},
    {"threads": 1},
    {"make_comparable": True},
]


@pytest.mark.parametrize("test", ["student", "tukey"])
@pytest.mark.parametrize("options", OPTIONS)
def test_reports(test: str, options: dict[str, Any]) -> None:
    same(lambda ranx: parts(compared(ranx, stat_test=test, **options)))


@pytest.mark.parametrize("test", ["student", "tukey"])
@pytest.mark.parametrize("seed", range(10))
def test_random(test: str, seed: int) -> None:
    qrels, content = data(seed, runs=2 + seed % 4, topics=3 + seed)
    same(
        lambda ranx: parts(
            ranx.compare(ranx.Qrels(qrels), runs_of(ranx, content), ["map", "ndcg@5"], test, max_p=0.1)
        )
    )


@pytest.mark.parametrize(
    "metrics", ["map", ["map"], ["hits", "hit_rate@5", "recall", "f1@3", "r-precision", "dcg", "dcg_burges@2", "ndcg_burges-l2", "bpref"]]
)  # fmt: skip
def test_measures(metrics: Any) -> None:
    same(lambda ranx: parts(compared(ranx, metrics)))


def test_calls_that_are_refused() -> None:
    same(lambda ranx: compared(ranx, stat_test="foo"))
    same(lambda ranx: compared(ranx, ["foo"]))
    same(lambda ranx: compared(ranx, [3]))
    same(lambda ranx: compared(ranx, content=[CONTENT[0], {"zz": {"d001": 1.0}}]))


def test_names_of_runs() -> None:
    def call(ranx: Any) -> Any:
        runs = runs_of(ranx, CONTENT)
        runs[0].name = runs[2].name = None
        runs[1].name = "a_b"
        return parts(ranx.compare(ranx.Qrels(QRELS), runs, ["map"]))

    same(call)


def test_one_run() -> None:
    same(lambda ranx: compared(ranx, content=CONTENT[:1]).to_table())
    same(lambda ranx: compared(ranx, content=CONTENT[:1]).to_dict())


def test_runs_that_are_made_comparable() -> None:
    fewer = {topic: scores for topic, scores in CONTENT[0].items() if topic != "q03"}
    same(lambda ranx: parts(compared(ranx, content=[fewer, CONTENT[1]], make_comparable=True)))


def test_digits_may_be_changed() -> None:
    def call(ranx: Any) -> Any:
        report = compared(ranx)
        report.rounding_digits = 4
        report.show_percentages = True
        return report.to_table(), report.to_latex(), report.format_score(0.123456)

    same(call)


def test_saved_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, printed = [], []
    for ranx in (ours, theirs):
        report = compared(ranx)
        report.save(str(tmp_path / "x.json"))
        saved.append(json.loads((tmp_path / "x.json").read_text()))
        report.print_results()
        printed.append(json.loads(capsys.readouterr().out))
    agree(*saved)
    agree(*printed)


def test_labels() -> None:
    for label in ("student", "fisher", "tukey"):
        same(lambda ranx: compared(ranx).get_stat_test_label(label))
    for metric in METRICS:
        same(lambda ranx: compared(ranx).get_metric_label(metric))
    for model in ("run 0", "run 2"):
        same(lambda ranx: compared(ranx, max_p=0.2).get_superscript_for_table(model, METRICS[0]))
        same(lambda ranx: compared(ranx, max_p=0.2).get_superscript_for_latex(model, METRICS[0]))
        same(lambda ranx: compared(ranx, max_p=0.2).get_phantoms_for_latex(model, METRICS[0]))


def test_fisher() -> None:
    """p of ranx changes from call to call, around that of ours; a seed has no effect there."""
    reports = [compared(ranx, stat_test="fisher", n_permutations=20_000) for ranx in (ours, theirs)]
    for control in reports[0].model_names:
        for other in reports[0].model_names:
            for metric in METRICS if control != other else []:
                found, expected = (
                    report.to_dict()[control]["comparisons"][other][metric] for report in reports
                )
                # Five standard errors of either; ties of sums that rounding takes apart are lost in ranx.
                assert found >= expected - 0.02 and found - expected < 0.1, (metric, found, expected)
    again = compared(ours, stat_test="fisher", n_permutations=20_000)
    assert again.to_dict() == reports[0].to_dict()
    other_seed = compared(ours, stat_test="fisher", n_permutations=20_000, random_seed=1)
    assert other_seed.to_dict() != reports[0].to_dict()


def test_fisher_is_never_zero() -> None:
    qrels = {f"q{number:02}": {"d001": 1, "d002": 0} for number in range(40)}
    good = {topic: {"d001": 2.0, "d002": 1.0} for topic in qrels}
    bad = {topic: {"d001": 1.0, "d002": 2.0} for topic in qrels}
    report = ours.compare(
        ours.Qrels(qrels), runs_of(ours, [good, bad]), "mrr", "fisher", n_permutations=999
    )
    assert report.to_dict()["run 0"]["comparisons"]["run 1"]["mrr"] == 0.001


def test_identical_runs() -> None:
    """ranx gives NaN for p of a t test."""
    content = [CONTENT[0], CONTENT[0]]
    report = compared(ours, ["map"], content)
    assert report.to_dict()["run 0"]["comparisons"]["run 1"]["map"] == 1.0
    assert report.win_tie_loss["run 0", "run 1"]["map"] == {"W": 0, "T": 12, "L": 0}


def test_runs_of_the_same_name() -> None:
    """ranx keeps the last of them, twice."""
    runs = runs_of(ours, CONTENT[:2])
    runs[1].name = runs[0].name
    with pytest.raises(ValueError, match="two runs are named run 0"):
        ours.compare(ours.Qrels(QRELS), runs, ["map"])


def test_more_runs_than_letters() -> None:
    """ranx has 26 letters."""
    table = compared(ours, ["map"], [CONTENT[place % 3] for place in range(28)]).to_table()
    assert [line.split()[0] for line in table.splitlines()[-3:]] == ["z", "Aa", "Ab"]


@pytest.mark.parametrize("named", [True, False])
def test_plot(named: bool) -> None:
    def call(ranx: Any) -> Any:
        runs = runs_of(ranx, CONTENT)
        if not named:
            for run in runs:
                run.name = None
        qrels = ranx.Qrels(QRELS)
        return [ranx.plot(qrels, runs, return_graph=False), ranx.plot(qrels, runs[0], return_graph=False)]

    from ranx_pair import plain

    agree(list(map(plain, call(ours))), list(map(plain, call(theirs))))


def test_plot_of_a_topic_without_documents() -> None:
    qrels = {"q1": {"d001": 1}, "q2": {"d001": 1}, "q3": {"d001": 0}}
    run = {"q1": {"d001": 1.0}, "q2": {}, "q3": {"d001": 1.0}}
    same(lambda ranx: ranx.plot(ranx.Qrels(qrels), ranx.Run(run), return_graph=False))


def test_plot_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="skipped: no matplotlib")
    pytest.importorskip("seaborn", reason="skipped: no seaborn")
    pyplot.switch_backend("Agg")
    shown = []
    monkeypatch.setattr(pyplot, "show", lambda: shown.append(pyplot.gca().get_title()))
    assert ours.plot(ours.Qrels(QRELS), runs_of(ours, CONTENT)) is None
    assert shown == ["Precision-Recall Curve"]
    pyplot.close("all")
