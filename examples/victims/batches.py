"""The line protocol of teapot in groups: for victims that answer many texts at once, as on a graphics card.

    --model "command:batch=32 python3 my_victim.py"

With batch=N, teapot sends at most N inputs, one JSON object a line, {"input": "..."}, and then an empty line; it expects as many
answers, one JSON object a line, in the same order: {"output": "label", "scores": {"label": 0.9, ...}}.
"""

import json
import sys


def serve(answer):
    """Answers every group by answer(texts), which gives one dictionary of label to probability for each text."""
    group = []
    for line in sys.stdin:
        if line.strip():
            group.append(json.loads(line)["input"])
            continue
        for scores in answer(group):
            scores = {str(label): float(score) for label, score in scores.items()}
            print(json.dumps({"output": max(scores, key=scores.get), "scores": scores}))
        # teapot waits for the answers of the whole group.
        sys.stdout.flush()
        group = []
