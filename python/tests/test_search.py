"""Indexes and searches: the same bytes as the command line, from files and from memory."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cranfield
from conftest import ROOT

GARDEN = ROOT / "examples" / "garden"
COLLECTION = GARDEN / "collection.toml"


def command_line(*arguments: str | os.PathLike[str], cwd: Path | None = None) -> str:
    line = [sys.executable, "-m", "cranfield", *arguments]
    return subprocess.run(line, check=True, capture_output=True, text=True, cwd=cwd).stdout


def documents() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GARDEN / "documents.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that the command line builds."""
    folder = tmp_path_factory.mktemp("garden") / "index"
    command_line("index", COLLECTION, "-o", folder)
    return folder


@pytest.fixture(scope="module")
def index(folder: Path) -> cranfield.Index:
    return cranfield.Index(folder)


def test_an_index_is_that_of_the_command_line(index: cranfield.Index, tmp_path: Path) -> None:
    built = cranfield.Index.build(COLLECTION, tmp_path / "index")
    assert built.description == index.description
    assert (len(built), built.analyzer, built.fields) == (365, "english", ["title", "text"])
    assert built.path == tmp_path / "index"
    rows = built.built.to_columns() if built.built else {}
    assert rows["value"][rows["name"].index("documents")] == "365"
    assert repr(pickle.loads(pickle.dumps(built))) == repr(built) == "<cranfield Index: 365 documents, analyzer 'english'>"


def test_documents_in_memory(index: cranfield.Index, tmp_path: Path) -> None:
    rows = documents()
    by_id = {row["id"]: {name: row[name] for name in row if name != "id"} for row in rows}
    for number, given in enumerate((rows, iter(rows), (row for row in rows), by_id)):
        built = cranfield.Index.build(given, tmp_path / str(number))
        assert built.description == index.description
    assert cranfield.Index.build([GARDEN / "documents.jsonl"], tmp_path / "file").description == index.description


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_documents_and_topics_in_frames(library: str, index: cranfield.Index, tmp_path: Path) -> None:
    module = pytest.importorskip(library)
    make = module.Table.from_pylist if library == "pyarrow" else module.DataFrame
    assert cranfield.Index.build(make(documents()), tmp_path / "index").description == index.description
    topics = make([{"qid": "q1", "query": "slugs", "note": None}, {"qid": "q2", "query": "late blight", "note": "x"}])
    assert index.search(topics) == index.search({"q1": "slugs", "q2": "late blight"})


def test_a_frame_with_ids_in_its_index(index: cranfield.Index, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(documents()).set_index("id")
    assert cranfield.Index.build(frame, tmp_path / "index").description == index.description


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"model": "BM25(k1=1.2, b=0.75)", "depth": 7}, ["-m", "BM25(k1=1.2, b=0.75)", "-d", "7"]),
        ({"model": "VSM('lnc.ltc')", "query": "title+desc"}, ["-m", "VSM('lnc.ltc')", "--query", "title+desc"]),
        ({"feedback": "RM3", "tag": "mine", "threads": 1}, ["--feedback", "RM3", "--tag", "mine"]),
    ],
)
def test_a_run_has_the_bytes_of_the_command_line(
    options: dict[str, Any], arguments: list[str], index: cranfield.Index, tmp_path: Path
) -> None:
    expected, written, saved = tmp_path / "cli.run", tmp_path / "output.run", tmp_path / "saved.run"
    command_line("search", index.path, COLLECTION, "-o", expected, *arguments)
    run = index.search(COLLECTION, output=written, **options)
    run.save(saved)
    assert expected.read_bytes() == written.read_bytes() == saved.read_bytes()
    assert (tmp_path / "output.run.yaml").exists()
    assert run == cranfield.search(index.path, COLLECTION, **options)


def test_topics_in_memory(index: cranfield.Index) -> None:
    topics = {"1": "protecting seedlings from slugs", "x": {"title": "late blight", "desc": "on tomatoes"}}
    run = index.search(topics, query="title+desc")
    assert run.topics == ["1", "x"]
    assert run["1"] == index.search(COLLECTION)["1"]
    assert run["x"] == index.search([{"id": "x", "query": "late blight on tomatoes"}])["x"]


