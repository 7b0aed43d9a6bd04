#!/usr/bin/env python3
"""Times the significance tests of Cranfield, and the randomisation test of ranx, and writes a Markdown page.

Scores are drawn here with a fixed seed, or read from a table of a TREC track where one is given. Times are of the test alone, with
the scores in memory: reading a small table costs nothing that matters. ranx is called once before its clock starts, so that its
just-in-time compilation does not count; it tests a sample of the pairs, and the page says how many.
"""

import argparse
import datetime
import os
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from compare import ROOT, TARGET, machine, make_environment, markdown_table, step

RANX = """
import sys, time
import numpy
from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test as test
file, permutations, pairs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
scores = numpy.loadtxt(file, delimiter=",", skiprows=1).T
test(scores[0].copy(), scores[1].copy(), n_permutations=10)
start = time.perf_counter()
for pair in range(pairs):
    p = test(scores[0].copy(), scores[pair + 1].copy(), n_permutations=permutations)[0]
    first = p if pair == 0 else first
print((time.perf_counter() - start) / pairs, first)
"""


def write_scores(path, systems, topics):
    """A table of scores: topics differ more than systems do, as in real collections."""
    draw = random.Random(7)
    qualities = [draw.gauss(0, 0.04) for _ in range(systems)]
    lines = [",".join(f"s{at}" for at in range(systems))]
    for _ in range(topics):
        level = draw.random()
        scores = (min(1.0, max(0.0, level + quality + draw.gauss(0, 0.1))) for quality in qualities)
        lines.append(",".join(f"{score:.6f}" for score in scores))
    path.write_text("\n".join(lines) + "\n")


def own(job, path, replicates, repeat):
    """(least seconds, pairs, p of the first pair) of a job."""
    command = [str(TARGET / "release" / "examples" / "score_tests"), job, str(path), str(replicates)]
    found = []
    for _ in range(repeat):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        found.append((float(output[0]), int(output[1]), float(output[2])))
    return min(found)


def ranx(python, path, replicates, pairs):
    """(seconds per pair, p of the first pair)."""
    command = [python, "-c", RANX, str(path), str(replicates), str(pairs)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(output[0]), float(output[1])


def shown(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.2f} s"


def size(path):
    """(systems, topics) of a table."""
    lines = path.read_text().splitlines()
    return lines[0].count(",") + 1, len(lines) - 1


def report(rows, ratio, arguments):
    words = ["FILE" if os.sep in word else word for word in sys.argv[1:]]
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    table = markdown_table(["test", "scores", "rounds", "time"], rows)
    return f"""# Speed of statistics

Written by `{" ".join(["python3", "benches/stats.py", *words])}` on {today}.

- machine: {machine()}

Times are those of the test alone, with scores in memory and all cores: the minimum of {arguments.repeat} for Cranfield.
The time of ranx is extrapolated from the mean of {arguments.ranx_pairs} pairs, after just-in-time compilation.

{table}
{ratio}"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tukey-scores", type=Path, help="table of scores for randomised Tukey: a line of names, then one line per topic (default: 129 systems x 50 topics, drawn)")
    parser.add_argument("--rounds", type=int, default=100_000, help="random signs of all pairs (default: 100,000)")
    parser.add_argument("--tukey-rounds", type=int, default=10_000, help="rounds of randomised Tukey (default: 10,000)")
    parser.add_argument("--systems", type=int, default=50, help="systems of all pairs (default: 50)")
    parser.add_argument("--ranx-pairs", type=int, default=3, help="pairs that ranx tests; 0 leaves it out (default: 3)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each test (default: 3)")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "benchmarks-statistics.md", help="page to write")
    arguments = parser.parse_args()
    build = ["cargo", "build", "--quiet", "--release", "-p", "cranfield-stats", "--example", "score_tests"]
    subprocess.run(build, check=True, cwd=ROOT, env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    folder = TARGET / "bench-scores"
    folder.mkdir(parents=True, exist_ok=True)
    table, large = folder / "pairs.csv", arguments.tukey_scores or folder / "tukey.csv"
    write_scores(table, arguments.systems, 50)
    if arguments.tukey_scores is None:
        write_scores(large, 129, 50)
    exact, _, exact_p = own("exact", table, 1, arguments.repeat)
    rows = [["Fisher's randomisation test, exact, one pair", "2 x 50", "all 2^50 signs", shown(exact)]]
    seconds, pairs, p = own("pairs", table, arguments.rounds, arguments.repeat)
    rows.append([f"randomisation test, all {pairs:,} pairs", f"{arguments.systems} x 50", f"{arguments.rounds:,}", shown(seconds)])
    ratio = ""
    if arguments.ranx_pairs > 0:
        python = make_environment()
        one, theirs = ranx(python, table, arguments.rounds, arguments.ranx_pairs)
        rows.append([f"the same in ranx", f"{arguments.systems} x 50", f"{arguments.rounds:,}", shown(one * pairs)])
        ratio = (f"ranx takes {one * pairs / seconds:.0f} times as long as Cranfield for all pairs. For the first pair, p is {exact_p:.5f} exactly, "
                 f"{p:.5f} by Cranfield's random signs and {theirs:.5f} by ranx.\n")
    systems, topics = size(large)
    seconds, pairs, _ = own("tukey", large, arguments.tukey_rounds, arguments.repeat)
    rows.append([f"randomised Tukey, all {pairs:,} pairs", f"{systems} x {topics}", f"{arguments.tukey_rounds:,}", shown(seconds)])
    text = report(rows, ratio, arguments)
    arguments.output.write_text(text, encoding="utf-8")
    step(text)


if __name__ == "__main__":
    main()
