"""`citeplug check` on reference lists as they are printed: PDFs, Word documents, texts and .bbl files."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.corpus.fulltext.test_from_pdf import prose
from tests.corpus.fulltext.test_word_citations import docx, paragraph
from tests.e2e.conftest import Run
from tests.harness.pdf_files import paper_pdf
from tests.harness.pdf_files import pdf as pdf_of

needs_tex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed")
TITLE = "Inductive Representation Learning on Large Graphs"
RIGHT = f"William L. Hamilton, Rex Ying, and Jure Leskovec. {TITLE}. arXiv preprint arXiv:1706.02216, 2017."
WRONG = "Ann Brown and Ben Other. The sampling of neighbours in trees. arXiv preprint arXiv:1706.02216, 2017."
ENTRIES = [RIGHT, WRONG, *(f"Carl Third. A book on the number {n}. Springer, {1990 + n}." for n in range(3, 20))]


def pdf(folder: Path, head: str, entries: list[str]) -> Path:
    label = "[A(2017)]" if "natbib" in head else ""
    items = "\n".join(rf"\bibitem{label}{{k{n}}} {entry}" for n, entry in enumerate(entries))
    text = (
        rf"{head}\begin{{document}}\section{{Introduction}}{prose(1)}{prose(2)}"
        rf"\begin{{thebibliography}}{{99}}{items}\end{{thebibliography}}\appendix\section{{Proofs}}{prose(3)}\end{{document}}"
    )
    (folder / "paper.tex").write_text(text, encoding="utf-8")
    for _ in range(2):
        subprocess.run(["pdflatex", "-interaction=batchmode", "paper.tex"], cwd=folder, capture_output=True, check=True)
    (folder / "paper.tex").unlink()
    return folder / "paper.pdf"


def verdicts(found: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(each["key"], each["verdict"]) for each in found[:3]]


@needs_tex
@pytest.mark.parametrize(
    "head",
    [
        r"\documentclass{article}\usepackage{fancyhdr}\pagestyle{fancy}\lhead{A Running Head}",
        r"\documentclass[journal]{IEEEtran}\markboth{Journal of Things}{A Running Head}",
        r"\documentclass[twocolumn]{article}\makeatletter\def\@biblabel#1{#1.}\makeatother",
    ],
    ids=["article", "IEEE", "two columns"],
)
def test_the_list_of_a_pdf_is_checked_and_each_finding_names_its_number_and_page(
    run: Run, home: Path, tmp_path: Path, head: str
) -> None:
    file = pdf(tmp_path, head, ENTRIES)
    done = run("check", file, "--offline", "--format", "json")
    assert len(done.json) == len(ENTRIES)
    assert verdicts(done.json) == [("[1]", "verified"), ("[2]", "differs"), ("[3]", "not_arxiv")]
    assert 2 <= done.json[1]["page"] <= 9
    shown = run("check", file, "--offline")
    assert shown.code == 1
    assert f"paper.pdf, page {done.json[1]['page']}: error: [2]" in shown.out
    assert "citeplug fix" not in shown.out
    (result,) = run("check", file, "--offline", "--format", "sarif").json["runs"][0]["results"][:1]
    assert f"(page {done.json[1]['page']})" in result["message"]["text"]


@needs_tex
def test_a_list_by_author_and_year_is_cut_at_its_margin(run: Run, home: Path, tmp_path: Path) -> None:
    head = r"\documentclass[twocolumn]{article}\usepackage[authoryear]{natbib}"
    text = run("check", pdf(tmp_path, head, ENTRIES), "--offline", "--format", "json").json
    assert [each["verdict"] for each in text[:2]] == ["verified", "differs"]
    assert len(text) == len(ENTRIES)


@pytest.mark.parametrize("name", ["refs.txt", "refs.md", "refs.docx", "refs.bbl", "refs.html"])
def test_a_list_in_any_form_gives_the_same_verdicts(run: Run, home: Path, tmp_path: Path, name: str) -> None:
    lines = [f"[{n}] {entry}" for n, entry in enumerate(ENTRIES, 1)]
    items = "\n".join(rf"\bibitem{{[{n}]}} {entry}" for n, entry in enumerate(ENTRIES, 1))
    page = "".join(f"<p>{line}</p>" for line in ["References", *lines])
    forms = {
        ".txt": "\n".join(["Text.", "", "References", *lines]).encode(),
        ".md": "\n\n".join(["# References", *lines]).encode(),
        ".docx": docx("".join(map(paragraph, ["Text.", "References", *lines]))),
        ".bbl": rf"\begin{{thebibliography}}{{9}}{items}\end{{thebibliography}}".encode(),
        ".html": f"<html><body>{page}</body></html>".encode(),
    }
    file = tmp_path / name
    file.write_bytes(forms[file.suffix])
    found = run("check", file, "--offline", "--format", "json").json
    assert verdicts(found) == [("[1]", "verified"), ("[2]", "differs"), ("[3]", "not_arxiv")]
    assert len(found) == len(ENTRIES)


def test_a_thesis_with_two_thousand_entries_in_lists_of_chapters_is_checked(
    run: Run, home: Path, tmp_path: Path
) -> None:
    chapters = []
    for chapter in range(20):
        entries = [f"[{n}] Carl Third. A book on {chapter} of {n}. Springer, 1999." for n in range(1, 101)]
        chapters += [f"Chapter {chapter}", "", "Text of it.", "", "References", "", *entries, "", "Introduction", ""]
    file = tmp_path / "thesis.txt"
    file.write_text("\n".join(chapters), "utf-8")
    done = run("check", file, "--offline", "--format", "json")
    assert (len(done.json), done.code) == (2000, 0)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("broken.pdf", b"%PDF-1.4\n%%EOF", "damaged"),
        ("scan.pdf", pdf_of([[]]), "no text"),
        (
            "none.pdf",
            paper_pdf("A Title", [("Introduction", "The nodes of a graph have many neighbours. " * 20)]),
            "no list",
        ),
        ("none.txt", b"A text that cites nothing at all, and has no list.", "no list of references"),
        ("none.docx", docx(paragraph("A text.")), "no list of references"),
        ("empty.bbl", b"", "no list of references"),
        ("bomb.docx", docx(paragraph("a" * 60_000_000)), "50 MB"),
    ],
)
def test_a_file_without_a_list_is_unreadable_input(
    run: Run, home: Path, tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(data)
    done = run("check", tmp_path / name, "--offline")
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_a_printed_list_cannot_be_corrected(run: Run, home: Path, tmp_path: Path) -> None:
    (tmp_path / "refs.txt").write_text(f"References\n[1] {RIGHT}\n", "utf-8")
    done = run("fix", tmp_path / "refs.txt", "--offline")
    assert done.code == 2
    assert "give the .bib file" in " ".join(done.err.split())
