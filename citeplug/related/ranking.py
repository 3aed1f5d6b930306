"""The path as far as the ranking, which lists of papers end with and sections go on from; see `related.run`."""

from dataclasses import replace
from datetime import date

from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.depth import read_longlist
from citeplug.related.retrieve.longlist import left_out, make_longlist
from citeplug.related.retrieve.pins import pinned_papers
from citeplug.related.retrieve.stages import PaperRanking, find_candidates, make_queries, rank


def rank_papers(draft: Draft, options: Options, tools: Tools, *, before: date, progress: Progress) -> PaperRanking:
    """Queries -> candidates -> longlist -> depth -> ranking; pinned papers come first, and leave the others less room.

    Raises CorpusEmpty if no paper passes the filters, SourceUnavailable if there is no catalogue and arXiv cannot be
    reached, UsageError for an unknown topic.
    """
    pinned, rest = pinned_papers(draft, options, tools, progress)
    if rest is None:
        return pinned
    queries = make_queries(draft, options, tools, progress, before)
    own = [item.paper.id.value for item in pinned.papers]
    candidates = find_candidates(queries, draft, rest, tools, before=before, progress=progress, pinned=own)
    # A model chooses among the works by what the draft says of each.
    works = candidates.works if tools.model is None else ()
    longlist = make_longlist(
        candidates.papers, candidates.vectors, candidates.words, rest, candidates.cited, candidates.own, works
    )
    longlist = read_longlist(longlist, candidates, draft, rest, tools, progress)
    ranking = rank(longlist, candidates, draft, rest, tools, progress)
    findings = (*ranking.findings, *left_out(len(ranking.papers), ranking.wanted, rest.breadth))
    return pinned + replace(ranking, findings=findings)
