"""The built-in embedding model."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.vectors import minilm
from citeplug.corpus.vectors.minilm import MiniLM, model_folder, read_weights
from citeplug.errors import ModelUnavailable, StoreBroken

TEXTS = [
    "Attention Is All You Need. We propose a new simple network architecture, the Transformer.",
    "x",
    "",
    "Étale cohomology of $\\mathbb{P}^n$ \U0001d54f 深層学習",
    "We survey graph neural networks. " * 60,
    "Neural nets for graphs.",
    "A lone \ud800 surrogate and a \x00 zero.",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


def test_int8_stays_within_its_bound_of_fp32(home: Path) -> None:
    texts = [text for text in TEXTS if text]
    cosines = (MiniLM(home, "int8").embed(texts) * MiniLM(home, "fp32").embed(texts)).sum(axis=1)
    assert cosines.min() > 0.97
    assert cosines.mean() > 0.985


def test_queries_are_fp32_in_both(home: Path) -> None:
    queries = MiniLM(home, "int8").embed_queries(TEXTS)
    assert np.abs(queries - MiniLM(home, "fp32").embed(TEXTS)).max() < 1e-5


def test_rows_are_unit_vectors_in_the_order_given(home: Path) -> None:
    model = MiniLM(home, "fp32")
    vectors = model.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), model.dimensions)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = np.concatenate([model.embed([text]) for text in TEXTS])
    assert np.abs(vectors - alone).max() < 1e-5


def test_text_beyond_256_word_pieces_is_not_seen(home: Path) -> None:
    model = MiniLM(home, "fp32")
    short, long = model.embed(["graph " * 254, "graph " * 254 + "cohomology " * 100])
    assert np.abs(short - long).max() < 1e-6


def test_no_text_gives_no_row_and_loads_nothing(tmp_path: Path) -> None:
    assert MiniLM(tmp_path, "int8").embed([]).shape == (0, 384)
    assert not list(tmp_path.iterdir())


def test_nearer_in_meaning_is_nearer(home: Path) -> None:
    query = MiniLM(home, "int8").embed_queries(["heart attack"])[0]
    near, far = MiniLM(home, "int8").embed(["Myocardial infarction.", "Tensor categories."]) @ query
    assert near > far + 0.2


def test_the_model_s_files_are_found_without_loading_anything() -> None:
    code = "import sys; from citeplug.corpus.vectors.minilm import model_folder; model_folder(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "onnxruntime", "onnx", "tokenizers"} & set(loaded)


def test_a_missing_model_is_said_with_the_way_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "__file__", str(tmp_path / "minilm.py"))
    with pytest.raises(ModelUnavailable, match="is not in") as caught:
        MiniLM(tmp_path, "int8")
    assert "install citeplug again" in caught.value.hint


def test_weights_that_are_not_the_published_ones_are_refused(tmp_path: Path) -> None:
    content = bytearray((model_folder() / "model.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelUnavailable, match="not the published") as caught:
        read_weights(tmp_path / "model.safetensors")
    assert caught.value.hint


def test_a_model_file_that_was_torn_is_made_again(home: Path) -> None:
    whole = MiniLM(home, "int8").embed(["graph"])
    (file,) = home.rglob("int8.onnx")
    file.write_bytes(file.read_bytes()[:1000])
    assert np.array_equal(MiniLM(home, "int8").embed(["graph"]), whole)


def test_a_home_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreBroken, match="cannot be kept") as caught:
        MiniLM(tmp_path, "int8").embed(["graph"])
    assert "CITEPLUG_HOME" in caught.value.hint


def test_two_processes_may_make_the_model_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from citeplug.corpus.vectors.minilm import MiniLM;"
        "print(MiniLM(Path(sys.argv[1]), 'int8').embed(['graph'])[0, 0])"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ}) for _ in range(2)]
    printed = {process.communicate(timeout=100)[0] for process in started}
    assert [process.returncode for process in started] == [0, 0]
    assert len(printed) == 1
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["int8.onnx"]
