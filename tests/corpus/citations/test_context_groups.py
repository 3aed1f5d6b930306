"""Citation contexts grouped by what they say."""

import numpy as np

from citeplug.corpus.citations.context_groups import group_contexts
from citeplug.corpus.vectors.embedders import open_embedder

DATA = [
    "We evaluate on the citation network of [*].",
    "The citation networks of [*] are our data sets.",
    "Experiments use the citation network data set that [*] collected.",
]
SPEED = ["[*] is slow on large graphs, as its memory grows with the edges.", "On large graphs [*] needs much memory."]


def test_sentences_that_say_the_same_are_one_group_and_the_largest_is_first() -> None:
    sentences = [SPEED[0], DATA[0], "Birds sing in spring.", DATA[1], SPEED[1], DATA[2]]
    groups = group_contexts(np.asarray(open_embedder(None).embed(sentences)))
    assert [sorted(group) for group in groups] == [[1, 3, 5], [0, 4], [2]]


def test_the_most_typical_sentence_of_a_group_is_first() -> None:
    angles = np.radians([0, 25, 50])
    assert group_contexts(np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)) == [(1, 0, 2)]


def test_one_sentence_is_a_group_of_its_own() -> None:
    assert group_contexts(np.ones((1, 1), np.float32)) == [(0,)]
