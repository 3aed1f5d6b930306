"""`citeplug strip`, `accept`, `status` and `remove`: commands on a section that was written."""

from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import print_json, say, show_findings, show_unified, write_bytes
from citeplug.errors import UsageError


@click.command(epilog="Example: citeplug strip related.tex -o submission/related.tex")
@click.argument("section", metavar="[RELATED.tex]", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write here; default: standard output."
)
@click.option("--force", is_flag=True, help="Overwrite FILE even if citeplug did not write it; a copy is kept as .bak.")
@options.verbosity
def strip(section: Path | None, out: Path | None, force: bool, verbose: int, quiet: int) -> None:
    """Print the section without citeplug's comments, for a submission: arXiv publishes sources.

    The text, your own comments and what you wrote between the blocks stay byte for byte. The section itself is not
    changed: without -o the result goes to standard output.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.related.section.strip import strip_section, write_stripped

    level = verbose - quiet
    stripped = strip_section(section)
    if out is None:
        write_bytes(stripped.data)
    else:
        changed = write_stripped(stripped, out, settings_of().home, force=force)
        if level >= 0:
            say(f"wrote {out}, without {stripped.removed} lines of citeplug's" if changed else f"{out} is unchanged")
    if stripped.unwritten and level >= 0:
        say(f"{', '.join(stripped.unwritten)}: planned and not written, so nothing of it is in the result", err=True)


@click.command(epilog="Example: citeplug accept p1 p2:3")
@click.argument("named", nargs=-1, metavar="[MAIN.tex|RELATED.tex] [PLACE]...")
@click.option("--all", "everything", is_flag=True, help="Every generated sentence that you have not changed.")
@click.option("--undo", is_flag=True, help="Mark them as unreviewed again.")
@options.as_json
@options.verbosity
def accept(named: tuple[str, ...], everything: bool, undo: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Mark generated sentences as read and accepted by you.

    PLACE is a paragraph (p1), a sentence of it (p1:2) or several (p1:2-4). Without one, the unreviewed sentences are
    listed, each with the words of its source. A sentence that you changed is yours and needs no review.
    """
    from citeplug.cli.sentences import reviewed_as_json, show_accepted, show_waiting
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.project.find_project import find_project
    from citeplug.related.section.accept import accept as mark
    from citeplug.related.section.accept import list_sentences

    first = Path(named[0]) if named and is_file(named[0]) else None
    places = named[1:] if first else named
    if everything and places:
        raise UsageError("--all and places cannot be given together", "leave one out")
    if undo and not (everything or places):
        raise UsageError("--undo needs sentences", "give places such as p1:2, or use --all")
    project = find_project(first)
    if not (everything or places):
        listed = list_sentences(project)
        if as_json:
            print_json(reviewed_as_json(listed))
        else:
            show_waiting(listed)
        return
    done = mark(project, places, settings_of().home, everything=everything, undo=undo)
    if as_json:
        print_json(reviewed_as_json(done))
    elif verbose - quiet >= 0:
        show_accepted(done, "unreviewed again" if undo else "accepted")


def is_file(word: str) -> bool:
    """Return True if a word names a draft, a section or a folder, and not a place in a section."""
    return Path(word).exists() or "/" in word or word.lower().endswith(".tex")


@click.command(epilog="Example: citeplug status --fail-on due")
@click.argument("main", metavar="[MAIN.tex|RELATED.tex|DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--fail-on",
    type=click.Choice(("due", "unreviewed", "never")),
    default="never",
    show_default=True,
    help="End with exit code 1 if the section is not current, or also if something is unreviewed or unverified.",
)
@options.as_json
def status(main: Path | None, fail_on: str, as_json: bool) -> None:
    """Show what in the section is current, due, edited, unreviewed and unverified, and the next commands."""
    from citeplug.cli.section_state import is_settled, show_state, state_as_json
    from citeplug.project.find_project import find_project
    from citeplug.related.section.status import state_of

    state = state_of(find_project(main))
    if as_json:
        print_json(state_as_json(state))
    else:
        show_state(state)
    if (fail_on != "never" and state.condition != "current") or (fail_on == "unreviewed" and not is_settled(state)):
        raise SystemExit(1)


@click.command(epilog="Example: citeplug remove main.tex --diff")
@click.argument("main", metavar="[MAIN.tex|RELATED.tex|DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Change nothing; print what would be removed.")
@click.option("--diff", is_flag=True, help="Print a unified diff of what would change, and change nothing.")
@options.as_json
@options.verbosity
def remove(main: Path | None, dry_run: bool, diff: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Remove citeplug's section from a project.

    The lines that --insert added to the draft are taken out; the section, its entries and .citeplug/ are deleted if
    all in them is citeplug's. A file with words of yours stays, with the lines that read it, and is named.
    """
    from citeplug.cli.section_state import removed_as_json, show_removed
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.related.section.remove import remove_section

    level = verbose - quiet
    done = remove_section(main, settings_of().home, dry_run=dry_run, diff=diff)
    if as_json:
        print_json(removed_as_json(done) | ({"diff": done.diff} if diff else {}))
        return
    if diff:
        show_unified(done.diff)
    elif level >= 0:
        show_removed(done)
    show_findings(done.findings, level)
