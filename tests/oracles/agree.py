"""Randomised comparison of `cranfield agree` with scikit-learn.

A case is two files of judgements: one to six topics, scales with negative grades and with gaps, documents and topics that
only one file has. Every other case merges grades into classes. Compared are the counts of the cross table
(`confusion_matrix`), agreement (`accuracy_score`), kappa without weights, linear and quadratic (`cohen_kappa_score`), overlap
(`jaccard_score`), positive and negative agreement (`f1_score`), for each topic and for all together, within 1e-9. The seeds are
fixed.

scikit-learn counts the steps of weighted kappa between the labels that it is given, so it is given the whole scale: all grades
of the compared topics, as Cranfield has it. Where a figure is undefined scikit-learn gives NaN with a warning, and Cranfield null.
"""

import bisect
import collections
import json
import math
import random
import tempfile
import warnings
from pathlib import Path

from _support import Tally, case_options, run_cranfield

TOLERANCE = 1e-9
FIGURES = ["agreement", "kappa", "kappa_lin", "kappa_quad", "overlap", "positive", "negative"]


# ------------------------------------------------------------------------------------------------ random input

def random_side(rng, documents, scale, share, bias):
    """{document: grade} of some documents; a bias makes the first grade more frequent."""
    return {
        document: scale[0] if rng.random() < bias else rng.choice(scale)
        for document in documents if rng.random() < share}


def random_case(rng):
    """({topic: grades}, {topic: grades}): the first and the second file."""
    scale = rng.choice([[0, 1], [0, 1, 2, 3], [-2, 0, 1, 4], [0, 0.5, 1], [1, 2, 3, 4, 5], [0]])
    others = rng.choice([scale, scale, [0, 1], [0, 1, 2, 3]])
    follow, bias, share = rng.choice([0, 0.3, 0.8, 1]), rng.choice([0, 0.5]), rng.choice([0.5, 0.9, 1])
    sides = {}, {}
    for topic in range(rng.randint(1, 6)):
        documents = [f"d{number}" for number in range(rng.choice([1, 2, 5, 20, 60]))]
        first = random_side(rng, documents, scale, share, bias)
        second = random_side(rng, documents, others, share, bias)
        for document in second:
            if document in first and rng.random() < follow:
                second[document] = first[document]
        for side, judged in zip(sides, (first, second)):
            if judged and rng.random() < 0.95:
                side[f"t{topic}"] = judged
    for side in sides:
        side["both"] = side.get("both") or {"d0": rng.choice(scale)}
    return sides


def write(path, side):
    lines = [f"{topic} 0 {document} {grade}\n" for topic, judged in side.items() for document, grade in judged.items()]
    path.write_text("".join(lines), encoding="utf-8")


# ------------------------------------------------------------------------------------------------ the two programs

def classes(grades, levels):
    """The places of grades on the scale: by merged classes, or among all grades."""
    if levels:
        return lambda grade: bisect.bisect_right(levels, grade), range(len(levels) + 1)
    scale = sorted(set(grades))
    return scale.index, range(len(scale))


def their_values(pairs, place, labels, level):
    """{figure: value} and the counts by (second, first), from pairs of grades (first, second)."""
    from sklearn import metrics

    first, second = ([place(pair[side]) for pair in pairs] for side in (0, 1))
    relevant = [[int(pair[side] >= level) for pair in pairs] for side in (0, 1)]
    if not pairs:
        return dict.fromkeys(FIGURES, math.nan), {}
    labels = list(labels)
    values = {"agreement": metrics.accuracy_score(first, second)}
    for name, weights in (("kappa", None), ("kappa_lin", "linear"), ("kappa_quad", "quadratic")):
        one_label = len(labels) == 1
        values[name] = math.nan if one_label else metrics.cohen_kappa_score(first, second, labels=labels, weights=weights)
    values["overlap"] = metrics.jaccard_score(*relevant) if any(map(any, relevant)) else math.nan
    for name, label in (("positive", 1), ("negative", 0)):
        values[name] = metrics.f1_score(*relevant, pos_label=label, zero_division=math.nan)
    counts = metrics.confusion_matrix(second, first, labels=labels)
    return values, {(i, j): int(counts[i][j]) for i in labels for j in labels if counts[i][j]}


