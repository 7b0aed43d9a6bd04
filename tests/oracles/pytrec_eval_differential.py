"""Randomised comparison of `cranfield eval --profile trec_eval-9` with pytrec-eval-terrier.

A case is a small random qrels and run of one to four topics. Many cases share one pair of files, because a
topic's values do not depend on the other topics; the topic ids start with the number of the case. Every value of
every topic must agree within 1e-9, and so must the aggregates of each call. The seeds are fixed.

What pytrec_eval does differently or wrongly, and what is done about it here:
 1. `runid` and `relstring` are texts; pytrec_eval returns 0.0 for them. They are requested, not compared.
 2. `num_q` is 1.0 for each topic. Compared as the aggregate: the number of topics.
 3. `gm_map`, `gm_bpref` per topic are ln(max(value, 0.00001)). Compared with ours after exp.
 4. A topic whose judgements are all negative is computed with the grade counts of the topic before it, and the
    process crashes if all are below -1. Its copy of such a topic gets one unretrieved document of grade 0,
    which changes no value.
 5. An empty ranking gives 0/0 (nan) for `iprec_at_recall` at recall 0 and for `11pt_avg`. Ours may be
    0 or undefined there; aggregates with a nan in them are not compared.
 6. Parameters go through a set and are sorted as texts, so the four coefficients of `utility` must differ and
    ascend as texts, and gains (`ndcg.1=3`) cannot be given at all.
 7. `set_F`, `utility` and `11pt_avg` lose their parameters in the printed name.
 8. Topics of the qrels without any judgement are dropped; they cannot be written as TREC files either.
 9. Relevance levels below 1 are refused.
"""

import argparse
import collections
import math
import random
import sys
import tempfile
from pathlib import Path

import numpy
import pytrec_eval

from _support import Tally, evaluate, run_cranfield

TOLERANCE = 1e-9
BATCH = 100
TEXT_MEASURES = {"runid", "relstring"}
DEFAULTS = {name: name for name in sorted(pytrec_eval.supported_measures)}

# Parameters for the measures that take them; batches take turns. Each list ascends as text (defect 6).
PARAMETERS = [
    {"cut": "1,2,3,7,17,333", "recall": "0.05,0.25,0.33,0.75", "mult": "0.15,0.5,1.3", "F": "0.3",
     "utility": "0.5,1,2,3", "points": "0.2,0.5,0.8"},
    {"cut": "4,11,50,2000,100000", "recall": "0.01,0.15,0.7,0.99", "mult": "0.1,0.7,3", "F": "2",
     "utility": "0,1.5,2.25,7", "points": "0,0.45,0.9,1"},
    {"cut": "6,9,12,99,1001", "recall": "0.35,0.55,0.95,1.5", "mult": "0.05,0.9,10", "F": "1.1",
     "utility": "1,2,3,4", "points": "0.1,0.6"},
]
CUTOFF_MEASURES = ["P", "recall", "ndcg_cut", "map_cut", "relative_P", "success"]

# One call of each program per batch: the name, our options, the judged-only flag of pytrec_eval, the level.
Setting = collections.namedtuple("Setting", "name options judged_only level parameters topics")
SETTINGS = [
    Setting("level 1", [], False, 1, False, "both"),
    Setting("level 2", ["--level", "2"], False, 2, False, "both"),
    Setting("level 3", ["--level", "3"], False, 3, False, "both"),
    Setting("parameters", [], False, 1, True, "both"),
    Setting("parameters, level 2", ["--level", "2"], False, 2, True, "both"),
    Setting("judged topics", [], False, 1, False, "judged"),
    Setting("judged documents", ["--unjudged", "condensed"], True, 1, False, "both"),
]

ODD_DOCIDS = [
    "a", "aa", "aaa", "aB", "Ab", "A", "-", "-1", "0", "00", "1e5", "#hash", "x#y", "%s", "a,b", "'q'", '"q"', "\\n",
    "é", "e\u0301", "中文", "a\u00a0b", "\u3000", "\U0001f50e", "NaN", "Q0", "ceci_nest_pas_un_docno", "d" * 200,
    "d" * 199 + "e", "http://example.org/?a=1&b=2", "{}", "[1]",
]


# ------------------------------------------------------------------------------------------------ random input

def random_docids(rng, count):
    """Distinct document ids of one style, sometimes mixed with odd ones."""
    style = rng.choice(["D{}", "{}", "{:06d}", "FT911-{}", "msmarco_passage_41_{}"])
    numbers = rng.sample(range(10 * count + 10), count)
    docids = [style.format(number) for number in numbers]
    if rng.random() < 0.4:
        odd = rng.sample(ODD_DOCIDS, min(count, rng.randint(1, len(ODD_DOCIDS))))
        docids = odd + docids[len(odd):]
    return docids


def plain_score(rng):
    return f"{rng.uniform(-5, 30):.6f}"


def tied_score(rng):
    return str(rng.randint(1, 4))


def near_score(rng):
    """Differs in f64 and often not in f32, around one and around 2^24."""
    if rng.random() < 0.5:
        return repr(1 + rng.randint(0, 40) * rng.choice([1e-9, 3e-8, 6e-8]))
    return str(16777216 + rng.randint(0, 12))


