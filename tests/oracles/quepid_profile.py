"""Randomised comparison of `cranfield eval --profile quepid` with the rules of Quepid's scorers.

Quepid is a web application and computes in the browser, so that it cannot be called. What its scorers say (the files
`db/scorers/*@10.js` of github.com/o19s/quepid, version 8) is written down here in Python, scorer by scorer:

- AP@k: precisions at the relevant documents (rating above 0) among the first k, over the number of relevant rated documents.
- P@k: relevant documents among the first k, over the number of documents that there are of them.
- RR@k: 1 / rank of the first relevant document among the first k, or 0.
- CG@k, DCG@k: sum of ratings, and of (2^rating - 1) / log2(rank + 1), of the first k.
- NDCG@k: the same with unrated documents as 0, over that of all rated documents in the best order, not cut at k.
- NDCG_CUT@k: over that of the best k rated documents.
- ERR@k: sum of trust * useful / rank, with useful = (2^rating - 1) / 2^3, and trust lost by 1 - useful.

A case is a query with ratings from 0 to 3 and a ranking. Both must agree within 1e-9 for every query, and in the mean.
The seed is fixed.

What Quepid does differently, and what is done about it here:
 1. CG and DCG of a list with a document that nobody rated are not a number. All documents are rated for them.
 2. AP divides by zero where no rated document is relevant. Not compared there.
"""

import math
import random
import sys
import tempfile
from pathlib import Path

from _support import Tally, case_options, evaluate

TOLERANCE = 1e-9
HIGHEST = 3
CUTOFFS = [1, 3, 5, 10, 20]


def gain(rating):
    return 2.0**rating - 1


def discounted(ratings):
    return sum(gain(rating) / math.log2(rank + 1) for rank, rating in enumerate(ratings, start=1))


def average_precision(shown, rated, _):
    count, total = 0, 0.0
    for rank, rating in enumerate(shown, start=1):
        if rating is not None and rating > 0:
            count += 1
            total += count / rank
    relevant = sum(rating > 0 for rating in rated)
    return total / relevant if relevant else None


def precision(shown, _, __):
    return sum(rating is not None and rating > 0 for rating in shown) / len(shown)


def reciprocal_rank(shown, _, __):
    ranks = (rank for rank, rating in enumerate(shown, start=1) if rating is not None and rating > 0)
    return 1 / next(ranks, math.inf)


def cumulated(shown, _, __):
    return None if None in shown else float(sum(shown))


def discounted_cumulated(shown, _, __):
    return None if None in shown else discounted(shown)


def normalised(shown, rated, _):
    ideal = discounted(sorted(rated, reverse=True))
    return discounted([rating or 0 for rating in shown]) / ideal if ideal else 0.0


def normalised_cut(shown, rated, cutoff):
    ideal = discounted(sorted(rated, reverse=True)[:cutoff])
    return discounted([rating or 0 for rating in shown]) / ideal if ideal else 0.0


def expected_reciprocal_rank(shown, _, __):
    value, trust = 0.0, 1.0
    for rank, rating in enumerate(shown, start=1):
        useful = gain(rating or 0) / 2.0**HIGHEST
        value += trust * useful / rank
        trust *= 1 - useful
    return value


SCORERS = {
    "AP": average_precision,
    "P": precision,
    "RR": reciprocal_rank,
    "CG": cumulated,
    "DCG": discounted_cumulated,
    "NDCG": normalised,
    "NDCG_CUT": normalised_cut,
    "ERR": expected_reciprocal_rank,
}


def random_query(rng):
    """({document: rating}, [document] as the engine returns them)."""
    count = rng.choice([1, 3, 10, 40])
    documents = [f"d{number}" for number in rng.sample(range(1000), count)]
    share = rng.choice([0.3, 0.8, 1.0, 1.0])
    ratings = {doc: rng.randint(0, HIGHEST) for doc in documents if rng.random() < share}
    ratings |= {f"missed{number}": rng.randint(0, HIGHEST) for number in range(rng.choice([0, 1, 15]))}
    return ratings or {"missed": 1}, rng.sample(documents, rng.randint(1, count))


def our_values(queries):
    """{(query, name): value}; scores go against the ranks, which are what counts."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        with qrels.open("w") as judged, run.open("w") as ranked:
            for query, (ratings, ranking) in queries.items():
                judged.writelines(f"{query} 0 {doc} {rating}\n" for doc, rating in ratings.items())
                ranked.writelines(f"{query} Q0 {doc} {rank} {rank} r\n" for rank, doc in enumerate(ranking, start=1))
        names = " ".join(f"{name}@{cutoff}" for name in SCORERS for cutoff in CUTOFFS)
        rows = evaluate(qrels, run, "-m", names, "--profile", "quepid", "--per-topic")
    return {(query, name): value for query, name, value in rows}


def main():
    arguments = case_options(__doc__, cases=600)

    rng, tally, largest, compared = random.Random(arguments.seed), Tally(), 0.0, 0
    queries = {f"q{number:05d}": random_query(rng) for number in range(arguments.cases)}
    ours = our_values(queries)

    def check(query, name, value):
        nonlocal largest, compared
        actual = ours.get((query, name))
        difference = abs((actual or 0.0) - value)
        largest, compared = max(largest, difference), compared + 1
        tally.check(difference < TOLERANCE, f"{name} of {query}: cranfield {actual!r}, Quepid {value!r}")

    for scorer, compute in SCORERS.items():
        for cutoff in CUTOFFS:
            name, values = f"{scorer}@{cutoff}", []
            for query, (ratings, ranking) in queries.items():
                shown = [ratings.get(doc) for doc in ranking[:cutoff]]
                value = compute(shown, ratings.values(), cutoff)
                if value is not None:
                    check(query, name, value)
                values.append(value)
            if None not in values:
                check("all", name, sum(values) / len(values))
    print(f"{len(SCORERS) * len(CUTOFFS)} scorers, {arguments.cases} queries, {compared} values, "
          f"largest difference {largest:.3g}")
    tally.finish(checks=20 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
