"""Randomised comparison of the measures of intents (D-, D#- and DIN-measures, P+Q) with pyNTCIREVAL and pyndeval.

No Python package has these measures. They are nDCG, Q-measure and P-plus of pyNTCIREVAL, applied to global gains or to each
intent, and subtopic recall of pyndeval; this program makes the global gains and weights the parts.

A case is a topic with some intents, their weights and kinds, grades from 0 to 3 by intent, and a ranking without ties of judged
and unjudged documents. Values must agree within 1e-9. The seed is fixed.

What the programs do differently, and what is done about it here:
 1. pyNTCIREVAL fails on a topic or an intent without relevant documents. Every intent has one.
 2. P-plus has no cutoff there; P+Q is compared without one.
 3. pyNTCIREVAL has levels of relevance, each with its gain; every global gain that occurs is a level of its own.
"""

import random
import tempfile
from pathlib import Path

import pyndeval
from pyNTCIREVAL import Labeler
from pyNTCIREVAL import metrics as ntcir

from _support import Tally, evaluate

CASES = 600
TOLERANCE = 1e-9
CUTOFFS = (1, 3, 10, 20)
GAMMA = 0.3


def random_topic(rng):
    """({intent: (weight, kind)}, {intent: {document: grade}}, documents in rank order)."""
    documents = [f"d{number:02d}" for number in range(rng.choice((3, 10, 40)))]
    intents, grades = {}, {}
    for intent in map(str, range(1, rng.randint(1, 5) + 1)):
        intents[intent] = (rng.choice((0.1, 0.2, 0.25, 1, 3)), rng.choice(("inf", "inf", "nav")))
        grades[intent] = {d: rng.choice((0, 0, 0, 1, 2, 3)) for d in documents if rng.random() < 0.6}
        grades[intent][rng.choice((*documents, "missed"))] = rng.randint(1, 3)
    return intents, grades, rng.sample(documents, rng.randint(1, len(documents)))


def by_levels(judged, ranked):
    """The numbers of documents by level, the gains of levels, and the ranking with levels, from gains of documents."""
    gains = sorted({gain for gain in (*judged.values(), *(gain for _, gain in ranked)) if gain > 0})
    level = {gain: at for at, gain in enumerate(gains, 1)}
    counts = Labeler({d: level.get(gain, 0) for d, gain in judged.items()}).compute_per_level_doc_num(len(gains) + 1)
    return counts, gains, [(d, level.get(gain, 0)) for d, gain in ranked]


def global_gains(intents, grades, ranking, by_kind):
    """Gains of judged documents, and of the ranking, where one document may be enough for a navigational intent."""
    total = sum(weight for weight, _ in intents.values())
    share = {intent: weight / total for intent, (weight, _) in intents.items()}
    judged = {}
    for document in sorted({d for judgements in grades.values() for d in judgements}):
        judged[document] = sum(share[i] * grades[i].get(document, 0) for i in sorted(intents))
    ranked, satisfied = [], set()
    for document in ranking:
        wanted = [i for i in sorted(intents) if i not in satisfied]
        ranked.append((document, sum(share[i] * grades[i].get(document, 0) for i in wanted)))
        if by_kind:
            satisfied |= {i for i in intents if intents[i][1] == "nav" and grades[i].get(document, 0) > 0}
    return judged, ranked, share


