"""Claims about others' work without a citation, in every section, and the paper that one is about."""

from pathlib import Path

import numpy as np
import pytest

from citeplug.audit.uncited import claims_without_citation, clear_paper
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.protocols import Vectors

MAIN = r"""\documentclass{article}\title{Graphs}\begin{document}
\begin{abstract}We look at graphs and at what is in them, again and again.\end{abstract}
%s
\bibliographystyle{plain}\bibliography{refs}\end{document}
"""
BY_OTHERS = "Several methods have tackled the task of counting all paths in large graphs."
IMPERSONAL = "The counting of all paths in large graphs has been studied for many years."


def claims(folder: Path, text: str) -> list[tuple[str, int]]:
    (folder / "refs.bib").write_text("@misc{net, title = {Networks}}\n", "utf-8")
    (folder / "main.tex").write_text(MAIN % text, "utf-8")
    draft = read_draft(folder / "main.tex")
    found = claims_without_citation(draft, read_prose(draft))
    return [(each.sentence.text, each.sentence.line) for each in found]


@pytest.mark.parametrize("heading", ["Introduction", "Related Work", "Method", "Conclusion"])
def test_what_others_did_is_a_claim_in_every_section(tmp_path: Path, heading: str) -> None:
    text = f"\\section{{Introduction}}\nGraphs are everywhere one looks.\n\\section{{{heading}}}\n{BY_OTHERS}"
    assert claims(tmp_path, text) == [(BY_OTHERS, 6)]


def test_what_was_done_by_nobody_is_a_claim_where_others_are_spoken_of(tmp_path: Path) -> None:
    text = f"\\section{{Introduction}}\n{IMPERSONAL}\n\\section{{Method}}\n%s\n\\section{{Related work}}\n{IMPERSONAL}"
    steps = "All nodes are visited until every one of them has been explored."
    assert [line for _, line in claims(tmp_path, text % steps)] == [4, 8]


def test_a_section_in_a_file_of_its_own_is_read(tmp_path: Path) -> None:
    (tmp_path / "related.tex").write_text(f"\\section{{Related work}}\n{IMPERSONAL}\n", "utf-8")
    (tmp_path / "opening.tex").write_text(f"{IMPERSONAL}\n", "utf-8")
    method = f"\\section{{Method}}\n{IMPERSONAL}\n"
    text = f"\\section{{Introduction}}\\input{{opening}}\n{method}\\input{{related}}"
    assert sorted(line for _, line in claims(tmp_path, text)) == [1, 2]


@pytest.mark.parametrize("text", [BY_OTHERS + r" \cite{net}", rf"One is known \cite{{net}}. {BY_OTHERS}"])
def test_what_cites_or_stands_beside_a_citation_is_none(tmp_path: Path, text: str) -> None:
    assert claims(tmp_path, f"\\section{{Introduction}}\n{text}") == []


def test_a_draft_in_another_language_has_none(tmp_path: Path) -> None:
    abstract = "Wir werden die Wege in Graphen mit dem Verfahren zählen, das wir für sie auch von den anderen haben."
    (tmp_path / "main.tex").write_text(MAIN.replace("We look at", abstract) % BY_OTHERS, "utf-8")
    draft = read_draft(tmp_path / "main.tex")
    assert claims_without_citation(draft, read_prose(draft)) == []


def test_a_draft_without_headings_is_read(tmp_path: Path) -> None:
    assert [text for text, _ in claims(tmp_path, IMPERSONAL)] == [IMPERSONAL]


def unit(*numbers: float) -> Vectors:
    vector = np.array(numbers, np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def test_a_claim_is_about_a_paper_that_is_near_it_and_the_draft_and_alone_is() -> None:
    near, far = unit(1, 0.2, 0), unit(0.1, 0, 1)
    assert clear_paper(unit(1, 0, 0), unit(1, 1, 0), {"a": near, "b": far}) == "a"
    assert clear_paper(unit(1, 0, 0), unit(1, 1, 0), {"a": near}) == "a"
    assert clear_paper(unit(1, 0, 0), unit(1, 1, 0), {"a": near, "b": unit(1, 0.21, 0)}) is None
    assert clear_paper(unit(1, 0, 0), unit(0, 0, 1), {"a": near, "b": far}) is None
    assert clear_paper(unit(1, 0, 0), unit(1, 1, 0), {"b": far}) is None
    assert clear_paper(unit(1, 0, 0), unit(1, 1, 0), {}) is None
