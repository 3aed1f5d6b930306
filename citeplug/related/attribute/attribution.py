"""Attribution of a sentence to its source: ROUGE-1 precision (TruthReader, section 2); and the place that it names there.

The place is the section or page of a full text that bears the sentence out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from citeplug.protocols import FullTexts, Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.records.section import Section, SectionParagraph, Sentence, Source
from citeplug.text.cited_text import QUOTED, bare, copied_runs, words
from citeplug.text.cleaning import collapsed
from citeplug.text.compare import compare_titles
from citeplug.text.folding import fold_title
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

LOW_ATTRIBUTION = 0.4
Embed = Callable[[Sequence[str]], Vectors]

_FIRST = re.compile(r"\b(?:the|our|their|is|are|as) (?:very )?first\b|\bfirst (?:to|time)\b|\bto our knowledge\b", re.I)
_NUMBER = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?(k|thousand|m|million|b|billion)?(?![\w%])\+?((?:\s[^\W\d_][\w-]*){1,3})", re.I)  # fmt: skip
_POWERS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9}
_SAME_ABSTRACT = 0.9  # ROUGE-1 precision of the shorter abstract: another version of the paper
_TELLING = 25  # words of an abstract; a shorter one tells no paper
_SAME_THING = 3  # words in common of two claims to be the first
_OWN = 0.8  # ROUGE-1 precision of a sentence against one of the draft's


def rouge1_precision(sentence_text: str, source_text: str) -> float:
    """The share of the sentence's words that occur in the source: ROUGE-1 precision (TruthReader, section 4.2).

    0 to 1; each word counts at most as often as the source has it. 1 means that every word is the source's:
    nothing was added, which says neither that the sentence is true to it nor that it is well written.
    Reporting words ("propose", "while") cost a few hundredths each; below about 0.5 the sentence says
    things in words that the source does not use. Words are compared as they stand, without stemming.
    A sentence without words scores 0.
    """
    own_words, source_words = words(sentence_text), words(source_text)
    if not own_words:
        return 0.0
    return (Counter(own_words) & Counter(source_words)).total() / len(own_words)


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
    wording = " ".join(quotations) or text
    return wording if words(wording) else sentence.text


def _low(sentence: Sentence, embed: Embed | None) -> Iterator[Finding]:
    wording, score = bare(sentence.text), sentence.attribution
    if score is None:
        return
    if embed is not None:
        own, theirs = embed([wording, " ".join(source.text for source in sentence.sources)])
        score = (score + float(own @ theirs)) / 2
    if score < LOW_ATTRIBUTION:
        yield Finding(
            "low_attribution",
            "info",
            f"attribution {score:.2f}: few of this sentence's words are in its sources: {wording[:160]}",
            fix="compare it with the quotations in .citeplug/provenance.json",
        )


def with_pinpoints(section: Section, *, enabled: bool) -> Section:
    """The section with the place that each sentence's citation names; with none where this is not `enabled`."""
    paragraphs = (
        replace(
            paragraph, sentences=tuple(replace(s, pinpoint=pinpoint(s) if enabled else "") for s in paragraph.sentences)
        )
        for paragraph in section.paragraphs
    )
    return Section(tuple(paragraphs))


def pinpoint(sentence: Sentence) -> str:
    """The one place in the one work cited that all of the sentence's sources are from; empty if there is none."""
    if len(set(sentence.cites)) != 1:
        return ""
    places = {source.place for source in sentence.sources if source.arxiv_id is not None}
    return places.pop() if len(places) == 1 else ""


def mark_older(
    section: Section, papers: Mapping[str, Paper], texts: FullTexts | None
) -> tuple[Section, tuple[Finding, ...]]:
    """The section with the newer version at each source that is from an older one, and a finding for each paper.

    A newer version is known by the paper's record or by its text on this machine. Where that text still has the
    passage, word for word, nothing is marked.
    """
    cited = {
        s.arxiv_id for sentence in _sentences(section) for s in sentence.sources if s.version and s.of == "full text"
    }
    values = sorted(value for value in cited if value is not None)
    if not values:
        return section, ()
    newest = {} if texts is None else texts.newest(values)
    newer_versions: dict[str, tuple[int, int, bool]] = {}

    def marked(source: Source) -> Source:
        value, version = source.arxiv_id, source.version
        if value is None or version is None or source.of != "full text":
            return source
        text = newest.get(value)
        versions = [papers[value].id.version if value in papers else None, text.version if text is not None else None]
        newer = max((known for known in versions if known is not None), default=0)
        if newer <= version or (text is not None and text.version == newer and has_words(text, source.text)):
            return replace(source, newer=None)
        newer_versions[value] = (version, newer, text is not None and text.version == newer)
        return replace(source, newer=newer)

    paragraphs = tuple(
        replace(p, sentences=tuple(replace(s, sources=tuple(map(marked, s.sources))) for s in p.sentences))
        for p in section.paragraphs
    )
    return replace(section, paragraphs=paragraphs), tuple(
        _older(value, *versions) for value, versions in newer_versions.items()
    )


