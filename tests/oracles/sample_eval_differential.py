"""Randomised comparison of the estimates from stratified samples with sample_eval.pl.

The script is NIST's, is not in any package, and needs perl; SAMPLE_EVAL says where it is. A case is one topic with a random
pool, strata, sample and ranking. Every value must agree within 1e-9. The seed is fixed.

What the script does differently, and what is done about it here:
 1. It prints four decimals; a copy of it that prints fifteen digits is run.
 2. It looks at the first 1000 documents; rankings are shorter here.
 3. It does not round estimated numbers of documents by grade, but goes on from broken ranks; nDCG is compared only where
    the numbers are whole.
 4. A version of 2012 scales the average precision where more than 1000 documents are estimated to be relevant; pools are
    smaller here.
 5. A topic without a relevant document has the value 0; ours is undefined.
"""

import random
import re
import tempfile
from fractions import Fraction
from pathlib import Path

from _support import Tally, evaluate, perl_output, perl_script

CASES = 1200
TOLERANCE = 1e-9

# Our name, and the script's.
MEASURES = {
    "xinfAP": "infAP",
    "infNDCG": "infNDCG",
    "iP@10": "iP10",
    "iP@1000": "iP1000",
    "iNumRelRet": "inum_rel_ret",
    "iNumRel": "inum_rel",
}


def random_topic(rng):
    """A pool of (document, stratum, grade), and a ranking."""
    docs = [f"d{number:03d}" for number in rng.sample(range(1000), rng.randint(1, 60))]
    strata = rng.randint(1, 4)
    rates = [rng.choice([1.0, 0.5, 0.25]) for _ in range(strata)]
    pool = []
    for doc in docs:
        stratum = rng.randrange(strata)
        drawn = rng.random() < rates[stratum]
        pool.append((doc, stratum, rng.choice([0, 0, 1, 2, 3]) if drawn else -1))
    others = [f"x{number:03d}" for number in range(rng.randint(0, 20))]
    ranked = rng.sample(docs + others, rng.randint(1, len(docs) + len(others)))
    scores = [rng.randint(0, 40) / 4 for _ in ranked]
    return pool, list(zip(ranked, scores))


def is_whole(pool):
    """Whether the estimated number of documents of every grade is a whole number."""
    estimated = {}
    for stratum in {stratum for _, stratum, _ in pool}:
        grades = [grade for _, other, grade in pool if other == stratum]
        judged = [grade for grade in grades if grade >= 0]
        for grade in judged:
            estimated[grade] = estimated.get(grade, 0) + Fraction(len(grades), len(judged))
    return all(number.denominator == 1 for grade, number in estimated.items() if grade > 0)


def script_values(script, qrels, run, folder):
    """The script's values by topic and name, with full precision."""
    text = re.sub(r"%\d+\.4f", "%.15g", script.read_text())
    output = perl_output(script, text, folder, qrels, run)
    rows = (line.split() for line in output.splitlines())
    return {(row[1], row[0]): float(row[2]) for row in rows if len(row) == 3}


def main():
    script = perl_script("SAMPLE_EVAL", "sample_eval.pl")
    rng = random.Random(20080720)
    topics = {str(case + 1): random_topic(rng) for case in range(CASES)}
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        qrels, run = folder / "qrels", folder / "run"
        pools = ((topic, *line) for topic, (pool, _) in topics.items() for line in pool)
        qrels.write_text("".join(f"{topic} 0 {doc} {stratum} {grade}\n" for topic, doc, stratum, grade in pools))
        lines = ((topic, *line) for topic, (_, ranking) in topics.items() for line in ranking)
        run.write_text("".join(f"{topic} Q0 {doc} 0 {score} r\n" for topic, doc, score in lines))
        theirs = script_values(script, qrels, run, folder)
        rows = evaluate(qrels, run, "-m", " ".join(MEASURES), "--per-topic", "--qrels-format", "strata")
        for topic, measure, value in rows:
            if topic == "all" or (topic, MEASURES[measure]) not in theirs:
                continue
            pool, _ = topics[topic]
            if measure == "infNDCG" and not is_whole(pool):
                tally.skipped += 1
                continue
            other = theirs[topic, MEASURES[measure]]
            relevant = any(grade > 0 for _, _, grade in pool)
            ok = (value is None and other == 0 and not relevant) or (value is not None and abs(value - other) < TOLERANCE)
            tally.check(ok, f"{measure} of {topic}: {value}, not {other}")
    tally.finish(checks=CASES // 2)


if __name__ == "__main__":
    main()
