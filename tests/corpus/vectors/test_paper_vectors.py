"""Lazy embedding, and nearest neighbours over store and catalogue."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.vectors.paper_vectors import PaperVectors
from citeplug.corpus.vectors.store import StoreDamaged
from citeplug.errors import ModelUnavailable, StoreBroken, StoreBusy
from citeplug.protocols import Vectors
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper
from tests.corpus.stores import MemoryStore, WordModel


@pytest.fixture(autouse=True)
def however_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask the store for few rows too, which would be compared one by one otherwise."""
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._FEW", 0)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "catalogue.sqlite3")
    yield opened
    opened.close()


def fill(database: Database, count: int) -> list[str]:
    papers = [
        make_paper(
            f"18{number % 12 + 1:02d}.{number:05d}", title=f"word{number}", abstract=f"about word{number % 7}",
            published=date(2018, number % 12 + 1, 1), categories=("cs.LG",) if number % 10 else ("math.CO",),
        )
        for number in range(count)
    ]  # fmt: skip
    Catalogue(database).put(papers)
    return [paper.id.value for paper in papers]


def test_vectors_are_computed_once_and_kept(database: Database) -> None:
    ids, model = fill(database, 10), WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    first = vectors.by_id([*ids[:6], "unknown"], None)
    assert list(first) == ids[:6]
    assert len(model.texts) == 6
    again = PaperVectors(database, model, MemoryStore()).by_id(ids[:8], None)
    assert len(model.texts) == 8
    assert all(np.array_equal(first[value], again[value]) for value in ids[:6])


def test_no_time_means_that_only_known_vectors_come_back(database: Database) -> None:
    ids, model = fill(database, 10), WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    vectors.by_id(ids[3:5], None)
    assert list(vectors.by_id(ids, 0)) == ids[3:5]


def test_the_time_is_kept_and_the_first_ids_go_first(database: Database) -> None:
    class Slow(WordModel):
        def embed(self, texts: Sequence[str]) -> Vectors:
            time.sleep(0.02 * len(texts))
            return super().embed(texts)

    ids = fill(database, 1000)
    began = time.monotonic()
    found = list(PaperVectors(database, Slow(), MemoryStore()).by_id(ids, 0.3))
    assert time.monotonic() - began < 10
    assert 4 <= len(found) < 1000
    assert found == ids[: len(found)]


def test_papers_outside_the_catalogue_are_embedded_once_as_well(database: Database) -> None:
    model, paper = WordModel(), make_paper("1901.00001", title="From elsewhere")
    vectors = PaperVectors(database, model, MemoryStore())
    assert set(vectors.by_paper([paper], None)) == {"1901.00001"}
    Catalogue(database).put([paper])
    assert set(vectors.by_id(["1901.00001"], None)) == {"1901.00001"}
    assert len(model.texts) == 1


def test_only_a_change_of_title_or_abstract_is_embedded_again(database: Database) -> None:
    model = WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    for paper in (make_paper(), make_paper(doi="10.1/x"), make_paper(title="Other", doi="10.1/x")):
        Catalogue(database).put([paper])
        vectors.by_id(["1706.03762"], None)
    assert len(model.texts) == 2


FILTERS = [
    Filter(), Filter(before=date(2018, 6, 1)), Filter(categories=("math",)), Filter(categories=("hep-th",)),
    Filter(date(2018, 3, 1), ("math.CO",)),
    Filter(exclude=frozenset(f"18{n % 12 + 1:02d}.{n:05d}" for n in range(150))),
]  # fmt: skip


