from datetime import date

import pytest

from citeplug.bib.compare.seek import choose, clues, repaired_ids, worth_asking
from citeplug.bibtex.entries import parse_bib
from citeplug.records.draft import BibEntry
from citeplug.records.paper import ArxivId, Clue
from tests.harness.papers import paper


def entry(text: str) -> BibEntry:
    (found,) = parse_bib(text)
    return found


def test_a_clue_is_a_few_rare_ascii_words_of_the_title() -> None:
    found = entry(
        r"@misc{k, title={A {S}ch\"odinger Approach to Quantum Tomography of Cuboids in Lattices}, author={Ørsted, H.}}"
    )
    assert clues(found) == [
        Clue(("tomography", "lattices", "cuboids", "approach")),
        Clue(("approach", "quantum"), "orsted"),
    ]


def test_a_title_of_two_words_is_asked_for_with_its_author() -> None:
    assert clues(entry("@misc{k, title={Spherical CNNs}, author={Taco S. Cohen and others}}")) == [
        Clue(("spherical", "cnns"), "cohen")
    ]


def test_a_title_that_says_too_little_is_not_asked_for() -> None:
    assert clues(entry("@misc{k, title={On It}}")) == []
    assert clues(entry("@misc{k, title={Über Öl}, author={Ö}}")) == []
    assert clues(entry("@misc{k, author={Nobody}}")) == []


def test_books_are_not_asked_for_unless_they_name_arxiv() -> None:
    assert not worth_asking(entry("@book{k, title={Algebra}}"))
    assert worth_asking(entry("@book{k, title={Algebra}, note={arXiv:1706.03762}}"))


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("eprint={1403.597}", ["1403.5970"]),
        ("eprint={1706.0376}", ["1706.03760"]),
        ("eprint={501.1234}", []),
        ("year=2014", []),
    ],
)
def test_an_id_that_lost_its_zeros_gets_them_back(text: str, ids: list[str]) -> None:
    found = repaired_ids(entry("@misc{k, title={T}, " + text + "}"))
    assert [value for value in map(str, found) if value in ids] == ids
    assert all(isinstance(value, ArxivId) for value in found)


RIGHT = "@article{k, title={Attention Is All You Need}, author={A. Vaswani and others}, year=2017, journal={CoRR}}"


def test_the_record_with_title_and_authors_is_chosen_and_is_exact() -> None:
    other = paper("1803.00001", "Attention Is All You Need for Chess", ("Jo Doe",))
    found = choose(entry(RIGHT), [other, paper()])
    assert found is not None
    assert (found.paper, found.by, found.sure, found.exact, found.twins) == (paper(), "title", True, True, ())


def test_of_two_records_that_fit_the_year_may_decide_and_neither_is_exact() -> None:
    later = paper("2101.00001", published=date(2021, 1, 5))
    found = choose(entry(RIGHT), [later, paper()])
    assert found is not None
    assert (found.paper, found.exact, found.twins) == (paper(), False, ())


def test_of_two_records_that_fit_in_all_both_are_kept() -> None:
    found = choose(entry(RIGHT), [paper(), paper("1706.09999")])
    assert found is not None
    assert (found.exact, len(found.twins)) == (False, 1)


def test_the_doi_decides_between_two_records_of_one_title() -> None:
    text = RIGHT.replace("journal={CoRR}", "doi={10.1000/second}")
    second = paper("1706.09999", doi="10.1000/second")
    found = choose(entry(text), [paper(doi="10.1000/first"), second])
    assert found is not None
    assert (found.paper, found.by, found.twins) == (second, "doi", ())


@pytest.mark.parametrize(
    ("title", "authors"),
    [
        ("Attention Is All You Need: Part II", "A. Vaswani and others"),
        ("Convolution Is All You Need", "A. Vaswani and others"),
        ("Attention Is All You Need", "K. He and others"),
        ("Need", "A. Vaswani and others"),
    ],
)
def test_a_published_entry_that_differs_means_another_paper(title: str, authors: str) -> None:
    text = f"@article{{k, title={{{title}}}, author={{{authors}}}, year=2017, journal={{Nature}}}}"
    assert choose(entry(text), [paper()]) is None


def test_the_doi_of_a_paper_with_other_title_and_authors_is_not_the_entry_s() -> None:
    text = "@article{k, title={Deep Residual Learning}, author={K. He}, doi={10.1000/first}}"
    assert choose(entry(text), [paper(doi="10.1000/first")]) is None
