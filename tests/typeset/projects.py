"""Small projects that use the LaTeX package, one for each class and bibliography program."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from citeplug.latex.sty import package_file

ENGINES = ("pdflatex", "xelatex", "lualatex")
PROGRAMS = ("bibtex", "biber")

needs_tex = [
    pytest.mark.system,
    pytest.mark.skipif(
        any(shutil.which(name) is None for name in (*ENGINES, *PROGRAMS, "pdftotext")),
        reason="the three TeX engines, BibTeX, Biber or pdftotext are not installed",
    ),
]

PLAN = (
    "\\begin{citeplugplan}\n"
    "heading: Retrieval\n"
    "1. introduce [2004.04906], for 100% & # _x ^ ~ \\undefined { of it\n"
    "\\end{citeplugplan}\n"
)
SECTION = r"""% citeplug: 1
% citeplug:begin p1 sentences=3 words=60
% citeplug:heading Retrieval
\paragraph{Retrieval.}
Dense retrieval was introduced early \cite{karpukhin2020dense}.
Others fuse passages in 100\% of the cases \cite{lewis2020retrieval,karpukhin2020dense}.
The authors rewrote this sentence \cite{izacard2021leveraging}.
% citeplug:end p1 sha256=00000000
"""
RECORD = r"""%citeplug 1
%version 0.1.0
%made 2026-11-21
%sources arXiv
%model openai:some_model-4
%other \paragraph{Retrieval.}
%sentence 87 unreviewed 0 Dense retrieval was introduced early \cite{karpukhin2020dense}.
%sentence 62 accepted 1 Others fuse passages in 100\% of the cases \cite{lewis2020retrieval,karpukhin2020dense}.
%sentence 55 accepted 1 This is no longer there \cite{izacard2021leveraging}.
%entry verified karpukhin2020dense
%entry verified lewis2020retrieval
%entry other izacard2021leveraging
"""
ENTRIES = """\
@article{karpukhin2020dense, author = {Karpukhin, Vladimir}, title = {Dense Passage Retrieval},
  journal = {arXiv}, year = {2020}, eprint = {2004.04906}, archiveprefix = {arXiv}}
@article{lewis2020retrieval, author = {Lewis, Patrick}, title = {Retrieval-Augmented Generation},
  journal = {arXiv}, year = {2020}, eprint = {2005.11401}, archiveprefix = {arXiv}}
@article{izacard2021leveraging, author = {Izacard, Gautier}, title = {Leveraging Passage Retrieval},
  journal = {arXiv}, year = {2021}, eprint = {2007.01282}, archiveprefix = {arXiv}}
