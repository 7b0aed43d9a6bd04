"""`cranfield.compat.ir_measures` beside ir_measures: providers, random judgements and runs, and defined measures."""

from __future__ import annotations

import logging
import random
from typing import Any

import pytest
from ir_measures_peer import aggregate, agree, by, outcome, ours, parsed, reference, same, sorted_metrics, theirs

pd = pytest.importorskip("pandas", reason="pandas is not installed")

# Their versions of pytrec_eval and pandas warn.
pytestmark = [pytest.mark.filterwarnings("ignore")]

PYTREC_EVAL = [
    "P@5", "P(rel=2)@10", "P(judged_only=True)@5", "R@10", "R(rel=3)@5", "R(judged_only=True)@20", "AP", "AP(rel=2)",
    "AP@10", "AP(rel=2)@5", "AP(judged_only=True)", "MAP(judged_only=True)@7", "RR", "RR(rel=2)",
    "RR(judged_only=True)", "Rprec", "RPrec(rel=2)", "Rprec(judged_only=True)", "nDCG", "nDCG@10", "NDCG@3",
    "nDCG(judged_only=True)", "nDCG(judged_only=True)@5", "Success@1", "Success(rel=2)@5",
    "Success(judged_only=True)@3", "IPrec@0.0", "IPrec@0.1", "IPrec@0.25", "IPrec(rel=2)@0.5", "IPrec@1.0", "Bpref",
    "BPref(rel=2)", "infAP", "infAP(rel=2)", "SetP", "SetP(rel=2)", "SetP(relative=True)", "SetRelP(rel=2)",
    "SetP(judged_only=True)", "SetR", "SetR(rel=2)", "SetF", "SetF(beta=2.0)", "SetF(rel=2,beta=0.5)",
    "SetF(judged_only=True)", "SetAP", "SetAP(rel=2)", "SetAP(judged_only=True)", "NumRet(rel=2)", "NumRelRet",
    "NumRel",
]  # fmt: skip
GAINS = ["nDCG(gains={0:0,1:1,2:5,3:6,4:11})@10", "nDCG(gains={1:0,2:3})"]
CWL = [
    "P@5", "P(rel=2)@10", "RR", "RR(rel=2)", "AP", "AP(rel=2)", "RBP(rel=1)", "RBP(rel=2,p=0.5)",
    "BPM(T=1.0,max_rel=4)@10", "BPM(T=2.0,min_rel=1,max_rel=3)@5", "SDCG(max_rel=4)@10", "SDCG(min_rel=1,max_rel=2)@3",
    "NERR8(max_rel=4)@10", "NERR9(max_rel=4)@10", "NERR10(max_rel=4)", "NERR10(p=0.5,max_rel=3)", "NERR11(max_rel=4)",
    "NERR11(T=2.0,max_rel=4)", "INST(max_rel=4)", "INST(T=3.0,max_rel=4)", "INSQ(max_rel=4)", "P(rel=0)@3",
]  # fmt: skip
GDEVAL = ["ERR@1", "ERR@5", "ERR@20", "nDCG(dcg='exp-log2')@3", "nDCG@10", "nDCG(dcg='exp-log2')@50"]
DIVERSITY = [
    "AP_IA", "MAP_IA(rel=2)", "NRBP", "NRBP(alpha=0.3,beta=0.8)", "P_IA@1", "P_IA@5", "P_IA(rel=2)@10", "StRecall@1",
    "StRecall@10", "ERR_IA@2", "ERR_IA@20", "ERR_IA(rel=2)@5", "alpha_DCG@5", "alpha_DCG(alpha=0.9)@10",
]  # fmt: skip


