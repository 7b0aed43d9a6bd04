"""`cranfield.compat.ir_measures` beside ir_measures: measures, names, inputs and exceptions."""

from __future__ import annotations

import collections
import copy
import io
import math
import pickle
from pathlib import Path
from typing import Any

import pytest
from ir_measures_peer import aggregate, agree, outcome, ours, parsed, reference, same, theirs, topics

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]

QRELS = {"q2": {"a": 1, "b": 0}, "q10": {"a": 1, "c": 2}, "q1": {"a": 2, "n": -1}, "q0": {"z": 1}, "q5": {"a": 0}}
RUN = {
    "q2": {"a": 1.0, "b": 2.0},
    "q10": {"c": 1.0, "a": 1.0, "u": 0.5},
    "q1": {"x": 3.0, "n": 2.0, "a": 1.0},
    "q5": {"a": 1.0, "x": 0.5},
    "other": {"a": 1.0},
}

MEASURES = [
    "P@5", "P(rel=2)@10", "P(judged_only=True)@5", "R@10", "R(rel=2)@2", "R(judged_only=True)@20", "AP", "AP(rel=2)",
    "AP@2", "AP(rel=2)@5", "MAP(judged_only=True)", "AP(judged_only=True)@7", "RR", "MRR(rel=2)",
    "RR(judged_only=True)", "Rprec", "RPrec(rel=2)", "Rprec(judged_only=True)", "nDCG", "nDCG@10", "NDCG@1",
    "nDCG(judged_only=True)", "nDCG(judged_only=True)@2", "nDCG(gains={0:0,1:1,2:5})@10", "nDCG(gains={1:0,2:3})",
    "nDCG(dcg='log2')@3", "Success@1", "Success(rel=2)@5", "Success(judged_only=True)@3", "IPrec@0.0", "IPrec@0.1",
    "IPrec@0.125", "IPrec(rel=2)@0.5", "IPrec@1.0", "Bpref", "BPref(rel=2)", "infAP", "infAP(rel=2)", "SetP",
    "SetP(rel=2)", "SetP(relative=True)", "SetRelP", "SetRelP(rel=2)", "SetP(judged_only=True)", "SetR",
    "SetR(rel=2)", "SetF", "SetF(beta=2.0)", "SetF(rel=2,beta=0.5)", "SetF(judged_only=True)", "SetAP",
    "SetAP(rel=2)", "SetAP(judged_only=True)", "NumRet", "NumRet(rel=2)", "NumRelRet", "NumRel", "NumQ", "RR@1",
    "RR@5", "RR(rel=2)@10", "RR@100000", "Judged", "Judged@1", "Judged@10", "RBP(rel=1)", "RBP(rel=2,p=0.5)",
    "BPM(max_rel=2)@10", "BPM(T=2.0,min_rel=1,max_rel=3)@5", "SDCG(max_rel=2)@10", "SDCG(min_rel=1,max_rel=2)@3",
    "NERR8(max_rel=2)@10", "NERR9(max_rel=2)@10", "NERR10(max_rel=2)", "NERR10(p=0.5,max_rel=3)", "NERR11(max_rel=2)",
    "NERR11(T=2.0,max_rel=4)", "INST(max_rel=2)", "INST(T=3.0,max_rel=4)", "INSQ(max_rel=2)", "AP_IA", "NRBP",
    "P_IA@5", "StRecall@5", "ERR_IA@5", "nERR_IA@5", "alpha_nDCG@5", "α_DCG@5", 
]  # fmt: skip


@pytest.mark.parametrize("name", MEASURES)
def test_values(name: str) -> None:
    same(lambda module: [topics(name, QRELS, RUN)(module), aggregate(name, QRELS, RUN)(module)])


def test_a_hundred_and_fifty_calls() -> None:
    """Two calls for each name above, each compared."""
    assert 2 * len(MEASURES) >= 150


def by_topic(names: str) -> Any:
    return topics(names, {"1": {"a": 1, "b": 3, "c": 0}, "2": {"a": 2}}, {"1": {"c": 1, "b": 1, "d": 0}, "2": {}})


