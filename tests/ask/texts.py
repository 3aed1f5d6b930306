"""Abstracts to ask, and the built-in model."""

from collections.abc import Iterator, Sequence
from functools import cache

from citeplug.ask.extractive import answer_extractively
from citeplug.ask.late_interaction import PieceCache
from citeplug.ask.retrieval import EmbeddedQuery
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.protocols import Embedder, Vectors
from citeplug.records.answer import Answer, AskedPassage, AskedText

SAGE = (
    "GraphSAGE learns a function that samples and aggregates the features of a node's neighbors. It reaches an accuracy"
    " of 78 percent on the Reddit posts. Nodes that were not seen in training are embedded without training again."
)
LADIES = (
    "LADIES draws a fixed number of nodes for the layer below. On the Reddit posts it reaches an accuracy of 83"
    " percent. This avoids the exponential growth of node-wise sampling."
)
TEA = "Oolong is a tea whose leaves are fermented in part. The harvest begins in April, and 40 workers take part in it."


@cache
def model() -> Embedder:
    """The built-in model, converted once for all tests."""

    return open_embedder(None)


split = PieceCache()  # loads the model with the first text


def embed(texts: Sequence[str]) -> Vectors:
    return model().embed(texts)


def embedded(question: str) -> EmbeddedQuery:
    return EmbeddedQuery(question, model().embed_queries([question])[0])


def asked_of(question: str, *abstracts: str) -> Answer:
    """The answer of these abstracts, named a, b, ..."""
    names = [chr(ord("a") + number) for number in range(len(abstracts))]
    texts = [AskedText(name, f"Paper {name}", "abstract", "") for name in names]
    passages = [AskedPassage(name, 0, text) for name, text in zip(names, abstracts, strict=True)]
    return answer_extractively(embedded(question), texts, passages, embed, split)


def quotes(answer: Answer) -> Iterator[tuple[str, str]]:
    for sentence in answer.sentences:
        for each in sentence.citations:
            yield each.paper, each.quote
