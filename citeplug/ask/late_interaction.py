"""Late interaction: a question and a sentence compared word piece by word piece (ColBERT: Khattab and Zaharia, 2020).

The mean of a sentence's word pieces, which is its vector, says what it is about; its neighbours are about the same. Each
word piece of the question looks for its own counterpart, so that a sentence that has one for each of them comes first.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from citeplug.corpus.vectors.minilm import MiniLM, WordPieces

SplitTexts = Callable[[Sequence[str]], Sequence[WordPieces]]
_KEPT = 2_000  # texts, of 30 word pieces each about 90 MB


class PieceCache:
    """The word pieces of texts by the built-in model, which other models leave to it; kept while texts are asked."""

    def __init__(self) -> None:
        self._model = MiniLM("int8")
        self._known: dict[str, WordPieces] = {}

    def __call__(self, texts: Sequence[str]) -> list[WordPieces]:
        if len(self._known) > _KEPT:
            self._known.clear()
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(missing, self._model.word_pieces(missing), strict=True))
        return [self._known[text] for text in texts]


def max_similarities(question: WordPieces, sentences: Sequence[WordPieces]) -> list[float]:
    """For each sentence the mean, over the question's word pieces, of the largest cosine to one of the sentence's.

    Word pieces weigh the more the fewer of the sentences have them, so that "the" says less than "dropout". -1 to 1; 0
    where the question or the sentence has none.
    """
    counts = Counter(piece for sentence in sentences for piece in set(sentence.pieces))
    weights = np.array([math.log(1 + len(sentences) / (1 + counts[piece])) for piece in question.pieces])

    def similarity(sentence: WordPieces) -> float:
        if not question.pieces or not sentence.pieces:
            return 0.0
        return float(np.average((question.vectors @ sentence.vectors.T).max(axis=1), weights=weights))

    return [similarity(sentence) for sentence in sentences]
