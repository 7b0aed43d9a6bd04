"""Measures by name: ir_measures' own names, and those of trec_eval."""

from __future__ import annotations

import ast
import re
from typing import Any

from cranfield.compat import pytrec_eval
from cranfield.compat.ir_measures import measures
from cranfield.compat.ir_measures._tuples import _deprecated
from cranfield.compat.ir_measures.measures.base import Measure


def _refused(why: object) -> ValueError:
    return ValueError(f"problem parsing measure {why}; must be in format Measure(k1=v1, k2=v2)@c")


def _value(node: ast.expr | None) -> Any:
    """A number, a string, a boolean, None, or a dict of these."""
    if isinstance(node, ast.Constant) and not isinstance(node.value, bytes | type(...)):
        return node.value
    if isinstance(node, ast.Dict):
        keys, values = map(_value, node.keys), map(_value, node.values)
        return dict(zip(keys, values, strict=True))
    raise _refused("values must be str, float, int, bool, etc.")


def _expression(text: str) -> ast.expr:
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise _refused(error) from None
    if len(statements) != 1:
        raise _refused("multiple expressions")
    statement = statements[0]
    if not isinstance(statement, ast.Expr):
        raise _refused("not an expression")
    return statement.value


def parse_measure(measure: str | Measure) -> Measure:
    """Parses the name of a measure.

    >>> parse_measure("P(rel=2)@10").params
    {'rel': 2, 'cutoff': 10}
    """
    if isinstance(measure, Measure):
        return measure
    node = _expression(measure)
    at: Any = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at, node = _value(node.right), node.left
    arguments: dict[Any, Any] = {}
    if isinstance(node, ast.Call):
        if node.args:
            raise _refused("args must be named")
        arguments = {keyword.arg: _value(keyword.value) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise _refused("unexpected expression")
    if node.id not in measures.registry:
        raise NameError(f"measure not found: {node.id}")
    found = measures.registry[node.id]
    if at is not None:
        arguments[found.AT_PARAM] = at
    return found(**arguments)


_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_POINTS = tuple(tenth / 10 for tenth in range(11))
# By name of trec_eval: the measure, the parameter that stands in the name, and its values where none are given.
_TREC: dict[str, tuple[Measure, str | None, tuple[Any, ...]]] = {
    "ndcg": (measures.nDCG, None, ()),
    "P": (measures.P, "cutoff", _CUTOFFS),
    "map_cut": (measures.AP, "cutoff", _CUTOFFS),
    "set_map": (measures.SetAP, None, ()),
    "set_P": (measures.SetP, None, ()),
    "infAP": (measures.infAP, None, ()),
    "bpref": (measures.Bpref, None, ()),
    "num_rel_ret": (measures.NumRelRet, None, ()),
    "recip_rank": (measures.RR, None, ()),
    "recall": (measures.R, "cutoff", _CUTOFFS),
    "set_recall": (measures.SetR, None, ()),
    "set_relative_P": (measures.SetRelP, None, ()),
    "num_ret": (measures.NumRet, None, ()),
    "num_rel": (measures.NumRel, None, ()),
    "ndcg_cut": (measures.nDCG, "cutoff", _CUTOFFS),
    "Rprec": (measures.Rprec, None, ()),
    "num_q": (measures.NumQ, None, ()),
    "map": (measures.AP, None, ()),
    "success": (measures.Success, "cutoff", (1, 5, 10)),
    "set_F": (measures.SetF, "beta", (1.0,)),
    "iprec_at_recall": (measures.IPrec, "recall", _POINTS),
}
_UNSUPPORTED = {
    "Rndcg", "num_nonrel_judged_ret", "11pt_avg", "relative_P", "gm_map", "binG", "ndcg_rel",
    "utility", "Rprec_mult", "relstring", "gm_bpref", "G",
}  # fmt: skip
_NUMBERS = re.compile(r"[._]([0-9]+(?:\.[0-9]+)?(?:,[0-9]+(?:\.[0-9]+)?)*)")


def parse_trec_measure(measure: str) -> list[Measure]:
    """Parses a name or nickname of trec_eval's measures.

    >>> parse_trec_measure("ndcg_cut.5,10")
    [nDCG@5, nDCG@10]
    """
    if measure in pytrec_eval.supported_nicknames:
        return _group(pytrec_eval.supported_nicknames[measure])
    if measure in _TREC:
        found, parameter, values = _TREC[measure]
        return [found(**{parameter: value}) for value in values] if parameter else [found]
    split = _split(measure)
    if split is None:
        # Spelt as the original spells it.
        raise ValueError(f"unkonwn measure {measure}")
    name, numbers = split
    if name in _UNSUPPORTED:
        raise ValueError(f"known trec name {measure}, but not yet supported")
    found, parameter, _ = _TREC[name]
    if parameter is None:
        raise ValueError(f"unknown argument for {measure}: {numbers}")
    kind = found.SUPPORTED_PARAMS[parameter].dtype
    return [found(**{parameter: kind(number)}) for number in numbers.split(",")]


def _split(measure: str) -> tuple[str, str] | None:
    """A known name, and the numbers behind it; what follows them is ignored."""
    if measure in _UNSUPPORTED:
        return measure, ""
    for name in (*_TREC, *_UNSUPPORTED):
        found = _NUMBERS.match(measure, len(name)) if measure.startswith(name) else None
        if found is not None:
            return name, found.group(1)
    return None


def _group(names: set[str]) -> list[Measure]:
    result: list[Measure] = []
    skipped = []
    for name in sorted(names):
        try:
            result += parse_trec_measure(name)
        except ValueError:
            if name != "runid":
                skipped.append(name)
    if skipped:
        print(f"skipped {skipped}: measures not yet supported")
    return result


def convert_trec_name(measure: str) -> list[Measure]:
    """The old name of `parse_trec_measure`."""
    _deprecated("convert_trec_name", "parse_trec_measure()")
    return parse_trec_measure(measure)
