"""A text table with columns as wide as needed."""

from __future__ import annotations


def _number(text: str) -> str:
    """Whether a cell is an "int", a "float" or a "text"."""
    for kind, read in (("int", int), ("float", float)):
        try:
            read(text)
        except ValueError:
            continue
        return kind
    return "text"


def _column(header: str, cells: list[str]) -> list[str]:
    """Header, line and cells of one width: strings aligned left, numbers at their decimal points."""
    kinds = {_number(cell) for cell in cells}
    numbers = bool(kinds) and "text" not in kinds
    if numbers and "float" in kinds:
        cells = [f"{float(cell):g}" for cell in cells]
        decimals = [len(cell.partition(".")[2]) + ("." in cell) for cell in cells]
        cells = [cell + " " * (max(decimals) - places) for cell, places in zip(cells, decimals)]
    width = max(len(header) + 2, *map(len, cells), 0)
    aligned = [f"{cell:>{width}}" if numbers else f"{cell:<{width}}" for cell in [header, *cells]]
    return [aligned[0], "-" * width, *aligned[1:]]


def text_table(headers: list[str], rows: list[list[str]]) -> str:
    """The table that `tabulate` prints for the same cells.

    >>> print(text_table(["#", "Model", "MAP"], [["a", "bm25", "0.50"], ["b", "dense", "0.625"]]))
    #    Model      MAP
    ---  -------  -----
    a    bm25     0.5
    b    dense    0.625
    """
    columns = [
        _column(header, [row[at] for row in rows]) for at, header in enumerate(headers)
    ]
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns))
