"""Commands on a section that was written: its state, its removal, and what its author does to it, by place."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from citeplug.cli.console import print_json, say, show_findings, show_unified, write_bytes
from citeplug.cli.help_groups import WholeGroup
from citeplug.cli.options import Output, Verbosity
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import UsageError

if TYPE_CHECKING:
    from citeplug.project.find_project import Project
    from citeplug.related.section.edit_section import SectionEdit


_HINT = "name a paragraph (p1), a line of its plan (p1#2) or a sentence (p1:2)"


@click.group(cls=WholeGroup)
def section() -> None:
    """Accept, reject, edit or move parts of a section."""


@parameters
class StripParams(Verbosity):
    section: Path | None = argument("[RELATED.tex]")
    out: Path | None = option("Where to write it. Default: standard output.", "-o", "--out", metavar="FILE")
    force: bool = option("Overwrite FILE even if citeplug did not write it; a copy is kept as .bak.")


@command("Example: citeplug section strip related.tex -o submission/related.tex", group=section)
def strip(params: StripParams) -> None:
    """Print the section without citeplug's comments, for a submission: arXiv publishes sources.

    The text, your own comments and what you wrote between the blocks stay byte for byte. The section itself is not
    changed: without -o, the result goes to standard output.
    """
    from citeplug.related.section.strip import strip_section, write_stripped

    stripped = strip_section(params.section)
    if params.out is None:
        write_bytes(stripped.data)
    else:
        changed = write_stripped(stripped, params.out, params.settings().home, force=params.force)
        if params.level >= 0:
            say(
                f"wrote {params.out}, without {stripped.removed} lines of citeplug's"
                if changed
                else f"{params.out} is unchanged"
            )
    if stripped.unwritten and params.level >= 0:
        say(f"{', '.join(stripped.unwritten)}: planned but not written, so not in the result", err=True)


@parameters
class AcceptParams(Output):
    named: tuple[str, ...] = argument("[MAIN.tex|RELATED.tex] [PLACE]...")
    everything: bool = option("Accept every generated sentence that you have not changed.", "--all")
    undo: bool = option("Mark them as unreviewed again.")


@command("Example: citeplug section accept p1 p2:3", group=section)
def accept(params: AcceptParams) -> None:
    """Mark generated sentences as read and accepted by you.

    PLACE is a paragraph (p1), one of its sentences (p1:2) or several (p1:2-4). Without it, you are asked about each
    unreviewed sentence, shown with the words of its source; where no terminal is attached, they are listed. A sentence
    that you changed is yours and needs no review.
    """
    from citeplug.cli.sentences import ask_each, count_waiting, reviewed_as_json, show_accepted, show_waiting
    from citeplug.project.find_project import find_project
    from citeplug.related.section.accept import accept as mark
    from citeplug.related.section.accept import list_sentences

    first, places = _file_and_rest(params.named)
    if params.everything and places:
        raise UsageError("--all and places cannot be given together", "leave one out")
    if params.undo and not (params.everything or places):
        raise UsageError("--undo needs sentences", "give places such as p1:2, or use --all")
    project = find_project(first)
    if not (params.everything or places):
        listed = list_sentences(project)
        if params.as_json:
            print_json(reviewed_as_json(listed))
            return
        if not (count_waiting(listed) and sys.stdin.isatty() and sys.stdout.isatty()):
            show_waiting(listed)
            return
        places = tuple(ask_each(listed))
        if not places:
            say("no sentence was accepted")
            return
    done = mark(project, places, params.settings().home, everything=params.everything, undo=params.undo)
    if params.as_json:
        print_json(reviewed_as_json(done))
    elif params.level >= 0:
        show_accepted(done, "unreviewed again" if params.undo else "accepted")


@parameters
class StatusParams(Output):
    main: Path | None = argument("[MAIN.tex|RELATED.tex|DIR]")
    fail_on: Literal["due", "unreviewed", "never"] = option(
        "End with exit code 1 if the section is out of date (due), or also if anything is unreviewed or unverified.",
        default="never",
    )
    draft: bool = option("Show how the draft is read: abstract, sections, citations, bibliography.")


@command("Example: citeplug status --fail-on due")
def status(params: StatusParams) -> None:
    """Show the state of a section, and what to do next."""
    from citeplug.cli.section_state import is_settled, show_state, state_as_json
    from citeplug.project.find_project import find_project
    from citeplug.related.section.status import state_of

    if params.draft:
        _show_draft(params.main or Path(), params)
        return
    state = state_of(find_project(params.main))
    if params.as_json:
        print_json(state_as_json(state))
    else:
        show_state(state)
    if (params.fail_on != "never" and state.condition != "current") or (
        params.fail_on == "unreviewed" and not is_settled(state)
    ):
        raise SystemExit(1)


@parameters
class DraftParams(Output):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf|TEXT]", default=Path())


@command("Example: citeplug draft paper/main.tex --json")
def draft(params: DraftParams) -> None:
    """Show how a draft is read: abstract, sections, citations, bibliography."""
    _show_draft(params.main, params)


def _show_draft(main: Path, output: Output) -> None:
    from citeplug.latex.report import LABEL, draft_as_json, draft_as_text
    from citeplug.project.any_draft import read_any_draft, root_of

    read = read_any_draft(root_of(main))
    if output.as_json:
        print_json(draft_as_json(read))
        return
    for line in draft_as_text(read).splitlines():
        say(line[LABEL:], lead=(line[:LABEL], "title"))
    say()
    show_findings(read.findings, output.level)


@parameters
class RemoveParams(Output):
    main: Path | None = argument("[MAIN.tex|RELATED.tex|DIR]")
    dry_run: bool = option("Change nothing; print what would be removed.")
    diff: bool = option("Print a unified diff of what would change, and change nothing.")


@command("Example: citeplug remove main.tex --diff")
def remove(params: RemoveParams) -> None:
    """Remove citeplug's section from a project.

    The lines that --insert added to the draft are taken out. The section, its entries and .citeplug/ are deleted if
    everything in them is citeplug's. A file with words of yours stays, with the lines that read it, and is named.
    """
    from citeplug.cli.section_state import removed_as_json, show_removed
    from citeplug.related.section.remove import remove_section

    done = remove_section(params.main, params.settings().home, dry_run=params.dry_run, diff=params.diff)
    if params.as_json:
        print_json(removed_as_json(done) | ({"diff": done.diff} if params.diff else {}))
        return
    if params.diff:
        show_unified(done.diff)
    elif params.level >= 0:
        show_removed(done)
    show_findings(done.findings, params.level)


@parameters
class RejectParams(Output):
    named: tuple[str, ...] = argument("[MAIN.tex|RELATED.tex] PLACE...")
    undo: bool = option("Bring rejected sentences back.")


@command("Example: citeplug section reject p1:2", group=section)
def reject(params: RejectParams) -> None:
    """Take generated sentences out of the section for good.

    PLACE is a paragraph (p1), one of its sentences (p1:2) or several (p1:2-4), as 'citeplug section accept' lists them.
    No later run writes the same words again. A sentence that you changed is yours and stays.
    """
    from citeplug.cli.sentences import reviewed_as_json
    from citeplug.project.find_project import find_project
    from citeplug.related.section.accept import list_sentences
    from citeplug.related.section.edit_section import reject as take_out
    from citeplug.related.section.edit_section import restore

    first, places = _file_and_rest(params.named)
    if not places:
        raise UsageError("a place is needed", "see the sentences with 'citeplug section accept'")
    project = find_project(first)
    done = (restore if params.undo else take_out)(project, params.settings().home, places)
    if params.as_json:
        print_json(reviewed_as_json(list_sentences(project)) | {"changed": [sentence.place for sentence in done]})
    elif params.level >= 0:
        for sentence in done:
            say(f"{sentence.place}  {sentence.text}")
        say(f"{len(done)} {'brought back' if params.undo else 'rejected'}")


@parameters
class MoveParams(Output):
    named: tuple[str, ...] = argument("[MAIN.tex|RELATED.tex] PLACE up|down")


@command("Example: citeplug section move p3 up", group=section)
def move(params: MoveParams) -> None:
    """Move a paragraph (p3), or a line of its plan (p3#2), up or down.

    A paragraph keeps its text and what you have reviewed.
    """
    from citeplug.project.find_project import find_project
    from citeplug.related.section.edit_section import move_place

    first, rest = _file_and_rest(params.named)
    if len(rest) != 2 or rest[1] not in ("up", "down"):
        raise UsageError("a place and 'up' or 'down' are needed", _HINT)
    project = find_project(first)
    done = move_place(project, params.settings().home, rest[0], -1 if rest[1] == "up" else 1)
    _show(project, rest[0], done, as_json=params.as_json, quiet=params.quiet > params.verbose)


@parameters
class EditParams(Output):
    named: tuple[str, ...] = argument("[MAIN.tex|RELATED.tex] PLACE [TEXT]")
    add: str | None = option("Add a line to the plan of a paragraph, or of a new one (PLACE is new).", metavar="LINE")
    delete: bool = option("Delete the paragraph, or the line of a plan.")


@command(
    'Example: citeplug section edit "p1#2" "contrast two ways of sampling [1801.10247, 1911.07323]"', group=section
)
def edit(params: EditParams) -> None:
    """Change a heading (p1), a line of a plan (p1#2) or a sentence (p1:2).

    TEXT is the LaTeX of a sentence or, for a line of the plan, what the sentence should say, with its papers in
    brackets. 'citeplug related' follows a changed plan. A sentence that you change is yours from then on.
    """
    from citeplug.project.find_project import find_project
    from citeplug.related.section.edit_section import edit_place

    first, rest = _file_and_rest(params.named)
    text = rest[1] if len(rest) > 1 else None
    count = (text is not None and rest[0] != "new") + (params.add is not None) + params.delete
    if not 1 <= len(rest) <= 2 or count != 1:
        raise UsageError("a place is needed, with one of TEXT, --add and --delete", _HINT)
    project = find_project(first)
    done = edit_place(project, params.settings().home, rest[0], text, add=params.add, delete=params.delete)
    _show(project, rest[0], done, as_json=params.as_json, quiet=params.quiet > params.verbose)


def _show(project: "Project", place: str, done: "SectionEdit", *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"tex": str(project.where.tex), "place": place, "changed": done.changed})
    elif not quiet:
        say(f"{project.where.tex} {'was changed' if done.changed else 'is unchanged'}")


def _file_and_rest(words: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """The draft, section or folder that stands first, if one does, and the places in the section."""
    if words and (Path(words[0]).exists() or "/" in words[0] or words[0].lower().endswith(".tex")):
        return Path(words[0]), words[1:]
    return None, words
