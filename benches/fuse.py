#!/usr/bin/env python3
"""Times reciprocal rank fusion of five runs of the shape of M, from files to a file, in Cranfield and ranx, and writes a Markdown page.

    python3 benches/fuse.py [--data DIR] [--topics N] [--rounds N]

Every figure is of a whole process with a warm page cache. Both programs write all documents of the union. ranx needs about 30 times the
memory of its input, so it fuses the first N topics of the same files (`--topics`), and times are compared per input line.
DIR holds `run1.txt` to `run5.txt`; without it they are made from the run that `generate` writes for M, with other scores and documents.
"""

import argparse
import datetime
import os
import subprocess
import sys
import time
from pathlib import Path

from compare import HERE, ROOT, TARGET, install, machine, make_data, make_environment, markdown_table, step

PAGE = ROOT / "docs" / "benchmarks-fusion.md"
RUNS = 5
THEIRS = """
import sys, time
from ranx import Run, fuse
runs = [Run.from_file(path, kind="trec", name=str(at)) for at, path in enumerate(sys.argv[2:])]
fuse(runs, norm=None, method="rrf", params={"k": 60}).save(sys.argv[1], kind="trec")
"""


def mixed(number):
    """A hash of a number, the same everywhere."""
    number = (number ^ number >> 31) * 0x7FB5D329728EA185 & (1 << 64) - 1
    return number ^ number >> 27


def make_runs(source, folder):
    """Runs with the documents of one, a fifth of them replaced, and scores that are moved by up to a third of their range."""
    for at in range(1, RUNS + 1):
        with open(source) as lines, open(folder / f"run{at}.txt", "w") as out:
            topic, docs = None, []
            for line in lines:
                fields = line.split()
                if fields[0] != topic:
                    write_topic(out, topic, docs, at)
                    topic, docs = fields[0], []
                noise = mixed(hash((int(fields[2]), at)))
                doc = str(int(fields[2]) + 7 * at) if noise % 5 == 0 else fields[2]
                docs.append((float(fields[4]) + noise % 1000 / 100, doc))
            write_topic(out, topic, docs, at)


def write_topic(out, topic, docs, at):
    seen = {}
    for score, doc in sorted(docs, reverse=True):
        seen.setdefault(doc, score)
    out.writelines(f"{topic} Q0 {d} {r} {s:.3f} r{at}\n" for r, (d, s) in enumerate(seen.items(), 1))


def data(folder):
    if folder:
        return [folder / f"run{at}.txt" for at in range(1, RUNS + 1)]
    folder = TARGET / "bench-data"
    make_data(folder, ["M"])
    made = folder / "fusion"
    if not (made / "complete").exists():
        step("making five runs from the run of M")
        made.mkdir(exist_ok=True)
        make_runs(next((folder / "M").glob("run*.txt")), made)
        (made / "complete").touch()
    return [made / f"run{at}.txt" for at in range(1, RUNS + 1)]


def first_topics(paths, count, folder):
    """The lines of the first topics of each run."""
    cut = []
    for path in paths:
        target = folder / f"first-{count}-{path.name}"
        topics = set()
        with open(path, "rb") as lines, open(target, "wb") as out:
            for line in lines:
                topics.add(line.split(b" ", 1)[0])
                if len(topics) > count:
                    break
                out.write(line)
        cut.append(target)
    return cut


def lines_of(paths):
    count = 0
    for path in paths:
        with open(path, "rb") as data:
            while block := data.read(1 << 22):
                count += block.count(b"\n")
    return count


def timed(command):
    """Wall time, peak private memory and peak resident memory (MB) of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    private = resident = 0
    while process.poll() is None:
        try:
            status = Path(f"/proc/{process.pid}/status").read_text()
        except OSError:
            break
        values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        private = max(private, int(values.get("RssAnon", "0 kB").split()[0]))
        resident = max(resident, int(values.get("VmHWM", "0 kB").split()[0]))
        time.sleep(0.005)
    took = time.perf_counter() - start
    if process.wait() != 0:
        sys.exit(f"`{' '.join(map(str, command))[:200]}` failed")
    return took, private / 1024, resident / 1024


def best(command, rounds):
    """The fastest of some rounds, with its memory."""
    return min(timed(command) for _ in range(rounds))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with run1.txt to run5.txt (default: made)")
    parser.add_argument("--topics", type=int, default=500, help="topics that ranx fuses (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of which the fastest counts (default: %(default)s)")
    parser.add_argument("--binaries", type=Path, default=TARGET / "release", help="folder of the programs")
    parser.add_argument("--python", help="interpreter with ranx (default: a virtual environment is made)")
    arguments = parser.parse_args()
    program = install(arguments.binaries) / "cranfield"
    python = arguments.python or make_environment()
    folder = TARGET / "bench-data"
    folder.mkdir(parents=True, exist_ok=True)
    paths = data(arguments.data)
    some = first_topics(paths, arguments.topics, folder)
    all_lines, some_lines = lines_of(paths), lines_of(some)
    output = folder / "fused.run"
    fuse = [program, "fuse", "-o", output, "--quiet"]
    everything = [*fuse, "--depth", "1000000"]
    rows = []

    def row(name, command, lines, rounds):
        step(name)
        took, private, resident = best(command, rounds)
        written = lines_of([output])
        rows.append((name, lines, written, took, took / lines * 1e9, private, resident))

    rounds = arguments.rounds
    row("cranfield, all documents", [*everything, *paths], all_lines, rounds)
    row("cranfield, all documents, 1 thread", [*everything, "--threads", "1", *paths], all_lines, rounds)
    row("cranfield, 1000 documents per topic", [*fuse, *paths], all_lines, rounds)
    row(f"cranfield, all documents, {arguments.topics} topics", [*everything, *some], some_lines, rounds)
    row(f"ranx, {arguments.topics} topics", [python, "-c", THEIRS, output, *some], some_lines, rounds)
    ours, theirs = rows[0], rows[-1]
    header = ["program", "lines read", "lines written", "seconds", "ns per line read", "private MB", "resident MB"]
    cells = [
        [name, f"{read:,}", f"{written:,}", f"{took:.2f}", f"{per:.0f}", f"{private:.0f}", f"{resident:.0f}"]
        for name, read, written, took, per, private, resident in rows
    ]
    page = f"""# Benchmark of fusion

Reciprocal rank fusion of five runs of 6,980 topics and about 1,000 documents each, from files to a file.
`python3 benches/fuse.py` writes this page. Measured on {datetime.date.today().isoformat()}: {machine()}.

{markdown_table(header, cells)}

Per line, Cranfield is **{theirs[4] / ours[4]:.0f} times** as fast as ranx with all cores, and {theirs[4] / rows[1][4]:.0f} times with one thread.
ranx fuses fewer topics because of its memory, and its time includes imports and just-in-time compilation; it is called with files in its page cache.

Private memory does not depend on the number of topics, because files are read topic by topic.
Resident memory includes pages of the mapped input files, which the system can drop at any time.
"""
    PAGE.write_text(page)
    print(page)
    output.unlink()


if __name__ == "__main__":
    os.chdir(HERE)
    main()
