"""Ties and unjudged documents against pytrec_eval on everything they can be.

A run with equal scores is resolved into every order of its ties, and each order is evaluated by pytrec_eval as a run
without ties: the mean must be `--ties expected`, the least and greatest value `--ties bounds`. In the same way every
reading of the unjudged documents (each not relevant, or relevant with the topic's highest grade) is evaluated, and the
least and greatest value must be `--unjudged bounds`.
"""

import itertools
import json
import random
import tempfile
from pathlib import Path

import pytrec_eval

from _support import Tally, run_cranfield

TOPICS = 600
SEED = 20260101
TOLERANCE = 1e-9
ASKED = {"map", "map_cut.5", "P.5", "recall.5", "ndcg", "ndcg_cut.5", "recip_rank", "Rprec", "bpref", "infAP", "success.5"}
MEASURES = {
    "map": "AP",
    "map_cut_5": "AP@5",
    "P_5": "P@5",
    "recall_5": "R@5",
    "ndcg": "nDCG",
    "ndcg_cut_5": "nDCG@5",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "success_5": "Success@5",
}


def random_topic(source):
    """Groups of documents with equal scores, best first, and grades of some of them and of others."""
    sizes = source.choice([(3, 1, 3, 1), (1, 4, 1, 1), (2, 2, 2, 2), (1, 3, 2, 1), (4, 1, 1, 2)])
    names = iter(f"d{number}" for number in range(20))
    groups = [[next(names) for _ in range(size)] for size in sizes]
    grades = {}
    for doc in itertools.chain(*groups, [next(names), next(names)]):
        if source.random() < 0.7:
            grades[doc] = source.choice([0, 0, 1, 2, 3])
    grades["missed"] = source.choice([1, 2])
    return groups, grades


def orders(groups):
    """All orders of the documents that the scores allow."""
    for chosen in itertools.product(*map(itertools.permutations, groups)):
        yield list(itertools.chain(*chosen))


def readings(groups, grades):
    """All judgements that the unjudged documents may have."""
    unjudged = [doc for doc in itertools.chain(*groups) if doc not in grades]
    for flags in itertools.product([False, True], repeat=len(unjudged)):
        relevant = [doc for doc, flag in zip(unjudged, flags) if flag]
        yield {**grades, **dict.fromkeys(relevant, max(grades.values()))}


def run_of(order):
    """Scores that fall from document to document."""
    return {doc: float(len(order) - place) for place, doc in enumerate(order)}


def reference(cases):
    """By topic and measure, the values of its cases, which are pairs of a run and judgements."""
    judgements = {key: grades for key, (_, grades) in cases.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(judgements, ASKED)
    values = {}
    for key, result in evaluator.evaluate({key: run for key, (run, _) in cases.items()}).items():
        topic = key.split("-")[0]
        for foreign, name in MEASURES.items():
            values.setdefault((topic, name), []).append(result[foreign])
    return values


def evaluated(folder, *options):
    """By topic and measure, the least and the greatest value."""
    names = " ".join(MEASURES.values())
    arguments = ["eval", folder / "qrels.txt", folder / "tied.run", "-m", names, "-q", *options]
    output = run_cranfield(*arguments, "--format", "jsonl", "--quiet")
    rows = map(json.loads, output.splitlines())
    return {(row["topic"], row["measure"]): (row["value"], row.get("upper", row["value"])) for row in rows}


def write_files(folder, topics):
    """The run with ties and its judgements."""
    with open(folder / "qrels.txt", "w") as qrels, open(folder / "tied.run", "w") as run:
        for topic, (groups, grades) in topics.items():
            for doc, grade in grades.items():
                qrels.write(f"{topic} 0 {doc} {grade}\n")
            for place, group in enumerate(groups):
                for doc in group:
                    run.write(f"{topic} Q0 {doc} 0 {len(groups) - place} tied\n")


def compare(tally, what, ours, reference_values, ends):
    for key, values in reference_values.items():
        expected = [end(values) for end in ends]
        near = all(abs(one - other) < TOLERANCE for one, other in zip(ours[key], expected))
        tally.check(near, lambda: f"{what} {key}: {ours[key]}, not {expected}")


def main():
    source = random.Random(SEED)
    topics = {str(number): random_topic(source) for number in range(TOPICS)}
    in_orders, in_readings = {}, {}
    for topic, (groups, grades) in topics.items():
        for number, order in enumerate(orders(groups)):
            in_orders[f"{topic}-{number}"] = (run_of(order), grades)
        # The order of ties is by document id, descending, as everywhere.
        fixed = list(itertools.chain(*(sorted(group, reverse=True) for group in groups)))
        for number, reading in enumerate(readings(groups, grades)):
            in_readings[f"{topic}-{number}"] = (run_of(fixed), reading)
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, topics)
        by_order = reference(in_orders)
        mean = lambda values: sum(values) / len(values)
        compare(tally, "expected", evaluated(folder, "--ties", "expected"), by_order, [mean, mean])
        compare(tally, "bounds", evaluated(folder, "--ties", "bounds"), by_order, [min, max])
        ours = evaluated(folder, "--unjudged", "bounds")
        compare(tally, "unjudged", ours, reference(in_readings), [min, max])
    tally.finish(checks=30 * TOPICS)


if __name__ == "__main__":
    main()