def test_hits(index: cranfield.Index) -> None:
    hits = index.search("late blight on tomatoes", depth=3)
    run = index.search({"q": "late blight on tomatoes"}, depth=3)
    assert [(hit.id, float(f"{hit.score:.9g}")) for hit in hits] == list(run["q"].items())
    texts = {row["id"]: row for row in documents()}
    assert all(hit.title == texts[hit.id]["title"] and texts[hit.id]["text"] in (hit.text or "") for hit in hits)
    assert len(index.search("slugs")) == 10
    assert index.search("xyzzy") == []


def test_an_index_without_text(tmp_path: Path) -> None:
    bare = cranfield.Index.build({"d1": "late blight"}, tmp_path / "index", text=False)
    assert bare.search("blight") == [cranfield.Hit("d1", bare.search("blight")[0].score)]
    with pytest.raises(cranfield.InputError, match="text"):
        bare.search("blight", feedback="RM3")


def test_frames_of_runs_and_hits(index: cranfield.Index) -> None:
    run, hits = index.search(COLLECTION, depth=5), index.search("slugs", depth=2)
    columns = run.to_columns()
    assert list(columns) == ["topic", "doc", "score"] and len(columns["doc"]) == run.documents == 150
    ids = [hit.id for hit in hits]
    assert list(hits.to_columns()) == ["id", "score", "title", "text"] and len(hits.to_arrow()) == 2
    if pandas := _library("pandas"):
        assert cranfield.read_run(run.to_pandas(), name=run.name) == run
        assert isinstance(hits.to_pandas(), pandas.DataFrame) and list(hits.to_pandas()["id"]) == ids
        assert run.to_pandas()["score"].dtype == "float64"
    if _library("polars"):
        assert cranfield.read_run(run.to_polars(), name=run.name) == run
        assert hits.to_polars()["id"].to_list() == ids
    assert cranfield.read_run(run.to_arrow(), name=run.name) == run


