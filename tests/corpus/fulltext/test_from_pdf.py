"""A paper's text from PDFs as TeX makes them, and as they should not be."""

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from citeplug.corpus.fulltext.from_pdf import read_pdf
from citeplug.errors import Unfit
from tests.corpus.fulltext.sources import WORDS

needs_tex = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed"),
]
CLASSES = {
    "article": r"\documentclass[twocolumn]{article}\usepackage{fancyhdr}\pagestyle{fancy}\lhead{A Running Head}",
    "ieee": r"\documentclass[journal]{IEEEtran}\markboth{Journal of Things, Vol. 3}{A Running Head}",
}

BITMAPS = {
    "OT1": r"\documentclass{article}\pdfmapfile{}",
    "T1": r"\documentclass[twocolumn]{article}\pdfmapfile{}\usepackage[T1]{fontenc}",
}


def typeset(folder: Path, tex: str) -> bytes:
    (folder / "paper.tex").write_text(tex, encoding="utf-8")
    subprocess.run(["pdflatex", "-interaction=batchmode", "paper.tex"], cwd=folder, capture_output=True, check=True)
    return (folder / "paper.pdf").read_bytes()


def prose(seed: int) -> str:
    """Six paragraphs whose lines are all different, as nobody's running head is."""
    chance, words = random.Random(seed), WORDS.lower().replace(".", "").split()
    sentences = [" ".join(chance.sample(words, 14)).capitalize() + "." for _ in range(120)]
    return "\n\n".join(" ".join(sentences[start : start + 20]) for start in range(0, 120, 20))


def paper(head: str) -> str:
    return (
        rf"{head}\title{{Message Passing on Large Graphs}}\author{{Ada Lovelace}}\begin{{document}}\maketitle"
        rf"\begin{{abstract}}{WORDS}\end{{abstract}}\section{{Introduction}}{prose(1)}"
        r"\begin{figure}\rule{2cm}{2cm}\caption{Cost against the number of nodes.}\end{figure}"
        rf"\section{{A Method of Ours}}{prose(2)}\subsection{{Sampling the Neighbours}}{prose(3)}"
        r"\begin{thebibliography}{9}\bibitem{a} A. Author, On the sampling of neighbours, J. Things, 1999."
        r"\bibitem{b} B. Other, On graphs, arXiv:1801.00002, 2018.\end{thebibliography}"
        rf"\appendix\section{{Proof of the Bound}}{WORDS}\end{{document}}"
    )


