"""Fusion of runs: `cranfield fuse` and `cranfield tune-fuse`."""

from __future__ import annotations

import os
import warnings
from typing import Any

from cranfield import _core
from cranfield._core import Run
from cranfield._evaluate import _listed, _named, read_qrels, read_run
from cranfield._lab import Tuned
from cranfield._progress import Progress, watched


def fuse(
    runs: Any,
    method: str = "rrf(k=60)",
    *,
    norm: str | list[str] | None = None,
    weights: list[float] | str | None = None,
    depth: int | None = 1000,
    input_depth: int | None = None,
    missing: str | None = None,
    ties: str | None = None,
    profile: str | None = None,
    train: Any = None,
    tag: str | None = None,
    run_format: str | None = None,
    qrels_format: str | None = None,
    threads: int | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: Progress = False,
) -> Run:
    """Fuses runs into one: `cranfield fuse`.

    The topics are those that any run has; a run without a topic has an empty list for it. Equal fused scores are in descending order
    of document ids.

    >>> bm25 = {"q1": {"d1": 9.5, "d2": 7.0}}
    >>> dense = {"q1": {"d2": 0.8, "d3": 0.3}}
    >>> fuse([bm25, dense]).to_dict()
    {'q1': {'d2': 0.0325224749, 'd1': 0.0163934426, 'd3': 0.0161290323}}
    >>> fuse([bm25, dense], "wsum", norm="max", weights=[0.5, 0.5]).to_dict()["q1"]["d1"]
    0.5

    Args:
        runs: paths, `Run`s, dicts of dicts or frames, in a list or by name in a dict. For files that are larger than memory, use
            `cranfield.command("fuse", ...)`, which reads them topic by topic.
        method: such as `rrf(k=60)`, `wsum` or `mnz`.
        norm: one normalisation for all runs, or one for each; `min-max` if it is not given.
        weights: a weight for each run.
        depth: documents per topic; `None` for all.
        input_depth: documents per topic of each run that are used.
        missing: `ignore`, or `min` for the lowest score of the run.
        ties: order of equal scores in the runs.
        profile: `ranx` for its edge cases.
        train: judgements of the topics that `posfuse` and other trained methods learn from.
        output: also write the run to this file.
    """
    given = {
        "method": method,
        "norm": norm,
        "weights": weights,
        "depth": depth,
        "input_depth": input_depth,
        "missing": missing,
        "ties": ties,
        "profile": profile,
        "tag": tag,
        "threads": threads,
        "output": output,
    }
    read = _named(_listed(runs), run_format)
    qrels = None if train is None else read_qrels(train, qrels_format)
    with watched(progress) as watch:
        run, notes = _core.fuse(read, qrels, given, watch)
    for note in notes:
        # Other notes are counts.
        if note.startswith("runs that lack"):
            warnings.warn(note, stacklevel=2)
    return run


def normalize(run: Any, norm: str = "min-max", *, ties: str | None = None, profile: str | None = None) -> Run:
    """Brings the scores of each topic to one scale.

    >>> normalize({"q1": {"d1": 4.0, "d2": 3.0, "d3": 2.0}}).to_dict()
    {'q1': {'d1': 1.0, 'd2': 0.5, 'd3': 0.0}}
    """
    return _core.normalize(read_run(run), {"norm": norm, "ties": ties, "profile": profile})


def tune_fuse(
    qrels: Any,
    runs: Any,
    *,
    space: str | list[str],
    measure: str = "AP",
    method: str = "rrf(k=60)",
    norm: str | list[str] | None = None,
    depth: int | None = None,
    folds: int | None = None,
    groups: str | os.PathLike[str] | None = None,
    splits: str | os.PathLike[str] | None = None,
    search: str = "grid",
    choice: str = "best",
    seed: int | None = None,
    alpha: float | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Tuned:
    """Chooses weights and parameters of a fusion by cross-validation: `cranfield tune-fuse`.

    Args:
        space: parameters and their values, such as `w=simplex(2) step 0.1` or `k=[10, 60, 100]`.

    The other arguments are those of `fuse` and `tune`.
    """
    given = {
        "space": space,
        "measure": measure,
        "method": method,
        "norm": norm,
        "depth": depth,
        "folds": folds,
        "groups": groups,
        "splits": splits,
        "search": search,
        "choice": choice,
        "seed": seed,
        "alpha": alpha,
        "output": output,
    }
    read = _named(_listed(runs), run_format)
    tuned, run = _core.tune_fuse(read_qrels(qrels, qrels_format), read, given)
    result = Tuned(tuned)
    result.run = run
    return result
