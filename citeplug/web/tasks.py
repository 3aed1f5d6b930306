"""What the review page has done in processes of their own, which Cancel kills.

Nothing is sent, save words and ids to arXiv, titles, surnames and DOIs of entries to Crossref, titles and DOIs of
papers found to OpenAlex, and what a language model
gets that was chosen and agreed to.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from citeplug.ask import added
from citeplug.audit.run import audit_draft
from citeplug.bib import collect_library
from citeplug.bib.check import check_bibliography
from citeplug.bib.fix_bibliography import fix_bibliography
from citeplug.bib.fixed import FixRequest, FixResult
from citeplug.bib.zotero_save import save_papers
from citeplug.corpus.fulltext.fetch_texts import fetch_texts
from citeplug.corpus.harvest import HarvestProgress
from citeplug.corpus.stores import open_corpus
from citeplug.errors import UsageError
from citeplug.jobs.worker import Channel
from citeplug.llm.asked_model import ExpectedCost, asked_model
from citeplug.positioning.run import find_gaps
from citeplug.positioning.table import make_table
from citeplug.project.any_draft import read_any_draft
from citeplug.project.find_project import Project, find_project
from citeplug.project.section_targets import generated_files
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import ArxivId, Candidate, shown_id
from citeplug.records.report import BibReport
from citeplug.records.work import Service
from citeplug.related.job import write_related
from citeplug.related.near_papers import add_near_papers
from citeplug.related.papers import Listing, list_for_draft
from citeplug.related.progress import NO_OTHERS, FurtherSources, Report
from citeplug.related.retrieve.search import SearchRequest, open_searcher
from citeplug.related.tools import Job
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource
from citeplug.sources.oai import oai_set
from citeplug.upkeep import catalogue
from citeplug.web.writing import Files, Rewritten, files_of_run, rewritten

Results = tuple[Sequence[Candidate], frozenset[str], Sequence[Finding]]
_PAPERS = 30
_FOUND = 20


def write(
    channel: Channel, job: Job, project: Project, settings: Settings, llm: str | None, model_settings: Settings
) -> tuple[GraphUse | None, Sequence[Finding], Rewritten]:
    """Write the section, by a model if `llm` names one; with the files that were changed, before and after.

    Once the files are about to be written the process is not killed any more.
    """
    before: Files = {}

    def report(stage: str, done: int, total: int | None) -> None:
        nonlocal before
        channel.report(stage, done, total)
        if stage == "print":
            channel.commit()
            # Not at the beginning: what the author saves during the run is the author's, and no undo takes it back.
            before = files_of_run(project)

    expected = ExpectedCost(channel.report)
    with asked_model(llm, model_settings, channel.consent, expected) as model:
        written = write_related(job, settings, online=False, report=report, model=model, begin=expected.begin)
    outcome = written.outcome
    return outcome.graph, outcome.findings, rewritten(project, written.changed, before)


def research(channel: Channel, root: Path, settings: Settings, lists: bool) -> Listing:
    """List the papers that the draft should discuss, found by the citations of those that its words find.

    `lists`: reference lists that are not known are fetched; nothing of the draft is sent for them.
    """
    further = FurtherSources(announce=channel.log, lists=lists)
    return papers(root, settings, channel.report, {"deep": True}, further)


def refine(channel: Channel, root: Path, settings: Settings) -> Listing:
    """List the papers that the draft should discuss, chosen by `chosen.dense`."""
    return papers(root, settings, channel.report, {})


def add_near(channel: Channel, root: Path, settings: Settings, texts: Sequence[str]) -> int:
    """Add papers near the draft, for which words of it are sent to arXiv; the number of new ones."""
    draft = read_any_draft(root, skip=generated_files(find_project(root).where))
    return add_near_papers(draft, settings, lambda _: None, channel.report, texts).added


def add_own(channel: Channel, paths: Sequence[Path], settings: Settings) -> tuple[int, Sequence[str]]:
    """Add files to the author's library; the number of new works, and what spoke against others."""
    done = collect_library.add(settings, paths, channel.report)
    return done.added, done.problems


