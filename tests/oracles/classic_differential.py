"""Randomised comparison of the classic measures with what ir_measures computes of them.

No peer has these measures by name, but some of them are others in disguise:
 - NormR of a ranking that holds every relevant document is ir_measures' `Accuracy`;
 - gP@k and gR@k of grades 0 and 1 are `P@k` and `R@k`;
 - ESL(count='all') of a ranking with a relevant document is 1 / `RR`;
 - `R` at the rank LastRel is 1, and one rank earlier it is below 1.
The seeds are fixed, and values must agree within 1e-9.

What ir_measures does differently or wrongly, and what is done about it here:
 1. `Accuracy` divides by zero where every document retrieved is relevant. NormR is undefined there, and so
    every ranking has at least one document that is not.
 2. `Accuracy` and `RR@k` break ties in other ways than `P` and `RR`. No two scores of a topic are equal here.
"""

import random
import sys
import tempfile
from pathlib import Path

import ir_measures
from ir_measures import Accuracy, P, R, RR

from _support import Tally, case_options, evaluate

TOLERANCE = 1e-9
PAIRS = [
    # (our measure, theirs, what makes the two equal)
    ("NormR", Accuracy, lambda theirs: theirs),
    ("gP@5", P @ 5, lambda theirs: theirs),
    ("gP@17", P @ 17, lambda theirs: theirs),
    ("gR@5", R @ 5, lambda theirs: theirs),
    ("gR@17", R @ 17, lambda theirs: theirs),
    ("ESL(count='all')", RR, lambda theirs: 1 / theirs),
]


def random_topic(rng, topic):
    """Judgements and a ranking that holds all relevant documents and at least one other."""
    relevant, others, unjudged = rng.randint(1, 12), rng.randint(1, 25), rng.randint(0, 15)
    docs = [f"r{n}" for n in range(relevant)] + [f"n{n}" for n in range(others)]
    qrels = [(topic, doc, int(doc.startswith("r"))) for doc in docs]
    missed = rng.randint(0, others - 1)
    ranking = docs[:len(docs) - missed] + [f"u{n}" for n in range(unjudged)]
    rng.shuffle(ranking)
    return qrels, [(topic, doc, len(ranking) - at) for at, doc in enumerate(ranking)]


def write_files(folder, qrels, run):
    """The two TREC files, as paths."""
    paths = Path(folder) / "qrels", Path(folder) / "run"
    paths[0].write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in qrels), encoding="utf-8")
    paths[1].write_text("".join(f"{t} Q0 {d} 0 {s} x\n" for t, d, s in run), encoding="utf-8")
    return paths


def our_values(qrels, run, measures):
    """{(topic, measure): value}."""
    with tempfile.TemporaryDirectory() as folder:
        rows = evaluate(*write_files(folder, qrels, run), "-m", " ".join(measures), "--per-topic")
    return {(topic, name): value for topic, name, value in rows}


def their_values(qrels, run):
    """{(topic, measure): value}."""
    qrels = [ir_measures.Qrel(*row) for row in qrels]
    run = [ir_measures.ScoredDoc(topic, doc, float(score)) for topic, doc, score in run]
    rows = ir_measures.iter_calc([theirs for _, theirs, _ in PAIRS], qrels, run)
    return {(row.query_id, str(row.measure)): row.value for row in rows}


def compare(tally, qrels, run, topics):
    """Checks all pairs; the largest difference."""
    ours = our_values(qrels, run, [name for name, _, _ in PAIRS])
    theirs = their_values(qrels, run)
    largest = 0.0
    for topic in topics:
        for name, measure, same in PAIRS:
            value, expected = ours[topic, name], same(theirs[topic, str(measure)])
            largest = max(largest, abs(value - expected))
            tally.check(abs(value - expected) < TOLERANCE, f"{topic} {name}: {value}, expected {expected}")
    return largest


def check_last(tally, qrels, run, topics):
    """Recall is complete at LastRel and not before."""
    last = our_values(qrels, run, ["LastRel"])
    depths = sorted({int(last[topic, "LastRel"]) for topic in topics})
    wanted = sorted({depth for last in depths for depth in (last, max(last - 1, 1))})
    measures = {depth: R @ depth for depth in wanted}
    theirs = {}
    scored = [ir_measures.ScoredDoc(topic, doc, float(score)) for topic, doc, score in run]
    judged = [ir_measures.Qrel(*row) for row in qrels]
    for row in ir_measures.iter_calc(list(measures.values()), judged, scored):
        theirs[row.query_id, str(row.measure)] = row.value
    for topic in topics:
        depth = int(last[topic, "LastRel"])
        tally.check(theirs[topic, str(measures[depth])] == 1, f"{topic}: LastRel {depth} is too early")
        if depth > 1:
            tally.check(theirs[topic, str(measures[depth - 1])] < 1, f"{topic}: LastRel {depth} is too late")


def main():
    arguments = case_options(__doc__, cases=1000)

    rng, tally = random.Random(arguments.seed), Tally()
    topics = [f"t{number}" for number in range(arguments.cases)]
    qrels, run = [], []
    for topic in topics:
        judged, ranked = random_topic(rng, topic)
        qrels += judged
        run += ranked
    largest = compare(tally, qrels, run, topics)
    check_last(tally, qrels, run, topics)
    print(f"{len(topics)} cases, largest difference {largest:.3g}")
    tally.finish(checks=5 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
