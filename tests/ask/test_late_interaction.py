"""Questions and sentences compared word piece by word piece."""

import numpy as np

from citeplug.ask.late_interaction import PieceCache, max_similarities
from citeplug.corpus.vectors.minilm import MiniLM, WordPieces


def test_each_word_piece_of_the_question_looks_for_its_nearest_and_rare_ones_weigh_more() -> None:
    """By hand: "the" is in both sentences and weighs log 1.67, "tea" in one and weighs log 2."""
    the, tea, cup = np.eye(3, dtype=np.float32)
    question = WordPieces(("the", "tea"), np.stack([the, tea]))
    sentences = [WordPieces(("the", "tea"), np.stack([the, tea])), WordPieces(("the", "cup"), np.stack([the, cup]))]
    of_the, of_tea = np.log(1 + 2 / 3), np.log(1 + 2 / 2)
    assert np.allclose(max_similarities(question, sentences), [1, of_the / (of_the + of_tea)])


def test_a_text_without_words_is_similar_to_nothing() -> None:
    nothing, word = PieceCache()(["", "tea"])
    assert max_similarities(nothing, [word]) == max_similarities(word, [nothing]) == [0.0]


def test_word_pieces_are_unit_vectors_whose_mean_has_the_direction_of_the_text() -> None:
    """But for the model's two marks, which the text's own vector has too."""
    model = MiniLM("fp32")
    text = "Dropout keeps networks from overfitting."
    (pieces,), (vector,) = model.word_pieces([text]), model.embed([text])
    assert pieces.pieces[:2] == ("drop", "##out") and pieces.pieces[-1] == "."
    assert np.allclose(np.linalg.norm(pieces.vectors, axis=1), 1, atol=1e-5)
    mean = pieces.vectors.mean(axis=0)
    assert mean @ vector / np.linalg.norm(mean) > 0.9
