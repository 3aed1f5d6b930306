"""`citeplug strip`, `accept` and `status`: what an author does with a section that is there."""

from pathlib import Path

import click

from citeplug.errors import UsageError
from citeplug.faces import options
from citeplug.faces.console import print_json, say, write_bytes


@click.command(epilog="Example: citeplug strip related.tex -o submission/related.tex")
@click.argument("section", metavar="[RELATED.tex]", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write here; default: standard output."
)
@click.option("--force", is_flag=True, help="Overwrite FILE even if it is no earlier result; a copy is kept as .bak.")
@options.verbosity
def strip(section: Path | None, out: Path | None, force: bool, verbose: int, quiet: int) -> None:
    """Give the section without citeplug's comments, for a submission: arXiv publishes sources.

    The text, your own comments and what you wrote between the blocks stay byte for byte. The section itself is not
    changed: without -o the result goes to standard output.
    """
    from citeplug.build.stores import settings as settings_of
    from citeplug.build.stripping import strip_section, write_stripped

    level = verbose - quiet
    stripped = strip_section(section)
    if out is None:
        write_bytes(stripped.data)
    else:
        changed = write_stripped(stripped, out, settings_of().home, force=force)
        if level >= 0:
            say(f"wrote {out}, without {stripped.removed} lines of citeplug's" if changed else f"{out} is as it was")
    if stripped.unwritten and level >= 0:
        say(f"{', '.join(stripped.unwritten)}: a plan without a text, of which nothing is left", err=True)


@click.command(epilog="Example: citeplug accept p1 p2:3")
@click.argument("named", nargs=-1, metavar="[MAIN.tex|RELATED.tex] [PLACE]...")
@click.option("--all", "everything", is_flag=True, help="Every sentence that stands as it was generated.")
@click.option("--undo", is_flag=True, help="Mark them as unreviewed again.")
@options.as_json
@options.verbosity
def accept(named: tuple[str, ...], everything: bool, undo: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Mark generated sentences as read and accepted by you.

    PLACE is a paragraph (p1), a sentence of it (p1:2) or several (p1:2-4). Without one, the sentences that nobody has
    accepted are listed, each with the words of its source. A sentence that you changed is yours already.
    """
    from citeplug.build.locate import find_project
    from citeplug.build.reviewing import accept as mark
    from citeplug.build.reviewing import list_sentences
    from citeplug.build.stores import settings as settings_of
    from citeplug.faces.reviewed import reviewed_as_json, show_accepted, show_waiting

    first = Path(named[0]) if named and _is_file(named[0]) else None
    places = named[1:] if first else named
    if everything and places:
        raise UsageError("--all and single sentences contradict each other", "leave one out")
    if undo and not (everything or places):
        raise UsageError("what is to be undone is not said", "name sentences, or use --all")
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


def _is_file(word: str) -> bool:
    """Whether a word names a draft, a section or a folder, and no place in a section."""
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
    """Say what of the section is current, due, edited, unreviewed and unverified, and what to do next."""
    from citeplug.build.locate import find_project
    from citeplug.build.state import state_of
    from citeplug.faces.stated import is_settled, show_state, state_as_json

    state = state_of(find_project(main))
    if as_json:
        print_json(state_as_json(state))
    else:
        show_state(state)
    if (fail_on != "never" and state.condition != "current") or (fail_on == "unreviewed" and not is_settled(state)):
        raise SystemExit(1)


COMMANDS = (strip, accept, status)