class Case:
    """Judgements and a run of a few topics, with topics that the other lacks, and with ties unless told otherwise."""

    def __init__(self, seed: int, ties: bool = True, mixed: bool = False) -> None:
        choose = random.Random(seed)
        self.qrels: dict[str, dict[str, int]] = {}
        self.run: dict[str, dict[str, float]] = {}
        for number in choose.sample(range(1, 40), choose.choice([1, 4, 12])):
            documents = [f"d{name}" for name in choose.sample(range(1000), choose.choice([1, 3, 10, 60]))]
            highest = choose.choice([0, 1, 1, 2, 4])
            grades = {name: choose.randint(-1, highest) for name in documents if choose.random() < 0.6}
            grades["missed"] = choose.randint(0, highest)
            retrieved = choose.sample(documents, choose.randint(1, len(documents)))
            scores = [float(choose.randint(-2, 5)) for _ in retrieved]
            if not ties or choose.random() < 0.5:
                scores = [float(place) for place in choose.sample(range(1, 2000), len(retrieved))]
            if choose.random() < 0.9:
                self.qrels[str(number)] = grades
            if choose.random() < 0.9:
                self.run[str(number)] = dict(zip(retrieved, scores))
            if mixed and str(number) in self.run:
                # Accuracy needs a document that is not relevant.
                self.run[str(number)]["none"] = max(scores) + 1

    def diverse(self, module: Any) -> list[Any]:
        """Judgements with subtopics."""
        choose = random.Random(len(self.qrels))
        return [
            module.Qrel(topic, document, choose.choice([0, 1, 2]), str(subtopic))
            for topic, grades in self.qrels.items()
            for subtopic in range(1, choose.choice([2, 5]))
            for document in grades
        ]


@pytest.mark.parametrize("seed", range(40))
def test_random(seed: int) -> None:
    """Several measures of the default pipeline."""
    case, choose = Case(seed), random.Random(seed)
    names = " ".join(choose.sample(PYTREC_EVAL, 8) + ["RR@10", "Judged@10", choose.choice(CWL[6:])])

    def call(module: Any) -> Any:
        metrics = sorted_metrics(module.iter_calc(parsed(module, names), case.qrels, case.run))
        return [metrics, aggregate(names, case.qrels, case.run)(module)]

    same(call)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("provider", ["pytrec_eval", "cwl_eval", "msmarco", "judged", "gdeval", "compat", "accuracy"])
def test_providers(provider: str, seed: int) -> None:
    names = {
        "pytrec_eval": [*PYTREC_EVAL, *GAINS], "cwl_eval": CWL, "msmarco": ["RR@1", "RR", "MRR(rel=2)@10", "RR(rel=0)@5"],
        "judged": ["Judged@1", "Judged@7", "Judged"], "gdeval": GDEVAL, "accuracy": ["Accuracy@10", "Accuracy(rel=2)"],
        "compat": ["Compat", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)"],
    }[provider]  # fmt: skip
    case = Case(1000 + seed, mixed=provider == "accuracy")
    if not case.qrels or not case.run:
        return
    # One by one: of several, the original takes the gains of the first, and joins what it should not.
    same(lambda module: [by(provider, name, case.qrels, case.run)(module) for name in names])


@pytest.mark.parametrize("seed", range(12))
def test_diversity(seed: int) -> None:
    case = Case(2000 + seed)
    if not case.qrels or not case.run.keys() & case.qrels.keys():
        return

    def call(module: Any) -> Any:
        rows = case.diverse(module)
        return [sorted_metrics(module.pyndeval.iter_calc(parsed(module, name), rows, case.run)) for name in DIVERSITY]

    same(call)


RANX = [
    "P@5", "P(rel=2)@5", "SetP", "SetP(rel=2)@5", "R@5", "R(rel=2)@2", "SetR", "RR", "RR(rel=2)", "RR@10", "RR(rel=2)@2",
    "AP", "AP(rel=2)", "AP@2", "Success@10", "Success(rel=2)@2", "NumRet(rel=1)", "nDCG", "nDCG@5", "nDCG@2",
    "nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@2", "Rprec", "Rprec(rel=2)",
]  # fmt: skip


@pytest.mark.parametrize("name", RANX)
def test_ranx(name: str) -> None:
    """Frames whose ids are objects: the original refuses pandas' texts, and runs with other topics than the judgements."""
    case = Case(7, ties=False)
    both = sorted(case.qrels.keys() & case.run.keys())
    assert len(both) > 2

    def frames(module: Any) -> tuple[Any, Any]:
        rows = [(topic, document, max(grade, 0)) for topic in both for document, grade in case.qrels[topic].items()]
        scores = [(topic, document, score) for topic in both for document, score in case.run[topic].items()]
        qrels = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
        run = pd.DataFrame(scores, columns=["query_id", "doc_id", "score"])
        return tuple(frame.astype({"query_id": object, "doc_id": object}) for frame in (qrels, run))

    pytest.importorskip("ranx", reason="ranx is not installed")
    call = lambda module: sorted_metrics(module.ranx.iter_calc(parsed(module, name), *frames(module)))  # noqa: E731
    # In this process: what numba compiles is not kept in another.
    agree(outcome(call, ours), outcome(call, theirs))


