"""Quotations of full texts of which a newer version is known: marked, for the author to compare."""

from collections.abc import Mapping
from dataclasses import replace

from citeplug.protocols import FullTexts
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.records.section import Section, Sentence, Source
from citeplug.text.cleaning import collapsed


def mark_older(
    section: Section, papers: Mapping[str, Paper], texts: FullTexts | None
) -> tuple[Section, tuple[Finding, ...]]:
    """The section with the newer version at each source that is from an older one, and a finding for each paper.

    A newer version is known by the paper's record or by its text on this machine. Where that text still has the
    passage, word for word, nothing is marked.
    """
    cited = {s.arxiv_id for each in _sentences(section) for s in each.sources if s.version and s.of == "full text"}
    values = sorted(value for value in cited if value is not None)
    if not values:
        return section, ()
    newest = {} if texts is None else texts.newest(values)
    found: dict[str, tuple[int, int, bool]] = {}

    def marked(source: Source) -> Source:
        value, version = source.arxiv_id, source.version
        if value is None or version is None or source.of != "full text":
            return source
        text = newest.get(value)
        versions = [papers[value].id.version if value in papers else None, text.version if text is not None else None]
        newer = max((each for each in versions if each is not None), default=0)
        if newer <= version or (text is not None and text.version == newer and has_words(text, source.text)):
            return replace(source, newer=None)
        found[value] = (version, newer, text is not None and text.version == newer)
        return replace(source, newer=newer)

    paragraphs = tuple(
        replace(p, sentences=tuple(replace(s, sources=tuple(map(marked, s.sources))) for s in p.sentences))
        for p in section.paragraphs
    )
    return replace(section, paragraphs=paragraphs), tuple(_finding(value, *each) for value, each in found.items())


def _sentences(section: Section) -> list[Sentence]:
    return [sentence for paragraph in section.paragraphs for sentence in paragraph.sentences]


def has_words(text: PaperText, quotation: str) -> bool:
    """Return True if a quotation, white space collapsed, is in a text word for word."""
    return any(quotation in collapsed(section.text) for section in text.sections)


def _finding(value: str, version: int, newer: int, is_gone: bool) -> Finding:
    name = shown_id(value)
    if is_gone:
        message = f"a sentence is from version {version} of {name}, and version {newer} has not these words"
        fix = f"compare it with 'citeplug read {name}', or take it out to have it written again"
        return Finding("older_version_quoted", "warning", message, fix=fix)
    message = f"a sentence is from version {version} of {name}, of which version {newer} is known"
    fix = f"get its text with 'citeplug fetch {name} --online', then run this again"
    return Finding("older_version_quoted", "info", message, fix=fix)
