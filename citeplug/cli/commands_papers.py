"""`citeplug papers`: the reading list of a draft."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, counted, print_json, progress, say, show_findings
from citeplug.cli.help_groups import GroupedCommand
from citeplug.cli.run_options import PaperOptions, of_papers

if TYPE_CHECKING:
    from citeplug.records.outcome import OutsideWork
    from citeplug.related.papers import ListedPaper


@click.command(
    cls=GroupedCommand,
    everyday=("count", "missing", "online", "before", "as_json"),
    epilog="Example: citeplug papers main.tex --missing -k 30",
)
@click.argument("main", metavar="[MAIN.tex|DIR|PAPER.pdf]", type=click.Path(path_type=Path), default=Path())
@click.option(
    "-k", "count", type=click.IntRange(1, 600), default=20, show_default=True, help="Maximum number of papers."
)
@click.option("--missing", is_flag=True, help="Only papers that the draft does not cite.")
@of_papers
@options.as_json
@options.verbosity
def papers(main: Path, count: int, missing: bool, run: PaperOptions, as_json: bool, verbose: int, quiet: int) -> None:
    """List the papers that a draft should discuss, best first, and why; nothing is written."""
    from citeplug.records.outcome import Options
    from citeplug.related.job import Job
    from citeplug.related.papers import list_for_draft

    level = verbose - quiet
    with progress(level, as_json) as reporter:
        listing = list_for_draft(
            Job(main, Options(), given=run.given()),
            run.settings(main),
            online=run.online,
            report=reporter.update,
            announce=announce_query,
            most=count,
            missing=missing,
        )
    if as_json:
        print_json([_as_json(listed) for listed in listing.papers])
    else:
        _show(listing.papers, missing)
        _show_outside(() if listing.graph is None else listing.graph.not_on_arxiv)
    show_findings(listing.findings, level)


def _as_json(listed: "ListedPaper") -> dict[str, Any]:
    paper = listed.paper
    return {
        "arxiv_id": paper.id.value,
        "on_arxiv": paper.id.on_arxiv,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.published.year if paper.published.year > 1 else None,
        "published": paper.published.isoformat(),
        "categories": list(paper.categories),
        "score": None if listed.score is None else round(listed.score, 4),
        "chosen": listed.chosen,
        "pinned": listed.choice == "pin",
        "cited_as": listed.key if listed.cited else None,
        "entry": listed.key,
        "found_by": list(listed.found_by),
        "reasons": [asdict(reason) for reason in listed.reasons],
    }


def _show(papers: "tuple[ListedPaper, ...]", missing: bool) -> None:
    """Two numbered lists for a reader: what the section would discuss, and what is next to it."""
    if not papers:
        say("the draft cites every paper that was found" if missing else "nothing was found")
        return
    heading = ""
    for number, listed in enumerate(papers, 1):
        here = "The section would discuss:" if listed.chosen else "Further papers:"
        if here != heading:
            say(here if number == 1 else f"\n{here}")
            heading = here
        say(f"{number:3}. {listed.paper.title}")
        say(f"     {'; '.join(_about(listed))}")
        for reason in listed.reasons:
            say(f"     {reason.text}")
    cited = sum(listed.cited for listed in papers)
    shown = counted(len(papers), "paper", "papers")
    say(f"\n{shown}, none of which the draft cites" if missing else f"\n{shown}, {cited} of which the draft cites")


def _show_outside(works: "tuple[OutsideWork, ...]") -> None:
    if not works:
        return
    say("\nNot on arXiv as far as your catalogue knows, but cited by several papers that you cite:")
    for work in works:
        year = f" ({work.year})" if work.year else ""
        say(f"     {work.title}{year}, by {', '.join(work.cited_by)}")


def _about(listed: "ListedPaper") -> list[str]:
    from citeplug.records.paper import shown_id
    from citeplug.text.folding import split_name

    paper = listed.paper
    first = split_name(paper.authors[0]).family if paper.authors else "authors not known"
    others = " et al." if len(paper.authors) > 1 else ""
    year = str(paper.published.year) if paper.published.year > 1 else "no year"
    parts = [f"{first}{others} {year}, {shown_id(paper.id.value)}"]
    if listed.cited:
        parts.append(f"cited as {listed.key}")
    elif listed.key is not None:
        parts.append(f"not cited, in your bibliography as {listed.key}")
    if listed.choice == "pin":
        parts.append("pinned")
    return parts
