"""`citeplug graph` and `citeplug references`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli.console import (
    cancellable,
    counted,
    finding_as_json,
    print_json,
    say,
    say_aloud,
    say_warning,
    show_findings,
)
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.options import OfflineOptions, Output
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.records.passage import Resolved


@click.group(cls=WholeGroup)
def graph() -> None:
    """Manage the citation graph: which paper cites which."""


@parameters
class GraphAddParams(Output):
    paths: tuple[Path, ...] = argument("FILE|DIR...", required=True)


@command("Example: citeplug graph add edges.jsonl.gz ~/papers", group=graph)
def add(params: GraphAddParams) -> None:
    """Add citations: JSON Lines {"id": ..., "cited": [...]}, .bbl, .bib, .tex and .pdf files, and folders.

    JSON Lines may be .gz, .zip or .zst. A list belongs to the arXiv id in the name of its file or folder, else to a
    project of yours. What is known from other lists stays; a file that was read before is read again. Nothing is sent
    anywhere.
    """
    from citeplug.corpus.citations import build as building

    with cancellable("what was added is kept"), params.progress() as reporter:
        done = building.add(params.settings(), params.paths, reporter.update)
    from_ids = done.given
    lines = ", ".join(f"{file}: line {number}" for file, number in from_ids.bad_lines)
    if from_ids.skipped:
        more = " and others" if from_ids.skipped > len(from_ids.bad_lines) else ""
        say_warning(f"{counted(from_ids.skipped, 'line was', 'lines were')} not read ({lines}{more})")
    if from_ids.bad_ids:
        say_warning(f"{counted(from_ids.bad_ids, 'id', 'ids')} in the lists are not arXiv ids")
    for problem in done.problems:
        say_warning(problem)
    if params.as_json:
        lists = {"lists": from_ids.lists + done.lists, "edges": from_ids.edges, "references": done.references}
        left_out = {name: getattr(from_ids, name) for name in ("skipped", "bad_ids", "loops", "doubled")}
        bad = [{"file": str(file), "line": number} for file, number in from_ids.bad_lines]
        named = [{"path": path, "arxiv_id": value} for path, value in done.named]
        rest = {"bad_lines": bad, "named": named, "problems": done.problems, "seconds": round(done.seconds, 3)}
        print_json({**lists, "resolved": done.resolved, "lost": done.lost, **left_out, **rest})
    elif params.level >= 0:
        if from_ids.lists:
            left = f"; left out: {from_ids.loops:,} self-citations, {from_ids.doubled:,} duplicates"
            added = counted(from_ids.lists, "list of ids", "lists of ids")
            say(f"{added}, {counted(from_ids.edges, 'new citation', 'new citations')}{left}")
        if done.lists:
            say(f"{done.lists:,} reference lists: {done.resolved:,} of {done.references:,} refer to an arXiv paper")
        for path, value in done.named:
            say(f"{path} was taken to be arXiv:{value}, which has the same title")
        say(f"{done.seconds:.1f} s")
    if not done.clean:
        raise SystemExit(1)


@parameters
class GraphFetchParams(OfflineOptions, Output):
    ids: tuple[str, ...] = argument("[ID...]")
    most: int = option("Without IDs: maximum number of papers.", "--max", between=(1, 10_000), default=200)


@command("Example: citeplug graph fetch 1706.03762", group=graph)
def fetch(params: GraphFetchParams) -> None:
    """Ask OpenAlex for the reference lists of papers in the catalogue.

    Without IDs, it asks for the papers that are cited most often and whose lists are not known. The DOIs and titles of
    these papers are sent, and nothing from a draft; this is announced first. After an outage, what is known stays.
    """
    from citeplug.corpus.citations.fetch_lists import fetch as fetching

    with cancellable("what was fetched is kept"), params.progress() as reporter:
        done = fetching(params.settings(), params.ids, params.most, reporter.update, say_aloud)
    counts = {name: getattr(done, name) for name in ("known", "none", "unavailable", "left", "edges")}
    if params.as_json:
        print_json({**counts, "findings": [finding_as_json(finding) for finding in done.findings]})
    elif params.level >= 0:
        citations = counted(done.edges, "citation of an arXiv paper", "citations of arXiv papers")
        say(f"{counted(done.known, 'list', 'lists')} fetched, with {citations}")
        say(
            f"papers without a list there: {done.none:,}; unknown there: {done.unavailable:,}; no answer: {done.left:,}"
        )
    show_findings(tuple(done.findings), params.level)
    if done.outage is not None:
        raise SystemExit(3)
    if any(finding.severity == "warning" for finding in done.findings):
        raise SystemExit(1)


@command("Example: citeplug graph info --json", group=graph, hidden=True)
def info(params: Output) -> None:
    """Show the number of papers, citations and reference lists."""
    from citeplug.corpus.citations import build as building

    counts = building.info(params.settings())
    if params.as_json:
        print_json(asdict(counts))
        return
    say(f"papers      {counts.papers:,}")
    say(f"citations   {counts.edges:,}")
    say("lists       " + ", ".join(f"{state} {count:,}" for state, count in counts.lists.items()))
    say(f"unresolved  {counts.unresolved:,} references; they are tried again when records are added")


@command("Example: citeplug graph verify", group=graph, hidden=True)
def verify(params: Output) -> None:
    """Compare the graph with itself and with the catalogue; nothing is changed."""
    from citeplug.corpus.citations import build as building

    problems = building.verify(params.settings())
    faults = [fault for fault in problems if fault.severity == "error"]
    if params.as_json:
        print_json({"sound": not faults, "problems": [asdict(fault) for fault in problems]})
    elif params.level >= 0 or faults:
        for fault in problems:
            say(f"{fault.severity}: {fault.count:,} {fault.message}")
        say("the graph has problems" if faults else "the graph has no problems")
    if faults:
        raise SystemExit(1)


@parameters
class ReferencesParams(Output):
    name: str = argument("ID|FILE.bbl|FILE.bib|FILE.pdf|DIR")
    ignore_printed_ids: bool = option("Go by DOI and title alone, as if no arXiv ids were printed.")


@command("Example: citeplug references main.bbl --json")
def references(params: ReferencesParams) -> None:
    """List the references of a paper, and the arXiv paper that each refers to.

    For an ID, the list is the one that was added or fetched. A folder is read as one paper: its .bbl files, else what
    its draft cites, else its .bib files. Nothing is sent anywhere.
    """
    show_references(params.name, params, printed_ids=not params.ignore_printed_ids)


def show_references(name: str, output: Output, *, printed_ids: bool = True) -> None:
    from citeplug.corpus.citations.references import list_references

    with output.progress() as reporter:
        entries = list_references(
            output.settings(),
            name,
            printed_ids=printed_ids,
            report=lambda count: reporter.update("titles of records", count, None),
        )
    if output.as_json:
        print_json([_as_json(entry) for entry in entries or ()])
    if entries is None:
        hint = f"'citeplug graph fetch {name}' asks OpenAlex for it"
        say(f"no reference list is known for {name}; {hint}", err=True)
        raise SystemExit(1)
    if not output.as_json:
        for entry in entries:
            _show(entry, output.level)
    if output.level >= 0:
        known = sum(entry.paper is not None for entry in entries)
        say(f"{counted(len(entries), 'reference', 'references')}, {known:,} of them to arXiv papers", err=True)


def _as_json(resolved: "Resolved") -> dict[str, Any]:
    reference = resolved.reference
    return {
        **fields_of(reference, "number key raw"),
        "arxiv_id": resolved.paper,
        **fields_of(reference, "doi title year"),
        "how": resolved.how,
    }


def _show(resolved: "Resolved", level: int) -> None:
    reference = resolved.reference
    paper = f"arXiv:{resolved.paper} ({resolved.how.replace('_', ' ')})" if resolved.paper else "no arXiv paper known"
    year = f", {reference.year}" if reference.year else ""
    say((reference.title or reference.raw[:100] or "(title unknown)", "title"), year, lead=f"{reference.number:>4}  ")
    say(f"      {paper}{f', doi:{reference.doi}' if reference.doi else ''}")
    if level > 0 and reference.raw:
        say(f"      {reference.raw}")


@parameters
class MentionsParams(Output):
    name: str = argument("ID")


@command("Example: citeplug mentions 1706.03762")
def mentions(params: MentionsParams) -> None:
    """List what papers say about a paper: the sentences that cite it in the full texts on this machine, like with like.

    [*] stands for the citation. Texts come with 'citeplug fetch'. Nothing is sent anywhere.
    """
    show_citation_contexts(params.name, params)


def show_citation_contexts(name: str, output: Output) -> None:
    from citeplug.corpus.citations.references import list_mentions

    with output.progress() as reporter:
        mentions = list_mentions(output.settings(), name, reporter.update)
    if output.as_json:
        group_of = {row: number for number, group in enumerate(mentions.groups, 1) for row in group}
        print_json(
            [
                {**asdict(mention), "title": mentions.titles.get(mention.citing), "group": group_of.get(row)}
                for row, mention in enumerate(mentions.found)
            ]
        )
        return
    several = [group for group in mentions.groups if len(group) > 1]
    alone = [row for row in range(len(mentions.found)) if not any(row in group for group in several)]
    for head, group in (*((f"{len(group)} alike:", group) for group in several), ("Others:", alone)):
        if several and group:
            say((head, "title"))
        for mention in (mentions.found[row] for row in group):
            say(f"{mention.section or 'no section'}: {mention.sentence}", lead="  ")
            say(
                (f"arXiv:{mention.citing}", "key"),
                f" {mentions.titles.get(mention.citing, '(title unknown)')}",
                lead="    ",
            )
    if output.level >= 0:
        papers = counted(len({mention.citing for mention in mentions.found}), "paper", "papers")
        say(f"{counted(len(mentions.found), 'sentence', 'sentences')} in {papers}", err=True)
