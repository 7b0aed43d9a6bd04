"""Randomised comparison of graded and set measures with pyNTCIREVAL and ir_measures.

A case is a topic with grades from 0 to 3, at least one of them relevant, and a ranking without ties of judged and
unjudged documents. Values must agree within 1e-9, those of gdeval within the five digits that it prints.
The seed is fixed.

What the programs do differently or wrongly, and what is done about it here:
 1. pyNTCIREVAL fails on an empty ranking and on a topic without relevant documents. Cases have neither.
 2. gdeval (behind ir_measures' ERR and exponential nDCG) prints five digits, and needs topic ids that are numbers.
 3. ir_measures' Accuracy divides by zero where all documents retrieved are relevant, and leaves out topics where
    none is. The first are left out here, the second must be undefined or 0 in ours.
"""

import collections
import random
import sys
import tempfile
from pathlib import Path

import ir_measures
from pyNTCIREVAL import Labeler
from pyNTCIREVAL import metrics as ntcir

from _support import Tally, case_options, evaluate

TOLERANCE = 1e-9
GDEVAL_TOLERANCE = 5.001e-6
CUTOFFS = [1, 3, 10, 50]
GAINS = [1, 4, 9]


def random_topic(rng):
    """({document: grade}, documents in rank order)."""
    documents = [f"d{number}" for number in range(rng.choice([3, 10, 40]))]
    grades = {d: rng.choice([0, 0, 0, 1, 2, 3]) for d in documents if rng.random() < rng.choice([0.3, 0.9])}
    grades["missed" if rng.random() < 0.5 else "d0"] = rng.randint(1, 3)
    ranking = rng.sample(documents, rng.randint(1, len(documents)))
    return grades, ranking


def write_files(folder, topics):
    qrels = [f"{t} 0 {d} {g}\n" for t, (grades, _) in topics.items() for d, g in grades.items()]
    run = [f"{t} Q0 {d} {i} {1000 - i} tag\n" for t, (_, ranking) in topics.items() for i, d in enumerate(ranking)]
    paths = folder / "qrels.txt", folder / "run.txt"
    for path, lines in zip(paths, (qrels, run)):
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def ntcireval_measures(levels):
    """{our name: metric of pyNTCIREVAL} for a topic with these numbers of documents by level."""
    g = "gains='0,1,4,9'"
    found = {
        f"OMeasure({g})": ntcir.OMeasure(levels, GAINS, 1.0),
        f"PMeasure({g})": ntcir.PMeasure(levels, GAINS, 1.0),
        f"PPlus({g})": ntcir.PPlusMeasure(levels, GAINS, 1.0),
        f"Q({g})": ntcir.QMeasure(levels, GAINS, 1.0),
        f"Q({g}, beta=10)": ntcir.QMeasure(levels, GAINS, 10.0),
        f"NCU({g})": ntcir.NCUguP(levels, GAINS, GAINS),
        f"NCU(utility='BR', {g})": ntcir.NCUguBR(levels, GAINS, GAINS, 1.0),
        f"NCU(stop='rb', {g})": ntcir.NCUrbP(levels, GAINS, 0.95),
        f"NCU(stop='rb', utility='BR', {g})": ntcir.NCUrbBR(levels, GAINS, 0.95, 1.0),
        f"ERR({g}, max=3)": ntcir.ERR(levels, GAINS),
    }
    for k in CUTOFFS:
        found |= {
            f"AP(denominator='min(R,k)')@{k}": ntcir.AP(levels, GAINS, k),
            f"Q({g})@{k}": ntcir.QMeasure(levels, GAINS, 1.0, k),
            f"nDCG({g}, discount='jk')@{k}": ntcir.nDCG(levels, GAINS, 2.0, k),
            f"nDCG({g}, discount='jk', base=10)@{k}": ntcir.nDCG(levels, GAINS, 10.0, k),
            f"nDCG({g})@{k}": ntcir.MSnDCG(levels, GAINS, k),
            f"nERR({g}, max=3)@{k}": ntcir.nERR(levels, GAINS, k),
            f"Success@{k}": ntcir.Hit(k),
        }
    return found


def ntcireval_values(topics):
    """{(topic, our name): (value, tolerance)}"""
    values = {}
    for topic, (grades, ranking) in topics.items():
        labeler = Labeler(grades)
        measures = ntcireval_measures(labeler.compute_per_level_doc_num(4))
        labelled = labeler.label(ranking)
        values |= {(topic, name): (metric.compute(labelled), TOLERANCE) for name, metric in measures.items()}
    return values


def ir_measures_values(topics):
    wanted = {"Accuracy": ("Accuracy", TOLERANCE), "Accuracy(rel=2)@10": ("Accuracy(rel=2)@10", TOLERANCE)}
    for k in CUTOFFS:
        wanted[f"ERR@{k}"] = (f"ERR@{k}", GDEVAL_TOLERANCE)
        wanted[f"nDCG(dcg='exp-log2')@{k}"] = (f"nDCG(gains='exp')@{k}", GDEVAL_TOLERANCE)
        wanted[f"SDCG(max_rel=3)@{k}"] = (f"SDCG(max=3)@{k}", TOLERANCE)
    parsed = {ir_measures.parse_measure(name): ours for name, ours in wanted.items()}
    qrels = {t: grades for t, (grades, _) in topics.items()}
    run = {t: {d: 1000.0 - i for i, d in enumerate(ranking)} for t, (_, ranking) in topics.items()}
    some = {t: r for t, r in run.items() if any(qrels[t].get(d, 0) < 1 for d in list(r)[:10])}
    values = {}
    accuracy = [m for m in parsed if m.NAME == "Accuracy"]
    others = [m for m in parsed if m.NAME != "Accuracy"]
    for measures, subset in ((accuracy, some), (others, run)):
        for result in ir_measures.iter_calc(measures, qrels, subset):
            if result.query_id in subset:
                name, tolerance = parsed[result.measure]
                values[result.query_id, name] = (result.value, tolerance)
    return values


def main():
    arguments = case_options(__doc__, cases=600)

    rng = random.Random(arguments.seed)
    topics = {str(number): random_topic(rng) for number in range(1, arguments.cases + 1)}
    tally, largest = Tally(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), topics)
        for source in (ntcireval_values, ir_measures_values):
            expected = source(topics)
            names = sorted({name for _, name in expected})
            options = [argument for name in names for argument in ("-m", name)]
            ours = {(t, m): v for t, m, v in evaluate(*files, *options, "--per-topic")}
            for (topic, name), (value, tolerance) in expected.items():
                actual = ours.get((topic, name))
                ok = actual is not None and abs(actual - value) <= tolerance
                if actual is not None:
                    largest[source.__name__, tolerance] = max(largest[source.__name__, tolerance], abs(actual - value))
                tally.check(ok, f"{source.__name__}, topic {topic} {topics[topic]}, {name}: cranfield {actual}, expected {value}")
    for (source, tolerance), difference in largest.items():
        print(f"{source}, tolerance {tolerance}: largest difference {difference:.3g}")
    print(f"{arguments.cases} cases, seed {arguments.seed}")
    tally.finish(checks=25 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
