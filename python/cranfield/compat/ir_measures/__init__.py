"""`ir_measures` (0.4.3): change the import and keep the script.

The same measures, calls, values and exceptions; what differs on purpose is in docs/compat/ir_measures.md.

>>> from cranfield.compat import ir_measures
>>> from cranfield.compat.ir_measures import nDCG, P, RR
>>> qrels = [ir_measures.Qrel("q1", "d1", 1), ir_measures.Qrel("q1", "d2", 0)]
>>> run = {"q1": {"d2": 2.0, "d1": 1.0}}
>>> ir_measures.calc_aggregate([RR, P @ 1], qrels, run)
{RR: 0.5, P@1: 0.0}
"""

import logging
import sys

from cranfield.compat.ir_measures import lazylibs, measures, providers, util
from cranfield.compat.ir_measures._install import install as install
from cranfield.compat.ir_measures._tuples import CwlMetric
from cranfield.compat.ir_measures.measures import *  # noqa: F403
from cranfield.compat.ir_measures.providers import Evaluator, Provider, define, define_byquery
from cranfield.compat.ir_measures.util import *  # noqa: F403

__version__ = "0.4.3"

logger = logging.getLogger("ir_measures")
if not logger.handlers:
    logger.setLevel("WARNING")
    log_handler = logging.StreamHandler(sys.stderr)
    log_handler.setFormatter(logging.Formatter("[%(name)s] [%(levelname)s] %(message)s"))
    logger.addHandler(log_handler)

accuracy = providers.registry["accuracy"]
cwl_eval = providers.registry["cwl_eval"]
compat = providers.registry["compat"]
gdeval = providers.registry["gdeval"]
pytrec_eval = providers.registry["pytrec_eval"]
trectools = providers.registry["trectools"]
judged = providers.registry["judged"]
msmarco = providers.registry["msmarco"]
pyndeval = providers.registry["pyndeval"]
ranx = providers.registry["ranx"]
runtime = providers.registry["runtime"]

DefaultPipeline: Provider = providers.FallbackProvider(
    [
        runtime,
        pytrec_eval,
        cwl_eval,
        compat,
        pyndeval,
        judged,
        msmarco,
        gdeval,
        accuracy,
        ranx,
    ]
)
evaluator = DefaultPipeline.evaluator
calc_ctxt = DefaultPipeline.calc_ctxt
iter_calc = DefaultPipeline.iter_calc
calc_aggregate = DefaultPipeline.calc_aggregate
calc = DefaultPipeline.calc
run_inputs = DefaultPipeline.run_inputs
qrel_inputs = DefaultPipeline.qrel_inputs

__all__ = [
    "accuracy", "cwl_eval", "compat", "gdeval", "pytrec_eval", "trectools", "judged", "msmarco",
    "pyndeval", "ranx", "runtime", "define", "define_byquery", "CwlMetric", "DefaultPipeline",
    "evaluator", "calc_ctxt", "iter_calc", "calc_aggregate", "calc", "Accuracy", "alpha_DCG",
    "alpha_nDCG", "AP", "AP_IA", "BaseMeasure", "BPM", "Bpref", "BPref", "Compat", "ERR", "ERR_IA",
    "infAP", "INSQ", "INST", "IPrec", "Judged", "MAP", "MAP_IA", "MeanAgg", "Measure", "MRR", "nDCG",
    "NDCG", "NERR10", "NERR11", "NERR8", "NERR9", "nERR_IA", "nNRBP", "NRBP", "NumQ", "NumRel",
    "NumRelRet", "NumRet", "P", "P_IA", "ParamInfo", "Precision", "R", "RBP", "Recall", "Rprec",
    "RPrec", "RR", "SDCG", "SetAP", "SetF", "SetP", "SetR", "SetRelP", "StRecall", "Success",
    "SumAgg", "α_DCG", "α_nDCG", "Provider", "Evaluator", "Qrel", "ScoredDoc", "Metric",
    "CalcResults", "GenericQrel", "GenericScoredDoc", "convert_trec_name", "parse_trec_measure",
    "read_trec_qrels", "read_trec_run", "parse_measure", "parse_trec_qrels", "parse_trec_run",
    "util", "measures", "providers", "lazylibs", "__version__",
]  # fmt: skip
