"""Types of what the native module returns."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class MeasureDict(TypedDict):
    """What the native module tells of a measure, or of a family of them."""

    name: str
    canonical: NotRequired[str]
    family: NotRequired[str]
    cutoff: NotRequired[int | None]
    params: NotRequired[dict[str, str]]
    aliases: list[str]
    summary: str
    takes_cutoff: Literal["none", "optional", "required", "point"]
    parameters: dict[str, tuple[str, str]]
    minimum: float
    maximum: float
    higher_is_better: bool | None
    references: list[str]
    documentation: str