TRECTOOLS = ["P@5", "P@1", "RR", "RR@2", "AP", "AP@3", "nDCG", "nDCG@3", "nDCG(dcg='exp-log2')@5", "RBP@100", "RBP(p=0.5)@9"]


@pytest.mark.parametrize("name", TRECTOOLS)
def test_trectools(name: str) -> None:
    """Topics that have a relevant document at rank 1: others of trectools are not numbers, and RBP mixes those of equal scores."""
    pytest.importorskip("trectools", reason="trectools is not installed")
    qrels, run = {}, {}
    for topic, grades in Case(7).qrels.items():
        qrels[topic] = {**{document: max(grade, 0) for document, grade in grades.items()}, f"best{topic}": 2}
        run[topic] = {f"best{topic}": 100.0 + int(topic), **{document: 0.5 * place for place, document in enumerate(grades)}}
    same(by("trectools", name, qrels, run))


def test_availability() -> None:
    assert all(provider.is_available() for provider in ours.providers.registry.values())
    assert [provider.NAME for provider in ours.providers.registry.values()] == list(ours.providers.registry)

    class Missing(ours.Provider):
        NAME = "missing"
        SUPPORTED_MEASURES = [ours.measures._AP()]

        def initialize(self) -> None:
            raise RuntimeError("not here")

        def install_instructions(self) -> str:
            return "look elsewhere"

    told = outcome(lambda module: Missing().iter_calc([ours.AP], {}, {}), ours)
    assert told == ("RuntimeError", "Provider missing is not available. To install:\n  look elsewhere")
    only = ours.providers.FallbackProvider([Missing()])
    assert only.supports(ours.AP) is False
    told = outcome(lambda module: only.calc_aggregate([ours.AP], {}, {}), ours)
    assert told == ("ValueError", "Unsupported measures {AP}. The following providers would support this measure:\n - missing (look elsewhere)")
    same(lambda module: module.providers.FallbackProvider([module.judged]).calc_aggregate([module.AP], {}, {}))
    same(lambda module: module.judged.calc_aggregate([module.AP], {}, {}))
    same(lambda module: module.msmarco.calc_aggregate([module.AP], {}, {}))
    same(lambda module: module.pytrec_eval.calc_aggregate([module.ERR @ 5], {}, {}))
    same(lambda module: [repr(module.providers.base.Any()), repr(module.providers.base.Choices(1, 2))])


def test_a_provider_of_ones_own() -> None:
    def call(module: Any) -> Any:
        class Ones(module.providers.Provider):
            NAME = "ones"
            SUPPORTED_MEASURES = [module.measures._P(cutoff=module.providers.base.Any())]

            def _evaluator(self, measures: Any, qrels: Any) -> Any:
                return Evaluator(measures, list(qrels))

        class Evaluator(module.Evaluator):
            def _iter_calc(self, run: Any) -> Any:
                for measure in self.measures:
                    yield from (module.Metric(topic, measure, 1.0) for topic in run)

        pipeline = module.providers.FallbackProvider([Ones(), module.pytrec_eval])
        measures = [module.P @ 5, module.AP]
        return [
            sorted_metrics(pipeline.iter_calc(measures, {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}})),
            pipeline.calc_aggregate(measures, {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}),
            pipeline.run_inputs(measures), pipeline.qrel_inputs(measures), pipeline.supports(module.RR @ 5),
        ]  # fmt: skip

    expected = reference(call)
    found = outcome(call, ours)
    for result in (expected, found):
        result[2].sort()
        result[3].sort()
    assert found == expected


QRELS = "0 0 D0 0\n0 0 D1 1\n0 0 D2 1\n0 0 D3 2\n0 0 D4 0\n1 0 D0 1\n1 0 D3 0\n1 0 D5 2\n2 0 D1 1\n"
RUN = "0 0 D0 1 0.8 run\n0 0 D2 2 0.7 run\n0 0 D1 3 0.3 run\n0 0 D3 4 0.4 run\n1 0 D1 1 0.8 run\n1 0 D3 2 0.7 run\n1 0 D0 3 0.3 run\n"


def precision(qrels: Any, run: Any) -> float:
    merged = run.merge(qrels, "left", on=["doc_id"])
    return float((merged["relevance"] > 0).sum() / len(merged))


def precisions(qrels: Any, run: Any) -> Any:
    for topic, ranking in run.groupby("query_id"):
        yield topic, precision(qrels[qrels.query_id == topic], ranking)


