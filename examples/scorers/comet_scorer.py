"""COMET (Rei et al. 2020) for teapot, by the package unbabel-comet.

    pip install unbabel-comet
    teapot ... --s-tgt "exec:batch=32 python3 examples/scorers/comet_scorer.py --sources src.txt --references ref.txt"

COMET also reads the source of a translation, which the protocol does not carry: --sources names the file of original inputs, and
the source of a pair is found by its reference (--references, the same file as --ref). Where two segments have one reference, the
first one's source is taken. Models without reference (kiwi) don't fit this protocol.
"""

import argparse

from batches import serve

parser = argparse.ArgumentParser()
parser.add_argument("--sources", required=True, help="the original inputs, one a line (as --src)")
parser.add_argument("--references", required=True, help="the references, one a line (as --ref)")
parser.add_argument("--model", default="Unbabel/wmt22-comet-da")
parser.add_argument("--gpus", type=int, default=0)
options = parser.parse_args()

from comet import download_model, load_from_checkpoint  # noqa: E402  (slow: --help must not wait for it)


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


source_of = {}
for source, reference in zip(lines(options.sources), lines(options.references), strict=True):
    source_of.setdefault(reference, source)

model = load_from_checkpoint(download_model(options.model))


def score(hypotheses, references):
    data = [
        {"src": source_of.get(reference.rstrip(), ""), "mt": hypothesis, "ref": reference}
        for hypothesis, reference in zip(hypotheses, references)
    ]
    return model.predict(data, batch_size=len(data), gpus=options.gpus, progress_bar=False).scores


serve(score)
