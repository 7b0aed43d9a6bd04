"""Randomised comparison of `cranfield pool make` with the pools of trectools.

A case is two to five runs without tied scores. The pools of the strategies that both programs have must be equal: `depth` (trectools:
topX), `rbp` (strategy rbp, sum) and `rrf`, as sets of documents per topic.

trectools computes the weights of rbp and rrf from the rank column, whatever the scores are, and breaks ties at the end of a pool by the
order of a sort that is not stable. So ranks are written from 1 in the order of scores, and topics in which fused scores are tied at the
end of the pool are left out and counted. Topic ids are integers, because trectools converts them. The seeds are fixed.
"""

import random
import tempfile
import warnings
from pathlib import Path

from _support import Tally, case_options, run_cranfield

# Differences of sums that floating point may turn either way.
TIED = 1e-12


def random_runs(rng, folder):
    """Files of runs, and {run: {topic: documents in rank order}}."""
    pool = [f"d{number:03}" for number in range(rng.choice([20, 60, 200]))]
    topics = range(1, rng.randint(2, 6))
    runs = []
    for number in range(rng.randint(2, 5)):
        ranked = {topic: rng.sample(pool, rng.randint(5, len(pool))) for topic in topics}
        path = folder / f"run{number}"
        lines = [
            f"{topic} Q0 {document} {rank} {1000 - rank} run{number}\n"
            for topic, documents in ranked.items() for rank, document in enumerate(documents, start=1)]
        path.write_text("".join(lines), encoding="utf-8")
        runs.append((path, ranked))
    return runs


def cranfield_pool(paths, strategy, budget):
    output = run_cranfield(
        "pool", "make", *paths, "--strategy", strategy, "--depth", 1000, "--quiet",
        *(["--budget", budget] if budget else []))
    pool = {}
    for line in output.splitlines():
        topic, _, document, *_ = line.split()
        pool.setdefault(int(topic), set()).add(document)
    return pool


def tied_topics(runs, weight, size):
    """Topics in which the last document of the pool has the weight of the first one that is left out."""
    tied = set()
    for topic in runs[0][1]:
        weights = {}
        for _, ranked in runs:
            for rank, document in enumerate(ranked[topic], start=1):
                weights[document] = weights.get(document, 0) + weight(rank)
        ordered = sorted(weights.values(), reverse=True)
        if len(ordered) > size and ordered[size - 1] - ordered[size] < TIED:
            tied.add(topic)
    return tied


def main():
    options = case_options(__doc__, cases=60)
    warnings.simplefilter("ignore")
    from trectools import TrecPoolMaker, TrecRun

    tally, left_out = Tally(), 0
    for case in range(options.cases):
        rng = random.Random(options.seed * 1_000_003 + case)
        with tempfile.TemporaryDirectory() as folder:
            runs = random_runs(rng, Path(folder))
            paths = [path for path, _ in runs]
            loaded = [TrecRun(str(path)) for path in paths]
            size = rng.choice([1, 3, 10, 25])
            p, k = rng.choice([0.5, 0.8, 0.95]), rng.choice([1, 60])
            maker = TrecPoolMaker()
            for strategy, budget, arguments, weight in [
                    (f"depth({size})", None, {"strategy": "topX", "topX": size}, None),
                    (f"rbp({p})", size, {"strategy": "rbp", "topX": size, "rbp_p": p}, lambda r: (1 - p) * p ** (r - 1)),
                    (f"rrf({k})", size, {"strategy": "rrf", "topX": size, "rrf_den": k}, lambda r: 1 / (k + r))]:
                expected = {int(topic): set(docs) for topic, docs in maker.make_pool(loaded, **arguments).pool.items()}
                found = cranfield_pool(paths, strategy, budget)
                skipped = tied_topics(runs, weight, size) if weight else set()
                left_out += len(skipped)
                for topic in sorted(set(expected) | set(found) - skipped):
                    if topic not in skipped:
                        where = f"case {case}, {strategy}, topic {topic}"
                        tally.check(found.get(topic) == expected.get(topic), where)
    print(f"{left_out} pools left out because of ties")
    tally.finish()


if __name__ == "__main__":
    main()
