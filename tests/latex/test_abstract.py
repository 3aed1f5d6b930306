from pathlib import Path

import pytest

from tests.latex.projects import codes, read

REST = "\n\\section{Introduction}\nMore text \\cite{a}.\n\\section{Method}\nYet more.\n"


@pytest.mark.parametrize(
    "latex",
    [
        "\\begin{abstract}\nWe do it.\n\\end{abstract}",
        "\\begin{abstract*}We do it.\\end{abstract*}",
        "\\begin{abstract}[Summary]\nWe do it.\n\\end{abstract}",
        "\\begin{onecolabstract}We do it.\\end{onecolabstract}",
        "\\begin{sciabstract}We do it.\\end{sciabstract}",
        "\\twocolumn[\\begin{@twocolumnfalse}\\begin{abstract}We do it.\\end{abstract}\\end{@twocolumnfalse}]",
        "\\IEEEtitleabstractindextext{\\begin{abstract}We do it.\\end{abstract}\\begin{keyword}a\\end{keyword}}",
        "\\begin{abstract}\\end{abstract}\\section*{Abstract} We do it.",
        "\\abstract{We do it.}\\maketitle",
        "\\abstract[Short]{We do it.}\\maketitle",
        "\\Abstract{We do it.}\\Keywords{a}",
        "\\ABSTRACT{We do it.}",
        "\\abstract We do it. \\endabstract",
        "\\section*{Abstract}\nWe do it.",
        "\\section*{ABSTRACT}\nWe do it.",
        "\\subsection*{Abstract}\nWe do it.",
        "\\chapter*{Abstract}\nWe do it.",
        "\\addchap{Abstract}\nWe do it.",
        "{\\bf Abstract.} We do it.",
        "{\\bf Abstract:} We do it.",
        "\\noindent\\textbf{Abstract} We do it.\n\n\\noindent\\textbf{Keywords:} a, b",
        "\\textbf{Abstract.} We do it.\n\\newpage",
        "\\paragraph*{Abstract.} We do it.\n\\section{One}",
        "\\noindent{\\large\\bfseries Abstract}\\\\ We do it.",
        "\\begin{center}\\textbf{Abstract}\\end{center} We do it.",
        "\\begin{center}{\\bf Abstract.} We do it.\\end{center} Contents",
        "\\begin{quote}\\textit{Abstract---}We do it.\\end{quote} Contents",
        "\\begin{abstract}We do it.\n\\keywords{a \\and b}\\end{abstract}",
        "\\begin{abstract}We do it.\n\n\\textbf{Keywords:} a, b\\end{abstract}",
        "\\begin{abstract}We do it.\n\n\\noindent{\\bf Key words.} a, b\\end{abstract}",
        "\\begin{abstract}We do it.\\\\ \\textbf{Index Terms} --- a\\end{abstract}",
        "\\begin{abstract}\\noindent\\small\\vspace{1em}We do it.\\label{abs}\\end{abstract}",
        "\\begin{abstract}\\section*{Abstract}We do it.\\end{abstract}",
        "\\begin{abstract}\\textbf{Abstract.} We do it.\\end{abstract}",
        "\\begin{abstract}We do it.\\footnote{Thanks.}\\end{abstract}",
        "\\begin{abstract}We do it.\\todo{shorten}\\marginpar{!}\\end{abstract}",
        "\\begin{abstract}\nWe do it.\n%\\end{abstract}\n%\\begin{abstract}\n%An older one.\n\\end{abstract}",
        "%\\begin{abstract}An older one.\\end{abstract}\n\\begin{abstract}We do it.\\end{abstract}",
        "\\iffalse\\begin{abstract}Older.\\end{abstract}\\fi\\begin{abstract}We do it.\\end{abstract}",
        "\\begin{abstract}We do it.\\end{abstract}\\begin{abstract}On le fait.\\end{abstract}",
        "\\begin{graphicalabstract}A picture.\\end{graphicalabstract}\\begin{abstract}We do it.\\end{abstract}",
        "\\begin{abstract}\\input{Abstract}\\end{abstract}",
        "\\input{whole}",
        "\\begin{abstract}\\begin{quote}We do it.\\end{quote}\\end{abstract}",
        "\\begin{abstract}We do it.",
        "\\begin{myabs}We do it.\\end{myabs}",
        "\\abs{We do it.}",
        "\\Abs{We do it.}",
        "\\centerline{{\\bf Abstract}}\n\\begin{quote}We do it.\\end{quote}\n\\newpage\\tableofcontents",
        "{\\bfseries \\fontsize{14}{12} \\centerline{Abstract}\n\\vspace*{2\\baselineskip}} We do it.\\newpage",
        "\\chapter*{\\centerline{Abstract}}\\markboth{A}{}\\addcontentsline{toc}{chapter}{Abstract} We do it.",
        "\\Heading We do it.",
    ],
)
def test_the_abstract_is_found_however_it_is_written(tmp_path: Path, latex: str) -> None:
    preamble = (
        "\\newenvironment{myabs}{\\begin{abstract}\\small}{\\end{abstract}}\\newcommand{\\abs}[1]{\\begin{abstract}#1"
        "\\end{abstract}}\\newcommand{\\Abs}[1]{\\begin{center}{\\bf Abstract}\\end{center}#1}"
        "\\def\\Heading{\\centerline{\\bf Abstract}}"
    )
    files: dict[str, str | bytes] = {"Abstract.tex": "We do it.\n", "whole.tex": "\\subsection*{Abstract}\nWe do it.\n"}
    assert read(tmp_path, latex + REST, preamble, files).abstract == "We do it."


