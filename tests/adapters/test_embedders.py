"""Models by name."""

import os
from pathlib import Path

import numpy as np
import pytest

from citeplug.adapters.embedders import SentenceTransformersEmbedder, open_embedder
from citeplug.adapters.minilm import MiniLM, model_folder
from citeplug.errors import ModelUnavailable
from citeplug.ports import Embedder


@pytest.mark.parametrize(
    ("name", "opened"),
    [
        (None, "all-MiniLM-L6-v2/onnx-int8"),
        ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2/onnx-int8"),
        ("sentence-transformers/all-MiniLM-L6-v2", "all-MiniLM-L6-v2/onnx-int8"),
        ("all-MiniLM-L6-v2/onnx-fp32", "all-MiniLM-L6-v2/onnx-fp32"),
    ],
)
def test_the_built_in_model_is_known_by_its_names(name: str | None, opened: str, tmp_path: Path) -> None:
    embedder = open_embedder(name, tmp_path)
    assert isinstance(embedder, MiniLM)
    assert (embedder.name, embedder.dimensions) == (opened, 384)


def test_every_other_name_is_a_sentence_transformers_model(tmp_path: Path) -> None:
    embedder = open_embedder("all-mpnet-base-v2", tmp_path)
    assert isinstance(embedder, SentenceTransformersEmbedder)
    assert embedder.name == "all-mpnet-base-v2"


def test_a_model_in_a_folder_is_run_by_sentence_transformers(tmp_path: Path) -> None:
    embedder: Embedder = open_embedder(str(model_folder()), tmp_path)
    texts = ["Graph attention networks.", "Tensor categories and their modules."]
    assert embedder.dimensions == 384
    assert np.abs(embedder.embed(texts) - MiniLM(tmp_path, "fp32").embed(texts)).max() < 1e-5
    assert np.abs(embedder.embed_queries(texts) - embedder.embed(texts)).max() < 1e-5
    assert embedder.embed([]).shape == (0, 384)


def test_a_model_that_is_not_here_is_named_and_not_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with pytest.raises(ModelUnavailable, match="no-such/model") as caught:
        open_embedder("no-such/model", tmp_path).embed(["graph"])
    assert "cache" in caught.value.hint
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
