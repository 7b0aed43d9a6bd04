"""Measures of the user: functions and expressions, by hand-computed values and against measures that Cranfield has."""

from __future__ import annotations

import math
import pickle
import random
from pathlib import Path
from typing import Any

import pytest

import cranfield
from cranfield import Context, CustomMeasure, Expression, custom_measure, evaluate

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 2, "d4": 1}}
RUN = {"q1": {"d2": 2.0, "d1": 1.0}, "q2": {"d4": 3.0, "d9": 2.0, "d3": 1.0}}


def precision_at_2(topic: str, grades: list[float | None], context: Context) -> float:
    return sum((grade or 0) >= 1 for grade in grades[:2]) / 2


def reciprocal_rank(topic: str, grades: list[float | None], context: Context) -> float | None:
    if context.relevant() == 0:
        return None
    ranks = (rank for rank, grade in enumerate(grades, 1) if (grade or 0) >= 1)
    return next((1 / rank for rank in ranks), 0.0)


def average_precision(topic: str, grades: list[float | None], context: Context) -> float | None:
    if context.relevant() == 0:
        return None
    found, total = 0, 0.0
    for rank, grade in enumerate(grades, 1):
        if (grade or 0) >= 1:
            found += 1
            total += found / rank
    return total / context.relevant()


def test_what_a_function_sees() -> None:
    seen: dict[str, Any] = {}

    @custom_measure("Seen")
    def look(topic: str, grades: list[float | None], context: Context) -> float:
        seen[topic] = (list(grades), context)
        grades.clear()
        context.documents.clear()
        return 1

    evaluation = evaluate({**QRELS, "q3": {"d1": 1}}, {"mine": RUN}, [look, look_again])
    assert evaluation.to_dict() == {"mine": {"Seen": 1.0, "Again": 2.0}}
    grades, context = seen["q2"]
    assert grades == [1.0, None, 2.0]
    assert context.run == "mine" and context.judgements == {"d3": 2, "d4": 1}
    assert context.relevant() == 2 and context.relevant(2) == 1
    # A topic that the run lacks is an empty ranking, as it is for other measures.
    assert seen["q3"][0] == []


def _again(topic: str, grades: list[float | None], context: Context) -> float:
    return 2.0 if topic == "q3" or len(grades) == len(context.documents) > 0 else 0.0


look_again = CustomMeasure("Again", _again)


def test_functions_stand_beside_other_measures() -> None:
    own = CustomMeasure("myP@2", precision_at_2)
    evaluation = evaluate(QRELS, RUN, ["RR", own, "P@2 AP"])
    assert evaluation.measures == ["RR", "myP@2", "P@2", "AP"]
    assert evaluation.values("run", "myP@2") == evaluation.values("run", "P@2") == [0.5, 0.5]
    assert evaluation["run", "myP@2"] == 0.5
    assert evaluation.to_columns()["myP@2"] == [0.5]
    for text in (evaluation.to_text(), evaluation.to_latex(), evaluation.to_html(), evaluation.to_csv()):
        assert "myP@2" in text
    assert evaluate(QRELS, RUN, [own]).to_dict() == {"run": {"myP@2": 0.5}}


@pytest.mark.parametrize("seed", range(20))
def test_functions_give_the_numbers_of_measures(seed: int) -> None:
    choose = random.Random(seed)
    qrels, run = random_case(choose)
    options: dict[str, Any] = choose.choice(
        [{}, {"ties": "docid-asc"}, {"unjudged": "condensed"}, {"depth": 3}, {"topics": "both"}, {"undefined": "skip"}]
    )
    pairs = {"AP": average_precision, "RR": reciprocal_rank, "P@2": precision_at_2}
    measures = [CustomMeasure(f"my{name}", function) for name, function in pairs.items()]
    evaluation = evaluate(qrels, run, [*pairs, *measures], **options)
    for name in pairs:
        mine, theirs = evaluation.values("run", f"my{name}"), evaluation.values("run", name)
        assert mine == pytest.approx(theirs, abs=1e-12), (name, options)
        total = evaluation["run", f"my{name}"]
        assert total == pytest.approx(evaluation["run", name], abs=1e-12)


def random_case(choose: random.Random) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    documents = [f"d{n}" for n in range(9)]
    topics = [f"q{n}" for n in range(6)]
    qrels = {topic: {d: choose.choice([0, 0, 1, 2]) for d in choose.sample(documents, 5)} for topic in topics}
    run = {
        topic: {d: choose.choice([1.0, 2.0, 2.5, 3.0]) for d in choose.sample(documents, choose.randint(1, 9))}
        for topic in choose.sample([*topics, "other"], 6)
    }
    return qrels, run


