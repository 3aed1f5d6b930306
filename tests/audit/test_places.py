"""The paragraph to which a paper belongs."""

from datetime import date
from pathlib import Path

import numpy as np

from citeplug.audit.uncited import place, where_works_are_discussed
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.prose import ProseParagraph, ProseSentence

FILE = Path("/paper/main.tex")
PAPER = Paper(ArxivId("1706.02216"), "T", "A", ("A B",), date(2017, 6, 7), date(2017, 6, 7))


def paragraph(line: int, *keys: str) -> ProseParagraph:
    return ProseParagraph(FILE, "", (ProseSentence(f"Words of the paragraph in line {line}.", line, keys),))


def test_a_paper_belongs_to_the_nearest_paragraph_of_those_that_cite() -> None:
    prose = [paragraph(1), paragraph(2, "a"), paragraph(3, "b")]
    citing = where_works_are_discussed(prose)
    assert [each.line for each in citing] == [2, 3]
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    of_papers = {"1706.02216": np.array([0.6, 0.8], np.float32)}
    (found,) = place([(PAPER, ())], citing, of_papers, vectors, lambda texts: vectors[: len(texts)])
    assert (found.file, found.line, found.near) == (FILE, 3, "Words of the paragraph in line 3.")


def test_within_its_paragraph_a_paper_stands_at_the_nearest_sentence() -> None:
    sentences = (*paragraph(3, "b").sentences, *paragraph(5).sentences)
    beside, of_papers = np.array([[0, 1]], np.float32), {"1706.02216": np.array([0.6, 0.8], np.float32)}
    (found,) = place(
        [(PAPER, ())],
        [ProseParagraph(FILE, "", sentences)],
        of_papers,
        beside,
        lambda texts: np.array([[1, 0], [0, 1]], np.float32),
    )
    assert (found.line, found.near) == (5, "Words of the paragraph in line 5.")


def test_no_paper_belongs_to_a_conclusion_where_another_section_cites() -> None:
    last = ProseParagraph(FILE, "Conclusion and Future Work", paragraph(9, "a").sentences)
    assert [each.line for each in where_works_are_discussed([paragraph(2, "a"), last])] == [2]
    assert where_works_are_discussed([paragraph(1), last]) == [last]


def test_without_a_citation_every_paragraph_may_be_the_one_and_without_text_none() -> None:
    assert [each.line for each in where_works_are_discussed([paragraph(1)])] == [1]
    (found,) = place([(PAPER, ())], [], {}, np.zeros((0, 2), np.float32), lambda _: np.zeros((0, 2), np.float32))
    assert (found.file, found.line, found.near) == (None, None, "")
