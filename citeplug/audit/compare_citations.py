"""A draft's own sentences compared with the works that they cite: by names, by rules, in meaning, and by a judge.

    paragraphs -> sentences that cite -> names in front -> with `compare`: contradictions, better fits
                                                        -> with a model: verdicts of the judge

What is found is a doubt, with both passages; a sentence of which nothing is found may be wrong all the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from citeplug.audit.citation_contexts import unlike_others
from citeplug.audit.cited_claims import CitedWork, Claim, cited_work, nearest_passage, read_claims
from citeplug.audit.conflicts import find_conflicts
from citeplug.audit.judging import CitedReferences, judge_citations
from citeplug.audit.misattribution import Embed, fits_other, fittings, named_otherwise, year_differs
from citeplug.protocols import LanguageModel
from citeplug.records.audit import CitationDoubt
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.finding import Finding
from citeplug.records.prose import ProseParagraph
from citeplug.records.rules import RULES
from citeplug.related.attribute.claims import opposites
from citeplug.related.attribute.numbers import unknown_numbers
from citeplug.related.attribute.plainness import first_person
from citeplug.related.progress import Tools
from citeplug.related.retrieve.cited_papers import MOST, papers_of_entries
from citeplug.related.retrieve.queries import cited_entries
from citeplug.text.compare import entry_title
from citeplug.text.language import language_of
from citeplug.text.sameness import describe_entry

# Of a person's own sentence only what contradicts the source: numbers and names that it lacks are in the full text.
_CONTRADICTIONS = frozenset(("number_of", "opposite"))


@dataclass(frozen=True, slots=True)
class ComparedCitations:
    """What was found, `findings` on the model itself, and what was looked at and what was not, in sentences."""

    doubts: tuple[CitationDoubt, ...] = ()
    findings: tuple[Finding, ...] = ()
    looked_at: tuple[str, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()


def compare_citations(
    draft: Draft,
    prose: Sequence[ProseParagraph],
    tools: Tools,
    embed: Embed,
    *,
    compare: bool = False,
    model: LanguageModel | None = None,
) -> ComparedCitations:
    """Compare the sentences that cite with what they cite.

    Names are always compared, and uses with how others cite the work; `compare` adds contradictions and other
    references that fit better, `model` the judge, whose verdict stands in the place of these. Each sentence has one
    doubt at most.
    """
    cited = read_references(draft, tools)
    claims = read_claims(prose, cited.works)
    behind = [
        claim
        for claim in claims
        if any(key in cited.works and len(cited.works[key].passages) > 1 for key in claim.keys)
    ]
    doubts_found = [doubt for claim in claims for doubt in named_otherwise(claim, cited.works, draft.title)]
    looked = [f"{_sentences(len(claims))} with an author's name in front of a citation"] if claims else []
    missed: list[str] = []
    findings: tuple[Finding, ...] = ()
    judged: set[Claim] = set()
    english = language_of(draft) == "English"
    if model is not None:
        doubts, judged, findings = judge_citations(draft, prose, claims, cited, tools.texts, model)
        looked.append(f"{_sentences(len(judged))} compared with what they cite, by {model.name}")
        conflicts, trouble, count = find_conflicts(claims, cited.works, model)
        doubts_found += [*doubts, *conflicts]
        findings += tuple(finding for finding in trouble if finding.code not in {finding.code for finding in findings})
        if count:
            looked.append(f"{count} cited works compared with each other, by {model.name}")
        missed += _not_compared(
            len(claims) - len(judged), "citing a work without a text here, or left without an answer"
        )
    elif not compare or not english:
        missed.append("whether the works say what the draft says of them")
    elif claims:
        missed += _not_compared(len(claims) - len(behind), "whose works have no abstract here")
        missed.append("whether the works mean what the draft says of them, which takes a language model")
    if compare and english:
        doubts_found += [doubt for claim in claims for doubt in year_differs(claim, cited.works)]
        doubts_found += _compare([claim for claim in behind if claim not in judged], cited.works, embed)
        looked.append(f"{_sentences(len(behind))} compared with what they cite, by their words")
    if english:
        doubts, uses = unlike_others([c for c in claims if c not in judged], cited, tools.graph, embed)
        doubts_found += doubts
        if uses:
            looked.append(f"{_sentences(uses)} compared with how papers here cite the work")
    first: dict[tuple[object, ...], CitationDoubt] = {}
    for doubt in doubts_found:
        # What other works say of each other is no doubt on the sentence.
        others = (doubt.source, doubt.fits) if doubt.code == "works_disagree" else None
        first.setdefault((doubt.file, doubt.line, doubt.sentence, others), doubt)
    return ComparedCitations(tuple(first.values()), findings, tuple(looked), tuple(missed))


def _not_compared(sentences: int, which: str) -> list[str]:
    return [f"{_sentences(sentences)} {which}"] if sentences else []


def _sentences(number: int) -> str:
    return "1 sentence" if number == 1 else f"{number:,} sentences"


def finding_of(doubt: CitationDoubt) -> Finding:
    """Return the finding, with both passages in its message."""
    source, fits = doubt.source, doubt.fits
    message = f"{doubt.reason}. Your sentence: “{doubt.sentence}” The {source.of} of {source.key}: “{source.text}”"
    if fits is not None:
        message += f" The {fits.of} of {fits.key}: “{fits.text}”"
    fix = "read both passages, and correct the sentence or the citation"
    if doubt.code == "works_disagree":
        fix = "read both, and say that they disagree, or why both may hold"
    elif fits is not None:
        fix = f"cite {fits.key}, if that is the one you mean"
    elif doubt.code == "cited_unlike_others":
        fix = "check that this is the work you mean, and say what you cite it for"
    return Finding(doubt.code, RULES[doubt.code].severity, message, doubt.file, doubt.line, None, fix)


def read_references(draft: Draft, tools: Tools) -> CitedReferences:
    """The entries that are cited, most often first, and then the others: one of them may be the one that was meant."""
    by_key: dict[str, BibEntry] = {}
    for entry in (*cited_entries(draft), *draft.entries):
        by_key.setdefault(entry.key.lower(), entry)
    entries = list(by_key.values())[:MOST]
    papers = papers_of_entries(entries, tools.index, tools.lookup.index)
    # A work that has an abstract is compared with that: sentences of a whole text would take minutes to embed.
    bare = [paper.id.value for paper in papers.values() if not paper.abstract]
    texts = tools.texts.newest(bare) if tools.texts is not None and bare else {}
    works = {}
    for entry in entries:
        paper, described = papers.get(entry.key), describe_entry(entry)
        title = paper.title if paper is not None else entry_title(entry)
        authors = (paper.authors if paper is not None else ()) or (() if described.cut else described.names)
        text = texts.get(paper.id.value) if paper is not None else None
        sections = [section.text for section in text.sections] if text is not None else []
        if title:
            abstract = paper.abstract if paper is not None else ""
            dates = [described.first, *((paper.published.year, paper.updated.year) if paper is not None else ())]
            years = {year for year in dates if year is not None and year > 1}
            works[entry.key.lower()] = cited_work(entry.key, title, authors, abstract, sections, years)
    return CitedReferences(works, {key.lower(): paper for key, paper in papers.items()})


def _compare(claims: Sequence[Claim], works: Mapping[str, CitedWork], embed: Embed) -> Iterator[CitationDoubt]:
    # What the draft says of itself is not what the cited works say.
    of_others = [claim for claim in claims if first_person(claim.text) is None]
    for claim in of_others:
        yield from contradictions(claim, works)
    for fitting in fittings(of_others, works, embed):
        doubt = fits_other(fitting, works)
        if doubt is not None:
            yield doubt


def contradictions(claim: Claim, works: Mapping[str, CitedWork]) -> Iterator[CitationDoubt]:
    """Yield a doubt where the sentence cites one work alone and says of a thing what contradicts that work."""
    cited = [works[key] for key in claim.keys if key in works]
    if len(claim.keys) != 1 or not cited or not cited[0].abstract:
        return
    work = cited[0]
    sources = [f"{work.title} . {work.abstract}"]
    suspected = [*unknown_numbers(claim.text, sources), *opposites(claim.text, sources)]
    reason = next((doubt.reason for doubt in suspected if doubt.code in _CONTRADICTIONS), None)
    source = nearest_passage(claim.text, work)
    if reason is not None and source is not None:
        yield CitationDoubt("source_differs", reason, claim.shown, source, claim.file, claim.sentence.line)
