"""The bootstrap of a mean as a NumPy user writes it: RESAMPLES times draw N indices, take, mean. Prints JSON.

bootstrap.py N RESAMPLES
"""

import json
import sys
import time

import numpy


def main():
    size, resamples = int(sys.argv[1]), int(sys.argv[2])
    rng = numpy.random.default_rng(12345)
    scores = rng.random(size)
    begin = time.perf_counter()
    means = [scores.take(rng.integers(0, size, size)).mean() for _ in range(resamples)]
    seconds = time.perf_counter() - begin
    low, high = numpy.quantile(means, [0.025, 0.975])
    print(json.dumps({"seconds": seconds, "low": low, "high": high}))


if __name__ == "__main__":
    main()