"""


@dataclass(frozen=True, slots=True)
class DocumentClass:
    """How a document of the class begins, with each bibliography program.

    `natbib` loads natbib, which biblatex does not bear; `without` is the class option that keeps it from that. `first`
    stands before the class, `loads` before biblatex.
    """

    name: str
    options: str = ""
    author: str = "\\author{A. Author}"
    front: str = "%s\\maketitle\n%s"
    style: str = "plain"
    biblatex: str = "style=numeric"
    without: str = ""
    first: str = ""
    loads: str = ""


# revtex4-2 has no supported way to biblatex: what it took from natbib is undone by hand (docs/latex.md).
_UNDO_NATBIB = r"""\makeatletter
\expandafter\let\csname ver@natbib.sty\endcsname\relax
\let\bibhang\relax \let\bibfont\relax \let\citename\relax \let\textcite\relax \let\Citeauthor\relax
\let\write@bibliographystyle\relax \let\auto@bib\@empty \let\addtocontents\latexaddtocontents
\makeatother
"""
CLASSES = {
    each.name: each
    for each in (
        DocumentClass("article"),
        DocumentClass(
            "IEEEtran", "conference", "\\author{\\IEEEauthorblockN{A. Author}}", style="IEEEtran", biblatex="style=ieee"
        ),
        DocumentClass(
            "acmart",
            "sigconf,nonacm",
            "\\author{A. Author}\\affiliation{\\institution{Institute}\\country{Nowhere}}",
            front="%s%s\\maketitle\n",
            style="ACM-Reference-Format",
            biblatex="datamodel=acmdatamodel,style=acmnumeric",
            without="natbib=false",
        ),
        DocumentClass(
            "llncs", author="\\author{A. Author}\\institute{Institute}", style="splncs04", biblatex="style=lncs"
        ),
        DocumentClass(
            "elsarticle",
            "preprint",
            front="\\begin{frontmatter}\n%s%s\\end{frontmatter}\n",
            style="elsarticle-num",
            without="nonatbib",
            loads="\\makeatletter\\let\\c@author\\relax\\makeatother\n",
        ),
        DocumentClass(
            "revtex4-2",
            "aps,prl,reprint",
            front="%s%s\\maketitle\n",
            style="apsrev4-2",
            first="\\let\\latexaddtocontents\\addtocontents\n",
            loads=_UNDO_NATBIB,
        ),
    )
}


def document(kind: DocumentClass, program: str, options: str = "") -> str:
    """A document that uses every command of the package, in the preamble and in the body."""
    biber = program == "biber"
    given = ",".join(filter(None, (kind.options, kind.without if biber else "")))
    abstract = f"\\begin{{abstract}}\nWe look \\citeplugpin{{a_b}}around.\n{PLAN}\\end{{abstract}}\n"
    title = f"\\title{{How Far to Look}}\n{kind.author}\n"
    bibliography = f"{kind.loads}\\usepackage[{kind.biblatex}]{{biblatex}}\n\\addbibresource{{related.bib}}\n"
    return (
        f"{kind.first if biber else ''}\\documentclass[{given}]{{{kind.name}}}\n"
        f"{bibliography if biber else ''}\\usepackage[{options}]{{citeplug}}\n"
        f"\\citeplugpin{{arXiv:2004.04906, some_Key}}\n{PLAN}"
        f"\\begin{{document}}\n{kind.front % (title, abstract)}"
        "\\section{Related Work}\n"
        "\\citeplugrelated[breadth=10, depth=2, diversity=0.3, words=400, before=2026-01-01, style=plan, rank=hybrid,\n"
        "  categories={cs.CL, cs.IR}, file=related.tex]\n"
        "\\section{Disclosure}\nWords \\citeplugexclude{x_y}follow. \\citeplugdisclosure\n"
        + ("\\printbibliography\n" if biber else f"\\bibliographystyle{{{kind.style}}}\n\\bibliography{{related}}\n")
        + "\\end{document}\n"
    )


def lay_out(folder: Path, main: str, *, record: str | None = RECORD, section: str | None = SECTION) -> Path:
    """A project in `folder`, with the package beside its `main.tex`."""
    shutil.copy(package_file(), folder / "citeplug.sty")
    files = {"main.tex": main, "related.tex": section, "related.bib": ENTRIES, "related-citeplug.tex": record}
    for name, text in files.items():
        if text is not None:
            (folder / name).write_bytes(text.encode())
    return folder


def run(folder: Path, *command: str) -> str:
    """What a program prints; without shell escape. Fails the test if the program fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return done.stdout


def typeset(folder: Path, engine: str = "pdflatex", *options: str) -> str:
    """The text of the PDF, with white space collapsed."""
    run(folder, engine, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", *options, "main")
    return "" if "-draftmode" in options else pdf_text(folder / "main.pdf")


def pdf_text(pdf: Path) -> str:
    text = run(pdf.parent, "pdftotext", "-enc", "UTF-8", pdf.name, "-")
    return " ".join(re.sub(r"(?<=\w)-\n", "", text).split())


def warnings(folder: Path) -> list[str]:
    """What the package warned of in the last run."""
    log = (folder / "main.log").read_text(encoding="utf-8", errors="replace")
    found = re.findall(r"^Package citeplug Warning: (.*(?:\n\(citeplug\) .*)*)", log, re.MULTILINE)
    return [" ".join(re.sub(r"\n\(citeplug\)", " ", each).split()) for each in found]
