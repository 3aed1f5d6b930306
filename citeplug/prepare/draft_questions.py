"""Questions about a draft's own contribution, made as those of papers are, from what its authors state."""

from collections.abc import Sequence
from datetime import date

from citeplug.prepare.questions import make_pairs
from citeplug.prepare.statements import own_sentences
from citeplug.records.draft import Draft, DraftSection
from citeplug.records.gaps import DraftQuestion
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Passage
from citeplug.records.prepared import PaperSource
from citeplug.text.cleaning import plain

_INSTEAD = 2  # sentences of the abstract that are asked about where none plainly states a contribution
_ASKED = "Has this been done or found before?"

# Headings under which authors say what they contribute.
_TELLING = ("introduction", "contribution", "conclusion", "concluding", "summary")
_LONGEST = 20_000  # characters of a section that are read
_NO_DAY = date(1, 1, 1)


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
    return plain(section.text)[:_LONGEST]


def _passage(number: int, section: DraftSection) -> Passage:
    text = section_text(section)
    return Passage("", 1, section.title, None, number, 0, len(text), text, "eprint")
