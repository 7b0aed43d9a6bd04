"""What the oracles of statistics share: the example program that answers requests, and random scores."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from _support import ROOT

# requirements.txt leaves out scipy and its relatives for older versions, which their pinned releases do not support.
# A program that imports this module before them is skipped there.
if sys.version_info < (3, 11):
    print("skipped: the oracles of statistics need Python 3.11 or newer")
    sys.exit(0)


def example_program():
    """The example under test: CRANFIELD_STATS_ORACLE, or the one beside CRANFIELD_BIN, or the release build."""
    binary = Path(os.environ.get("CRANFIELD_BIN") or ROOT / "target" / "release" / "cranfield")
    default = binary.parent / "examples" / "stats_oracle"
    path = Path(os.environ.get("CRANFIELD_STATS_ORACLE") or default)
    if not path.is_file():
        sys.exit("no stats_oracle: run `cargo build --release --package cranfield-stats --example stats_oracle`")
    return str(path)


def ask(requests):
    """The answers to all requests, from one call of the program."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    result = subprocess.run([example_program()], input=lines, capture_output=True, encoding="utf-8", check=True)
    answers = list(map(json.loads, result.stdout.splitlines()))
    if len(answers) != len(requests):
        sys.exit(f"{len(requests)} requests had {len(answers)} answers")
    return answers


def random_pair(source, least=2, most=60):
    """Scores of two systems: fine or coarse, with ties and zeros, equal on some topics, sometimes constant."""
    topics = int(source.integers(least, most + 1))
    kind = source.integers(6)
    if kind == 0:
        a, b = source.random((2, topics))
    elif kind == 1:
        a, b = source.integers(0, 11, (2, topics)) / 10
    elif kind == 2:
        a, b = 1 / source.integers(1, 6, (2, topics))
    elif kind == 3:
        a = source.random(topics)
        b = np.where(source.random(topics) < 0.4, a, source.random(topics))
    elif kind == 4:
        a, b = np.round(source.beta(0.6, 1.2, (2, topics)), 4)
    else:
        a, b = source.integers(0, 6, topics) / 5, np.full(topics, source.integers(0, 6) / 5)
    return a.tolist(), b.tolist()


def track_scores():
    """Matrices of real scores, by file name: one list of scores per system. Empty without the shared data."""
    shared = Path(os.environ.get("CRANFIELD_SHARED") or ROOT.parent / "shared")
    matrices = {}
    for path in sorted((shared / "golden" / "scores").glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        matrices[path.name] = np.array(rows, dtype=float).T.tolist()
    if not matrices:
        if os.environ.get("CI"):
            sys.exit("golden data is missing")
        print("skipped: no shared data")
    return matrices


def close(found, expected, tolerance=1e-9, floor=0.0):
    """Whether a number is as expected, by their ratio; a difference below the floor is none."""
    if found is None or not np.isfinite(expected):
        return False
    return abs(found - expected) <= max(tolerance * abs(expected), floor)