def _library(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        return None


def test_columns_of_judgements_and_ranks(toy: Path) -> None:
    qrels = cranfield.read_qrels(toy / "qrels.txt")
    assert list(qrels.to_columns()) == ["topic", "doc", "rel"]
    assert cranfield.read_qrels(qrels.to_arrow()) == qrels
    ranked = cranfield.Run.from_columns(["q", "q"], ["a", "b"], [1.0, 1.0], ranks=[2, 1])
    assert ranked.to_columns()["rank"] == [2.0, 1.0]
    assert cranfield.read_run(ranked.to_arrow()) == ranked


def test_vectors(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    expected = tmp_path / "cli.run"
    command_line("search", f"vectors:{GARDEN / 'vectors'}", COLLECTION, "-o", expected, "--tag", "dense")
    vectors = GARDEN / "vectors"
    dense = cranfield.DenseIndex(vectors)
    run = dense.search(vectors)
    run.save(tmp_path / "py.run")
    assert (tmp_path / "py.run").read_bytes() == expected.read_bytes()
    ids = (vectors / "documents.ids").read_text().split()
    arrays = numpy.load(vectors / "documents.npy"), numpy.load(vectors / "topics.npy")
    topics = (vectors / "topics.ids").read_text().split()
    for array in (arrays[0], arrays[0].astype("float64")):
        memory = cranfield.DenseIndex(array, ids)
        assert (len(memory), memory.dimensions, memory.similarity) == (365, 384, "dot")
        assert memory.search(arrays[1], topics) == run
    assert [hit.id for hit in dense.search(arrays[1][0].astype("float64"), depth=3)] == list(run[topics[0]])[:3]
    with pytest.raises(cranfield.UsageError, match="ids"):
        cranfield.DenseIndex(arrays[0])


def test_another_engine(toy: Path, tmp_path: Path) -> None:
    engine, topics = "examples/engines/bm25.toml", "examples/topics.tsv"
    program = (
        "import cranfield, sys; cranfield.search(sys.argv[1], sys.argv[2], output=sys.argv[3])",
        engine,
        topics,
        tmp_path / "py.run",
    )
    subprocess.run([sys.executable, "-c", *program], check=True, cwd=toy.parent)
    command_line("search", engine, topics, "-o", tmp_path / "cli.run", cwd=toy.parent)
    assert (tmp_path / "py.run").read_bytes() == (tmp_path / "cli.run").read_bytes()


def test_errors_have_a_place(index: cranfield.Index, tmp_path: Path) -> None:
    topics = tmp_path / "topics.jsonl"
    topics.write_text('{"id": "q1", "title": "slugs"}\n{"title": "snails"}\n')
    with pytest.raises(cranfield.InputError) as raised:
        index.search(topics)
    problem = raised.value.problems[0]
    assert (problem.code, problem.file, problem.line) == ("IR201", str(topics), 2)
    with pytest.raises(cranfield.InputError) as raised:
        cranfield.Index(tmp_path)
    assert raised.value.problems[0].file == str(tmp_path)
    with pytest.raises(cranfield.InputError) as raised:
        index.search([{"id": "q1", "title": "slugs"}, {"title": "snails"}])
    assert raised.value.problems[0].file == "<topics>"


def test_arguments_that_are_errors(index: cranfield.Index, tmp_path: Path) -> None:
    with pytest.raises(cranfield.UnknownNameError, match="BM26"):
        index.search("slugs", "BM26")
    with pytest.raises(cranfield.UsageError, match="k1"):
        index.search("slugs", "BM25(k1=-1)")
    with pytest.raises(cranfield.UnknownNameError, match="klingon"):
        cranfield.Index.build(COLLECTION, tmp_path / "x", analyzer="klingon")
    with pytest.raises(cranfield.UsageError, match="is a file"):
        index.search(str(COLLECTION))
    for topics in (3, None, ["slugs"], b"slugs"):
        with pytest.raises(cranfield.InputTypeError):
            index.search(topics)
    with pytest.raises(cranfield.InputTypeError, match="document 2 is a str"):
        cranfield.Index.build([{"id": "1", "text": "slugs"}, "snails"], tmp_path / "x")
    with pytest.raises(cranfield.InputTypeError, match="engine"):
        cranfield.search(3, {"q": "slugs"})
    assert not (tmp_path / "x").exists()


def test_what_is_left_out_is_a_warning(index: cranfield.Index, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="q2") as caught:
        run = index.search({"q1": "slugs", "q2": ""})
    assert run.topics == ["q1"] and caught[0].filename == __file__
    file = tmp_path / "documents.jsonl"
    file.write_text('{"id": "d1", "text": "slugs"}\n{"text": "snails"}\n')
    with pytest.warns(UserWarning, match=r"without id: 1 .*documents.jsonl:2") as caught:
        assert len(cranfield.Index.build(file, tmp_path / "index")) == 1
    assert caught[0].filename == __file__


def test_what_documents_raise_is_raised(tmp_path: Path) -> None:
    def failing() -> Iterator[dict[str, str]]:
        for number in range(5000):
            yield {"id": str(number), "text": "slugs"}
        raise OSError("no more")

    cranfield.Index.build({"d1": "slugs"}, tmp_path / "index")
    with pytest.raises(OSError, match="no more"):
        cranfield.Index.build(failing(), tmp_path / "index")
    assert len(cranfield.Index(tmp_path / "index")) == 1, "the index from before"


def test_progress(tmp_path: Path) -> None:
    steps: list[tuple[str, str, int, int]] = []
    rows = [{"id": str(number), "text": f"slugs {number}"} for number in range(2000)]
    cranfield.Index.build(rows, tmp_path / "index", progress=lambda *step: steps.append(step))
    assert steps and steps[-1][2:] == (2000, 2000)


INTERRUPTED = """
import _thread, itertools, signal, sys, threading
import cranfield
signal.signal(signal.SIGINT, signal.default_int_handler)

def endless():
    for number in itertools.count():
        if number == 20_000:
            threading.Thread(target=_thread.interrupt_main).start()
        yield {"id": str(number), "text": "slugs"}

try:
    cranfield.Index.build(endless(), sys.argv[1])
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_ctrl_c_ends_a_build(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, tmp_path / "index"], timeout=120)
    assert done.returncode == 7
    with pytest.raises(cranfield.InputError):
        cranfield.Index(tmp_path / "index")


def test_an_explanation_is_that_of_the_command_line(index: cranfield.Index, folder: Path) -> None:
    line = ["search", folder, COLLECTION, "--explain", "1", "G259", "-m", "QL(mu=500)", "--feedback", "RM3", "-f", "json"]
    expected = json.loads(command_line(*line))
    found = index.explain(expected["query"], "G259", "QL(mu=500)", feedback="RM3").to_dict()
    assert found | {"topic": "1"} == expected
    run = index.search({"1": expected["query"]}, "QL(mu=500)", feedback="RM3")
    assert run["1"]["G259"] == expected["score"]
    with pytest.raises(cranfield.CranfieldError, match="no document `nothing`"):
        index.explain("peas", "nothing")
