"""Pairs of sentences of cited works that may be in conflict."""

import numpy as np

from citeplug.audit.cited_claims import cited_work
from citeplug.audit.conflicts import MOST, near_pairs
from citeplug.corpus.vectors.embedders import open_embedder

LEE = cited_work("lee", "A", (), "We study dropout. Dropout improves the accuracy of networks on small graphs.")
BO = cited_work(
    "bo", "B", (), "We repeat experiments. Dropout does not improve the accuracy of networks on small graphs."
)
CY = cited_work("cy", "C", (), "Turtles live in warm rivers.")


def test_two_works_are_paired_once_by_the_sentences_nearest_to_each_other() -> None:
    (pair,) = near_pairs([LEE, CY, BO], open_embedder(None).embed)
    assert [passage.text for passage in pair[:2]] == [
        "Dropout improves the accuracy of networks on small graphs.",
        "Dropout does not improve the accuracy of networks on small graphs.",
    ]
    assert pair[2:] == (LEE, BO)


def test_one_work_and_works_without_abstracts_have_no_pairs() -> None:
    assert near_pairs([LEE], open_embedder(None).embed) == []
    assert near_pairs([cited_work("x", "Dropout"), cited_work("y", "Dropout")], open_embedder(None).embed) == []


def test_of_many_works_a_bounded_number_of_pairs_is_judged() -> None:
    works = [cited_work(str(number), "A", (), "Dropout improves accuracy.") for number in range(20)]
    assert len(near_pairs(works, lambda texts: np.ones((len(texts), 1), np.float32))) == MOST