@pytest.mark.parametrize("where", FILTERS)
@pytest.mark.parametrize("k", [1, 5, 40, 500])
@pytest.mark.parametrize("most_asked", [5000, 20])
def test_nearest_is_exact_under_every_filter(
    database: Database, where: Filter, k: int, most_asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._MOST_ASKED", most_asked)
    ids, model = fill(database, 200), WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    vectors.by_id(ids[:180], None)
    query = model.embed_queries(["about word3 word150"])[0]
    papers = [p for p in Catalogue(database).papers(ids[:180]).values() if where.admits(p)]
    found = vectors.nearest(query, k, where)
    assert {value for value, _ in found} <= {paper.id.value for paper in papers}
    expected = model.embed_queries([f"{p.title}. {p.abstract}" for p in papers]) @ query if papers else np.zeros(0)
    assert [cosine for _, cosine in found] == pytest.approx(sorted(expected.tolist(), reverse=True)[:k], abs=1e-3)


def test_rows_that_the_store_has_not_got_yet_are_found_too(database: Database) -> None:
    ids, model, store = fill(database, 20), WordModel(), MemoryStore()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids[:10], None)
    vectors.by_id(ids[10:], 5.0)
    assert store.count() == 10
    query = model.embed_queries(["word15. about word1"])[0]
    assert vectors.nearest(query, 1, Filter())[0][0] == ids[15]
    vectors.close()
    assert store.count() == 20


def test_a_row_from_an_older_text_is_not_found(database: Database) -> None:
    ids, model = fill(database, 5), WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    vectors.by_id(ids, None)
    Catalogue(database).put([make_paper(ids[2], title="Something else", published=date(2018, 3, 1))])
    found = [value for value, _ in vectors.nearest(model.embed_queries(["word2"])[0], 5, Filter())]
    assert ids[2] not in found
    assert len(found) == 4


def test_a_reader_opens_anew_only_after_a_write(database: Database) -> None:
    ids, model, store = fill(database, 20), WordModel(), MemoryStore()
    vectors, query = PaperVectors(database, model, store), model.embed_queries(["word3"])[0]
    vectors.by_id(ids[:10], None)
    for _ in range(3):
        vectors.nearest(query, 3, Filter())
    Catalogue(database).put([make_paper("1901.00001")])
    vectors.nearest(query, 3, Filter())
    assert store.opened == 1
    PaperVectors(database, model, store).by_id(ids, None)
    query = model.embed_queries(["word15. about word1"])[0]
    assert vectors.nearest(query, 1, Filter())[0][0] == ids[15]
    assert store.opened == 2


@pytest.mark.parametrize(("rows", "asked"), [(500, []), (501, [3])])
def test_a_store_is_asked_once_it_has_more_rows_than_are_soon_compared(
    database: Database, monkeypatch: pytest.MonkeyPatch, rows: int, asked: list[int]
) -> None:
    monkeypatch.undo()
    ids, model, store = fill(database, rows), WordModel(), MemoryStore()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids, None)
    assert store.count() == rows
    assert vectors.nearest(model.embed_queries(["word3. about word3"])[0], 3, Filter())[0][0] == ids[3]
    assert store.asked == asked


def test_a_few_rows_wait_for_others_before_a_store_is_opened_for_them(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    ids, model, store = fill(database, 500), WordModel(), MemoryStore()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids[:499], None)
    vectors.close()
    assert (store.count(), store.opened) == (0, 0)
    assert vectors.nearest(model.embed_queries(["word3. about word3"])[0], 3, Filter())[0][0] == ids[3]
    vectors.by_id(ids, None)
    assert store.count() == 500


def test_a_store_that_lost_its_rows_is_filled_again(database: Database) -> None:
    ids, model, store = fill(database, 20), WordModel(), MemoryStore()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids[:10], None)
    store.kept.clear()
    vectors.by_id(ids, None)
    assert store.count() == 20


def test_a_damaged_store_still_answers_and_is_built_anew(database: Database) -> None:
    class Damaged(MemoryStore):
        damaged = False

        def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
            if self.damaged:
                raise StoreDamaged("torn")
            return super().nearest(vector, k, version, rows)

        def clear(self) -> None:
            super().clear()
            self.damaged = False

    ids, model, store = fill(database, 20), WordModel(), Damaged()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids, None)
    store.damaged = True
    query = model.embed_queries(["word3. about word3"])[0]
    assert vectors.nearest(query, 1, Filter())[0][0] == ids[3]
    assert not store.damaged
    assert store.count() == 20


