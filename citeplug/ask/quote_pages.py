"""Page of a quotation within a passage that goes on over two."""

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.records.answer import AnswerCitation
from citeplug.records.passage import PaperText


def page_of_quote(text: PaperText, citation: AnswerCitation) -> int | None:
    """The page on which the quotation begins, from 1; that of its passage if the text has no such passage any more."""
    for at, passage in placed_passages(text):
        if passage.number == citation.passage and passage.text[citation.start : citation.end] == citation.quote:
            begin = passage.start + citation.start
            pages = text.sections[at].pages
            return next((page for place, page in reversed(pages) if place <= begin), citation.page)
    return citation.page
