"""Nearest neighbours by Chroma."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.locking import exclusive
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.chroma_rows import load_chroma
from citeplug.corpus.vectors.minilm import MiniLM
from citeplug.corpus.vectors.store import StoreDamaged
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper, make_record, write_snapshot
from tests.corpus.stores import DirectionModel
from tests.harness.waiting import outlives

# Adds a file and embeds all of it, in a process of its own, in steps of 50 papers.
FILLER = """
import sys
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors import paper_vectors
from tests.corpus.stores import DirectionModel
paper_vectors._FEW = 0
home, path, first, last = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
corpus = Corpus(home, DirectionModel, lambda model: ChromaStore(home, model))
corpus.add([path])
print("ready", flush=True)
for start in range(first, last, 50):
    corpus.vectors([f"1801.{number:05d}" for number in range(start, min(start + 50, last))])
corpus.close()
"""


@pytest.fixture(autouse=True)
def however_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the store for few rows too, which would be compared one by one otherwise."""
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 0)


def unit_rows(count: int, seed: int = 0) -> Vectors:
    rows = np.random.default_rng(seed).standard_normal((count, 16)).astype(np.float32)
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def put(store: ChromaStore, ids: list[str], vectors: Vectors, key: str = "k") -> None:
    with store.writing() as writer:
        writer.put(ids, [key] * len(ids), vectors)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaStore]:
    made = ChromaStore(tmp_path, "model")
    yield made
    made.close()


def open_corpus(home: Path) -> Corpus:
    return Corpus(home, DirectionModel, lambda model: ChromaStore(home, model))


def test_rows_come_back_by_cosine(store: ChromaStore) -> None:
    vectors = unit_rows(30)
    put(store, [f"p{number}" for number in range(30)], vectors)
    found = store.nearest(vectors[7], 5, "v1", 1)
    assert found[0][0] == "p7"
    expected = sorted((vectors @ vectors[7]).tolist(), reverse=True)[:5]
    assert [cosine for _, _, cosine in found] == pytest.approx(expected, abs=1e-5)


def test_a_row_is_replaced_when_its_text_has_changed(store: ChromaStore) -> None:
    old, new = unit_rows(2)
    put(store, ["p1"], old[None], "old")
    put(store, ["p1"], new[None], "new")
    ((value, _, cosine),) = store.nearest(new, 5, "v1", 1)
    assert value == "p1"
    assert cosine == pytest.approx(1, abs=1e-5)
    with store.writing() as writer:
        assert writer.count() == 1


def test_more_rows_may_be_asked_for_than_there_are(store: ChromaStore) -> None:
    put(store, ["p1", "p2"], unit_rows(2))
    assert len(store.nearest(unit_rows(1)[0], 100, "v1", 1)) == 2


def test_models_have_collections_of_their_own(store: ChromaStore, tmp_path: Path) -> None:
    put(store, ["p1"], unit_rows(1))
    other = ChromaStore(tmp_path, "other model")
    with other.writing() as writer:
        assert writer.count() == 0
    assert other.name != store.name


def test_an_open_reader_sees_what_another_process_wrote(tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(100)])
    corpus = open_corpus(tmp_path / "home")
    corpus.add([path])
    corpus.vectors(["1801.00001"])
    query = corpus.embed(["On problem number 77. We solve problem 77 in linear time."])[0]
    assert [value for value, _ in corpus.nearest(query, 3, Filter())] == ["1801.00001"]
    fill = [sys.executable, "-c", FILLER, str(tmp_path / "home"), str(path), "50", "100"]
    subprocess.run(fill, check=True, stdout=subprocess.DEVNULL, timeout=100)
    assert corpus.nearest(query, 1, Filter())[0][0] == "1801.00077"
    corpus.close()


def test_two_processes_that_write_at_once_leave_every_row_once(tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(200)])
    home = tmp_path / "home"
    parts = [("0", "150"), ("50", "200")]
    started = [
        subprocess.Popen([sys.executable, "-c", FILLER, str(home), str(path), *part], stdout=subprocess.PIPE)
        for part in parts
    ]
    for process in started:
        process.communicate(timeout=200)
    assert [process.returncode for process in started] == [0, 0]
    with ChromaStore(home, DirectionModel.name).writing() as writer:
        assert writer.count() == 200
    corpus = open_corpus(home)
    query = corpus.embed(["On problem number 77. We solve problem 77 in linear time."])[0]
    found = corpus.nearest(query, 200, Filter())
    assert len({value for value, _ in found}) == len(found) == 200
    assert found[0][0] == "1801.00077"
    corpus.close()


