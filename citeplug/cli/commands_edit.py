"""`citeplug reject`, `move` and `edit`: a section changed by its author, by place."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli import options
from citeplug.cli.commands_section import is_file
from citeplug.cli.console import print_json, say
from citeplug.errors import UsageError

if TYPE_CHECKING:
    from citeplug.project.find_project import Project
    from citeplug.related.section.edit_section import SectionEdit

_HINT = "name a paragraph (p1), a line of its plan (p1#2) or a sentence (p1:2)"


@click.command(epilog="Example: citeplug reject p1:2")
@click.argument("named", nargs=-1, metavar="[MAIN.tex|RELATED.tex] PLACE...")
@click.option("--undo", is_flag=True, help="Bring rejected sentences back.")
@options.as_json
@options.verbosity
def reject(named: tuple[str, ...], undo: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Take generated sentences out of the section for good.

    PLACE is a paragraph (p1), a sentence of it (p1:2) or several (p1:2-4), as 'citeplug accept' lists them. No
    later run writes the same words again. A sentence that you changed is yours, and stays.
    """
    from citeplug.cli.sentences import reviewed_as_json
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.project.find_project import find_project
    from citeplug.related.section.accept import list_sentences
    from citeplug.related.section.edit_section import reject as take_out
    from citeplug.related.section.edit_section import restore

    first, places = _file_and_rest(named)
    if not places:
        raise UsageError("a place is needed", "see the sentences with 'citeplug accept'")
    project = find_project(first)
    done = (restore if undo else take_out)(project, settings_of().home, places)
    if as_json:
        print_json(reviewed_as_json(list_sentences(project)) | {"changed": [sentence.place for sentence in done]})
    elif verbose - quiet >= 0:
        for sentence in done:
            say(f"{sentence.place}  {sentence.text}")
        say(f"{len(done)} {'brought back' if undo else 'rejected'}")


@click.command(epilog="Example: citeplug move p3 up")
@click.argument("named", nargs=-1, metavar="[MAIN.tex|RELATED.tex] PLACE up|down")
@options.as_json
@options.verbosity
def move(named: tuple[str, ...], as_json: bool, verbose: int, quiet: int) -> None:
    """Move a paragraph (p3), or a line of its plan (p3#2), up or down.

    A paragraph takes its text along, and stays as reviewed as it was.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.project.find_project import find_project
    from citeplug.related.section.edit_section import move_place

    first, rest = _file_and_rest(named)
    if len(rest) != 2 or rest[1] not in ("up", "down"):
        raise UsageError("a place and 'up' or 'down' are needed", _HINT)
    project = find_project(first)
    done = move_place(project, settings_of().home, rest[0], -1 if rest[1] == "up" else 1)
    _show(project, rest[0], done, as_json=as_json, quiet=quiet > verbose)


@click.command(epilog='Example: citeplug edit "p1#2" "contrast two ways of sampling [1801.10247, 1911.07323]"')
@click.argument("named", nargs=-1, metavar="[MAIN.tex|RELATED.tex] PLACE [TEXT]")
@click.option("--add", metavar="LINE", help="Add a line to the plan of a paragraph, or of a new one (PLACE is new).")
@click.option("--delete", is_flag=True, help="Delete the paragraph, or the line of a plan.")
@options.as_json
@options.verbosity
def edit(named: tuple[str, ...], add: str | None, delete: bool, as_json: bool, verbose: int, quiet: int) -> None:
    """Change a heading (p1), a line of a plan (p1#2) or a sentence (p1:2).

    TEXT is LaTeX for a sentence; for a line it is what the sentence is to say, with its papers in brackets. 'citeplug
    related' follows a changed plan. A sentence that you changed is yours from then on.
    """
    from citeplug.corpus.stores import settings as settings_of
    from citeplug.project.find_project import find_project
    from citeplug.related.section.edit_section import edit_place

    first, rest = _file_and_rest(named)
    text = rest[1] if len(rest) > 1 else None
    given = (text is not None and rest[0] != "new") + (add is not None) + delete
    if not 1 <= len(rest) <= 2 or given != 1:
        raise UsageError("a place is needed, with one of TEXT, --add and --delete", _HINT)
    project = find_project(first)
    done = edit_place(project, settings_of().home, rest[0], text, add=add, delete=delete)
    _show(project, rest[0], done, as_json=as_json, quiet=quiet > verbose)


def _show(project: "Project", place: str, done: "SectionEdit", *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"tex": str(project.where.tex), "place": place, "changed": done.changed})
    elif not quiet:
        say(f"{project.where.tex} is {'changed' if done.changed else 'unchanged'}")


def _file_and_rest(named: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    first = Path(named[0]) if named and is_file(named[0]) else None
    return first, named[1:] if first else named
