"""What authors state of their work, sentence by sentence, in an abstract and in a draft.

Sentences are compared with sentences: of eight drafts the statements nearest to a contribution were on its subject, while the
score by which `citeplug ask` takes an answer was passed by sentences that had a few of a question's words alone.
"""

import re
from collections.abc import Iterator
from datetime import date

from citeplug.prepare.questions import make_pairs
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Passage
from citeplug.records.prepared import PaperSource
from citeplug.text.cleaning import plain
from citeplug.text.sentences import sentences_of_paragraphs

NEAR = 0.6  # cosine of two sentences from which they are called near
_OWN = re.compile(
    r"\b(?:[Ww]e|[Oo]ur|I(?!/)|[Tt]his (?:paper|work|article|thesis|report|study|survey|note)|The (?:paper|article)|[Hh]ere"
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

_INSTEAD = 2  # sentences of the abstract that stand where none plainly states a contribution

# Headings under which authors say what they contribute.
_TELLING = ("introduction", "contribution", "conclusion", "concluding", "summary")
_LONGEST_SECTION = 20_000  # characters of a section that are read
_NO_DAY = date(1, 1, 1)


def own_sentences(abstract: str) -> Iterator[tuple[int, int]]:
    """The places of the sentences in which authors speak of their work, and which say something by themselves."""
    for start, end in sentences_of_paragraphs(abstract):
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


def claims_of_draft(draft: Draft) -> list[str]:
    """Sentences of the abstract, the introduction and the conclusion that plainly state a contribution or a result; else
    the first sentences of the abstract in which the authors speak of their work; none without any.
    """
    title, abstract = plain(draft.title), plain(draft.abstract)
    telling = [section for section in draft.sections if any(word in section.title.lower() for word in _TELLING)]
    passages = tuple(_passage(number, section) for number, section in enumerate(telling, start=1))
    paper = Paper(ArxivId(""), title, abstract, (), _NO_DAY, _NO_DAY)
    claims = [pair.quote for pair in make_pairs(PaperSource("", None, title, abstract, passages, ""), paper)]
    others = [abstract[start:end] for start, end in own_sentences(abstract)] if not claims else []
    return [*claims, *others[:_INSTEAD]]


def _passage(number: int, section: DraftSection) -> Passage:
    text = plain(section.text)[:_LONGEST_SECTION]
    return Passage("", 1, section.title, None, number, 0, len(text), text, "eprint")
