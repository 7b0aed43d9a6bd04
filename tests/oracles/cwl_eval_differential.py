"""Randomised comparison of the C/W/L measures with cwl_eval, by itself and as `ir_measures` calls it.

A case is one topic: a random ranking, from empty of judged documents to longer than the depth, with binary or
graded judgements and without ties. First the twelve measures that `ir_measures` takes from cwl_eval, all five
figures of each; then every model of cwl_eval, the five figures and the five residuals. Every value must agree
within 1e-9. The seeds are fixed.

What cwl_eval does differently or wrongly, and what is done about it here:
 1. `BPMDCWLMetric` moves T in the loop that should move K, so hc has no effect. Compared with hc=0, and with the
    mistake repaired in a copy of the class.
 2. `TrAPCWLMetric` does not initialise its base class and cannot compute residuals. Done here before use. Topics
    without a relevant document are undefined in Cranfield, and have 0 there.
 3. `APCWLMetric` takes time by the square of the depth, so most of its cases have a depth of 50.
 4. cwl_eval opens `cwl.log` in the working directory when it is imported.
 5. `UMeasureCWLMetric` divides 0 by 0 at a depth of 1; `IFT*` overflows for steep steps. Not asked for.
 6. `ir_measures` counts negative grades as judged, so only the comparison without residuals has them.
"""

import collections
import itertools
import math
import os
import random
import sys
import tempfile
import warnings
from pathlib import Path

import numpy

from _support import Tally, case_options, evaluate

TOLERANCE = 1e-9
BATCH = 100
FIGURES = ["EU", "ETU", "EC", "ETC", "ED"]


# ------------------------------------------------------------------------------------------------ random input

def random_topic(rng, longest, negative):
    """({document: grade}, [documents by rank])."""
    length = rng.choice([1, 2, 3, 5, 10, 20, 30, longest, 2 * longest])
    documents = [f"d{number}" for number in range(length)]
    rng.shuffle(documents)
    judged_share, relevant_share = rng.choice([0, 0.1, 0.5, 0.9, 1]), rng.choice([0, 0.1, 0.3, 0.8, 1])
    highest = rng.choice([1, 2, 3, 4])

    def grade():
        if rng.random() < relevant_share:
            return rng.randint(1, highest)
        return rng.choice([0, 0, -1, -2]) if negative else 0

    judged = {document: grade() for document in documents if rng.random() < judged_share}
    judged |= {f"missed{number}": grade() for number in range(rng.choice([0, 0, 1, 5]))}
    return judged or {"missed": 0}, documents


def write_files(folder, topics):
    qrels = "".join(f"{t} 0 {d} {g}\n" for t, (judged, _) in topics.items() for d, g in judged.items())
    run = "".join(
        f"{t} Q0 {d} {rank} {len(documents) - rank} tag\n"
        for t, (_, documents) in topics.items() for rank, d in enumerate(documents, 1))
    paths = folder / "qrels.txt", folder / "run.txt"
    for path, text in zip(paths, (qrels, run)):
        path.write_text(text, encoding="utf-8")
    return paths


def our_name(family, arguments, cutoff):
    given = ", ".join(f"{name}={value}" for name, value in arguments.items())
    return f"{family}({given})" + (f"@{cutoff}" if cutoff else "")


def our_values(files, names):
    """{topic: [value of each name]}; rows come in the order of the request."""
    wanted = [argument for name in names for argument in ("-m", name)]
    values = collections.defaultdict(list)
    for topic, _, value in evaluate(*files, *wanted, "--per-topic"):
        values[topic].append(value)
    return values


# ------------------------------------------------------------------------------------------------ comparison

class Comparison:
    """Counts values, and collects the differences of each case."""

    def __init__(self):
        self.values, self.largest, self.problems = 0, 0.0, collections.defaultdict(list)

    def compare(self, case, name, ours, theirs):
        self.values += 1
        if ours is None or not math.isfinite(theirs):
            self.problems[case].append(f"{name}: cranfield {ours!r}, cwl_eval {theirs!r}")
            return
        difference = abs(ours - theirs) / max(1.0, abs(theirs))
        self.largest = max(self.largest, difference)
        if difference > TOLERANCE:
            self.problems[case].append(f"{name}: cranfield {ours!r}, cwl_eval {theirs!r}")


# ------------------------------------------------------------------------------------------------ by ir_measures

def provider_measures(ir_measures, rng):
    """[(measure of ir_measures, our family, arguments, cutoff)], with random parameters."""
    m, out = ir_measures, []
    k, p, target = rng.randint(1, 30), rng.choice([0.5, 0.8, 0.95]), rng.choice([0.5, 1.0, 2.0, 3.5])
    rel, high = rng.choice([1, 2]), rng.randint(1, 4)
    low = rng.choice([0, 0, high - 1])
    scale = {"min_rel": low, "max_rel": high}
    out.append((m.P(rel=rel) @ k, "CWL_P", {"rel": rel}, k))
    out.append((m.RR(rel=rel), "CWL_RR", {"rel": rel}, None))
    out.append((m.RBP(rel=rel, p=p), "CWL_RBP", {"rel": rel, "p": p}, None))
    out.append((m.BPM(T=target, **scale) @ k, "BPM", {"T": target, **scale}, k))
    out.append((m.NERR8(**scale) @ k, "NERR8", scale, k))
    out.append((m.NERR9(**scale) @ k, "NERR9", scale, k))
    out.append((m.NERR10(p=p, **scale), "NERR10", {"p": p, **scale}, None))
    out.append((m.NERR11(T=target, **scale), "NERR11", {"T": target, **scale}, None))
    out.append((m.INST(T=target, **scale), "INST", {"T": target, **scale}, None))
    out.append((m.INSQ(T=target, **scale), "INSQ", {"T": target, **scale}, None))
    return out


