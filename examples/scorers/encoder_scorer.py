"""Cosine of a sentence encoder for teapot: a local ONNX model (as --encoder takes it), or one of sentence-transformers.

    pip install onnxruntime tokenizers numpy
    teapot ... --s-src "exec:batch=32 python3 examples/scorers/encoder_scorer.py --onnx minilm"

    pip install sentence-transformers
    teapot ... --s-src "exec:batch=32 python3 examples/scorers/encoder_scorer.py --model all-MiniLM-L6-v2"

A cosine below 0 counts as 0. Quantised ONNX models run one text at a time here: their numbers depend on the batch.
"""

import argparse
from pathlib import Path

from batches import serve

parser = argparse.ArgumentParser()
which = parser.add_mutually_exclusive_group(required=True)
which.add_argument("--onnx", help="a folder with model.onnx and tokenizer.json")
which.add_argument("--model", help="a name or folder for sentence-transformers")
options = parser.parse_args()

import numpy  # noqa: E402  (slow: --help must not wait for it)


def onnx_encoder(folder):
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    settings = SessionOptions()
    settings.intra_op_num_threads = 1
    session = InferenceSession(str(folder / "model.onnx"), settings)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    names = {put.name for put in session.get_inputs()}

    def vector(text):
        ids = numpy.array([tokenizer.encode(text).ids], numpy.int64)
        feeds = {"input_ids": ids, "attention_mask": numpy.ones_like(ids), "token_type_ids": numpy.zeros_like(ids)}
        tokens = session.run(None, {name: feeds[name] for name in names})[0]
        mean = tokens[0].mean(axis=0) if tokens.ndim == 3 else tokens[0]
        return mean / numpy.linalg.norm(mean)

    return lambda texts: numpy.stack([vector(text) for text in texts])


def transformers_encoder(name):
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(name)
    return lambda texts: model.encode(texts, normalize_embeddings=True)


encode = onnx_encoder(Path(options.onnx)) if options.onnx else transformers_encoder(options.model)


def score(hypotheses, references):
    return (encode(hypotheses) * encode(references)).sum(axis=1)


serve(score)