def test_undefined_values() -> None:
    qrels = {"q1": {"d1": 1}, "q2": {"d1": 0}}
    run = {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}}
    own = CustomMeasure("myRR", reciprocal_rank)
    evaluation = evaluate(qrels, run, [own])
    assert evaluation.values("run", "myRR") == [1.0, None]
    assert evaluation["run", "myRR"] == 0.5
    assert evaluate(qrels, run, [own], undefined="skip")["run", "myRR"] == 1.0
    lower = CustomMeasure("Cost", reciprocal_rank, higher_is_better=False)
    # Where less is better, an undefined value is never the best of all.
    assert evaluate(qrels, run, [lower])["run", "Cost"] == 1.0


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda topic, grades, context: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda topic, grades, context: "high", "returned a str"),
        (lambda topic, grades, context: math.nan, "returned nan"),
        (lambda topic, grades, context: math.inf, "returned inf"),
        (lambda topic: 1.0, "TypeError"),
    ],
)
def test_what_a_function_does_wrong_is_told_with_its_topic(function: Any, text: str) -> None:
    with pytest.raises(cranfield.MeasureError, match=text) as raised:
        evaluate(QRELS, {"mine": RUN}, [CustomMeasure("Mine", function)])
    assert str(raised.value).startswith("measure `Mine`, run `mine`, topic `q1`: ")
    assert isinstance(raised.value, ValueError)
    if "Error" in text:
        assert raised.value.__cause__ is not None


def test_refused() -> None:
    own = CustomMeasure("Mine", precision_at_2)
    for ties in ("expected", "bounds", "best"):
        with pytest.raises(cranfield.UsageError, match="one ranking"):
            evaluate(QRELS, RUN, [own], ties=ties)
    with pytest.raises(cranfield.UsageError, match="unjudged"):
        evaluate(QRELS, RUN, [own], unjudged="relevant")
    with pytest.raises(cranfield.UsageError, match="two measures"):
        evaluate(QRELS, RUN, [own, own])
    with pytest.raises(cranfield.UsageError, match="two measures"):
        evaluate(QRELS, RUN, ["AP", CustomMeasure("AP", precision_at_2)])
    with pytest.raises(cranfield.UsageError, match="Evaluator"):
        cranfield.Evaluator(QRELS, [own])
    for name in ("", " AP", "a\nb"):
        with pytest.raises(cranfield.UsageError, match="not a valid name"):
            CustomMeasure(name, precision_at_2)
    with pytest.raises(cranfield.UsageError, match="cannot be called"):
        CustomMeasure("Mine", 3)  # type: ignore[arg-type]


def test_files(toy: Path) -> None:
    qrels, runs = toy / "qrels.txt", sorted((toy / "runs").glob("*.run"))
    names = ["AP", CustomMeasure("myAP", average_precision), "0.5*AP + 0.5*RR"]
    evaluation = evaluate(qrels, runs, names)
    assert evaluation.runs == evaluate(qrels, runs, "AP").runs
    assert evaluate(qrels, [toy / "runs"], names).to_dict() == evaluation.to_dict()
    for run in evaluation.runs:
        assert evaluation.values(run, "myAP") == pytest.approx(evaluation.values(run, "AP"), abs=1e-12)


def test_expressions() -> None:
    # By hand: RR is 1/2 and 1, P@1 is 0 and 1.
    for text, expected in {
        "0.5*P@1 + 0.5*RR": [0.25, 1.0],
        "RR - P@1": [0.5, 0.0],
        "-RR*2": [-1.0, -2.0],
        "(RR + P@1) / 2": [0.25, 1.0],
        "2*(RR - P@1)/4": [0.25, 0.0],
        "1 - P(rel=1)@1": [1.0, 0.0],
        "RR/P@1": [None, 1.0],
        "RR*1e-1 + .5": [0.55, 0.6],
        "8/2/2 + 0*RR": [2.0, 2.0],
        "1 - 2 - 3 + 0*RR": [-4.0, -4.0],
    }.items():
        evaluation = evaluate(QRELS, RUN, text)
        assert evaluation.measures == [text]
        assert evaluation.values("run", text) == pytest.approx(expected), text
    named = evaluate(QRELS, RUN, ["AP", Expression("RR*RR", name="RR2"), "P@1"])
    assert named.measures == ["AP", "RR2", "P@1"] and named.values("run", "RR2") == [0.25, 1.0]
    spaced = Expression("  RR  +\t0*P@1 ")
    assert spaced.name == "RR + 0*P@1" and spaced.parts == ("RR", "P@1")
    assert pickle.loads(pickle.dumps(spaced)) == spaced


