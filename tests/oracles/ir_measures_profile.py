"""Randomised comparison of `cranfield eval --profile ir_measures` with ir_measures, provider by provider, and of
`--profile gdeval` with the gdeval that it brings along.

A case is a topic with grades from -1 to 4 and a ranking, mostly with ties, with topics that the run or the qrels
lack. Measures are named as ir_measures names them, and both programs read the same name. Every topic's value must
agree within 1e-9, those of gdeval within the five digits that it prints, and so must the aggregates. The seeds are
fixed.

What ir_measures does differently or wrongly, and what is done about it here:
 1. pytrec_eval computes a topic whose judgements are all negative with what it has from the topic before. Such
    topics get a document of grade 0 that is not retrieved.
 2. `NumRel` is 0 for topics that the run lacks, and `NumQ` counts only the others. Not compared there.
 3. gdeval (`ERR@k`, `nDCG(dcg='exp-log2')@k`) prints five digits, and needs topic ids that are numbers.
 4. `Accuracy` divides by zero where all documents of the list are relevant. Such rankings are left out of its run.
 5. `Compat` puts documents with equal grades and equal scores into its ideal ranking in the order of the qrels,
    but into the ranking by document id. Its runs have no ties here.
 6. `judged_only=True` fails for measures of diversity. Not asked for.
 7. Several measures of diversity with different parameters in one call share one iterator. Each is asked for alone.
 8. At a cutoff of 1, `alpha_DCG` and `ERR_IA` are not divided; they are asked for from 2 on.
 9. `RBP` needs `rel`, and `NumRet(rel=n)` is the number of relevant documents retrieved. Read so by the profile.
10. `IPrec@x` rounds x to two decimals. Only such points are asked for. It is 0/0 (nan) where `judged_only` leaves no
    document of a ranking. Not compared there, nor is the mean.
"""

import contextlib
import io
import logging
import math
import os
import pkgutil
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from _support import Tally, case_options, evaluate

# cwl_eval, which ir_measures imports, opens a log in the working directory.
FOLDER = os.getcwd()
os.chdir(tempfile.gettempdir())
import ir_measures  # noqa: E402
from ir_measures import Qrel, ScoredDoc  # noqa: E402
os.chdir(FOLDER)

TOLERANCE = 1e-9
GDEVAL_TOLERANCE = 5.001e-6
PROFILE = ["--profile", "ir_measures"]

PYTREC_EVAL = [
    "P@5", "P(rel=2)@10", "P(judged_only=True)@5", "R@10", "R(rel=3)@5", "R(judged_only=True)@20", "AP", "AP(rel=2)",
    "AP@10", "AP(rel=2)@5", "AP(judged_only=True)", "MAP(judged_only=True)@7", "RR", "RR(rel=2)",
    "RR(judged_only=True)", "Rprec", "RPrec(rel=2)", "Rprec(judged_only=True)", "nDCG", "nDCG@10", "NDCG@3",
    "nDCG(judged_only=True)", "nDCG(judged_only=True)@5", "nDCG(gains={0:0,1:1,2:5,3:6,4:11})@10",
    "nDCG(gains={1:0,2:3})", "Success@1", "Success(rel=2)@5", "Success(judged_only=True)@3", "IPrec@0.0",
    "IPrec@0.1", "IPrec@0.25", "IPrec(rel=2)@0.5", "IPrec(judged_only=True)@0.75", "IPrec@1.0", "Bpref",
    "BPref(rel=2)", "infAP", "infAP(rel=2)", "SetP", "SetP(rel=2)", "SetP(relative=True)", "SetRelP(rel=2)",
    "SetP(judged_only=True)", "SetR", "SetR(rel=2)", "SetF", "SetF(beta=2.0)", "SetF(rel=2,beta=0.5)",
    "SetF(judged_only=True)", "SetAP", "SetAP(rel=2)", "SetAP(judged_only=True)", "NumRet", "NumRet(rel=2)",
    "NumRelRet", "NumRel",
]
MSMARCO = ["RR@1", "RR@5", "MRR@10", "RR(rel=2)@10", "RR@1000"]
JUDGED = ["Judged@1", "Judged@5", "Judged@10", "Judged@1000", "Judged"]
GDEVAL = ["ERR@1", "ERR@5", "ERR@20", "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@50"]
CWL = [
    "RBP(rel=1)", "RBP(rel=2,p=0.5)", "BPM(T=1.0,max_rel=4)@10", "BPM(T=2.0,min_rel=1,max_rel=3)@5", "SDCG(max_rel=4)@10",
    "SDCG(max_rel=2)@3", "NERR8(max_rel=4)@10", "NERR9(max_rel=4)@10", "NERR10(max_rel=4)", "NERR10(p=0.5,max_rel=3)",
    "NERR11(max_rel=4)", "NERR11(T=2.0,max_rel=4)", "INST(max_rel=4)", "INST(T=3.0,max_rel=4)", "INSQ(max_rel=4)",
]
COMPAT = ["Compat", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)"]
# By name: cutoff and level.
ACCURACY = {"Accuracy": (None, 1), "Accuracy@10": (10, 1), "Accuracy(rel=2)": (None, 2), "Accuracy(rel=2)@5": (5, 2)}
DIVERSITY = [
    "AP_IA", "MAP_IA(rel=2)", "NRBP", "NRBP(alpha=0.3,beta=0.8)", "P_IA@1", "P_IA@5", "P_IA(rel=2)@10", "StRecall@1",
    "StRecall@10", "ERR_IA@2", "ERR_IA@20", "ERR_IA(rel=2)@5", "alpha_DCG@5", "alpha_DCG(alpha=0.9)@10",
    "nERR_IA@5", "alpha_nDCG@10", "nNRBP",
]


