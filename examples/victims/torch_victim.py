"""A PyTorch model of your own as a victim of teapot.

    pip install torch
    teapot attack --src reviews.txt --model "command:batch=64 python3 examples/victims/torch_victim.py my_model.py"

The module has two functions: load(), which gives the model, and logits(model, texts), which gives a tensor (texts, labels); and the
names of the labels, LABELS. For example:

    LABELS = ["negative", "positive"]

    def load():
        model = MyClassifier()
        model.load_state_dict(torch.load("weights.pt", weights_only=True))
        return model

    def logits(model, texts):
        return model(encode(texts))
"""

import argparse
import importlib.util

from batches import serve

parser = argparse.ArgumentParser()
parser.add_argument("module", help="a Python file with LABELS, load and logits")
options = parser.parse_args()

import torch  # noqa: E402  (slow: --help must not wait for it)

spec = importlib.util.spec_from_file_location("victim_module", options.module)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
model = module.load().eval()


@torch.inference_mode()
def answer(texts):
    rows = module.logits(model, texts).softmax(dim=-1).tolist()
    return [dict(zip(module.LABELS, row)) for row in rows]


serve(answer)
