"""PDFs as TeX makes them, and as they should not be."""

import shutil
import subprocess
from pathlib import Path

import pytest

from citeplug.bib.library.works import find_abstract, words_of_page
from citeplug.corpus.fulltext.text_reader import FirstPages, TextReader, read_first_pages
from citeplug.errors import UnreadableInput

needs_tex = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed"),
]
TEX = r"""\documentclass[twocolumn]{article}
\title{Learning to Prune Sparse Graphs\\ with Recurrent Message Passing}
\author{Ada M\"uller \and Jos\'e Garc\'ia}
\begin{document}\maketitle
\begin{abstract}
We propose a method that prunes sparse graphs by recurrent message passing. It removes 40\% of the edges
without loss of efficiency, and it outperforms fixed heuristics on five difficult benchmarks.
\end{abstract}
\section{Introduction} Graphs are everywhere.
\end{document}
"""


def first_pages(path: Path, seconds: float = 30.0) -> FirstPages:
    with TextReader(seconds) as reader:
        return read_first_pages(path, reader)


def typeset(folder: Path, tex: str = TEX, name: str = "paper") -> Path:
    (folder / f"{name}.tex").write_text(tex, encoding="utf-8")
    subprocess.run(["pdflatex", "-interaction=batchmode", f"{name}.tex"], cwd=folder, capture_output=True, check=True)
    return folder / f"{name}.pdf"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return typeset(tmp_path_factory.mktemp("pdf"))


class TestOfTex:
    pytestmark = needs_tex

    def test_title_abstract_and_authors_are_there(self, paper: Path) -> None:
        found = first_pages(paper)
        assert found.largest == "Learning to Prune Sparse Graphs with Recurrent Message Passing"
        abstract = find_abstract(found.text)
        assert abstract.startswith("We propose a method that prunes sparse graphs by recurrent message passing.")
        assert abstract.endswith("on five difficult benchmarks.")
        assert "ada muller jose garcia" in words_of_page(found.text)

    def test_one_that_opens_with_a_password_alone_is_called_encrypted(self, paper: Path, tmp_path: Path) -> None:
        from pypdf import PdfWriter

        writer = PdfWriter(clone_from=paper)
        writer.encrypt("secret", algorithm="RC4-128")
        writer.write(locked := tmp_path / "locked.pdf")
        with pytest.raises(UnreadableInput, match="encrypted"):
            first_pages(locked)

    def test_one_that_only_forbids_copying_is_read(self, paper: Path, tmp_path: Path) -> None:
        from pypdf import PdfWriter

        writer = PdfWriter(clone_from=paper)
        writer.encrypt("", "owner", algorithm="RC4-128")
        writer.write(open_ := tmp_path / "open.pdf")
        assert "prunes sparse" in first_pages(open_).text

    def test_one_that_was_cut_short_is_told_or_read_as_far_as_it_goes(self, paper: Path, tmp_path: Path) -> None:
        whole = paper.read_bytes()
        for share in (0.1, 0.5, 0.9):
            cut = tmp_path / "cut.pdf"
            cut.write_bytes(whole[: int(len(whole) * share)])
            try:
                assert first_pages(cut).text
            except UnreadableInput as error:
                assert error.hint

    def test_one_that_takes_too_long_is_given_up(self, paper: Path) -> None:
        with pytest.raises(UnreadableInput, match=r"within 0\.01 seconds"):
            first_pages(paper, seconds=0.01)


def test_a_page_without_text_is_called_a_scan(tmp_path: Path) -> None:
    from pypdf import PdfWriter

    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(tmp_path / "scan.pdf")
    with pytest.raises(UnreadableInput, match="may be a scan"):
        first_pages(tmp_path / "scan.pdf")


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "is not a PDF"), (b"\x89PNG", "is not a PDF"), (b"%PDF-1.7\n" + b"\0\xff" * 500, "cannot be read")],
)
def test_what_is_no_pdf_is_told(data: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(data)
    with pytest.raises(UnreadableInput, match=said):
        first_pages(tmp_path / "x.pdf")


def test_pages_that_are_each_others_parents_come_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "loop.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
    )
    with pytest.raises(UnreadableInput):
        first_pages(tmp_path / "loop.pdf")


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="cannot read"):
        first_pages(tmp_path / "none.pdf")
