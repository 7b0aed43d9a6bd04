"""Judgements, runs and reports."""

from .frozenset_dict import FrozensetDict
from .optimization_report import OptimizationReport
from .qrels import Qrels
from .report import Report
from .run import Run

__all__ = ["FrozensetDict", "OptimizationReport", "Qrels", "Report", "Run"]
