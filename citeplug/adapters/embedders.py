"""Embedding models by name."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.adapters.minilm import MiniLM
from citeplug.errors import ModelUnavailable
from citeplug.ports import Embedder, Vectors

DEFAULT = "all-MiniLM-L6-v2/onnx-fp32"


def open_embedder(name: str | None, home: Path) -> Embedder:
    """The model of that name; None is the built-in one. Nothing heavy is loaded before the first text.

    `all-MiniLM-L6-v2` (also with `/onnx-fp32` or `/onnx-int8`) runs through ONNX Runtime from the weights of
    a package; every other name is a sentence-transformers model, from a folder or from the local cache of
    the Hugging Face hub. Nothing is ever downloaded. Raises ModelUnavailable.
    """
    wanted = (name or DEFAULT).removeprefix("sentence-transformers/")
    if wanted in ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2/onnx-fp32"):
        return MiniLM(home, "fp32")
    if wanted == "all-MiniLM-L6-v2/onnx-int8":
        return MiniLM(home, "int8")
    return SentenceTransformersEmbedder(name or DEFAULT)


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
        return int(self._model().get_sentence_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length, in the order given."""
        vectors = self._model().encode(list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), -1)

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
