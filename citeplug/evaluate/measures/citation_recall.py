"""Citation recall: sentences that their citations entail together (ALCE, Gao et al., 2023, section 4.3)."""

from collections.abc import Collection, Sequence

from citeplug.evaluate.measures.entailment import CitedSentence, Verdicts

MOST_PUBLISHED = 3  # citations of a sentence that ALCE's script looks at, by default


def citation_recall(
    sentences: Sequence[CitedSentence],
    verdicts: Verdicts,
    known: Collection[str] | None = None,
    *,
    as_published: bool = False,
) -> float | None:
    """Return the share of the sentences that the papers they cite entail together; a sentence without citations counts.

    `known` are the papers that exist, None: all. Of a sentence with an invented citation the others are judged; as
    published the sentence fails, and only the first three citations are looked at. None without sentences.
    """
    if not sentences:
        return None
    return sum(supported(each, at, verdicts, known, as_published) for at, each in enumerate(sentences)) / len(sentences)


def supported(
    sentence: CitedSentence, at: int, verdicts: Verdicts, known: Collection[str] | None, as_published: bool
) -> bool:
    """Return whether its citations together entail the sentence at place `at`."""
    real = [each for each in sentence.cites if known is None or each in known]
    if not real or (as_published and len(real) < len(sentence.cites)):
        return False
    return verdicts.entailed(at, real[:MOST_PUBLISHED] if as_published else real)