@pytest.mark.parametrize("name", ["ERR@1", "ERR@5", "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')@20"])
def test_gdeval(name: str) -> None:
    """Its topics must be numbers."""
    same(by_topic(name))


@pytest.mark.parametrize("names", ["Accuracy", "Accuracy@2", "Accuracy(rel=2)", "Accuracy P@5", "Accuracy(rel=2) RR@5"])
def test_accuracy(names: str) -> None:
    """Topics without a relevant document have no value, but have one if there are other measures too."""
    run = {topic: {"first": 9.0, **ranking} for topic, ranking in RUN.items()}
    same(topics(names, QRELS, run))
    same(aggregate(names, QRELS, run))


@pytest.mark.parametrize("name", ["Accuracy", "Judged@2", "RR@5", "Compat", "RBP(rel=1)", "INST(max_rel=2)"])
def test_ids_that_are_no_texts(name: str) -> None:
    """Only pytrec_eval refuses them; scores may be infinite."""
    qrels = {1: {10: 0, 9: 1, -3: 2}, 2: {10: 0}, 3: {1: 1}}
    same(topics(name, qrels, {1: {9: 1.0, 10: 1.0, -3: 0.5, 100: 1.0}, 2: {10: math.inf, 5: -math.inf}}))
    same(topics(name, qrels, {2: {10: 1}, 1: {-3: True, 9: 0.5, 10: -2}}))


def test_compat() -> None:
    run = {**RUN, "q0": {"z": -1.0, "a": -2.0}}
    for name in ("Compat", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)", "Compat(p=1.0)"):
        same(topics(name, QRELS, run))


def test_several_measures() -> None:
    for names in ("P@5 AP(rel=2) nDCG@10", "RR RR@5 Judged@5", "SetF SetF(beta=2.0) SetF(beta=0.5)", "P@5 P@10 P@5",
                  "NumQ NumRel NumRet", "AP AP(rel=2) AP@5 INST(max_rel=2) RBP(rel=1) RBP(rel=2)"):  # fmt: skip
        same(topics(names, QRELS, RUN))
        same(aggregate(names, QRELS, RUN))
        calc = lambda module: module.calc(parsed(module, names), QRELS, RUN).aggregated  # noqa: B023, E731
        same(calc)


def test_cutoffs_beyond_the_depth_of_cwl() -> None:
    """Values; the totals of the original are 0 there, since nobody stops before its end."""
    for name in ("SDCG(max_rel=2)@2000", "BPM(max_rel=2)@2000", "NERR8(max_rel=2)@1500"):
        same(aggregate(name, QRELS, RUN))


def test_no_measures() -> None:
    same(lambda module: module.calc_aggregate([], QRELS, RUN))
    same(lambda module: module.pytrec_eval.calc_aggregate([], QRELS, RUN))
    same(lambda module: module.pytrec_eval.calc_aggregate([module.P(rel=[1, 2]) @ 5], QRELS, RUN))


UNKNOWN = [
    "RBP", "RBP@10", "ERR", "P", "P@5.5", "P@'5'", "AP(foo=1)", "nDCG(dcg='x')", "BPM@10", "SDCG@5", "P(rel=0)@5",
    "P(rel=1.5)@5", "IPrec", "IPrec@1", "INST", "RR(judged_only=1)", "RBP(rel=1)@10", "RR(judged_only=True)@5",
    "nDCG(gains=1)", "NumRel(rel=2)", "nDCG(dcg='exp-log2',gains={1:2})@5", "SDCG(min_rel=2,max_rel=2)@5", "P@-5",
    "nDCG(gains={1:0.5})",
]  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_measures_that_cannot_be_computed(name: str) -> None:
    assert isinstance(reference(aggregate(name, QRELS, RUN)), tuple)
    same(aggregate(name, QRELS, RUN))
    same(topics(name, QRELS, RUN))
    same(lambda module: parsed(module, name)[0].calc_aggregate(QRELS, RUN))
    same(lambda module: parsed(module, name)[0].iter_calc(QRELS, RUN))


