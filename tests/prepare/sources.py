"""Papers as they are prepared, for tests."""

import hashlib

from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.prepared import PaperSource
from tests.corpus.records import make_paper

DROPEDGE = (
    "Over-fitting and over-smoothing are two main obstacles of developing deep graph convolutional networks. We propose"
    " DropEdge, a novel and flexible technique to alleviate the over-fitting of deep graph convolutional networks."
    " DropEdge randomly removes a number of edges from the input graph at each training epoch. DropEdge improves"
    " accuracy by 2.4% on average. Our code is available at https://github.com/DropEdge/DropEdge."
)


def source_of(
    abstract: str, title: str = "On deep graph convolutional networks", *passages: str, value: str = "1801.00001"
) -> tuple[PaperSource, Paper]:
    """A paper with this abstract, and a full text of these passages."""
    placed = tuple(
        Passage(value, 1, "Method", None, number, 0, len(text), text, "eprint")
        for number, text in enumerate(passages, start=1)
    )
    digest = hashlib.sha256("\0".join((title, abstract, *passages)).encode("utf-8", "replace")).hexdigest()
    return PaperSource(value, 1, title, abstract, placed, digest), make_paper(value, title=title, abstract=abstract)
