"""Randomised comparison of `Compat` with the compat provider of ir_measures.

A case is one topic with random grades and a random ranking. Every value must agree within 1e-9. The seed is fixed.

What ir_measures does differently, and what is done about it here:
 1. Equal grades are ordered by the run's scores with 0 for documents that the run lacks, so scores are positive here.
 2. Equal scores are ordered by ascending document id, so the scores of a ranking are distinct here.
 3. A topic without a positive grade has the value 0; ours is undefined and not printed, or null.
"""

import random
import tempfile
from pathlib import Path

import ir_measures
from ir_measures import Compat

from _support import Tally, evaluate

CASES = 1000
TOLERANCE = 1e-9
MEASURES = {
    f"Compat(p={p}, normalize={normalize})": Compat(p=p, normalize=normalize)
    for p in (0.95, 0.9, 0.8, 0.5, 0.99) for normalize in (True, False)
}


def random_topic(rng):
    """Grades of judged documents, and scores of retrieved ones."""
    docs = [f"d{number}" for number in rng.sample(range(1000), rng.randint(1, 60))]
    judged = rng.sample(docs, rng.randint(1, len(docs)))
    ranked = rng.sample(docs, rng.randint(1, len(docs)))
    highest = rng.randint(0, 5)
    grades = {doc: rng.randint(-1 if rng.random() < 0.2 else 0, highest) for doc in judged}
    scores = {doc: float(len(ranked) - place) for place, doc in enumerate(ranked)}
    return grades, scores


def main():
    rng = random.Random(20200701)
    qrels, run = {}, {}
    for case in range(CASES):
        qrels[f"t{case}"], run[f"t{case}"] = random_topic(rng)
    expected = {}
    for name, measure in MEASURES.items():
        for value in ir_measures.iter_calc([measure], qrels, run):
            expected[value.query_id, name] = value.value
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = Path(folder) / "qrels", Path(folder) / "run"
        qrels_file.write_text("".join(
            f"{topic} 0 {doc} {grade}\n" for topic, grades in qrels.items() for doc, grade in grades.items()))
        run_file.write_text("".join(
            f"{topic} Q0 {doc} 0 {score} r\n" for topic, scores in run.items() for doc, score in scores.items()))
        for name in MEASURES:
            rows = evaluate(qrels_file, run_file, "-m", name, "--per-topic")
            ours = {topic: value for topic, _, value in rows if topic in qrels}
            for topic, grades in qrels.items():
                if max(grades.values()) <= 0:
                    tally.check(ours.get(topic) is None, f"{name} of {topic} should be undefined: {ours.get(topic)}")
                    continue
                value, other = ours.get(topic), expected[topic, name]
                tally.check(value is not None and abs(value - other) < TOLERANCE, f"{name} of {topic}: {value}, not {other}")
    tally.finish(checks=8 * CASES)


if __name__ == "__main__":
    main()
