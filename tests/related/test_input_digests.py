"""The digests of what a section is made from."""

from pathlib import Path

import pytest

from citeplug.latex.project import read_draft
from citeplug.related.input_digests import PARTS, changed_parts, digests_of

MAIN = r"""\documentclass{article}
\title{Graphs and Attention}
\begin{document}
\begin{abstract}
We propose a graph neural network that samples neighbours and weighs them by attention.
\end{abstract}
\section{Introduction}
Graph neural networks pass messages between the nodes of a graph, as \cite{kipf} say, and this text is long
enough for a query of its own, since it has more than twenty words.
\section{Results}
There are none.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
"""
REFS = "@misc{kipf,\n  title = {Semi-Supervised Classification},\n  eprint = {1609.02907},\n  year = 2016\n}\n"


def digests(folder: Path, main: str = MAIN, refs: str = REFS) -> dict[str, str]:
    (folder / "main.tex").write_bytes(main.encode())
    (folder / "refs.bib").write_bytes(refs.encode())
    return digests_of(read_draft(folder / "main.tex"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We propose", "% a comment\nWe propose"),
        ("samples neighbours and", "samples\n   neighbours and"),
        ("There are none.", "There are many, and none is told here."),
        ("\n", "\r\n"),
        (r"\section{Results}", "\\section{Related Work}\n\\input{related}\n\\section{Results}"),
    ],
)
def test_comments_layout_and_the_depth_of_the_draft_change_nothing(tmp_path: Path, old: str, new: str) -> None:
    assert changed_parts(digests(tmp_path), digests(tmp_path, MAIN.replace(old, new))) == []


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("Graphs and Attention", "Graphs without Attention", ["title"]),
        ("weighs them", "orders them", ["abstract"]),
        ("pass messages", "send messages", ["sections"]),
        ("{Results}", "{Experiments}", ["sections"]),
        (r"\documentclass{article}", r"\documentclass{article}\usepackage{natbib}", ["style"]),
        (r"\bibliographystyle{plain}", r"\bibliographystyle{alpha}", ["style"]),
    ],
)
def test_a_change_is_told_by_its_part(tmp_path: Path, old: str, new: str, parts: list[str]) -> None:
    assert changed_parts(digests(tmp_path), digests(tmp_path, MAIN.replace(old, new))) == parts


def test_an_entry_counts_and_its_layout_does_not(tmp_path: Path) -> None:
    before = digests(tmp_path)
    assert changed_parts(before, digests(tmp_path, refs=REFS.replace("\n  ", "\n\t\t"))) == []
    assert changed_parts(before, digests(tmp_path, refs=REFS.replace("2016", "2017"))) == ["entries"]


def test_the_title_of_an_entry_counts_where_no_id_names_its_paper(tmp_path: Path) -> None:
    without = REFS.replace("  eprint = {1609.02907},\n", "")
    titles = [(refs, refs.replace("Classification", "Clustering")) for refs in (REFS, without)]
    changed = [changed_parts(digests(tmp_path, refs=old), digests(tmp_path, refs=new)) for old, new in titles]
    assert changed == [[], ["citations", "entries"]]


def test_the_place_of_the_project_is_in_no_digest(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert digests(tmp_path / "a") == digests(tmp_path / "b")


def test_a_draft_with_nothing_to_go_by_has_digests_too(tmp_path: Path) -> None:
    assert digests(tmp_path, r"\documentclass{article}\begin{document}\end{document}").keys() == PARTS.keys()


def test_of_a_whole_draft_the_depth_of_it_counts(tmp_path: Path) -> None:
    texts = ("Of the many results that there are none is told here. " * 3, "All of these results are told anew. " * 5)
    found = []
    for text in texts:
        (tmp_path / "main.tex").write_text(MAIN.replace("There are none.", text))
        draft = read_draft(tmp_path / "main.tex")
        found.append((digests_of(draft), digests_of(draft, whole=True)))
    (narrow, whole), (narrow_after, whole_after) = found
    assert changed_parts(narrow, narrow_after) == []
    assert changed_parts(whole, whole_after) == ["sections"]
