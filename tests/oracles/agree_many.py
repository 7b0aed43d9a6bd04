"""Randomised comparison of `cranfield agree` of three to five files with krippendorff, statsmodels, irrCAC and scipy.

A case is three to five files of judgements, some with gaps: documents and topics that an assessor skipped. Grades are 0 to 3, and all
of them occur, so that places are grades. Compared are

 1. Krippendorff's alpha (nominal, ordinal, interval, ratio) with krippendorff, with gaps and without
 2. Fleiss' kappa and Brennan and Prediger's coefficient (Randolph's) with statsmodels, without gaps
 3. Fleiss, Conger, Gwet, Brennan and Prediger, without weights, linear and quadratic, with irrCAC, to its five digits; irrCAC takes
    gaps for a grade of their own, so it is asked about cases without gaps only
 4. judgements merged by every rule, with Python's statistics module
 5. Kendall's tau of the means of runs under each pair of sets of judgements, with scipy

within 1e-9 unless noted. The seeds are fixed.
"""

import json
import random
import statistics
import tempfile
import warnings
from pathlib import Path

# First: it skips the program where the others are not installed.
import _stats  # noqa: F401
import krippendorff
import numpy as np
import pandas as pd
import scipy.stats
from irrCAC.raw import CAC
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

from _support import Tally, case_options, run_cranfield

GRADES = [0, 1, 2, 3]
LEVELS = ["nominal", "ordinal", "interval", "ratio"]
WEIGHTS = {"identity": "", "linear": "_lin", "quadratic": "_quad"}
RULES = {
    "majority": lambda grades: min(statistics.multimode(grades)),
    "max": max,
    "min": min,
    "mean": statistics.fmean,
    "median": statistics.median_low,
}


def random_case(rng):
    """[{(topic, document): grade}]: one for each assessor."""
    topics, documents = rng.randint(2, 4), rng.choice([4, 8, 20])
    items = [(f"t{topic}", f"d{document}") for topic in range(topics) for document in range(documents)]
    truth = {item: rng.choice(GRADES) for item in items}
    noise, gaps = rng.choice([0.1, 0.4, 0.8]), rng.choice([0, 0, 0.2])
    assessors = []
    for _ in range(rng.randint(3, 5)):
        grade = lambda item: rng.choice(GRADES) if rng.random() < noise else truth[item]
        assessors.append({item: grade(item) for item in items if rng.random() >= gaps})
    for at, item in enumerate(items[:4]):
        assessors[0][item] = GRADES[at]
    return items, assessors


def write_qrels(path, judged):
    path.write_text("".join(f"{topic} 0 {doc} {grade}\n" for (topic, doc), grade in judged.items()), encoding="utf-8")


def random_run(rng, path, items):
    scored = [(topic, doc, rng.random()) for topic, doc in items]
    path.write_text("".join(f"{topic} Q0 {doc} 1 {score} run\n" for topic, doc, score in scored), encoding="utf-8")


def near(found, expected, tolerance=1e-9):
    if found is None or not np.isfinite(expected):
        return found is None and not np.isfinite(expected)
    return abs(found - expected) <= tolerance


def check_coefficients(tally, case, items, assessors, figures):
    ratings = np.array([[judged.get(item, np.nan) for item in items] for judged in assessors], dtype=float)
    for level in LEVELS:
        expected = krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)
        found = figures[f"alpha_{level}"]
        tally.compared(f"krippendorff {level}")
        tally.check(near(found, expected), f"case {case} alpha {level}: {found} {expected}")
    if np.isnan(ratings).any():
        return
    counts = aggregate_raters(ratings.T.astype(int))[0]
    for name, method in (("fleiss", "fleiss"), ("brennan_prediger", "randolph")):
        expected, found = fleiss_kappa(counts, method=method), figures[name]
        tally.compared(f"statsmodels {method}")
        tally.check(near(found, expected), f"case {case} {method}: {found} {expected}")
    for weights, ending in WEIGHTS.items():
        peer = CAC(pd.DataFrame(ratings.T), weights=weights)
        gwet = "gwet_ac2" if ending else "gwet_ac1"
        methods = {"fleiss": peer.fleiss, "conger": peer.conger, gwet: peer.gwet, "brennan_prediger": peer.bp}
        for name, method in methods.items():
            expected, found = method()["est"]["coefficient_value"], figures[name + ending]
            tally.compared(f"irrCAC {weights} {name}")
            tally.check(near(found, expected, 5.1e-6), f"case {case} {weights} {name}: {found} {expected}")


def check_merged(tally, case, folder, paths, items, assessors):
    """One rule per case, in turn."""
    rule, merge = list(RULES.items())[case % len(RULES)]
    path = folder / "merged.qrels"
    run_cranfield("agree", *paths, "--merged", path, "--consensus", rule, "--replicates", 1, "--quiet")
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        topic, _, doc, grade = line.split()
        found[topic, doc] = float(grade)
    given = {item: [judged[item] for judged in assessors if item in judged] for item in items}
    expected = {item: float(merge(grades)) for item, grades in given.items() if grades}
    same = found.keys() == expected.keys() and all(abs(found[item] - expected[item]) < 1e-12 for item in found)
    tally.compared("merged judgements")
    tally.check(same, f"case {case} merged by {rule}")


def check_rankings(tally, case, effects):
    measure = effects["measures"][0]
    means = {row["judgements"]: [run["mean"] for run in row["runs"]] for row in measure["standings"]}
    for change in measure["changes"]:
        first, second = means[change["judgements"]], means[change["against"]]
        expected = scipy.stats.kendalltau(np.round(first, 12), np.round(second, 12)).statistic
        tally.compared("scipy kendalltau")
        tally.check(near(change["tau"], expected), f"case {case} tau: {change['tau']} {expected}")


def main():
    arguments = case_options(__doc__, cases=500)
    warnings.simplefilter("ignore")
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = [folder / f"{run}.run" for run in "wxyz"]
        for case in range(arguments.cases):
            rng = random.Random(f"{arguments.seed} {case}")
            items, assessors = random_case(rng)
            paths = [folder / f"a{at}.txt" for at in range(len(assessors))]
            for path, judged in zip(paths, assessors):
                write_qrels(path, judged)
            for run in runs:
                random_run(rng, run, items)
            options = ["--runs", *runs, "-m", "AP", "--replicates", 1, "--quiet", "-f", "json"]
            found = json.loads(run_cranfield("agree", *paths, *options))
            check_coefficients(tally, case, items, assessors, found["figures"])
            check_rankings(tally, case, found["effects"])
            check_merged(tally, case, folder, paths, items, assessors)
    tally.finish(least=300)


if __name__ == "__main__":
    main()