def test_defined_measures() -> None:
    def call(module: Any) -> Any:
        one, all_ = module.define_byquery(precision, name="One"), module.define(precisions, name="All")
        other = module.define_byquery(precision, support_cutoff=False, pretty_name="p", short_desc="d", run_inputs=["query_id", "x"])
        qrels, run = list(module.read_trec_qrels(QRELS)), list(module.read_trec_run(RUN))
        frames = pd.DataFrame(qrels), pd.DataFrame(run)
        return [
            [str(one @ 2), repr(all_), one.NAME, other.NAME, other.PRETTY_NAME, other.SHORT_DESC, other.RUN_INPUTS, other.QREL_INPUTS],
            *[sorted_metrics((measure @ k).iter_calc(qrels, run)) for measure in (one, all_) for k in (1, 2, 3)],
            one.calc_aggregate(*frames), other.calc_aggregate(iter(qrels), iter(run)),
            sorted_metrics(module.iter_calc([one @ 2, module.P @ 2, module.RR], qrels, run)),
            sorted(module.run_inputs([other, module.P @ 5])), sorted(module.qrel_inputs([one])), module.runtime.supports(one),
            module.runtime.supports(module.AP), one == all_, one @ 1 == one @ 1, other.SUPPORTED_PARAMS,
        ]  # fmt: skip

    same(call)
    same(lambda module: (module.define_byquery(precision, support_cutoff=False) @ 5).calc_aggregate(QRELS, RUN))
    nothing = pd.DataFrame({"qid": []})
    good = pd.DataFrame({"query_id": ["q"], "answer": ["x"]})
    length = lambda qrels, run: len(run.iloc[0]["answer"])  # noqa: E731
    same(lambda module: module.define_byquery(length, name="L").calc_aggregate(good, good))
    same(lambda module: module.define_byquery(length, name="L").calc_aggregate(nothing, good))
    same(lambda module: module.define_byquery(length, name="L").calc_aggregate(good, nothing))
    for module in (ours, theirs):
        assert repr(module.define(precisions)).endswith(">")
        assert module.define(precisions) != module.define(precisions)


def test_frames() -> None:
    def frames(module: Any, **options: Any) -> tuple[Any, Any]:
        return pd.DataFrame(module.read_trec_qrels(QRELS)), pd.DataFrame(module.read_trec_run(RUN))

    for name in ("P@2", "AP", "nDCG@10", "RR@3", "Judged@2", "INST(max_rel=2)", "Accuracy", "NRBP", "ERR@2"):
        same(lambda module: sorted_metrics(module.iter_calc(parsed(module, name), *frames(module))))  # noqa: B023
    same(lambda module: (module.P @ 5).calc_aggregate(frames(module)[0].drop(columns="iteration"), frames(module)[1]))
    same(lambda module: (module.P @ 5).calc_aggregate(frames(module)[0].drop(columns="doc_id"), frames(module)[1]))
    same(lambda module: (module.P @ 5).calc_aggregate(frames(module)[0], frames(module)[1].drop(columns="score")))
    same(lambda module: (module.P @ 5).calc_aggregate(frames(module)[0].astype({"relevance": float}), frames(module)[1]))
    same(lambda module: (module.P @ 5).calc_aggregate(frames(module)[0][:0], frames(module)[1][:0]))
    for converter, source in (("QrelsConverter", 0), ("RunConverter", 1)):
        for form in ("as_dict_of_dict", "as_namedtuple_iter"):
            same(lambda module: getattr(getattr(module.util, converter)(frames(module)[source]), form)())  # noqa: B023
        made = [getattr(module.util, converter)(frames(module)[source].itertuples(index=False)) for module in (ours, theirs)]
        pd.testing.assert_frame_equal(made[0].as_pd_dataframe(), made[1].as_pd_dataframe())
        empty = [getattr(module.util, converter)({}).as_pd_dataframe() for module in (ours, theirs)]
        assert list(empty[0].columns) == list(empty[1].columns)

    def converted(module: Any) -> Any:
        run = module.util.RunConverter({"b": {"x": 1, "y": 2}, "a": {"x": 1, "z": 1}})
        with run.as_tmp_file() as file, module.util.QrelsConverter({"q": {"d": 1}}).as_tmp_file() as qrels:
            return [list(run.as_sorted_namedtuple_iter()), run.as_sorteddict(), run.predict_type(), file.read(), qrels.read()]

    same(converted)