NAMES = [
    "P@10", "nDCG@10", "P(rel=2)@10", 'nDCG(dcg="exp-log2", cutoff=20)@10', "IPrec(rel=2, recall=0.4)@0.2", "MAP",
    "P(rel=1)@5", "P(cutoff=5,rel=1)", "P(judged_only=False)@5", "SetRelP", "NumRelRet", "NumRelRet(rel=2)", "α_nDCG@5",
    "nDCG(gains={1:1,2:5,0:0})@10", "nDCG(gains={})", "AP()", "AP(rel=None)", "P@None", "P@True", "P@'a'", "P@1_000",
    "SetP(rel=2)@5", "foo", "foo@5", "P@", "P 5", "P(5)@10", "P@5@10", "", " P@5", "P@5\n", "P;AP", "P=5", "1", "P@-1",
    "P(rel=-1)@5", "P(rel=[1])@5", "P(**{'rel':2})", "a.P", "P@b'5'", "P@...", "P@{1:{2:3}}", "P(rel=2)(rel=3)@5",
    "P(foo=1)@5", "P@1j", "p@5", "ndcg", "P\0@5", "lambda: 0", "f'{1}'", "P(rel=2,rel=3)@5",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name: str) -> None:
    def call(module: Any) -> Any:
        measure = module.parse_measure(name)
        return [measure.NAME, measure.params, str(measure), repr(measure), measure.AT_PARAM, measure.DEFAULT]

    same(call)
    same(lambda module: module.parse_measure(name).validate_params())


