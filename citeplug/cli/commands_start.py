"""`citeplug start`: a guide to the first papers, over the commands that add them."""

import re
import shlex
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli.console import (
    Part,
    announce_query,
    cancellable,
    counted,
    print_json,
    safe,
    say,
    say_next,
    say_warning,
)
from citeplug.cli.options import Output, setting_option
from citeplug.cli.parameters import Day, argument, command, option, parameters
from citeplug.errors import Cancelled, CiteplugError, SourceUnavailable, UsageError
from citeplug.files.project_files import expanded

if TYPE_CHECKING:
    from citeplug.records.draft import Draft
    from citeplug.settings.environment import Settings

_WORD = re.compile(r'all:("[^"]*"|[^\s()]+)')  # of a search in arXiv's language
_SNAPSHOT = "https://www.kaggle.com/datasets/Cornell-University/arxiv"


@parameters
class StartParams(Output):
    main: Path | None = argument("[MAIN.tex|DIR]")
    near: bool = option("Papers near this draft, from arXiv's search; needs --online.")
    own: tuple[Path, ...] = option("Your own .bib files and PDFs.", metavar="FILE|DIR")
    categories: tuple[str, ...] = setting_option("categories", metavar="C")
    since: date | None = option("With --category: papers added or changed since this day.")
    online: bool = option("Send words from your draft to arXiv's search without asking first.")


@command("Example: citeplug start main.tex")
def start(params: StartParams) -> None:
    """Get your first papers, from arXiv or from files of your own.

    In a terminal, it asks you which. Anything that is sent is shown first. You can stop it and run it again. All of
    arXiv is a metadata file that you download (docs/catalogue.md) and add with 'citeplug index add FILE --complete'.
    """
    from citeplug.related.near_papers import can_ask

    near, own, categories, since = params.near, params.own, params.categories, params.since
    if since is not None and not categories:
        raise UsageError("--since needs --category", "name the field, such as --category cs.LG")
    settings = params.settings()
    ways = [near, bool(own), bool(categories)]
    with cancellable("the papers added so far are kept"):
        if not any(ways):
            if params.as_json or not _at_terminal() or not can_ask(settings):
                _show_next(params.main, settings, params.as_json)
                return
            near, own, categories, since = _ask(settings)
        added = 0
        if near:
            added += _near(params, settings)
        if own:
            added += _own(own, settings, params)
        if categories:
            added += _field(categories, since, settings, params)
    records = _records(settings)
    if params.as_json:
        print_json({"added": added, "records": records})
    elif params.level >= 0:
        say(f"{counted(added, 'paper', 'papers')} added; the catalogue on this machine has {records:,}")
        _say_next(params.main, settings)


def _say_next(main: Path | None, settings: "Settings") -> None:
    """Say the one next step, after what is to be known of the author's own related work."""
    own = _own_text(main)
    if own is not None:
        say(own)
    command, what = _next(main, settings, missing=own is not None)
    say_next(command, what)


def _next(main: Path | None, settings: "Settings", *, missing: bool = False) -> tuple[str, str]:
    """The next command, which works as things are, and what it does; `missing`: the draft has a related work."""
    from citeplug.corpus.stores import for_project, open_corpus
    from citeplug.project.find_project import find_project
    from citeplug.project.section_targets import seen_from_here
    from citeplug.related.near_papers import can_ask

    example = ("citeplug demo", "shows how it all works on an example that brings its own papers")
    try:
        draft = shlex.quote(seen_from_here(find_project(main).root))
    except CiteplugError:
        return example
    with open_corpus(for_project(settings, main)) as corpus:
        searchable = corpus.catalogue.records_of_arxiv() > 0
    if searchable and missing:
        return f"citeplug papers {draft} --missing", "lists what the draft should discuss but does not cite"
    if searchable:
        return f"citeplug related {draft} --insert", "writes the section and adds it to the draft"
    if can_ask(settings):
        return f"citeplug start {draft} --near --online", "searches arXiv for words from the draft, shown first"
    return example


def _own_text(main: Path | None) -> str | None:
    """The author's own related work in words, None where there is none, or no draft."""
    from citeplug.latex.project import read_draft
    from citeplug.project.find_project import find_project
    from citeplug.project.section_targets import generated_files
    from citeplug.project.targets import own_text

    try:
        project = find_project(main)
        draft = read_draft(project.root, skip=generated_files(project.where), prose=False)
        own = own_text(draft, project.where)
    except CiteplugError:
        return None  # the papers are there; the draft's trouble is said by the commands that need it
    related = draft.related_work
    if own is None or related is None:
        return None
    place = f"“{related.title}” ({related.span.file.name}:{related.span.line})"
    own_section = f"The draft has its own related-work section, {place}"
    return f"{own_section}, which cites {counted(draft.related_works, 'work', 'works')}."


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _show_next(main: Path | None, settings: "Settings", as_json: bool) -> None:
    from citeplug.project.find_project import find_project
    from citeplug.related.near_papers import can_ask

    if main is not None:
        find_project(main)  # what is wrong with its name is said at once
    if as_json:
        ways = {
            "near": f"citeplug start {safe(str(main or 'main.tex'))} --near --online",
            "own": "citeplug start --own refs.bib --own papers/",
            "field": "citeplug start --category cs.LG --since 2024-01-01",
            "all": "citeplug index add arxiv-metadata-oai-snapshot.json --complete",
        }
        print_json({"records": _records(settings), "ways": ways, "next": _next(main, settings)[0]})
        return
    offline = "" if can_ask(settings) else "; offline, no more can be fetched from arXiv"
    say(f"{_held(settings)}{offline}.")
    _say_next(main, settings)