def wide_score(rng):
    """Exponents beyond the range of f32 on both sides: they become 0 or infinite there, and tie."""
    return f"{rng.choice(['', '-'])}{rng.randint(1, 9)}.{rng.randint(0, 99)}e{rng.randint(-60, 60)}"


def spelled_score(rng):
    """The same few numbers, written in many ways."""
    return rng.choice(["+1.5", "1.5", "15e-1", "0.15E+1", ".5", "0.5", "5e-1", "5.", "5", "-0", "0", "0.0", "-2", "-2.0"])


def binary_grade(rng):
    return rng.choice([0, 0, 1])


def graded(rng):
    return rng.choice([0, 0, 0, 1, 2, 3, 4])


def negative_grade(rng):
    return rng.choice([-3, -2, -1, 0, 1, 2])


def only_negative(rng):
    return rng.choice([-1, -2, -3])


def never_relevant(_rng):
    return 0


def sparse_grade(rng):
    return rng.choice([0, 1, 7, 12, 300])


SCORES = [plain_score, plain_score, tied_score, near_score, wide_score, spelled_score, lambda _rng: "1"]
GRADES = [binary_grade, graded, graded, negative_grade, negative_grade, sparse_grade, never_relevant, only_negative]


def random_size(rng):
    low, high = rng.choices([(1, 8), (10, 60), (100, 300), (1100, 1500)], weights=[40, 45, 14, 1])[0]
    return rng.randint(low, high)


def random_topic(rng):
    """({docid: grade}, {docid: score text}); one of the two may be empty, then the topic is missing there."""
    docids = random_docids(rng, random_size(rng))
    score, grade = rng.choice(SCORES), rng.choice(GRADES)
    share = rng.choice([0.1, 0.5, 0.9, 1.0])
    judged = {docid: grade(rng) for docid in docids if rng.random() < share}
    share = rng.choice([0.1, 0.5, 0.9, 1.0])
    retrieved = {docid: score(rng) for docid in docids if rng.random() < share}
    missing = rng.random()
    return ({} if missing < 0.05 else judged), ({} if 0.05 <= missing < 0.12 else retrieved)


def random_case(seed, number):
    """{topic id: (judged, retrieved)} of one case; the same for the same seed and number, whatever else is made."""
    rng = random.Random(f"{seed}/{number}")
    suffixes = rng.sample(["1", "2", "10", "a", "é", "#x", "001"], rng.randint(1, 4))
    return {f"{number:05d}-{suffix}": random_topic(rng) for suffix in suffixes}


# ------------------------------------------------------------------------------------------------ the two programs

def write_files(folder, topics, rng):
    """Write qrels and run; layout, order of lines and the rank column are random and must not matter."""
    space = rng.choice([" ", "\t", "  "])
    end = rng.choice(["\n", "\n", "\r\n"])
    qrels = [(t, "0", d, str(g)) for t, (judged, _) in topics.items() for d, g in judged.items()]
    run = [(t, "Q0", d, str(rng.randint(0, 9)), s, "tag") for t, (_, got) in topics.items() for d, s in got.items()]
    if rng.random() < 0.5:
        rng.shuffle(qrels)
        rng.shuffle(run)
    paths = folder / "qrels.txt", folder / "run.txt"
    for path, lines in zip(paths, (qrels, run)):
        path.write_bytes("".join(space.join(line) + end for line in lines).encode("utf-8"))
    return paths


def requests(setting, batch):
    """{request: name that pytrec_eval returns}, the same requests for both programs."""
    if not setting.parameters:
        return DEFAULTS
    p = PARAMETERS[batch % len(PARAMETERS)]
    wanted = {f"{name}.{p['cut']}": name for name in CUTOFF_MEASURES}
    wanted |= {f"iprec_at_recall.{p['recall']}": "iprec_at_recall", f"Rprec_mult.{p['mult']}": "Rprec_mult"}
    return wanted | {f"set_F.{p['F']}": "set_F", f"utility.{p['utility']}": "utility", f"11pt_avg.{p['points']}": "11pt_avg"}


def our_name(name, wanted):
    """The name that trec_eval and we print for what pytrec_eval calls `name` (defect 7)."""
    for request, base in wanted.items():
        if base == name and "." in request:
            return request.replace(".", "_", 1)
    return name


def padded(judged):
    """The judgements as pytrec_eval may safely see them (defect 4)."""
    if judged and max(judged.values()) < 0:
        return judged | {"\x7fpadding": 0}
    return judged


def expected_values(topics, setting, wanted):
    """{topic: {our name: value}} from pytrec_eval."""
    qrels = {topic: padded(judged) for topic, (judged, _) in topics.items() if judged}
    run = {t: {d: float(s) for d, s in got.items()} for t, (_, got) in topics.items()}
    if setting.topics == "both":
        run = {topic: ranking for topic, ranking in run.items() if ranking}
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, set(wanted), relevance_level=setting.level, judged_docs_only_flag=setting.judged_only)
    result = evaluator.evaluate(run)
    return {t: {our_name(m, wanted): v for m, v in values.items()} for t, values in result.items()}