@pytest.mark.parametrize(
    "name",
    [
        "map", "P_5", "P_5,10", "P.5", "P.5,10", "P", "ndcg", "ndcg_cut.10", "ndcg_cut_5,10", "set_P", "set_recall",
        "set_F", "set_F.1.0,0.5,2.4", "set_relative_P", "official", "all_trec", "set", "num_q", "num_rel_ret", "infAP",
        "iprec_at_recall", "iprec_at_recall_0.25", "iprec_at_recall.0.1,0.9", "success", "success_3", "recip_rank",
        "Rndcg", "gm_map", "runid", "foo", "map_5", "P_5.5", "P_x", "utility_1,2", "relative_P_5", "P_5x", "", "G",
        "Rprec_mult.0.5", "map_cut", "recall.7", "all_prefs", "bpref_2", "11pt_avg",
    ],
)  # fmt: skip
def test_names_of_trec_eval(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = outcome(lambda module: module.parse_trec_measure(name), ours)
    printed = capsys.readouterr().out
    agree(found, outcome(lambda module: module.parse_trec_measure(name), theirs))
    assert printed == capsys.readouterr().out


def test_what_there_is() -> None:
    assert set(ours.__all__) == set(theirs.__all__)
    assert ours.measures.registry.keys() == theirs.measures.registry.keys()
    assert set(ours.measures.__all__) == set(theirs.measures.__all__)
    assert list(ours.providers.registry) == list(theirs.providers.registry)
    assert set(ours.providers.__all__) == set(theirs.providers.__all__)
    assert ours.__version__ == theirs.__version__
    assert {n for n in dir(theirs.measures) if n.startswith("_") and n[1] != "_"} - set(dir(ours.measures)) == set()


@pytest.mark.parametrize("name", sorted(theirs.measures.registry))
def test_parameters(name: str) -> None:
    mine, other = ours.measures.registry[name], theirs.measures.registry[name]
    assert (mine.NAME, mine.AT_PARAM, mine.DEFAULT) == (other.NAME, other.AT_PARAM, other.DEFAULT)
    assert mine.PRETTY_NAME == other.PRETTY_NAME.replace("Precsion", "Precision")
    assert list(mine.SUPPORTED_PARAMS) == list(other.SUPPORTED_PARAMS)
    for key, theirs_info in other.SUPPORTED_PARAMS.items():
        info = mine.SUPPORTED_PARAMS[key]
        assert (info.dtype, info.required) == (theirs_info.dtype, theirs_info.required)
        unset = theirs.measures.base._NOT_PROVIDED
        assert (info.default is ours.measures.base._NOT_PROVIDED) == (theirs_info.default is unset)
        if theirs_info.default is not unset:
            assert info.default == theirs_info.default and type(info.default) is type(theirs_info.default)
        if theirs_info.choices is not unset:
            assert info.choices == theirs_info.choices
        assert info.desc
    assert type(mine.aggregator()).__name__ == type(other.aggregator()).__name__


@pytest.mark.parametrize("name", [*MEASURES, "Accuracy@5", "Compat", "ERR@5", "nDCG(dcg='exp-log2')@5", *UNKNOWN])
def test_support(name: str) -> None:
    def call(module: Any) -> Any:
        measure = module.parse_measure(name)
        found = {key: provider.supports(measure) for key, provider in module.providers.registry.items()}
        return [found, module.DefaultPipeline.supports(measure)]

    agree(outcome(call, ours), outcome(call, theirs))


def test_measures_are_values() -> None:
    for module in (ours, theirs):
        assert module.P(rel=1) @ 5 == module.P @ 5 != module.P @ 6
        assert len({module.P @ 5, module.P(cutoff=5), module.Precision @ 5}) == 1
        assert module.nDCG(gains={1: 1, 2: 5}) == module.nDCG(gains={2: 5})
        assert not (module.AP == "AP")
        assert (module.P @ 5)["rel"] == 1 and (module.P @ 5)["cutoff"] == 5
    measure = ours.nDCG(gains={1: 3}) @ 10
    assert pickle.loads(pickle.dumps(measure)) == measure == copy.deepcopy(measure)
    assert ours.RR["cutoff"] is pickle.loads(pickle.dumps(ours.RR))["cutoff"]
    same(lambda module: module.P["foo"])
    same(lambda module: repr(module.P(foo=1)))


INPUTS = {
    "empty": ({}, {}), "no run": (QRELS, {}), "no judgements": ({}, RUN), "empty topic": ({"q": {}}, {"q": {}}),
    "empty ranking": (QRELS, {"q1": {}, "q2": {"a": 1.0}}), "no common topic": ({"x": {"a": 1}}, {"y": {"a": 1.0}}),
    "float grade": ({"q": {"a": 1.5}}, {"q": {"a": 1.0}}), "whole float": ({"q": {"a": 1.0}}, {"q": {"a": 1.0}}),
    "text grade": ({"q": {"a": "1"}}, {"q": {"a": 1.0}}), "text score": (QRELS, {"q1": {"a": "1"}}),
    "int score": (QRELS, {"q1": {"a": 2, "x": 1}}), "infinite": (QRELS, {"q1": {"a": math.inf, "x": -math.inf}}),
    "int topic": ({1: {"a": 1}}, {1: {"a": 1.0}}), "int document": ({"q": {1: 1}}, {"q": {1: 1.0}}),
    "none": (None, RUN), "none run": (QRELS, None), "text": ("qrels", RUN), "number": (5, RUN), "number run": (QRELS, 5),
    "list of dicts": ([{"query_id": "q"}], RUN), "list of tuples": ([("q", "a", 1)], RUN), "bytes": (b"x", RUN),
    "run of tuples": (QRELS, [("q", "a", 1.0)]), "user dict": (collections.UserDict(QRELS), RUN),
    "list inside": ({"q": ["a"]}, RUN), "ties": (QRELS, {"q10": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}),
    "32 bits": (QRELS, {"q10": {"a": 1.00000001, "b": 1.0, "c": 1.00000002}}), "negative": ({"q": {"a": -1, "b": 1}}, {"q": {"a": 1, "b": 0}}),
    "default dict": (collections.defaultdict(dict, QRELS), collections.defaultdict(dict, RUN)),
    "large grade": ({"q": {"a": 1000, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}), "unicode": ({"q": {"é": 1}}, {"q": {"é": 1.0, "日": 2.0}}),
    "generator": (iter(()), iter(())), "spaces": ({"q 1": {"a b": 1}}, {"q 1": {"a b": 1.0}}),
}  # fmt: skip


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("measure", ["P@5", "AP", "RR@10", "Judged", "nDCG@10 RR@5"])
def test_inputs(name: str, measure: str) -> None:
    if measure == "Judged" and name in ("empty ranking", "empty topic"):
        pytest.skip("the original divides by zero: see test_deliberate_differences")
    if measure == "Judged" and name == "list inside":
        pytest.skip("the original only asks whether a document is in the list")
    qrels, run = INPUTS[name]
    same(topics(measure, copy.copy(qrels), copy.copy(run)))
    same(aggregate(measure, copy.copy(qrels), copy.copy(run)))


Judgement = collections.namedtuple("Judgement", "relevance doc_id query_id more")
Incomplete = collections.namedtuple("Incomplete", "query_id doc_id")


def test_tuples() -> None:
    def calls(module: Any) -> Any:
        qrels = [module.Qrel(q, d, g) for q, docs in QRELS.items() for d, g in docs.items()]
        run = [module.ScoredDoc(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]
        P, RR, evaluator = module.P, module.RR, module.evaluator([module.P @ 5, module.RR @ 5], iter(qrels))
        return [
            (P @ 5).calc_aggregate(qrels, run), (P @ 5).calc_aggregate(iter(qrels), iter(run)),
            (P @ 5).calc(qrels, run), RR.calc(QRELS, run), list(RR.iter_calc(qrels, RUN)),
            *[evaluator.calc_aggregate(list(run)) for _ in range(3)], (RR @ 5).evaluator(qrels).calc(iter(run)),
            module.Qrel("q", "d", 1), module.Qrel("q", "d", 1, "2"), module.GenericQrel("q", "d", 1),
            module.GenericScoredDoc("q", "d", 1.0), module.Qrel._fields, module.Metric._fields, module.CwlMetric._fields,
        ]  # fmt: skip

    same(calls)
    own = [Judgement(1, "a", "q2", None)]
    same(aggregate("P@5", own, RUN))
    same(aggregate("P@5", [Incomplete("q", "d")], RUN))
    same(aggregate("P@5", QRELS, [Incomplete("q", "d")]))


TEXT = "q1 0 a 1\n\nq1 0 b 0\nq2 1 a -2\n"
LINES = "q1 Q0 a 1 2.5 r\nq1\tQ0\tb 2 1e3 r\n\n"


def test_files(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "qrels").write_text(TEXT)
    (tmp_path / "run").write_text(LINES)
    for name, text in (("q.gz", TEXT), ("r.gz", LINES)):
        with gzip.open(tmp_path / name, "wt") as file:
            file.write(text)
    for source in (TEXT, str(tmp_path / "qrels"), str(tmp_path / "q.gz"), "q1 0 a\n", "q1 0 a x\n", "\n", "missing", tmp_path / "qrels", 5):
        same(lambda module, source=source: module.read_trec_qrels(source))
        same(lambda module, source=source: module.parse_trec_qrels(source))
    for source in (LINES, str(tmp_path / "run"), str(tmp_path / "r.gz"), "q1 Q0 a 1 2.5\n", "q1 Q0 a 1 x r\n", None):
        same(lambda module, source=source: module.read_trec_run(source))
        same(lambda module, source=source: module.parse_trec_run(source))
    same(lambda module: module.read_trec_qrels(io.StringIO(TEXT)))
    same(lambda module: module.read_trec_run(io.StringIO(LINES)))
    same(lambda module: (module.P @ 5).calc_aggregate(module.read_trec_qrels(TEXT), module.read_trec_run(LINES)))


@pytest.mark.filterwarnings("default::DeprecationWarning")
def test_old_names_warn() -> None:
    for call in (
        lambda module: module.GenericQrel("q", "d", 1), lambda module: module.GenericScoredDoc("q", "d", 1.0),
        lambda module: module.convert_trec_name("map"), lambda module: module.parse_trec_qrels(TEXT),
        lambda module: module.parse_trec_run(LINES), lambda module: module.calc_ctxt([module.AP], QRELS).__enter__()(RUN),
    ):  # fmt: skip
        told = []
        for module in (ours, theirs):
            with pytest.warns(DeprecationWarning) as caught:
                call(module)
            told.append([str(warning.message) for warning in caught])
        assert told[0] == told[1]


def test_aggregators() -> None:
    def call(module: Any) -> Any:
        mean, default, total = module.MeanAgg(), module.MeanAgg(default=5), module.SumAgg()
        nothing = [mean.result(), default.result(), total.result()]
        for value in (1, 0.5, 2):
            mean.add(value)
            total.add(value)
        return [nothing, mean.result(), total.result(), mean.sum, mean.count]

    same(call)
