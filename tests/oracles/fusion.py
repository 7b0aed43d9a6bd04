"""Randomised comparison of `cranfield fuse --profile ranx` with ranx's `fuse`, for every method and normalisation that both have.

A case is a set of runs over the same topics, without equal scores in a list. Trained methods learn from random judgements of the same
topics. Every fused score must agree within 1e-9 (relative for scores above 1), and both must have the same documents. The seed is fixed.

What ranx does differently or wrongly, and what is done about it here:
 1. Without a normalisation, ids are cut to the length of the first run's. All ids have one length here.
 2. Condorcet's comparison is not antisymmetric: a run that has neither document votes for the second. It is compared where every run has
    every document, where there is no circle, and with an odd number of runs.
 3. `bayesfuse` reads invalid memory below rank 1000. Lists are shorter here.
 4. Borda's normalisation needs all runs, and the order of unretrieved documents is that of a set. Only methods of scores follow it here.
"""

import random
import sys
import tempfile
import warnings
from pathlib import Path

warnings.filterwarnings("ignore")

import ranx  # noqa: E402
from ranx import fusion as their_fusion  # noqa: E402

from _support import Tally, case_options, run_cranfield  # noqa: E402

TOLERANCE = 1e-9
NORMS = ["min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda", None]
OF_SCORES = {
    "min": {},
    "max": {},
    "med": {},
    "sum": {},
    "anz": {},
    "mnz": {},
    "gmnz": {"gamma": 0.37},
    "wsum": {"weights": None},
    "wmnz": {"weights": None},
    "mixed": {"weights": None},
}
OF_RANKS = {
    "isr": {},
    "log_isr": {},
    "logn_isr": {"sigma": 0.2},
    "rrf": {"k": 30},
    "rbc": {"phi": 0.8},
    "bordafuse": {},
    "w_bordafuse": {"weights": None},
}
TRAINED = ["posfuse", "segfuse", "mapfuse", "bayesfuse", "probfuse", "slidefuse"]
VOTES = {"condorcet": {}, "w_condorcet": {"weights": None}}


def random_runs(rng, count, complete=False):
    """Runs by topic and document, without equal scores in a list."""
    topics = [f"q{number}" for number in range(rng.randint(1, 4))]
    runs = [{} for _ in range(count)]
    for topic in topics:
        documents = [f"d{number:04}" for number in rng.sample(range(10000), rng.choice([3, 10, 60, 300]))]
        for run in runs:
            found = documents if complete else rng.sample(documents, rng.randint(1, len(documents)))
            scores = rng.sample(range(1, 10**6), len(found))
            run[topic] = {doc: score / 1000 for doc, score in zip(found, scores)}
    return runs


def random_qrels(rng, runs):
    """Judgements of some documents of each topic, at least one of which is relevant."""
    qrels = {}
    for topic in runs[0]:
        documents = sorted({doc for run in runs for doc in run[topic]})
        judged = rng.sample(documents, rng.randint(1, len(documents)))
        qrels[topic] = {doc: rng.randint(0, 2) for doc in judged}
        qrels[topic][judged[0]] = 1
    return qrels


def ours(folder, method, norm, weights, qrels):
    """{topic: {document: score}} of the command line."""
    output = folder / "fused.run"
    arguments = ["fuse", *sorted(folder.glob("run*.txt")), "-o", output, "--method", method, "--quiet"]
    arguments += ["--norm", norm or "none", "--profile", "ranx", "--depth", 1000000]
    if weights:
        arguments += ["--weights", ",".join(map(repr, weights))]
    if qrels:
        arguments += ["--train", folder / "qrels.txt"]
    run_cranfield(*arguments)
    fused = {}
    for line in output.read_text().splitlines():
        topic, _, doc, _, score, _ = line.split()
        fused.setdefault(topic, {})[doc] = float(score)
    return fused


