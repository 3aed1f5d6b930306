"""Texts that are kept: by version and source, found by words and meaning, whole after whatever happens."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.fulltext.upkeep import facts_of
from citeplug.errors import StoreBroken
from citeplug.records.passage import PaperText, Reference, TextSection, TextSource
from tests.corpus.stores import WordModel

DAY = date(2026, 11, 22)
A, B = "1801.00001", "1801.00002"


def text(paper: str, *prose: str, version: int | None = 1, source: TextSource = "eprint") -> PaperText:
    body = "\n\n".join(prose)
    sections = (TextSection(1, "Method", body, len(body), ((0, 2),)),)
    return PaperText(paper, version, source, "A Title", sections, (Reference(1, "a", "A. Author", surnames=("A",)),))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TextStore]:
    opened = TextStore(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def search(store: TextStore) -> PassageSearch:
    return PassageSearch(store, WordModel)


def found(search: PassageSearch, words: str, *papers: str) -> list[str]:
    return [each.passage.text for each in search.find(words, 10, papers)]


def test_a_text_comes_back_as_it_was_put_in(store: TextStore) -> None:
    given = text(A, "Nodes pass messages.", "Edges carry them.")
    assert store.put(given, DAY, b"packed") is True
    assert store.read(A) == given
    assert store.original(A, 1) == b"packed"
    assert store.put(given, DAY) is False
    assert store.read(B) is None
    facts = facts_of(store)
    assert (facts.papers, facts.passages) == (1, len(placed_passages(given)))


def test_the_newest_version_is_found_and_older_ones_stay_readable(store: TextStore, search: PassageSearch) -> None:
    store.put(text(A, "The second form on turtles.", version=2), DAY)
    store.put(text(A, "The first form on tortoises.", version=1), DAY)
    assert found(search, "tortoises turtles") == ["The second form on turtles."]
    first = store.read(A, 1)
    assert first is not None and "tortoises" in first.sections[0].text
    store.put(text(A, "The third form on terrapins.", version=3), DAY)
    assert found(search, "turtles terrapins") == ["The third form on terrapins."]
    store.put(text(A, "The third form, a PDF.", version=3, source="pdf"), DAY)
    assert found(search, "form PDF") == ["The third form on terrapins."]


def test_passages_are_found_by_words_and_meaning_in_all_papers_or_in_some(
    store: TextStore, search: PassageSearch
) -> None:
    store.put(text(A, "Sampling neighbours of nodes makes graphs cheap."), DAY)
    store.put(text(B, "Proteins fold in water."), DAY)
    (first, *_) = search.find("sampled graphs", 10)
    assert first.passage.paper == A
    assert set(first.found_by) == {"lexical", "dense"}
    assert (first.passage.page, first.passage.section, first.passage.number) == (2, "Method", 1)
    assert found(search, "how graphs are sampled", B) == ["Proteins fold in water."]
    assert found(search, "the of and") == [] and found(search, "") == []
    assert found(search, '"OR) NEAR(* ^x:') == found(search, "near x")


def test_a_text_that_is_read_anew_leaves_nothing_of_the_old_one(store: TextStore, search: PassageSearch) -> None:
    store.put(text(A, "On turtles."), DAY)
    assert found(search, "turtles") == ["On turtles."]
    store.put(text(A, "On terrapins."), DAY)
    assert "On turtles." not in found(search, "turtles")
    assert found(search, "terrapins") == ["On terrapins."]


def test_vectors_are_computed_once_and_of_what_fits_the_time(store: TextStore) -> None:
    model = WordModel()
    search = PassageSearch(store, lambda: model)
    store.put(text(A, "On turtles."), DAY)
    search.find("turtles", 5)
    search.find("turtles", 5)
    assert model.texts == ["Method. On turtles."]
    store.put(text(B, "On more turtles."), DAY)
    assert [each.passage.paper for each in search.find("turtles", 5, seconds=0)] == [A, B]
    assert len(model.texts) == 1


def test_the_answer_that_there_is_no_text_is_kept_until_one_comes(store: TextStore) -> None:
    store.note_absence(A, 1, "withdrawn", "the paper was withdrawn", DAY)
    kept = store.absence(A, 1)
    assert kept is not None and (kept.code, kept.day) == ("withdrawn", DAY)
    assert store.absence(A, 2) is None
    store.put(text(A, "It came."), DAY)
    assert store.absence(A, 1) is None


def test_a_full_disk_is_said_and_what_is_there_stays(store: TextStore, search: PassageSearch) -> None:
    store.put(text(A, "On turtles."), DAY)
    with store.database.reading() as db:
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(StoreBroken, match="full") as caught:
        for number in range(100):
            words = " ".join(f"w{number}x{each}" for each in range(2_000))
            store.put(text(f"1801.{number + 10:05}", words), DAY, words.encode())
    assert caught.value.hint
    assert found(search, "turtles")[0] == "On turtles."
    papers = facts_of(store).papers
    assert papers == len([n for n in range(100) if store.read(f"1801.{n + 10:05}")]) + 1
