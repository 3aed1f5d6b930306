"""Papers that a section could discuss: the shortlist, the rest of the longlist, and the author's choice on each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from citeplug.bibliography.match import match_existing
from citeplug.pipeline.check_options import check_options
from citeplug.pipeline.progress import Progress, Tools
from citeplug.pipeline.relate import rank_papers
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.withdrawn import possibly_withdrawn


@dataclass(frozen=True, slots=True)
class Listed:
    """One paper. `score` is 0 to 1, its relevance to the draft beside the others; None for one that was not looked for.

    `found_by` are the ways of `Candidate`; `chosen`: the section would discuss it; `choice` is the author's; `key` that
    of the draft's own entry; `sound`: its record is whole, and says nothing of a withdrawal.
    """

    paper: Paper
    score: float | None
    found_by: tuple[str, ...]
    chosen: bool
    choice: Literal["pin", "exclude"] | None
    key: str | None
    sound: bool


def list_papers(
    draft: Draft, options: Options, tools: Tools, *, before: date, progress: Progress
) -> tuple[list[Listed], list[Finding]]:
    """The shortlist, best first, then the rest of the longlist, then what is excluded. Raises as `rank_papers`."""
    check_options(options, with_model=tools.model is not None)
    ranking = rank_papers(draft, options, tools, before=before, progress=progress)
    shortlist, spare = ranking.papers[: ranking.wanted], ranking.papers[ranking.wanted :]
    excluded = tools.index.papers([name for name in options.exclude if _is_id(name)])
    papers = [*(item.paper for item in ranking.papers), *excluded.values()]
    keys = match_existing(papers, draft.entries, draft.cites)
    ways = {candidate.paper.id.value: candidate.found_by for candidate in ranking.longlist}
    listed = [
        _listed(item.paper, item.score, options, keys, ways, chosen=chosen)
        for items, chosen in ((shortlist, True), (spare, False))
        for item in sorted(items, key=lambda item: -item.score)
    ]
    listed += [_listed(paper, None, options, keys, ways, chosen=False) for paper in excluded.values()]
    return listed, list(ranking.findings)


def _listed(
    paper: Paper,
    score: float | None,
    options: Options,
    keys: Mapping[str, str],
    ways: Mapping[str, tuple[str, ...]],
    *,
    chosen: bool,
) -> Listed:
    value = paper.id.value
    choice: Literal["pin", "exclude"] | None = "pin" if value in options.pin else None
    choice = "exclude" if value in options.exclude else choice
    sound = paper.complete and not possibly_withdrawn(paper)
    return Listed(paper, score, ways.get(value, ()), chosen, choice, keys.get(value), sound)


def _is_id(name: str) -> bool:
    try:
        ArxivId.parse(name)
    except ValueError:
        return False
    return True
