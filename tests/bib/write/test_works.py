from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.bib.write.dialect import Dialect
from citeplug.bib.write.entries import lay_out
from citeplug.bib.write.find_published import find_published, other_work
from citeplug.bib.write.works import is_published, work_fields
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import SourceUnavailable
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.work import Service, Work
from citeplug.text.people import compare_authors

BIBTEX, BIBER = Dialect("bibtex", "note"), Dialect("biber", "eprint")
RECORD = Paper(
    ArxivId("2004.04906", 3), "Dense Passage Retrieval", "We retrieve.", ("Ada Lovelace", "Charles Babbage"),
    date(2020, 4, 10), date(2020, 9, 30), doi="10.1000/emnlp.550",
)  # fmt: skip
WORK = Work(
    "crossref", "Dense Passage Retrieval", ("Ada Lovelace", "Charles Babbage"), 2020, "inproceedings",
    "Proceedings of Tests", pages="6769-6781", publisher="Test Press", doi="10.1000/emnlp.550",
    url="https://doi.org/10.1000/emnlp.550",
)  # fmt: skip


@dataclass
class Shelf:
    """A source that holds a few works in memory."""

    works: Sequence[Work] = ()
    name: Service = "crossref"
    knows_dois: bool = True
    broken: bool = False
    asked: list[str] = field(default_factory=list)

    def by_doi(self, doi: str) -> Work | None:
        return next((work for work in self._works(f"doi {doi}") if work.doi == doi), None)

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        return list(self._works(f"title {title}"))

    def _works(self, question: str) -> Sequence[Work]:
        self.asked.append(question)
        if self.broken:
            raise SourceUnavailable("it is down", "try again")
        return self.works


def test_the_published_version_is_found_by_the_records_doi_first() -> None:
    shelf = Shelf([WORK])
    assert find_published(RECORD, [shelf]) == WORK
    assert shelf.asked == ["doi 10.1000/emnlp.550"]


def test_a_title_that_differs_a_little_needs_volume_and_first_page_of_the_record() -> None:
    renamed = replace(WORK, title=f"{RECORD.title} revisited", volume="7", pages="1-9")
    placed = replace(RECORD, journal_ref=f"J. Tests 7, 1-9 ({WORK.year})")
    assert find_published(placed, [Shelf([renamed])]) == renamed
    assert find_published(RECORD, [Shelf([renamed])]) is None
    for other in (replace(renamed, volume="8"), replace(renamed, pages="11-19")):
        assert find_published(placed, [Shelf([other])]) is None


def test_the_work_of_another_title_under_the_records_doi_is_named_be_it_of_the_same_people() -> None:
    other = replace(WORK, title="Retrieval of Passages for Questions")
    assert find_published(RECORD, [Shelf([other])]) is None
    assert other_work(RECORD, [Shelf([other])]) == other
    assert other_work(RECORD, [Shelf([WORK])]) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"authors": ("Ada Lovelace", "Nora Nobody")},
        {"title": "Sparse Passage Retrieval"},
        {"year": 2010},
        {"year": None},
        {"kind": "misc"},
        {"venue": "CoRR"},
        {"venue": None},
        {"doi": "10.48550/arxiv.2004.04906"},
        {"arxiv_id": "2101.00001"},
    ],
)
def test_without_a_doi_nothing_but_the_same_title_and_authors_in_print_will_do(changes: dict[str, object]) -> None:
    record = replace(RECORD, doi=None)
    assert find_published(record, [Shelf([WORK])]) == WORK
    assert find_published(record, [Shelf([replace(WORK, **changes)])]) is None  # type: ignore[arg-type]


def test_the_next_source_is_asked_where_one_is_silent_and_its_record_is_given_whole() -> None:
    other = replace(WORK, service="openalex", volume="7")
    assert find_published(RECORD, [Shelf(broken=True), Shelf([other])]) == other


def test_a_silent_source_is_no_answer_that_there_is_none() -> None:
    with pytest.raises(SourceUnavailable):
        find_published(RECORD, [Shelf(), Shelf(broken=True)])
    assert find_published(RECORD, [Shelf()]) is None


def test_a_source_without_dois_is_asked_for_the_title_alone() -> None:
    shelf = Shelf([WORK], knows_dois=False)
    assert find_published(RECORD, [shelf]) == WORK
    assert shelf.asked == ["title Dense Passage Retrieval"]


def test_a_preprint_is_not_published() -> None:
    assert is_published(WORK)
    assert not is_published(replace(WORK, venue="SSRN Electronic Journal"))


def render_work(work: Work, key: str, dialect: Dialect) -> str:
    return lay_out(work.kind, key, work_fields(work, dialect))


def test_a_conference_paper_is_printed_whole() -> None:
    assert render_work(WORK, "lovelace2020dense", BIBTEX) == (
        "@inproceedings{lovelace2020dense,\n"
        "  title     = {Dense Passage Retrieval},\n"
        "  author    = {Lovelace, Ada and Babbage, Charles},\n"
        "  booktitle = {Proceedings of Tests},\n"
        "  pages     = {6769--6781},\n"
        "  publisher = {Test Press},\n"
        "  year      = {2020},\n"
        "  doi       = {10.1000/emnlp.550},\n"
        "}\n"
    )


def test_titles_and_names_are_escaped_for_the_engine() -> None:
    work = replace(
        WORK, kind="article", title="100% of H2O & _all_", authors=("Łukasz Groß", "ATLAS Collaboration"),
        venue="Ann. & Rev.",
    )  # fmt: skip
    bibtex, biber = render_work(work, "k", BIBTEX), render_work(work, "k", BIBER)
    assert "title   = {100\\% of {H2O} \\& \\_all\\_}" in bibtex
    assert "Gro{\\ss}, {\\L}ukasz and {ATLAS Collaboration}" in bibtex
    assert "journal = {Ann. \\& Rev.}" in bibtex
    assert "Groß, Łukasz" in biber


def test_a_surname_of_two_words_stays_one() -> None:
    work = replace(WORK, authors=("Gabriel Garcia Marquez",), surnames=("Garcia Marquez",))
    assert "author    = {Garcia Marquez, Gabriel}" in render_work(work, "k", BIBTEX)


def test_a_cut_list_of_authors_ends_in_others() -> None:
    assert "Babbage, Charles and others}" in render_work(replace(WORK, more_authors=True), "k", BIBTEX)


@given(
    st.text(min_size=1, max_size=40),
    st.lists(st.sampled_from(["Ada Lovelace", "Jürgen Groß", "Ana de la Cruz", "Li Wei"]), min_size=1, max_size=4),
    st.text(max_size=20),
    st.sampled_from([BIBTEX, BIBER]),
)
def test_what_is_printed_can_be_read_again(title: str, authors: list[str], venue: str, dialect: Dialect) -> None:
    work = replace(WORK, title=f"A {title}", authors=tuple(authors), venue=venue)
    entries = parse_bib(render_work(work, "key", dialect))
    assert [(entry.key, entry.kind) for entry in entries] == [("key", "inproceedings")]
    assert compare_authors(entries[0].fields["author"], authors).degree == "same"
    assert entries[0].doi == WORK.doi
