"""Providers of measures; `registry` has them by name."""

from cranfield.compat.ir_measures._tuples import CwlMetric
from cranfield.compat.ir_measures.providers.accuracy_provider import AccuracyProvider
from cranfield.compat.ir_measures.providers.base import Evaluator, Provider, register, registry
from cranfield.compat.ir_measures.providers.compat_provider import CompatProvider
from cranfield.compat.ir_measures.providers.cwl_eval import CwlEvalProvider
from cranfield.compat.ir_measures.providers.fallback_provider import FallbackProvider
from cranfield.compat.ir_measures.providers.gdeval_provider import GdevalProvider
from cranfield.compat.ir_measures.providers.judged_provider import JudgedProvider
from cranfield.compat.ir_measures.providers.msmarco_provider import MsMarcoProvider
from cranfield.compat.ir_measures.providers.pyndeval_provider import PyNdEvalProvider
from cranfield.compat.ir_measures.providers.pytrec_eval_provider import PytrecEvalProvider
from cranfield.compat.ir_measures.providers.ranx_provider import RanxProvider
from cranfield.compat.ir_measures.providers.runtime_provider import (
    RuntimeProvider,
    define,
    define_byquery,
)
from cranfield.compat.ir_measures.providers.trectools_provider import TrectoolsProvider

__all__ = [
    "registry", "register", "Provider", "Evaluator", "AccuracyProvider", "FallbackProvider",
    "CompatProvider", "CwlEvalProvider", "CwlMetric", "PyNdEvalProvider", "PytrecEvalProvider",
    "JudgedProvider", "GdevalProvider", "TrectoolsProvider", "MsMarcoProvider", "RanxProvider",
    "RuntimeProvider", "define", "define_byquery",
]  # fmt: skip

# The command line lists them in this order.
for _name in (
    "accuracy", "compat", "cwl_eval", "pyndeval", "pytrec_eval", "judged", "gdeval", "trectools",
    "msmarco", "ranx", "runtime",
):  # fmt: skip
    registry[_name] = registry.pop(_name)
