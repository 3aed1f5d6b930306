"""`citeplug audit`: what a reviewer could hold against the citations of a draft. Nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from citeplug.audit.anonymity import is_anonymous, residues
from citeplug.audit.balance import balance_of, rows_of_citations, unlinked_works
from citeplug.audit.compare_citations import compare_citations, finding_of
from citeplug.audit.judge_novelty import judge_claims
from citeplug.audit.novelty import claims_of_novelty, closest_works, finding_on
from citeplug.audit.quotations import changed_sources, compare_quotations
from citeplug.audit.uncited import (
    NEAR,
    NamedWork,
    UncitedClaim,
    beginning,
    claims_without_citation,
    clear_paper,
    first_surname,
    is_cited,
    names_without_citation,
    outside_section,
    paper_of,
    place,
    where_works_are_discussed,
)
from citeplug.bib.check import check_bibliography
from citeplug.bib.compare.duplicates import match_existing
from citeplug.bib.suppress import ignored_codes, suppress
from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.errors import CiteplugError, CorpusEmpty, ModelUnavailable, SourceUnavailable, UnreadableInput
from citeplug.files.project_files import as_given
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.latex.roots import find_root
from citeplug.project.find_project import find_project
from citeplug.project.section_targets import generated_files
from citeplug.protocols import LanguageModel
from citeplug.records.audit import Audit, CitationDoubt, MissingWork, NoveltyClaim
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import Filter, Paper, shown_id
from citeplug.records.prose import ProseParagraph
from citeplug.records.work import Service
from citeplug.related.draft_date import date_findings, newer_than
from citeplug.related.named_papers import OpenCorpus
from citeplug.related.options import options_for_run
from citeplug.related.papers import list_papers
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.related.retrieve.queries import cited_entries
from citeplug.related.tools import open_tools
from citeplug.settings.environment import Settings
from citeplug.text.compare import compare_titles
from citeplug.text.language import language_of
from citeplug.text.people import cited_people
from citeplug.text.sameness import Described, describe_entry, describe_paper, nearly_same

MOST = 5  # missing works
LISTED = 40  # papers of which those that fit the draft may be proposed
_REFERENCES = 1_000  # of one paper
_RECORDS = 200  # with a name in the title, and in the abstract
_OF_CLAIM = 100  # records that share words with a claim


@dataclass(slots=True)
class _Found:
    """What was found so far; `perhaps`, `looked_at`, `not_looked_at`, `lacking` as in `Audit`, `unlinked` in `Balance`.

    `near` are the ids of papers that the draft should discuss; works of `before` that day are earlier ones.
    """

    findings: list[Finding] = field(default_factory=list)
    missing: list[MissingWork] = field(default_factory=list)
    perhaps: list[MissingWork] = field(default_factory=list)
    doubts: list[CitationDoubt] = field(default_factory=list)
    novelty: list[NoveltyClaim] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    not_looked_at: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    near: frozenset[str] = frozenset()
    unlinked: tuple[str, ...] | None = None
    before: date | None = None


def audit_draft(
    main: Path,
    settings: Settings,
    *,
    online: bool,
    report: Report,
    overrides: Mapping[str, Any] | None = None,
    sources: Sequence[Service] = (),
    announce: Announce | None = None,
    announce_service: Announce | None = None,
    today: date | None = None,
    compare: bool = False,
    model: LanguageModel | None = None,
) -> Audit:
    """Read the draft, check what it cites, and look for what it does not cite.

    `overrides` are options of the command line by which papers are chosen; `compare` and `model` are as for
    `compare_citations`; the rest is as for `check_bibliography`. An empty catalogue and services that do not answer
    narrow the audit, which says so. Raises UnreadableInput.
    """
    today = today or date.today()
    checked = check_bibliography(
        [find_root(main)],
        settings,
        report=report,
        sources=sources,
        announce=announce,
        announce_service=announce_service,
        today=today,
    )
    draft = checked.draft
    assert draft is not None
    prose = read_prose(draft)
    # What citeplug wrote cites newer works than the author knew, and works that the author does not.
    own = read_draft(draft.root, skip=generated_files(find_project(draft.root).where), prose=False)
    by_author = replace(draft, cites=own.cites)
    results = _Found([*rows_of_citations(draft)])
    if draft.root != as_given(main):
        results.looked_at.append(f"{draft.root.name}, the main file of {as_given(main).name}")
    known, compared = checked.verdicts.total(), checked.compared
    beside = ", with those of citeplug's section" if len(own.cites) < len(draft.cites) else ""
    results.looked_at.append(f"{known:,} cited entries{beside}, {compared:,} of them against a record")
    if settings.offline:
        results.not_looked_at.append("arXiv's own records, offline")
    outages = [finding.message for finding in checked.findings if finding.code == "source_unavailable"]
    results.not_looked_at += outages or ["records that a service did not return"] * checked.outage
    if is_anonymous(draft):
        results.findings += residues(draft)
        results.looked_at.append("what tells a reviewer who wrote it")
    claims = claims_without_citation(draft, prose)
    offers: dict[UncitedClaim, tuple[str, str]] = {}
    try:
        with open_tools(settings, online, announce=announce) as tools:
            opened = partial(open_corpus, settings)
            _look_for_missing(draft, own, prose, overrides or {}, opened, tools, today, report, results)
            _look_for_names(draft, prose, tools, report, results)
            _look_at_citations(draft, prose, tools, report, results, compare=compare, model=model)
            _look_at_novelty(draft, prose, results.before or today, tools, report, results, model=model)
            offers = _offers(claims, draft, tools, report)
            results.findings += changed_sources(find_project(draft.root), tools)
            results.unlinked = _unlinked(by_author, results.near, tools)
    except (CorpusEmpty, SourceUnavailable, ModelUnavailable, UnreadableInput) as error:
        results.not_looked_at += [_without(error), "whether the works say what the draft says of them"]
    _add_claims(claims, offers, draft, results)
    findings = (*checked.findings, *results.findings, *(_finding(missing_work) for missing_work in results.missing))
    whole = suppress(replace(checked, findings=findings), ignored_codes(draft.root.parent))
    messages_left = {finding.message for finding in whole.findings}
    return Audit(
        whole,
        tuple(missing_work for missing_work in results.missing if _finding(missing_work).message in messages_left),
        replace(balance_of(by_author, outside_section(prose)), unlinked=results.unlinked),
        tuple(results.looked_at),
        tuple(results.not_looked_at),
        tuple(doubt for doubt in results.doubts if finding_of(doubt).message in messages_left),
        tuple(results.perhaps),
        tuple(claim for claim in results.novelty if finding_on(claim).message in messages_left),
        lacking=tuple(results.lacking),
    )


def _look_at_citations(
    draft: Draft,
    prose: Sequence[ProseParagraph],
    tools: Tools,
    report: Report,
    results: _Found,
    *,
    compare: bool,
    model: LanguageModel | None,
) -> None:
    """Add the citations that their works may not support."""
    report("compare citations", 0, None)
    for done in (
        compare_quotations(draft, prose, tools),
        compare_citations(draft, prose, tools, tools.index.embed, compare=compare, model=model),
    ):
        results.doubts += done.doubts
        results.findings += [*done.findings, *map(finding_of, done.doubts)]
        results.looked_at += done.looked_at
        results.not_looked_at += done.not_looked_at
        results.lacking += done.lacking


def _look_at_novelty(
    draft: Draft,
    prose: Sequence[ProseParagraph],
    before: date,
    tools: Tools,
    report: Report,
    results: _Found,
    *,
    model: LanguageModel | None,
) -> None:
    """Add the claims to be first or new, with the earlier works that come closest."""
    if language_of(draft) != "English":
        results.not_looked_at.append("claims of novelty (English only)")
        return
    claims = closest_works(draft, claims_of_novelty(draft, prose), tools, before, report)
    if model is not None:
        claims, findings = judge_claims(claims, draft, model)
        results.findings += findings
    results.novelty = list(claims)
    results.findings += map(finding_on, claims)
    number = f"{len(claims) or 'no'} {'claim' if len(claims) == 1 else 'claims'} of novelty"
    against = f", compared with {tools.index.records:,} records before {before:%Y-%m-%d}" if claims else " found"
    results.looked_at.append(number + against)


def _look_for_missing(
    draft: Draft,
    own: Draft,
    prose: Sequence[ProseParagraph],
    overrides: Mapping[str, Any],
    opened: OpenCorpus,
    tools: Tools,
    today: date,
    report: Report,
    results: _Found,
) -> None:
    """Add the papers that the draft should discuss and does not cite, each with the paragraph to which it belongs."""
    options, doubts = options_for_run(Options(), overrides, draft, with_model=False, open_corpus=opened)
    before = results.before = options.before or today
    listed, told, graph = list_papers(
        draft, options, tools, before=before, progress=Progress(report), most=LISTED, missing=True, own=own
    )
    # A catalogue may have the draft itself, and one that knows little of a field has nothing that fits.
    others = [
        listed_paper
        for listed_paper in listed
        if listed_paper.sound and compare_titles(draft.title, listed_paper.paper.title) != "same"
    ]
    results.near = frozenset(listed_paper.paper.id.value for listed_paper in listed)
    entries = [describe_entry(entry) for entry in cited_entries(draft)]
    fitting = [other for other in others if other.fits and not _is_form_of(other.paper, entries)]
    sure = [candidate for candidate in fitting if candidate.surely][:MOST]
    perhaps = [candidate for candidate in fitting if not candidate.surely][:MOST]
    newer = {paper.id for paper in newer_than(own, [one.paper for one in (*sure, *perhaps)])[1]}
    sure, perhaps = (sorted(some, key=lambda one: one.paper.id in newer) for some in (sure, perhaps))
    papers = [(one.paper, one.reasons) for one in (*sure, *perhaps)]
    paragraphs = where_works_are_discussed(outside_section(prose)) if papers else []
    vectors = tools.index.vectors_of([paper for paper, _ in papers]) if paragraphs else {}
    report("find the paragraphs of missing works", 0, None)
    beside = tools.index.embed([paragraph.text for paragraph in paragraphs])
    works = place(papers, paragraphs, vectors, beside, tools.index.embed)
    placed = [replace(work, newer=work.paper.id in newer) for work in works]
    results.missing, results.perhaps = placed[: len(sure)], placed[len(sure) :]
    results.findings += [*doubts, *date_findings(own, options, [candidate.paper for candidate in sure])]
    outages = [finding for finding in told if finding.code == "source_unavailable"]
    results.findings += outages
    results.not_looked_at += [f"works that you do not cite, by arXiv's search: {one.message}" for one in outages]
    graphed = f", and the reference lists of {graph.known} of {graph.seeds} near papers" if graph and graph.used else ""
    fit = {0: "none fits", 1: "1 fits"}.get(len(papers), f"{len(papers)} fit")
    few = f": {fit} the draft" if len(papers) < MOST else ""
    until = "" if before == today else f" from before {before:%Y-%m-%d}"
    results.looked_at.append(f"{tools.index.records:,} papers{until}, for works that you do not cite{graphed}{few}")


def _is_form_of(paper: Paper, entries: Sequence[Described]) -> bool:
    """Return True if one of the entries is of the paper, or may be of another form of it."""
    described = describe_paper(paper)
    return any(nearly_same(described, entry) for entry in entries)


def _look_for_names(
    draft: Draft, prose: Sequence[ProseParagraph], tools: Tools, report: Report, results: _Found
) -> None:
    """Add the works that the text names and does not cite."""
    cited = {key.lower() for cite in draft.cites for key in cite.keys}
    candidates = [named for named in names_without_citation(draft, prose) if not is_cited(named.name, draft, cited)]
    works: list[tuple[NamedWork, Paper]] = []
    for number, named in enumerate(candidates):
        report("look up names", number, len(candidates))
        titled = tools.lookup.index.by_title(named.name, _RECORDS)
        beside = tools.index.papers([value for value, _ in tools.index.lexical(named.name, _RECORDS, Filter())])
        paper = paper_of(named.name, titled, beside.values())
        if paper is not None and compare_titles(draft.title, paper.title) != "same":
            works.append((named, paper))
    keys = match_existing([paper for _, paper in works], draft.entries, draft.cites)
    works = [(name, paper) for name, paper in works if keys.get(paper.id.value, "").lower() not in cited]
    if works:
        own = f"{draft.title}. {draft.abstract}"
        texts = tools.index.embed([own, *(name.paragraph.text for name, _ in works)])
        vectors = tools.index.vectors_of([paper for _, paper in works])
        for row, (named, paper) in enumerate(works, 1):
            vector = vectors.get(paper.id.value)
            if vector is not None and max(texts[0] @ vector, texts[row] @ vector) >= NEAR:
                results.findings.append(_uncited_name(named, paper, keys.get(paper.id.value)))
    known = sum(finding.code == "uncited_name" for finding in results.findings) or "none"
    looked = f"{len(candidates):,} looked at, {known} of them a known paper" if candidates else "none"
    results.looked_at.append(f"names without a citation: {looked}")


def _unlinked(draft: Draft, near: frozenset[str], tools: Tools) -> tuple[str, ...] | None:
    """Return the keys of cited works that no paper near the draft cites, by the citation graph on this machine."""
    if tools.graph is None:
        return None
    cited = cited_papers(draft, tools.index, tools.lookup.index)
    values = [*near, *(paper.id.value for paper in cited.values())]
    return unlinked_works(cited, near, tools.graph.references(values, _REFERENCES))


def _uncited_name(named: NamedWork, paper: Paper, key: str | None) -> Finding:
    times = f"{named.times} times" if named.times > 1 else "once"
    title = paper.title.removeprefix(named.name).lstrip(" :–—-")  # which opens with the name
    message = f"{named.name} is named {times} but not cited: {title} ({_who(paper)})"
    fix = f"cite {key}" if key else f"'citeplug cite {paper.id.value}' prints its entry"
    place = (named.paragraph.file, named.sentence.line)
    return Finding("uncited_name", "warning", message, *place, fix=fix, arxiv_id=paper.id.value)


def _offers(
    claims: Sequence[UncitedClaim], draft: Draft, tools: Tools, report: Report
) -> dict[UncitedClaim, tuple[str, str]]:
    """Return the works that claims are clearly about: in words that follow "cite", and by arXiv id."""
    if not claims:
        return {}
    report("look for works of claims", 0, None)
    own, *texts = tools.index.embed([f"{draft.title}. {draft.abstract}", *(claim.sentence.text for claim in claims)])
    papers: dict[UncitedClaim, Paper] = {}
    for claim, text in zip(claims, texts, strict=True):
        beside = tools.index.papers(
            [value for value, _ in tools.index.lexical(claim.sentence.text, _OF_CLAIM, Filter())]
        )
        others = [p for p in beside.values() if p.complete and compare_titles(draft.title, p.title) != "same"]
        clear = clear_paper(text, own, tools.index.vectors_of(others))
        if clear is not None:
            papers[claim] = beside[clear]
    keys = match_existing(list(papers.values()), draft.entries, draft.cites)
    return {
        claim: (keys.get(paper.id.value) or f"{paper.title} ({_who(paper)})?", paper.id.value)
        for claim, paper in papers.items()
    }


def _add_claims(
    claims: Sequence[UncitedClaim], offers: Mapping[UncitedClaim, tuple[str, str]], draft: Draft, results: _Found
) -> None:
    """Add the claims about others' work without a citation, but for those in which a work is named already."""
    named = {(finding.file, finding.line) for finding in results.findings if finding.code == "uncited_name"}
    for claim in claims:
        place = (claim.paragraph.file, claim.sentence.line)
        if place not in named:
            message = f"others' work without a citation: {beginning(claim.sentence.text)}"
            words, arxiv_id = offers.get(claim, ("", None))
            fix = f"cite the work: {words}" if words else "cite the work"
            results.findings.append(Finding("uncited_claim", "info", message, *place, fix=fix, arxiv_id=arxiv_id))
    if language_of(draft) == "English":
        results.looked_at.append(f"sentences on other work without a citation: {len(claims) or 'none'}")
    else:
        results.not_looked_at.append("sentences about others' work without a citation (English only)")


def _finding(missing: MissingWork) -> Finding:
    paper, number = missing.paper, shown_id(missing.paper.id.value)
    name = f"{cited_people(paper.authors)} {paper.published.year}".strip()
    why = f": {missing.reasons[0].text}" if missing.reasons else ""
    message = f"{paper.title} ({name}, {number}), not cited{why}"  # a list of problems cuts the end
    fix = "cite it, or exclude it"
    return Finding("missing_work", "info", message, missing.file, missing.line, fix=fix, arxiv_id=paper.id.value)


def _who(paper: Paper) -> str:
    return f"{first_surname(paper)}, {shown_id(paper.id.value)}"


def _without(error: CiteplugError) -> str:
    return f"works that you do not cite: {error}" + (f" ({error.hint})" if error.hint else "")
