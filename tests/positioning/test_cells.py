"""Cells from words: what a work says of itself, as a phrase that can stand alone; nothing where it does not."""

import pytest

from citeplug.positioning.cells import FINDERS, find_places

ABSTRACT = (
    "Sampling edges is a hard problem. Existing methods cannot scale. In this paper we propose GraphSage, an inductive"
    " framework for node embeddings, which needs no retraining. Experiments on three citation datasets show that our"
    " framework outperforms strong baselines by 3.2%. Our code is publicly available at"
    " https://github.com/example/graphs."
)


def cells(text: str, column: str) -> list[str]:
    return [text[start:end] for start, end in find_places(column, text)]


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("Task", "node embeddings"),
        ("Method", "GraphSage, an inductive framework for node embeddings"),
        ("Data", "three citation datasets"),
        ("Result", "outperforms strong baselines by 3.2%"),
        ("Code", "github.com/example/graphs"),
    ],
)
def test_each_column_has_the_words_of_the_abstract(column: str, cell: str) -> None:
    assert cells(ABSTRACT, column)[0] == cell


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("Method", "We propose a framework. We present this."),  # says nothing
        ("Method", "Many authors propose a graph network for edges."),  # of others
        ("Method", "We propose a model for images, text, and speech."),  # a list that would be cut: see below
        ("Result", "We show that deep networks, which are hard to train, are slow."),
        ("Result", "We want to achieve state-of-the-art accuracy of 99%."),
        ("Data", "We evaluate our model on these datasets."),
        ("Data", "We evaluate our model on various datasets."),
        ("Code", "Code for graphs is hard to write."),
    ],
)
def test_what_points_elsewhere_or_would_be_cut_is_left_out(column: str, text: str) -> None:
    assert all("images" not in cell for cell in cells(text, column)) if "images" in text else cells(text, column) == []


def test_every_place_is_within_its_text_and_on_one_sentence() -> None:
    for column in FINDERS:
        for start, end in find_places(column, ABSTRACT):
            assert 0 <= start < end <= len(ABSTRACT) and ABSTRACT[start:end].strip() == ABSTRACT[start:end]
