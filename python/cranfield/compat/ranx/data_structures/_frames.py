"""From frames of pandas to dicts."""

from __future__ import annotations

from typing import Any


def from_frame(df: Any, columns: tuple[str, str, str], number: str, word: str) -> dict[Any, Any]:
    """Numbers by topic and document of a frame whose columns have the right types."""
    q_id_col, doc_id_col, score_col = columns
    for column, what in ((q_id_col, "Query"), (doc_id_col, "Document")):
        # pandas 3 has a type of its own for texts.
        assert _holds_texts(df[column].dtype), (
            f"DataFrame {what} IDs column dtype must be `object` (string)"
        )
    assert df[score_col].dtype == number, f"DataFrame scores column dtype must be `{word}`"
    content: dict[Any, Any] = {}
    rows = zip(df[q_id_col].tolist(), df[doc_id_col].tolist(), df[score_col].tolist())
    for topic, doc_id, score in rows:
        # A cell without a value is None or NaN, and belongs to no topic.
        if topic is not None and topic == topic:
            content.setdefault(topic, {})[doc_id] = score
    return content


def _holds_texts(dtype: Any) -> bool:
    return dtype == "O" or str(dtype).partition("[")[0] in ("str", "string")