def test_a_killed_writer_leaves_a_store_that_the_next_one_completes(tmp_path: Path) -> None:
    path = write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(250)])
    home = tmp_path / "home"
    for pause in (0.6, 0.9):
        command = [sys.executable, "-c", FILLER, str(home), str(path), "0", "250"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        outlives(process, pause)
        process.kill()
        process.communicate(timeout=60)
    corpus = open_corpus(home)
    corpus.vectors([f"1801.{number:05d}" for number in range(250)])
    corpus.close()
    with ChromaStore(home, DirectionModel.name).writing() as writer:
        assert writer.count() == 250


def test_a_store_that_was_torn_is_built_anew_from_the_catalogue(tmp_path: Path) -> None:
    home = tmp_path / "home"
    corpus = open_corpus(home)
    corpus.add([write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(60)])])
    corpus.vectors([f"1801.{number:05d}" for number in range(60)])
    corpus.close()
    for file in (home / "corpus" / "chroma").rglob("*.sqlite3"):
        file.write_bytes(b"torn" * 5000)
    corpus = open_corpus(home)
    query = corpus.embed(["On problem number 7. We solve problem 7 in linear time."])[0]
    assert corpus.nearest(query, 1, Filter())[0][0] == "1801.00007"
    corpus.close()
    with ChromaStore(home, DirectionModel.name).writing() as writer:
        assert writer.count() == 60


def test_a_store_that_was_deleted_is_filled_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    corpus = open_corpus(home)
    corpus.add([write_snapshot(tmp_path / "a.jsonl", [make_record(number) for number in range(30)])])
    corpus.vectors([f"1801.{number:05d}" for number in range(30)])
    corpus.close()
    shutil.rmtree(home / "corpus" / "chroma")
    corpus = open_corpus(home)
    query = corpus.embed(["On problem number 7. We solve problem 7 in linear time."])[0]
    assert corpus.nearest(query, 1, Filter())[0][0] == "1801.00007"
    corpus.close()
    with ChromaStore(home, DirectionModel.name).writing() as writer:
        assert writer.count() == 30


def test_a_paper_that_shares_no_word_with_the_query_is_found_through_chroma(tmp_path: Path, fresh_home: Path) -> None:
    papers = [
        make_paper("1801.00001", title="Myocardial infarction", abstract="Cardiac muscle dies for lack of blood."),
        make_paper("1801.00002", title="Tensor categories", abstract="Modules over fusion rings are classified."),
        make_paper("1801.00003", title="Stellar winds", abstract="Mass loss of hot giants is computed."),
        make_paper("1801.00004", title="Sorting networks", abstract="Comparators are arranged in few layers."),
    ]
    home = tmp_path / "home"
    corpus = Corpus(home, lambda: MiniLM("int8"), lambda model: ChromaStore(home, model))
    corpus.add_papers(papers)
    corpus.vectors([paper.id.value for paper in papers])
    question = "heart attack"
    assert corpus.lexical(question, 10, Filter()) == []
    query = corpus.embed([question])[0]
    assert corpus.nearest(query, 1, Filter())[0][0] == "1801.00001"
    store = ChromaStore(home, "all-MiniLM-L6-v2/onnx-int8")
    assert store.nearest(query, 1, "v1", 1)[0][0] == "1801.00001"
    store.close()
    corpus.close()


def test_a_second_writer_waits_and_is_then_told_that_the_store_is_busy(store: ChromaStore, tmp_path: Path) -> None:
    put(store, ["p1"], unit_rows(1))
    (lock,) = (tmp_path / "corpus" / "chroma").glob("*.lock")
    with exclusive(lock), pytest.raises(StoreBusy, match="another citeplug"), store.writing(wait=0.05):
        pass


def test_what_chroma_raises_is_told_as_damage(store: ChromaStore) -> None:
    put(store, ["p1"], unit_rows(1))
    with pytest.raises(StoreDamaged):
        store.nearest(np.ones(3, np.float32), 1, "v1", 1)


