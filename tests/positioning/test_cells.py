"""Phrases that may be cells: whole, of the work itself, and nothing where a text does not say it."""

import pytest

from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.positioning.cells import COLUMNS, find_in_title, find_places
from citeplug.positioning.table_rows import SplitText, phrases_about
from citeplug.records.gaps import StatedPassage

ABSTRACT = (
    "Sampling edges is hard. Existing methods cannot scale. In this paper we propose GraphSage, an inductive"
    " framework for learning node embeddings, which needs no retraining. We also describe a small tool. Experiments on"
    " the Cora dataset show that our framework outperforms strong baselines by 3.2%. Our code is publicly available."
)
TITLE = "GraphSage: Inductive learning of node embeddings"


def cells(text: str, column: str) -> list[str]:
    return [text[start:end] for start, end in find_places(column, text)]


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("Task", "learning node embeddings"),
        ("Method", "GraphSage, an inductive framework for learning node embeddings"),
        ("Data", "the Cora dataset"),
        ("Code", "code is publicly available"),
    ],
)
def test_each_column_has_the_words_of_the_abstract(column: str, cell: str) -> None:
    assert cells(ABSTRACT, column)[0] == cell


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("Method", "We present this. We propose a model based solely on these."),  # not whole
        ("Method", "Many authors propose a graph network for edges."),  # of others
        ("Task", "We study images, text, and speech."),  # a list that would be cut
        ("Task", "We study modular data centers."),  # nothing that is done
        ("Data", "We evaluate our model on various datasets."),
        ("Data", "We evaluate our model on 48 benchmark examples."),
        ("Code", "Code for graphs is hard to write."),
    ],
)
def test_what_points_elsewhere_or_would_be_cut_is_left_out(column: str, text: str) -> None:
    assert cells(text, column) == []


@pytest.mark.parametrize(
    ("title", "column", "cell"),
    [
        ("Tight bounds for learning a mixture of two gaussians", "Task", "learning a mixture of two gaussians"),
        ("TabVec: Classification of web tables using random vectors", "Task", "Classification of web tables"),
        ("TabVec: Classification of web tables using random vectors", "Method", "random vectors"),
        ("A linear-time algorithm for graph isomorphism", "Method", "A linear-time algorithm"),
        ("Architecture for modular data centers", "Task", None),
        ("Does learning to rank help for ranking?", "Task", None),
    ],
)
def test_titles_name_what_is_done_and_with_what(title: str, column: str, cell: str | None) -> None:
    found = [title[start:end] for start, end in find_in_title(column, title)]
    assert found[:1] == ([cell] if cell is not None else [])


def test_of_several_phrases_the_one_nearest_to_the_title_is_the_cell_and_one_in_passing_is_none() -> None:
    text = SplitText(StatedPassage(ABSTRACT, "abstract", "1801.00001", "", 0, len(ABSTRACT)))
    embed = open_embedder(None).embed
    about = phrases_about(StatedPassage(TITLE, "title", "1801.00001", "", 0, len(TITLE)), [text], embed)
    assert about["Method"].text == "GraphSage, an inductive framework for learning node embeddings"
    other = "Turtles of warm rivers"
    assert phrases_about(StatedPassage(other, "title", "1801.00001", "", 0, len(other)), [text], embed) == {}


def test_every_place_is_within_its_text_and_in_one_sentence() -> None:
    for column in COLUMNS:
        for start, end in find_places(column, ABSTRACT):
            assert 0 <= start < end <= len(ABSTRACT) and ABSTRACT[start:end].strip() == ABSTRACT[start:end]
