"""Retrieval experiments: evaluation of rankings against relevance judgements, and search engines to make them.

>>> import cranfield
>>> qrels = {"q1": {"d1": 1, "d2": 0}}
>>> run = {"q1": {"d2": 2.0, "d1": 1.0}}
>>> cranfield.evaluate(qrels, run, "RR P@1").to_dict()
{'run': {'RR': 0.5, 'P@1': 0.0}}

Names, options, defaults and numbers are the same as on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield._core import Evaluation, Evaluator, Qrels, Run, __version__
from cranfield._errors import (
    CranfieldError,
    FileError,
    InputError,
    InputTypeError,
    InternalError,
    MeasureError,
    Problem,
    UnknownNameError,
    UsageError,
    WriteError,
)
from cranfield._evaluate import evaluate, read_qrels, read_run, scores

if TYPE_CHECKING:
    from cranfield._agree import agree, merge_qrels
    from cranfield._commands import (
        command,
        compare,
        convert,
        discriminate,
        doctor,
        explain,
        gate,
        plot,
        power,
        report,
        rosetta,
        similarity,
        whence,
    )
    from cranfield._custom import Context, CustomMeasure, Expression, custom_measure
    from cranfield._fusion import fuse, normalize, tune_fuse
    from cranfield._judging import judge, read_judgements
    from cranfield._lab import Experiment, Tuned, bench, demo, tune
    from cranfield._measures import Measure, measure, measures
    from cranfield._pool import pool, pool_bias, pool_missing, pool_settle, pool_stats, pool_votes
    from cranfield._results import Result
    from cranfield._search import DenseIndex, Hit, Hits, Index, analyzers, search
    from cranfield._vectors import scenarios, vectors

__all__ = [
    "Context",
    "CranfieldError",
    "CustomMeasure",
    "DenseIndex",
    "Evaluation",
    "Evaluator",
    "Experiment",
    "Expression",
    "FileError",
    "Hit",
    "Hits",
    "Index",
    "InputError",
    "InputTypeError",
    "InternalError",
    "Measure",
    "MeasureError",
    "Problem",
    "Qrels",
    "Result",
    "Run",
    "Tuned",
    "UnknownNameError",
    "UsageError",
    "WriteError",
    "__version__",
    "agree",
    "analyzers",
    "bench",
    "command",
    "compare",
    "convert",
    "custom_measure",
    "demo",
    "discriminate",
    "doctor",
    "evaluate",
    "explain",
    "fuse",
    "gate",
    "judge",
    "measure",
    "measures",
    "merge_qrels",
    "normalize",
    "plot",
    "pool",
    "pool_bias",
    "pool_missing",
    "pool_settle",
    "pool_stats",
    "pool_votes",
    "power",
    "read_judgements",
    "read_qrels",
    "read_run",
    "report",
    "rosetta",
    "scenarios",
    "scores",
    "search",
    "similarity",
    "tune",
    "tune_fuse",
    "vectors",
    "whence",
]

# Imported on first use, so that importing the package takes milliseconds.
_LATER = {
    "Result": "_results",
    "agree": "_agree",
    "merge_qrels": "_agree",
    "command": "_commands",
    "compare": "_commands",
    "convert": "_commands",
    "discriminate": "_commands",
    "doctor": "_commands",
    "explain": "_commands",
    "gate": "_commands",
    "plot": "_commands",
    "power": "_commands",
    "report": "_commands",
    "rosetta": "_commands",
    "similarity": "_commands",
    "whence": "_commands",
    "Context": "_custom",
    "CustomMeasure": "_custom",
    "Expression": "_custom",
    "custom_measure": "_custom",
    "Measure": "_measures",
    "measure": "_measures",
    "measures": "_measures",
    "Experiment": "_lab",
    "Tuned": "_lab",
    "bench": "_lab",
    "demo": "_lab",
    "tune": "_lab",
    "pool": "_pool",
    "pool_bias": "_pool",
    "pool_missing": "_pool",
    "pool_settle": "_pool",
    "pool_stats": "_pool",
    "pool_votes": "_pool",
    "fuse": "_fusion",
    "normalize": "_fusion",
    "tune_fuse": "_fusion",
    "judge": "_judging",
    "read_judgements": "_judging",
    "DenseIndex": "_search",
    "Hit": "_search",
    "Hits": "_search",
    "Index": "_search",
    "analyzers": "_search",
    "search": "_search",
    "scenarios": "_vectors",
    "vectors": "_vectors",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'cranfield' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"cranfield.{_LATER[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
