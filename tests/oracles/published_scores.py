"""Reproduces the scores that two TREC tracks published for real submitted runs, at four decimals.

Needs the shared reference data (CRANFIELD_SHARED, or `shared` beside the repository).

Two slips of the publisher are known; they are named in the output and checked as what they really are:
 - robust03: the column published as P_10 holds P_15;
 - robust03: two Rprec values were cut instead of rounded, so they are 0.0001 below.
"""

import os
import sys
from pathlib import Path

from _support import ROOT, Tally, evaluate

PROFILE = ["--profile", "trec_eval-9", "--topics", "judged"]
RBP = "RBP(p=0.5, gains='0,0.5,1')"

TRACKS = {
    # folder: (qrels, prefix of the run files, published name -> measure to ask for)
    "robust03": (
        "qrels.txt.gz",
        "input.",
        {"P_10": "P_15", "P_100": "P_100", "P_1000": "P_1000", "Rprec": "Rprec", "map": "map"},
    ),
    "covid-round1": (
        "qrels-rnd1.txt",
        "",
        {"ndcg@10": "ndcg_cut_10", "p@5": "P_5", "bpref": "bpref", "MAP": "map", "RBP(p=.5)": RBP},
    ),
}
CUT_NOT_ROUNDED = {("SABIR03BASE", "Rprec"), ("THUIRr0301", "Rprec")}


def shared_folder():
    return Path(os.environ.get("CRANFIELD_SHARED") or ROOT.parent / "shared")


def read_published(path):
    """{run: {published name: published text}}, in file order."""
    published = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        run, _block, measure, value = line.split("\t")
        published.setdefault(run, {})[measure] = value
    return published


def our_means(qrels, run, measures):
    """{measure: mean}; one call per naming scheme, because RBP has no trec_eval name to look up."""
    names = [name for name in measures if name != RBP]
    wanted = [argument for name in names for argument in ("-m", name)]
    means = {name: value for topic, name, value in evaluate(qrels, run, *wanted, *PROFILE) if topic == "all"}
    if RBP in measures:
        (means[RBP],) = [value for topic, _, value in evaluate(qrels, run, "-m", RBP, *PROFILE) if topic == "all"]
    return means


def check_value(tally, label, run, name, official, value):
    if value is None:
        tally.check(False, f"{label}: published {official}, computed nothing")
        return
    ours = f"{value:.4f}"
    if (run, name) in CUT_NOT_ROUNDED:
        print(f"slip of the publisher: {label} is {official}, cut from {value:.6f}; rounded it is {ours}")
        ours = f"{int(value * 10000) / 10000:.4f}"
    tally.check(ours == official, f"{label}: published {official}, computed {value!r}")


def check_track(tally, folder, qrels, prefix, measures):
    for run, values in read_published(folder / "published.tsv").items():
        path = folder / "runs" / f"{prefix}{run}.gz"
        means = our_means(folder / qrels, path, [measures[name] for name in values])
        for name, official in values.items():
            label = f"{folder.name} {run} {name}"
            check_value(tally, label, run, name, official, means.get(measures[name]))


def main():
    tally = Tally()
    tracks = shared_folder() / "golden" / "tracks"
    if not tracks.is_dir():
        if os.environ.get("CI"):
            sys.exit("golden data is missing")
        print("skipped: no shared data")
        tally.skipped = len(TRACKS)
        tally.finish(checks=0)
    print("slip of the publisher: robust03 P_10 is P_15, in all runs")
    for name, (qrels, prefix, measures) in TRACKS.items():
        check_track(tally, tracks / name, qrels, prefix, measures)
    tally.finish(checks=200)


if __name__ == "__main__":
    sys.exit(main())
