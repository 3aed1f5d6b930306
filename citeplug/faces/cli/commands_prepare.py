"""`citeplug prepare`: what a set of papers can answer, before anybody asks."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.errors import Cancelled
from citeplug.faces.cli import options
from citeplug.faces.cli.console import counted, finding_as_json, print_json, progress, say, show_findings

if TYPE_CHECKING:
    from citeplug.records.prepared import Fact, Pair, Prepared
    from citeplug.usecases.prepare import Preparation

_KINDS = {"code": "code addresses", "metric": "metrics", "theorem": "named theorems"}


@click.command(epilog="Example: citeplug prepare --cited main.tex -v")
@options.paper_set
@click.option("--dry-run", is_flag=True, help="Say what would be prepared; make and write nothing.")
@options.embedder
@options.device
@options.as_json
@options.verbosity
def prepare(
    ids: tuple[str, ...],
    papers: tuple[str, ...],
    shortlist: Path | None,
    cited: Path | None,
    library: bool,
    topics: tuple[str, ...],
    dry_run: bool,
    embedder: str | None,
    device: str | None,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Collect the questions that papers answer, each with the sentence that does, and keep them.

    From the full text where it is on this machine, else from the abstract, with the code addresses, metrics and named
    theorems that stand there. A paper whose text has not changed is left as it is. -v shows all of them.
    """
    from citeplug.usecases import prepare as usecase
    from citeplug.usecases.stores import settings as settings_of

    level = verbose - quiet
    settings = settings_of(offline=True, embedder=embedder, device=device)
    wanted = options.read_paper_set(ids, papers, shortlist, cited, library, topics)
    try:
        with progress(level, as_json) as reporter:
            done = usecase.prepare(wanted, settings, reporter.update, dry_run=dry_run)
    except KeyboardInterrupt:
        raise Cancelled("cancelled; what was prepared is kept", "run the same command again to go on") from None
    if as_json:
        print_json(_as_json(done, dry_run=dry_run))
    elif level >= 0:
        _show(done, level, dry_run=dry_run)
    show_findings(tuple(done.findings), level)
    if done.missing:
        raise SystemExit(1)


def _show(done: "Preparation", level: int, *, dry_run: bool) -> None:
    if level > 0:
        for each in done.prepared:
            _show_paper(each)
    verb = "would be prepared" if dry_run else "prepared"
    say(f"{counted(done.made, 'paper', 'papers')} {verb}, {done.kept:,} were before")
    if done.prepared:
        kinds = (f"{count:,} {_KINDS.get(kind, kind)}" for kind, count in done.facts.items())
        say(", ".join((counted(done.questions, "question", "questions"), *kinds)))


def _show_paper(made: "Prepared") -> None:
    from citeplug.records.paper import shown_id

    say(f"{shown_id(made.paper)}, {made.title}; {made.of}")
    for pair in made.pairs:
        say(f"  {pair.question}")
        say(f"      “{pair.quote}”{_where(pair)}")
    for fact in made.facts:
        say(f"  {fact.kind}: {fact.value}{_where(fact)}")


def _where(found: "Pair | Fact") -> str:
    return f" [passage {found.place.passage}]" if found.place.passage else ""


def _as_json(done: "Preparation", *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        "made": done.made,
        "kept": done.kept,
        "missing": done.missing,
        "questions": done.questions,
        "facts": done.facts,
        "prepared": [_paper_as_json(each) for each in done.prepared],
        "findings": [finding_as_json(each) for each in done.findings],
    }


def _paper_as_json(made: "Prepared") -> dict[str, Any]:
    return {
        "id": made.paper,
        "version": made.version,
        "title": made.title,
        "of": made.of,
        "made_by": made.made_by,
        "facts": [{"kind": each.kind, "value": each.value, **_place_as_json(each)} for each in made.facts],
        "pairs": [{"question": each.question, "answer": each.answer, **_place_as_json(each)} for each in made.pairs],
        "dropped": dict(made.dropped),
    }


def _place_as_json(found: "Pair | Fact") -> dict[str, Any]:
    place = found.place
    return {"quote": found.quote, "passage": place.passage, "start": place.start, "end": place.end}


COMMANDS = (prepare,)
