"""A scikit-learn pipeline as a victim of teapot: anything with predict_proba that takes texts.

    pip install scikit-learn
    python3 examples/victims/sklearn_victim.py --train reviews.csv --text text --label label model.joblib
    teapot attack --data reviews.csv --columns src=text,ref=label \\
      --model "command:batch=256 python3 examples/victims/sklearn_victim.py model.joblib"

A joblib file runs code when it is loaded: load only your own.
"""

import argparse

from batches import serve

parser = argparse.ArgumentParser()
parser.add_argument("model", help="the pipeline, as joblib has it")
parser.add_argument("--train", help="a CSV file: train a small model (TF-IDF, logistic regression) and write it instead")
parser.add_argument("--text", default="text", help="its column with the texts")
parser.add_argument("--label", default="label", help="its column with the labels")
options = parser.parse_args()

import joblib  # noqa: E402  (slow: --help must not wait for it)


def train(path):
    import csv

    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=1000))
    return pipeline.fit([row[options.text] for row in rows], [row[options.label] for row in rows])


if options.train:
    joblib.dump(train(options.train), options.model)
else:
    pipeline = joblib.load(options.model)
    labels = [str(label) for label in pipeline.classes_]
    serve(lambda texts: [dict(zip(labels, row)) for row in pipeline.predict_proba(texts)])