def test_warnings_of_the_scale(caplog: pytest.LogCaptureFixture) -> None:
    """Grades beyond the scale are told at the same places, in other words."""
    for scale in ("max_rel=2", "min_rel=1,max_rel=3", "max_rel=4", "min_rel=2,max_rel=3"):
        counts = []
        for module in (ours, theirs):
            caplog.clear()
            with caplog.at_level(logging.WARNING, "ir_measures.cwl_eval"):
                module.parse_measure(f"INST({scale})").calc_aggregate({"q": {"a": 0, "b": 1, "c": 3}}, {"q": {"a": 1.0}})
            counts.append(len(caplog.records))
        assert counts[0] == counts[1], scale


def test_deliberate_differences() -> None:
    """What the original gets wrong, or stops at."""
    qrels = {"q1": {"a": 1, "b": 2}, "q2": {"a": 0}}
    run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"a": 1.0}}
    # All documents of the list are relevant.
    assert reference(aggregate("Accuracy", {"q1": qrels["q1"]}, run))[0] == "ZeroDivisionError"
    assert ours.Accuracy.calc_aggregate({"q1": qrels["q1"]}, run) == 1.0
    # A ranking without documents.
    assert reference(aggregate("Judged", qrels, {"q1": {}}))[0] == "ZeroDivisionError"
    assert ours.Judged.calc_aggregate(qrels, {"q1": {}}) == 0.0
    # Topics of gdeval that are no numbers.
    assert reference(aggregate("ERR@5", qrels, run))[0] == "CalledProcessError"
    assert 0 < (ours.ERR @ 5).calc_aggregate(qrels, run) < 1
    # The gains of one measure are those of the next, and the first has no value.
    both = "nDCG(gains={1:5}) nDCG"
    mixed = reference(lambda m: m.pytrec_eval.calc_aggregate(parsed(m, both), qrels, {"q1": {"a": 2.0, "b": 1.0}}))
    assert mixed["measure nDCG(gains={1:5})"] == 0.0
    run_a = {"q1": {"a": 2.0, "b": 1.0}}
    found = ours.pytrec_eval.calc_aggregate(parsed(ours, both), qrels, run_a)
    assert found[ours.nDCG] == ours.nDCG.calc_aggregate(qrels, run_a) != found[ours.nDCG(gains={1: 5})]
    # Several measures of diversity with different parameters: only the first has values.
    diverse = [("q1", "a", 1, "1"), ("q1", "b", 1, "2")]
    names = "NRBP NRBP(alpha=0.3)"
    lists = lambda m: m.pyndeval.calc_aggregate(parsed(m, names), [m.Qrel(*row) for row in diverse], run_a)  # noqa: E731
    assert 0.0 in reference(lists).values()
    assert 0.0 not in outcome(lists, ours).values()
    # judged_only of diversity.
    judged = lambda m: parsed(m, "P_IA(judged_only=True)@1")[0].calc_aggregate([m.Qrel(*row) for row in diverse], {"q1": {"x": 3.0, **run_a["q1"]}})  # noqa: E731
    assert reference(judged)[0] == "TypeError"
    assert outcome(judged, ours) == 0.5
    # Cutoffs of 0, and parameters that make probabilities of more than 1.
    for name in ("RR@0", "Judged@0", "SDCG(max_rel=2)@0", "RBP(rel=1,p=1.5)", "INST(T=0.3,max_rel=2)", "NRBP(alpha=2.0)"):
        assert outcome(aggregate(name, qrels, run), ours)[0] == "UsageError"
    # Cutoffs of diversity beyond 20.
    assert reference(aggregate("P_IA@25", qrels, run))[0] == "AssertionError"
    assert outcome(aggregate("P_IA@25", qrels, run), ours)["measure P_IA@25"] == 0.04
    # A topic without a relevant document.
    zero = lambda m: m.nNRBP.calc_aggregate([m.Qrel("q1", "a", 0)], run_a)  # noqa: E731
    assert (str(reference(zero)), outcome(zero, ours)) == ("nan", 0.0)
    # Rows of a topic that do not follow each other.
    rows = [("q1", "x", 3.0), ("q2", "a", 1.0), ("q1", "a", 2.0)]
    split = lambda m: len(list((m.RBP(rel=1)).iter_calc(qrels, [m.ScoredDoc(*row) for row in rows])))  # noqa: E731
    assert (reference(split), outcome(split, ours)) == (3, 2)
