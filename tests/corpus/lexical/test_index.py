"""Search by words."""

import shutil
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citeplug.corpus.catalogue import Catalogue
from citeplug.corpus.database import Database
from citeplug.corpus.lexical.index import NAME, LexicalIndex
from citeplug.corpus.lexical.schema import make_schema, make_usable
from citeplug.corpus.locking import exclusive
from citeplug.errors import StoreBroken, StoreBusy
from citeplug.records.paper import Filter
from tests.corpus.records import make_paper

PAPERS = [
    make_paper("1706.03762"),
    make_paper("1801.00001", title="Graph attention networks", abstract="Attending over the neighbours of a node."),
    make_paper("1801.00002", title="A survey of graphs", abstract="Networks, and attention to networks.",
               published=date(2018, 1, 2), categories=("stat.ML",)),
    make_paper("hep-th/9301001", title="Étale cohomology", abstract="Of schemes.", published=date(1993, 1, 1),
               categories=("hep-th", "math.AG")),
]  # fmt: skip


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "catalogue.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def catalogue(database: Database) -> Catalogue:
    made = Catalogue(database)
    made.put(PAPERS)
    return made


@pytest.fixture
def index(catalogue: Catalogue, tmp_path: Path) -> LexicalIndex:
    made = LexicalIndex(catalogue, tmp_path / "lexical")
    made.bring_up_to_date()
    return made


def ids(index: LexicalIndex, text: str, k: int = 10, where: Filter | None = None) -> list[str]:
    return [value for value, _ in index.search(text, k, where or Filter())]


def test_words_are_found_by_their_stems_and_without_accents(index: LexicalIndex) -> None:
    assert ids(index, "ETALE cohomologies") == ["hep-th/9301001"]
    assert ids(index, "étale") == ["hep-th/9301001"]


def test_a_word_in_the_title_counts_for_more(index: LexicalIndex) -> None:
    assert ids(index, "graph attention network")[:2] == ["1801.00001", "1801.00002"]


def test_scores_fall_and_at_most_k_come_back(index: LexicalIndex) -> None:
    found = index.search("graph attention networks", 2, Filter())
    assert len(found) == 2
    assert found[0][1] >= found[1][1] > 0


@pytest.mark.parametrize(
    "text", ["", "   ", "the of and", "!!!", "\x00", 'a: (b "c', "AND OR NOT", "title:x^9 ~ [", "\ud800"]
)
def test_text_that_is_no_query_language_never_raises(index: LexicalIndex, text: str) -> None:
    index.search(text, 10, Filter())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.text())
def test_any_text_is_a_valid_query(index: LexicalIndex, text: str) -> None:
    index.search(text, 10, Filter(before=date(2020, 1, 1), categories=(text,), exclude=frozenset({text})))


