"""Readers and writers of ranx's file formats."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .._packages import package

Path_ = str | os.PathLike[str]
_SHORT = {"txt": "trec", "parq": "parquet"}


def kind_of(path: Path_, kind: str | None, known: tuple[str, ...]) -> str:
    """The kind of a file: as given, or inferred from the extension.

    >>> kind_of("run.txt", None, ("json", "trec"))
    'trec'
    """
    if kind is None:
        end = os.path.splitext(path)[1][1:]
        kind = _SHORT.get(end, end)
    names = [f"'{name}'" for name in known]
    assert kind in known, f"Error `kind` must be {', '.join(names[:-1])}, or {names[-1]}"
    return kind


def read_json(path: Path_) -> Any:
    """The content of a JSON file, in which NaN and Infinity are not allowed."""

    def refuse(name: str) -> float:
        raise json.JSONDecodeError(f"{path}: {name} is not JSON", "", 0)

    return json.loads(Path(path).read_bytes(), parse_constant=refuse)


def read_trec(
    path: Path_, kind: str, fields: int, row: Callable[[list[str]], None], example: str
) -> None:
    """Gives each line's fields to `row`; an error names the file and the line."""
    with gzip.open(path, "rt", encoding="utf-8") if kind == "gz" else open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            parts = line.split()
            if len(parts) != fields:
                raise ValueError(
                    f"{path}, line {number}: {len(parts)} fields; a line has {fields}: {example}"
                )
            try:
                row(parts)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


def read_lz4(path: Path_) -> Any:
    """The content of a file that is CBOR, compressed twice by LZ4."""
    frame = package("lz4.frame", "reading .lz4")
    with frame.open(path, mode="rb") as file:
        return package("cbor2", "reading .lz4").loads(frame.decompress(file.read()))


def as_json(content: Any) -> bytes:
    """JSON with two spaces for each level; what is not finite is null."""
    finite = {
        topic: {
            doc_id: score if math.isfinite(score) else None for doc_id, score in inner.items()
        }
        for topic, inner in content.items()
    }
    return json.dumps(finite, indent=2, ensure_ascii=False).encode()


def as_lz4(content: Any) -> bytes:
    """CBOR, compressed twice by LZ4."""
    frame = package("lz4.frame", "writing .lz4")
    encoded = package("cbor2", "writing .lz4").dumps(dict(content))
    compressed: bytes = frame.compress(frame.compress(encoded, compression_level=16))
    return compressed


def as_parquet(frame: Any) -> bytes:
    """A frame of pandas as a Parquet file."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False)
    return buffer.getvalue()


def as_trec(lines: Iterable[str], kind: str, ends_empty: bool) -> bytes:
    """Lines of a TREC file, with gzip around them if the kind is `gz`. After the last line there is an end only if the last topic is
    empty, as ranx has it."""
    text = "\n".join(lines)
    if text and ends_empty:
        text += "\n"
    return gzip.compress(text.encode(), mtime=0) if kind == "gz" else text.encode()


def write(path: Path_, content: bytes) -> None:
    """Writes a file atomically."""
    if os.path.exists(path) and not os.path.isfile(path):
        Path(path).write_bytes(content)
        return
    target = os.path.realpath(path)
    draft = f"{target}.{os.getpid()}.tmp"
    try:
        with open(draft, "xb") as file:
            file.write(content)
        os.replace(draft, target)
    except BaseException:
        if os.path.exists(draft):
            os.remove(draft)
        raise
