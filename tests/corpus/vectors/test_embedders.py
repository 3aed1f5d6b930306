"""Models by name."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.vectors.embedders import SentenceTransformersEmbedder, check_device, check_model, open_embedder
from citeplug.corpus.vectors.minilm import MiniLM, model_folder
from citeplug.errors import ModelsExtraMissing, ModelUnavailable, UsageError
from citeplug.protocols import Embedder
from tests.corpus.vectors.small_model import WIDTH, make_model


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
    embedder = open_embedder(name)
    assert isinstance(embedder, MiniLM)
    assert (embedder.name, embedder.dimensions) == (opened, 384)


def test_every_other_name_is_a_sentence_transformers_model(tmp_path: Path) -> None:
    embedder = open_embedder("all-mpnet-base-v2")
    assert isinstance(embedder, SentenceTransformersEmbedder)
    assert embedder.name == "all-mpnet-base-v2"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    """sentence-transformers with the weights of the package."""
    return open_embedder(str(model_folder()))


def test_onnx_agrees_with_sentence_transformers_on_a_padded_batch(published: Embedder, fresh_home: Path) -> None:
    texts = [
        "Attention Is All You Need. We propose a new simple network architecture, the Transformer.",
        "x",
        "",
        "Étale cohomology of $\\mathbb{P}^n$ \U0001d54f 深層学習",
        "We survey graph neural networks. " * 60,
    ]
    assert np.abs(MiniLM("fp32").embed(texts) - published.embed(texts)).max() < 1e-5


def test_a_text_has_the_same_vector_to_the_bit_whatever_is_embedded_with_it(fresh_home: Path) -> None:
    texts = ["Attention is all you need.", "We survey graph neural networks. " * 30, "x"]
    embedder = MiniLM("int8")
    together = embedder.embed(texts)
    assert np.array_equal(together, embedder.embed(texts[::-1])[::-1])
    assert np.array_equal(together, np.concatenate([embedder.embed([text]) for text in texts]))


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
        open_embedder("no-such/model").embed(["graph"])
    assert "cache" in caught.value.hint
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"


WORDS = ["graph attention networks", "tensor categories", "represent this question"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model that puts words before a query."""
    return make_model(tmp_path_factory.mktemp("small") / "model", WORDS, {"query": "represent this question "})


def test_a_query_gets_the_prompt_of_the_models_configuration_and_a_paper_does_not(small: Path) -> None:
    embedder = open_embedder(str(small))
    (paper,), (query,) = embedder.embed(["graph networks"]), embedder.embed_queries(["graph networks"])
    assert embedder.dimensions == WIDTH
    assert np.allclose(query, embedder.embed(["represent this question graph networks"])[0], atol=1e-6)
    assert float(paper @ query) < 0.99


def test_code_that_lies_in_a_models_folder_is_not_run(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(small, tmp_path / "model")
    (tmp_path / "model" / "own_code.py").write_text("from pathlib import Path\nPath('ran').touch()\n", encoding="utf-8")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "own_code.Model"}]
    (tmp_path / "model" / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    check_model(str(tmp_path / "model"))
    with pytest.raises(ModelUnavailable, match="cannot be loaded"):
        open_embedder(str(tmp_path / "model")).embed(["graph"])
    assert not (tmp_path / "ran").exists()


def test_a_folder_is_written_as_a_path(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(small.parent)
    check_model("./model")
    assert open_embedder("./model").name == str(small.resolve())


def test_a_folder_that_is_named_like_a_model_does_not_stand_in_for_it(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(small.parent)
    for ask in (check_model, lambda name: open_embedder(name)):
        with pytest.raises(UsageError, match="something in this folder") as caught:
            ask("model")
        assert "./model" in caught.value.hint


def test_the_built_in_model_is_never_a_folder(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small.parent / "all-MiniLM-L6-v2").mkdir(exist_ok=True)
    monkeypatch.chdir(small.parent)
    check_model("all-MiniLM-L6-v2")
    assert isinstance(open_embedder("all-MiniLM-L6-v2"), MiniLM)


@pytest.mark.parametrize(
    "name", ["no-such-model", "nobody/no-such-model", "./nowhere", "~no-such-user/model", "a b//c"]
)
def test_a_model_that_is_not_here_is_seen_without_loading_anything(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelUnavailable, match="is not on this machine"):
        check_model(name)


def test_a_model_in_the_cache_of_the_hub_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "models--sentence-transformers--some-model"
    (model / "snapshots" / "0123").mkdir(parents=True)
    (model / "snapshots" / "0123" / "modules.json").write_text("[]", encoding="utf-8")
    (model / "refs").mkdir()
    (model / "refs" / "main").write_text("0123", encoding="utf-8")
    monkeypatch.setenv("SENTENCE_TRANSFORMERS_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    check_model("some-model")
    check_model("sentence-transformers/some-model")
    with pytest.raises(ModelUnavailable):
        check_model("some-other-model")


def test_on_a_device_the_built_in_weights_run_by_pytorch_under_the_same_name(fresh_home: Path) -> None:
    on_device = SentenceTransformersEmbedder(str(model_folder()), "all-MiniLM-L6-v2/onnx-int8", "cpu")
    usual = open_embedder(None)
    texts = ["Graph attention networks for molecules.", "Tensor categories and their modules."]
    assert on_device.name == usual.name
    assert np.abs(on_device.embed_queries(texts) - usual.embed_queries(texts)).max() < 1e-5
    assert (on_device.embed(texts) * usual.embed(texts)).sum(axis=1).min() > 0.98


def test_the_processor_is_always_there_and_what_is_not_there_is_said() -> None:
    for there in (None, "auto", "cpu"):
        check_device(there)
    with pytest.raises(ModelUnavailable, match="no device cuda:99"):
        check_device("cuda:99")


def test_a_gpu_runs_the_built_in_model_by_pytorch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(open_embedder(None, "cpu"), MiniLM)
    opened = open_embedder(None, "cuda")
    assert isinstance(opened, SentenceTransformersEmbedder)
    assert opened.name == "all-MiniLM-L6-v2/onnx-int8"
    for fastest, kind in (("cpu", MiniLM), ("cuda", SentenceTransformersEmbedder)):
        monkeypatch.setattr("citeplug.corpus.vectors.embedders._fastest", lambda name=fastest: name)
        assert isinstance(open_embedder(None, "auto"), kind)


def test_without_the_extra_other_models_and_devices_say_what_to_install_and_auto_is_the_processor(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.vectors.embedders._extra_is_there", lambda: False)
    named = open_embedder(str(small))
    asks: list[Callable[[], object]] = [
        lambda: check_model(str(small)),
        lambda: check_device("cuda:1"),
        lambda: named.dimensions,
        lambda: named.embed(["graph"]),
    ]
    for ask in asks:
        with pytest.raises(ModelsExtraMissing, match=r"pip install 'citeplug\[models\]'") as caught:
            ask()
        assert caught.value.exit_code == 2
    for device in (None, "auto", "cpu"):
        check_device(device)
        assert isinstance(open_embedder(None, device), MiniLM)
    check_model("all-MiniLM-L6-v2")