def check_provider(comparison, ir_measures, topics, rng, with_ap):
    measures = provider_measures(ir_measures, rng)
    if with_ap:
        measures.append((ir_measures.AP(rel=1), "CWL_AP", {"rel": 1}, None))
    qrels = [ir_measures.Qrel(t, d, g) for t, (judged, _) in topics.items() for d, g in judged.items()]
    run = [
        ir_measures.ScoredDoc(t, d, float(-rank))
        for t, (_, documents) in topics.items() for rank, d in enumerate(documents)]
    theirs = {}
    for row in ir_measures.cwl_eval.iter_calc([measure for measure, *_ in measures], qrels, run):
        theirs[row.query_id, row.measure] = row[2:]
    names = [
        our_name(family, {**arguments, "figure": f"'{figure}'"}, cutoff)
        for _, family, arguments, cutoff in measures for figure in FIGURES]
    with tempfile.TemporaryDirectory() as folder:
        ours = our_values(write_files(Path(folder), topics), names)
    for topic in topics:
        expected = [value for measure, *_ in measures for value in theirs[topic, measure]]
        for name, actual, value in itertools.zip_longest(names, ours[topic], expected):
            comparison.compare(topic, f"topic {topic} {name} (ir_measures)", actual, float(value))


# ------------------------------------------------------------------------------------------------ by itself

def models(rng):
    """[(metric of cwl_eval, our family, arguments, cutoff, cost)] for every model, with random parameters."""
    from cwl.ruler.cwl_ruler import CWLMetric
    from cwl.ruler.measures import cwl_ap, cwl_bpm, cwl_ift, cwl_insq, cwl_inst, cwl_nerr, cwl_npv
    from cwl.ruler.measures import cwl_precision, cwl_rbp, cwl_rr, cwl_set, cwl_tbg, cwl_umeasure

    class RepairedBpm(CWLMetric):
        """Defect 1: the dynamic model as its text has it."""

        def __init__(self, T, K, hb, hc, median):
            super().__init__()
            self.T, self.K, self.hb, self.hc, self.median = T, K, hb, hc, median

        def c_vector(self, ranking, worse_case=True):
            gains = ranking.get_gain_vector(worse_case)
            T, K, gained, vector = self.T, self.K, 0.0, numpy.zeros(len(gains))
            for at, gain in enumerate(gains):
                gained += gain
                if not (gained < T and at + 1 < K):
                    break
                vector[at] = 1.0
                T, K = T + self.hb * (gain - self.median), K + self.hc * (gain - self.median)
            return vector

    k, p, T = rng.randint(1, 30), rng.choice([0.5, 0.8, 0.95]), rng.choice([0.5, 1.0, 2.0, 3.5])
    hb, hc = rng.choice([0.0, 0.5, 1.0]), rng.choice([0.5, 1.0, 2.0])
    b1, r1, a, b2, r2 = 0.9, rng.choice([0.5, 1.0, 5.0]), rng.choice([0.1, 0.4]), 0.7, rng.choice([0.5, 2.0])
    rate, beta = rng.choice([0.0, 0.1, 1.0]), rng.choice([0.1, 0.5, 1.0])
    halflife, length, cost = rng.choice([5, 224]), rng.choice([30, 1000]), rng.choice([1.0, 4.5])
    trap = cwl_ap.TrAPCWLMetric()
    CWLMetric.__init__(trap)
    goal, pace = {"T": T, "b1": b1, "R1": r1}, {"A": a, "b2": b2, "R2": r2}
    dynamic = {"T": T, "hb": hb}
    return [
        (cwl_bpm.BPMCWLMetric(T, k), "BPM", {"T": T}, k, 1.0),
        (cwl_bpm.BPMDCWLMetric(T, k, hb, hc), "BPMDynamic", {**dynamic, "hc": 0}, k, 1.0),
        (RepairedBpm(T, k, hb, hc, 0.5), "BPMDynamic", {**dynamic, "hc": hc}, k, 1.0),
        (cwl_ap.APCWLMetric(), "CWL_AP", {}, None, 1.0),
        (trap, "CWL_TrAP", {}, None, 1.0),
        (cwl_precision.PrecisionCWLMetric(k), "CWL_P", {}, k, 1.0),
        (cwl_rbp.RBPCWLMetric(p), "CWL_RBP", {"p": p}, None, 1.0),
        (cwl_rr.RRCWLMetric(), "CWL_RR", {}, None, 1.0),
        (cwl_tbg.TBGCWLMetric(halflife), "CWL_TBG", {"halflife": halflife, "cost": cost}, None, cost),
        (cwl_umeasure.UMeasureCWLMetric(length), "CWL_U", {"L": length, "cost": cost}, None, cost),
        (cwl_ift.IFTGoalCWLMetric(T, b1, r1), "IFT", {"model": "'goal'", **goal}, None, 1.0),
        (cwl_ift.IFTRateCWLMetric(a, b2, r2), "IFT", {"model": "'rate'", **pace}, None, 1.0),
        (cwl_ift.IFTGoalRateCWLMetric(T, b1, r1, a, b2, r2), "IFT", {**goal, **pace}, None, 1.0),
        (cwl_insq.INSQCWLMetric(T), "INSQ", {"T": T}, None, 1.0),
        (cwl_inst.INSTCWLMetric(T), "INST", {"T": T}, None, 1.0),
        (cwl_nerr.NERReq8CWLMetric(k), "NERR8", {}, k, 1.0),
        (cwl_nerr.NERReq9CWLMetric(k), "NERR9", {}, k, 1.0),
        (cwl_nerr.NERReq10CWLMetric(p), "NERR10", {"p": p}, None, 1.0),
        (cwl_nerr.NERReq11CWLMetric(T), "NERR11", {"T": T}, None, 1.0),
        (cwl_npv.NPVCWLMetric(rate), "NPV", {"rate": rate}, None, 1.0),
        (cwl_set.SETCWLMetric(beta, k), "SET", {"beta": beta}, k, 1.0),
    ]


