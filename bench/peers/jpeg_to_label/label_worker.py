"""What the workers share: a contestant in a process that stays, called over a pipe.

A worker is started as `worker.py CONFIG`, JSON, answers {} when it has loaded its network, and then a line of JSON for each
that it reads:

    {"paths": [...]}                         {"seconds", "cpu_seconds", "labels"}: the index of each file's best class
    {"paths": [...], "scores": "all.npy"}    {"seconds", "cpu_seconds"}: writes the scores of all classes
"""
import json
import os
import sys
import time


def serve(load, config):
    """load(config) gives classify(paths, all_scores), a list of labels, or of arrays of scores."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print

    def answer(**value):
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    classify = load(json.loads(config))
    answer()
    for line in sys.stdin:
        request = json.loads(line)
        path = request.get("scores")
        start, cpu_start = time.perf_counter(), time.process_time()
        found = classify(request["paths"], bool(path))
        taken = {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu_start}
        if path:
            import numpy as np
            np.save(path, np.stack(found))
            answer(**taken)
        else:
            answer(**taken, labels=found)
