"""What authors state of their work, sentence by sentence, in prepared papers and in a draft.

Sentences are compared with sentences: of eight drafts the statements nearest to a contribution were on its subject, while the
score by which `citeplug ask` takes an answer was passed by sentences that had a few of a question's words alone.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.records.prepared import Pair, PaperSource, Place
from citeplug.text.sentences import split_sentences

NEAR = 0.6  # cosine of two sentences from which they are called near
MOST = 3  # statements that are near a sentence, each of another paper
_OWN = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|I|[Tt]his (?:paper|work|article|thesis|report|study|survey|note)|[Hh]ere"
    r"|(?:is|are) (?:proposed|presented|introduced|developed|shown|derived|described|studied|investigated))\b"
)
# What leans on the sentences before it, and what any paper may say of its results.
_LEANING = re.compile(
    r"\b(?:[Tt]hese|[Tt]hose|[Ss]uch (?:an? )?(?!as\b)|the (?:latter|former|above|resulting)|[Tt]his (?!paper|work|article|thesis"
    r"|report|study|survey|note|chapter)\w+|our (?:method|approach|algorithm|model|result|finding|bound|experiment|framework)s?"
    r" (?:is|are|has|have|can|outperforms?|achieves?|shows?))\b"
)
_GENERAL = re.compile(
    r"\b(?:outperforms?|superior|state[- ]of[- ]the[- ]art|[Ee]xperimental results|[Ee]xperiments (?:show|demonstrate|on)"
    r"|(?:effectiveness|efficiency|usefulness|feasibility|validity|performance) of (?:the|our)|contributions?|source code|publicly available"
    r"|open[- ]source[ds]?)\b"
)
_FEWEST, _LONGEST = 8, 60  # words of a sentence


def statements_of(source: PaperSource, pairs: Sequence[Pair]) -> Iterator[tuple[str, Place, str | None]]:
    """What a paper states, verbatim, with its place and its prepared question: the quotations of its pairs, and the
    sentences of its abstract in which its authors speak of their work.
    """
    seen: set[Place] = set()
    for pair in pairs:
        seen.add(pair.place)
        yield pair.quote, pair.place, pair.question
    for start, end in own_sentences(source.abstract):
        if Place(0, start, end) not in seen:
            yield source.abstract[start:end], Place(0, start, end), None


def own_sentences(abstract: str) -> Iterator[tuple[int, int]]:
    """The places of the sentences in which authors speak of their work, and which say something by themselves."""
    for start, end in split_sentences(abstract):
        text = abstract[start:end]
        # Some abstracts have no space between a sentence and the label of the next one.
        whole = not text.endswith("?") and not re.search(r"[a-z)]\.[A-Z][a-z]+:", text)
        plain = (
            whole
            and _FEWEST <= len(text.split()) <= _LONGEST
            and not _LEANING.search(text)
            and not _GENERAL.search(text)
        )
        if plain and _OWN.search(text):
            yield start, end
