from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from tests.latex.projects import article, read, write


@pytest.mark.parametrize(
    ("preamble", "body", "expected"),
    [
        (r"\title{A Title}", "", "A Title"),
        (r"\title[Short]{A \emph{Long} Title\thanks{To all.}}", "", "A Long Title"),
        ("\\title{A\\\\ Title}", "", "A Title"),
        (r"\title{%" + "\nA Title%\n}", "", "A Title"),
        (r"\newcommand{\sys}{Sys\xspace}\title{\sys: a Title}", "", "Sys: a Title"),
        (r"\def\mytitle{A Title}\title{\mytitle}", "", "A Title"),
        (r"\def\tit{A Title}\title\tit", "", "A Title"),
        (r"%\title{Old}" + "\n" + r"\title{A Title}", "", "A Title"),
        (r"\newif\ifanon\anontrue\ifanon\title{A Title}\else\title{Other}\fi", "", "A Title"),
        ("", r"\title{A Title}\maketitle \section{x} \title{Supplement}\maketitle", "A Title"),
        ("", r"\icmltitle{A Title}", "A Title"),
        (r"\hypersetup{pdftitle={A Title}, pdfauthor={B}}", "", "A Title"),
        ("", r"\begin{center}{\Large\bf A Title}\\ An Author\end{center}", "A Title"),
        ("", r"\begin{titlepage}\Huge{A Title}\end{titlepage}", "A Title"),
        ("", "Text.", ""),
    ],
)
def test_the_title_is_found(tmp_path: Path, preamble: str, body: str, expected: str) -> None:
    assert read(tmp_path, body, preamble).title == expected


def test_sections_have_level_title_and_their_own_text(tmp_path: Path) -> None:
    body = (
        "\\chapter{C}\n\\section[short]{One \\texttt{x}}\\label{s}\nText $x^2$ \\cite{a}.\n\\subsection*{Sub}\nDeep.\n"
        "\\paragraph{Run in.} More.\n\\subsubsection{Subsub}\n\\section{Two}\nEnd.\n\\begin{thebibliography}{9}\n"
        "\\bibitem{a} A paper.\n\\end{thebibliography}\n"
    )
    draft = read(tmp_path, body)
    assert [(section.level, section.title, section.text) for section in draft.sections] == [
        (0, "C", ""),
        (1, "One x", "Text $x^2$."),
        (2, "Sub", "Deep.\n\nRun in. More."),
        (3, "Subsub", ""),
        (1, "Two", "End."),
    ]


def test_a_section_command_that_the_preamble_only_names_is_no_heading(tmp_path: Path) -> None:
    preamble = (
        r"\usepackage{titlesec}\titlespacing\section{0pt}{3pt plus 1pt}{2pt}\titlespacing\subsection{0pt}{1pt}{1pt}"
    )
    draft = read(tmp_path, r"\section{One}Text.", preamble)
    assert [(section.title, section.text) for section in draft.sections] == [("One", "Text.")]


def test_a_section_says_which_file_and_line_it_stands_in(tmp_path: Path) -> None:
    draft = read(
        tmp_path, "\\input{a}", "", {"a.tex": "\n\n\\section{One}\nText that\n\\input{b} goes on.", "b.tex": "flows"}
    )
    (section,) = draft.sections
    assert (section.span.file.name, section.span.line) == ("a.tex", 3)
    assert section.text == "Text that flows goes on."
    text = section.span.file.read_text(encoding="utf-8")
    assert text[section.span.start : section.span.end] == "\\section{One}"


def test_a_heading_made_by_a_macro_of_the_author_is_a_heading(tmp_path: Path) -> None:
    preamble = r"\newcommand{\sect}[2]{\section{#1}\label{sec:#2}}"
    draft = read(tmp_path, "\\sect{Related Work}{rw} Text.", preamble)
    assert draft.related_work is not None
    assert draft.related_work.title == "Related Work"
    assert draft.related_work.text == "Text."


@pytest.mark.parametrize(
    "title",
    "Related Work|RELATED WORKS|Related work and background|Background and Related Work|Prior Work"
    "|Previous work|Literature|Literature Review|A Survey of the Literature|State of the Art|State-of-the-art"
    "|Background|Background \\& Notation"
    "|Technical Background|Relation to prior work|Discussion of related work|Related literature".split("|"),
)
def test_a_section_on_other_work_is_recognised(tmp_path: Path, title: str) -> None:
    related = read(tmp_path, f"\\section*{{{title}}} Text.").related_work
    assert related is not None


@pytest.mark.parametrize(
    "title",
    "Uncorrelated noise|Correlated equilibria|Unrelated works|Background subtraction|Cosmic microwave background"
    "|Work in progress|Future work|Long Range Revisions|How to store time series and related information"
    "|State of the art results|Our work".split("|"),
)
def test_other_sections_are_not_taken_for_it(tmp_path: Path, title: str) -> None:
    assert read(tmp_path, f"\\section{{{title}}} Text.").related_work is None


def test_the_more_specific_heading_wins(tmp_path: Path) -> None:
    draft = read(tmp_path, r"\section{Background}\subsection{Literature}\section{Conclusion}\subsection{Related work}")
    assert draft.related_work is not None and draft.related_work.title == "Related work"


def test_class_packages_and_commands_are_listed(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "main.tex": (
                "\\documentclass[%\n 11pt]{svjour3}\n\\usepackage[T1]{fontenc}\n\\usepackage{amsmath,%\n Natbib}\n"
                "%\\usepackage{no}\n\\RequirePackage{url}\n\\begin{document}\\citep{a}\\citep{b}\\cite{c}\\end{document}"
            )
        },
    )
    draft = read_draft(root)
    assert draft.document_class == "svjour3"
    assert draft.packages == ("fontenc", "amsmath", "natbib", "url")
    assert draft.cite_commands == {"citep": 2, "cite": 1}


def test_an_old_document_style_is_a_class(tmp_path: Path) -> None:
    root = write(
        tmp_path, {"main.tex": "\\documentstyle[11pt,epsf]{article}\n\\begin{document}\\cite{a}\\end{document}"}
    )
    draft = read_draft(root)
    assert (draft.document_class, draft.packages) == ("article", ("epsf",))


def test_a_file_without_class_is_read_with_a_finding(tmp_path: Path) -> None:
    root = write(tmp_path, {"main.tex": "\\section{A} \\cite{a}"})
    draft = read_draft(root)
    assert [section.title for section in draft.sections] == ["A"]
    assert "no_document_class" in {finding.code for finding in draft.findings}


def test_an_unclosed_environment_does_not_hide_the_rest(tmp_path: Path) -> None:
    draft = read(tmp_path, "\\begin{itemize}\\item a\n\\section{B}\\begin{quote}x\\end{quote}")
    assert [section.title for section in draft.sections] == ["B"]
    messages = [f.message for f in draft.findings if f.code == "unclosed_environment"]
    assert messages == ["\\begin{itemize} has no \\end{itemize}"]


@pytest.mark.parametrize("cut", range(0, 200, 7))
def test_a_half_typed_file_gives_what_can_be_read(tmp_path: Path, cut: int) -> None:
    whole = article("\\begin{abstract}We do it.\\end{abstract}\\section{One} Text \\cite{a}. \\input{x}", "\\title{T}")
    root = write(tmp_path, {"main.tex": whole[:cut]})
    draft = read_draft(root)
    assert set(draft.title) <= set("T") and {k for c in draft.cites for k in c.keys} <= {"a"}
