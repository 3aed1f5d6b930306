"""Sentences that harm the draft's own case, each true to its source as it may be: findings for the author, no refusals."""

import re
from collections.abc import Iterator, Mapping

from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.section import Section, Sentence
from citeplug.related.attribute.attribution import rouge1_precision
from citeplug.text.cited_text import bare, copied_runs, words
from citeplug.text.compare import compare_titles
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_FIRST = re.compile(r"\b(?:the|our|their|is|are|as) (?:very )?first\b|\bfirst (?:to|time)\b|\bto our knowledge\b", re.I)
_NUMBER = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)\s?(k|thousand|m|million|b|billion)?(?![\w%])\+?((?:\s[^\W\d_][\w-]*){1,3})", re.I)  # fmt: skip
_POWERS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "b": 1e9, "billion": 1e9}
_SAME_ABSTRACT = 0.9  # ROUGE-1 precision of the shorter abstract: another version of the paper
_TELLING = 25  # words of an abstract; a shorter one tells no paper
_SAME_THING = 3  # words in common of two claims to be the first
_OWN = 0.8  # ROUGE-1 precision of a sentence against one of the draft's


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
            if not own.isdisjoint(sentence.cites):
                why = "the work that it cites seems to be this draft itself"
                findings.append(_finding("cites_itself", paragraph.id, sentence, why, "leave the paper out: --exclude"))
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
    said = bare(sentence.text)
    firsts = [claim for claim in claims if claims_first(claim)]
    if claims_first(said) and any(len(_stems(said) & _stems(claim)) >= _SAME_THING for claim in firsts):
        why = "it calls another work the first at what the draft claims to be the first at"
        yield _finding("concedes_first", paragraph, sentence, why, "say what exactly is first here, or there")
    sources = " ".join(source.text for source in sentence.sources if source.arxiv_id is not None)
    mine = [c for c in claims if copied_runs(said, c) or rouge1_precision(said, c) >= _OWN]
    if any(rouge1_precision(said, claim) > rouge1_precision(said, sources) for claim in mine):
        why = "it says of another work what the draft says of itself"
        yield _finding("own_claim_cited", paragraph, sentence, why, "cite nobody for it, or say what they did")
    ours = [number for claim in claims for number in _numbers(claim)]
    for shown, value, things in _numbers(said):
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
