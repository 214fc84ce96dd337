"""The line protocol of teapot in groups: for scorers that score many pairs at once, as on a graphics card.

    --s-src "exec:batch=32 python3 my_scorer.py"

With batch=N, teapot sends at most N pairs, one JSON object a line, {"hyp": "...", "ref": "..."}, and then an empty line; it
expects as many numbers from 0 to 1, one a line, in the same order.
"""

import json
import sys


def groups(lines):
    """The pairs up to each empty line, as lists of hypotheses and of references."""
    group = []
    for line in lines:
        if line.strip():
            group.append(json.loads(line))
            continue
        yield [pair["hyp"] for pair in group], [pair["ref"] for pair in group]
        group = []


def serve(score):
    """Answers every group by score(hypotheses, references), which gives as many numbers."""
    for hypotheses, references in groups(sys.stdin):
        for value in score(hypotheses, references):
            print(min(1.0, max(0.0, float(value))))
        # teapot waits for the answers of the whole group.
        sys.stdout.flush()