def test_a_store_that_another_process_writes_meanwhile_is_not_taken_for_damaged(database: Database) -> None:
    class Written(MemoryStore):
        def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
            catalogue = Catalogue(database)
            state = catalogue.derived(self.name)
            assert state is not None
            catalogue.set_derived(self.name, replace(state, build="anew"))
            raise StoreDamaged("it has fewer rows")

        def clear(self) -> None:
            raise AssertionError("another process has written it")

    ids, model = fill(database, 20), WordModel()
    vectors = PaperVectors(database, model, Written())
    vectors.by_id(ids, None)
    assert vectors.nearest(model.embed_queries(["word3. about word3"])[0], 1, Filter())[0][0] == ids[3]


def test_a_store_that_another_process_holds_does_not_stop_a_search(database: Database) -> None:
    class Busy(MemoryStore):
        def nearest(self, vector: Vectors, k: int, version: str, rows: int) -> list[tuple[str, str | None, float]]:
            raise StoreBusy("held")

    ids, model = fill(database, 20), WordModel()
    vectors = PaperVectors(database, model, Busy())
    vectors.by_id(ids, None)
    assert vectors.nearest(model.embed_queries(["word3. about word3"])[0], 1, Filter())[0][0] == ids[3]


def test_a_store_that_cannot_be_mended_is_told_of_and_done_without(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    class Hopeless(MemoryStore):
        @contextmanager
        def writing(self, wait: float | None = None) -> Iterator[MemoryStore]:
            raise StoreDamaged("no space left on device")
            yield self

    ids, model = fill(database, 20), WordModel()
    vectors = PaperVectors(database, model, Hopeless())
    with caplog.at_level("WARNING"):
        assert len(vectors.by_id(ids, None)) == 20
    assert "no space left" in caplog.text
    assert vectors.nearest(model.embed_queries(["word3. about word3"])[0], 1, Filter())[0][0] == ids[3]
    with pytest.raises(StoreBroken, match="no space left") as caught:
        vectors.sync.bring_up_to_date()
    assert caught.value.hint
    vectors.close()


def test_a_query_of_another_model_is_refused(database: Database) -> None:
    vectors = PaperVectors(database, WordModel(), MemoryStore())
    vectors.by_id(fill(database, 3), None)
    with pytest.raises(ModelUnavailable):
        vectors.nearest(np.ones(5, np.float32), 3, Filter())


def test_papers_with_one_text_share_a_vector_and_are_both_found(database: Database) -> None:
    Catalogue(database).put([make_paper("1801.00001"), make_paper("1801.00002")])
    model = WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    vectors.by_id(["1801.00001", "1801.00002"], None)
    query = model.embed_queries(["attention"])[0]
    assert {value for value, _ in vectors.nearest(query, 5, Filter())} == {"1801.00001", "1801.00002"}
    assert {value for value, _ in vectors._compare_all(query, 5, Filter())} == {"1801.00001", "1801.00002"}


def test_of_a_large_store_the_nearest_rows_that_pass_the_filter_have_to_do(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._MOST_ASKED", 40)
    ids, model, store = fill(database, 200), WordModel(), MemoryStore()
    vectors = PaperVectors(database, model, store)
    vectors.by_id(ids, None)
    query = model.embed_queries(["about word3 word150"])[0]
    rare = Filter(categories=("math.CO",))
    exact = vectors.nearest(query, 15, rare)
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._EXACT", 100)
    store.asked.clear()
    found = vectors.nearest(query, 15, rare)
    assert max(store.asked) == 40
    assert 0 < len(found) < len(exact) == 15
    cosines = [cosine for _, cosine in exact[: len(found)]]
    assert [cosine for _, cosine in found] == pytest.approx(cosines, abs=1e-3)


def test_few_vectors_among_many_records_are_all_compared(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.corpus.vectors.paper_vectors._MOST_ASKED", 1)
    ids, model = fill(database, 200), WordModel()
    vectors = PaperVectors(database, model, MemoryStore())
    vectors.by_id(ids[:20], None)
    query = model.embed_queries(["about word3"])[0]
    found = vectors.nearest(query, 30, Filter(categories=("cs.LG",)))
    assert {value for value, _ in found} == {ids[number] for number in range(20) if number % 10}
