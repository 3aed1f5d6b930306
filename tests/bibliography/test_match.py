from datetime import date

from citeplug.bibliography.bibtex import parse_bib
from citeplug.bibliography.match import Match, find_matches, match_existing
from tests.papers import paper

PAPER = paper(doi="10.1000/Abc")
AUTHORS = "Vaswani, Ashish and Shazeer, Noam and Parmar, Niki"


def matched(text: str) -> list[Match]:
    return find_matches([PAPER], parse_bib(text))


def test_a_paper_keeps_its_key_by_arxiv_id() -> None:
    assert match_existing([PAPER], parse_bib("@misc{V17, eprint={arXiv:1706.03762v2}}")) == {"1706.03762": "V17"}


def test_a_paper_keeps_its_key_by_doi() -> None:
    assert matched("@article{V17, doi={https://doi.org/10.1000/ABC}}") == [Match("1706.03762", "V17", "doi")]


def test_a_paper_keeps_its_key_by_title_authors_and_year_together() -> None:
    fitting = f"@article{{V17, title={{{{Attention}} is all you need}}, author={{{AUTHORS}}}, year=2018}}"
    assert matched(fitting) == [Match("1706.03762", "V17", "title")]
    assert matched(fitting.replace("Vaswani", "Smith")) == []
    assert matched(fitting.replace("2018", "2024")) == []
    assert matched(fitting.replace("all you", "nothing you")) == []


def test_an_entry_with_another_id_is_another_paper_whatever_its_title() -> None:
    text = f"@misc{{V17, title={{Attention Is All You Need}}, author={{{AUTHORS}}}, year=2017, eprint={{1610.04405}}}}"
    assert matched(text) == []
    assert matched(text.replace("eprint", "doi={10.1000/abc}, eprint")) == []


def test_one_entry_stands_for_one_paper() -> None:
    twin = paper("1706.99999", published=date(2017, 6, 30))
    entries = parse_bib(f"@misc{{V17, title={{Attention Is All You Need}}, author={{{AUTHORS}}}, year=2017}}")
    assert match_existing([PAPER, twin], entries) == {"1706.03762": "V17"}