def write(folder, runs, qrels):
    for old in folder.glob("run*.txt"):
        old.unlink()
    for at, run in enumerate(runs):
        lines = (f"{t} Q0 {d} 0 {s!r} r{at}\n" for t, docs in run.items() for d, s in docs.items())
        (folder / f"run{at}.txt").write_text("".join(lines))
    if qrels:
        lines = (f"{t} 0 {d} {g}\n" for t, docs in qrels.items() for d, g in docs.items())
        (folder / "qrels.txt").write_text("".join(lines))


def spelled(method, parameters):
    """A method with its parameters, as the command line reads it."""
    own = {name: value for name, value in parameters.items() if name != "weights"}
    return f"{method}({', '.join(f'{name}={value}' for name, value in own.items())})" if own else method


def check(tally, case, folder, runs, method, norm, parameters, qrels=None, name=None):
    weights = parameters.get("weights")
    found = ours(folder, name or spelled(method, parameters), norm, weights, qrels)
    objects = [ranx.Run(run, name=f"r{at}") for at, run in enumerate(runs)]
    expected = ranx.fuse(objects, norm=norm, method=method, params=parameters or None).to_dict()
    for topic, scores in expected.items():
        where = f"case {case}, {method}, norm {norm}, topic {topic}"
        tally.check(set(found[topic]) == set(scores), f"{where}: other documents")
        for doc, score in scores.items():
            difference = abs(found[topic][doc] - score)
            is_close = difference <= TOLERANCE * max(1.0, abs(score))
            tally.check(is_close, f"{where}, {doc}: {found[topic][doc]!r}, ranx {score!r}")


def trained_parameters(method, qrels, runs):
    """What ranx learns, and the method as the command line reads it."""
    judged, objects = ranx.Qrels(qrels), [ranx.Run(run, name=f"r{at}") for at, run in enumerate(runs)]
    if method == "probfuse":
        return {"probs": their_fusion.probfuse_train(judged, objects, 7)}, "probfuse(segments=7)"
    if method == "slidefuse":
        return {"probs": their_fusion.slidefuse_train(judged, objects), "w": 3}, "slidefuse(w=3)"
    learned = {"posfuse": "probs", "segfuse": "probs", "mapfuse": "map_scores", "bayesfuse": "log_odds"}
    train = getattr(their_fusion, f"{method}_train")
    return {learned[method]: train(judged, objects)}, method


def main():
    options = case_options(__doc__, 12)
    rng = random.Random(options.seed)
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in range(options.cases):
            runs = random_runs(rng, rng.choice([2, 3, 5]))
            weights = [rng.randint(1, 100) / 100 for _ in runs]
            qrels = random_qrels(rng, runs)
            write(folder, runs, qrels)
            for method, parameters in {**OF_SCORES, **OF_RANKS}.items():
                parameters = {key: value or weights for key, value in parameters.items()}
                norms = NORMS if method in OF_SCORES else ["min-max", "min-max-inverted", None]
                for norm in norms:
                    check(tally, case, folder, runs, method, norm, parameters)
            for method in TRAINED:
                parameters, ours_name = trained_parameters(method, qrels, runs)
                check(tally, case, folder, runs, method, None, parameters, qrels, ours_name)
            complete = agreeing(rng)
            write(folder, complete, None)
            for method, parameters in VOTES.items():
                parameters = {key: [1.0, 1.0, 1.0] for key in parameters}
                check(tally, case, folder, complete, method, None, parameters)
    return tally.finish()


def agreeing(rng):
    """Three runs with all documents, of which two have the same order, so that majorities have no circle."""
    order = [f"d{number:04}" for number in rng.sample(range(10000), rng.choice([3, 10, 40]))]
    other = rng.sample(order, len(order))
    lists = [order, other, order]
    return [{"q0": {doc: float(len(order) - at) for at, doc in enumerate(docs)}} for docs in lists]


if __name__ == "__main__":
    sys.exit(main())
