"""Two processes that write one corpus, and five that read it meanwhile: no error, and every record once."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.chroma import ChromaStore
from tests.corpus.records import make_record, write_snapshot
from tests.corpus.stores import WordModel

pytestmark = pytest.mark.slow

WRITERS, READERS = 2, 5
RECORDS = 2_000
WRITER = """
import sys
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.index import Corpus
from tests.corpus.stores import WordModel
home, file, first = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
corpus = Corpus(home, WordModel, lambda model: ChromaStore(home, model))
corpus.add([file])
corpus.vectors([f"1801.{number:05d}" for number in range(first, first + 600)])
corpus.close()
"""
READER = """
import sys, time
from pathlib import Path
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.index import Corpus
from citeplug.records.paper import Filter
from tests.corpus.stores import WordModel
home, stop = Path(sys.argv[1]), Path(sys.argv[2])
corpus = Corpus(home, WordModel, lambda model: ChromaStore(home, model))
asked = most = 0
while not stop.exists() or asked < 3:
    found = corpus.lexical("we solve a problem in linear time", 20, Filter())
    near = corpus.nearest(corpus.embed(["On problem number 7"])[0], 10, Filter())
    known = corpus.papers([value for value, _ in [*found, *near]])
    assert set(known) == {value for value, _ in [*found, *near]}
    assert corpus.records >= most
    most, asked = corpus.records, asked + 1
    time.sleep(0.1)  # five that never paused would keep the writers from the processor
corpus.close()
print(asked)
"""


OPENER = """
import sys, time
from pathlib import Path
from citeplug.corpus.database import Database
print("ready", flush=True)
began = float(sys.stdin.readline())
for number in range(40):
    while time.time() < began + number * 0.05:
        pass
    Database(Path(sys.argv[1]) / str(number) / "catalogue.sqlite3").close()
"""


def start(code: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )


def test_two_write_and_five_read_at_once_without_an_error(tmp_path: Path) -> None:
    home, stop = tmp_path / "home", tmp_path / "stop"
    files = [
        write_snapshot(tmp_path / f"{each}.jsonl", [make_record(n) for n in range(each * 500, each * 500 + 1500)])
        for each in range(WRITERS)
    ]
    readers = [start(READER, home, stop) for _ in range(READERS)]
    writers = [start(WRITER, home, file, each * 500) for each, file in enumerate(files)]
    try:
        ended = [(process.communicate(timeout=240), process.returncode) for process in writers]
        stop.touch()
        ended += [(process.communicate(timeout=120), process.returncode) for process in readers]
    finally:
        for process in (*writers, *readers):
            process.kill()
    assert [(code, said[1]) for said, code in ended] == [(0, "")] * (WRITERS + READERS)
    assert all(int(said[0]) >= 3 for said, _ in ended[WRITERS:])
    corpus = Corpus(home, WordModel, lambda model: ChromaStore(home, model))
    assert corpus.records == RECORDS
    assert corpus.info()["embedded"] == 1100
    # Who ends while others hold an index leaves what is new for the next: that is no damage.
    still_to_come = {("lexical", "behind"), ("store", "missing")}
    assert {(problem.part, problem.kind) for problem in corpus.verify(repair=True).problems} <= still_to_come
    assert corpus.verify(repair=False).problems == ()
    corpus.close()


def test_a_catalogue_is_made_by_several_processes_at_once(tmp_path: Path) -> None:
    openers = [start(OPENER, tmp_path) for _ in range(3)]
    try:
        for process in openers:
            assert process.stdout is not None and process.stdout.readline() == "ready\n"
        began = f"{time.time() + 0.5}\n"
        said = []
        for process in openers:
            assert process.stdin is not None
            process.stdin.write(began)
            process.stdin.flush()
        for process in openers:
            said.append(process.communicate(timeout=120)[1])
    finally:
        for process in openers:
            process.kill()
    assert said == ["", "", ""]
