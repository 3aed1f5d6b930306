"""How a draft is read that uses the commands of the LaTeX package."""

from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from citeplug.latex.sty import package_file
from citeplug.project.insert import insertion_edits, insertion_findings
from citeplug.records.draft import Draft

MAIN = r"""\documentclass{article}
\usepackage[view]{citeplug}
\citeplugpin{arXiv:2004.04906, own}
\begin{citeplugplan}
introduce \cite{inplan} for 100% & # _x { \section{Planned}
\end{citeplugplan}
\title{T}
\begin{document}
\begin{abstract}
We do\citeplugpin{other} things.
\end{abstract}
\section{Related Work}
Words \citeplugexclude{third} here.
\begin{citeplugplan}
\section{Planned} \cite{planned} \input{planned}
\end{citeplugplan}
RELATED
After that. \citeplugdisclosure
\bibliography{refs,related}
\end{document}
"""


def read(folder: Path, related: str, section: str | None = "Generated \\cite{generated}.\n") -> Draft:
    (folder / "main.tex").write_text(MAIN.replace("RELATED", related), encoding="utf-8")
    (folder / "citeplug.sty").write_bytes(package_file().read_bytes())
    if section is not None:
        (folder / "related.tex").write_text(section, encoding="utf-8")
    return read_draft(folder / "main.tex", skip=(folder / "related.tex", folder / "related.bib"))


def test_nothing_of_the_package_is_text_of_the_author(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\citeplugrelated[breadth=10, categories={cs.CL,cs.IR}, file=related.tex]")
    assert draft.abstract == "We do things."
    assert [section.title for section in draft.sections] == ["Related Work"]
    assert " ".join(draft.sections[0].text.split()) == "Words here. After that."
    assert draft.cites == ()
    assert draft.files == (tmp_path / "main.tex",)


def test_the_package_itself_is_not_read_for_macros(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\citeplugrelated", section=None)
    assert "citeplug" in draft.packages
    assert {finding.code for finding in draft.findings} == {"missing_bib"}


@pytest.mark.parametrize(
    ("related", "there"),
    [
        ("\\citeplugrelated", True),
        ("\\citeplugrelated[breadth=10]", True),
        ("\\citeplugrelated [breadth=10,\n  file = {./related.tex}]", True),
        ("\\citeplugrelated[file=related]", True),
        ("\\citeplugrelated[file=other.tex]", False),
        ("% \\citeplugrelated", False),
        ("\\begin{citeplugplan}\n\\citeplugrelated\n\\end{citeplugplan}", False),
        ("\\citeplugrelatedwork", False),
    ],
)
def test_a_draft_that_reads_the_section_by_the_package_gets_no_second_input(
    tmp_path: Path, related: str, there: bool
) -> None:
    draft = read(tmp_path, related)
    texts = {tmp_path / "main.tex": (tmp_path / "main.tex").read_text(encoding="utf-8")}
    edits = insertion_edits(draft, texts, "related.tex", "related.bib")
    assert ["\\input{related}" in edit.new_text for edit in edits] == ([] if there else [True])
    assert insertion_findings(draft, texts, "related.tex", "related.bib") == []
