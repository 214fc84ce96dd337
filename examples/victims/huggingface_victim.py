"""A text classifier of Hugging Face as a victim of teapot.

    pip install transformers torch
    teapot attack --data reviews.csv --columns src=text,ref=label --attack textfooler --neighbours wordnet \\
      --model "command:batch=32 python3 examples/victims/huggingface_victim.py distilbert-base-uncased-finetuned-sst-2-english"

The labels are those of the model's configuration; --labels gives them other names, in the order of the model's outputs.
"""

import argparse

from batches import serve

parser = argparse.ArgumentParser()
parser.add_argument("model", help="a name of the hub, or a folder")
parser.add_argument("--labels", help="names of the labels, in order: negative,positive")
parser.add_argument("--device", help="cpu, cuda, mps; default: the best one there is")
options = parser.parse_args()

import torch  # noqa: E402  (slow: --help must not wait for it)
from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: E402

device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained(options.model)
model = AutoModelForSequenceClassification.from_pretrained(options.model).to(device).eval()
labels = options.labels.split(",") if options.labels else [model.config.id2label[i] for i in range(model.config.num_labels)]


@torch.inference_mode()
def answer(texts):
    inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt").to(device)
    probabilities = model(**inputs).logits.softmax(dim=-1).tolist()
    return [dict(zip(labels, row)) for row in probabilities]


serve(answer)