# ------------------------------------------------------------------------------------------------ random input

def random_scores(rng, count, ties):
    """Scores of one topic: distinct, or from few values, or equal in 32 bits only."""
    if not ties:
        scores = [float(number + 1) for number in range(count)]
        rng.shuffle(scores)
        return scores
    kind = rng.choice(["few", "few", "near", "plain", "one"])
    if kind == "few":
        return [float(rng.randint(-2, 5)) for _ in range(count)]
    if kind == "near":
        return [1 + rng.randint(0, 40) * 3e-8 for _ in range(count)]
    return [1.0] * count if kind == "one" else [rng.uniform(-5, 30) for _ in range(count)]


def random_topic(rng, ties):
    """({document: grade}, [(document, score)] in the order of the file)."""
    count = rng.choice([1, 3, 10, 30, 80])
    documents = [f"d{number}" for number in rng.sample(range(1000), count)]
    share, highest = rng.choice([0.1, 0.5, 0.9, 1.0]), rng.choice([0, 1, 1, 2, 4])
    grades = {doc: rng.randint(-1, highest) for doc in documents if rng.random() < share}
    grades |= {f"missed{number}": rng.randint(0, highest) for number in range(rng.choice([0, 1, 5]))}
    if all(grade < 0 for grade in grades.values()):
        grades["zero"] = 0
    retrieved = rng.sample(documents, rng.randint(1, count))
    return grades, list(zip(retrieved, random_scores(rng, len(retrieved), ties)))


def all_relevant(grades, ranking, cutoff, level):
    """Whether the first documents, equal scores in the order of the file, are all relevant."""
    first = sorted(ranking, key=lambda entry: -entry[1])[:cutoff]
    return all(grades.get(doc, 0) >= level for doc, _ in first)


class Case:
    """Judgements and a run of many topics, as ir_measures and as files have them."""

    def __init__(self, rng, topics, ties=True, mixed=False):
        self.qrels, self.run, self.in_run, self.judged = [], [], set(), set()
        for number in range(1, topics + 1):
            topic, missing = str(number), rng.random()
            grades, ranking = random_topic(rng, ties)
            if mixed and any(all_relevant(grades, ranking, *list_) for list_ in ACCURACY.values()):
                missing = 1.0
            if missing > 0.05:
                self.judged.add(topic)
                self.qrels += [Qrel(topic, doc, grade) for doc, grade in grades.items()]
            if missing < 0.95:
                self.in_run.add(topic)
                self.run += [ScoredDoc(topic, doc, score) for doc, score in ranking]

    def files(self, folder):
        qrels, run = Path(folder) / "qrels", Path(folder) / "run"
        qrels.write_text("".join(f"{q.query_id} {q.iteration} {q.doc_id} {q.relevance}\n" for q in self.qrels))
        run.write_text("".join(f"{s.query_id} Q0 {s.doc_id} 0 {s.score!r} r\n" for s in self.run))
        return qrels, run


