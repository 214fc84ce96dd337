"""BERTScore F1 (Zhang et al. 2020) for teapot, by the package bert-score.

    pip install bert-score
    teapot ... --s-tgt "exec:batch=64 python3 examples/scorers/bertscore_scorer.py --lang en"

The scores are those without rescaling: they lie in [0, 1] and are high for any two sentences.
"""

import argparse

from batches import serve

parser = argparse.ArgumentParser()
parser.add_argument("--lang", default="en", help="language of the texts, which chooses the model")
parser.add_argument("--model", help="a model instead of the language's own, for example microsoft/deberta-xlarge-mnli")
options = parser.parse_args()

from bert_score import BERTScorer  # noqa: E402  (slow: --help must not wait for it)

scorer = BERTScorer(lang=options.lang, model_type=options.model)


def score(hypotheses, references):
    _, _, f1 = scorer.score(hypotheses, references)
    return f1.tolist()


serve(score)
