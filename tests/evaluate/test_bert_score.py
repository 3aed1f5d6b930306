"""BERTScore: its formula on the example that its authors print, and the texts that MiniLM reads."""

import numpy as np
import pytest

from citeplug.corpus.vectors.minilm import MiniLM
from citeplug.evaluate.measures.bert_score import bert_score, bert_score_of_texts

# Zhang et al. (2020), Figure 1: "The weather is cold today" (rows) and "It is freezing today" (columns).
COSINES = np.array(
    [
        [0.713, 0.597, 0.428, 0.408],
        [0.462, 0.393, 0.515, 0.326],
        [0.635, 0.858, 0.441, 0.441],
        [0.479, 0.454, 0.796, 0.343],
        [0.347, 0.361, 0.307, 0.913],
    ],
    np.float32,
)
WEIGHTS = (1.27, 7.94, 1.82, 7.90, 8.88)


def test_the_printed_example_has_the_printed_recall() -> None:
    found = bert_score(COSINES, reference_weights=WEIGHTS)
    assert found is not None and f"{found.recall:.3f}" == "0.753"


def test_without_weights_every_word_piece_counts_alike() -> None:
    found = bert_score(COSINES)
    assert found is not None
    precision, recall = (0.713 + 0.858 + 0.796 + 0.913) / 4, (0.713 + 0.515 + 0.858 + 0.796 + 0.913) / 5
    assert [found.precision, found.recall] == pytest.approx([precision, recall])
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


def test_a_text_is_most_like_itself_and_more_like_a_paraphrase_than_like_another_subject() -> None:
    split = MiniLM("fp32").word_pieces
    text = "Attention was made fast. It remains exact."
    others = (text, "Exact attention is now quick.", "Marmots sleep through the winter.")
    found = [bert_score_of_texts(other, text, split) for other in others]
    same, near, far = [score.f1 for score in found if score]
    assert same == pytest.approx(1, abs=1e-5) and same > near > far


def test_of_a_long_text_the_end_counts_too() -> None:
    split, long = MiniLM("fp32").word_pieces, "Marmots sleep through the winter. " * 60
    found = [
        bert_score_of_texts(long + end, "Attention was made fast.", split) for end in ("", "Attention was made fast.")
    ]
    before, after = [score.recall for score in found if score]
    assert after == pytest.approx(1, abs=1e-5) and before < after


def test_without_a_text_there_is_nothing_to_compare() -> None:
    assert bert_score_of_texts("", "A reference.", MiniLM("fp32").word_pieces) is None
