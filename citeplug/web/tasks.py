"""What the review page has done in processes of their own, which Cancel kills.

Nothing is sent, save words and ids to arXiv, and titles and DOIs of papers found to OpenAlex.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from citeplug.ask import added
from citeplug.audit.run import audit_draft
from citeplug.corpus.fulltext.fetch_texts import fetch_texts
from citeplug.corpus.stores import open_corpus
from citeplug.jobs.worker import Channel
from citeplug.records.audit import Audit
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse, Options
from citeplug.records.paper import ArxivId, Candidate
from citeplug.related.job import Job, write_related
from citeplug.related.papers import Listing, list_for_draft
from citeplug.related.progress import Report
from citeplug.related.retrieve.search import SearchRequest, open_searcher
from citeplug.related.retrieve.work_search import NO_OTHERS, FurtherSources
from citeplug.settings.environment import Settings
from citeplug.sources.arxiv import ArxivSource

Results = tuple[Sequence[Candidate], frozenset[str], Sequence[Finding]]
_PAPERS = 30
_FOUND = 20


def write(channel: Channel, job: Job, chosen: Settings) -> tuple[GraphUse | None, Sequence[Finding]]:
    """Write the section. The process is not killed any more once the files are about to be written."""

    def report(stage: str, done: int, total: int | None) -> None:
        channel.report(stage, done, total)
        if stage == "print":
            channel.commit()

    outcome = write_related(job, chosen, online=False, report=report).outcome
    return outcome.graph, outcome.findings


def research(channel: Channel, root: Path, chosen: Settings, lists: bool) -> Listing:
    """List the papers that the draft should discuss, found by the citations of those that its words find.

    `lists`: reference lists that are not known are fetched; nothing of the draft is sent for them.
    """
    further = FurtherSources(announce=channel.log, lists=lists)
    return papers(root, chosen, channel.report, {"deep": True}, further)


def papers(
    root: Path, chosen: Settings, report: Report, given: Mapping[str, object], further: FurtherSources = NO_OTHERS
) -> Listing:
    job = Job(root, Options(), given=given, further=further)
    return list_for_draft(job, chosen, online=False, report=report, most=_PAPERS)


def audit(channel: Channel, root: Path, chosen: Settings) -> Audit:
    return audit_draft(root, chosen, online=False, report=channel.report)


def check_file(channel: Channel, path: Path, chosen: Settings) -> None:
    """Read a file that is added to what is asked."""
    added.check_file(path, chosen, channel.report)


def fetch_paper(channel: Channel, paper: ArxivId, chosen: Settings) -> Sequence[Finding]:
    """Get the record and the full text of a paper from arXiv, to which its id is sent."""
    with open_corpus(chosen) as corpus:
        corpus.add_papers(list(ArxivSource(chosen).fetch([paper]).values()))
    return fetch_texts(chosen, [paper], channel.report, online=True, named={paper.value}).findings


def search_arxiv(channel: Channel, words: str, chosen: Settings) -> Results:
    return search(words, chosen, channel.report, online=True)


def search(words: str, chosen: Settings, report: Report, *, online: bool) -> Results:
    """The papers found, the ids of those that are not on this machine, and findings."""
    with open_searcher(chosen, online=online) as searcher:
        found = searcher.search(SearchRequest(words, _FOUND, None, (), frozenset(), wait=False), report)
        ids = [candidate.paper.id.value for candidate in found]
        return found, frozenset(ids) - searcher.corpus.papers(ids).keys(), tuple(searcher.findings)
