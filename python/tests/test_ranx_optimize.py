"""`optimize_fusion` of `cranfield.compat.ranx` beside that of ranx: same call, same result."""

from __future__ import annotations

import random
from typing import Any

import pytest
from ranx_pair import agree, ours, outcome, random_data, same, theirs
from test_ranx_fusion import runs_of

QRELS, CONTENT = random_data(31, runs=2, topics=6, documents=30, ties=False)
TRIED: dict[str, dict[str, Any]] = {
    "gmnz": {"min_gamma": 0.1, "max_gamma": 0.5, "step": 0.1},
    "logn_isr": {"min_sigma": 0.1, "max_sigma": 0.5, "step": 0.1},
    "mixed": {"step": 0.5},
    "probfuse": {"min_n_segments": 1, "max_n_segments": 6},
    "rbc": {"min_phi": 0.1, "max_phi": 0.9, "step": 0.2},
    "rrf": {"min_k": 10, "max_k": 30, "step": 10},
    "slidefuse": {"min_w": 1, "max_w": 6},
    "wmnz": {"step": 0.2},
    "wsum": {"step": 0.1},
}
TRAINED = ["bayesfuse", "mapfuse", "posfuse", "segfuse"]


def simple(result: Any) -> Any:
    """Numbers as Python has them: numpy's show their type in names of configurations."""
    if isinstance(result, dict):
        return {key: simple(value) for key, value in result.items()}
    if isinstance(result, (list, tuple)):
        return [simple(value) for value in result]
    return result.tolist() if hasattr(result, "tolist") else result


def optimized(ranx: Any, method: str, **options: Any) -> Any:
    return ranx.optimize_fusion(
        ranx.Qrels(QRELS), runs_of(ranx, CONTENT), method=method, show_progress=False, **options
    )


@pytest.mark.parametrize("metric", ["ndcg", "map@10"])
@pytest.mark.parametrize("method", TRIED)
def test_tried(method: str, metric: str) -> None:
    found, expected = (
        simple(optimized(ranx, method, metric=metric, **TRIED[method])) for ranx in (ours, theirs)
    )
    agree(found, expected)


@pytest.mark.parametrize("method", TRIED)
def test_reports(method: str) -> None:
    def call(ranx: Any) -> Any:
        best, report = optimized(
            ranx, method, metric="ndcg@10", return_optimization_report=True, **TRIED[method]
        )
        configs = [config.replace("np.float64(", "").replace("),", ",").replace("))", ")") for config in report.configs]
        return simple(best), configs, simple(report.results), report.metric, report.method

    same(call)


@pytest.mark.parametrize("method", ["rrf", "gmnz", "slidefuse"])
def test_reports_are_printed_alike(method: str) -> None:
    for options in ({}, {"rounding_digits": 4}, {"show_percentages": True}):
        found, expected = (
            str(
                optimized(
                    ranx, method, metric="ndcg", return_optimization_report=True, **TRIED[method], **options
                )[1]
            )
            for ranx in (ours, theirs)
        )
        assert [line.rstrip() for line in found.split("\n")] == [
            line.rstrip() for line in expected.split("\n")
        ]


@pytest.mark.parametrize("norm", [None, "rank", "zmuv"])
def test_norms(norm: str | None) -> None:
    found, expected = (
        simple(optimized(ranx, "wsum", norm=norm, metric="map", step=0.25)) for ranx in (ours, theirs)
    )
    agree(found, expected)


@pytest.mark.parametrize("method", TRAINED)
def test_trained(method: str) -> None:
    def call(ranx: Any) -> Any:
        runs = runs_of(ranx, CONTENT)
        params = ranx.optimize_fusion(ranx.Qrels(QRELS), runs, method=method)
        return params, ranx.fuse(runs, method=method, params=params)

    same(call)


@pytest.mark.parametrize("method", ["probfuse", "slidefuse"])
def test_tried_and_fused(method: str) -> None:
    def call(ranx: Any) -> Any:
        params = optimized(ranx, method, metric="map", **TRIED[method])
        return ranx.fuse(runs_of(ranx, CONTENT), method=method, params=params)

    same(call)


def test_calls_that_are_refused() -> None:
    def call(method: str, **options: Any) -> Any:
        return lambda ranx: ranx.optimize_fusion(
            ranx.Qrels(QRELS), runs_of(ranx, CONTENT), method=method, **options
        )

    same(call("sum"))
    same(call("foo"))
    same(call("mapfuse", return_optimization_report=True))
    same(call("mapfuse", step=1))
    same(call("rrf", foo=1))
    same(call("rrf", metric="foo"))
    same(call("rrf", norm="foo"))
    same(lambda ranx: ranx.optimize_fusion(ranx.Qrels(QRELS), runs_of(ranx, CONTENT[:1])))
    same(
        lambda ranx: ranx.optimize_fusion(ranx.Qrels({"q1": {"d001": 1}}), runs_of(ranx, CONTENT))
    )


def test_all_weights_are_tried() -> None:
    """ranx leaves out weights whose sum is not exactly 1 in floating point."""
    content = [*CONTENT, CONTENT[0]]

    def count(ranx: Any) -> int:
        _, report = ranx.optimize_fusion(
            ranx.Qrels(QRELS), runs_of(ranx, content), method="wsum",
            return_optimization_report=True, show_progress=False,
        )  # fmt: skip
        return len(report.configs)

    assert (count(ours), count(theirs)) == (66, 62)


def test_weights_of_points() -> None:
    """Runs that have all documents: points for others come in an order that changes from process to process in ranx."""
    choose = random.Random(3)
    names = [f"d{number:03}" for number in range(30)]
    content = [
        {topic: {name: choose.uniform(0, 1) for name in names} for topic in QRELS} for _ in range(2)
    ]
    for metric in ("ndcg", "map@10"):
        found, expected = (
            simple(
                ranx.optimize_fusion(
                    ranx.Qrels(QRELS), runs_of(ranx, content), method="w_bordafuse",
                    metric=metric, show_progress=False,
                )
            )
            for ranx in (ours, theirs)
        )  # fmt: skip
        agree(found, expected)


def test_weights_of_votes() -> None:
    """ranx counts votes in an order that changes from process to process."""
    found = outcome(lambda ranx: optimized(ranx, "w_condorcet", metric="map", step=0.5), ours)
    assert found == outcome(lambda ranx: optimized(ranx, "w_condorcet", metric="map", step=0.5), ours)
    assert sum(found["weights"]) == 1.0
