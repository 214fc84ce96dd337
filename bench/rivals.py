"""Runs one rival over line-aligned files for about SECONDS and prints one line of JSON, as pair_rate does.

    rivals.py TASK HYPOTHESES REFERENCES SECONDS

Texts are read and prepared before the clock starts; the rate is that of the rival's own call in a plain loop,
in processor time of all its threads.
"""

import json
import statistics
import sys
import time


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def sacrebleu_chrf(hyps, refs, word_order=0):
    import sacrebleu

    return sum(sacrebleu.sentence_chrf(h, [r], word_order=word_order).score for h, r in zip(hyps, refs)) / 100


def sacrebleu_chrf_pp(hyps, refs):
    return sacrebleu_chrf(hyps, refs, word_order=2)


def sacrebleu_bleu(hyps, refs):
    import sacrebleu

    return (
        sum(
            sacrebleu.sentence_bleu(h, [r], smooth_method="floor", smooth_value=0.01).score
            for h, r in zip(hyps, refs)
        )
        / 100
    )


def fastchrf_pairs(hyps, refs):
    import fastchrf

    scores = fastchrf.pairwise_chrf([[h] for h in hyps], [[r] for r in refs])
    return sum(float(score[0][0]) for score in scores) / 100


def bleuscore_pairs(hyps, refs):
    import bleuscore

    return sum(bleuscore.compute([[r]], [h], max_order=4, smooth=True)["bleu"] for h, r in zip(hyps, refs))


def rapidfuzz_levenshtein(hyps, refs):
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    return float(cpdist(hyps, refs, scorer=Levenshtein.distance, workers=1).sum())


TASKS = {
    "sacrebleu_chrf": sacrebleu_chrf,
    "sacrebleu_chrf++": sacrebleu_chrf_pp,
    "sacrebleu_bleu": sacrebleu_bleu,
    "fastchrf": fastchrf_pairs,
    "bleuscore": bleuscore_pairs,
    "rapidfuzz": rapidfuzz_levenshtein,
}


def main():
    task, hypotheses, references, seconds = sys.argv[1:5]
    run = TASKS[task]
    hyps, refs = lines(hypotheses), lines(references)
    run(hyps[:2], refs[:2])
    rates = []
    started = time.perf_counter()
    while not rates or time.perf_counter() - started < float(seconds):
        begin = time.process_time()
        total = run(hyps, refs)
        rates.append(len(hyps) / (time.process_time() - begin))
    print(
        json.dumps(
            {"rate": statistics.median(rates), "low": min(rates), "high": max(rates), "rounds": len(rates), "sum": total}
        )
    )


if __name__ == "__main__":
    main()