def our_values(paths, arguments):
    """{(topic, measure): value}, and {topic: {(second class, first class): count}}."""
    output = run_cranfield("agree", *paths, "-q", "-f", "jsonl", "--quiet", *arguments)
    figures, counts = {}, collections.defaultdict(dict)
    for row in map(json.loads, output.splitlines()):
        if row["measure"] == "count":
            counts[row["topic"]][row["second_grade"], row["first_grade"]] = row["value"]
        elif "first_grade" not in row:
            figures[row["topic"], row["measure"]] = row["value"]
    return figures, counts


def class_names(grades, levels):
    """Names of the classes as `agree` prints them, by place."""
    if not levels:
        return [f"{grade:g}" for grade in sorted(set(grades))]
    between = [f"{low:g} to <{high:g}" for low, high in zip(levels, levels[1:])]
    return [f"<{levels[0]:g}", *between, f">={levels[-1]:g}"]


# ------------------------------------------------------------------------------------------------ comparison

def same(ours, theirs):
    if ours is None or math.isnan(theirs):
        return ours is None and math.isnan(theirs)
    return abs(ours - theirs) <= TOLERANCE


def check(rng, folder):
    """The problems of one case, the number of values compared, and how many of them were defined."""
    sides = random_case(rng)
    paths = folder / "first.qrels", folder / "second.qrels"
    for path, side in zip(paths, sides):
        write(path, side)
    levels = rng.choice([[], [], [1], [0.5, 2]])
    level = rng.choice([1, 1, 2, 0])
    arguments = ["--level", level] + (["--merge", ",".join(map(str, levels))] if levels else [])
    figures, counts = our_values(paths, arguments)
    first, second = sides
    common = sorted(first.keys() & second.keys())
    grades = [grade for side in sides for topic in common for grade in side[topic].values()]
    place, labels = classes(grades, levels)
    names = class_names(grades, levels)
    pairs = {topic: [(first[topic][d], second[topic][d]) for d in first[topic] if d in second[topic]] for topic in common}
    pairs["all"] = [pair for topic in common for pair in pairs[topic]]
    problems, compared, defined = [], 0, 0
    for topic, judged in pairs.items():
        values, cells = their_values(judged, place, labels, level)
        for figure in FIGURES:
            ours = figures[topic, figure]
            compared, defined = compared + 1, defined + (ours is not None)
            if not same(ours, float(values[figure])):
                problems.append(f"{topic} {figure}: cranfield {ours!r}, scikit-learn {values[figure]!r}")
        expected = {(names[i], names[j]): count for (i, j), count in cells.items()}
        apart = ("total", "unjudged")
        mine = {key: n for key, n in counts[topic].items() if n and key[0] not in apart and key[1] not in apart}
        compared += len(expected)
        if mine != expected:
            problems.append(f"{topic} counts: cranfield {mine!r}, scikit-learn {expected!r}")
    return problems, compared, defined


def main():
    arguments = case_options(__doc__, cases=600)
    warnings.simplefilter("ignore")
    tally, compared, defined = Tally(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(arguments.cases):
            problems, count, of_them = check(random.Random(f"{arguments.seed} {case}"), Path(folder))
            compared, defined = compared + count, defined + of_them
            tally.check(not problems, lambda case=case, problems=problems: f"case {case}: " + "; ".join(problems[:3]))
    print(f"agree: {compared} values compared with scikit-learn, {defined} figures of them defined")
    tally.finish(checks=arguments.cases)


if __name__ == "__main__":
    main()