def their_figures(metric, topic, gain, cost, depth):
    """Five figures and five residuals."""
    from cwl.ruler.ranking import Ranking

    judged, documents = topic
    gains = [gain(judged[d]) if d in judged else math.nan for d in documents]
    ranking = Ranking("t", gains, [cost] * len(gains), max_cost=cost, min_cost=cost, max_n=depth)
    ranking.total_qrel_rels = float(sum(gain(grade) > 0 for grade in judged.values()))
    ranking.total_qrel_gain = sum(map(gain, judged.values()))
    metric.residuals = True
    metric.measure(ranking)
    return [*metric.get_scores(), metric.residual_expected_utility, metric.residual_expected_total_utility,
            metric.residual_expected_cost, metric.residual_expected_total_cost, metric.residual_expected_items]


def check_models(comparison, topics, rng, depth):
    high = rng.randint(0, 4)
    rel = rng.choice([1, 2])

    def gain(grade):
        return min(grade, high) / high if high else float(grade >= rel)

    chosen = [row for row in models(rng) if depth < 100 or row[1] != "CWL_AP"]
    shared = {"rel": rel, "max_rel": high, "depth": depth}
    names = [
        our_name(family, {**arguments, **shared, "figure": f"'{figure}'", "residual": residual}, cutoff)
        for _, family, arguments, cutoff, _ in chosen for residual in ("false", "true") for figure in FIGURES]
    with tempfile.TemporaryDirectory() as folder:
        ours = our_values(write_files(Path(folder), topics), names)
    for number, topic in topics.items():
        undefined = not any(gain(grade) > 0 for grade in topic[0].values())
        actual = iter(zip(names, ours[number]))
        for metric, family, _, _, cost in chosen:
            for value in their_figures(metric, topic, gain, cost, depth):
                name, mine = next(actual)
                if family == "CWL_TrAP" and undefined:
                    continue
                comparison.compare(number, f"topic {number} {name}", mine, float(value))


# ------------------------------------------------------------------------------------------------ main

def main():
    arguments = case_options(__doc__, cases=1000)
    warnings.simplefilter("ignore")
    try:
        start = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            import cwl.cwl_eval  # noqa: F401 (defect 4)
            import ir_measures
            os.chdir(start)
    except ImportError as error:
        os.chdir(start)
        print(f"skipped: {error}")
        return
    import logging

    logging.getLogger("ir_measures.cwl_eval").setLevel("ERROR")
    tally, comparison = Tally(), Comparison()
    for first in range(0, arguments.cases, BATCH):
        rng = random.Random(f"{arguments.seed}/{first}")
        by_itself = (first // BATCH) % 2 == 1
        depth = 50 if (first // BATCH) % 4 == 1 else 1000
        numbers = [f"{number:05d}" for number in range(first, min(first + BATCH, arguments.cases))]
        topics = {number: random_topic(rng, depth if by_itself else 1000, not by_itself) for number in numbers}
        if by_itself:
            check_models(comparison, topics, rng, depth)
        else:
            check_provider(comparison, ir_measures, topics, rng, False)
            few = dict(list(topics.items())[:3])
            check_provider(comparison, ir_measures, few, rng, True)
        for number in numbers:
            problems = comparison.problems[number]
            tally.check(not problems, lambda: "\n  ".join(problems[:5]))
    print(f"{comparison.values} values, largest difference {comparison.largest:.3g}")
    tally.finish(checks=arguments.cases)


if __name__ == "__main__":
    sys.exit(main())
