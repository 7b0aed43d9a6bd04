"""Parameters that several measures have."""

from __future__ import annotations

from typing import Any

from cranfield.compat.ir_measures.measures.base import ParamInfo


def cutoff(required: bool = False) -> ParamInfo:
    """The cutoff."""
    return ParamInfo(dtype=int, required=required, desc="number of documents from the top that count")


def level(**options: Any) -> ParamInfo:
    """The lowest relevant grade; 1 by default."""
    options = options or {"default": 1}
    return ParamInfo(dtype=int, desc="least grade that counts as relevant", **options)


def judged_only() -> ParamInfo:
    """Whether unjudged documents are left out."""
    return ParamInfo(dtype=bool, default=False, desc="leave unjudged documents out of rankings")


def number(default: float, desc: str) -> ParamInfo:
    """A float."""
    return ParamInfo(dtype=float, default=default, desc=desc)


def scale() -> dict[str, ParamInfo]:
    """The lowest and the highest grade."""
    return {
        "min_rel": ParamInfo(dtype=int, default=0, desc="lowest grade of the scale"),
        "max_rel": ParamInfo(dtype=int, required=True, desc="highest grade of the scale"),
    }


def ranked(required: bool = False, **more: ParamInfo) -> dict[str, ParamInfo]:
    """What most measures of rankings have: a cutoff, a level, and whether only judged documents count."""
    return {"cutoff": cutoff(required), "rel": level(), **more, "judged_only": judged_only()}
