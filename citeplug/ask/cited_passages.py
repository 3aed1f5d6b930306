"""The passage and the page that a citation of an answer is from, as they are on this machine now."""

from contextlib import closing
from dataclasses import dataclass

from citeplug.corpus.fulltext.documents import documents_store
from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus
from citeplug.records.answer import Answer, AnswerCitation, AskedText
from citeplug.records.passage import PaperText
from citeplug.related.section.shown_sources import Mark
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage. `text` is the text that was asked, None if it is not known; `found`: it has the quotation still."""

    citation: AnswerCitation
    text: AskedText | None
    marks: tuple[Mark, ...]
    found: bool


def passage_of(citation: AnswerCitation, answer: Answer, settings: Settings) -> ShownPassage:
    """The passage of a citation; the quotation alone where the text is not on this machine any more."""
    asked = next((text for text in answer.looked_through if text.id == citation.paper), None)
    text = _passage(citation, asked, settings)
    start = citation.start if text[citation.start : citation.end] == citation.quote else text.find(citation.quote)
    if not text or start < 0 or not citation.quote:
        return ShownPassage(citation, asked, (Mark(citation.quote, "this"),), False)
    end = start + len(citation.quote)
    marks = (Mark(text[:start]), Mark(text[start:end], "this"), Mark(text[end:]))
    return ShownPassage(citation, asked, tuple(mark for mark in marks if mark.text), True)


def _passage(citation: AnswerCitation, asked: AskedText | None, settings: Settings) -> str:
    if asked is None:
        return ""
    if asked.of == "abstract":
        with open_corpus(settings) as corpus:
            paper = corpus.papers([citation.paper]).get(citation.paper)
        return "" if paper is None else plain(paper.abstract)
    is_document = asked.of == "document"
    with closing(documents_store(settings.home) if is_document else TextStore(settings.home)) as store:
        name = store.with_digest(asked.digest) if is_document else citation.paper
        text = store.read(name, asked.version) if name is not None else None
    passages = placed_passages(text) if text is not None else []
    return next((passage.text for _, passage in passages if passage.number == citation.passage), "")


def page_of_quote(text: PaperText, citation: AnswerCitation) -> int | None:
    """The page on which the quotation begins, from 1; that of its passage if the text has no such passage any more."""
    for at, passage in placed_passages(text):
        if passage.number == citation.passage and passage.text[citation.start : citation.end] == citation.quote:
            begin = passage.start + citation.start
            pages = text.sections[at].pages
            return next((page for place, page in reversed(pages) if place <= begin), citation.page)
    return citation.page
