"""Exact vector search against faiss: top 1000 of 200,000 x 384 for 200 topics, one thread.

Build the example first: cargo build --release -p cranfield-search --example dense
Usage: python dense.py PATH/TO/dense  (needs faiss-cpu and numpy)
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import faiss
import numpy

DOCUMENTS, TOPICS, DIMENSIONS, DEPTH = 200_000, 200, 384, 1000


def save(folder: pathlib.Path, name: str, vectors: numpy.ndarray) -> None:
    numpy.save(folder / f"{name}.npy", vectors)
    ids = "".join(f"{name[0]}{row}\n" for row in range(len(vectors)))
    (folder / f"{name}.ids").write_text(ids)


def main() -> None:
    random = numpy.random.default_rng(1)
    documents = random.standard_normal((DOCUMENTS, DIMENSIONS), dtype=numpy.float32)
    topics = random.standard_normal((TOPICS, DIMENSIONS), dtype=numpy.float32)
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatIP(DIMENSIONS)
    index.add(documents)
    for _ in range(5):
        start = time.process_time()
        index.search(topics, DEPTH)
        print(f"faiss: {time.process_time() - start:.3f} s of processor time")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        save(folder, "documents", documents)
        save(folder, "topics", topics)
        subprocess.run([sys.argv[1], name, str(DEPTH), "1"], check=True)


if __name__ == "__main__":
    main()