class Diversity(Case):
    """Judgements by subtopic."""

    def __init__(self, rng, topics):
        self.qrels, self.run, self.in_run, self.judged = [], [], set(), set()
        for number in range(1, topics + 1):
            topic, missing = str(number), rng.random()
            docs = [f"d{n:03d}" for n in rng.sample(range(1000), rng.randint(1, 40))]
            if missing > 0.05:
                self.judged.add(topic)
                for subtopic in range(1, rng.randint(1, 6) + 1):
                    judged = rng.sample(docs, rng.randint(1, len(docs)))
                    highest = rng.choice([1, 2])
                    self.qrels += [Qrel(topic, doc, rng.choice([0, 0, highest]), str(subtopic)) for doc in judged]
            if missing < 0.95:
                self.in_run.add(topic)
                ranked = rng.sample(docs, rng.randint(1, len(docs)))
                scores = random_scores(rng, len(ranked), True)
                self.run += [ScoredDoc(topic, doc, score) for doc, score in zip(ranked, scores)]


# ------------------------------------------------------------------------------------------------ comparison

def their_values(provider, measures, case):
    """{(topic, name): value} and {name: aggregate}."""
    parsed = {name: ir_measures.parse_measure(name) for name in measures}
    values, aggregates = {}, {}
    with contextlib.redirect_stderr(io.StringIO()):
        for name, measure in parsed.items():
            aggregator = measure.aggregator()
            for row in provider.iter_calc([measure], list(case.qrels), list(case.run)):
                if row.query_id in case.judged:
                    values[row.query_id, name] = row.value
                    aggregator.add(row.value)
            aggregates[name] = aggregator.result()
    return values, aggregates


class Comparison:
    def __init__(self, tally):
        self.tally, self.largest = tally, 0.0

    def check(self, where, ours, theirs, tolerance):
        if ours is None or not math.isfinite(theirs):
            self.tally.check(False, f"{where}: cranfield {ours!r}, ir_measures {theirs!r}")
            return
        # Sums of many topics are compared by their size.
        difference = abs(ours - theirs) / max(1.0, abs(theirs))
        self.largest = max(self.largest, difference)
        self.tally.check(difference < tolerance, f"{where}: cranfield {ours!r}, ir_measures {theirs!r}")