def test_a_reader_that_fails_looks_again_while_nobody_writes(store: ChromaStore, tmp_path: Path) -> None:
    put(store, ["p1"], unit_rows(1))
    assert store.nearest(unit_rows(1)[0], 1, "v1", 1)
    (folder,) = (path for path in (tmp_path / "corpus" / "chroma").iterdir() if path.is_dir())
    chromadb = load_chroma()
    client = chromadb.PersistentClient(str(folder), settings=chromadb.Settings(anonymized_telemetry=False))
    client.delete_collection(client.list_collections()[0].name)
    client.close()
    other = ChromaStore(tmp_path, "model")
    put(other, ["p1", "p2"], unit_rows(2))
    assert len(store.nearest(unit_rows(1)[0], 2, "v1", 1)) == 2


def test_a_reader_of_a_store_that_lost_rows_is_told(store: ChromaStore) -> None:
    put(store, ["p1"], unit_rows(1))
    with pytest.raises(StoreDamaged, match="1 of 2 rows"):
        store.nearest(unit_rows(1)[0], 1, "v1", 2)


def test_nobody_is_called(tmp_path: Path) -> None:
    code = """
import socket, sys
called = []
socket.socket.connect = lambda self, address: called.append(address)
socket.getaddrinfo = lambda *host: called.append(host)
import numpy as np
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
store = ChromaStore(Path(sys.argv[1]), "m")
with store.writing() as writer:
    writer.put(["p1"], ["k"], np.eye(1, 4, dtype=np.float32))
print(store.nearest(np.eye(1, 4, dtype=np.float32)[0], 1, "v1", 1)[0][0], called)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "p1 []"


def test_a_store_loads_chroma_aside_once_it_is_told_that_it_will_be_asked(tmp_path: Path) -> None:
    said = subprocess.run(
        [sys.executable, "-c", _PREPARE, str(tmp_path)], capture_output=True, text=True, timeout=120, check=True
    )
    assert said.stdout.split() == ["False", "True", "1"]


_PREPARE = """
import sys, threading
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
store = ChromaStore(Path(sys.argv[1]), "model")
print("chromadb" in sys.modules)
store.prepare()
loading = [thread for thread in threading.enumerate() if thread.name == "chroma"]
store.prepare()
for thread in loading:
    thread.join()
print("chromadb" in sys.modules)
print(len(loading))
"""


def test_the_environment_and_a_file_in_the_current_folder_set_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = b"CHROMA_API_IMPL=chromadb.api.fastapi.FastAPI\nCHROMA_SERVER_HOST=127.0.0.1\nCHROMA_DB_IMPL=local\n"
    (tmp_path / ".env").write_bytes(said + b"CHROMA_PRODUCT_TELEMETRY_IMPL=this.s\nNAME=Fran\xe7ois\n")
    monkeypatch.setenv("CHROMA_SERVER_HTTP_PORT", "no port")
    monkeypatch.setenv("PERSIST_DIRECTORY", str(tmp_path / "elsewhere"))
    done = subprocess.run(
        [sys.executable, "-c", _PUT_AND_ASK, str(tmp_path / "home")],
        capture_output=True, text=True, timeout=120, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout.split() == ["p1", "False"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".env", "home"]


def test_only_what_chroma_says_of_its_files_is_damage(store: ChromaStore, tmp_path: Path) -> None:
    put(store, ["p1"], unit_rows(1))
    with pytest.raises(StoreBroken, match="cannot be used"), store.writing() as writer:
        writer.put(["p2"], ["k"], unit_rows(1).astype(object))
    with store.writing() as writer:
        assert writer.count() == 1


def test_a_store_is_moved_aside_and_deleted_once_the_new_one_answers(store: ChromaStore, tmp_path: Path) -> None:
    put(store, ["p1"], unit_rows(1))
    store.clear()
    (aside,) = (tmp_path / "corpus" / "chroma").glob("*.old-*")
    assert list(aside.rglob("*.sqlite3"))
    put(store, ["p1"], unit_rows(1))
    assert aside.exists()
    assert store.nearest(unit_rows(1)[0], 1, "v1", 1)
    assert not aside.exists()


_PUT_AND_ASK = """
import sys
import numpy as np
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
store = ChromaStore(Path(sys.argv[1]), "m")
with store.writing() as writer:
    writer.put(["p1"], ["k"], np.eye(1, 4, dtype=np.float32))
print(store.nearest(np.eye(1, 4, dtype=np.float32)[0], 1, "v1", 1)[0][0], "this" in sys.modules)
"""
