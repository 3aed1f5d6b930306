"""Names in a draft, and the papers that introduce them."""

from datetime import date
from pathlib import Path

import pytest

from citeplug.audit.uncited import is_cited, names_without_citation, paper_of
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper

MAIN = r"""\documentclass{article}\title{GraphThing: A Method}\begin{document}
\begin{abstract}We propose GraphThing. It is faster than all before it.\end{abstract}
\section{Introduction}
%s
\bibliographystyle{plain}\bibliography{refs}\end{document}
"""


def names(folder: Path, text: str) -> list[tuple[str, int, int]]:
    draft = read(folder, text)
    return [(each.name, each.sentence.line, each.times) for each in names_without_citation(draft, read_prose(draft))]


def read(folder: Path, text: str) -> Draft:
    (folder / "refs.bib").write_text("@misc{net, title = {{DropEdge}: Towards Deep Networks}}\n", "utf-8")
    (folder / "main.tex").write_text(MAIN % text, "utf-8")
    return read_draft(folder / "main.tex")


@pytest.mark.parametrize(
    "text",
    [
        r"It was evaluated on SQuAD and others \cite{net} by many people.",
        "GraphThing is as fast as all of the others that were tried.",
        "Here we present the new data set SQuAD of questions and answers.",
        "The data set called SQuAD has very many questions and answers.",
        "In this work we describe a set of questions and their answers (SQuAD) in short.",
        "Our own SQuAD has very many questions and their answers in it.",
        "The word squad is written here in small letters, and no 2nd name.",
        "The file is at github.com/SQuAD/SQuAD or in data/SQuAD as well.",
    ],
)
def test_what_is_cited_there_the_draft_s_own_or_no_name_is_left_out(tmp_path: Path, text: str) -> None:
    assert names(tmp_path, text) == []


def test_a_name_is_told_with_its_first_sentence_and_how_often_it_is_there(tmp_path: Path) -> None:
    text = "We propose a method, and it is evaluated on SQuAD.\nIt beats node2vec on SQuAD by a\nlarge margin in all."
    assert names(tmp_path, text) == [("SQuAD", 4, 2), ("node2vec", 5, 1)]


def test_a_name_in_the_title_of_a_cited_entry_is_cited(tmp_path: Path) -> None:
    draft = read(tmp_path, r"As others did \cite{net} it is shown here once more.")
    assert is_cited("DropEdge", draft, {"net"})
    assert not is_cited("DropEdge", draft, set())
    assert not is_cited("Drop", draft, {"net"})


def paper(value: str, title: str, abstract: str = "", day: date = date(2016, 6, 16)) -> Paper:
    return Paper(ArxivId(value), title, abstract, ("Ann Author",), day, day)


SQUAD = paper("1606.05250", "SQuAD: 100,000+ Questions", "We present it.")
LATER = paper("1701.00001", "Reading Machines", "We read SQuAD.", date(2017, 1, 1))


def test_the_paper_whose_title_a_name_opens_introduces_it() -> None:
    assert paper_of("SQuAD", [SQUAD], [LATER, SQUAD]) is SQUAD


@pytest.mark.parametrize(
    ("titled", "beside"),
    [
        ([], [LATER]),
        ([paper("1606.05250", "Squad: A Game")], []),
        ([paper("1606.05250", "On SQuAD: Its Limits")], []),
        ([SQUAD, paper("1606.05251", "SQuAD -- Another One")], []),
        ([SQUAD], [paper("1501.00001", "Before", "There is SQuAD already.", date(2015, 1, 1))]),
    ],
)
def test_without_one_such_paper_or_after_an_older_one_nobody_does(titled: list[Paper], beside: list[Paper]) -> None:
    assert paper_of("SQuAD", titled, beside) is None
