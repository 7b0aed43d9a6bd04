"""What the oracle programs share: finding and running the `cranfield` binary, and counting results."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOWN_FAILURES = 20


def case_options(doc, cases):
    """The options of a program with this doc string: the number of random cases, and their seed."""
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=cases, help="number of random cases (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cases (default: %(default)s)")
    return parser.parse_args()


def perl_script(variable, name):
    """The script that an environment variable names. Without it, or without perl, the program ends."""
    script = os.environ.get(variable)
    if not script or not shutil.which("perl"):
        print(f"skipped: no perl, or {variable} does not name {name}")
        sys.exit(0)
    return Path(script)


def perl_output(script, text, folder, *arguments):
    """What a copy of a script with this text prints."""
    copy = folder / script.name
    copy.write_text(text)
    command = ["perl", copy, "-q", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def cranfield_binary():
    """The binary under test: CRANFIELD_BIN, or the release build of this workspace."""
    path = Path(os.environ.get("CRANFIELD_BIN") or ROOT / "target" / "release" / "cranfield")
    if not path.is_file():
        sys.exit("no cranfield binary: run `cargo build --release --workspace` or set CRANFIELD_BIN")
    return str(path)


def run_cranfield(*arguments):
    """Standard output of one `cranfield` call; a failing call ends the program with its message."""
    command = [cranfield_binary(), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    if result.returncode != 0:
        shown = " ".join(command[1:])
        sys.exit(f"`cranfield {shown}` ended with {result.returncode}:\n{result.stderr}")
    return result.stdout


def evaluate(*arguments):
    """The result lines of `cranfield eval --format jsonl` as (topic, measure, value) tuples."""
    output = run_cranfield("eval", *arguments, "--format", "jsonl", "--quiet")
    rows = map(json.loads, output.splitlines())
    return [(row["topic"], row["measure"], row["value"]) for row in rows]


class Tally:
    """Counts checks, shows the first failures, and ends the program."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.cases = {}

    def check(self, ok, explanation):
        """Count one check; `explanation` is the text for a failure, or a function that makes it."""
        if ok:
            self.passed += 1
            return
        self.failed += 1
        if self.failed <= SHOWN_FAILURES:
            print("FAILED", explanation() if callable(explanation) else explanation)
        elif self.failed == SHOWN_FAILURES + 1:
            print("FAILED ... further failures are only counted")

    def compared(self, name):
        """Count one case of which a number was compared with that of another program."""
        self.cases[name] = self.cases.get(name, 0) + 1

    def finish(self, least=0, checks=1):
        """Print the counts and the closing line; the exit code says whether anything failed, or was compared too seldom: each name
        in fewer than `least` cases, or everything by fewer than `checks` checks."""
        made = self.passed + self.failed
        for name, count in self.cases.items():
            print(f"  {name}: {count} cases")
            self.check(count >= least, f"{name} was compared in {count} cases; {least} are the least")
        if made < checks:
            self.check(False, f"there were {made} checks; {checks} are the least")
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        print(f"{self.passed} passed, {self.failed} failed{skipped}")
        sys.exit(1 if self.failed else 0)
