"""Measures of citations by what entails what: ALCE (Gao et al., 2023, section 4.3), TruthReader (section 5.2),
DeepScholar-Bench (arXiv:2508.20033) and Citegeist (section 4, Table 1).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

MOST_PUBLISHED = 3  # citations of a sentence that ALCE's script looks at, by default

SHORTEST_PUBLISHED = 50  # characters; DeepScholar-Bench passes over shorter sentences


class NotJudged(LookupError):
    """A measure needs a verdict that nobody gave."""


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence without its citations, and the ids that it cites, in order, as often as it does."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdicts:
    """By sentence (counted from 0) and papers: True if these papers together entail the sentence."""

    given: Mapping[tuple[int, frozenset[str]], bool]

    def entailed(self, sentence: int, papers: Collection[str]) -> bool:
        """Raises NotJudged where nobody judged this sentence beside these papers."""
        verdict = self.given.get((sentence, frozenset(papers)))
        if verdict is None:
            raise NotJudged(f"sentence {sentence} beside {', '.join(sorted(papers))}")
        return verdict


def citation_recall(
    sentences: Sequence[CitedSentence],
    verdicts: Verdicts,
    known: Collection[str] | None = None,
    *,
    as_published: bool = False,
) -> float | None:
    """Return the share of the sentences that the papers they cite entail together (ALCE, section 4.3).

    A sentence without citations counts. `known` are the papers that exist, None: all. Of a sentence with an invented
    citation the others are judged; as published the sentence fails, and only the first three citations are looked at.
    None without sentences.
    """
    if not sentences:
        return None
    return sum(supported(sentence, at, verdicts, known, as_published) for at, sentence in enumerate(sentences)) / len(
        sentences
    )


def supported(
    sentence: CitedSentence, at: int, verdicts: Verdicts, known: Collection[str] | None, as_published: bool
) -> bool:
    """Return whether its citations together entail the sentence at place `at`."""
    real = [cite for cite in sentence.cites if known is None or cite in known]
    if not real or (as_published and len(real) < len(sentence.cites)):
        return False
    return verdicts.entailed(at, real[:MOST_PUBLISHED] if as_published else real)


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
            sum(verdicts.entailed(at, [cite]) for cite in sentence.cites) / max(len(sentence.cites), 1)
            for at, sentence in enumerate(sentences)
            if len(sentence.text) >= SHORTEST_PUBLISHED
        ]
        return sum(shares) / len(shares) if shares else None
    right = [verdicts.entailed(at, [cite]) for at, sentence in enumerate(sentences) for cite in sentence.cites]
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
        real = [cite for cite in cites if known is None or cite in known]
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


def claim_coverage(
    sentences: Sequence[CitedSentence], verdicts: Verdicts, window: int = 1, *, as_published: bool = False
) -> float | None:
    """Return the share of the sentences that the citations of a sentence nearby entail (DeepScholar-Bench).

    Nearby is within `window` places. None without sentences. The published code (`claim_coverage.py`) asks the
    sentence's own citations for each place of the window (it reads `sent` where the neighbour belongs), so that the
    window never acts, and passes over sentences of under 50 characters: the form `as_published`.
    """
    covered = []
    for at, sentence in enumerate(sentences):
        if as_published and len(sentence.text) < SHORTEST_PUBLISHED:
            continue
        near = [sentence] if as_published else sentences[max(0, at - window) : at + window + 1]
        covered.append(any(verdicts.entailed(at, neighbour.cites) for neighbour in near if neighbour.cites))
    return sum(covered) / len(covered) if covered else None


def number_of_citations(sentences: Sequence[CitedSentence]) -> float | None:
    """Return how many citations the sentences have, each mention counted (TruthReader, Table 2).

    None for a refusal, which has no sentence.
    """
    return float(sum(len(sentence.cites) for sentence in sentences)) if sentences else None


def citation_position(sentences: Sequence[CitedSentence], lines: Sequence[Collection[str]]) -> float | None:
    """Return the share of the planned citations that are in the sentence they are planned for (LitLLM, section 3.3).

    `lines` are the papers of each planned sentence, in order ("Cite @cite.2 at line 2 and 5"). None without any.
    """
    planned = [(at, paper) for at, line in enumerate(lines) for paper in line]
    right = [at < len(sentences) and paper in sentences[at].cites for at, paper in planned]
    return sum(right) / len(right) if right else None


def source_relevance(scores: Mapping[str, float]) -> dict[str, float]:
    """Return mean, 0 to 10, and sum of the judged scores of a section's cited papers (Citegeist, section 4, Table 1).

    They are under their names, and there are none without citations; the sum grows with the number of these. A citation
    that is not real has no abstract: it is judged 0 (Citegeist writes "(invalid citation)" in its place, and does not
    say how that counts).
    """
    if not scores:
        return {}
    total = float(sum(scores.values()))
    return {"source relevance, mean": total / len(scores), "source relevance, sum": total}
