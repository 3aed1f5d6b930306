"""What authors state of their work, sentence by sentence, in prepared papers and in a draft, and questions about the latter.

Sentences are compared with sentences: of eight drafts the statements nearest to a contribution were on its subject, while the
score by which `citeplug ask` takes an answer was passed by sentences that had a few of a question's words alone.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from citeplug.prepare.questions import make_pairs
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.gaps import DraftQuestion
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Passage
from citeplug.records.prepared import Pair, PaperSource, Place
from citeplug.text.cleaning import plain
from citeplug.text.sentences import sentences_of_paragraphs

NEAR = 0.6  # cosine of two sentences from which they are called near
MOST = 3  # statements that are near a sentence, each of another paper
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

_INSTEAD = 2  # sentences of the abstract that are asked about where none plainly states a contribution
_ASKED = "Has this been done or found before?"

# Headings under which authors say what they contribute.
_TELLING = ("introduction", "contribution", "conclusion", "concluding", "summary")
_LONGEST_SECTION = 20_000  # characters of a section that are read
_NO_DAY = date(1, 1, 1)


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


def questions_of_draft(draft: Draft) -> list[DraftQuestion]:
    """Questions from sentences of the abstract, the introduction and the conclusion that plainly state a contribution or
    a result; else about the first sentences of the abstract in which the authors speak of their work; none without any.
    """
    title, abstract = plain(draft.title), plain(draft.abstract)
    sections = telling_sections(draft)
    passages = tuple(_passage(number, section) for number, section in enumerate(sections, start=1))
    paper = Paper(ArxivId(""), title, abstract, (), _NO_DAY, _NO_DAY)
    source = PaperSource("", None, title, abstract, passages, "")
    questions = [
        of_section(pair.question, pair.quote, sections[pair.place.passage - 1] if pair.place.passage else None, draft)
        for pair in make_pairs(source, paper)
    ]
    others = [abstract[start:end] for start, end in own_sentences(abstract)] if not questions else []
    return [*questions, *(of_section(_ASKED, text, None, draft) for text in others[:_INSTEAD])]


def telling_sections(draft: Draft) -> Sequence[DraftSection]:
    """The sections in which authors say what they contribute."""
    return [section for section in draft.sections if any(word in section.title.lower() for word in _TELLING)]


def of_section(question: str, said: str, section: DraftSection | None, draft: Draft) -> DraftQuestion:
    """A question with the place of what answers it; None for the abstract."""
    if section is None:
        return DraftQuestion(question, said, file=draft.root)
    return DraftQuestion(question, said, section.title, section.span.file, section.span.line)


def section_text(section: DraftSection) -> str:
    """The text of a section as it is compared and shown to a model."""
    return plain(section.text)[:_LONGEST_SECTION]


def _passage(number: int, section: DraftSection) -> Passage:
    text = section_text(section)
    return Passage("", 1, section.title, None, number, 0, len(text), text, "eprint")
