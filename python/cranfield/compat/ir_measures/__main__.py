"""The command line: `python -m cranfield.compat.ir_measures qrels run measures`."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from cranfield.compat import ir_measures
from cranfield.compat.ir_measures import Measure, Metric

DEFAULT_PLACES = 4
SUMMARY_QID = "all"


def tsv_output(args: argparse.Namespace) -> Callable[[Metric], None]:
    """Prints columns."""
    form = "" if args.places == -1 else f".{args.places}f"

    def line(result: Metric) -> None:
        topic = f"{result.query_id}\t" if args.by_query else ""
        print(f"{topic}{result.measure}\t{result.value:{form}}")

    return line


def jsonl_output(args: argparse.Namespace) -> Callable[[Metric], None]:
    """Prints an object on each line."""
    if args.places != DEFAULT_PLACES:
        sys.stderr.write("--places is ignored when using --output jsonl\n")

    def line(result: Metric) -> None:
        shown = {"query_id": result.query_id} if args.by_query else {}
        # Figures of C/W/L follow the value.
        rest = result._asdict()
        rest = {key: value for key, value in rest.items() if key not in ("query_id", "measure")}
        print(json.dumps({**shown, "measure": str(result.measure), **rest}))

    return line


OUTPUT_FORMATS = {"tsv": tsv_output, "jsonl": jsonl_output}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    parser.add_argument("qrels")
    parser.add_argument("run")
    parser.add_argument("measures", nargs="+")
    parser.add_argument("--places", "-p", type=int, default=DEFAULT_PLACES)
    parser.add_argument("--by_query", "-q", action="store_true")
    parser.add_argument("--no_summary", "-n", action="store_true")
    parser.add_argument("--output_format", "-o", choices=OUTPUT_FORMATS.keys(), default="tsv")
    parser.add_argument("--provider", choices=ir_measures.providers.registry.keys())
    return parser


def main_cli() -> None:
    """Reads the arguments, evaluates and prints."""
    args = _parser().parse_args()
    qrels = _get_qrels(args)
    run = ir_measures.read_trec_run(args.run)
    measures = _get_measures(args)
    pipeline = ir_measures.DefaultPipeline
    provider = ir_measures.providers.registry[args.provider] if args.provider else pipeline
    output = OUTPUT_FORMATS[args.output_format](args)
    if args.by_query:
        _by_topic(provider.iter_calc(measures, qrels, run), measures, output, args.no_summary)
        return
    if args.no_summary:
        raise AssertionError("--no_summary (-n) only supported with --by_query (-q)")
    results = provider.calc_aggregate(measures, qrels, run)
    for measure in measures:
        output(Metric(SUMMARY_QID, measure, results[measure]))


def _by_topic(
    results: Any, measures: list[Measure], output: Callable[[Metric], None], no_summary: bool
) -> None:
    aggregators = {measure: measure.aggregator() for measure in measures}
    for result in results:
        output(result)
        aggregators[result.measure].add(result.value)
    if not no_summary:
        for measure in measures:
            output(Metric(SUMMARY_QID, measure, aggregators[measure].result()))


def _fail(message: str) -> NoReturn:
    sys.stderr.write(f"{message}\n")
    sys.exit(-1)


def _get_qrels(args: argparse.Namespace) -> Any:
    """Judgements of a file, or else of a collection of ir_datasets, if that is installed."""
    if os.path.exists(args.qrels):
        return ir_measures.read_trec_qrels(args.qrels)
    try:
        ir_datasets: Any = importlib.import_module("ir_datasets")
    except ImportError:
        notice = "Skipping ir_datasets lookup. To use this feature, install ir_datasets."
        _fail(f"{notice}\n{args.qrels} not found.")
    try:
        dataset = ir_datasets.load(args.qrels)
    except KeyError:
        _fail(f"{args.qrels} not found. (checked file and ir_datasets)")
    if not dataset.has_qrels():
        _fail(f"ir_datasets ID {args.qrels} found but does not provide qrels.")
    return dataset.qrels_iter()


def _get_measures(args: argparse.Namespace) -> list[Measure]:
    measures: dict[Measure, None] = {}
    errors = []
    for name in (name for text in args.measures for name in text.split()):
        try:
            measures[ir_measures.parse_measure(name)] = None
        except ValueError:
            errors.append(f"syntax error: {name}")
        except NameError:
            errors.append(f"unknown measure: {name}")
    if errors:
        _fail("\n".join(["error parsing measures", *errors]))
    return list(measures)


if __name__ == "__main__":
    try:
        main_cli()
    except BrokenPipeError:
        sys.stderr.write("BrokenPipe\n")
    except KeyboardInterrupt:
        sys.stderr.write("KeyboardInterrupt\n")
