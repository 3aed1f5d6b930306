"""Uses of a work that are unlike its abstract and all citation contexts of it in the full texts on this machine."""

from collections.abc import Mapping, Sequence

import numpy as np

from citeplug.audit.cited_claims import CitedWork, Claim, shown, telling
from citeplug.audit.judging import CitedReferences
from citeplug.audit.misattribution import MOST_WORKS, Embed
from citeplug.protocols import CitationSource
from citeplug.records.audit import CitationDoubt, CitedPassage
from citeplug.records.passage import Mentioned

FEWEST = 3  # papers that cite a work in a full text here
TELLING = 5  # words of a use that carry content
# Cosine of a use to the nearest of the contexts and of the abstract's sentences. Of a work with three contexts .4 % of
# the right uses and 3.5 % of the wrong ones are below it (.25: 1.2 and 8.7 %): benchmarks/results.md.
UNLIKE = 0.2
_MOST = 100  # citation contexts of a work


def unlike_others(
    claims: Sequence[Claim], cited: CitedReferences, graph: CitationSource | None, embed: Embed
) -> tuple[list[CitationDoubt], int]:
    """Return a doubt on each use that is unlike all others, and how many uses were compared."""
    contexts = _contexts(cited, graph) if graph is not None else {}
    uses = [
        (claim, key)
        for claim in claims
        for key in claim.keys
        if key in contexts and len(claim.keys) <= MOST_WORKS and len(telling(claim.text)) >= TELLING
    ]
    if not uses:
        return [], 0
    known = {
        key: [
            *(mention.sentence for mention in contexts[key]),
            *(passage.text for passage in cited.works[key].passages),
        ]
        for key in dict.fromkeys(key for _, key in uses)
    }
    texts = list(dict.fromkeys(text for claim, key in uses for text in (_use(claim, key), *known[key])))
    vectors = dict(zip(texts, np.asarray(embed(texts)), strict=True))
    doubts = []
    for claim, key in uses:
        cosines = np.round(np.stack([vectors[text] for text in known[key]]) @ vectors[_use(claim, key)], 6)
        if cosines.max() < UNLIKE:
            nearest = contexts[key][int(cosines[: len(contexts[key])].argmax())]
            doubts.append(_doubt(claim, cited.works[key], len(contexts[key]), nearest))
    return doubts, len(uses)


def _contexts(cited: CitedReferences, graph: CitationSource) -> Mapping[str, Sequence[Mentioned]]:
    """The citation contexts of the works that enough papers cite, each sentence once."""
    contexts = {}
    for key, paper in cited.papers.items():
        value = paper.id.value
        if key not in cited.works or not paper.abstract:
            continue
        mentions = {mention.sentence: mention for mention in graph.mentions(value, _MOST) if mention.citing != value}
        # The contexts of one paper alone are alike, and unlike those of others.
        if len({mention.citing for mention in mentions.values()}) >= FEWEST:
            contexts[key] = list(mentions.values())
    return contexts


def _use(claim: Claim, key: str) -> str:
    """The sentence in the form of a citation context."""
    return claim.sentence.with_citations(lambda keys: "[*]" if key in map(str.lower, keys) else "[...]")


def _doubt(claim: Claim, work: CitedWork, number: int, nearest: Mentioned) -> CitationDoubt:
    reason = f"unlike all {number} sentences in which papers here cite {work.key}, and its abstract"
    source = CitedPassage(work.key, work.title, shown(nearest.sentence), "citation context")
    return CitationDoubt("cited_unlike_others", reason, claim.shown, source, claim.file, claim.sentence.line)
