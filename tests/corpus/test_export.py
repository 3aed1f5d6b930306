"""What is exported comes back as it was."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.corpus.export import export_records, line_of
from citeplug.corpus.record_rows import record_digest
from citeplug.errors import CannotWrite, UsageError, WouldOverwrite
from citeplug.records.paper import Filter, Paper
from citeplug.sources.snapshot import SnapshotReader
from citeplug.text.cleaning import plain
from tests.corpus.records import make_paper
from tests.corpus.test_update import Place

AWKWARD = [
    make_paper(),
    make_paper("hep-th/9901001", version=None, authors=("M. Green, Jr", "de Souza {Dutra}"), categories=("hep-th",)),
    make_paper(
        "2101.00001", version=12, updated=date(2024, 2, 29), doi="10.1/x", journal_ref="J. 1", comment='"q" \\x'
    ),
    make_paper("2101.00002", authors=(), abstract="", categories=(), published=(day := date(2021, 1, 1)), updated=day),
    make_paper("2101.00003", abstract="It is shown … 𝛼 that.", abstract_kind="summary"),
]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "home")
    yield made
    made.database.close()


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz", "all.JSONL.ZST"])
def test_an_empty_catalogue_gets_identical_digests(place: Place, tmp_path: Path, name: str) -> None:
    place.catalogue.put(AWKWARD)
    kept = list(place.catalogue.all_papers())
    assert export_records(place.catalogue, tmp_path / name) == len(kept) == len(AWKWARD)
    other = Place(tmp_path / "other")
    report = other.add(tmp_path / name)
    assert (report.added, report.skipped, report.warnings) == (len(AWKWARD), 0, ())
    assert list(map(record_digest, other.catalogue.all_papers())) == list(map(record_digest, kept))
    assert other.add(tmp_path / name).unchanged == len(AWKWARD)
    other.database.close()


_words = st.text(max_size=40).map(plain)


@given(title=_words.filter(bool), abstract=_words, authors=st.lists(_words.filter(bool), max_size=3), note=_words)
def test_any_record_survives_the_way(
    tmp_path_factory: pytest.TempPathFactory, title: str, abstract: str, authors: list[str], note: str
) -> None:
    paper = make_paper(title=title, abstract=abstract, authors=tuple(authors), comment=note or None)
    file = tmp_path_factory.mktemp("line") / "one.jsonl"
    file.write_bytes(line_of(paper))
    assert list(SnapshotReader(file)) == [paper]


def test_only_what_the_filter_admits_is_written(place: Place, tmp_path: Path) -> None:
    place.catalogue.put(AWKWARD)
    where = Filter(before=date(2020, 1, 1), categories=("hep-th",))
    assert export_records(place.catalogue, tmp_path / "some.jsonl", where) == 1
    found: list[Paper] = list(SnapshotReader(tmp_path / "some.jsonl"))
    assert [each.id.value for each in found] == ["hep-th/9901001"]


def test_a_file_that_is_there_is_replaced_only_by_force(place: Place, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_text("mine", encoding="utf-8")
    with pytest.raises(WouldOverwrite):
        export_records(place.catalogue, file)
    assert file.read_text(encoding="utf-8") == "mine"
    place.catalogue.put(AWKWARD)
    assert export_records(place.catalogue, file, force=True) == 5


def test_a_place_or_form_that_cannot_be_written_is_told_and_leaves_nothing(place: Place, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite):
        export_records(place.catalogue, tmp_path / "nowhere" / "all.jsonl")
    with pytest.raises(UsageError):
        export_records(place.catalogue, tmp_path / "all.zip")
    assert [each.name for each in tmp_path.iterdir()] == ["home"]
