"""A scorer in Python for `teapot --s-src "exec:python3 examples/custom-scorers/dice.py"`.

Reads one JSON object a line, {"hyp": "...", "ref": "..."}, and writes one number from 0 to 1 a line: the Dice coefficient of
the two texts' pairs of neighbouring characters.
"""

import json
import sys
from collections import Counter


def pairs(text):
    text = text.lower()
    return Counter(zip(text, text[1:]))


def dice(hyp, ref):
    left, right = pairs(hyp), pairs(ref)
    total = sum(left.values()) + sum(right.values())
    if total == 0:
        return float(hyp == ref)
    return 2 * sum((left & right).values()) / total


for line in sys.stdin:
    pair = json.loads(line)
    # flush: teapot waits for each answer.
    print(dice(pair["hyp"], pair["ref"]), flush=True)
