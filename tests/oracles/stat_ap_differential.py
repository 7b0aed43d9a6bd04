"""Randomised comparison of the estimates from prels with statAP_MQ_eval.pl.

The script is that of the Million Query track, is not in any package, and needs perl; STATAP_EVAL says where it is. A case is
one topic with random judgements, methods, probabilities and ranking. Every value must agree within 1e-9. The seed is fixed.

What the script does differently, and what is done about it here:
 1. It prints three decimals; a copy of it that prints fifteen digits is run, without the library of the web that it names.
 2. It leaves equal scores in any order; the scores of a ranking are distinct here.
 3. Precision is 0 for a ranking shorter than the cutoff; such values are not compared.
 4. Topics without a relevant document are not counted; ours are undefined.
"""

import random
import re
import tempfile
from pathlib import Path

from _support import Tally, evaluate, perl_output, perl_script

CASES = 1000
TOLERANCE = 1e-9


def random_topic(rng):
    """Lines of (document, grade, method, probability), and a ranking."""
    docs = [f"d{number:03d}" for number in rng.sample(range(1000), rng.randint(2, 80))]
    lines = [(docs[0], rng.choice([0, 1, 2]), 1, 0.5)]
    for doc in docs[1:]:
        probability = "NA" if rng.random() < 0.1 else round(rng.uniform(0.01, 1), 6)
        grade = -999 if rng.random() < 0.05 else rng.choice([0, 0, 0, 1, 2])
        if rng.random() < 0.7:
            lines.append((doc, grade, rng.choice([0, 1, 1, 1, 2, 4]), probability))
    others = [f"x{number:03d}" for number in range(rng.randint(0, 60))]
    ranked = rng.sample(docs + others, rng.randint(1, len(docs) + len(others)))
    return lines, ranked


def script_values(script, prels, run, folder):
    """The script's values by topic and name, with full precision."""
    text = script.read_text().replace("use LWP::Simple;", "")
    output = perl_output(script, text.replace('sprintf("%.3f"', 'sprintf("%.15g"'), folder, prels, run)
    values = {}
    for part in output.split("topic=")[1:]:
        topic = part.split()[0]
        for theirs, ours in (("Relevant", "statNumRel"), ("AP", "statAP"), ("Prec_at_10", "statP@10"), ("Prec_at_20", "statP@20")):
            found = re.search(rf"\b{theirs}=([0-9.eE+-]+)(?=\s)", part)
            if found:
                values[topic, ours] = float(found.group(1))
    return values


def main():
    script = perl_script("STATAP_EVAL", "statAP_MQ_eval.pl")
    rng = random.Random(20070601)
    topics = {str(case + 1): random_topic(rng) for case in range(CASES)}
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prels, run = folder / "prels", folder / "run"
        prels.write_text("".join(f"{topic} {' '.join(map(str, line))}\n" for topic, (lines, _) in topics.items() for line in lines))
        ranked = ((topic, doc, 1000 - place) for topic, (_, docs) in topics.items() for place, doc in enumerate(docs))
        run.write_text("".join(f"{topic} Q0 {doc} 0 {score} r\n" for topic, doc, score in ranked))
        theirs = script_values(script, prels, run, folder)
        measures = "statAP statP@10 statP@20 statNumRel"
        rows = evaluate(prels, run, "-m", measures, "--per-topic", "--qrels-format", "prels")
        for topic, measure, value in rows:
            if topic == "all":
                continue
            cutoff = int(measure.partition("@")[2] or 0)
            if len(topics[topic][1]) < cutoff or (topic, measure) not in theirs:
                tally.skipped += 1
                continue
            other = theirs[topic, measure]
            ok = value is not None and abs(value - other) < TOLERANCE * max(1, abs(other))
            tally.check(ok, f"{measure} of {topic}: {value}, not {other}")
    tally.finish(checks=CASES // 2)


if __name__ == "__main__":
    main()
