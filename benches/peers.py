"""One peer, from files to the six means, as its own documentation shows: `peers.py TOOL QRELS RUN...`.

Prints one JSON list of the means of the last run: AP, nDCG, nDCG@10, P@10, R@1000, RR.
"""

import json
import sys


def pytrec_eval_terrier(qrels_path, run_paths):
    import pytrec_eval

    names = ["map", "ndcg", "ndcg_cut_10", "P_10", "recall_1000", "recip_rank"]
    with open(qrels_path) as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), set(names))
    for path in run_paths:
        with open(path) as file:
            topics = evaluator.evaluate(pytrec_eval.parse_run(file)).values()
        means = [pytrec_eval.compute_aggregated_measure(name, [topic[name] for topic in topics]) for name in names]
    return means


def ir_measures(qrels_path, run_paths):
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    measures = [AP, nDCG, nDCG @ 10, P @ 10, R @ 1000, RR]
    evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(qrels_path))
    for path in run_paths:
        means = evaluator.calc_aggregate(ir_measures.read_trec_run(path))
    return [means[measure] for measure in measures]


def ranx(qrels_path, run_paths):
    from ranx import Qrels, Run, evaluate

    names = ["map", "ndcg", "ndcg@10", "precision@10", "recall@1000", "mrr"]
    qrels = Qrels.from_file(qrels_path, kind="trec")
    for path in run_paths:
        means = evaluate(qrels, Run.from_file(path, kind="trec"), names)
    return [float(means[name]) for name in names]


TOOLS = {"pytrec-eval-terrier": pytrec_eval_terrier, "ir-measures": ir_measures, "ranx": ranx}

if __name__ == "__main__":
    tool, qrels, *runs = sys.argv[1:]
    print(json.dumps(TOOLS[tool](qrels, runs)))