def test_paragraphs_of_an_abstract_stay_apart(tmp_path: Path) -> None:
    latex = "\\Abstract{\n  We do \\pkg{foo}\n  well.\n\n  It is \\proglang{R}.\n}"
    assert read(tmp_path, latex, r"\newcommand{\pkg}[1]{\textbf{#1}}").abstract == "We do foo well.\n\nIt is R."


def test_the_five_parts_of_a_structured_abstract_are_joined(tmp_path: Path) -> None:
    latex = "\\abstract{Context.}{Aims.}\n  {Methods.}{Results.}{Conclusions.}\\maketitle"
    assert read(tmp_path, latex).abstract == "Context. Aims. Methods. Results. Conclusions."


def test_headings_inside_the_abstract_belong_to_it(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\begin{abstract}\\section{Motivation:}It is slow.\\end{abstract}" + REST)
    assert draft.abstract == "Motivation: It is slow."
    assert [section.title for section in draft.sections] == ["Introduction", "Method"]


def test_a_note_of_an_author_is_no_part_of_the_abstract(tmp_path: Path) -> None:
    preamble = (
        r"\newcommand{\jl}[1]{\textcolor{red}{[JL: #1]}}\newcommand{\mynote}[1]{ {\color{blue}\puzzle\ #1}}"
        r"\newcommand{\rev}[1]{\textcolor{blue}{#1}}"
    )
    draft = read(tmp_path, r"\begin{abstract}\mynote{redo}We \rev{really} do it.\jl{ok?}\end{abstract}", preamble)
    assert draft.abstract == "We really do it."


def test_a_struck_out_word_is_no_part_of_the_abstract(tmp_path: Path) -> None:
    struck = r"\sout{can}\DIFdelbegin \DIFdel{might }\DIFdelend \DIFaddbegin \DIFadd{do }\DIFaddend"
    assert read(tmp_path, f"\\begin{{abstract}}We {struck} it.\\end{{abstract}}").abstract == "We do it."


def test_the_abstract_is_no_section(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\section*{Abstract}We do it." + REST)
    assert [section.title for section in draft.sections] == ["Introduction", "Method"]


@pytest.mark.parametrize("latex", ["", "\\begin{abstract}\n\n\\end{abstract}", "\\begin{abstract}***\\end{abstract}"])
def test_a_draft_without_abstract_is_told_so(tmp_path: Path, latex: str) -> None:
    draft = read(tmp_path, latex + REST)
    assert draft.abstract == ""
    assert "no_abstract" in {finding.code for finding in draft.findings}


def test_an_abstract_that_never_ends_stops_at_the_next_heading(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\begin{abstract}We do it." + REST)
    assert draft.abstract == "We do it."
    assert "unclosed_environment" in codes(draft)


def test_an_abstract_about_abstract_interpretation_keeps_its_first_word(tmp_path: Path) -> None:
    assert read(tmp_path, r"\begin{abstract}Abstract interpretation works.\end{abstract}").abstract.startswith("Abstr")