def save_to_zotero(channel: Channel, value: str, collection: str | None, settings: Settings) -> str:
    """Save a paper to Zotero on this machine; what was done, for a reader."""
    (saved,) = save_papers(settings, [value], collection, (), channel.report)
    if saved.status == "failed":
        raise UsageError(saved.message, "look for it in Zotero")
    where = f" in {collection}" if collection else ""
    return f"{shown_id(value)} is in Zotero{where}.{f' It is {saved.message}.' if saved.message else ''}"


def add_field(channel: Channel, category: str, since: date, settings: Settings) -> int:
    """Add what changed in a category of arXiv; the number of new papers."""

    def report(now: HarvestProgress) -> None:
        channel.report(f"reading the records of {now.day}", now.records, now.expected)

    return catalogue.update(settings, [oai_set(category)], since, report).added


def papers(
    root: Path, settings: Settings, report: Report, overrides: Mapping[str, object], further: FurtherSources = NO_OTHERS
) -> Listing:
    job = Job(root, Options(), given=overrides, further=further)
    return list_for_draft(job, settings, online=False, report=report, most=_PAPERS)


def audit(channel: Channel, root: Path, settings: Settings, *, online: bool, services: Sequence[Service]) -> Audit:
    return audit_draft(root, settings, online=online, report=channel.report, sources=services)


def check_lists(
    channel: Channel, paths: Sequence[Path], settings: Settings, *, camera_ready: bool, services: Sequence[Service]
) -> tuple[BibReport, FixResult | None]:
    """Check lists of references; with the certain corrections of .bib files, not written anywhere."""
    checked = check_bibliography(paths, settings, report=channel.report, camera_ready=camera_ready, sources=services)
    if all(path.suffix.lower() != ".bib" for path in paths):
        return checked, None
    request = FixRequest(published=camera_ready, camera_ready=camera_ready)
    return checked, fix_bibliography(paths, settings, request, report=channel.report, checked=checked)


def gaps(channel: Channel, root: Path, settings: Settings) -> tuple[int, int]:
    """Record what the works of the section leave open; how many state it, and how many works there are."""
    works = find_gaps(root, settings, channel.report).works
    return sum(work.limit is not None for work in works), len(works)


def table(channel: Channel, root: Path, settings: Settings) -> tuple[str, Sequence[Finding]]:
    """Write the comparison table, without a model; the name of its file."""
    made = make_table(root, settings, channel.report)
    return made.path.name, [finding for finding in made.findings if finding.code != "columns_dropped"]


def check_file(channel: Channel, path: Path, settings: Settings) -> None:
    """Read a file that is added to what is asked."""
    added.check_file(path, settings, channel.report)


def fetch_paper(channel: Channel, paper: ArxivId, settings: Settings) -> Sequence[Finding]:
    """Get the record and the full text of a paper from arXiv, to which its id is sent."""
    with open_corpus(settings) as corpus:
        corpus.add_papers(list(ArxivSource(settings).fetch([paper]).values()))
    return fetch_texts(settings, [paper], channel.report, online=True, named={paper.value}).findings


def search_arxiv(channel: Channel, words: str, settings: Settings) -> Results:
    return search(words, settings, channel.report, online=True)


def search(words: str, settings: Settings, report: Report, *, online: bool) -> Results:
    """The papers found, the ids of those that are not on this machine, and findings."""
    with open_searcher(settings, online=online) as searcher:
        results = searcher.search(SearchRequest(words, _FOUND, None, (), frozenset(), wait=False), report)
        ids = [candidate.paper.id.value for candidate in results]
        return results, frozenset(ids) - searcher.corpus.papers(ids).keys(), tuple(searcher.findings)
