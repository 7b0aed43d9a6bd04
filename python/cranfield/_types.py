"""Types of values that the native module returns."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class MeasureDict(TypedDict):
    """A measure or a family of measures, as the native module describes it."""

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
