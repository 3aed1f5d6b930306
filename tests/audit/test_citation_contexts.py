"""Uses of a work that are unlike how other papers cite it."""

from pathlib import Path

import pytest

from citeplug.audit.citation_contexts import unlike_others
from citeplug.audit.cited_claims import cited_work, read_claims
from citeplug.audit.judging import CitedReferences
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.audit import CitationDoubt
from citeplug.records.passage import Mentioned
from tests.audit.drafts import write_draft
from tests.corpus.records import make_paper
from tests.related.retrieve.citations import Citations

ABSTRACT = "We learn node embeddings by sampling the neighbours of each node in a graph."
CONTEXTS = (
    "Inductive embeddings of unseen nodes are learned by [*].",
    "Sampling of neighbours was introduced by [*] for training on large graphs.",
    "[*] aggregate the features of neighbouring nodes.",
)
UNLIKE = r"Quarterly prices of crude oil explain the inflation of food in Europe \cite{Sage}."
LIKE = r"Embeddings of unseen nodes are learned from sampled neighbours in graphs \cite{Sage}."


def doubts(
    folder: Path, text: str, contexts: tuple[str, ...] = CONTEXTS, citing: str = ""
) -> tuple[list[CitationDoubt], int]:
    paper = make_paper("1801.00002", abstract=ABSTRACT)
    cited = CitedReferences({"sage": cited_work("Sage", "Inductive Learning", (), ABSTRACT)}, {"sage": paper})
    graph = Citations({})
    graph.said[paper.id.value] = [
        Mentioned(citing or f"1801.0001{at}", "Related Work", sentence) for at, sentence in enumerate(contexts)
    ]
    claims = read_claims(read_prose(read_draft(write_draft(folder, text))), cited.works)
    return unlike_others(claims, cited, graph, open_embedder(None).embed)


def test_a_use_unlike_all_others_is_shown_beside_the_nearest_of_them(tmp_path: Path) -> None:
    (doubt,), uses = doubts(tmp_path, UNLIKE + "\n\n" + LIKE)
    assert uses == 2
    assert doubt.code == "cited_unlike_others" and "all 3 sentences" in doubt.reason
    assert (doubt.source.key, doubt.source.of) == ("Sage", "citation context") and doubt.source.text in CONTEXTS
    assert doubt.sentence.startswith("Quarterly prices of crude oil")


@pytest.mark.parametrize(
    ("text", "contexts", "citing"),
    [
        (LIKE, CONTEXTS, ""),
        (UNLIKE, CONTEXTS[:2], ""),  # too few
        (UNLIKE, CONTEXTS, "1801.00009"),  # of one paper
        (UNLIKE, (CONTEXTS[0],) * 5, ""),  # one sentence
        (UNLIKE, CONTEXTS, "1801.00002"),  # its own
        (r"See \cite{Sage} for that.", CONTEXTS, ""),  # says nothing
        (r"Prices of crude oil explain the inflation of food \cite{Sage,a,b,c}.", CONTEXTS, ""),
    ],
)
def test_like_uses_few_contexts_and_sentences_that_say_little_are_left_alone(
    tmp_path: Path, text: str, contexts: tuple[str, ...], citing: str
) -> None:
    assert doubts(tmp_path, text, contexts, citing)[0] == []
