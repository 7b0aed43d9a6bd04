"""Randomised comparison of the diversity measures with pyndeval, through ir_measures.

A case is one topic with random subtopics, judgements and ranking. Every value must agree within 1e-9. The seed is fixed.

What pyndeval and ir_measures do differently or wrongly, and what is done about it here:
 1. Cutoffs above 20 are refused; none is asked for.
 2. At a cutoff of 1, `alpha_DCG` and `ERR_IA` are not divided; they are asked for from 2 on. `alpha_nDCG` and `nERR_IA` are
    right, since both of their parts lack the same divisor.
 3. Equal scores are ordered by ascending document id; the scores of a ranking are distinct here.
 4. A topic without a relevant document has the value 0; ours is undefined.
 5. `ERR_IA` and `nERR_IA` have no parameter alpha; it is 0.5.
 6. Several measures in one call exhaust the iterator of the run; each is asked for alone.
"""

import random
import tempfile
from pathlib import Path

import ir_measures
from ir_measures import AP_IA, ERR_IA, NRBP, P_IA, Qrel, ScoredDoc, StRecall, alpha_DCG, alpha_nDCG, nERR_IA, nNRBP

from _support import Tally, evaluate

CASES = 600
TOLERANCE = 1e-9


def measures():
    """Pairs of our name and the measure of ir_measures."""
    yield "AP_IA", AP_IA
    for name, measure in (("NRBP", NRBP), ("nNRBP", nNRBP)):
        yield name, measure
        yield f"{name}(rel=2)", measure(rel=2)
        yield f"{name}(alpha=0.3, beta=0.8)", measure(alpha=0.3, beta=0.8)
    for cutoff in (1, 2, 3, 5, 10, 20):
        yield f"P_IA@{cutoff}", P_IA @ cutoff
        yield f"StRecall@{cutoff}", StRecall @ cutoff
        yield f"nERR_IA@{cutoff}", nERR_IA @ cutoff
        yield f"nERR_IA(rel=2)@{cutoff}", nERR_IA(rel=2) @ cutoff
        for alpha in (0.5, 0.1, 0.9, 1.0):
            yield f"alpha_nDCG(alpha={alpha})@{cutoff}", alpha_nDCG(alpha=alpha) @ cutoff
        if cutoff > 1:
            yield f"ERR_IA@{cutoff}", ERR_IA @ cutoff
            for alpha in (0.5, 0.1, 0.9):
                yield f"alpha_DCG(alpha={alpha})@{cutoff}", alpha_DCG(alpha=alpha) @ cutoff


def random_topic(rng, topic):
    """Judgements by subtopic, and a ranking."""
    docs = [f"d{number:03d}" for number in rng.sample(range(1000), rng.randint(1, 40))]
    qrels = []
    for subtopic in range(rng.randint(1, 6)):
        judged = rng.sample(docs, rng.randint(1, len(docs)))
        grades = rng.choices((0, 1, 2), (6, 2, 2), k=len(judged))
        qrels += [Qrel(topic, doc, grade, str(subtopic + 1)) for doc, grade in zip(judged, grades)]
    ranked = rng.sample(docs, rng.randint(1, len(docs)))
    return qrels, [ScoredDoc(topic, doc, float(100 - place)) for place, doc in enumerate(ranked)]


def main():
    rng = random.Random(20090909)
    qrels, run = [], []
    for case in range(CASES):
        judgements, ranking = random_topic(rng, str(case + 1))
        qrels += judgements
        run += ranking
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        qrels_file, run_file = Path(folder) / "qrels", Path(folder) / "run"
        qrels_file.write_text("".join(f"{q.query_id} {q.iteration} {q.doc_id} {q.relevance}\n" for q in qrels))
        run_file.write_text("".join(f"{s.query_id} Q0 {s.doc_id} 0 {s.score} r\n" for s in run))
        for name, measure in measures():
            level = 2 if "rel=2" in name else 1
            defined = {judgement.query_id for judgement in qrels if judgement.relevance >= level}
            expected = {value.query_id: value.value for value in ir_measures.iter_calc([measure], list(qrels), list(run))}
            rows = evaluate(qrels_file, run_file, "-m", name, "--per-topic", "--qrels-format", "qrels_jg")
            ours = {topic: value for topic, _, value in rows}
            for topic in sorted(defined):
                value, other = ours.get(topic), expected[topic]
                ok = value is not None and abs(value - other) < TOLERANCE
                tally.check(ok, f"{name} of {topic}: {value}, not {other}")
    tally.finish(checks=40 * CASES)


if __name__ == "__main__":
    main()
