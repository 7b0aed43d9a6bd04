"""Checks `cranfield gate` against scipy and statsmodels: p-values of drops and of being within the tolerance, confidence bounds, both
by Student's t test and by the randomisation test over all signs,
Holm's correction, power, the least drop that can be seen, numbers of topics, verdicts, and lock files.

Runs are made at random: each topic has one relevant document, at a rank that differs between the two runs. Where the shared
reference data is there (CRANFIELD_SHARED, or `shared` beside the repository), the runs of the Robust track of 2003 are compared too.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
from scipy import integrate, optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

from _support import ROOT, Tally, cranfield_binary, run_cranfield

PAIRS = 60
MEASURES = ["RR", "nDCG@10"]


def write_run(path, ranks):
    with path.open("w", encoding="utf-8") as file:
        for topic, rank in enumerate(ranks):
            for place in range(1, 16):
                document = "rel" if place == rank else f"d{place}"
                file.write(f"t{topic:03} Q0 {document} {place} {100 - place} x\n")


def gate(*arguments):
    """The JSON document of the gate, whatever its verdict, and its exit code."""
    command = [cranfield_binary(), "gate", *map(str, arguments), "--format", "json", "--quiet"]
    result = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert result.returncode in (0, 1, 4), f"{command}: {result.returncode}\n{result.stderr}"
    return json.loads(result.stdout), result.returncode


def near(found, expected, tolerance=1e-8):
    return math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance)


def joint_fail_rate(drop, tolerance, deviation, topics, alpha):
    """P(mean < -tolerance and t significant), by integrating over the estimated deviation."""
    df, error = topics - 1, deviation / math.sqrt(topics)
    critical = stats.t.ppf(1 - alpha, df) * error

    def given(square):
        bound = max(tolerance, critical * math.sqrt(square / df))
        return stats.norm.cdf((drop - bound) / error) * stats.chi2.pdf(square, df)

    kink = df * (tolerance / critical) ** 2
    end = stats.chi2.ppf(1 - 1e-15, df)
    points = sorted({0.0, min(kink, end), stats.chi2.ppf(0.5, df), end})
    return sum(integrate.quad(given, a, b, limit=200)[0] for a, b in zip(points, points[1:]))


def check_measure(tally, label, found, settings, family, corrected):
    changes = numpy.array([topic["better_by"] for topic in found["changes"]])
    tolerance, alpha = found["tolerance"], settings["alpha"]
    deviation, topics = changes.std(ddof=1), len(changes)
    if deviation < 1e-12:
        tally.skipped += 1
        return
    drop = stats.ttest_1samp(changes, 0.0, alternative="less")
    within = stats.ttest_1samp(changes, -tolerance, alternative="greater")
    low = stats.ttest_1samp(changes, 0, alternative="greater").confidence_interval(1 - alpha).low
    for name, value in [("p_drop", drop.pvalue), ("p_within", within.pvalue), ("at_least", low), ("p_drop_corrected", corrected)]:
        tally.check(near(found[name], value), f"{label} {name}: {found[name]}, expected {value}")
    fails = changes.mean() < -tolerance and corrected <= alpha
    verdict = "FAIL" if fails else "PASS" if within.pvalue <= alpha else "INCONCLUSIVE"
    tally.check(found["verdict"] == verdict, f"{label}: {found['verdict']}, expected {verdict}")
    power, one = found["power"], alpha / family
    tally.check(near(power["standard_deviation"], deviation), f"{label}: deviation {power['standard_deviation']}")
    solver = TTestPower()
    passes = solver.power(tolerance / deviation, topics, alpha, alternative="larger")
    tally.check(near(power["unchanged_passes"], passes, 1e-6), f"{label}: passes {power['unchanged_passes']}, {passes}")
    reached = lambda count: solver.power(tolerance / deviation, count, alpha, alternative="larger") >= 0.8
    needed = power["topics_to_pass"]
    enough = reached(needed) and (needed == 2 or not reached(needed - 1))
    tally.check(enough, f"{label}: {needed} topics are not the least that are enough")
    rate = lambda size: joint_fail_rate(size, tolerance, deviation, topics, one) - 0.8
    least = optimize.brentq(rate, 0, tolerance + 20 * deviation)
    tally.check(near(power["detectable"], least, 1e-5), f"{label}: detectable {power['detectable']}, {least}")


def check_pair(tally, label, qrels, run, baseline, options):
    measures = [argument for name in MEASURES for argument in ("-m", name)]
    document, code = gate(qrels, run, "-b", baseline, *measures, *options)
    found = document["gate"]
    corrected = multipletests([measure["p_drop"] for measure in found], method="holm")[1]
    for measure, p in zip(found, corrected):
        name = f"{label} {measure['measure']}"
        check_measure(tally, name, measure, document["settings"], len(found), p)
    verdicts = [measure["verdict"] for measure in found]
    expected = 1 if "FAIL" in verdicts else 0 if set(verdicts) == {"PASS"} else 4
    tally.check(code == expected, f"{label}: exit code {code}, expected {expected}")
    return document


def p_of_signs(changes, alternative):
    """p of scipy over all signs; sums that are equal on paper are made equal first."""
    total = lambda values, axis: numpy.round(numpy.sum(values, axis=axis), 9)
    test = stats.permutation_test(
        (changes,), total, permutation_type="samples", alternative=alternative, n_resamples=numpy.inf, vectorized=True
    )
    return test.pvalue


def check_signs(tally, label, qrels, run, baseline, tolerance):
    """The randomisation test on few topics: p by scipy, and the bound as the value at which scipy's p crosses alpha."""
    document, _ = gate(qrels, run, "-b", baseline, "-m", "RR", "--tolerance", tolerance, "--test", "randomisation")
    found = document["gate"][0]
    changes = numpy.array([topic["better_by"] for topic in found["changes"]])
    if numpy.abs(changes).max() < 1e-12:
        tally.skipped += 1
        return
    allowed = found["tolerance"]
    for name, value in [("p_drop", p_of_signs(changes, "less")), ("p_within", p_of_signs(changes + allowed, "greater"))]:
        tally.check(near(found[name], value), f"{label} {name}: {found[name]}, expected {value}")
    low = found["at_least"]
    if 0.5 ** len(changes) > 0.05:
        tally.check(low is None, f"{label}: a bound {low} of {len(changes)} topics")
        return
    sides = [p_of_signs(changes - low - step, "greater") for step in (-1e-7, 1e-7)]
    tally.check(sides[0] <= 0.05 < sides[1], f"{label}: at {low} p goes from {sides[0]} to {sides[1]}")
    passes = found["verdict"] == "PASS"
    tally.check(passes == (low >= -allowed), f"{label}: {found['verdict']} with a bound of {low}")


