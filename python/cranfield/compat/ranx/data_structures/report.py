"""`Report`: the result of `compare`."""

from __future__ import annotations

import json
from typing import Any

from .._packages import package
from . import _files, _latex
from ._labels import letter, measure_label, raised, score_text
from ._text_table import text_table
from .frozenset_dict import FrozensetDict

_TESTS = {
    "fisher": "Fisher's randomization test",
    "student": "paired Student's t-test",
    "tukey": "Tukey's HSD test",
}


class Report:
    """Means of runs, and which of them differ significantly."""

    def __init__(
        self,
        model_names: list[str],
        results: dict[str, dict[str, float]],
        comparisons: FrozensetDict,
        metrics: list[str],
        max_p: float,
        win_tie_loss: dict[tuple[str, str], dict[str, dict[str, int]]],
        rounding_digits: int = 3,
        show_percentages: bool = False,
        stat_test: str = "student",
    ) -> None:
        self.model_names = model_names
        self.results = results
        self.comparisons = comparisons
        self.metrics = metrics
        self.max_p = max_p
        self.win_tie_loss = win_tie_loss
        self.rounding_digits = rounding_digits
        self.show_percentages = show_percentages
        self.stat_test = stat_test

    def format_score(self, score: float) -> str:
        """A score with the report's digits."""
        return score_text(score, self.rounding_digits, self.show_percentages)

    def _beaten(self, model: str, metric: str) -> list[int]:
        """Places of the runs that this one beats significantly."""
        return [place for place, other in enumerate(self.model_names) if self._beats(model, other, metric)]

    def _beats(self, model: str, other: str, metric: str) -> bool:
        if model == other or not self.comparisons[model, other][metric]["significant"]:
            return False
        return self.results[model][metric] > self.results[other][metric]

    def get_superscript_for_table(self, model: str, metric: str) -> str:
        """Superscript letters of the runs that this one beats."""
        return "".join(map(raised, self._beaten(model, metric)))

    def get_superscript_for_latex(self, model: str, metric: str) -> str:
        """Letters of the runs that this one beats."""
        return "".join(map(letter, self._beaten(model, metric)))

    def get_phantoms_for_latex(self, model: str, metric: str) -> str:
        """Invisible letters of the other runs, for alignment."""
        beaten = self._beaten(model, metric)
        others = [
            place
            for place, other in enumerate(self.model_names)
            if other != model and place not in beaten
        ]
        return "".join(map(letter, others))

    def get_metric_label(self, m: str) -> str:
        """The display name of a measure."""
        return measure_label(m)

    def get_stat_test_label(self, stat_test: str) -> str:
        """The display name of a test."""
        return _TESTS[stat_test]

    def to_table(self) -> str:
        """A text table. Superscript letters mark the runs that a run beats significantly."""
        headers = ["#", "Model", *map(self.get_metric_label, self.metrics)]
        rows = [
            [
                letter(place),
                model,
                *(
                    self.format_score(score) + self.get_superscript_for_table(model, metric)
                    for metric, score in scores.items()
                ),
            ]
            for place, (model, scores) in enumerate(self.results.items())
        ]
        return text_table(headers, rows)

    def to_latex(self) -> str:
        """A table for LaTeX, with the best scores in boldface."""
        return _latex.table(self)

    def to_dict(self) -> dict[str, Any]:
        """All numbers: for each run its scores, p-values, and on how many topics it wins, ties and loses."""
        report: dict[str, Any] = {
            "stat_test": self.stat_test,
            "metrics": self.metrics,
            "model_names": self.model_names,
        }
        for model in self.model_names:
            others = [other for other in self.model_names if other != model]
            report[model] = {
                "scores": self.results[model],
                "comparisons": {
                    other: {
                        metric: self.comparisons[model, other][metric]["p_value"]
                        for metric in self.metrics
                    }
                    for other in others
                },
                "win_tie_loss": {
                    other: {
                        metric: self.win_tie_loss[model, other][metric] for metric in self.metrics
                    }
                    for other in others
                },
            }
        return report

    def to_dataframe(self) -> Any:
        """A frame of pandas with a row for each run: its name (`model_names`) and its means."""
        pandas = package("pandas", "to_dataframe")
        scores = {name: self.results[name] for name in self.model_names}
        frame = pandas.DataFrame.from_dict(scores, orient="index")
        return frame.reset_index().rename(columns={"index": "model_names"})

    def save(self, path: _files.Path_) -> None:
        """Writes `to_dict` as JSON."""
        _files.write(path, json.dumps(self.to_dict(), indent=4).encode())

    def print_results(self) -> None:
        """Prints the means as JSON."""
        print(json.dumps(self.results, indent=4))

    def __repr__(self) -> str:
        return self.to_table()
