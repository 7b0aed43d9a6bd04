"""The catalogue of measures."""

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
    """The canonical name, which parses back to the same measure."""
    summary: str
    """A one-line description."""
    cutoff: int | None = None
    """The cutoff, if any."""
    params: dict[str, str] = field(default_factory=dict)
    """The values of its parameters."""
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    """The default and meaning of each parameter."""
    aliases: list[str] = field(default_factory=list, repr=False)
    """Other names of the family."""
    minimum: float = 0.0
    maximum: float = 1.0
    higher_is_better: bool | None = True
    """`None` if neither higher nor lower is better."""
    references: list[str] = field(default_factory=list, repr=False)
    """Publications that define it."""
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
    """Parses the name of a measure under a profile.

    >>> measure("ndcg_cut_10").canonical
    'nDCG@10'
    >>> measure("P(rel=2)@5").params["rel"]
    '2'
    """
    found = _core.parse(name, profile, level)
    if len(found) != 1:
        raise UsageError(f"`{name}` is {len(found)} measures, not one")
    return _measure(found[0])
