"""The paragraph of a draft to which a paper belongs: the nearest in meaning of those that cite.

A conclusion is near whatever the draft is near, and discusses no other work.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from citeplug.latex.related_work import CONCLUSION
from citeplug.protocols import Vectors
from citeplug.records.audit import MissingWork
from citeplug.records.paper import Paper, Reason
from citeplug.records.prose import ProseParagraph

MOST = 150  # paragraphs that are compared
_SHOWN = 60  # characters of a paragraph


def where_works_are_discussed(prose: Sequence[ProseParagraph]) -> list[ProseParagraph]:
    """Return the paragraphs to one of which a paper may belong: those that cite, but for the conclusion's, else all."""
    citing = [paragraph for paragraph in prose if paragraph.keys]
    inner = [paragraph for paragraph in citing if not CONCLUSION.search(paragraph.heading)]
    return (inner or citing or list(prose))[:MOST]


def place(
    papers: Sequence[tuple[Paper, tuple[Reason, ...]]],
    paragraphs: Sequence[ProseParagraph],
    of_papers: Mapping[str, Vectors],
    of_paragraphs: Vectors,
) -> list[MissingWork]:
    """Give each paper the paragraph whose vector is nearest to its own.

    `of_papers` are unit vectors (d,) by id, `of_paragraphs` (n, d) with unit rows, in the order of `paragraphs`.
    """
    found = []
    for paper, reasons in papers:
        vector = of_papers.get(paper.id.value)
        if vector is None or not paragraphs:
            found.append(MissingWork(paper, reasons))
            continue
        near = paragraphs[int(np.argmax(of_paragraphs @ vector))]
        found.append(MissingWork(paper, reasons, near.file, near.line, beginning(near.text)))
    return found


def beginning(text: str) -> str:
    """Return the first words of a paragraph or a sentence, for a finding."""
    return text if len(text) <= _SHOWN else text[:_SHOWN].rsplit(" ", 1)[0] + " ..."
