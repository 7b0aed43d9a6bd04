"""Measures of the arrays that `to_typed_list` returns: for each topic rows of ids and numbers.

>>> qrels = [[[1, 1], [4, 1]]]
>>> run = [[[2, 0.9], [1, 0.8]]]
>>> float(reciprocal_rank(qrels, run)[0])
0.5
"""

from collections.abc import Callable
from typing import Any

from ._scores import Metric, checked
from .average_precision import average_precision
from .bpref import bpref
from .f1 import f1
from .get_hit_lists import get_hit_lists
from .hit_rate import hit_rate
from .hits import hits
from .interpolated_precision_at_recall import interpolated_precision_at_recall
from .ndcg import dcg, dcg_burges, ndcg, ndcg_burges
from .precision import precision
from .r_precision import r_precision
from .rank_biased_precision import rank_biased_precision
from .recall import recall
from .reciprocal_rank import reciprocal_rank

__all__ = [
    "average_precision",
    "bpref",
    "dcg",
    "dcg_burges",
    "f1",
    "get_hit_lists",
    "hit_rate",
    "hits",
    "interpolated_precision_at_recall",
    "metric_switch",
    "ndcg",
    "ndcg_burges",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
]

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "hits": hits,
    "hit_rate": hit_rate,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "r-precision": r_precision,
    "mrr": reciprocal_rank,
    "map": average_precision,
    "dcg": dcg,
    "dcg_burges": dcg_burges,
    "ndcg": ndcg,
    "ndcg_burges": ndcg_burges,
    "bpref": bpref,
    "rbp": rank_biased_precision,
}


def metric_switch(metric: str) -> Callable[..., Any]:
    """The function with this name.

    >>> metric_switch("mrr") is reciprocal_rank
    True
    """
    return _FUNCTIONS[checked(Metric(metric, 0, 1)).name]
