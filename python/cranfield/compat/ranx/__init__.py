"""`ranx` (0.3.21): change the import and keep the script.

The same calls, values, types and exceptions; what differs on purpose is in docs/compat/ranx.md.

>>> from cranfield.compat.ranx import Qrels, Run, evaluate
>>> qrels = Qrels({"q_1": {"d_1": 1, "d_2": 2}})
>>> run = Run({"q_1": {"d_3": 0.9, "d_2": 0.8}}, name="bm25")
>>> float(evaluate(qrels, run, "mrr"))
0.5
"""

from .data_structures import Qrels, Run
from .meta import compare, evaluate, fuse, normalize, optimize_fusion, plot

__all__ = [
    "Qrels",
    "Run",
    "compare",
    "evaluate",
    "fuse",
    "normalize",
    "optimize_fusion",
    "plot",
]
