"""What a section could discuss: the papers that would be chosen, those next to them, and the author's word on each."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from citeplug.bibliography.match import match_existing
from citeplug.pipeline.plan import choose_papers
from citeplug.pipeline.run import Run, Tools
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.withdrawn import possibly_withdrawn


@dataclass(frozen=True, slots=True)
class Listed:
    """One paper. `score` is 0 to 1, its similarity to the draft; None for one that was not looked for.

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


def list_papers(draft: Draft, options: Options, tools: Tools, *, before: date, run: Run) -> list[Listed]:
    """The shortlist, best first, then the rest of the longlist, then what is excluded. Raises as `find_shortlist`."""
    found = choose_papers(draft, options, tools, before=before, run=run)
    excluded = tools.index.papers([name for name in options.exclude if _is_id(name)])
    papers = [*(item.paper for item in found.shortlist), *(each.paper for each in found.longlist)]
    keys = match_existing([*papers, *excluded.values()], draft.entries, draft.cites)
    ways = {candidate.paper.id.value: candidate.found_by for candidate in found.longlist}
    listed = [
        _listed(item.paper, item.score, options, keys, ways, chosen=True)
        for item in sorted(found.shortlist, key=lambda item: -item.score)
    ]
    there = {each.paper.id.value for each in listed}
    others = [candidate for candidate in found.longlist if candidate.paper.id.value not in there]
    listed += [
        _listed(each.paper, min(1.0, max(0.0, each.similarity)), options, keys, ways, chosen=False)
        for each in sorted(others, key=lambda each: -each.similarity)
    ]
    return [*listed, *(_listed(paper, None, options, keys, ways, chosen=False) for paper in excluded.values())]


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
