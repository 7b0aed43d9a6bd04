"""Randomised comparison of vectors with pytrec_eval, pyNTCIREVAL and NumPy.

A case is a run of several topics with grades from 0 to 3 and rankings without ties. Every component of every vector is
compared within 1e-9, for topics and for their averages:
 - P, R, nDCG and AP by rank with pytrec_eval's P_k, recall_k, ndcg_cut_k and map_cut_k;
 - IPrec with recall='floor(x+0.9)' with pytrec_eval's iprec_at_recall;
 - nDCG with discount='jk' with pyNTCIREVAL's nDCG at each cutoff;
 - CG, DCG, IDCG, both averages of nDCG, avg-pos and readings sideways with NumPy's cumulative sums.
The seed is fixed.

What the programs do differently, and what is done about it here:
 1. pytrec_eval leaves out topics that the run lacks, and pyNTCIREVAL fails on empty rankings and on topics without
    relevant documents. Every topic here has a ranking and a relevant document.
"""

import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytrec_eval
from pyNTCIREVAL import Labeler
from pyNTCIREVAL import metrics as ntcir

from _support import Tally, case_options, run_cranfield

TOLERANCE = 1e-9
DEPTH = 25
GAINS = [1, 10, 100]
TABLE = "gains='0,1,10,100'"
RANKS = range(1, DEPTH + 1)
LEVELS = [level / 10 for level in range(11)]
PYTREC = {"P": "P", "R": "recall", "nDCG": "ndcg_cut", "AP": "map_cut"}
SIDEWAYS = [1, 5, 20]


def random_topic(rng):
    """({document: grade}, documents in rank order)."""
    documents = [f"d{number}" for number in range(rng.choice([3, 10, 40]))]
    grades = {d: rng.choice([0, 0, 0, 1, 2, 3]) for d in documents if rng.random() < rng.choice([0.3, 0.9])}
    grades["missed" if rng.random() < 0.5 else "d0"] = rng.randint(1, 3)
    return grades, rng.sample(documents, rng.randint(1, len(documents)))


def gains(grades, ranking, table):
    """Gains in rank order and those of the ideal ranking, both to the depth."""
    found = [table[grades.get(d, 0)] for d in ranking][:DEPTH]
    ideal = sorted((table[g] for g in grades.values()), reverse=True)[:DEPTH]
    pad = lambda values: np.array(values + [0] * (DEPTH - len(values)), dtype=float)
    return pad(found), pad(ideal)


def numpy_vectors(topics):
    """{vector: {topic: components}} from cumulative sums."""
    plain, table = [0, 1, 2, 3], [0, *GAINS]
    log2 = np.log2(np.arange(2, DEPTH + 2))
    jk = lambda base: np.maximum(1.0, np.log(np.arange(1, DEPTH + 1)) / np.log(base))
    found = {}
    for topic, (grades, ranking) in topics.items():
        g, ideal = gains(grades, ranking, plain)
        big, best = gains(grades, ranking, table)
        vectors = {
            "CG": np.cumsum(g),
            "DCG": np.cumsum(g / log2),
            "IDCG": np.cumsum(ideal / log2),
            f"DCG({TABLE}, discount='jk')": np.cumsum(big / jk(2)),
            f"IDCG({TABLE}, discount='jk', base=10)": np.cumsum(best / jk(10)),
            "DCG(discount='zipf')": np.cumsum(g / np.arange(1, DEPTH + 1)),
            "nCG": np.cumsum(g) / np.cumsum(ideal),
        }
        for name, vector in vectors.items():
            found.setdefault(f"{name}@{DEPTH}", {})[topic] = vector
    mean = lambda name: np.mean(list(found[f"{name}@{DEPTH}"].values()), axis=0)
    found[f"nDCG(average='means')@{DEPTH}"] = {"all": mean("DCG") / mean("IDCG")}
    return found


def pytrec_vectors(topics):
    names = {f"{measure}.{','.join(map(str, RANKS))}" for measure in PYTREC.values()} | {"iprec_at_recall"}
    qrels = {t: grades for t, (grades, _) in topics.items()}
    run = {t: {d: float(1000 - i) for i, d in enumerate(ranking)} for t, (_, ranking) in topics.items()}
    scores = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    found = {}
    for topic, values in scores.items():
        for ours, theirs in PYTREC.items():
            found.setdefault(f"{ours}@{DEPTH}", {})[topic] = [values[f"{theirs}_{k}"] for k in RANKS]
        points = [values[f"iprec_at_recall_{level:.2f}"] for level in LEVELS]
        found.setdefault("IPrec(recall='floor(x+0.9)')", {})[topic] = points
    return found


