#!/usr/bin/env python3
"""Compares the speed and memory of Cranfield with its peers, and writes a Markdown page of ratios.

Makes the data and the virtual environment of the peers when they are missing. Every figure is of a whole process,
from files in a warm page cache to numbers: what a user waits for. See README.md in this folder.
"""

import argparse
import datetime
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target")
PEERS = ["pytrec-eval-terrier", "ir-measures", "ranx"]
SIX = ["AP", "nDCG", "nDCG@10", "P@10", "R@1000", "RR"]
# All measures of trec_eval that read qrels: the group, and the three that belong to no group.
EVERY = ["all_trec", "dcg", "ideal_dcg", "yaap"]
CRANFIELD = "cranfield"
ONE_THREAD = "cranfield, 1 thread"
ALL_MEASURES = "cranfield, all trec_eval measures"
DROP_IN = "trec_eval drop-in"
# What the page says about a set, and the number of run lines that make it true.
SHAPES = {
    "S": ("50 topics x 1,000 documents, 2,000 judged per topic", 50_000),
    "M": ("6,980 topics x 1,000 documents, about 1.07 judged per topic", 6_980_000),
    "L": ("100,000 topics x 100 documents, 10 judged per topic", 10_000_000),
    "W": ("100 runs of the shape of S", 5_000_000),
}


# ------------------------------------------------------------------------------------------------ preparation

def step(text):
    print(text, flush=True)


