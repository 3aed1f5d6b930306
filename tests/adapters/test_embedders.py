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


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """sentence-transformers with the weights of the package."""
    return open_embedder(str(model_folder()), tmp_path_factory.mktemp("home"))


def test_onnx_agrees_with_sentence_transformers_on_a_padded_batch(published: Embedder, tmp_path: Path) -> None:
    texts = [
        "Attention Is All You Need. We propose a new simple network architecture, the Transformer.",
        "x",
        "",
        "Étale cohomology of $\\mathbb{P}^n$ \U0001d54f 深層学習",
        "We survey graph neural networks. " * 60,
    ]
    assert np.abs(MiniLM(tmp_path, "fp32").embed(texts) - published.embed(texts)).max() < 1e-5


def test_a_model_in_a_folder_is_run_by_sentence_transformers(published: Embedder) -> None:
    texts = ["Graph attention networks.", "Tensor categories and their modules."]
    vectors = published.embed(texts)
    assert vectors.shape == (2, published.dimensions)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.abs(published.embed_queries(texts) - vectors).max() < 1e-5
    assert published.embed([]).shape == (0, published.dimensions)


def test_a_model_that_is_not_here_is_named_and_not_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with pytest.raises(ModelUnavailable, match="no-such/model") as caught:
        open_embedder("no-such/model", tmp_path).embed(["graph"])
    assert "cache" in caught.value.hint
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