@pytest.mark.parametrize("seed", range(20))
def test_expressions_are_arithmetic(seed: int) -> None:
    choose = random.Random(seed)
    qrels, run = random_case(choose)
    options: dict[str, Any] = choose.choice([{}, {"ties": "expected"}, {"profile": "trec_eval"}, {"level": 2}])
    weights = [round(choose.uniform(-2, 2), 3) for _ in range(3)]
    parts = choose.sample(["AP", "nDCG@5", "P@3", "RR", "R@4", "RBP(p=0.5)", "ERR@3"], 3)
    text = " + ".join(f"{weight}*{part}" for weight, part in zip(weights, parts, strict=True))
    single = evaluate(qrels, run, parts, **options)
    columns = [single.values("run", name) for name in single.measures]
    found = evaluate(qrels, run, [text], **options).values("run", text)
    for place, value in enumerate(found):
        of_parts = [column[place] for column in columns]
        if None in of_parts:
            assert value is None
        else:
            assert value == pytest.approx(sum(w * p for w, p in zip(weights, of_parts, strict=True)))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RR +", "the expression ends"),
        ("RR + *", "expected a measure"),
        ("(RR + P@1", r"expected `\)`"),
        ("RR + P@1 AP", "give several measures as a list"),
        ("2*3", "no measure"),
        ("RR * Nonsense@3", "Nonsense"),
        ("RR + P(rel=1", "parameters that end"),
        ("-" * 200 + "RR", "fewer parentheses"),
        ("RR + relstring", "a string"),
    ],
)
def test_expressions_that_are_none(text: str, why: str) -> None:
    with pytest.raises(cranfield.UsageError, match=why):
        evaluate(QRELS, RUN, [Expression(text)] if text.startswith("-") else text)


def test_expressions_of_intervals_are_refused() -> None:
    with pytest.raises(cranfield.UsageError, match="interval"):
        evaluate(QRELS, RUN, "RR*2", ties="bounds")


def test_no_name_of_a_measure_reads_as_an_expression() -> None:
    from cranfield._custom import is_expression

    for family in cranfield.measures():
        for name in (family.name, family.canonical, *family.aliases, f"{family.name}@10"):
            assert not is_expression(name), name
    assert not is_expression("nDCG(dcg=exp-log2)@10 AP")


def test_comparisons() -> None:
    choose = random.Random(1)
    documents = [f"d{n}" for n in range(20)]
    qrels = {f"q{n}": {d: choose.randint(0, 1) for d in documents} for n in range(25)}
    runs = {
        name: {topic: {d: choose.random() + bonus * qrels[topic][d] for d in documents} for topic in qrels}
        for name, bonus in {"good": 0.5, "poor": 0.0}.items()
    }
    own = CustomMeasure("myAP", average_precision)
    told: list[tuple[str, str, int, int]] = []
    result = cranfield.compare(
        qrels, runs, ["AP", own, "1*AP + 0"], seed=3, progress=lambda *step: told.append(step)
    )
    assert told and all(done <= total for _, _, done, total in told)
    plain = cranfield.compare(qrels, runs, "AP", seed=3).to_dict()
    compared = result.to_dict()
    assert [table["measure"] for table in compared["comparison"]] == ["AP", "myAP", "1*AP + 0"]
    expected = plain["comparison"][0]
    for table in compared["comparison"]:
        assert table["pairs"][0]["difference"] == pytest.approx(expected["pairs"][0]["difference"])
        assert table["pairs"][0]["p"] == pytest.approx(expected["pairs"][0]["p"])
    assert "myAP" in result.to_text() and "myAP" in result.to_latex()
    assert set(result.to_columns()["measure"]) == {"AP", "myAP", "1*AP + 0"}


def test_an_exception_of_a_watcher_is_raised() -> None:
    def watch(*step: Any) -> None:
        raise RuntimeError("enough")

    runs = {"a": RUN, "b": {"q1": {"d1": 1.0}, "q2": {"d3": 1.0}}}
    with pytest.raises(RuntimeError, match="enough"):
        cranfield.compare(QRELS, runs, "AP", progress=watch)


def test_a_progress_line_is_gone_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    runs = {"a": RUN, "b": {"q1": {"d1": 1.0}, "q2": {"d3": 1.0}}}
    cranfield.compare(QRELS, runs, "AP", progress=True)
    assert capsys.readouterr().err.endswith(" \r")


@custom_measure("Decorated", higher_is_better=False)
def decorated(topic: str, grades: list[float | None], context: Context) -> float:
    return 2.0


def test_a_decorated_function_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    plain = CustomMeasure("RR of mine", reciprocal_rank)
    assert pickle.loads(pickle.dumps(plain)) == plain
    with pytest.raises((AttributeError, pickle.PicklingError)):
        pickle.dumps(CustomMeasure("Nowhere", lambda topic, grades, context: 1.0))


@pytest.mark.parametrize("value", ["0.5", b"1", 10**400, float("nan"), [0.5]])
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(cranfield.MeasureError, match="expected a (finite )?number, or None"):
        evaluate(QRELS, RUN, [CustomMeasure("Odd", lambda topic, grades, context: value)])
