"""Numbers of sections, as LaTeX prints them; none where the source does not say them."""

from pathlib import Path

import pytest

from citeplug.latex.full_text import read_full_text

TEXT = "Some words of the text stand here. " * 3


def places(tmp_path: Path, body: str, preamble: str = "", document_class: str = "article") -> list[str]:
    main = tmp_path / "main.tex"
    main.write_text(f"\\documentclass{{{document_class}}}{preamble}\\begin{{document}}{body}\\end{{document}}")
    return [section.place for section in read_full_text(main).sections]


BODY = (
    rf"\section{{A}}{TEXT}\section*{{Star}}{TEXT}\section{{B}}{TEXT}\subsection{{Ba}}{TEXT}"
    rf"\subsubsection{{Baa}}{TEXT}\subsection{{Bb}}{TEXT}"
    rf"\appendix\section{{C}}{TEXT}\subsection{{Ca}}{TEXT}"
)


def test_sections_and_subsections_are_counted_and_what_is_below_has_the_subsection_s(tmp_path: Path) -> None:
    arabic = ["Sec. 1", "", "Sec. 2", "Sec. 2.1", "Sec. 2.1", "Sec. 2.2", "App. A", "App. A.1"]
    assert places(tmp_path, BODY) == arabic
    roman = places(tmp_path, BODY, document_class="IEEEtran")
    assert roman == ["Sec. I", "", *["Sec. II"] * 4, "App. A", "App. A.1"]


def test_chapters_count_in_front(tmp_path: Path) -> None:
    body = rf"\chapter{{One}}{TEXT}\section{{A}}{TEXT}\chapter{{Two}}{TEXT}\section{{B}}{TEXT}"
    assert places(tmp_path, body, document_class="report") == ["", "Sec. 1.1", "", "Sec. 2.1"]


@pytest.mark.parametrize(
    "preamble",
    [
        r"\setcounter{secnumdepth}{0}",
        r"\renewcommand{\thesection}{S\arabic{section}}",
        r"\renewcommand\thesubsection{x}",
        r"\def\thesection{9}",
        r"\usepackage{aaai20}",
    ],
)
def test_a_document_that_numbers_otherwise_has_no_places(tmp_path: Path, preamble: str) -> None:
    assert set(places(tmp_path, BODY, preamble)) == {""}


def test_sections_before_a_change_keep_their_numbers(tmp_path: Path) -> None:
    body = rf"\section{{A}}{TEXT}\setcounter{{section}}{{7}}\section{{B}}{TEXT}"
    assert places(tmp_path, body) == ["Sec. 1", ""]
    assert places(tmp_path, r"% \setcounter{section}{7}" + "\n" + BODY)[0] == "Sec. 1"


def test_an_unknown_class_and_a_missing_part_leave_no_numbers(tmp_path: Path) -> None:
    assert set(places(tmp_path, BODY, document_class="mystyle")) == {""}
    assert set(places(tmp_path, r"\input{missing}" + BODY)) == {""}