class TestOfTex:
    pytestmark = needs_tex

    @pytest.mark.parametrize("head", BITMAPS.values(), ids=BITMAPS)
    def test_ligatures_of_bitmap_fonts_are_letters(self, tmp_path: Path, head: str) -> None:
        begin, end = "Efficient filters define the first flow offline: a baffling coefficient", "an affine office."
        body = rf"\section{{Introduction}}{WORDS}\section{{Defining filters}}{begin} $\alpha x + \beta y$, {end}"
        try:
            data = typeset(tmp_path, rf"{head}\begin{{document}}{body}\end{{document}}")
        except subprocess.CalledProcessError:
            pytest.skip("METAFONT makes no bitmap fonts here")
        section = read_pdf(data).sections[1]
        assert section.title == "Defining filters"
        assert section.text.startswith(begin) and section.text.endswith(end)
        assert "ff" not in section.text[len(begin) : -len(end)]  # Greek letters have the codes of ligatures

    @pytest.mark.parametrize("options", ["", "[twocolumn]"])
    def test_items_are_no_headings_and_rows_of_a_table_have_its_titles(self, tmp_path: Path, options: str) -> None:
        items = "".join(rf"\item \textbf{{{item}}} " for item in ("MNIST", "Strictly Local Filters", "CORA"))
        table = (
            r"\begin{table}\begin{tabular}{lrr}\hline Model & Accuracy & Time \\ \hline Graph network & 91.5 & 30 \\"
            r" Plain network & 88.0 & 20 \\ \hline\end{tabular}\caption{Results on digits.}\end{table}"
        )
        long = "A Heading That Is So Long That It Does Not Fit On One Line Of Any Column"
        tex = (
            rf"\documentclass{options}{{article}}\begin{{document}}\section{{Introduction}}{prose(1)}{table}"
            rf"\begin{{enumerate}}{items}\end{{enumerate}}{prose(2)}\section{{{long}}}{prose(3)}\end{{document}}"
        )
        sections = read_pdf(typeset(tmp_path, tex)).sections
        assert [section.title for section in sections] == ["Introduction", long]
        rows = ("Graph network: 91.5 (Accuracy), 30 (Time).", "Plain network: 88.0 (Accuracy), 20 (Time).")
        assert {f"Table 1 | Results on digits | {row}" for row in rows} <= set(sections[0].text.split("\n\n"))

    def test_headings_in_the_middle_of_a_line_need_no_larger_letters(self, tmp_path: Path) -> None:
        body = rf"\section{{Introduction}}{prose(1)}\section{{Flows of data}}{prose(2)}"
        data = typeset(tmp_path, rf"\documentclass{{amsart}}\begin{{document}}{body}\end{{document}}")
        assert [section.title.casefold() for section in read_pdf(data).sections] == ["introduction", "flows of data"]

    @pytest.mark.parametrize("head", CLASSES.values(), ids=CLASSES)
    def test_a_paper_of_two_columns_is_read_as_it_was_written(self, tmp_path: Path, head: str) -> None:
        found = read_pdf(typeset(tmp_path, paper(head)))
        assert found.title == "Message Passing on Large Graphs"
        titles = [each.title.casefold() for each in found.sections]
        wanted = ["abstract", "introduction", "a method of ours", "sampling the neighbours"]
        assert titles[:4] == wanted and titles[-1] in ("proof of the bound", "appendix")
        assert found.sections[3].level == 2
        for seed, section in enumerate(found.sections[1:4], 1):
            assert section.text[: section.captions].split() == prose(seed).split()
        assert any(each.text[each.captions :].endswith("Cost against the number of nodes.") for each in found.sections)
        assert [(each.key, each.year, each.arxiv_id) for each in found.references] == [
            ("1", 1999, None),
            ("2", 2018, "1801.00002"),
        ]
        pages = [page for each in found.sections for _, page in each.pages]
        assert pages == sorted(pages) and pages[0] == 1 and len(set(pages)) > 2

    def test_a_scan_says_that_it_has_no_text(self, tmp_path: Path) -> None:
        data = typeset(tmp_path, r"\documentclass{article}\begin{document}\rule{9cm}{9cm}\end{document}")
        with pytest.raises(Unfit, match="may be a scan") as caught:
            read_pdf(data)
        assert caught.value.code == "no_text" and caught.value.hint

    def test_one_that_opens_with_a_password_alone_is_called_encrypted(self, tmp_path: Path) -> None:
        from pypdf import PdfWriter

        typeset(tmp_path, paper(CLASSES["article"]))
        writer = PdfWriter(clone_from=tmp_path / "paper.pdf")
        writer.encrypt("secret", algorithm="RC4-128")
        writer.write(locked := tmp_path / "locked.pdf")
        with pytest.raises(Unfit) as caught:
            read_pdf(locked.read_bytes())
        assert caught.value.code == "encrypted"


def test_ten_thousand_pages_are_refused_by_their_number(tmp_path: Path) -> None:
    from pypdf import PdfWriter

    writer = PdfWriter()
    for _ in range(10_000):
        writer.add_blank_page(200, 200)
    writer.write(long := tmp_path / "long.pdf")
    with pytest.raises(Unfit, match="10,000 pages") as caught:
        read_pdf(long.read_bytes())
    assert caught.value.code == "too_long"


@pytest.mark.parametrize("data", [b"%PDF-1.5\nand nothing", b"%PDF-1.5\n" + b"\x00" * 5_000])
def test_a_damaged_pdf_is_called_so(data: bytes) -> None:
    with pytest.raises(Unfit) as caught:
        read_pdf(data)
    assert caught.value.code == "broken"
