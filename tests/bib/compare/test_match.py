from dataclasses import replace
from datetime import date
from pathlib import Path

from citeplug.bib.compare.duplicates import match_existing
from citeplug.bibtex.entries import parse_bib
from citeplug.records.draft import BibEntry, Cite, Span
from citeplug.records.paper import Paper
from tests.harness.papers import paper

PAPER = paper(doi="10.1000/Abc")
AUTHORS = "Vaswani, Ashish and Shazeer, Noam and Parmar, Niki"
FITTING = f"@article{{V17, title={{{{Attention}} is all you need}}, author={{{AUTHORS}}}, year=2018}}"


def key_of(text: str, *cited: str, record: Paper = PAPER) -> str | None:
    cites = [Cite((key,), "cite", Span(Path("main.tex"), 0, 1, 1)) for key in cited]
    return match_existing([record], parse_bib(text), cites).get(record.id.value)


def test_a_paper_keeps_its_key_by_arxiv_id() -> None:
    assert key_of("@misc{V17, eprint={arXiv:1706.03762v2}}") == "V17"


def test_a_paper_keeps_its_key_by_doi() -> None:
    assert key_of("@article{V17, doi={https://doi.org/10.1000/ABC}}") == "V17"


def test_a_paper_keeps_its_key_by_title_authors_and_year_together() -> None:
    assert key_of(FITTING) == "V17"
    assert key_of(FITTING.replace(AUTHORS, "Smith, Ashish and Doe, Jane")) is None
    assert key_of(FITTING.replace("2018", "2024")) is None
    assert key_of(FITTING.replace("all you", "nothing you")) is None


def test_a_paper_keeps_its_key_where_the_authors_stand_in_another_order() -> None:
    authors = "Karagkioules, Theodoros and Concolato, Cyril and Tsilimantos, Dimitrios and Valentin, Stefan"
    title = "A comparative case study of HTTP adaptive streaming algorithms in mobile networks"
    entry = f"@inproceedings{{karagkioules2017comparative, title={{{title}}}, author={{{authors}}}, year=2017}}"
    order = ("Theodoros Karagkioules", "Dimitrios Tsilimantos", "Cyril Concolato", "Stefan Valentin")
    record = paper("1705.01762", title.title(), order, date(2017, 5, 4))
    assert key_of(entry, record=record) == "karagkioules2017comparative"


def test_a_paper_keeps_its_key_where_an_author_is_missing() -> None:
    assert key_of(FITTING.replace(" and Parmar, Niki", "")) == "V17"
    assert key_of(FITTING.replace("Vaswani, Ashish and ", "")) == "V17"


def test_a_paper_that_came_to_arxiv_years_after_print_keeps_its_key() -> None:
    assert key_of(FITTING.replace("2018", "2009")) == "V17"
    assert key_of(FITTING.replace("2018", "2009").replace(" and Parmar, Niki", "")) is None


def printed(text: str, **fields: str) -> str | None:
    entry = BibEntry("V17", "bibitem", {"text": text, **fields}, Span(Path("main.tex"), 0, 1, 1))
    return match_existing([PAPER], [entry]).get(PAPER.id.value)


def test_a_printed_reference_is_the_paper_whose_title_and_first_author_it_has() -> None:
    text = r"Vaswani, A. and others. \newblock Attention is all you need. \newblock In \emph{NIPS}, 2017."
    assert printed(text) == "V17"
    assert printed(text, title="Attention is all you need") == "V17"
    assert printed(text, title="Attention is all you need in speech") is None
    assert printed(text.replace("Vaswani", "Smith")) is None
    assert printed(text.replace("all you need", "nothing")) is None


def test_an_entry_with_another_id_is_another_paper_whatever_its_title() -> None:
    text = FITTING.replace("year", "eprint={1610.04405}, year")
    assert key_of(text) is None
    assert key_of(text.replace("eprint", "doi={10.1000/abc}, eprint")) is None


def test_another_doi_than_the_record_s_may_be_that_of_another_form_of_the_paper() -> None:
    assert key_of(FITTING.replace("year", "doi={10.1145/3083165.3083170}, year")) == "V17"


def test_one_entry_stands_for_one_paper() -> None:
    twin = paper("1706.99999", published=date(2017, 6, 30))
    assert match_existing([PAPER, twin], parse_bib(FITTING)) == {"1706.03762": "V17"}


def test_of_several_entries_of_a_paper_the_one_that_the_text_cites_is_taken() -> None:
    both = "@misc{first, eprint={1706.03762}}\n" + FITTING
    assert key_of(both) == "first"
    assert key_of(both, "V17") == "V17"
    assert key_of(both, "V17", "first", "V17") == "V17"


def test_a_title_that_adds_which_form_of_the_paper_it_is_changes_nothing() -> None:
    assert key_of(FITTING.replace("you need", "you need (Extended Version)")) == "V17"
    assert key_of(FITTING, record=replace(PAPER, title="Attention Is All You Need (Technical Report)")) == "V17"