def make_data(folder, names):
    """Generate the data sets that are missing; a set is complete when its last file, the marker, is there."""
    missing = [name for name in names if not (folder / name / "complete").exists()]
    if not missing:
        return
    step(f"generating {', '.join(missing)}")
    command = ["cargo", "run", "--quiet", "--release", "--manifest-path", str(HERE / "Cargo.toml"), "--bin", "generate"]
    command += ["--", "--out", str(folder), "--set", ",".join(missing)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    for name in missing:
        (folder / name / "complete").touch()


def install(binaries):
    """Copies of the programs, as `cargo install` makes them.

    A file as the linker wrote it lies in the page cache in small parts, and a program that starts from it takes longer:
    0.8 ms of 7 on S.
    """
    folder = TARGET / "bench-bin"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ["cranfield", "trec_eval"]:
        shutil.copy(binaries / name, folder / name)
    return folder


def make_environment():
    """The interpreter of a virtual environment that holds the peers."""
    folder, requirements = TARGET / "bench-venv", HERE / "requirements.txt"
    python, stamp = folder / "bin" / "python", folder / "installed-requirements.txt"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return str(python)
    step(f"installing {requirements.name} into a virtual environment, from the package index")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--requirement", str(requirements)], check=True)
    stamp.write_text(requirements.read_text())
    return str(python)


def input_files(folder):
    """(qrels, runs) of a data set."""
    return str(folder / "qrels.txt"), [str(path) for path in sorted(folder.glob("run*.txt"))]


# ------------------------------------------------------------------------------------------------ commands

def cranfield_command(binaries, qrels, runs, measures, *options):
    command = [str(binaries / "cranfield"), "eval", qrels, *runs]
    command += [word for measure in measures for word in ("-m", measure)]
    return [*command, "--format", "jsonl", "--quiet", "--sort", "input", *options]


def drop_in_commands(binaries, qrels, runs):
    """The drop-in reads one run per process, as trec_eval does."""
    names = ["map", "ndcg", "ndcg_cut.10", "P.10", "recall.1000", "recip_rank"]
    options = [word for name in names for word in ("-m", name)]
    return [[str(binaries / "trec_eval"), *options, qrels, run] for run in runs]


def contenders(arguments, python, qrels, runs):
    """{name: commands to run one after the other}, fast ones first."""
    six = cranfield_command(arguments.binaries, qrels, runs, SIX, "--threads", "2")
    table = {
        "empty process": [["true"]],
        "wc -l": [["wc", "-l", qrels, *runs]],
        CRANFIELD: [six],
        ONE_THREAD: [[*six[:-1], "1"]],
        ALL_MEASURES: [cranfield_command(
            arguments.binaries, qrels, runs, EVERY, "--profile", "trec_eval", "--threads", "2")],
    }
    if arguments.drop_in:
        table[DROP_IN] = drop_in_commands(arguments.binaries, qrels, runs)
    for peer in arguments.peers:
        table[peer] = [[python, str(HERE / "peers.py"), peer, qrels, *runs]]
    return table


# ------------------------------------------------------------------------------------------------ measuring

def spawn(command, output=os.devnull):
    """Start a process at the least cost, so that milliseconds are the program's own; returns its id."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o644)]
    return os.posix_spawnp(command[0], command, os.environ, file_actions=actions)


def wait(process, command):
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status != 0:
        sys.exit(f"`{' '.join(command[:6])} ...` ended with {status}")


def seconds(commands):
    """Wall-clock time of the commands, one after the other."""
    start = time.perf_counter()
    for command in commands:
        wait(spawn(command), command)
    return time.perf_counter() - start


def private_memory(command):
    """The largest RssAnon seen, in MB: memory of the process's own, without the mapped pages of its input."""
    process, largest = spawn(command), 0
    status = f"/proc/{process}/status"
    while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        with open(status) as file:
            kilobytes = [line.split()[1] for line in file if line.startswith("RssAnon")]
        largest = max([largest, *map(int, kilobytes)])
        time.sleep(0.0005)
    wait(process, command)
    return largest / 1024


def measure_times(table, repeat, peer_repeat):
    """{name: least seconds} of runs one after the other, so that each finds caches warm. What else a machine does only adds
    time, so the least is the nearest to the program's own."""
    times = {}
    for name, commands in table.items():
        turns = peer_repeat if name in PEERS or name == DROP_IN else repeat
        times[name] = min(seconds(commands) for _ in range(turns))
    return times


def last_means(rows):
    """The six means of the run that `cranfield` printed last."""
    by_name = {row["measure"]: row["value"] for row in rows if row["run"] == rows[-1]["run"]}
    return [by_name[name] for name in SIX]


def means(table, folder):
    """{tool: the six means of the last run}, to see that all evaluated the same thing."""
    output, found = folder / "output.txt", {}
    for name in [CRANFIELD, *PEERS]:
        for command in table.get(name, []):
            wait(spawn(command, output), command)
            lines = [json.loads(line) for line in output.read_text().splitlines()]
            found[name] = lines[-1] if name in PEERS else last_means(lines)
    output.unlink(missing_ok=True)
    return found


def count_lines(paths):
    """Lines of all files; reading them also brings them into the page cache."""
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            total += sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    return total


def check_lines(name, lines):
    """Refuse data of another size: cut-off files would give figures that look wonderful and mean nothing."""
    expected = SHAPES[name][1]
    if lines != expected:
        sys.exit(f"{name}: expected {expected:,} run lines, found {lines:,}; generate the data again")
    return lines


def measure_set(name, arguments, python):
    """Everything that is reported about one data set."""
    qrels, runs = input_files(arguments.data / name)
    lines = check_lines(name, count_lines(runs)) + count_lines([qrels])
    table = contenders(arguments, python, qrels, runs)
    step(f"{name}: {lines:,} lines, {len(runs)} run(s)")
    times = measure_times(table, arguments.repeat, arguments.peer_repeat)
    measured = [n for n in table if n in (CRANFIELD, ONE_THREAD, ALL_MEASURES, *PEERS)]
    memory = {n: private_memory(table[n][0]) for n in measured}
    return {"lines": lines, "times": times, "memory": memory, "means": means(table, TARGET)}


# ------------------------------------------------------------------------------------------------ report

def machine():
    cpu = platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            cpu = line.partition(":")[2].strip()
            break
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def versions(binaries, python):
    ask = "import importlib.metadata as m, sys; print(', '.join(f'{n} {m.version(n)}' for n in sys.argv[1:]))"
    peers = subprocess.run([python, "-c", ask, *PEERS, "numpy", "numba"], check=True, capture_output=True, text=True)
    own = subprocess.run([str(binaries / "cranfield"), "--version"], check=True, capture_output=True, text=True)
    return f"{own.stdout.strip()}, {peers.stdout.strip()}, Python {platform.python_version()}"


def shown_seconds(value):
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def markdown_table(header, rows):
    cells = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in cells) + "\n"


def time_table(results):
    names = list(dict.fromkeys(name for result in results.values() for name in result["times"]))
    rows = [[name, *(shown_seconds(result["times"][name]) for result in results.values())] for name in names]
    return markdown_table(["minimum time", *results], rows)