def expected_values(intents, grades, ranking, recall):
    """{our name: value}; `recall` has subtopic recall by cutoff."""
    judged, ranked, share = global_gains(intents, grades, ranking, by_kind=False)
    counts, gains, labelled = by_levels(judged, ranked)
    _, once, _ = global_gains(intents, grades, ranking, by_kind=True)
    din = by_levels(judged, once)
    values = {"D_Q": ntcir.QMeasure(counts, gains, 1.0).compute(labelled)}
    values["D_Q(beta=10)"] = ntcir.QMeasure(counts, gains, 10.0).compute(labelled)
    for k in CUTOFFS:
        q = ntcir.QMeasure(counts, gains, 1.0, k).compute(labelled)
        d = ntcir.MSnDCG(counts, gains, k).compute(labelled)
        jk = ntcir.nDCG(counts, gains, 2.0, k).compute(labelled)
        n = ntcir.MSnDCG(din[0], din[1], k).compute(din[2])
        values |= {f"D_Q@{k}": q, f"D_nDCG@{k}": d, f"D_nDCG(discount='jk')@{k}": jk, f"DIN_nDCG@{k}": n}
        for name, part in (("Dsharp_nDCG", d), ("Dsharp_Q", q), ("DINsharp_nDCG", n)):
            values[f"{name}(gamma={GAMMA})@{k}"] = GAMMA * recall[k] + (1 - GAMMA) * part
    values["PPlusQ"] = 0.0
    for intent in sorted(intents):
        labels = [(d, grades[intent].get(d, 0)) for d in ranking]
        counts, gains, labelled = by_levels(grades[intent], labels)
        measure = ntcir.PPlusMeasure if intents[intent][1] == "nav" else ntcir.QMeasure
        values["PPlusQ"] += share[intent] * measure(counts, gains, 1.0).compute(labelled)
    return values


def subtopic_recall(topics):
    """{topic: {cutoff: value}}, by pyndeval."""
    qrels = [
        pyndeval.SubtopicQrel(topic, intent, document, grade)
        for topic, (_, grades, _) in topics.items()
        for intent, judgements in grades.items()
        for document, grade in judgements.items()
    ]
    run = [
        pyndeval.ScoredDoc(topic, document, 1000.0 - at)
        for topic, (_, _, ranking) in topics.items()
        for at, document in enumerate(ranking)
    ]
    evaluator = pyndeval.RelevanceEvaluator(qrels, [f"strec@{k}" for k in CUTOFFS])
    return {topic: {k: row[f"strec@{k}"] for k in CUTOFFS} for topic, row in evaluator.evaluate(run).items()}


def write_files(folder, topics):
    qrels, run, weights = [], [], []
    for topic, (intents, grades, ranking) in topics.items():
        qrels += [f"{topic} {i} {d} {g}\n" for i, judgements in grades.items() for d, g in judgements.items()]
        run += [f"{topic} Q0 {d} {at} {1000 - at} tag\n" for at, d in enumerate(ranking)]
        weights += [f"{topic} {i} {weight} {kind}\n" for i, (weight, kind) in intents.items()]
    paths = folder / "qrels.txt", folder / "run.txt", folder / "intents.txt"
    for path, lines in zip(paths, (qrels, run, weights)):
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def main():
    rng = random.Random(20110724)
    topics = {str(number): random_topic(rng) for number in range(1, CASES + 1)}
    recall = subtopic_recall(topics)
    expected = {topic: expected_values(*parts, recall[topic]) for topic, parts in topics.items()}
    names = list(expected["1"])
    tally, largest = Tally(), 0.0
    with tempfile.TemporaryDirectory() as folder:
        qrels, run, intents = write_files(Path(folder), topics)
        options = [argument for name in names for argument in ("-m", name)]
        rows = evaluate(qrels, run, *options, "--per-topic", "--qrels-format", "qrels_jg", "--intents", intents)
        ours = {(topic, name): value for topic, name, value in rows}
    for topic, values in expected.items():
        for name, value in values.items():
            actual = ours.get((topic, name))
            ok = actual is not None and abs(actual - value) < TOLERANCE
            largest = max(largest, abs(actual - value)) if actual is not None else largest
            tally.check(ok, f"{name} of {topic} {topics[topic]}: {actual}, not {value}")
    print(f"{CASES} cases; largest difference {largest:.3g}")
    tally.finish(checks=30 * CASES)


if __name__ == "__main__":
    main()
