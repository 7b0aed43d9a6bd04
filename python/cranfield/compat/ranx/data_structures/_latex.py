"""The table of a report, for LaTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._labels import letter

if TYPE_CHECKING:
    from .report import Report

_RULE = "=" * 24
_PREAMBLE = [_RULE, "% Add in preamble", r"\usepackage{graphicx}", r"\usepackage{booktabs}", _RULE, "", ""]


def table(report: Report) -> str:
    """The lines that ranx writes."""
    best = {metric: _best(report, metric) for metric in report.metrics}
    rows = "\n".join(
        _row(report, place, model, best) for place, model in enumerate(report.model_names)
    )
    rows = rows.replace("_", r"\_").replace("$^{}$", "")
    end = [r"\bottomrule", r"\end{tabular}", "}", r"\label{tab:results}", r"\end{table*}"]
    return "\n".join([*_PREAMBLE, *_head(report), rows, *end])


def _head(report: Report) -> list[str]:
    test = report.get_stat_test_label(report.stat_test)
    return [
        "% To change the table size, act on the resizebox argument `0.8`.",
        r"\begin{table*}[ht]",
        r"\centering",
        r"\caption{",
        "Overall effectiveness of the models.",
        "The best results are highlighted in boldface.",
        rf"Superscripts denote significant differences in {test} with $p \le {report.max_p}$.",
        "}",
        r"\resizebox{0.8\textwidth}{!}{",
        rf"\begin{{tabular}}{{c|l{'|c' * len(report.metrics)}}}",
        r"\toprule",
        r"\textbf{\#}",
        r"& \textbf{Model}",
        *(rf"& \textbf{{{report.get_metric_label(metric)}}}" for metric in report.metrics[:-1]),
        rf"& \textbf{{{report.get_metric_label(report.metrics[-1])}}} \\ ",
        r"\midrule",
    ]


def _best(report: Report, metric: str) -> str | None:
    """The first run whose rounded mean nothing exceeds; none if there is no mean above zero."""
    means = {
        model: round(report.results[model][metric], report.rounding_digits)
        for model in report.model_names
    }
    highest = max(means.values())
    return next((model for model in means if means[model] == highest > 0.0), None)


def _row(report: Report, place: int, model: str, best: dict[str, str | None]) -> str:
    cells = []
    for metric in report.metrics:
        score = report.format_score(report.results[model][metric])
        score = rf"\textbf{{{score}}}" if best[metric] == model else score
        beaten = report.get_superscript_for_latex(model, metric)
        others = report.get_phantoms_for_latex(model, metric)
        cells.append(rf"{score}$^{{{beaten}}}$\hphantom{{$^{{{others}}}$}} ")
    return f"{letter(place)} &\n{model} &\n" + "&\n".join(cells) + r"\\"
