"""Programs and functions as assessors, and the judgements of a folder."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import cranfield

DOCS = {f"d{at}": f"heat flows in solid {at}" if at % 2 else f"cold water {at}" for at in range(10)}


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    lines = [json.dumps({"id": doc, "text": text}) for doc, text in DOCS.items()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "topics.tsv").write_text("t1\theat\nt2\tcold\n")
    rows = [f"{topic} Q0 {doc} {10 - at} {at} pool\n" for topic in ("t1", "t2") for at, doc in enumerate(DOCS)]
    (tmp_path / "pool.run").write_text("".join(rows))
    return tmp_path


def options(folder: Path) -> dict[str, Any]:
    return {"collection": folder / "docs.jsonl", "topics": folder / "topics.tsv"}


def by_title(topic: Any, document: Any) -> Any:
    return 3 if topic["title"] in document["text"] else 0


EXPECTED = {
    "t1": {doc: 3 if "heat" in text else 0 for doc, text in DOCS.items()},
    "t2": {doc: 3 if "cold" in text else 0 for doc, text in DOCS.items()},
}


def test_a_function_judges(pool: Path) -> None:
    asked: list[str] = []

    def grader(topic: Any, document: Any) -> Any:
        asked.append(document["id"])
        assert set(topic) == {"id", "title", "description", "narrative"}
        return by_title(topic, document), "by the title"

    result = cranfield.judge(pool / "pool.run", pool / "j", with_=grader, **options(pool))
    assert result.to_dict()["answered"] == 20 and len(asked) == 20
    qrels = cranfield.read_judgements(pool / "j", "grader")
    assert qrels.to_dict() == EXPECTED
    events = [json.loads(line) for line in (pool / "j" / "grader.jsonl").read_text().splitlines()]
    assert events[-1]["note"] == "by the title"
    # Nothing is asked twice, unless the version changes.
    again = cranfield.judge(pool / "pool.run", pool / "j", with_=grader, **options(pool))
    assert again.to_dict()["asked"] == 0 and len(asked) == 20
    cranfield.judge(pool / "pool.run", pool / "j", with_=grader, version="2", **options(pool))
    assert len(asked) == 40


def test_pools_in_memory_threads_and_declining(pool: Path) -> None:
    run = cranfield.read_run(pool / "pool.run")
    threads = set()
    barrier = threading.Barrier(4, timeout=10)

    def grader(topic: Any, document: Any) -> Any:
        if len(threads) < 4:
            threads.add(threading.get_ident())
            barrier.wait()
        return None if document["id"] == "d3" else by_title(topic, document)

    cranfield.judge(run, pool / "j", with_=grader, in_flight=4, as_="ada", **options(pool))
    assert len(threads) == 4
    expected = {topic: {doc: grade for doc, grade in docs.items() if doc != "d3"} for topic, docs in EXPECTED.items()}
    assert cranfield.read_judgements(pool / "j").to_dict() == expected


def test_what_was_judged_before_an_exception_is_kept(pool: Path) -> None:
    calls: list[int] = []

    def grader(topic: Any, document: Any) -> Any:
        calls.append(1)
        if len(calls) == 8:
            raise RuntimeError("out of luck")
        return 1

    with pytest.raises(RuntimeError, match="out of luck"):
        cranfield.judge(pool / "pool.run", pool / "j", with_=grader, **options(pool))
    assert cranfield.read_judgements(pool / "j").judgements == 7
    assert cranfield.judge(pool / "pool.run", pool / "j", with_=grader, **options(pool)).to_dict()["asked"] == 13
    with pytest.raises(cranfield.InputError, match="not on the scale"):
        cranfield.judge(pool / "pool.run", pool / "k", with_=lambda *_: 7, as_="seven", **options(pool))
    with pytest.raises(cranfield.InputTypeError, match="expected a grade"):
        cranfield.judge(pool / "pool.run", pool / "k", with_=lambda *_: "x", as_="word", **options(pool))


def test_a_program_judges(pool: Path) -> None:
    (pool / "grader.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    q = json.loads(line)\n"
        "    grade = 3 if q['title'] in q['text'] else 0\n"
        "    print(json.dumps({'id': q['id'], 'grade': grade}), flush=True)\n"
    )
    steps = []
    result = cranfield.judge(
        pool / "pool.run",
        pool / "j",
        with_=[sys.executable, str(pool / "grader.py")],
        as_="bot",
        audit=4,
        progress=lambda *step: steps.append(step),
        **options(pool),
    )
    assert result.to_dict()["answered"] == 20 and "4 documents for a person" in result.notes[0]
    assert cranfield.read_judgements(pool / "j", "bot").to_dict() == EXPECTED
    assert cranfield.read_run(pool / "j" / "bot.audit.run").documents == 4
    cranfield.judge(pool / "pool.run", pool / "j", with_=lambda *_: 1, as_="ann", **options(pool))
    merged = cranfield.read_judgements(pool / "j", merge="mean").to_dict()
    assert merged["t1"]["d1"] == 2.0 and merged["t1"]["d2"] == 0.5
    with pytest.raises(cranfield.UsageError, match="no assessor `eve`"):
        cranfield.read_judgements(pool / "j", "eve")
    with pytest.raises(cranfield.UsageError, match="cannot run"):
        cranfield.judge(pool / "pool.run", pool / "j", with_="no-such-program", **options(pool))


def test_holes_are_filled(pool: Path) -> None:
    (pool / "known.qrels").write_text("".join(f"t1 0 {doc} 2\n" for doc in DOCS))
    filled = pool / "filled.qrels"
    holes = {"fill_holes": pool / "known.qrels", "export": filled}
    cranfield.judge(pool / "pool.run", pool / "j", with_=by_title, **holes, **options(pool))
    lines = filled.read_text().splitlines()
    assert [line.split()[1] for line in lines] == ["0"] * 10 + ["by_title"] * 10
    with pytest.raises(cranfield.UsageError, match="fill_holes"):
        cranfield.judge(pool / "pool.run", pool / "j", with_=by_title, export=filled, **options(pool))


def test_options_that_do_not_apply(pool: Path) -> None:
    for wrong, message in [({"timeout": 1}, "timeout has no effect"), ({"plain": True}, "plain has no effect")]:
        with pytest.raises(cranfield.UsageError, match=message):
            cranfield.judge(pool / "pool.run", pool / "j", with_=by_title, **wrong, **options(pool))
    with pytest.raises(cranfield.UsageError, match="version has no effect"):
        cranfield.judge(pool / "pool.run", pool / "j", with_="cat", version="2", **options(pool))
    with pytest.raises(cranfield.UsageError, match="names no program"):
        cranfield.judge(pool / "pool.run", pool / "j", with_="", **options(pool))
    # Judging by hand needs a terminal, which a function call does not have.
    with pytest.raises(cranfield.UsageError, match="terminal"):
        cranfield.command("judge", str(pool / "pool.run"), "-o", str(pool / "j"), "--as", "ann", "--collection", str(pool / "docs.jsonl"), "--topics", str(pool / "topics.tsv"))


def test_a_strategy_chooses_while_a_function_judges(pool: Path) -> None:
    runs = {"a": {"t1": {"d1": 3.0, "d0": 2.0, "d2": 1.0}}, "b": {"t1": {"d5": 3.0, "d3": 2.0}}}
    asked: list[str] = []

    def grader(topic: Any, document: Any) -> int:
        asked.append(document["id"])
        return int(by_title(topic, document))

    live: dict[str, Any] = {"with_": grader, "strategy": "mtf", "budget": 4, "level": 2, **options(pool)}
    result = cranfield.judge(runs, pool / "j", **live)
    # The first run is left after d0, which is not relevant.
    assert asked == ["d1", "d0", "d5", "d3"]
    assert result.to_dict()["answered"] == 4 and result.to_dict()["left"] == 0
    again = cranfield.judge(runs, pool / "j", **(live | {"budget": 5}))
    assert asked[4:] == ["d2"] and again.to_dict()["asked"] == 1
    with pytest.raises(cranfield.UsageError, match="budget has no effect without strategy"):
        cranfield.judge(pool / "pool.run", pool / "k", with_=grader, budget=3, **options(pool))
    with pytest.raises(cranfield.UsageError, match="needs a finished pool"):
        cranfield.judge(runs, pool / "k", votes=3, **live)


def test_outputs_replace_nothing(pool: Path) -> None:
    holes = pool / "holes.qrels"
    holes.write_text("t1 0 d1 1\n")
    for name in ["docs.jsonl", "pool.run", "topics.tsv", "holes.qrels", "j/by_title.jsonl", "j/judging.toml"]:
        with pytest.raises(cranfield.WriteError, match="cannot write the output"):
            cranfield.judge(
                pool / "pool.run", pool / "j", with_=by_title, fill_holes=holes, export=pool / name, **options(pool)
            )
