"""`python -m tests.harness.small_model_server WEIGHTS`: llama.cpp's server on a free port, which it prints."""

import os
import sys
import threading
from importlib import import_module
from typing import Any

CONTEXT = 8_192  # tokens, as many as SmolLM2 knows


def main(weights: str) -> None:
    xllamacpp: Any = import_module("xllamacpp")  # not among the dependencies
    wanted = xllamacpp.CommonParams()
    wanted.model.path = weights
    wanted.model_alias = {"smollm2-135m"}
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = 0
    wanted.n_ctx = CONTEXT
    wanted.n_parallel = 1
    wanted.ui = False
    wanted.offline = True
    # With every core busy elsewhere, threads that wait for one another come to a standstill.
    threads = min(4, max(1, (os.cpu_count() or 2) // 2))
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1])
