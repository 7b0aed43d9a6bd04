"""Labels of measures, runs and scores in reports."""

from __future__ import annotations

_LABELS = {
    "hits": "Hits",
    "hit_rate": "Hit Rate",
    "precision": "P",
    "recall": "Recall",
    "f1": "F1",
    "r-precision": "R-Prec",
    "mrr": "MRR",
    "map": "MAP",
    "dcg": "DCG",
    "dcg_burges": "DCG Burges",
    "ndcg": "NDCG",
    "ndcg_burges": "NDCG Burges",
    "bpref": "BPref",
}
_SMALL = "abcdefghijklmnopqrstuvwxyz"
_RAISED = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ۹ʳˢᵗᵘᵛʷˣʸᶻ"


def measure_label(metric: str) -> str:
    """The display name of a measure.

    >>> measure_label("ndcg@10-l2"), measure_label("rbp.95")
    ('NDCG@10-l2', 'RBP.95')
    """
    name, level, number = metric.partition("-l")
    base, at, cutoff = name.partition("@")
    label = base.upper() if base.startswith("rbp") else _LABELS[base]
    return f"{label}{at}{cutoff}{level}{number}"


def letter(place: int) -> str:
    """The letter of a run; after z comes Aa.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'Aa')
    """
    round_, rest = divmod(place, len(_SMALL))
    return f"{letter(round_ - 1).capitalize()}{_SMALL[rest]}" if round_ else _SMALL[rest]


def raised(place: int) -> str:
    """The letter of a run as a superscript."""
    return _RAISED[place] if place < len(_RAISED) else f"^{letter(place)}"


def score_text(score: float, digits: int, percentages: bool) -> str:
    """A score with this number of digits, or with two fewer as a percentage.

    >>> score_text(0.12345, 3, False), score_text(0.12345, 3, True)
    ('0.123', '12.3')
    """
    if percentages:
        score, digits = score * 100, max(0, digits - 2)
    return f"{round(score, digits):.{digits}f}"
