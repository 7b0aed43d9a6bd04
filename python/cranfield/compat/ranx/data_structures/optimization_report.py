"""`OptimizationReport`: the configurations that `optimize_fusion` tried."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._packages import package
from ._labels import measure_label, score_text

# The title of the table, and what its first column holds.
_METHODS = {
    "logn_isr": ("LogN_ISR", "Sigma"),
    "gmnz": ("GMNZ", "Gamma"),
    "mixed": ("Mixed", "Weights"),
    "probfuse": ("ProbFuse", "# Segments"),
    "rbc": ("RBC", "phi"),
    "rrf": ("RRF", "k"),
    "slidefuse": ("SlideFuse", "w"),
    "w_bordafuse": ("Weighted BordaFuse", "Weights"),
    "w_condorcet": ("Weighted Condorcet", "Weights"),
    "wmnz": ("WMNZ", "Weights"),
    "wsum": ("Weighted SUM", "Weights"),
}


class OptimizationReport:
    """Configurations of a fusion method, with their means."""

    def __init__(
        self,
        method: str,
        configs: Sequence[str],
        results: Sequence[float],
        metric: str,
        rounding_digits: int = 3,
        show_percentages: bool = False,
    ) -> None:
        self.method = method
        self.configs = configs
        self.results = results
        self.metric = metric
        self.rounding_digits = rounding_digits
        self.show_percentages = show_percentages

    def get_metric_label(self, m: str) -> str:
        """The display name of a measure."""
        return measure_label(m).replace(" ", "_")

    def format_score(self, score: float) -> str:
        """A score with the report's digits."""
        return score_text(score, self.rounding_digits, self.show_percentages)

    def to_table(self) -> Any:
        """A table of the package `rich`, with the best configuration in green."""
        table = package("rich.table", "to_table").Table(title=_METHODS[self.method][0])
        for header in self._headers():
            table.add_column(header=header, header_style="bold magenta", justify="center")
        best = max(range(len(self.results)), key=self.results.__getitem__, default=None)
        for place, cells in enumerate(self._rows()):
            green = place == best
            table.add_row(*(f"[bold green]{cell}[/bold green]" if green else cell for cell in cells))
        return table

    def _headers(self) -> tuple[str, str]:
        return _METHODS[self.method][1], self.get_metric_label(self.metric)

    def _rows(self) -> list[tuple[str, str]]:
        return [
            (str(config), self.format_score(score))
            for config, score in zip(self.configs, self.results)
        ]

    def __repr__(self) -> str:
        """The table in lines of text.

        >>> print(OptimizationReport("rrf", ["10", "20"], [0.5, 0.625], "ndcg@10"))
                RRF
        ┏━━━━┳━━━━━━━━━┓
        ┃ k  ┃ NDCG@10 ┃
        ┡━━━━╇━━━━━━━━━┩
        │ 10 │  0.500  │
        │ 20 │  0.625  │
        └────┴─────────┘
        """
        rows = [self._headers(), *self._rows()]
        widths = [max(len(row[at]) for row in rows) for at in range(2)]

        def cells(row: tuple[str, str], bar: str) -> str:
            inner = f" {bar} ".join(_centred(cell, width) for cell, width in zip(row, widths))
            return f"{bar} {inner} {bar}"

        def rule(left: str, line: str, middle: str, right: str) -> str:
            return left + middle.join(line * (width + 2) for width in widths) + right

        lines = [
            _centred(_METHODS[self.method][0], sum(widths) + 7),
            rule("┏", "━", "┳", "┓"),
            cells(rows[0], "┃"),
            rule("┡", "━", "╇", "┩"),
            *(cells(row, "│") for row in rows[1:]),
            rule("└", "─", "┴", "┘"),
        ]
        return "\n".join(lines) + "\n"


def _centred(text: str, width: int) -> str:
    left = (width - len(text)) // 2
    return f"{' ' * left}{text}{' ' * (width - len(text) - left)}"
