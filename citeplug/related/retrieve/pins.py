"""Papers that the author wants discussed, whatever the search finds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from citeplug.protocols import Vectors
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.outcome import Options
from citeplug.records.paper import LIBRARY, ArxivId, Paper, Shortlisted, library_id
from citeplug.records.plan import Plan
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.stages import PaperRanking
from citeplug.section_file.current import CurrentSection


def pinned_papers(
    draft: Draft, options: Options, tools: Tools, progress: Progress
) -> tuple[PaperRanking, Options | None]:
    """The papers of `options.pin`, in that order: from the catalogue, else by id from arXiv where it may be asked.

    With them come the options for as many others as the breadth leaves room for; None: there is none. The score is the
    similarity of a paper's abstract to the draft's title and abstract, until others are searched for beside it.
    Finding: `pin_not_found`.
    """
    if not options.pin:
        return PaperRanking([], 0, 0, {}), options
    findings: list[Finding] = []
    ids: dict[str, ArxivId] = {}
    for name in options.pin:
        try:
            ids[name] = ArxivId(ArxivId.parse(name).value)
        except ValueError:
            own = library_id(name)
            if own.value in tools.papers([own.value]):
                ids[name] = own
                continue
            known = any(entry.key == name for entry in draft.entries)
            why = (
                "is not on arXiv: there is no abstract to write from"
                if known
                else "is not a known arXiv id, key or title"
            )
            fix = "write about it yourself, outside the blocks" if known else "correct it"
            findings.append(Finding("pin_not_found", "warning", f"{name} is pinned, but {why}", fix=fix))
    with progress.stage("pinned papers", tools.lookup.source):
        papers = tools.papers([arxiv_id.value for arxiv_id in ids.values()])
        missing = [
            arxiv_id for arxiv_id in ids.values() if arxiv_id.value not in papers or not papers[arxiv_id.value].complete
        ]
        if missing and tools.lookup.source is not None:
            papers |= {arxiv_id.value: paper for arxiv_id, paper in tools.lookup.records(missing).items()}
    records = [papers[i.value] for i in ids.values() if i.value in papers and papers[i.value].complete]
    there = {paper.id.value for paper in records}
    findings += [_not_found(arxiv_id.value, tools) for arxiv_id in ids.values() if arxiv_id.value not in there]
    unique = list({paper.id.value: paper for paper in records}.values())
    vectors = tools.index.vectors_of(unique) if unique else {}
    ranking = PaperRanking(
        _scored(unique, vectors, draft, tools), len(unique), len(unique), vectors, findings=tuple(findings)
    )
    if len(unique) >= options.breadth:
        return ranking, None
    exclude = (*options.exclude, *sorted(there))
    return ranking, replace(options, breadth=options.breadth - len(unique), exclude=exclude)


def not_planned(options: Options, plan: Plan, draft: Draft) -> list[Finding]:
    """The pins that the author's plan does not mention. Finding: `pin_not_planned`."""
    by_key = {entry.key: entry.arxiv_id for entry in draft.entries}
    cites = {name for p in plan.paragraphs for line in p.lines for c in line.cites for name in _names(c, by_key)}
    return [
        Finding(
            "pin_not_planned",
            "warning",
            f"{name} is pinned, but the plan in the document has no line for it",
            fix="add a line for it to the plan",
        )
        for name in options.pin
        if name not in cites
    ]


def _names(cite: str, by_key: Mapping[str, str | None]) -> tuple[str | None, ...]:
    return cite, by_key.get(cite), library_id(cite).value, cite.removeprefix(LIBRARY)


def _scored(papers: Sequence[Paper], vectors: Mapping[str, Vectors], draft: Draft, tools: Tools) -> list[Shortlisted]:
    if not papers:
        return []
    (own,) = tools.index.embed([f"{draft.title}. {draft.abstract}"])
    return [
        Shortlisted(paper, min(1.0, max(0.0, float(vectors[paper.id.value] @ own))) if paper.id.value in vectors else 0)
        for paper in papers
    ]


def _not_found(value: str, tools: Tools) -> Finding:
    where_missing = (
        "neither arXiv nor the catalogue has it" if tools.lookup.source is not None else "the catalogue lacks it"
    )
    online = tools.lookup.source is not None
    fix = "correct the id" if online else "add it with 'citeplug index add', or leave out --offline"
    return Finding("pin_not_found", "warning", f"{value} is pinned, but {where_missing}", fix=fix)


def unspoken_pins(options: Options, current: CurrentSection, known: Mapping[str, str]) -> tuple[str, ...]:
    """The pins that neither a plan nor a text of the author's speaks of; one deleted with either is to come back.

    `known` gives arXiv ids by citation key.
    """
    spoken = current.spoken(known) if options.pin else ()
    return tuple(name for name in options.pin if name not in spoken)


def with_pins(
    shortlist: Sequence[Shortlisted], free: Sequence[Shortlisted], unspoken: Sequence[str], counted: Collection[str]
) -> list[Shortlisted]:
    """The pins that must be spoken of, and as many of the free papers as these leave room for.

    A pin that is `counted` among those that the section has, as its line was deleted, takes no further paper's room.
    """
    must = [item for item in shortlist if item.paper.id.value in unspoken]
    rest = [item for item in free if item.paper.id.value not in unspoken]
    taking = sum(item.paper.id.value not in counted for item in must)
    return [*must, *rest[: max(0, len(free) - taking)]]
