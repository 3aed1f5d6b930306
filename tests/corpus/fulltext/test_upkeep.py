"""Upkeep of full texts: damage found, what is not needed deleted, and nothing of the author's lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.fulltext.upkeep import facts_of, remove_texts, remove_vectors
from citeplug.settings.environment import read_settings
from citeplug.upkeep.texts import verify_texts
from tests.corpus.fulltext.test_store import DAY, A, B, text
from tests.corpus.stores import WordModel

C = "1801.00003"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TextStore]:
    opened = TextStore(tmp_path)
    opened.put(text(A, "Nodes pass messages.", version=1), DAY, b"packed 1")
    opened.put(text(A, "Nodes pass messages twice.", "And edges too.", version=2), DAY, b"packed 2")
    opened.put(text(B, "Turtles swim in water."), DAY, b"packed")
    opened.put(text(B, "My own copy on turtles.", version=None, source="own"), DAY)
    opened.put(text(C, "Only a file of mine on terrapins.", version=None, source="own"), DAY)
    PassageSearch(opened, WordModel).find("messages turtles terrapins", 10, seconds=None)
    yield opened
    opened.close()


def found(store: TextStore, words: str, *papers: str) -> set[str]:
    return {each.passage.text for each in PassageSearch(store, WordModel).find(words, 10, papers)}


def test_facts_count_texts_versions_passages_and_vectors(store: TextStore) -> None:
    facts = facts_of(store)
    assert (facts.papers, facts.texts, facts.own) == (3, 5, 2)
    assert facts.passages == facts.vectors == 3 and facts.orphaned == 0
    assert facts.size_bytes >= store.database.path.stat().st_size > 0


def test_a_file_that_sqlite_cannot_read_is_said_and_left_as_it_is(store: TextStore) -> None:
    with store.database.reading() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = db.execute("PRAGMA page_size").fetchone()[0]
    path = store.database.path
    store.close()
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // size):
        data[page * size : page * size + 8] = b"\xff" * 8
    path.write_bytes(data)
    settings = read_settings({"CITEPLUG_HOME": str(path.parents[1])})
    assert [problem.kind for problem in verify_texts(settings)] == ["damaged"]
    assert path.read_bytes() == bytes(data)


def test_texts_of_arxiv_go_with_their_vectors_and_the_author_s_own_stay(store: TextStore) -> None:
    everything = [A, B, C]
    count, size = remove_texts(store, everything, dry_run=True)
    assert count == 3 and size > 0 and facts_of(store).texts == 5
    assert remove_texts(store, everything, dry_run=False)[0] == 3
    assert (facts_of(store).papers, facts_of(store).own) == (2, 2)
    assert store.original(A, 1) is None and store.read(A) is None
    assert found(store, "turtles terrapins") == {"My own copy on turtles.", "Only a file of mine on terrapins."}
    assert facts_of(store).orphaned >= 1
    assert remove_vectors(store, (), dry_run=True)[0] == facts_of(store).orphaned
    remove_vectors(store, (), dry_run=False)
    store.database.shrink()
    assert facts_of(store).orphaned == 0 and store.database.damage() == ""


def test_vectors_of_a_named_model_go_and_are_computed_again(store: TextStore) -> None:
    name = WordModel().name
    assert remove_vectors(store, (name,), dry_run=False)[0] == 3
    assert facts_of(store).vectors == 0
    PassageSearch(store, WordModel).find("messages turtles", 10, seconds=None)
    assert facts_of(store).vectors > 0