def _sentences(section: Section) -> list[Sentence]:
    return [sentence for paragraph in section.paragraphs for sentence in paragraph.sentences]


def has_words(text: PaperText, quotation: str) -> bool:
    """Return True if a quotation, white space collapsed, is in a text word for word."""
    return any(quotation in collapsed(section.text) for section in text.sections)


def _older(value: str, version: int, newer: int, is_gone: bool) -> Finding:
    name = shown_id(value)
    if is_gone:
        message = f"a sentence is from version {version} of {name}, but version {newer} does not have these words"
        fix = f"compare it with 'citeplug paper {name}', or delete it to have it written again"
        return Finding("older_version_quoted", "warning", message, fix=fix)
    message = f"a sentence is from version {version} of {name}, and there is a version {newer}"
    fix = f"get its text with 'citeplug fetch {name} --online', then run this again"
    return Finding("older_version_quoted", "info", message, fix=fix)


def self_harm(section: Section, draft: Draft, papers: Mapping[str, Paper]) -> list[Finding]:
    """Findings on sentences that speak against the draft. `papers` are by arXiv id without version.

    `cites_itself`: the draft, by its title or its abstract, among its references; `concedes_first`: another work is
    called the first at what the draft claims to be the first at; `own_claim_cited`: what the draft says of itself, with
    another's citation; `rival_ahead`: a number of another work above the draft's own of the same thing, and no word on
    what is different.
    """
    findings: list[Finding] = []
    own = {value for value, paper in papers.items() if _is(draft, paper)}
    text = " ".join(draft.abstract.split())
    claims = [text[start:end] for start, end in split_sentences(text)]
    for paragraph in section.paragraphs:
        for sentence in paragraph.sentences:
            for paper in sorted(own.intersection(sentence.cites)):
                why = "the work it cites seems to be this draft itself"
                fix = f"leave the paper out: 'citeplug related --exclude {paper}'"
                findings.append(_finding("cites_itself", paragraph.id, sentence, why, fix))
            if sentence.cites and sentence.kind != "contrast":
                findings += _against(sentence, paragraph.id, claims)
    return findings


def claims_first(text: str) -> bool:
    """Return True if a text says that something was the first of its kind."""
    return _FIRST.search(text) is not None


def _is(draft: Draft, paper: Paper) -> bool:
    if draft.title and compare_titles(draft.title, paper.title) == "same":
        return True
    shorter, longer = sorted((draft.abstract, paper.abstract), key=len)
    return len(words(shorter)) >= _TELLING and rouge1_precision(shorter, longer) >= _SAME_ABSTRACT


def _against(sentence: Sentence, paragraph: str, claims: list[str]) -> Iterator[Finding]:
    wording = bare(sentence.text)
    firsts = [claim for claim in claims if claims_first(claim)]
    if claims_first(wording) and any(len(_stems(wording) & _stems(claim)) >= _SAME_THING for claim in firsts):
        why = "it calls another work the first at what the draft claims to be the first at"
        yield _finding("concedes_first", paragraph, sentence, why, "say what exactly is first here, or there")
    sources = " ".join(source.text for source in sentence.sources if source.arxiv_id is not None)
    mine = [c for c in claims if copied_runs(wording, c) or rouge1_precision(wording, c) >= _OWN]
    if any(rouge1_precision(wording, claim) > rouge1_precision(wording, sources) for claim in mine):
        why = "it says of another work what the draft says of itself"
        yield _finding("own_claim_cited", paragraph, sentence, why, "cite nobody for it, or say what they did")
    ours = [number for claim in claims for number in _numbers(claim)]
    for shown, value, things in _numbers(wording):
        behind = [mine for mine, less, same in ours if less < value and things & same]
        if behind:
            why = f"its {shown} is above the draft's {behind[0]}, and nothing is said of what is different"
            yield _finding("rival_ahead", paragraph, sentence, why, "say what sets the draft apart in spite of it")
            return


def _numbers(text: str) -> Iterator[tuple[str, float, frozenset[str]]]:
    """Numbers of things: as written, their value, and the stems of what they count."""
    for match in _NUMBER.finditer(text):
        power = _POWERS.get((match[2] or "").lower(), 1.0)
        things = frozenset(stem(word) for word in words(match[3]) if word not in STOPWORDS)
        if things:
            yield match[0].strip(), float(match[1].replace(",", "")) * power, things


def _stems(text: str) -> set[str]:
    return {stem(word) for word in words(text) if word not in STOPWORDS and word != "first"}


def _finding(code: str, paragraph: str, sentence: Sentence, why: str, fix: str) -> Finding:
    return Finding(code, "warning", f"{paragraph}: {why}: {bare(sentence.text)[:300]}", fix=fix)
