"""Attribution of a sentence to its source: ROUGE-1 precision (TruthReader, section 2); and the place that it names there.

The place is the section or page of a full text that bears the sentence out.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from citeplug.protocols import Vectors
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.section import Section, SectionParagraph, Sentence
from citeplug.text.cited_text import QUOTED, bare, words
from citeplug.text.folding import fold_title

LOW_ATTRIBUTION = 0.4
Embed = Callable[[Sequence[str]], Vectors]


def rouge1_precision(sentence_text: str, source_text: str) -> float:
    """The share of the sentence's words that occur in the source: ROUGE-1 precision (TruthReader, section 4.2).

    0 to 1; each word counts at most as often as the source has it. 1 means that every word is the source's:
    nothing was added, which says neither that the sentence is true to it nor that it is well written.
    Reporting words ("propose", "while") cost a few hundredths each; below about 0.5 the sentence says
    things in words that the source does not use. Words are compared as they stand, without stemming.
    A sentence without words scores 0.
    """
    said, given = words(sentence_text), words(source_text)
    if not said:
        return 0.0
    return (Counter(said) & Counter(given)).total() / len(said)


def attribute(
    section: Section, papers: Mapping[str, Paper], embed: Embed | None = None, language: str = "English"
) -> tuple[Section, list[Finding]]:
    """The section with the score of each sentence against its sources; `papers` are the cited ones, by id.

    Names of authors and titles say nothing of the work and do not count; of a sentence that quotes, and that no model
    wrote, the quotation alone does: around it are words of the template.
    Finding `low_attribution`: a model's sentence whose score, averaged with the cosine of both texts where `embed`
    gives unit vectors (n, d), is below `LOW_ATTRIBUTION`. In another `language` than that of the sources only sentences
    on the draft can be judged: two languages have few words in common.
    """
    paragraphs: list[SectionParagraph] = []
    findings: list[Finding] = []
    for paragraph in section.paragraphs:
        sentences = tuple(replace(s, attribution=_score(s, papers)) for s in paragraph.sentences)
        paragraphs.append(replace(paragraph, sentences=sentences))
        for sentence in sentences:
            if sentence.by_model and (language == "English" or sentence.kind == "draft"):
                findings += _low(sentence, embed)
    return Section(tuple(paragraphs)), findings


def _score(sentence: Sentence, papers: Mapping[str, Paper]) -> float | None:
    if sentence.kind in ("topic", "group"):
        return None
    return rouge1_precision(_said(sentence, papers), " ".join(source.text for source in sentence.sources))


def _said(sentence: Sentence, papers: Mapping[str, Paper]) -> str:
    """What a sentence says of its works; the whole of it if that is their titles alone."""
    titles = [papers[cite].title for cite in sentence.cites if cite in papers]
    folded = {fold_title(title) for title in titles}
    text = QUOTED.sub(lambda quoted: " " if fold_title(quoted[0]) in folded else quoted[0], sentence.text)
    for title in titles:
        text = text.replace(title, " ")
    quotations = [] if sentence.by_model else QUOTED.findall(text)
    said = " ".join(quotations) or text
    return said if words(said) else sentence.text


def _low(sentence: Sentence, embed: Embed | None) -> Iterator[Finding]:
    said, score = bare(sentence.text), sentence.attribution
    if score is None:
        return
    if embed is not None:
        own, theirs = embed([said, " ".join(source.text for source in sentence.sources)])
        score = (score + float(own @ theirs)) / 2
    if score < LOW_ATTRIBUTION:
        yield Finding(
            "low_attribution",
            "info",
            f"attribution {score:.2f}: few of this sentence's words are its sources': {said[:160]}",
            fix="compare it with the quotations in .citeplug/provenance.json",
        )


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
