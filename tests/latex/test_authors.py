r"""The people that `\author` names, in the ways of the classes."""

from pathlib import Path

import pytest

from citeplug.latex.project import read_draft

BOTH = ("Jane Doe", "Erik J. Müller")


def authors(folder: Path, preamble: str, document_class: str = r"\documentclass{article}") -> tuple[str, ...]:
    text = f"{document_class}\n{preamble}\n\\begin{{document}}\\maketitle Words.\\end{{document}}\n"
    (folder / "main.tex").write_text(text, "utf-8")
    return read_draft(folder / "main.tex").authors


@pytest.mark.parametrize(
    "written",
    [
        r"\author{Jane Doe and Erik J. M\"uller}",
        r"\author{Jane Doe, Erik~J. M{\"u}ller \\ Department of Physics, Some Town \\ \texttt{\{jane,erik\}@x.org}}",
        "\\author{Jane Doe\\thanks{Jane Doe is with the Institute, e-mail j@x.org} % and John Smith\n"
        '\\and Erik J. M\\"uller\\footnotemark[1]}',
        r"\author{Jane Doe$^{1,*}$, Erik J. M\"uller\textsuperscript{2} \& others}",
        r"\author{Jane Doe\\ Dept.\ of Maths\\ Some University\\ \And Erik J. M\"uller \\ Brain and Mind Sciences}",
        r"\author{\IEEEauthorblockN{Jane Doe\IEEEauthorrefmark{1}, Erik J. M\"uller}\IEEEauthorblockA{Big Town, Ohio}}",
        r"\author{\IEEEauthorblockN{1\textsuperscript{st} Jane Doe}\and\IEEEauthorblockN{Erik J. M\"uller}}",
        r"\author{Jane Doe,~\IEEEmembership{Member,~IEEE,} and Erik J. M\"uller,~\IEEEmembership{Fellow,~IEEE}}",
        r"\author{Jane Doe\inst{1}\orcidID{0000-1} \and Erik J. M\"uller\inst{2,3}}\institute{Princeton University}",
        r"\author{Jane Doe}\affiliation{\institution{Aalto University}}\email{j@x.fi}\author{Erik J. M\"uller}",
        r"\author[1]{Jane Doe\corref{cor1}\fnref{f}}\ead{j@x.org}\author[1,2,*]{Erik J. M\"uller}\affil[1]{Some Place}",
        r"\author*[1]{\fnm{Jane} \sur{Doe}}\author[2]{\fnm{Erik J.} \sur{M\"uller}}",
        r"\icmlauthor{Jane Doe}{uni}\icmlauthor{Erik J. M\"uller}{uni,lab}\icmladdress{Some Town}",
        r"\aistatsauthor{Jane Doe \And Erik J. M\"uller}\aistatsaddress{Here \And There}",
        '\\author{\\name Jane Doe \\email j@x.org \\\\\n \\addr Some Town \\AND \\name Erik J. M\\"uller \\email e@x}',
        r"\author{Jane Doe \hspace{1cm} Erik J. M\"uller \vspace{2mm} \\ Lausanne Town}",
        r"\author{\begin{tabular}{c} Jane Doe \\ Some Town \end{tabular} \quad Erik J. M\"uller}",
        r"\newcommand{\us}{Jane Doe, Erik J. M\"uller}\author{\us}",
        r"\author{Jane Doe,\\ Erik J. M\"uller \\ Some Town}",
        r"\author{Jane Doe, PhD; Erik J. M\"uller, Jr.}",
    ],
)
def test_the_names_are_read_as_each_class_takes_them(tmp_path: Path, written: str) -> None:
    assert authors(tmp_path, written) == BOTH


@pytest.mark.parametrize(
    "written",
    [
        r"\author{}",
        r"% \author{Jane Doe}",
        r"\author{Anonymous Author(s)\\ Affiliation}",
        r"\author{Anonymous}\author{Jane Doe}",
        r"\author{Paper under double-blind review}",
        r"\author{First Author \and Second Author}",
        r"\author{The ATLAS Collaboration}",
        r"\author{Ethereum Foundation}",
        r"\author{Jane Doe",
        r"\author",
        r"\author{{{{\and$\inst{}}}}",
        r"\author{jane@x.org, 42, Plato}",
    ],
)
def test_nobody_is_named(tmp_path: Path, written: str) -> None:
    assert authors(tmp_path, written) == ()


def test_a_class_that_prints_no_names_has_none(tmp_path: Path) -> None:
    assert authors(tmp_path, r"\author{Jane Doe}", "\\documentclass[sigconf, anonymous,review]{acmart}") == ()
    assert authors(tmp_path, r"\author{Jane Doe}", r"\documentclass[sigconf]{acmart}") == ("Jane Doe",)


def test_authors_of_an_included_file_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "who.tex").write_text("\\author[1]{Ant\\^{o}nio H. Ribeiro}\n\\author{Paul {van Mulbregt}}\n", "utf-8")
    assert authors(tmp_path, r"\input{who}\author{Paul van Mulbregt}") == ("Antônio H. Ribeiro", "Paul van Mulbregt")


def test_a_huge_list_is_read_in_parts(tmp_path: Path) -> None:
    assert authors(tmp_path, r"\author{" + "Jane Doe, " * 100_000 + "}") == ()
    assert (
        len(authors(tmp_path, "".join(rf"\author{{Jane {'x' * (n % 40)} D{'o' * (n // 40)}}}" for n in range(600))))
        <= 500
    )
