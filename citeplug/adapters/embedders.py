"""Embedding models by name."""

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.adapters.minilm import MiniLM
from citeplug.adapters.minilm_export import Precision
from citeplug.errors import ModelUnavailable
from citeplug.ports import Embedder, Vectors

# By measurement: documents in int8 and queries in fp32 find what fp32 finds, in two thirds of the time.
_BUILT_IN: dict[str, Precision] = {
    "all-MiniLM-L6-v2": "int8",
    "all-MiniLM-L6-v2/onnx-int8": "int8",
    "all-MiniLM-L6-v2/onnx-fp32": "fp32",
}


def open_embedder(name: str | None, home: Path) -> Embedder:
    """The model of that name; None is the built-in one. Nothing heavy is loaded before the first text.

    `all-MiniLM-L6-v2` (also with `/onnx-int8`, which it means, or `/onnx-fp32`) runs through ONNX Runtime
    from the weights of a package; every other name is a sentence-transformers model, in a folder or in the
    local cache of the Hugging Face hub. Nothing is ever downloaded. Raises ModelUnavailable.
    """
    wanted = (name or "all-MiniLM-L6-v2").removeprefix("sentence-transformers/")
    if wanted in _BUILT_IN:
        return MiniLM(home, _BUILT_IN[wanted])
    return SentenceTransformersEmbedder(name or wanted)


class SentenceTransformersEmbedder:
    """Implements `ports.Embedder` by a sentence-transformers model, named or in a folder.

    Raises ModelUnavailable at the first use if the model is not on this machine.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._loading = threading.Lock()
        self._loaded: Any = None

    @property
    def dimensions(self) -> int:
        return int(self._model().get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length, in the order given."""
        return self._encode(self._model().encode_document, texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, with the prompt for queries that the model's own configuration names, if it does."""
        return self._encode(self._model().encode_query, texts)

    def _encode(self, encode: Callable[..., Any], texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        vectors = encode(list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    def _model(self) -> Any:
        with self._loading:
            if self._loaded is None:
                # Read when the libraries are imported: no download, no report of use, no word of progress.
                os.environ["HF_HUB_OFFLINE"] = "1"
                os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
                os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
                os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
                from sentence_transformers import SentenceTransformer

                try:
                    self._loaded = SentenceTransformer(self.name)
                except Exception as error:  # the library raises OSError, ValueError, and its hub's own
                    raise ModelUnavailable(
                        f"the model {self.name} is not on this machine, or cannot be loaded",
                        "get it into the Hugging Face cache first, or give the path of its folder",
                    ) from error
            return self._loaded
