"""Randomised comparison of `cranfield eval --profile ranx` with ranx.

A case is a topic with grades from -1 to 4 and a ranking without ties. Metrics are named as ranx names them, with and
without cutoffs and levels, and both programs read the same name. Every topic's value and the means must agree within
1e-9. The seed is fixed.

ranx compiles its functions when they are first called, which takes most of the time. All topics go into one call.

What ranx does differently or wrongly, and what is done about it here:
 1. Equal scores are in an order that is not specified. No two scores of a topic are equal here.
 2. Judgements and run must have the same topics. They have.
 3. `bpref` divides by zero where no judged document is relevant, or none is not, and then the topics behind it have 0.
    It is called for the other topics only.
 4. A level above 1 for `ndcg_burges` and `dcg_burges` leaves lower grades without gain, which has no name here.
"""

import math
import random
import sys
import tempfile
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import ranx  # noqa: E402

from _support import Tally, case_options, evaluate  # noqa: E402

TOLERANCE = 1e-9
CUTOFFS = ["", "@1", "@3", "@10", "@100"]
PLAIN = ["hits", "hit_rate", "precision", "recall", "f1", "mrr", "map", "dcg", "ndcg", "dcg_burges", "ndcg_burges"]
METRICS = (
    [name + cutoff for name in PLAIN for cutoff in CUTOFFS]
    + ["r-precision", "bpref", "rbp.5", "rbp.8", "rbp.95"]
    + [f"{name}{cutoff}-l2" for name in PLAIN[:-2] for cutoff in ("", "@10")]
    + ["r-precision-l2", "bpref-l2", "rbp.8-l2", "ndcg@5-l3", "map-l3"]
)


def random_topic(rng):
    """({document: grade}, {document: score}), both with at least one document."""
    count = rng.choice([2, 5, 20, 60])
    documents = [f"d{number}" for number in rng.sample(range(1000), count)]
    share, highest = rng.choice([0.2, 0.6, 1.0]), rng.choice([1, 1, 2, 4])
    grades = {doc: rng.randint(-1, highest) for doc in documents if rng.random() < share}
    grades["missed"] = rng.randint(0, highest)
    retrieved = rng.sample(documents, rng.randint(1, count))
    return grades, {doc: float(len(retrieved) - at) for at, doc in enumerate(retrieved)}


def our_values(qrels, run):
    """{(topic, metric): value}"""
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "qrels", Path(folder) / "run"
        paths[0].write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()))
        paths[1].write_text("".join(f"{t} Q0 {d} 0 {s} r\n" for t, docs in run.items() for d, s in docs.items()))
        wanted = [argument for name in METRICS for argument in ("-m", name)]
        rows = evaluate(*paths, *wanted, "--profile", "ranx", "--per-topic")
    return {(topic, name): value for topic, name, value in rows}


def is_defined(metric, grades):
    """Whether ranx has a number for a topic."""
    if not metric.startswith("bpref"):
        return True
    level = int(metric[-1]) if "-l" in metric else 1
    return any(g >= level for g in grades.values()) and any(g < level for g in grades.values())


def their_values(qrels, run):
    """{(topic, metric): value}, means as topic `all`."""
    groups = [([metric for metric in METRICS if not metric.startswith("bpref")], list(qrels))]
    for metric in METRICS:
        if metric.startswith("bpref"):
            groups.append(([metric], [topic for topic in qrels if is_defined(metric, qrels[topic])]))
    values = {}
    for metrics, topics in groups:
        judged, ranked = ({topic: data[topic] for topic in topics} for data in (qrels, run))
        theirs = ranx.Run(ranked)
        means = ranx.evaluate(ranx.Qrels(judged), theirs, metrics)
        for metric in metrics:
            values |= {(topic, metric): float(value) for topic, value in theirs.scores[metric].items()}
        if len(topics) == len(qrels):
            values |= {("all", metric): float(mean) for metric, mean in means.items()}
    return values


def main():
    arguments = case_options(__doc__, cases=600)

    rng, tally = random.Random(arguments.seed), Tally()
    qrels, run = {}, {}
    for number in range(arguments.cases):
        qrels[f"t{number:05d}"], run[f"t{number:05d}"] = random_topic(rng)
    ours = our_values(qrels, run)
    expected = their_values(qrels, run)
    largest = 0.0
    for (topic, metric), value in expected.items():
        actual = ours.get((topic, metric))
        difference = math.inf if actual is None else abs(actual - value)
        largest = max(largest, difference)
        tally.check(difference < TOLERANCE, f"{metric} of {topic}: cranfield {actual!r}, ranx {value!r}")
    print(f"{len(METRICS)} metrics, {arguments.cases} topics, {len(expected)} values, largest difference {largest:.3g}")
    tally.finish(checks=50 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