def test_of_a_long_query_on_very_many_records_the_rarest_words_are_asked_for(
    index: LexicalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.corpus.lexical.index.MOST_POSTINGS", 1)
    monkeypatch.setattr("citeplug.corpus.lexical.index.POSTINGS_FOR_EACH", 0)
    assert ids(index, "attention schemes") == ["hep-th/9301001"]
    assert set(ids(index, "attention")) >= {"1801.00001", "1801.00002"}


def test_a_whole_book_is_a_valid_query(index: LexicalIndex) -> None:
    assert ids(index, "graph " + " ".join(f"word{number}" for number in range(100_000)))


def test_filters_are_exact_and_do_not_touch_the_scores(index: LexicalIndex) -> None:
    text = "graph attention networks etale schemes"
    scores = dict(index.search(text, 10, Filter()))
    assert len(scores) == 4
    filters = [
        Filter(before=date(2017, 6, 12)), Filter(before=date(2017, 6, 13)), Filter(categories=("cs",)),
        Filter(categories=("math", "stat.ML")), Filter(categories=("hep",)), Filter(exclude=frozenset({"1801.00001"})),
        Filter(date(2018, 1, 2), ("cs", "math"), frozenset({"1706.03762"})),
        Filter(first_day=date(2017, 6, 12)), Filter(date(2018, 1, 1), first_day=date(2017, 6, 13)),
    ]  # fmt: skip
    for where in filters:
        found = dict(index.search(text, 10, where))
        assert set(found) == {paper.id.value for paper in PAPERS if where.admits(paper)}
        assert all(score == pytest.approx(scores[value]) for value, score in found.items())


def test_a_changed_record_is_found_by_its_new_words_only(catalogue: Catalogue, index: LexicalIndex) -> None:
    catalogue.put([make_paper(title="Sparse transformers", abstract="New words.")])
    index.bring_up_to_date()
    assert ids(index, "sparse") == ["1706.03762"]
    assert "1706.03762" not in ids(index, "attention")


def test_an_index_opened_before_sees_what_another_one_wrote(
    catalogue: Catalogue, index: LexicalIndex, tmp_path: Path
) -> None:
    assert ids(index, "quaternions") == []
    catalogue.put([make_paper("1801.00009", title="On quaternions")])
    LexicalIndex(catalogue, tmp_path / "lexical").bring_up_to_date()
    assert ids(index, "quaternions") == ["1801.00009"]


def test_a_write_that_was_not_marked_is_done_again_without_doubling(
    catalogue: Catalogue, index: LexicalIndex, tmp_path: Path
) -> None:
    mark = catalogue.derived(NAME)
    assert mark is not None
    catalogue.put([make_paper("1801.00009", title="On quaternions")])
    index.bring_up_to_date()
    catalogue.set_derived(NAME, mark)  # as if killed between the index's commit and the mark
    index.bring_up_to_date()
    assert ids(LexicalIndex(catalogue, tmp_path / "lexical"), "quaternions") == ["1801.00009"]


def damage_meta(folder: Path) -> None:
    (folder / "meta.json").write_text("{", encoding="utf-8")


def damage_segments(folder: Path) -> None:
    for file in folder.glob("*.store"):
        file.unlink()


@pytest.mark.parametrize("damage", [shutil.rmtree, damage_meta, damage_segments])
def test_a_damaged_index_is_built_anew(
    catalogue: Catalogue, index: LexicalIndex, tmp_path: Path, damage: object
) -> None:
    (folder,) = (path for path in (tmp_path / "lexical").iterdir() if path.is_dir())
    assert callable(damage)
    damage(folder)
    fresh = LexicalIndex(catalogue, tmp_path / "lexical")
    fresh.bring_up_to_date()
    assert set(ids(fresh, "graph")) == {"1801.00001", "1801.00002"}


def test_an_open_index_writes_nothing_by_itself(tmp_path: Path) -> None:
    import tantivy

    index = tantivy.Index(make_schema(), str(tmp_path))
    make_usable(index)
    before = sorted(path.name for path in tmp_path.iterdir())
    with (tmp_path / "meta.json").open("ab") as file:
        file.write(b" ")
    time.sleep(1.2)  # tantivy looks at the file twice in a second
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_an_index_that_is_up_to_date_needs_no_lock(index: LexicalIndex, tmp_path: Path) -> None:
    with exclusive(tmp_path / "lexical" / "write.lock"):
        index.bring_up_to_date(wait=0)


def test_a_second_writer_is_told_that_the_store_is_busy(
    catalogue: Catalogue, index: LexicalIndex, tmp_path: Path
) -> None:
    catalogue.put([make_paper("1801.00009")])
    with exclusive(tmp_path / "lexical" / "write.lock"), pytest.raises(StoreBusy, match="another citeplug") as caught:
        index.bring_up_to_date(wait=0.05)
    assert caught.value.hint


def test_a_folder_that_cannot_be_written_is_a_broken_store(catalogue: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "lexical").write_text("in the way", encoding="utf-8")
    with pytest.raises(StoreBroken) as caught:
        LexicalIndex(catalogue, tmp_path / "lexical").bring_up_to_date()
    assert caught.value.hint


def test_an_empty_catalogue_finds_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "empty.sqlite3")
    index = LexicalIndex(Catalogue(database), tmp_path / "lexical")
    index.bring_up_to_date()
    assert ids(index, "graph") == []
    database.close()


def test_records_are_looked_up_by_all_words_of_title_authors_year_and_abstract(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    some = [
        make_paper("1609.02907", title="Graph convolution", authors=("Thomas N. Kipf", "Max Müller"),
                   abstract="On nodes.", published=date(2016, 9, 9)),
        make_paper("1802.04687", title="Relations", authors=("Thomas N. Kipf",), abstract="Graphs of systems.",
                   published=date(2018, 2, 13)),
    ]  # fmt: skip
    catalogue.put(some)
    index = LexicalIndex(catalogue, tmp_path / "looked")
    index.bring_up_to_date()

    def found(text: str, *, every: bool = True) -> list[str]:
        return [value for value, _ in index.look_up(text, 9, Filter(), index.names_in(text), every=every)]

    assert sorted(found("kipf")) == ["1609.02907", "1802.04687"]
    assert found("Kipf 2016") == ["1609.02907"]
    assert found("muller convolutions") == ["1609.02907"]
    assert found("graph convo") == ["1609.02907"]  # the last word is still being typed
    assert found("graph kipf")[0] == "1609.02907"  # in the title before the abstract
    assert found("kipf cohomology") == found(" .!") == found("") == []
    assert found("kipf cohomology", every=False) == found("kipf")
    assert [value for value, _ in index.look_up("kipf", 9, Filter(before=date(2017, 1, 1)), ["kipf"])] == ["1609.02907"]


def test_a_name_is_told_from_a_word_of_its_stem_by_its_company(catalogue: Catalogue, tmp_path: Path) -> None:
    some = [
        make_paper("1609.02907", title="Graph convolution", authors=("Max Welling",), abstract="On nodes."),
        make_paper(
            "0904.00001", title="On the well extension of well orderings", authors=("A. Graph",), abstract="Well."
        ),
    ]
    catalogue.put([*some, *(make_paper(f"2001.0000{n}", title="A graph", abstract="It works well.") for n in range(6))])
    index = LexicalIndex(catalogue, tmp_path / "names")
    index.bring_up_to_date()
    assert index.names_in("Max Welling graph convolution") == ["Max", "Welling"]
    assert [value for value, _ in index.look_up("Max Welling", 9, Filter(), ["Max", "Welling"])] == ["1609.02907"]
