"""`fuse`, `normalize` and `tune_fuse`."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

import cranfield

BM25 = {"q1": {"d1": 9.5, "d2": 7.0, "d3": 1.0}, "q2": {"d1": 1.0}}
DENSE = {"q1": {"d2": 0.8, "d4": 0.3}}


def test_reciprocal_rank_fusion() -> None:
    with pytest.warns(UserWarning, match="runs that lack topics"):
        fused = cranfield.fuse([BM25, DENSE])
    assert isinstance(fused, cranfield.Run)
    found = fused.to_dict()
    assert list(found["q1"]) == ["d2", "d1", "d4", "d3"]
    assert math.isclose(found["q1"]["d2"], 1 / 62 + 1 / 61, rel_tol=1e-9)
    assert found["q2"] == {"d1": 0.0163934426}


def test_files_frames_and_objects_are_runs(toy: Path) -> None:
    paths = [toy / "runs" / "bm25.run", toy / "runs" / "dense.run"]
    from_paths = cranfield.fuse(paths, "mnz", norm="zmuv")
    from_objects = cranfield.fuse([cranfield.read_run(path) for path in paths], "mnz", norm="zmuv")
    by_name = cranfield.fuse({path.stem: cranfield.read_run(path).to_dict() for path in paths}, "mnz", norm="zmuv")
    assert from_paths.to_dict() == from_objects.to_dict() == by_name.to_dict()


def test_the_command_line_gives_the_same_run(toy: Path, tmp_path: Path) -> None:
    paths = [toy / "runs" / "bm25.run", toy / "runs" / "dense.run"]
    output = tmp_path / "fused.run"
    cranfield.command("fuse", *paths, "-o", output, "-m", "wsum", "-w", "0.3,0.7", "-n", "max", "-n", "sum")
    fused = cranfield.fuse(paths, "wsum", weights=[0.3, 0.7], norm=["max", "sum"])
    assert cranfield.read_run(output).to_dict() == fused.to_dict()
    again = cranfield.fuse(paths, "wsum", weights="0.3,0.7", norm=["max", "sum"], output=tmp_path / "again.run")
    assert (tmp_path / "again.run").read_bytes() == output.read_bytes()
    assert again.name == "wsum"


def test_training_topics_apart_from_test_topics(toy: Path) -> None:
    paths = [toy / "runs" / "bm25.run", toy / "runs" / "dense.run"]
    qrels = cranfield.read_qrels(toy / "qrels.txt").to_dict()
    some = {topic: grades for topic, grades in qrels.items() if topic < "106"}
    trained = cranfield.fuse(paths, "posfuse", train=some)
    assert set(trained.to_dict()) == set(qrels)
    assert trained.to_dict() != cranfield.fuse(paths, "posfuse", train=qrels).to_dict()


def test_normalize() -> None:
    run = {"q1": {"d1": 4.0, "d2": 2.0}, "q2": {"d1": 3.0}}
    assert cranfield.normalize(run).to_dict() == {"q1": {"d1": 1.0, "d2": 0.0}, "q2": {"d1": 1.0}}
    assert cranfield.normalize(run, profile="ranx").to_dict()["q2"] == {"d1": 0.0}
    assert cranfield.normalize(run, "zmuv(shift=2)").to_dict()["q1"] == {"d1": 3.0, "d2": 1.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "wsum"}, "wsum needs a weight for each run; add weights"),
        ({"method": "wsum", "weights": [1]}, "1 weights for 2 runs"),
        ({"method": "posfuse"}, "posfuse learns from judgements; add train"),
        ({"method": "rff"}, "unknown fusion method"),
        ({"method": "sum", "norm": "minmax"}, "unknown normalisation"),
        ({"ties": "expected"}, "is not an order"),
    ],
)
def test_errors_say_what_to_do(options: dict[str, Any], message: str) -> None:
    with pytest.raises(cranfield.CranfieldError, match=message):
        cranfield.fuse([BM25, DENSE], **options)


def test_weights_are_tuned(toy: Path) -> None:
    paths = [toy / "runs" / "bm25.run", toy / "runs" / "dense.run"]
    tuned = cranfield.tune_fuse(
        toy / "qrels.txt", paths, method="wsum", space="w=simplex(2) step 0.25", measure="nDCG@10", folds=3
    )
    assert len(tuned.to_dict()["folds"]) == 3
    assert "w1=" in tuned.to_text()
    assert set(tuned.run.to_dict()) == set(cranfield.read_qrels(toy / "qrels.txt").to_dict())


@pytest.mark.parametrize("norm", ["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", None])
def test_the_replacement_of_ranx_has_the_same_formulas(norm: str | None) -> None:
    from cranfield.compat import ranx

    rng = random.Random(5)
    topics = ["q1", "q2"]
    content = [
        {topic: {f"d{doc}": rng.random() for doc in rng.sample(range(40), 25)} for topic in topics} for _ in range(3)
    ]
    qrels = {topic: {f"d{doc}": 1 for doc in range(0, 40, 3)} for topic in topics}
    runs, judged = [ranx.Run(run, name=f"r{at}") for at, run in enumerate(content)], ranx.Qrels(qrels)
    weights = {"weights": [0.5, 0.3, 0.2]}
    methods: dict[str, dict[str, Any]] = dict.fromkeys(["min", "max", "med", "sum", "anz", "mnz", "isr", "log_isr"], {})
    methods |= dict.fromkeys(["wsum", "wmnz", "mixed", "w_bordafuse"], weights)
    methods |= {"gmnz": {"gamma": 0.5}, "rrf": {"k": 60}, "rbc": {"phi": 0.8}, "bordafuse": {}}
    for method, params in methods.items():
        own = {name: value for name, value in params.items() if name != "weights"}
        spelled = f"{method}({', '.join(f'{name}={value}' for name, value in own.items())})" if own else method
        ours = cranfield.fuse(content, spelled, norm=norm or "none", profile="ranx", depth=None, **(params if not own else {}))
        assert ours.to_dict() == ranx.fuse(runs, norm, method, params).to_dict(), method
    for method in ("posfuse", "segfuse", "mapfuse", "bayesfuse"):
        trained = ranx.optimize_fusion(judged, runs, norm=norm, method=method)
        ours = cranfield.fuse(content, method, norm=norm or "none", profile="ranx", depth=None, train=qrels)
        assert ours.to_dict() == ranx.fuse(runs, norm, method, trained).to_dict(), method
