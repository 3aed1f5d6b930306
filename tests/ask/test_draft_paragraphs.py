"""Paragraphs of a draft at whose ends a sentence can be put."""

from pathlib import Path

import pytest

from citeplug.ask.draft_paragraphs import paragraph_named, paragraphs_of
from citeplug.errors import ChangedMeanwhile
from citeplug.project.find_project import find_project

MAIN = r"""\documentclass{article}
\newcommand{\x}{a definition of many words that is no paragraph}
\begin{document}
\section{Method}
We sample neighbours of each node % not of edges
and weigh them by attention.

\begin{figure}
This caption has a lot of words in it.

It goes on after an empty line too.
\end{figure}

As in the equation
\begin{equation}
x = y

\end{equation}
% a remark of many words between the lines here
the loss is the sum of both.
\paragraph{Cost} Everything is linear in the nodes, {\em which

is a group of its own} here and there.
\subsection{More}
\input{part}
Short one.
% all of this is but a remark of the author
\end{document}
This text comes after the end of it.
"""


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_bytes(MAIN.encode())
    (tmp_path / "part.tex").write_bytes(
        b"Windows writes lines like\r\nthis one and the last.\r\n\r\nNo end mark follows here ever"
    )
    return tmp_path / "main.tex"


def test_each_has_its_last_line_and_what_no_sentence_can_follow_is_left_out(main: Path) -> None:
    found = [(each.file.name, each.line, each.heading, each.begin) for each in paragraphs_of(find_project(main))]
    lines = MAIN.splitlines()
    assert found == [
        ("main.tex", lines.index("and weigh them by attention.") + 1, "Method", found[0][3]),
        ("main.tex", lines.index("the loss is the sum of both.") + 1, "Method", found[1][3]),
        ("main.tex", lines.index("is a group of its own} here and there.") + 1, "Cost", found[2][3]),
        ("part.tex", 2, "", "Windows writes lines like this one and the last."),
        ("part.tex", 4, "", "No end mark follows here ever"),
    ]
    assert found[0][3] == "We sample neighbours of each node and weigh them by attention."


def test_a_name_is_of_one_place_and_its_words(main: Path) -> None:
    project = find_project(main)
    first = paragraphs_of(project)[0]
    assert paragraph_named(project, first.id) == first
    main.write_bytes(MAIN.replace("We sample", "They sample").encode())
    with pytest.raises(ChangedMeanwhile):
        paragraph_named(project, first.id)
    with pytest.raises(ChangedMeanwhile):
        paragraph_named(project, "../main.tex")
