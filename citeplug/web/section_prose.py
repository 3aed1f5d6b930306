"""Sentences of a section as they read in print, beside their sources and beside an offered version."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from citeplug.bibtex.entries import parse_bib
from citeplug.records.provenance import RecordedEntry
from citeplug.related.attribute.support import matching
from citeplug.related.section.in_print import PrintedWork, cited_prose, printed_works, readable
from citeplug.related.section.review import ReviewedPiece, ReviewedSection
from citeplug.related.section.shown_sources import nearest_sources
from citeplug.text.cited_text import words
from citeplug.text.people import cited_people, split_authors
from citeplug.text.stems import content_stems
from citeplug.web.assets import word_changes


def compared(piece: ReviewedPiece, section: ReviewedSection, quotes: Iterable[str]) -> list[tuple[str, bool]]:
    """The text of a sentence in parts, each with True for words that are in none of the quotations.

    Of a generated sentence two content words count, as one is but the verb that follows an author. Of the author's own
    one does, and so do two words of any kind: "among the first" is a claim.
    """
    quotes = list(quotes)
    quoted = {word for quote in quotes for word in words(quote)}

    def is_alone(text: str) -> bool:
        content = len(content_stems(text))
        return content > 1 or (piece.sentence is None and (content > 0 or len({*words(text)} - quoted) > 1))

    return [
        (text, not shared and is_alone(text))
        for part, named in prose_of(piece.shown, section, piece.tex)
        for text, shared in ([(part, True)] if named else matching(part, quotes))
    ]


def unsourced(tex: str, piece: ReviewedPiece, section: ReviewedSection) -> list[str]:
    """What another version of a sentence says that is neither in its sources nor nearest to it in what it cites."""
    version = replace(piece, tex=tex, shown=readable(tex), sentence=None, offers=())
    sources = [*(piece.sentence.sources if piece.sentence else ()), *nearest_sources(section, version)]
    parts = compared(version, section, (source.quote for source in sources))
    return [text.strip(" ,.;:") for text, alone in parts if alone]


def offered(offer: str, piece: ReviewedPiece, section: ReviewedSection) -> list[tuple[str, str]]:
    """The words of an offered version beside those of the sentence, in parts, as `word_changes` gives them."""
    own, new = (prose_of(readable(tex), section, tex) for tex in (piece.tex, offer))
    return word_changes("".join(text for text, _ in own), "".join(text for text, _ in new))


def prose_of(text: str, section: ReviewedSection, tex: str = "") -> list[tuple[str, str]]:
    """As `cited_prose`, of the works of the section."""
    return cited_prose(text, works_of(section), tex)


def works_of(section: ReviewedSection) -> dict[str, PrintedWork]:
    """What citations of the section's works print, by key."""
    works = {
        key: PrintedWork(cited_people(paper.authors), section.year_of(paper), paper.title)
        for key, paper in section.papers_by_key.items()
    }
    for key in section.bib.keys() - works.keys():  # of works that are not on this machine
        works |= _of_entry(section.bib[key])
    return works | {entry.key: _as_recorded(entry) for entry in section.entries.values() if entry.key not in works}


@lru_cache(512)
def _of_entry(text: str) -> Mapping[str, PrintedWork]:
    return printed_works(parse_bib(text))


def _as_recorded(entry: RecordedEntry) -> PrintedWork:
    """What a citation prints, by the fields of its entry that were compared as the section was written."""
    fields = {item.get("field"): str(item.get("given") or "") for item in entry.evidence}
    people, more = split_authors(fields.get("author", ""))
    return PrintedWork(cited_people(people, more=more), fields.get("year", "")[:4], fields.get("title") or entry.key)