def actual_values(files, setting, wanted):
    """{topic: {name: value}} from cranfield; the aggregates are under the topic `all`."""
    options = ["--profile", "trec_eval-9", "--topics", setting.topics, "--per-topic", *setting.options]
    measures = [argument for request in wanted for argument in ("-m", request)]
    values = collections.defaultdict(dict)
    for topic, measure, value in evaluate(*files, *measures, *options):
        values[topic][measure] = value
    return values


# ------------------------------------------------------------------------------------------------ comparison

class Comparison:
    """Collects differences by case, the largest one, and how many values were compared."""

    def __init__(self):
        self.largest = 0.0
        self.values = 0
        self.undefined = 0
        self.problems = collections.defaultdict(list)

    def agree(self, ours, theirs):
        """Whether two values agree; a value that is missing or not a number never agrees with a number."""
        self.values += 1
        if math.isnan(theirs):
            self.undefined += 1
            return ours is None or ours == 0 or (isinstance(ours, float) and math.isnan(ours))
        if not isinstance(ours, (int, float)) or math.isnan(ours):
            return False
        self.largest = max(self.largest, abs(ours - theirs))
        return abs(ours - theirs) <= TOLERANCE

    def compare(self, key, measure, ours, theirs, where):
        if not self.agree(ours, theirs):
            self.problems[key].append(f"{where} {measure}: cranfield {ours!r}, pytrec_eval {theirs!r}")

    def topic(self, case, topic, ours, theirs, setting):
        for measure, value in theirs.items():
            if measure in TEXT_MEASURES or measure == "num_q":
                continue
            actual = ours.get(measure)
            if measure.startswith("gm_"):
                value = math.exp(value)
                actual = actual if actual is None else max(actual, 0.00001)
            self.compare(case, measure, actual, value, f"[{setting.name}] topic {topic}")

    def aggregates(self, key, ours, theirs, setting):
        """The `all` values; `theirs` is {topic: {measure: value}}."""
        for measure in next(iter(theirs.values())):
            column = [values[measure] for values in theirs.values()]
            if measure in TEXT_MEASURES or any(map(math.isnan, column)):
                continue
            expected = pytrec_eval.compute_aggregated_measure(measure, column)
            self.compare(key, measure, ours.get(measure), expected, f"[{setting.name}] aggregate")


def compare_batch(comparison, tally, seed, batch, cases, settings):
    topics = {topic: content for number in cases for topic, content in random_case(seed, number).items()}
    with tempfile.TemporaryDirectory() as folder:
        files = write_files(Path(folder), topics, random.Random(f"{seed}/layout/{batch}"))
        for setting in settings:
            compare_setting(comparison, tally, topics, files, setting, batch)
    for number in cases:
        problems = comparison.problems.pop(number, [])
        tally.check(not problems, f"case {number}: {len(problems)} differences, first: {''.join(problems[:1])}")


def compare_setting(comparison, tally, topics, files, setting, batch):
    wanted = requests(setting, batch)
    theirs = expected_values(topics, setting, wanted)
    ours = actual_values(files, setting, wanted)
    aggregates = ours.pop("all", {})
    for topic in sorted(theirs.keys() | ours.keys()):
        case = int(topic.partition("-")[0])
        if topic in theirs and topic in ours:
            comparison.topic(case, topic, ours[topic], theirs[topic], setting)
        else:
            only = "pytrec_eval" if topic in theirs else "cranfield"
            comparison.problems[case].append(f"[{setting.name}] topic {topic} is evaluated by {only} only")
    key = f"aggregates of batch {batch}"
    comparison.aggregates(key, aggregates, theirs, setting)
    problems = comparison.problems.pop(key, [])
    tally.check(not problems, f"{key}: {len(problems)} differences, first: {''.join(problems[:1])}")


def available_settings(tally):
    """All settings, less those whose option the binary does not have; each of these is said and counted."""
    known = run_cranfield("eval", "--help")
    missing = [s for s in SETTINGS if any(o.startswith("--") and o not in known for o in s.options)]
    for setting in missing:
        print(f"skipped: [{setting.name}], the binary has no {setting.options[0]}")
    tally.skipped += len(missing)
    return [setting for setting in SETTINGS if setting not in missing]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2400, help="number of random cases (default: 2400)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case (default: 0)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cases (default: 1)")
    arguments = parser.parse_args()

    comparison, tally = Comparison(), Tally()
    settings = available_settings(tally)
    numbers = range(arguments.first, arguments.first + arguments.cases)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start:start + BATCH]
        compare_batch(comparison, tally, arguments.seed, batch[0] // BATCH, batch, settings)
    print(f"pytrec-eval-terrier {pytrec_eval.__version__}, numpy {numpy.__version__}, seed {arguments.seed}")
    print(f"{len(numbers)} cases, {len(settings)} settings, {comparison.values} values compared"
          f" ({comparison.undefined} undefined), largest difference {comparison.largest:.3g}")
    tally.finish(checks=len(numbers))


if __name__ == "__main__":
    sys.exit(main())
