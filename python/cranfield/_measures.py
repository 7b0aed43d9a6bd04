"""Names of measures, and what there is to know of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from cranfield import _core
from cranfield._errors import UsageError
from cranfield._types import MeasureDict


@dataclass(frozen=True)
class Measure:
    """A measure, or a family of measures. It prints as its name."""

    name: str
    """The name, as results have it."""
    canonical: str
    """The name that Cranfield prints, which reads back as the same measure."""
    summary: str
    """What it measures, in one line."""
    cutoff: int | None = None
    """The cutoff, if it has one."""
    params: dict[str, str] = field(default_factory=dict)
    """Values of its parameters."""
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    """Default and meaning of each parameter."""
    aliases: list[str] = field(default_factory=list, repr=False)
    """Other names of the family."""
    minimum: float = 0.0
    maximum: float = 1.0
    higher_is_better: bool | None = True
    """`None` where neither is."""
    references: list[str] = field(default_factory=list, repr=False)
    """Where it was defined."""
    documentation: str = field(default="", repr=False)
    """The reference page."""

    def __str__(self) -> str:
        return self.name


def _measure(info: MeasureDict) -> Measure:
    return Measure(
        name=info["name"],
        canonical=info.get("canonical", info["name"]),
        summary=info["summary"],
        cutoff=info.get("cutoff"),
        params=info.get("params", {}),
        parameters=info["parameters"],
        aliases=info["aliases"],
        minimum=info["minimum"],
        maximum=info["maximum"],
        higher_is_better=info["higher_is_better"],
        references=info["references"],
        documentation=info["documentation"],
    )


def measures() -> list[Measure]:
    """All families of measures.

    >>> "nDCG" in [measure.name for measure in measures()]
    True
    """
    return [_measure(info) for info in _core.catalogue()]


def measure(name: str, *, profile: str = "cranfield", level: float | None = None) -> Measure:
    """The measure of a name, as a profile has it.

    >>> measure("ndcg_cut_10").canonical
    'nDCG@10'
    >>> measure("P(rel=2)@5").params["rel"]
    '2'
    """
    found = _core.parse(name, profile, level)
    if len(found) != 1:
        raise UsageError(f"`{name}` is {len(found)} measures, not one")
    return _measure(found[0])
