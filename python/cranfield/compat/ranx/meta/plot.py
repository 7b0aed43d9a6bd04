"""`plot`: precision against recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._packages import numpy, package
from ..data_structures import Qrels, Run
from ..metrics import interpolated_precision_at_recall


def plot(
    qrels: Qrels,
    runs: Run | list[Run],
    graph: str = "iprec_at_recall",
    return_graph: bool = True,
    figsize: tuple[float, float] | None = None,
    seaborn_kwargs: Mapping[str, Any] | None = None,
) -> Any:
    """Shows the interpolated precision of runs at eleven points of recall; with `return_graph=False`, gives a frame of pandas with the
    columns `Model`, `recall` and `precision`.

    The plot needs the packages seaborn and matplotlib.
    """
    if graph != "iprec_at_recall":
        raise ValueError(f"graph {graph!r} is not known; there is 'iprec_at_recall'")
    frame = _frame(qrels, runs)
    if not return_graph:
        return frame
    pyplot = package("matplotlib.pyplot", "plot")
    seaborn = package("seaborn", "plot")
    pyplot.figure(figsize=figsize or (8, 5))
    options = {"linewidth": 2.5} if seaborn_kwargs is None else seaborn_kwargs
    axes = seaborn.lineplot(data=frame, x="recall", y="precision", hue="Model", **options)
    ticks = numpy().arange(0.0, 1.1, 0.1)
    axes.set(
        title="Precision-Recall Curve",
        xlabel="Recall",
        ylabel="Precision",
        xticks=ticks,
        yticks=ticks,
    )
    pyplot.show()
    return None


def _frame(qrels: Qrels, runs: Run | list[Run]) -> Any:
    several = isinstance(runs, list)
    listed = runs if isinstance(runs, list) else [runs]
    np = numpy()
    names = [
        run.name if run.name is not None else (f"run_{place}" if several else "run")
        for place, run in enumerate(listed, 1)
    ]
    curves = [interpolated_precision_at_recall(qrels, run).mean(axis=0) for run in listed]
    return package("pandas", "plot").DataFrame(
        {
            "Model": [name for name in names for _ in range(11)],
            "recall": np.concatenate([np.arange(0, 1.1, 0.1)] * len(listed)),
            "precision": np.concatenate(curves),
        }
    )
