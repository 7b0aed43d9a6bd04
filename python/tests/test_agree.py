"""`agree` with several assessors and runs, and `merge_qrels`."""

from pathlib import Path

import pytest

import cranfield

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILES = [EXAMPLES / "assessors" / f"{name}.txt" for name in ("ann", "bob", "cid")]
RUNS = sorted((EXAMPLES / "runs").glob("*.run"))


def test_files_and_memory_agree() -> None:
    files = cranfield.agree(*FILES).to_dict()
    memory = cranfield.agree(*map(cranfield.read_qrels, FILES)).to_dict()
    for part in ("figures", "counted", "topics", "documents", "intervals"):
        assert files[part] == memory[part]
    assert [one["name"] for one in memory["assessors"]] == ["assessor1", "assessor2", "assessor3"]


def test_golden_values() -> None:
    """Values of krippendorff, statsmodels and irrCAC."""
    raters = ["0122103301", "0112203200", "0222113301"]
    grades = [{"q": {f"d{at}": int(grade) for at, grade in enumerate(rater)}} for rater in raters]
    figures = cranfield.agree(*grades).to_dict()["figures"]
    expected = {"fleiss": 0.4594594595, "alpha_ordinal": 0.8251134464, "alpha_ratio": 0.6686423451, "gwet_ac1": 0.46903}
    assert {name: figures[name] for name in expected} == pytest.approx(expected, abs=5.1e-6)
    two = cranfield.agree(*grades[:2]).to_dict()
    assert two["figures"]["kappa_quad"] == pytest.approx(0.8290598291)
    assert set(two["coefficients"]) >= {"fleiss", "gwet_ac1", "alpha_nominal"}


def test_effect_on_runs() -> None:
    found = cranfield.agree(*FILES, runs=RUNS, measures="AP", consensus="majority")
    memory = cranfield.agree(
        *map(cranfield.read_qrels, FILES),
        runs={path.stem: cranfield.read_run(path) for path in RUNS},
        measures="AP",
        consensus="majority",
    )
    effects = found.to_dict()["effects"]
    assert [one["name"] for one in effects["judgements"]] == ["ann", "bob", "cid", "majority"]
    flips = [one for one in effects["measures"][0]["conclusions"] if one["flip"]]
    assert len(flips) == 4
    of_memory = memory.to_dict()["effects"]["measures"][0]
    assert [one["flip"] for one in of_memory["conclusions"]] == [
        one["flip"] for one in effects["measures"][0]["conclusions"]
    ]
    # The means are those of `evaluate`.
    means = effects["measures"][0]["standings"][1]["runs"]
    expected = cranfield.evaluate(FILES[1], RUNS, "AP").to_dict()
    assert {one["run"]: one["mean"] for one in means} == {run: pytest.approx(row["AP"]) for run, row in expected.items()}


def test_merged_judgements(tmp_path: Path) -> None:
    path, figure = tmp_path / "all.qrels", tmp_path / "agreement.svg"
    chair = EXAMPLES / "assessors" / "chair.txt"
    found = cranfield.agree(*FILES, merged=path, consensus="max", adjudicated=chair, figure=figure)
    assert any("202 judgements merged by max" in note for note in found.notes)
    merged = cranfield.merge_qrels(*FILES, rule="max", adjudicated=chair)
    assert cranfield.read_qrels(path).to_dict() == merged.to_dict()
    assert "Agreement of assessors" in figure.read_text(encoding="utf-8")
    plain = [cranfield.read_qrels(file).to_dict() for file in FILES]
    least = cranfield.merge_qrels(*plain, rule="min").to_dict()
    for topic, judged in least.items():
        for doc, grade in judged.items():
            assert grade == min(one[topic][doc] for one in plain if doc in one[topic])


def test_errors_suggest_a_remedy() -> None:
    with pytest.raises(cranfield.UsageError, match="majority, max, min, mean, median"):
        cranfield.merge_qrels(FILES[0], rule="mode")
    with pytest.raises(cranfield.UsageError, match="no judgements to merge"):
        cranfield.merge_qrels()
    with pytest.raises(cranfield.UsageError, match="percent needs exactly two"):
        cranfield.agree(*FILES, percent="row")
    with pytest.raises(cranfield.UsageError, match="pass the runs too"):
        cranfield.agree(*FILES, measures="AP")
    with pytest.raises(cranfield.UsageError, match="needs merged or runs"):
        cranfield.agree(*FILES, consensus="max")
    with pytest.raises(cranfield.InputError, match="it is one of the inputs"):
        cranfield.agree(*FILES, merged=FILES[0])
