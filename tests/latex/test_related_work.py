"""The author's own text on other work, under whatever kind of heading."""

from pathlib import Path

import pytest

from tests.harness.in_proportion import MOST, growth
from tests.latex.projects import read

CITING = "Some did this \\citep{a,b}. Others did that \\cite{c}."


@pytest.mark.parametrize(
    "heading",
    [
        "\\paragraph{Related Work.}",
        "\\subparagraph*{Related work}",
        "\\noindent\\textbf{Related work.}",
        "\\medskip\\noindent{\\bf Related Work: }",
        "{\\bfseries\\itshape Prior work.}",
        "\\textbf{\\emph{Previous and related work.}}",
        "\\vspace{2mm}\n\\noindent \\underline{Related literature}",
        "\\xhdr{Related Work}",
        "\\mypar[short]{Related work on graphs}",
        "\\emph{Verwandte Arbeiten.}",
    ],
)
def test_a_run_in_heading_heads_the_authors_related_work(tmp_path: Path, heading: str) -> None:
    own = "\\newcommand{\\xhdr}[1]{\\vspace{1mm}\\noindent\\textbf{#1}}\\newcommand{\\mypar}[2][]{{\\bf #2}}"
    body = f"\\section{{Introduction}}\nWe begin.\n\n{heading} {CITING}\n\nWe go on without them.\n"
    draft = read(tmp_path, body, own)
    assert draft.related_work is not None
    assert (draft.related_work.level, draft.related_works) == (4, 3)
    assert draft.related_work.text.startswith("Some did this")
    assert "go on" not in draft.related_work.text
    text = draft.root.read_text("utf-8")
    assert text[: draft.related_work.end].endswith("Others did that \\cite{c}.")
    assert (
        text[draft.related_work.span.start : draft.related_work.span.end]
        == heading.split("\n")[-1].removeprefix("\\medskip").removeprefix("\\noindent").lstrip()
    )


@pytest.mark.parametrize(
    "paragraph",
    [
        f"We compare with\n\\emph{{previous work}}. {CITING}",  # in the middle of a paragraph
        f"\\paragraph{{Comparison with prior work.}} {CITING}",
        f"\\paragraph{{Results.}} {CITING}",
        f"\\textbf{{We show that many of the existing approaches to this old question fail badly.}} {CITING}",
        "\\paragraph{Related work.} We know of none but one \\cite{a}.",
        f"\\todo{{related work}} {CITING}",
        f"\\label{{related work}} {CITING}",
        f"% \\paragraph{{Related work.}}\n{CITING}",
    ],
)
def test_what_only_speaks_of_it_is_no_heading(tmp_path: Path, paragraph: str) -> None:
    draft = read(tmp_path, f"\\section{{Introduction}}\nWe begin.\n\n{paragraph}\n\nWe go on.\n")
    assert draft.related_work is None and draft.related_works == 0


def test_a_run_in_heading_is_found_in_a_file_that_is_read(tmp_path: Path) -> None:
    more = "More \\cite{d}.\n\n\\paragraph{Outline.} So \\cite{e}.\n"
    intro = f"Words.\n\n\\paragraph{{Related work.}} {CITING}\n\n{more}"
    draft = read(tmp_path, "\\section{Introduction}\n\\input{intro}\n\\section{Method}", "", {"intro.tex": intro})
    related = draft.related_work
    assert related is not None and related.span.file.name == "intro.tex" and draft.related_works == 4
    assert intro[: related.end].endswith("More \\cite{d}.")


def test_a_section_goes_before_a_run_in_heading(tmp_path: Path) -> None:
    draft = read(tmp_path, f"\\paragraph{{Related work.}} {CITING}\n\\section{{Related Work}} Much.")
    assert draft.related_work is not None and draft.related_work.level == 1


def test_the_works_of_a_section_are_those_of_its_subsections_too(tmp_path: Path) -> None:
    body = (
        f"\\section{{Related Work}}\n{CITING}\n\\subsection{{Graphs}}\n\\cite{{d,a}}\n\\section{{Next}}\n\\cite{{e}}\n"
    )
    assert read(tmp_path, body).related_works == 4


@pytest.mark.parametrize(
    "title",
    "Verwandte Arbeiten|Frühere Ansätze|Stand der Technik|Travaux connexes|Travaux antérieurs|État de l'art"
    "|Revue de la littérature|Trabajos relacionados|Estado del arte|Estado de la cuestión|Trabalhos relacionados"
    "|Estado da arte|Lavori correlati|Stato dell'arte|Gerelateerd werk|Tidigare forskning|Обзор литературы"
    "|Связанные работы|相关工作|文献综述|関連研究|先行研究|관련 연구|선행연구|Prior and concurrent work".split("|"),
)
def test_usual_titles_of_other_languages_are_known(tmp_path: Path, title: str) -> None:
    assert read(tmp_path, f"\\section{{{title}}} Text.").related_work is not None


@pytest.mark.parametrize("blank", ["\n", "\\par\n", "\n  "])
def test_blank_lines_take_time_in_proportion(tmp_path: Path, blank: str) -> None:
    assert growth(lambda count: read(tmp_path, blank * count), 4_000) < MOST


def test_many_run_in_headings_take_time_in_proportion(tmp_path: Path) -> None:
    text = "\n\n\\paragraph{Related work.} " + CITING
    assert growth(lambda count: read(tmp_path, text * count), 500) < MOST