def check_lock(tally, label, folder, qrels, run, baseline, document):
    """A lock gives every bit of the run that it was made of."""
    lock = folder / "lock"
    run_cranfield("gate", qrels, baseline, "-m", " ".join(MEASURES), "--write-lock", lock, "--quiet")
    locked, _ = gate(qrels, run, "-b", lock)
    changes = lambda document: [measure["changes"] for measure in document["gate"]]
    tally.check(changes(locked) == changes(document), f"{label}: the lock has other values")


def random_pairs(tally, folder):
    generator = random.Random(42)
    for number in range(PAIRS):
        topics = generator.choice([4, 5, 9, 12, 30, 60])
        qrels = folder / "qrels"
        qrels.write_text("".join(f"t{topic:03} 0 rel 1\n" for topic in range(topics)), encoding="utf-8")
        old = [generator.randint(1, 12) for _ in range(topics)]
        drift = generator.choice([-2, -1, 0, 0, 1, 3])
        moved = [max(1, rank + drift + generator.choice([-1, 0, 0, 1])) for rank in old]
        new = generator.choice([moved, [generator.randint(1, 12) for _ in range(topics)]])
        write_run(folder / "old", old)
        write_run(folder / "new", new)
        options = ["--tolerance", generator.choice(["0.01", "0.05", "2%", "10%"])]
        label = f"pair {number} {' '.join(options)}"
        document = check_pair(tally, label, qrels, folder / "new", folder / "old", options)
        check_lock(tally, label, folder, qrels, folder / "new", folder / "old", document)
        if topics <= 12:
            check_signs(tally, label, qrels, folder / "new", folder / "old", options[1])


def real_pairs(tally):
    track = Path(os.environ.get("CRANFIELD_SHARED") or ROOT.parent / "shared") / "golden/tracks/robust03"
    if not track.is_dir():
        if os.environ.get("CI"):
            sys.exit("golden data is missing")
        print("skipped: no shared data")
        return
    runs = sorted((track / "runs").iterdir())
    for run, baseline in zip(runs, runs[1:] + runs[:1]):
        label = f"{run.name} against {baseline.name}"
        check_pair(tally, label, track / "qrels.txt.gz", run, baseline, ["--tolerance", "2%"])


def main():
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        random_pairs(tally, Path(folder))
    real_pairs(tally)
    tally.finish(checks=1000)


if __name__ == "__main__":
    main()
