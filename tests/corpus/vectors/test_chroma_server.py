"""A Chroma server that several people share: a real one, started by `chroma run`, stopped and started again."""

import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.background import EmbedRequest
from citeplug.corpus.vectors.chroma_server import ChromaServerStore, ServerAddress
from citeplug.corpus.vectors.store import StoreDamaged
from citeplug.errors import StoreAway, UsageError
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import WordModel
from tests.harness.waiting import until

CHROMA = Path(sys.executable).with_name("chroma")


class Server:
    """`chroma run` on a port of its own; `stop` and `start` as an administrator would."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.address = ServerAddress(f"http://127.0.0.1:{self.port}")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        until(self._answers, "the server does not answer", 180)  # it may look for the network first

    def _answers(self) -> bool:
        if self._process is None or self._process.poll() is not None:  # another process may have the port for a moment
            command = [str(CHROMA), "run", "--path", str(self.folder), "--host", "127.0.0.1", "--port", str(self.port)]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:  # it listens before it answers
            with urllib.request.urlopen(f"{self.address.url}/api/v2/heartbeat", timeout=20) as answer:
                return b"heartbeat" in answer.read()
        except OSError:
            return False

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(20)
            self._process = None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "server")
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture(autouse=True)
def however_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the store for few rows too, which would be compared one by one otherwise."""
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 0)


@contextmanager
def member(home: Path, server: Server, count: int = 30) -> Iterator[tuple[Corpus, WordModel]]:
    """Somebody of the lab, with a catalogue of their own."""
    model = WordModel()
    corpus = Corpus(home, lambda: model, lambda name: ChromaServerStore(server.address, name))
    try:
        corpus.add_papers([make_paper(f"1801.{number:05d}", title=f"word{number}") for number in range(count)])
        yield corpus, model
    finally:
        corpus.close()


def found(corpus: Corpus, text: str) -> str:
    return corpus.nearest(corpus.embed([text])[0], 1, Filter())[0][0]


def rows(server: Server) -> int:
    store = ChromaServerStore(server.address, "words")
    try:
        with store.writing() as writer:
            return writer.count()
    finally:
        store.close()


def test_what_one_embedded_the_others_find(tmp_path: Path, server: Server) -> None:
    with member(tmp_path / "one", server) as (corpus, _):
        corpus.embed_rest(EmbedRequest())
    assert rows(server) == 30
    with member(tmp_path / "two", server) as (corpus, model):
        assert found(corpus, "word17") == "1801.00017"
        assert not model.texts


def test_what_one_lacks_another_keeps(tmp_path: Path, server: Server) -> None:
    with member(tmp_path / "one", server) as (corpus, _):
        corpus.embed_rest(EmbedRequest())
    with member(tmp_path / "two", server, count=3) as (corpus, _):
        corpus.embed_rest(EmbedRequest())
        report = corpus.verify(repair=True)
        assert [problem.kind for problem in report.problems if problem.part == "store"] == []
        assert found(corpus, "word17") in ("1801.00000", "1801.00001", "1801.00002")
    assert rows(server) == 30


def test_a_server_that_is_started_anew_in_the_middle_costs_no_answer(tmp_path: Path, server: Server) -> None:
    with member(tmp_path / "one", server) as (corpus, _):
        corpus.embed_rest(EmbedRequest(most=20))
        assert found(corpus, "word25") == "1801.00025"
        server.stop()
        # Meanwhile vectors are compared one by one, and those that come are kept here.
        assert found(corpus, "word25") == "1801.00025"
        assert corpus.embed_rest(EmbedRequest()).embedded == 10
        assert found(corpus, "word2") == "1801.00002"
        server.start()
        assert found(corpus, "word25") == "1801.00025"
        corpus.embed_rest(EmbedRequest())
        assert found(corpus, "word2") == "1801.00002"
    assert rows(server) == 30


def test_a_server_that_lost_its_data_is_filled_again(tmp_path: Path, server: Server) -> None:
    with member(tmp_path / "one", server) as (corpus, _):
        corpus.embed_rest(EmbedRequest())
        assert found(corpus, "word25") == "1801.00025"
        server.stop()
        server.folder = tmp_path / "empty"
        server.start()
        assert found(corpus, "word25") == "1801.00025"
        assert found(corpus, "word24") == "1801.00024"
    assert rows(server) == 30


def test_a_server_that_is_killed_in_the_middle_of_an_update_has_all_of_it_in_the_end(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.vectors.chroma_rows._AT_ONCE", 4)
    monkeypatch.setattr("citeplug.corpus.vectors.store_sync.CHUNK", 10)
    with member(tmp_path / "one", server, count=200) as (corpus, _):
        killer = threading.Timer(0.3, server.stop)
        killer.start()
        corpus.embed_rest(EmbedRequest())
        killer.join()
        server.stop()
        server.start()
        assert found(corpus, "word133") == "1801.00133"
        corpus.embed_rest(EmbedRequest())
        corpus.verify(repair=True)
    assert rows(server) == 200


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://x/", "http://", "http://[/"])
def test_a_server_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match="CITEPLUG_CHROMA_URL"), ChromaServerStore(ServerAddress(url), "m").writing():
        pass


def test_a_secret_is_neither_shown_nor_sent_in_the_clear() -> None:
    named = ServerAddress("http://me:secret@127.0.0.1:9")
    with pytest.raises(UsageError, match="has a name or a password") as caught:
        ChromaServerStore(named, "m").nearest(np.eye(1, 4, dtype=np.float32)[0], 1, "v", 1)
    assert "secret" not in str(caught.value) + caught.value.hint
    with pytest.raises(UsageError, match="sent in the clear"):
        ChromaServerStore(ServerAddress("http://chroma.example.org", "secret"), "m").nearest(
            np.eye(1, 4, dtype=np.float32)[0], 1, "v", 1
        )


def test_a_server_that_does_not_answer_is_named() -> None:
    with (
        pytest.raises(StoreAway, match="cannot be used") as caught,
        ChromaServerStore(ServerAddress("http://127.0.0.1:9"), "m").writing(),
    ):
        pass
    assert "CITEPLUG_CHROMA_URL" in caught.value.hint


def test_the_token_goes_with_every_request(tmp_path: Path) -> None:
    asked: list[tuple[str, str | None]] = []

    class Door(BaseHTTPRequestHandler):
        """Lets nobody in, and notes who knocked."""

        def _answer(self) -> None:
            asked.append((self.path, self.headers["Authorization"]))
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, *_: object) -> None:
            pass

    door = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    threading.Thread(target=door.serve_forever, daemon=True).start()
    try:
        address = ServerAddress(f"http://127.0.0.1:{door.server_address[1]}", "t0ken", "lab", "papers")
        with pytest.raises(StoreAway), ChromaServerStore(address, "m").writing():
            pass
    finally:
        door.shutdown()
        door.server_close()
    assert asked
    assert {token for _, token in asked} == {"Bearer t0ken"}


def test_a_collection_that_is_gone_is_told_as_such(server: Server, tmp_path: Path) -> None:
    store = ChromaServerStore(server.address, "m")
    vector = np.eye(1, 4, dtype=np.float32)
    with store.writing() as writer:
        writer.put(["p1"], ["k"], vector)
    assert store.nearest(vector[0], 1, "v1", 1)[0][:2] == ("p1", "k")
    server.stop()
    server.folder = tmp_path / "empty"
    server.start()
    with pytest.raises(StoreDamaged, match="lost the collection"):
        store.nearest(vector[0], 1, "v1", 1)
    assert store.nearest(vector[0], 1, "v1", 1) == []
    store.close()
