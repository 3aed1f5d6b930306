"""The built-in embedding model."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from build_minilm import FOLDER, build_model
from citeplug.corpus.vectors import minilm
from citeplug.corpus.vectors.minilm import MiniLM, model_folder
from citeplug.errors import ModelUnavailable

TEXTS = [
    "Attention Is All You Need. We propose a new simple network architecture, the Transformer.",
    "x",
    "",
    "Étale cohomology of $\\mathbb{P}^n$ \U0001d54f 深層学習",
    "We survey graph neural networks. " * 60,
    "Neural nets for graphs.",
    "A lone \ud800 surrogate and a \x00 zero.",
]


def test_int8_stays_within_its_bound_of_fp32() -> None:
    texts = [text for text in TEXTS if text]
    cosines = (MiniLM("int8").embed(texts) * MiniLM("fp32").embed(texts)).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.mean() > 0.985


def test_queries_are_fp32_in_both() -> None:
    queries = MiniLM("int8").embed_queries(TEXTS)
    assert np.abs(queries - MiniLM("fp32").embed(TEXTS)).max() < 1e-5


def test_rows_are_unit_vectors_in_the_order_given() -> None:
    model = MiniLM("fp32")
    vectors = model.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), model.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    assert np.abs(vectors - alone).max() < 1e-5


def test_text_beyond_256_word_pieces_is_not_seen() -> None:
    model = MiniLM("fp32")
    short, long = model.embed(["graph " * 254, "graph " * 254 + "cohomology " * 100])
    assert np.abs(short - long).max() < 1e-6


def test_no_text_gives_no_row() -> None:
    assert MiniLM("int8").embed([]).shape == (0, 384)


def test_nearer_in_meaning_is_nearer() -> None:
    query = MiniLM("int8").embed_queries(["heart attack"])[0]
    near, far = MiniLM("int8").embed(["Myocardial infarction.", "Tensor categories."]) @ query
    assert near > far + 0.2


def test_the_model_s_files_are_found_without_loading_anything() -> None:
    code = "import sys; from citeplug.corpus.vectors.minilm import model_folder; model_folder(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "onnxruntime", "onnx", "tokenizers"} & set(loaded)


def test_a_missing_model_is_said_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "__file__", str(tmp_path / "minilm.py"))
    with pytest.raises(ModelUnavailable, match="is not in") as caught:
        MiniLM("int8")
    assert "install citeplug again" in caught.value.hint


def test_the_graphs_are_those_that_build_minilm_writes() -> None:
    for precision in ("fp32", "int8"):
        written = (model_folder().parent / f"{precision}.onnx").read_bytes()
        assert written == build_model(model_folder() / "model.safetensors", precision)


def test_weights_that_were_cut_short_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "__file__", str(tmp_path / "minilm.py"))
    shutil.copy(FOLDER / "fp32.onnx", tmp_path)
    (tmp_path / "all-MiniLM-L6-v2").mkdir()
    shutil.copy(FOLDER / "all-MiniLM-L6-v2" / "tokenizer.json", tmp_path / "all-MiniLM-L6-v2")
    (tmp_path / "all-MiniLM-L6-v2" / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(ModelUnavailable, match="cannot be loaded") as caught:
        MiniLM("fp32").embed(["graph"])
    assert "install citeplug again" in caught.value.hint
