"""Citation precision in three definitions: TruthReader (section 5.2), DeepScholar-Bench, and ALCE (section 4.3)."""

from collections.abc import Collection, Sequence

from citeplug.evaluate.measures.citation_recall import MOST_PUBLISHED, supported
from citeplug.evaluate.measures.entailment import CitedSentence, Verdicts

SHORTEST_PUBLISHED = 50  # characters; DeepScholar-Bench passes over shorter sentences


def citation_precision(
    sentences: Sequence[CitedSentence], verdicts: Verdicts, *, as_published: bool = False
) -> float | None:
    """Return the share of the citations whose paper alone entails the sentence (TruthReader, section 5.2).

    None without citations. As published by DeepScholar-Bench (`cite_p.py`) it is the mean over sentences of that share,
    a sentence without citations counts as 0 though it has none to be wrong, and sentences of under 50 characters do not
    count, citations of which may be as wrong as others.
    """
    if as_published:
        shares = [
            sum(verdicts.entailed(at, [each]) for each in sentence.cites) / max(len(sentence.cites), 1)
            for at, sentence in enumerate(sentences)
            if len(sentence.text) >= SHORTEST_PUBLISHED
        ]
        return sum(shares) / len(shares) if shares else None
    right = [verdicts.entailed(at, [each]) for at, sentence in enumerate(sentences) for each in sentence.cites]
    return sum(right) / len(right) if right else None


def alce_citation_precision(
    sentences: Sequence[CitedSentence],
    verdicts: Verdicts,
    known: Collection[str] | None = None,
    *,
    as_published: bool = False,
) -> float | None:
    """Return the share of the citations that are of use (ALCE, section 4.3); None without citations.

    One is if the sentence's citations together entail it, and either this paper alone does, or the others without it do
    not. A paper cited twice in a sentence counts once, and an invented one is of no use. As published each mention
    counts, so that a paper cited twice may be found dispensable beside itself; a sentence with an invented citation
    drops out altogether, which costs no precision; only the first three citations are looked at; and a text without
    citations has 0.
    """
    useful = total = 0
    for at, sentence in enumerate(sentences):
        cites = list(sentence.cites) if as_published else list(dict.fromkeys(sentence.cites))
        real = [each for each in cites if known is None or each in known]
        if as_published:
            if len(real) < len(cites):
                continue
            cites = real = real[:MOST_PUBLISHED]
        total += len(cites)
        if supported(sentence, at, verdicts, known, as_published):
            useful += sum(_of_use(real, place, at, verdicts) for place in range(len(real)))
    if not total:
        return 0.0 if as_published and sentences else None
    return useful / total


def _of_use(cites: Sequence[str], place: int, at: int, verdicts: Verdicts) -> bool:
    others = [*cites[:place], *cites[place + 1 :]]
    return not others or verdicts.entailed(at, [cites[place]]) or not verdicts.entailed(at, others)
