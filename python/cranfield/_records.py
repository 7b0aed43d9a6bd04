"""Tables for commands that print text: shares of a value, and findings about files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

Record: TypeAlias = dict[str, Any]


def of_explanations(data: Any) -> Iterator[Record]:
    """A row for each document or topic that has a share in a value."""
    for explanation in data["explanations"]:
        runs = explanation.get("runs") or [explanation.get("run")]
        known = {"measure": explanation["measure"], "run": " - ".join(map(str, runs))}
        if "topic" in explanation:
            known["topic"] = explanation["topic"]
        for row in explanation.get("documents") or explanation.get("topics") or []:
            yield known | row


def of_findings(data: Any) -> Iterator[Record]:
    """A row for each finding about a file."""
    for file in data["files"]:
        for finding in file["findings"]:
            kept = ("code", "severity", "title", "message", "count", "unit", "fixable", "cause", "cure")
            yield {"path": file["path"]} | {name: finding[name] for name in kept}


def columns_of(records: Iterable[Record]) -> dict[str, list[Any]]:
    """Columns of floats or strings. A list becomes several numbered columns.

    >>> columns_of([{"a": 1, "b": [2, 3]}, {"a": None}])
    {'a': [1.0, None], 'b.1': [2.0, None], 'b.2': [3.0, None]}
    """
    rows = [dict(_flat(record)) for record in records]
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _typed([row.get(name) for row in rows]) for name in names}


def _flat(record: Record) -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        if isinstance(value, list):
            yield from ((f"{name}.{place}", cell) for place, cell in enumerate(value, 1))
        elif isinstance(value, dict):
            yield from ((f"{name}.{inner}", cell) for inner, cell in value.items())
        else:
            yield name, value


def _typed(cells: list[Any]) -> list[Any]:
    numbers = all(isinstance(cell, (int, float, type(None))) for cell in cells)
    if numbers and not any(isinstance(cell, bool) for cell in cells):
        return [None if cell is None else float(cell) for cell in cells]
    return [None if cell is None else str(cell) for cell in cells]


def csv_of(columns: dict[str, list[Any]]) -> str:
    """CSV of the columns, at full precision.

    >>> csv_of({"run": ["a,b", None], "share": [0.25, None]})
    'run,share\\n"a,b",0.25\\n,\\n'
    """
    import csv
    import io

    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


_SPECIAL = str.maketrans(
    {letter: f"\\{letter}" for letter in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def latex(columns: dict[str, list[Any]]) -> str:
    """A LaTeX table of the columns, with four decimals.

    >>> print(latex({"run": ["a_b"], "share": [0.25]}), end="")
    \\begin{tabular}{lr}
    \\hline
    run & share \\\\
    \\hline
    a\\_b & 0.2500 \\\\
    \\hline
    \\end{tabular}
    """
    is_number = [all(isinstance(cell, (float, type(None))) for cell in column) for column in columns.values()]
    kinds = "".join("r" if number else "l" for number in is_number)
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\hline", _line(columns), r"\hline"]
    lines += map(_line, zip(*columns.values(), strict=True))
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def _line(cells: Iterable[Any]) -> str:
    return " & ".join(map(_cell, cells)) + r" \\"


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell).translate(_SPECIAL)
