"""What a bibliography style says, by BibTeX itself."""

from pathlib import Path

import pytest

from citeplug.bib.style_file import StyleFile, style_of
from citeplug.latex.project import read_draft
from tests.bib.runs import needs_bibtex

MAIN = r"\documentclass{article}\begin{document}\cite{a}\bibliographystyle{STYLE}\bibliography{refs}\end{document}"


def style(folder: Path, name: str) -> StyleFile:
    (folder / "refs.bib").write_text("@misc{a, title = {T}}\n")
    (folder / "main.tex").write_text(MAIN.replace("STYLE", name))
    found = style_of(read_draft(folder / "main.tex"))
    assert found is not None
    return found


@needs_bibtex
@pytest.mark.parametrize(("name", "shown"), [("plain", 40), ("IEEEtran", 40), ("apsrev", 10), ("aasjournal", 3)])
def test_how_many_of_forty_authors_a_style_prints(tmp_path: Path, name: str, shown: int) -> None:
    assert style(tmp_path, name).shown_of("article", 40) == shown


@needs_bibtex
def test_a_list_that_is_cut_where_the_style_cuts_it_is_printed_like_the_whole_one(tmp_path: Path) -> None:
    cuts = style(tmp_path, "aasjournal")  # three of more than five
    assert cuts.prints_alike("article", 3, 40)
    assert not cuts.prints_alike("article", 2, 40)
    assert not cuts.prints_alike("article", 3, 5)
    assert not style(tmp_path, "plain").prints_alike("article", 3, 40)


@needs_bibtex
def test_the_style_beside_the_draft_counts_and_one_that_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citeplug.bib.style_file._SECONDS", 1)
    endless = 'ENTRY{title author}{}{} FUNCTION{article}{{#1}{"x" write$ newline$}while$} READ ITERATE{call.type$}'
    (tmp_path / "mine.bst").write_text(endless)
    mine = style(tmp_path, "mine")
    assert mine.order == ("title", "author")
    assert mine.shown_of("article", 40) is None
    assert not mine.prints_alike("article", 3, 40)


@needs_bibtex
def test_an_order_that_is_only_the_alphabets_is_none(tmp_path: Path) -> None:
    assert style(tmp_path, "plain").order == ()
    assert style(tmp_path, "thubeamer").order[:3] == ("author", "editor", "translator")


def test_without_a_style_to_be_found_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(MAIN.replace("STYLE", "nobody-has-this"))
    assert style_of(read_draft(tmp_path / "main.tex")) is None
    assert style_of(None) is None