def _ask(settings: "Settings") -> tuple[bool, tuple[Path, ...], tuple[str, ...], date | None]:
    """Ask at the terminal which papers are wanted: (near, own files, categories, since)."""
    say(f"{_held(settings)}. What do you want to add?")
    for number, way in enumerate[tuple[Part, ...]](
        (
            (("papers near this draft", "title"), " (a minute): words of it are sent to arXiv, and shown to you first"),
            (("your own .bib files and PDFs", "title"), ": nothing is sent"),
            (("a field of arXiv", "title"), ", such as cs.LG since last year: one request every three seconds"),
            (("all of arXiv", "title"), ": a file of metadata that you download yourself"),
        ),
        1,
    ):
        say(*way, lead=(f"  {number}  ", "key"))
    answer = click.prompt("Number", type=click.IntRange(1, 4), default=1, err=True)
    if answer == 1:
        return True, (), (), None
    if answer == 2:
        return False, (expanded(click.prompt("File or folder", err=True)),), (), None
    if answer == 3:
        category = click.prompt("Category", default="cs.LG", err=True)
        since = click.prompt("Since (YYYY-MM-DD)", type=Day(), err=True)
        return False, (), (category,), since
    say(f"Download the metadata (a free account is needed): {_SNAPSHOT}")
    say("It is about 5 GB, or 1.6 GB as a zip, which you need not unpack. Then run")
    say("  citeplug index add arxiv.zip --complete")
    say("Its three million records take 10 to 30 minutes and 6 GB of disk space. You can stop it and run it again.")
    raise SystemExit(0)


def _near(params: StartParams, settings: "Settings") -> int:
    from citeplug.related.near_papers import add_near_papers, words_to_send

    draft = _read(params.main)
    if not params.online:
        say("These words of your draft would be sent to arXiv, a search each:", err=True)
        for number, query in enumerate(words_to_send(draft), 1):
            say(", ".join(_WORD.findall(query)), lead=f"  {number}  ", err=True)
        if not _at_terminal():
            raise UsageError("words from your draft are sent only if you agree", "agree with --online")
        if not click.confirm("Send them?", default=False, err=True):
            raise Cancelled("cancelled; nothing was sent")
    try:
        with params.progress() as reporter:
            return add_near_papers(draft, settings, announce_query, reporter.update).added
    except SourceUnavailable as error:
        hint = "run it again once there is a connection; 'citeplug demo' needs none"
        raise SourceUnavailable(str(error), hint) from error


def _own(paths: tuple[Path, ...], settings: "Settings", output: Output) -> int:
    from citeplug.bib import collect_library

    with output.progress() as reporter:
        done = collect_library.add(settings, paths, reporter.update)
    for problem in done.problems:
        say_warning(problem)
    return done.added


def _field(categories: tuple[str, ...], since: date | None, settings: "Settings", output: Output) -> int:
    from citeplug.cli.commands_update import progress_line
    from citeplug.sources.oai import oai_set
    from citeplug.upkeep import catalogue

    if since is not None and output.level >= 0:
        days = (datetime.now(UTC).date() - since).days + 1
        requests = counted(days * len(categories), "request", "requests")
        minutes = days * len(categories) * settings.arxiv_delay / 60
        say(
            f"{counted(days, 'day', 'days')} of {', '.join(categories)}: {requests} to arXiv or more, one every"
            f" {settings.arxiv_delay:g} seconds, so at least {minutes:,.0f} minutes. You can stop it and run it again,"
            " and use everything else in the meantime.",
            err=True,
        )
    sets = [oai_set(category) for category in categories]
    with output.progress() as reporter:
        done = catalogue.update(
            settings, sets, since, lambda now: reporter.update(progress_line(now), now.records, now.expected)
        )
    return done.added


def _read(main: Path | None) -> "Draft":
    from citeplug.latex.project import read_draft
    from citeplug.project.find_project import find_project
    from citeplug.project.section_targets import generated_files

    project = find_project(main)
    return read_draft(project.root, skip=generated_files(project.where))


def _held(settings: "Settings") -> str:
    records = _records(settings)
    return f"The catalogue on this machine {'has ' + counted(records, 'paper', 'papers') if records else 'is empty'}"


def _records(settings: "Settings") -> int:
    from citeplug.corpus.stores import open_corpus

    with open_corpus(settings) as corpus:
        return corpus.records
