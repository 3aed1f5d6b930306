"""The places that citations name: the section or page of a full text that bears a sentence out."""

from dataclasses import replace

from citeplug.records.section import Section, Sentence


def with_pinpoints(section: Section, *, wanted: bool) -> Section:
    """The section with the place that each sentence's citation names; with none where they are not `wanted`."""
    paragraphs = (
        replace(each, sentences=tuple(replace(s, pinpoint=pinpoint(s) if wanted else "") for s in each.sentences))
        for each in section.paragraphs
    )
    return Section(tuple(paragraphs))


def pinpoint(sentence: Sentence) -> str:
    """The one place in the one work cited that all of the sentence's sources are from; empty if there is no such."""
    if len(set(sentence.cites)) != 1:
        return ""
    places = {source.place for source in sentence.sources if source.arxiv_id is not None}
    return places.pop() if len(places) == 1 else ""
