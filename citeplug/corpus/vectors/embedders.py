"""Embedding models by name."""

import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.corpus.vectors.minilm import MiniLM, Precision, model_folder
from citeplug.errors import ModelsExtraMissing, ModelUnavailable, UsageError
from citeplug.protocols import Embedder, Vectors

# By measurement: documents in int8 and queries in fp32 find what fp32 finds, in two thirds of the time.
_BUILT_IN: dict[str, Precision] = {
    "all-MiniLM-L6-v2": "int8",
    "all-MiniLM-L6-v2/onnx-int8": "int8",
    "all-MiniLM-L6-v2/onnx-fp32": "fp32",
}
_ORGANISATION = "sentence-transformers/"  # of the hub, where a name has none
_DESCRIPTIONS = ("modules.json", "config.json")  # every model has one of them


def open_embedder(name: str | None, device: str | None = None) -> Embedder:
    """The model of that name; None is the built-in one. Nothing heavy is loaded before the first text.

    `all-MiniLM-L6-v2` (also with `/onnx-int8`, which it means, or `/onnx-fp32`) runs through ONNX Runtime
    from the weights of a package; every other name is a sentence-transformers model, in a folder (`./model`,
    `~/model`, `/opt/model`) or in the local cache of the Hugging Face hub. Nothing is ever downloaded. `device` is as
    PyTorch names it, or `auto`; None: the built-in model on the processor, others on a GPU if there is one. Raises
    ModelUnavailable, and UsageError for a name that may be either.
    """
    precision = _BUILT_IN.get(_plain(name))
    if precision is None:
        assert name is not None
        return SentenceTransformersEmbedder(_resolved(name), device=device)
    where = _fastest() if device == "auto" else device
    if where in (None, "cpu"):
        return MiniLM(precision)
    # The same weights, in fp32. One name for both: queries are in fp32 anyway, and half a catalogue that was embedded
    # on the processor is not to be embedded again (docs/retrieval.md).
    return SentenceTransformersEmbedder(str(model_folder()), f"all-MiniLM-L6-v2/onnx-{precision}", where)


def check_model(name: str) -> None:
    """Raise ModelUnavailable unless there is a model of that name on this machine; nothing of it is loaded."""
    if _plain(name) in _BUILT_IN:
        return
    place = _resolved(name)
    _need_extra(f"the model {name}")
    if Path(place).is_absolute():
        on_disk = any((Path(place) / file).is_file() for file in _DESCRIPTIONS)
    else:
        on_disk = _is_cached(place)
    if not on_disk:
        raise _unavailable(name)


def check_device(device: str | None) -> None:
    """Raise ModelUnavailable unless PyTorch can compute there."""
    if device in (None, "auto", "cpu"):
        return
    _need_extra(f"the device {device}")
    import torch

    if device == "mps":
        there = torch.backends.mps.is_available()
    else:
        there = torch.cuda.is_available() and int(device.partition(":")[2] or 0) < torch.cuda.device_count()
    if not there:
        raise ModelUnavailable(
            f"PyTorch finds no device {device} on this machine",
            "leave out --device and CITEPLUG_DEVICE, or install a PyTorch that is built for it",
        )


class SentenceTransformersEmbedder:
    """Implements `protocols.Embedder` by a sentence-transformers model, in a folder or named, on a `device`.

    Raises ModelUnavailable at the first use if the model is not on this machine.
    """

    def __init__(self, place: str, name: str | None = None, device: str | None = None) -> None:
        self.name = name or place
        self._place = place
        self._device = None if device == "auto" else device
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
                _need_extra(f"the model {self.name}")
                _stay_offline()
                from sentence_transformers import SentenceTransformer

                try:
                    self._loaded = SentenceTransformer(self._place, device=self._device)
                except Exception as error:  # the library raises OSError, ValueError, and its hub's own
                    raise _unavailable(self.name) from error
            return self._loaded


def _plain(name: str | None) -> str:
    return (name or "all-MiniLM-L6-v2").removeprefix(_ORGANISATION)


def _resolved(name: str) -> str:
    """The absolute path of a folder, or the hub's name of a model.

    What is named like a model is no folder: else the folder of somebody's project could stand in for it. Raises
    UsageError if there is such a folder, which the library would take.
    """
    if name.startswith((".", "~")) or "\\" in name or Path(name).is_absolute():
        try:
            return str(Path(name).expanduser().resolve())
        except RuntimeError as error:  # the home of nobody
            raise _unavailable(name) from error
    if Path(name).exists():
        raise UsageError(
            f"{name} is the name of both a model and something in this folder",
            f"write ./{name} for the folder, or run citeplug in another one",
        )
    return name.removeprefix(_ORGANISATION)


def _is_cached(name: str) -> bool:
    _stay_offline()
    from huggingface_hub import try_to_load_from_cache

    names = [name] if "/" in name else [_ORGANISATION + name, name]
    cache = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    try:
        return any(
            isinstance(try_to_load_from_cache(model, file, cache_dir=cache), str)
            for model in names
            for file in _DESCRIPTIONS
        )
    except ValueError:  # no name that a model can have
        return False


def _unavailable(name: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"the model {name} is not on this machine, or cannot be loaded",
        "put it in the Hugging Face cache first, or give the path of its folder, such as ./model",
    )


def _need_extra(what: str) -> None:
    """Raise ModelsExtraMissing without PyTorch and sentence-transformers; neither is loaded."""
    if not _extra_is_there():
        raise ModelsExtraMissing(
            f"{what} needs PyTorch and sentence-transformers: pip install 'citeplug[models]'",
            "or leave it out: the built-in model needs neither",
        )


def _extra_is_there() -> bool:
    return all(importlib.util.find_spec(package) for package in ("torch", "sentence_transformers"))


def _fastest() -> str:
    """A GPU if there is one that PyTorch can use."""
    if not _extra_is_there():
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _stay_offline() -> None:
    """Read when the libraries are imported: no download, no report of use, no word of progress."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ["HF_HUB_DISABLE_PROGRESS_BARS"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
