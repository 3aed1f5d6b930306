"""`citeplug news`."""

from dataclasses import asdict
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.cli import options
from citeplug.cli.console import (
    announce_query,
    counted,
    first_authors,
    print_json,
    progress,
    safe,
    say,
    show_findings,
)
from citeplug.cli.help_groups import GroupedCommand
from citeplug.cli.run_options import PaperOptions, of_papers
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.records.news import NewPaper, News


@click.command(
    cls=GroupedCommand,
    everyday=("since", "count", "online", "before", "as_json"),
    epilog="Example: citeplug news main.tex --since 2026-01-31",
)
@click.argument("main", metavar="[MAIN.tex]", required=False, type=click.Path(path_type=Path))
@click.option("--since", type=options.Day(), help="Papers added on this day or later; default: since the last run.")
@click.option("-k", "count", type=click.IntRange(1, 600), default=20, show_default=True, help="Papers of the list.")
@of_papers
@options.as_json
@options.verbosity
def news(
    main: Path | None, since: date | None, count: int, run: PaperOptions, as_json: bool, verbose: int, quiet: int
) -> None:
    """List new papers that your draft should discuss: those added to the catalogue since its section was made.

    They are those of 'citeplug papers --missing' that 'citeplug index update' or 'index add' brought. A paper that
    states what your draft contributes comes first, as concurrent work. Nothing is written.
    """
    from citeplug.project.find_project import find_project
    from citeplug.related.news import find_news

    level = verbose - quiet
    chosen = run.settings(main)
    with progress(level, as_json) as reporter:
        found = find_news(
            find_project(main),
            chosen,
            since=None if since is None else datetime.combine(since, time()).astimezone(),
            online=run.online,
            report=reporter.update,
            given=run.given(),
            most=count,
            announce=announce_query,
        )
    if as_json:
        print_json(_as_json(found))
    else:
        _show(found)
    show_findings(found.findings, level)


def _as_json(found: "News") -> dict[str, Any]:
    return {
        "root": str(found.root),
        "since": found.since.isoformat(timespec="seconds"),
        "known_from": None if found.known_from is None else found.known_from.isoformat(timespec="seconds"),
        "arrived": found.arrived,
        "papers": [_paper_as_json(each) for each in found.papers],
    }


def _paper_as_json(new: "NewPaper") -> dict[str, Any]:
    paper, claim = new.paper, new.claim
    return {
        "arxiv_id": paper.id.value,
        **fields_of(paper, "title authors published"),
        "reasons": [asdict(reason) for reason in new.reasons],
        "claim": None if claim is None else {**asdict(claim), "cosine": round(claim.cosine, 4)},
    }


def _show(found: "News") -> None:
    since = f"since {found.since.astimezone():%Y-%m-%d %H:%M}"
    if found.known_from is not None:
        say(f"When records came is known from {found.known_from.astimezone():%Y-%m-%d %H:%M} on.")
    arrived = counted(found.arrived, "record", "records")
    if not found.papers:
        say(f"Nothing new for this draft: {arrived} added {since}")
        return
    say(f"{counted(len(found.papers), 'new paper', 'new papers')} for this draft; {arrived} added {since}:")
    for number, each in enumerate(found.papers, 1):
        paper = each.paper
        others = " et al." if len(paper.authors) > 1 else ""
        mark = "" if each.claim is None else "concurrent work: " if each.claim.concurrent else "the same claim: "
        say(f"{number:3}. {mark}{safe(paper.title)}")
        say(f"     {safe(first_authors(paper.authors[:1]))}{others} {paper.published:%Y}, arXiv:{paper.id.value}")
        if each.claim is not None:
            say(f"     you: “{safe(each.claim.said)}”")
            say(f"     there: “{safe(each.claim.quote)}”")
        for reason in each.reasons:
            say(f"     {safe(reason.text)}")