def ntcireval_vectors(topics):
    name = f"nDCG({TABLE}, discount='jk')@{DEPTH}"
    found = {name: {}}
    for topic, (grades, ranking) in topics.items():
        labeler = Labeler(grades)
        levels, labelled = labeler.compute_per_level_doc_num(4), labeler.label(ranking)
        metric = lambda k: ntcir.nDCG(levels, GAINS, 2.0, k).compute(labelled)
        found[name][topic] = [metric(k) for k in RANKS]
    return found


def expected_of(topics):
    """{(vector, topic): components}, with topic `all` for the average."""
    expected = {}
    for vectors in (numpy_vectors(topics), pytrec_vectors(topics), ntcireval_vectors(topics)):
        for vector, by_topic in vectors.items():
            if "all" not in by_topic:
                by_topic["all"] = np.mean([by_topic[topic] for topic in topics], axis=0)
            for topic, components in by_topic.items():
                expected[vector, topic] = np.asarray(components, dtype=float)
    return expected


def write_files(folder, topics, name):
    qrels = [f"{t} 0 {d} {g}\n" for t, (grades, _) in topics.items() for d, g in grades.items()]
    run = [f"{t} Q0 {d} {i} {1000 - i} tag\n" for t, (_, ranking) in topics.items() for i, d in enumerate(ranking)]
    paths = folder / "qrels.txt", folder / name
    for path, lines in zip(paths, (qrels, run)):
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def rows(*arguments):
    output = run_cranfield("eval", *arguments, "--format", "jsonl", "--quiet")
    return map(json.loads, output.splitlines())


def check_vectors(tally, case, folder, topics):
    expected = expected_of(topics)
    qrels, run = write_files(folder, topics, "a.run")
    names = " ".join(sorted({vector for vector, _ in expected}))
    found = {}
    for row in rows(qrels, run, "--per-topic", "--vector", names):
        found.setdefault((row["vector"], row["topic"]), []).append(row["value"])
    for key, components in expected.items():
        # The last number is the mean of the others.
        wanted = np.append(components, np.mean(components))
        ours = np.array(found[key], dtype=float)
        ok = ours.shape == wanted.shape and np.all(np.abs(ours - wanted) <= TOLERANCE)
        tally.check(ok, lambda: f"case {case}, {key}: {ours}, expected {wanted}")
    return expected


def check_sideways(tally, case, folder, topics, rng):
    """Another system for the same topics, read sideways against the first and the ideal."""
    other = {t: (grades, rng.sample(ranking, len(ranking))) for t, (grades, ranking) in topics.items()}
    qrels, first = write_files(folder, topics, "a.run")
    _, second = write_files(folder, other, "b.run")
    mean = lambda name, of: np.mean(list(numpy_vectors(of)[f"{name}@{DEPTH}"].values()), axis=0)
    vectors = {"a": mean("DCG", topics), "b": mean("DCG", other), "ideal": mean("IDCG", topics)}
    ranks = ",".join(map(str, SIDEWAYS))
    for row in rows(qrels, first, second, "--vector", f"DCG@{DEPTH}", "--sideways", ranks):
        level = vectors[row["target"]][row["rank"] - 1]
        read = vectors[row["run"]]
        # Where a component is as good as equal to the level, rounding decides.
        close = np.abs(read - level) <= TOLERANCE
        reached = np.flatnonzero((read >= level) & ~close)
        first_sure = reached[0] + 1 if len(reached) else None
        allowed = {first_sure} | {int(rank) + 1 for rank in np.flatnonzero(close) if first_sure is None or rank + 1 < first_sure}
        tally.check(abs(row["level"] - level) <= TOLERANCE and row["needed"] in allowed, f"case {case}, {row}, allowed {allowed}")


def main():
    arguments = case_options(__doc__, cases=500)
    tally, rng = Tally(), random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        for case in range(arguments.cases):
            topics = {str(number): random_topic(rng) for number in range(1, rng.choice([2, 4, 7]))}
            check_vectors(tally, case, Path(folder), topics)
            check_sideways(tally, case, Path(folder), topics, rng)
    print(f"{arguments.cases} cases, seed {arguments.seed}")
    tally.finish(checks=40 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
