"""List of papers that a section of a draft could discuss, from the user's corpus; nothing is written."""

from dataclasses import dataclass
from datetime import date
from functools import partial

from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.project.any_draft import read_any_draft, root_of
from citeplug.project.section_targets import generated_files, named_targets
from citeplug.project.targets import targets
from citeplug.records.finding import Finding
from citeplug.records.outcome import GraphUse
from citeplug.records.paper import Paper
from citeplug.related.draft_date import date_findings
from citeplug.related.job import Job, open_tools
from citeplug.related.options import options_for_run
from citeplug.related.papers import Listed, list_papers
from citeplug.related.progress import Progress
from citeplug.related.write.extractive.contributions import find_contributions
from citeplug.settings.environment import Settings


@dataclass(frozen=True, slots=True)
class Listing:
    """Papers for a draft, findings, and the part that citations had; None without a graph."""

    papers: tuple[Listed, ...]
    findings: tuple[Finding, ...]
    graph: GraphUse | None = None


def list_for_draft(
    job: Job,
    chosen: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None = None,
    most: int | None = None,
    missing: bool = False,
) -> Listing:
    """Read the draft and look for its papers, as `citeplug related` does. `most`, `missing` as for `list_papers`.

    Raises as `write_related` does.
    """
    root = root_of(job.main)
    where = targets(root, job.out or named_targets(root).out, job.bib)
    draft = read_any_draft(root, skip=generated_files(where))
    options, doubts = options_for_run(
        job.options, job.given or {}, draft, with_model=False, open_corpus=partial(open_corpus, chosen)
    )
    with open_tools(chosen, online, announce=announce) as tools:
        before = options.before or date.today()
        progress = Progress(report)
        papers, findings, graph = list_papers(
            draft, options, tools, before=before, progress=progress, most=most, missing=missing
        )
    doubts += date_findings(draft, options, [listed.paper for listed in papers if listed.chosen])
    return Listing(tuple(papers), (*doubts, *findings), graph)


def contribution_of(paper: Paper) -> str:
    """The main contribution that an abstract states, in its words; empty if none is certain."""
    return next((each.own for each in find_contributions(paper)), "")
