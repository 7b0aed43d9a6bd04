"""`Qrels` and `Run` of `cranfield.compat.ranx` beside those of ranx: same call, same result."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ranx_pair import agree, ours, outcome, pd, plain, random_data, same, theirs

GRADES = {"q2": {"d001": 1, "d002": 3, "d003": 2}, "q1": {"d004": 0, "d001": 2}}
SCORES = {"q2": {"d001": 0.5, "d002": 1.5, "d003": 1.5}, "q1": {"d004": 1e-7, "d001": 1e16}}


def made(ranx: Any, kind: str, content: Any) -> Any:
    return getattr(ranx, kind)(content)


CONTENT = {"Qrels": GRADES, "Run": SCORES}
KINDS = pytest.mark.parametrize("kind", ["Qrels", "Run"])


@KINDS
def test_constructors(kind: str) -> None:
    content = CONTENT[kind]
    same(lambda ranx: made(ranx, kind, content))
    same(lambda ranx: getattr(ranx, kind)())
    same(lambda ranx: getattr(ranx, kind)(content, "a name"))
    same(lambda ranx: getattr(ranx, kind).from_dict(content))
    same(lambda ranx: getattr(ranx, kind).from_dict({}))
    same(lambda ranx: getattr(ranx, kind).from_dict(None))
    same(lambda ranx: getattr(ranx, kind).from_dict({"q1": {}}))
    same(lambda ranx: ranx.Run.from_dict(SCORES, name="x"))


@KINDS
def test_views(kind: str) -> None:
    content = CONTENT[kind]
    same(lambda ranx: list(made(ranx, kind, content).keys()))
    same(lambda ranx: made(ranx, kind, content).get_query_ids())
    same(lambda ranx: [dict(one) for one in made(ranx, kind, content).get_doc_ids_and_scores()])
    same(lambda ranx: made(ranx, kind, content).to_dict())
    same(lambda ranx: made(ranx, kind, content)["q1"])
    same(lambda ranx: made(ranx, kind, content)["zz"])
    same(lambda ranx: len(made(ranx, kind, content)))
    same(lambda ranx: made(ranx, kind, content).size)
    same(lambda ranx: str(made(ranx, kind, content)))
    same(lambda ranx: made(ranx, kind, content) == made(ranx, kind, content))
    same(lambda ranx: made(ranx, kind, content).keys() == made(ranx, "Qrels", GRADES).keys())
    same(lambda ranx: [array.shape for array in made(ranx, kind, content).to_typed_list()])
    same(lambda ranx: [array[:, 1] for array in made(ranx, kind, content).to_typed_list()])
    same(lambda ranx: made(ranx, kind, content).sorted)
    same(lambda ranx: made(ranx, kind, content).name)


def test_attributes_of_a_run() -> None:
    same(lambda ranx: ranx.Run(SCORES).metadata)
    same(lambda ranx: dict(ranx.Run(SCORES).scores))
    same(lambda ranx: (ranx.Run(SCORES).mean_scores, ranx.Run(SCORES).std_scores))


@KINDS
def test_adding(kind: str) -> None:
    def one_by_one(ranx: Any) -> Any:
        table = getattr(ranx, kind)()
        table.add_score("q2", "d1", 1)
        table.add_score("q1", "d1", 2)
        table.add_score("q1", "d2", 3.9)
        table.add_score("q1", "d1", 1)
        return table

    def sorted_(ranx: Any) -> Any:
        table = one_by_one(ranx)
        table.sort()
        return table

    def whole(ranx: Any) -> Any:
        table = getattr(ranx, kind)()
        table.add("q2", ["d1", "d2"], [1, 2])
        table.add("q1", ["d1", "d2", "d3"], [1, 2.5, 2])
        table.add("q2", ["d3"], [7])
        return table

    def several(ranx: Any) -> Any:
        table = getattr(ranx, kind)()
        table.add_multi(["q2", "q1"], [["d1", "d2"], ["d3"]], [[1, 2], [3]])
        return table

    def too_few(ranx: Any) -> Any:
        table = getattr(ranx, kind)()
        table.add("q2", ["d1", "d2"], [1])
        return table

    for call in (one_by_one, sorted_, whole, several, too_few):
        same(call)


@pytest.mark.parametrize("seed", range(30))
def test_order_of_documents(seed: int) -> None:
    """Ties too, which ranx leaves in an order of its own."""
    qrels, (run,) = random_data(seed, documents=random.Random(seed).choice([10, 40, 300]), topics=3)
    same(lambda ranx: ranx.Qrels(qrels))
    same(lambda ranx: ranx.Run(run))


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33, 100, 500])
def test_order_of_equal_scores(count: int) -> None:
    same(lambda ranx: ranx.Run({"q1": {f"d{number:03}": 1.0 for number in range(count)}}))
    same(lambda ranx: ranx.Run({"q1": {f"d{number:03}": float(number % 3) for number in range(count)}}))
    nothing = {"q1": {f"d{number:03}": [1.0, np.nan, 2.0, np.inf][number % 4] for number in range(count)}}
    same(lambda ranx: ranx.Run(nothing))


FILES = [
    (kind, name, saved)
    for kind in ("Qrels", "Run")
    for name, saved in [
        ("x.json", None), ("x.trec", None), ("x.txt", None), ("x.dat", "trec"), ("x.dat", "json"),
        ("x.dat", None), ("x.csv", None), ("x.json", "csv"), ("x.lz4", None),
    ]
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "saved"), FILES)
def test_files(kind: str, name: str, saved: str | None, tmp_path: Path) -> None:
    """What either writes, both read; and the bytes are the same but for numbers with exponents in JSON."""

    def call(ranx: Any) -> Any:
        made(ranx, kind, CONTENT[kind]).save(str(tmp_path / name), saved)
        return [
            getattr(module, kind).from_file(str(tmp_path / name), saved) for module in (ours, theirs)
        ]

    found, expected = outcome(call, ours), outcome(call, theirs)
    if isinstance(expected, list):
        found, expected = list(map(plain, found)), list(map(plain, expected))
    agree(found, expected)


@KINDS
def test_bytes_of_files(kind: str, tmp_path: Path) -> None:
    simple = {"q1": {"d1": 1, "d2": 2}, "q2": {"é": 3}}
    empty = {"q1": {"d1": 1}, "q2": {}}
    for number, content in enumerate((simple, empty)):
        for end in ("json", "trec"):
            paths = [tmp_path / f"{number}{which}.{end}" for which in ("ours", "theirs")]
            for path, module in zip(paths, (ours, theirs)):
                made(module, kind, content).save(str(path))
            assert paths[0].read_bytes() == paths[1].read_bytes(), (kind, end)
    assert not list(tmp_path.glob("*.tmp"))


@KINDS
def test_paths(kind: str, tmp_path: Path) -> None:
    for name in ("missing.trec", "missing.json", "missing/x.trec"):
        same(lambda ranx: getattr(ranx, kind).from_file(str(tmp_path / name)))
    same(lambda ranx: made(ranx, kind, CONTENT[kind]).save(str(tmp_path / "missing" / "x.trec")))


LINES = {
    "Qrels": ["q1 0 d1 1\nq1 0 d2 2\n", "q1 0 d1 1\nq1 0 d1 3", "q1\t0\td1 -1\n", "q1 0 d1\n",
              "q1 0 d1 1.5\n", "q1 0 d1 1 x\n", "", "\n", "q1 0 d1 1\n\nq1 0 d2 1\n"],
    "Run": ["q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1e3 other\n", "q1 Q0 d1 9 1 x\nq1 Q0 d1 1 3 x\n",
            "q1 Q0 d1 1 2.5\n", "q1 Q0 d1 1 high x\n", "", "q1 Q0 d1 1 -0.5 x", "q1 Q0 d1 1 inf x\n"],
}  # fmt: skip


@KINDS
def test_lines(kind: str, tmp_path: Path) -> None:
    for number, text in enumerate(LINES[kind]):
        path = tmp_path / f"{number}.trec"
        path.write_text(text)
        same(lambda ranx: getattr(ranx, kind).from_file(str(path)))
        packed = tmp_path / f"{number}.gz"
        packed.write_bytes(gzip.compress(text.encode()))
        same(lambda ranx: getattr(ranx, kind).from_file(str(packed)))
    path.write_text(LINES["Run"][0])
    same(lambda ranx: ranx.Run.from_file(str(path), name="given"))


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.trec"
    path.write_text("q1 0 d1 1\nq1 0 d2 high\n")
    with pytest.raises(ValueError, match="x.trec, line 2: .*high"):
        ours.Qrels.from_file(str(path))


@KINDS
def test_json(kind: str, tmp_path: Path) -> None:
    for number, text in enumerate(['{"q1": {"d1": 1}}', '{"q1": {"d1": 1.5}}', "{", "[]", "3",
                                   '{"q1": {"d1": NaN}}', '{"q1": 3}', ""]):  # fmt: skip
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        same(lambda ranx: getattr(ranx, kind).from_file(str(path)))


def frame(kind: str) -> pd.DataFrame:
    scores = [1, 2, 3, 1, 2] if kind == "Qrels" else [1.1, 2.1, 3.1, 1.1, 2.1]
    ids = {"q_id": ["q2", "q1", "q1", "q2", "q2"], "doc_id": ["d1", "d2", "d3", "d1", "d2"]}
    columns = {name: pd.Series(values, dtype=object) for name, values in ids.items()}
    return pd.DataFrame({**columns, "score": scores})


@KINDS
def test_frames(kind: str, tmp_path: Path) -> None:
    table = frame(kind)
    same(lambda ranx: getattr(ranx, kind).from_df(table))
    renamed = table.rename(columns={"q_id": "a", "doc_id": "b", "score": "c"})
    same(lambda ranx: getattr(ranx, kind).from_df(renamed, "a", "b", "c"))
    same(lambda ranx: getattr(ranx, kind).from_df(renamed))
    same(lambda ranx: getattr(ranx, kind).from_df(table.assign(q_id=[2, 1, 1, 2, 2])))
    same(lambda ranx: getattr(ranx, kind).from_df(table.assign(doc_id=[2, 1, 1, 2, 2])))
    same(lambda ranx: getattr(ranx, kind).from_df(table.assign(score=list("abcde"))))
    same(lambda ranx: getattr(ranx, kind).from_df(frame("Run" if kind == "Qrels" else "Qrels")))
    same(lambda ranx: made(ranx, kind, CONTENT[kind]).to_dataframe())
    same(lambda ranx: ranx.Run.from_df(frame("Run"), name="x"))


@KINDS
def test_parquet(kind: str, tmp_path: Path) -> None:
    """ranx reads no texts of pandas 3, so it is given what it wrote itself only as a frame."""
    for module in (ours, theirs):
        path = tmp_path / f"{module.__name__}.parquet"
        made(module, kind, CONTENT[kind]).save(str(path))
        read = getattr(ours, kind).from_parquet(str(path))
        agree(plain(read), plain(made(ours, kind, CONTENT[kind])))
        agree(plain(getattr(ours, kind).from_file(str(path))), plain(read))
    options = {"columns": ["q_id", "doc_id", "score"]}
    agree(plain(getattr(ours, kind).from_parquet(str(path), pd_kwargs=options)), plain(read))


def test_texts_of_pandas_are_texts() -> None:
    """ranx asks for the type object, which columns of texts do not have in pandas 3."""
    texts = frame("Qrels").astype({"q_id": "string", "doc_id": "str"})
    assert ours.Qrels.from_df(texts).to_dict() == ours.Qrels.from_df(frame("Qrels")).to_dict()


def test_gzip_is_written(tmp_path: Path) -> None:
    """ranx writes plain text into files that end in .gz, and cannot read them again."""
    path = tmp_path / "x.gz"
    ours.Run(SCORES, name="x").save(str(path))
    read = ours.Run.from_file(str(path))
    assert read.to_dict() == ours.Run(SCORES).to_dict() and read.name == "x"
    theirs.Run(SCORES, name="x").save(str(path))
    with pytest.raises(gzip.BadGzipFile):
        theirs.Run.from_file(str(path))


def test_json_has_no_numbers_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    ours.Run({"q1": {"d1": np.inf, "d2": 1.0}}).save(str(path))
    assert json.loads(path.read_text()) == {"q1": {"d1": None, "d2": 1.0}}


def test_longer_ids_are_kept() -> None:
    """ranx cuts ids to the length of the longest that the run was made with."""


    def added(ranx: Any) -> Any:
        run = ranx.Run({"q1": {"d001": 1.0}})
        run.add_score("q1", "d00123", 2.0)
        return run["q1"]

    assert added(theirs) == {"d001": 2.0}
    assert added(ours) == {"d001": 1.0, "d00123": 2.0}


def test_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(ImportError, match="pip install ir_datasets"):
        ours.Qrels.from_ir_datasets("vaswani")
    with pytest.raises(NotImplementedError, match="downloads nothing"):
        ours.Run.from_ranxhub("x")


def test_kinds_of_files_as_ranx_tells_them() -> None:
    from cranfield.compat.ranx.data_structures import qrels, run

    ends = ["json", "trec", "txt", "gz", "parquet", "parq"]
    kinds = ["json", "trec", "trec", "gz", "parquet", "parquet"]
    assert [qrels.get_file_kind(f"a.{end}") for end in ends] == kinds
    assert [run.get_file_kind(f"a.{end}") for end in ends] == kinds
    assert run.get_file_kind("a.lz4") == "lz4"
    assert run.get_file_kind("a.xyz", kind="trec") == "trec"
    with pytest.raises(AssertionError, match="`kind` must be"):
        qrels.get_file_kind("a.lz4")


@pytest.mark.parametrize("name", ["", ".metrics", ".fusion", ".normalization", ".meta"])
def test_names_of_functions_and_classes(name: str) -> None:
    from importlib import import_module

    original = import_module(f"ranx{name}")
    own = import_module(f"cranfield.compat.ranx{name}")
    public = {key for key in vars(original) if key[:1] != "_" and callable(getattr(original, key))}
    from_ranx = {key for key in public if getattr(getattr(original, key), "__module__", "").startswith("ranx")}
    assert not {key for key in from_ranx if not hasattr(own, key)}


@pytest.mark.parametrize(
    "name", ["hits", "mrr", "r-precision", "map", "rbp", "ndcg_burges", "nosuch", "", "recall@5"]
)
def test_metric_switch(name: str) -> None:
    def call(module: Any) -> Any:
        from importlib import import_module

        return import_module(f"{module.__name__}.metrics").metric_switch(name).__name__

    agree(outcome(call, ours), outcome(call, theirs))
