"""An experiment as people write it with ir_measures: only the import says whose measures these are."""

import sys

if sys.argv[1] == "ours":
    from cranfield.compat import ir_measures
    from cranfield.compat.ir_measures import *  # noqa: F403
else:
    import ir_measures
    from ir_measures import *  # noqa: F403

qrels_path, run_paths = sys.argv[2], sys.argv[3:]
qrels = list(ir_measures.read_trec_qrels(qrels_path))
measures = [AP, AP(rel=2), nDCG @ 10, P(rel=2) @ 5, RR @ 10, R @ 100, Judged @ 10, Bpref, SetF(beta=2.0), NumRet]  # noqa: F405
measures.append(ir_measures.parse_measure("INST(max_rel=3)"))
measures += ir_measures.parse_trec_measure("iprec_at_recall.0.1,0.5")
evaluator = ir_measures.evaluator(measures, qrels)
table = {}
for path in run_paths:
    run = list(ir_measures.read_trec_run(path))
    table[path] = evaluator.calc_aggregate(run)
    worst = min(evaluator.iter_calc(run), key=lambda m: (m.measure != nDCG @ 10, m.value, m.query_id))  # noqa: F405
    print(f"{path.rpartition('/')[2]}: hardest topic {worst.query_id} ({worst.measure} {worst.value:.6f})")
for measure in measures:
    print(measure, *[f"{table[path][measure]:.6f}" for path in run_paths], sep="\t")
best = max(run_paths, key=lambda path: table[path][nDCG @ 10])  # noqa: F405
aggregated, per_query = (nDCG @ 10).calc(qrels, ir_measures.read_trec_run(best))  # noqa: F405
print(best.rpartition("/")[2], f"{aggregated:.6f}", len(per_query))
