"""An engine for the guides: answers topics from a run, after a pause in seconds."""

import json
import sys
import time

answers = {}
for line in open(sys.argv[1]):
    topic, _, doc, _, score, _ = line.split()
    answers.setdefault(topic, []).append({"doc": doc, "score": float(score)})

for line in sys.stdin:
    question = json.loads(line)
    time.sleep(float(sys.argv[2]))
    hits = answers.get(question["topic"], [])[: question["depth"]]
    print(json.dumps({"topic": question["topic"], "hits": hits}), flush=True)
