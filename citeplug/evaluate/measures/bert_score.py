"""BERTScore (Zhang et al., 2020, section 3): two texts compared word piece by word piece, by their vectors in the text.

Published numbers, LitLLM's in Table 7 among them, are with roberta-large, which is not at hand here. With the vectors
of another model it is the same formula on another scale: such values are comparable with each other alone, and have the
model in their name. They are neither rescaled by a baseline nor, save where weights are given, weighted.
"""

from collections.abc import Callable, Sequence

import numpy as np

from citeplug.corpus.vectors.minilm import WordPieces
from citeplug.evaluate.measures.texts import Overlap, overlap
from citeplug.protocols import Vectors
from citeplug.text.sentences import split_sentences

Split = Callable[[Sequence[str]], Sequence[WordPieces]]


def bert_score(
    cosines: Vectors, text_weights: Sequence[float] | None = None, reference_weights: Sequence[float] | None = None
) -> Overlap | None:
    """Return the mean over a text's word pieces of the largest cosine to one of the reference's, and the other way.

    `cosines` is (pieces of the reference, pieces of the text). The weights are inverse document frequencies, one for
    each piece. -1 to 1; None without pieces on either side.
    """
    if not cosines.size:
        return None
    recall = np.average(cosines.max(axis=1), weights=reference_weights)
    return overlap(float(np.average(cosines.max(axis=0), weights=text_weights)), float(recall))


def bert_score_of_texts(text: str, reference: str, split: Split) -> Overlap | None:
    """Return BERTScore with the word pieces of `split`, each in the company of its sentence.

    The published form sees 512 word pieces of a text, which a section has more of.
    """
    ours, theirs = (split([whole[start:end] for start, end in split_sentences(whole)]) for whole in (text, reference))
    if not ours or not theirs:
        return None
    in_text, in_reference = (np.concatenate([sentence.vectors for sentence in side]) for side in (ours, theirs))
    return bert_score(in_reference @ in_text.T)