def ratio_table(results, arguments):
    """Each row divides one contender's time by another's."""
    pairs = [(CRANFIELD, "wc -l"), (ALL_MEASURES, CRANFIELD), (ONE_THREAD, CRANFIELD)]
    pairs += [(peer, CRANFIELD) for peer in arguments.peers]
    rows = []
    for top, bottom in pairs:
        ratios = [result["times"][top] / result["times"][bottom] for result in results.values()]
        rows.append([f"{top} / {bottom}", *(f"{ratio:.2f}" for ratio in ratios)])
    return markdown_table(["ratio of times", *results], rows)


def memory_table(results):
    names = list(next(iter(results.values()))["memory"])
    rows = [[name, *(f"{result['memory'][name]:.0f} MB" for result in results.values())] for name in names]
    return markdown_table(["peak private memory", *results], rows)


def line_table(results):
    """Nanoseconds per line of all input, run and qrels; the cost of an empty process is taken off."""
    rows = []
    for name in (CRANFIELD, ONE_THREAD):
        own = {s: r["times"][name] - r["times"]["empty process"] for s, r in results.items()}
        rows.append([name, *(f"{own[s] / r['lines'] * 1e9:.1f} ns" for s, r in results.items())])
    return markdown_table(["time per line", *results], rows)


def means_table(result):
    rows = [[tool, *(f"{value:.4f}" for value in values)] for tool, values in result["means"].items()]
    return markdown_table(["means", *SIX], rows)


def command_line(script="benches/compare.py"):
    """The command as typed, with folders of this machine left out."""
    words = ["DIR" if os.sep in word else word for word in sys.argv[1:]]
    return " ".join(["python3", script, *words])


def report(results, arguments, python):
    last = list(results)[-1]
    shapes = "\n".join(f"- {name}: {SHAPES[name][0]}; {result['lines']:,} lines" for name, result in results.items())
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    return f"""# Benchmarks

Written by `{command_line()}` on {today}.

- machine: {machine()}
- versions: {versions(arguments.binaries, python)}
{shapes}

Six measures (AP, nDCG, nDCG@10, P@10, R@1000, RR), timed as whole processes, from files in a warm page cache to the means.
Times are the minimum of {arguments.repeat} runs, or of {arguments.peer_repeat} for other tools; `cranfield` uses two threads unless the row says otherwise.
Times include the imports of Python tools and the just-in-time compilation of ranx, because users wait for both.
"All trec_eval measures" are the 40 of its 57 that read plain qrels, at all their default cutoffs.

{time_table(results)}
{ratio_table(results, arguments)}
Private memory is the high-water mark of `RssAnon`, sampled: memory beyond the mapped pages of the input.

{memory_table(results)}
Time per line of run and qrels, minus the time of an empty process:

{line_table(results)}
The means for the last run of {last}; they differ slightly between tools that break ties differently:

{means_table(results[last])}"""


# ------------------------------------------------------------------------------------------------ main

def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, help="folder with S, M, L, W (default: generate into target/bench-data)")
    parser.add_argument("--sets", default="S,M,L,W", help="data sets to use (default: S,M,L,W)")
    parser.add_argument("--quick", action="store_true", help="S only")
    parser.add_argument("--repeat", type=int, default=40, help="runs of each fast program (default: 40)")
    parser.add_argument("--peer-repeat", type=int, default=2, help="runs of each peer (default: 2)")
    parser.add_argument("--peers", default=",".join(PEERS), help="peers to run; empty for none")
    parser.add_argument("--drop-in", action="store_true", help="time the trec_eval drop-in as well")
    parser.add_argument("--binaries", type=Path, default=TARGET / "release", help="folder of cranfield and trec_eval")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "benchmarks.md", help="page to write")
    arguments = parser.parse_args()
    arguments.sets = ["S"] if arguments.quick else arguments.sets.split(",")
    arguments.peers = [peer for peer in arguments.peers.split(",") if peer]
    return arguments


def main():
    arguments = parse_arguments()
    if arguments.data is None:
        arguments.data = TARGET / "bench-data"
        make_data(arguments.data, arguments.sets)
    python = make_environment()
    arguments.binaries = install(arguments.binaries)
    results = {name: measure_set(name, arguments, python) for name in arguments.sets}
    text = report(results, arguments, python)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(text, encoding="utf-8")
    step(text)


if __name__ == "__main__":
    main()
