"""Records in the catalogue."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from citeplug.corpus.catalogue import Catalogue, Changes, Derived, supersedes
from citeplug.corpus.database import Database
from citeplug.errors import StoreBroken
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "catalogue.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def catalogue(database: Database) -> Catalogue:
    return Catalogue(database)


def test_a_record_comes_back_as_it_went_in(catalogue: Catalogue) -> None:
    paper = make_paper(
        "hep-th/9301001", version=3, title="Über $\\alpha$", doi="10.1/x", journal_ref="J 1", comment="8 pages",
        abstract_kind="summary", categories=("hep-th", "math.AG"), authors=("Erdős Pál",),
    )  # fmt: skip
    catalogue.put([paper, make_paper(authors=(), categories=(), version=None)])
    assert catalogue.papers(["hep-th/9301001", "1706.03762", "unknown"]) == {
        "hep-th/9301001": paper,
        "1706.03762": make_paper(authors=(), categories=(), version=None),
    }


def test_records_are_new_then_unchanged_then_changed(catalogue: Catalogue) -> None:
    paper = make_paper()
    assert catalogue.put([paper]) == Changes(added=1)
    assert catalogue.put([paper]) == Changes(unchanged=1)
    assert catalogue.put([make_paper(doi="10.1/x")]) == Changes(changed=1)
    assert catalogue.papers(["1706.03762"])["1706.03762"].doi == "10.1/x"


def test_the_later_of_two_records_with_one_id_counts(catalogue: Catalogue) -> None:
    assert catalogue.put([make_paper(comment="first"), make_paper(comment="second")]) == Changes(added=1, unchanged=1)
    assert catalogue.papers(["1706.03762"])["1706.03762"].comment == "second"


def test_a_poorer_record_does_not_replace_a_richer_one() -> None:
    paper = make_paper()
    assert not supersedes(make_paper(authors=()), paper)
    assert not supersedes(make_paper(abstract_kind="summary"), paper)
    assert not supersedes(make_paper(version=1), make_paper(version=2))
    assert not supersedes(make_paper(version=None, updated=date(2016, 1, 1)), paper)


def test_a_richer_or_newer_record_replaces_the_older() -> None:
    assert supersedes(make_paper(), make_paper(authors=(), version=5))
    assert supersedes(make_paper(authors=()), make_paper(abstract_kind="summary"))
    assert supersedes(make_paper(version=2), make_paper(version=1))
    assert supersedes(make_paper(title="Corrected"), make_paper())


def test_an_error_in_a_write_leaves_everything_as_it_was(database: Database, catalogue: Catalogue) -> None:
    catalogue.put([make_paper()])
    before = database.generation
    with pytest.raises(RuntimeError), database.writing() as (db, _):
        db.execute("DELETE FROM papers")
        raise RuntimeError
    assert catalogue.records() == 1
    assert database.generation == before


def test_filters_are_exact_on_every_condition(catalogue: Catalogue) -> None:
    papers = [
        make_paper("1706.00001", published=date(2017, 6, 1), categories=("cs.CL",)),
        make_paper("1706.00002", published=date(2017, 6, 2), categories=("cs",)),
        make_paper("1706.00003", published=date(2017, 6, 3), categories=("csx.CL", "stat.ML")),
        make_paper("1706.00004", published=date(2017, 6, 4), categories=()),
    ]
    catalogue.put(papers)
    filters = [
        Filter(), Filter(before=date(2017, 6, 3)), Filter(categories=("cs",)), Filter(categories=("cs.CL", "stat")),
        Filter(exclude=frozenset({"1706.00001", "1706.00004"})),
        Filter(date(2017, 6, 2), ("cs",), frozenset({"1706.00002"})),
        Filter(first_day=date(2017, 6, 2)), Filter(date(2017, 6, 4), first_day=date(2017, 6, 3)),
    ]  # fmt: skip
    for where in filters:
        admitted = {paper.id.value for paper in papers if where.admits(paper)}
        assert set(catalogue.admitted([paper.id.value for paper in papers], where)) == admitted
        assert {value for value, _ in catalogue.all_admitted(where)} == admitted


def test_changed_papers_are_those_of_the_writes_in_between(database: Database, catalogue: Catalogue) -> None:
    catalogue.put([make_paper("1706.00001"), make_paper("1706.00002")])
    first = database.generation
    catalogue.put([make_paper("1706.00003"), make_paper("1706.00001")])
    second = database.generation
    catalogue.put([make_paper("1706.00002", comment="new")])
    assert [each.id for each in catalogue.changed_texts(first, second)] == ["1706.00003"]
    assert [each.id for each in catalogue.changed_texts(first, 99)] == ["1706.00003", "1706.00002"]
    assert catalogue.last_change() == database.generation


def test_completeness_only_grows(catalogue: Catalogue) -> None:
    assert catalogue.complete_to() is None
    catalogue.declare_complete(date(2019, 5, 1), ["1801.00001"])
    catalogue.declare_complete(date(2018, 5, 1), [])
    assert catalogue.complete_to() == date(2019, 5, 1)
    assert catalogue.is_unread("1801.00001")
    assert not catalogue.is_unread("1801.00002")


def test_a_mark_moves_on_only_from_where_it_was_seen(catalogue: Catalogue) -> None:
    seen = Derived("build", 3, 10)
    catalogue.set_derived("index", seen)
    catalogue.advance_derived("index", seen, 5)
    catalogue.advance_derived("index", seen, 9)
    assert catalogue.derived("index") == Derived("build", 5, 10)


def test_categories_are_counted_with_the_most_frequent_first(catalogue: Catalogue) -> None:
    catalogue.put(
        [make_paper("1706.00001", categories=("cs.CL", "cs.LG")), make_paper("1706.00002", categories=("cs.LG",))]
    )
    assert list(catalogue.categories().items()) == [("cs.LG", 2), ("cs.CL", 1)]


def test_threads_may_share_a_catalogue(catalogue: Catalogue) -> None:
    def fill(thread: int) -> None:
        for number in range(20):
            catalogue.put([make_paper(f"18{thread + 1:02d}.{number:05d}")])

    threads = [threading.Thread(target=fill, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert catalogue.records() == 80


def test_a_file_that_is_no_catalogue_is_a_broken_store(tmp_path: Path) -> None:
    (tmp_path / "catalogue.sqlite3").write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(StoreBroken, match="damaged") as caught:
        Database(tmp_path / "catalogue.sqlite3")
    assert "index add" in caught.value.hint


def test_a_catalogue_of_a_newer_citeplug_is_refused(tmp_path: Path) -> None:
    Database(tmp_path / "c.sqlite3").close()
    with closing(sqlite3.connect(tmp_path / "c.sqlite3")) as db:
        db.execute("PRAGMA user_version = 99")
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(StoreBroken, match="newer citeplug") as refused:
        Database(tmp_path / "c.sqlite3")
    assert "update citeplug" in refused.value.hint
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_folder_that_cannot_be_made_is_a_broken_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreBroken) as caught:
        Database(tmp_path / "file" / "corpus" / "c.sqlite3")
    assert "CITEPLUG_HOME" in caught.value.hint


def test_a_full_disk_is_said_to_be_full_and_loses_nothing(database: Database, catalogue: Catalogue) -> None:
    catalogue.put([make_paper()])
    with database.reading() as db:
        db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(StoreBroken, match="full") as caught:
        catalogue.put([make_paper(f"1801.{number:05d}", abstract="x" * 5000) for number in range(100)])
    assert caught.value.hint
    assert catalogue.records() == 1


def test_a_read_only_store_says_that_it_cannot_be_written(database: Database, catalogue: Catalogue) -> None:
    with database.reading() as db:
        db.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreBroken, match="cannot be written"):
        catalogue.put([make_paper()])


def test_records_are_found_by_their_doi_however_dirty_it_is(catalogue: Catalogue) -> None:
    dirty = {
        "1501.00001": "10.1000/ABC",
        "1501.00002": "10.1000/abc.",
        "1501.00003": "10.1000/abc#sthash.x",
        "1501.00004": "10.1000/first; 10.1000/abc",
        "1501.00005": "https://doi.org/10.1000/abc",
        "1501.00006": "10.1000/abcd",
        "1501.00007": "10.1000/abc.suppl",
    }
    catalogue.put([make_paper(value, doi=doi) for value, doi in dirty.items()])
    found = catalogue.by_doi(["10.1000/abc", "10.1000/none"])
    assert [*found] == ["10.1000/abc"]
    assert sorted(paper.id.value for paper in found["10.1000/abc"]) == [*dirty][:5]


def test_a_file_made_before_dois_were_indexed_gets_the_index(tmp_path: Path) -> None:
    file = tmp_path / "catalogue.sqlite3"
    Database(file).close()
    with closing(sqlite3.connect(file)) as old:
        old.execute("DROP INDEX papers_doi")
        old.execute("DROP INDEX papers_dois")
    opened = Database(file)
    catalogue = Catalogue(opened)
    catalogue.put([make_paper(doi="10.1000/abc")])
    assert [*catalogue.by_doi(["10.1000/abc"])] == ["10.1000/abc"]
    opened.close()


@pytest.mark.parametrize(
    "where",
    [
        Filter(),
        Filter(before=date(2018, 1, 2)),
        Filter(categories=("cs",)),
        Filter(categories=("cs.LG",)),
        Filter(categories=("c", "LG", "", "*", "cs.", "math.AG ", "\udcff")),
        Filter(categories=("hep-th", "stat.ML"), exclude=frozenset({"1801.00002"})),
        Filter(among=frozenset({"1801.00002", "1801.00003"})),
    ],
)
def test_what_a_filter_admits_is_told_from_the_rows_as_from_the_papers(catalogue: Catalogue, where: Filter) -> None:
    papers = [
        make_paper("1801.00001", categories=("cs.LG", "stat.ML"), published=date(2018, 1, 1)),
        make_paper("1801.00002", categories=("stat.ML", "cs.LG"), published=date(2018, 1, 2)),
        make_paper("1801.00003", categories=("hep-th",), published=date(2018, 1, 3)),
        make_paper("1801.00004", categories=(), published=date(2018, 1, 3)),
    ]
    catalogue.put(papers)
    ids = [paper.id.value for paper in papers]
    assert set(catalogue.admitted([*ids, "1801.00009"], where)) == {p.id.value for p in papers if where.admits(p)}
