"""Randomised comparison of `cranfield eval --profile beir` with the evaluation of BEIR.

A case is a topic with grades from -1 to 3 and a ranking, mostly with ties, of the judged documents and others, in which
the topic's own id may stand. Measures are named as BEIR names them, and both programs read the same name. Every topic's
value and the means must agree within 1e-9. The seed is fixed.

BEIR is installed without the packages that it searches with (tests/oracles/requirements-no-deps.txt); its evaluation needs
none of them. Without it the comparison is skipped.

What BEIR does differently or wrongly, and what is done about it here:
 1. Values are rounded to five digits. The rounding is taken out of its modules here, so that all digits are compared.
 2. `Hole` takes a document for judged if it was judged for any topic. No two topics share a document here.
 3. `R_cap` divides by zero where a topic has no relevant document. It is called for the other topics only.
 4. `MRR`, `R_cap` and `Accuracy` fail for a topic of the run that has no judgements, and an empty ranking has no number by
    `pytrec_eval`. There is neither here; topics that the run lacks are there.
 5. A topic whose judgements are all negative is computed by `pytrec_eval` with what it has from the topic before. Such
    topics get a document of grade 0 that is not retrieved.
 6. Only `evaluate` takes out documents with the topic's id, for all that is called after it. It is called first.
"""

import copy
import logging
import random
import sys
import tempfile
from pathlib import Path

from _support import Tally, case_options, evaluate

TOLERANCE = 1e-9
CUTOFFS = [1, 3, 5, 10, 100]
BY_PYTREC_EVAL = ["NDCG", "MAP", "Recall", "P"]
OWN = ["MRR", "R_cap", "Hole", "Accuracy"]


def random_topic(rng, topic):
    """({document: grade}, [(document, score)] in the order of the file)."""
    count = rng.choice([1, 3, 10, 40, 150])
    documents = [f"{topic}d{number}" for number in rng.sample(range(1000), count)]
    share, highest = rng.choice([0.1, 0.5, 1.0]), rng.choice([1, 1, 3])
    grades = {doc: rng.randint(-1, highest) for doc in documents if rng.random() < share}
    grades |= {f"{topic}m{number}": rng.randint(0, highest) for number in range(rng.choice([0, 1, 5]))}
    if all(grade < 0 for grade in grades.values()):
        grades[f"{topic}zero"] = 0
    retrieved = rng.sample(documents, rng.randint(1, count))
    if rng.random() < 0.3:
        retrieved.insert(rng.randint(0, len(retrieved)), topic)
        grades |= {topic: 1} if rng.random() < 0.5 else {}
        retrieved += [f"{topic}other"]
    kind = rng.choice(["few", "near", "plain"])
    score = {
        "few": lambda: float(rng.randint(0, 4)),
        "near": lambda: 1 + rng.randint(0, 40) * 3e-8,
        "plain": lambda: rng.uniform(-5, 30),
    }[kind]
    return grades, [(doc, score()) for doc in retrieved]


def beir():
    """The class that evaluates, without rounding; None if BEIR is not installed."""
    try:
        from beir.retrieval import custom_metrics, evaluation
    except ImportError:
        return None
    for module in (custom_metrics, evaluation):
        module.round = lambda value, _: value
    logging.disable(logging.WARNING)
    return evaluation.EvaluateRetrieval


def their_values(evaluator, qrels, run):
    """{(topic, name): value}, with the means as topic `all`; those of `R_cap` only where all its topics have a number."""
    defined = {topic for topic, docs in qrels.items() if any(grade > 0 for grade in docs.values())}
    calls = [(topic, {topic: qrels[topic]}, {topic: run[topic]}) for topic in run]
    values = {}
    for topic, judged, ranked in [*calls, ("all", qrels, run)]:
        ranked = copy.deepcopy(ranked)
        for found in evaluator.evaluate(judged, ranked, CUTOFFS):
            values |= {(topic, name): value for name, value in found.items()}
        for name in OWN:
            if name != "R_cap" or set(ranked) <= defined:
                found = evaluator.evaluate_custom(judged, ranked, CUTOFFS, name)
                values |= {(topic, key): value for key, value in found.items()}
    return values


def our_values(qrels, run):
    """{(topic, name): value}"""
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "qrels", Path(folder) / "run"
        paths[0].write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items()))
        paths[1].write_text("".join(f"{t} Q0 {d} 0 {s!r} r\n" for t, docs in run.items() for d, s in docs.items()))
        names = [f"{name}@{cutoff}" for name in BY_PYTREC_EVAL + OWN for cutoff in CUTOFFS]
        rows = evaluate(*paths, "-m", " ".join(names), "--profile", "beir", "--per-topic")
    return {(topic, name): value for topic, name, value in rows}


def compare(tally, evaluator, qrels, run):
    """Compares all values that BEIR has; the number of them, and the largest difference."""
    expected, ours, largest = their_values(evaluator, qrels, run), our_values(qrels, run), 0.0
    for (topic, name), value in expected.items():
        actual = ours.get((topic, name))
        # An undefined value counts as zero in the mean.
        difference = abs((actual or 0.0) - value)
        largest = max(largest, difference)
        tally.check(difference < TOLERANCE, f"{name} of {topic}: cranfield {actual!r}, BEIR {value!r}")
    return len(expected), largest


def main():
    arguments = case_options(__doc__, cases=600)

    evaluator = beir()
    if evaluator is None:
        print("skipped: beir is not installed (pip install --no-deps beir==2.2.0)")
        return
    rng, tally = random.Random(arguments.seed), Tally()
    qrels, run, missing = {}, {}, 0
    for number in range(arguments.cases):
        topic = f"t{number:05d}"
        qrels[topic], ranking = random_topic(rng, topic)
        if rng.random() < 0.95:
            run[topic] = dict(ranking)
        else:
            missing += 1
    count, largest = compare(tally, evaluator, qrels, run)
    print(f"{arguments.cases} topics, {missing} of them not in the run, {count} values, largest difference {largest:.3g}")
    # Once more where every topic has a relevant document, so that the mean of R_cap has a number.
    relevant = {topic: docs for topic, docs in qrels.items() if any(grade > 0 for grade in docs.values())}
    of_these = {topic: docs for topic, docs in run.items() if topic in relevant}
    count, largest = compare(tally, evaluator, relevant, of_these)
    print(f"{len(relevant)} topics with a relevant document, {count} values, largest difference {largest:.3g}")
    tally.finish(checks=30 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
