"""What the draft says where it cites."""

from pathlib import Path

from citeplug.latex.project import read_draft
from tests.latex.projects import article, read, write

BODY = r"""
\section{Introduction}
Logs are long. Others, e.g.\ \citet{lee}, count \emph{words} \cite{chen, dee}, which
fails on nested lines. We do not.

\subsection{Setting}
In a new paragraph.

As in \cite{lee}, we count. And \cite{lee} once more.
"""


def test_each_citation_has_its_heading_and_its_sentence(tmp_path: Path) -> None:
    draft = read(tmp_path, BODY)
    assert [(cite.keys, cite.context) for cite in draft.cites] == [
        (("lee",), "Introduction: Others, e.g. [*], count words [...], which fails on nested lines."),
        (("chen", "dee"), "Introduction: Others, e.g. [...], count words [*], which fails on nested lines."),
        (("lee",), "Setting: As in [*], we count."),
        (("lee",), ""),
    ]


def test_a_quick_reading_leaves_them_out_and_they_make_no_other_citation(tmp_path: Path) -> None:
    root = write(tmp_path, {"main.tex": article(BODY)})
    whole, quick = read_draft(root), read_draft(root, prose=False)
    assert {cite.context for cite in quick.cites} == {""}
    assert whole.cites == quick.cites


def test_a_long_sentence_is_cut_around_its_citation(tmp_path: Path) -> None:
    (cite,) = read(tmp_path, "\\section{A}\n" + "before " * 90 + "\\cite{x} " + "after " * 90).cites
    assert cite.context.startswith("A: before before ") and "before [*] after" in cite.context
    assert len(cite.context) <= 460


def test_a_citation_before_any_heading_has_its_sentence_alone(tmp_path: Path) -> None:
    (cite,) = read(tmp_path, "See \\cite{x}.").cites
    assert cite.context == "See [*]."