def compare(tally, provider, measures, case, tolerance=TOLERANCE, options=()):
    """Compares all topics and the aggregates of one provider's measures."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = [argument for name in measures for argument in ("-m", name)]
        rows = evaluate(*case.files(folder), *wanted, *PROFILE, *options, "--per-topic")
    ours = {(topic, name): value for topic, name, value in rows}
    theirs, aggregates = their_values(provider, measures, case)
    result = Comparison(tally)
    for (topic, name), value in theirs.items():
        if name == "NumRel" and topic not in case.in_run or math.isnan(value):
            continue
        result.check(f"{provider.NAME}, topic {topic}, {name}", ours.get((topic, name)), value, tolerance)
    for name, value in aggregates.items():
        if name != "NumRel" and not math.isnan(value):
            result.check(f"{provider.NAME}, all, {name}", ours.get(("all", name)), value, tolerance)
    print(f"{provider.NAME}: {len(measures)} measures, {len(case.judged)} topics, {len(theirs)} values, "
          f"largest difference {result.largest:.3g}")


def runtime_measures():
    """A measure that a user defines, and ours for it."""
    def share(qrels, run):
        relevant = set(qrels[qrels.relevance > 0].doc_id)
        return len(relevant & set(run.doc_id)) / len(run)

    return ir_measures.define_byquery(share, name="Share"), "SetP"


def compare_runtime(tally, case):
    measure, name = runtime_measures()
    with tempfile.TemporaryDirectory() as folder:
        rows = evaluate(*case.files(folder), "-m", name, *PROFILE, "--per-topic")
    ours = {topic: value for topic, _, value in rows}
    result = Comparison(tally)
    for row in ir_measures.iter_calc([measure], list(case.qrels), list(case.run)):
        if row.query_id in case.judged:
            result.check(f"runtime, topic {row.query_id}", ours.get(row.query_id), row.value, TOLERANCE)
    print(f"runtime: 1 measure, {len(case.judged)} topics, largest difference {result.largest:.3g}")


def compare_gdeval_alone(tally, case):
    """The script that ir_measures brings along, against the profile of its name: values, and which topics count."""
    result = Comparison(tally)
    with tempfile.TemporaryDirectory() as folder:
        files, script = case.files(folder), Path(folder) / "gdeval.pl"
        script.write_bytes(pkgutil.get_data("ir_measures", "bin/gdeval.pl"))
        output = subprocess.run(["perl", script, *files, "20"], check=True, capture_output=True, encoding="utf-8")
        rows = evaluate(*files, "-m", "ndcg@20 err@20", "--profile", "gdeval", "--per-topic")
    ours = {(topic, name): value for topic, name, value in rows}
    topics = {}
    for line in output.stdout.splitlines()[1:]:
        _, topic, ndcg, err = line.split(",")
        topics[topic] = {"ndcg@20": float(ndcg), "err@20": float(err)}
    counted = {topic for topic, _ in ours} - {"all"}
    tally.check(counted == set(topics), lambda: f"gdeval counts {sorted(counted ^ set(topics))} in one program only")
    for topic, values in topics.items():
        for name, value in values.items():
            result.check(f"gdeval alone, {topic}, {name}", ours.get((topic, name)), value, GDEVAL_TOLERANCE)
    for name in ("ndcg@20", "err@20"):
        mean = sum(values[name] for values in topics.values()) / len(topics)
        result.check(f"gdeval alone, mean, {name}", ours.get(("all", name)), mean, GDEVAL_TOLERANCE)
    print(f"gdeval alone: 2 measures, {len(topics)} of {len(case.judged)} topics counted, "
          f"largest difference {result.largest:.3g}")


def available(names):
    """Names that this build of Cranfield has; measures that are not written yet are left out and told."""
    known = {"nERR_IA", "alpha_nDCG", "nNRBP"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "q").write_text("1 1 a 1\n")
        (Path(folder) / "r").write_text("1 Q0 a 1 1 r\n")
        found = []
        for name in names:
            if name.partition("@")[0] in known:
                try:
                    with contextlib.redirect_stderr(io.StringIO()):
                        evaluate(f"{folder}/q", f"{folder}/r", "-m", name, *PROFILE, "--qrels-format", "qrels_jg")
                except SystemExit:
                    print(f"not available: {name}")
                    continue
            found.append(name)
    return found


def main():
    arguments = case_options(__doc__, cases=600)
    logging.disable(logging.WARNING)

    rng, tally, count = random.Random(arguments.seed), Tally(), arguments.cases
    providers = ir_measures.providers.registry
    compare(tally, providers["pytrec_eval"], PYTREC_EVAL, Case(rng, count))
    compare(tally, providers["msmarco"], MSMARCO, Case(rng, count))
    compare(tally, providers["judged"], JUDGED, Case(rng, count))
    if providers["gdeval"].is_available():
        compare(tally, providers["gdeval"], GDEVAL, Case(rng, count), GDEVAL_TOLERANCE)
        compare_gdeval_alone(tally, Case(rng, 2 * count))
    else:
        print("skipped: gdeval needs perl")
        tally.skipped += 1
    compare(tally, providers["cwl_eval"], CWL, Case(rng, count))
    compare(tally, providers["compat"], COMPAT, Case(rng, count, ties=False))
    compare(tally, providers["accuracy"], list(ACCURACY), Case(rng, 5 * count, mixed=True))
    groups = ["--qrels-format", "qrels_jg"]
    compare(tally, providers["pyndeval"], available(DIVERSITY), Diversity(rng, count), options=groups)
    compare_runtime(tally, Case(rng, count, ties=False))
    tally.finish(checks=50 * arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
