"""Serves a GGUF model over llama.cpp's own OpenAI-compatible server, on 127.0.0.1 alone.

Prints one line, the base URL, when the model is ready, and
ends when its standard input does (so that it never outlives who started it) or on SIGTERM and SIGINT.

Usage: serve_smollm.py PACKAGE PORT [LABEL...]
  PACKAGE  the installed package that holds the one .gguf file
  PORT     0 for a free one
  LABEL    with labels, every answer is one of them
"""

import importlib.util
import json
import os
import signal
import sys
from pathlib import Path

import xllamacpp

CONTEXT_TOKENS = 2048


def weights_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    folders = [] if spec is None else spec.submodule_search_locations or []
    found = sorted(path for folder in folders for path in Path(folder).glob("*.gguf"))
    if len(found) != 1:
        sys.exit(f"{package}: expected one .gguf file in the package, found {len(found)}")
    return found[0]


def settings(weights: Path, port: int, labels: list[str]) -> xllamacpp.CommonParams:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {weights.stem}
    params.port = port
    params.n_ctx = CONTEXT_TOKENS
    params.ui = False
    params.verbosity = 0
    # An answer must depend on its input alone, and not on what was asked before or at the same time: one slot, one thread
    # and nothing kept between requests. Sums in another order may turn a token that wins by a hair.
    params.n_parallel = 1
    params.cont_batching = False
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.n_ctx_checkpoints = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    if labels:
        # Quoted as in JSON, which GBNF's strings share the escapes with.
        rule = " | ".join(json.dumps(label, ensure_ascii=False) for label in labels)
        kind = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        params.sampling.grammar = xllamacpp.CommonGrammar(kind, f"root ::= {rule}")
    return params


def main() -> None:
    package, port, *labels = sys.argv[1:]
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: os._exit(0))
    server = xllamacpp.Server(settings(weights_of(package), int(port), labels))
    print(f"{server.listening_address}/v1", flush=True)
    while sys.stdin.read(4096):
        pass
    os._exit(0)


main()
