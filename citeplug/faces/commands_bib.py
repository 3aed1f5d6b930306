"""`citeplug fix`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citeplug.faces import options
from citeplug.faces.console import (
    announce_query,
    finding_as_json,
    finding_line,
    print_json,
    progress,
    say,
    use_colour,
)
from citeplug.records.report import RANK
from citeplug.records.review import Severity
from citeplug.records.work import Service

if TYPE_CHECKING:
    from citeplug.build.mending import Fixed, Mended

_LEAST: dict[str, Severity] = {"error": "error", "warning": "warning"}
_LONGEST = 100  # characters of a value in a line for a reader


@click.command(epilog="Example: citeplug fix refs.bib --diff")
@click.argument("files", nargs=-1, metavar="[FILE.bib... | MAIN.tex]", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="CODE", help="Only what findings of this code are about; repeatable.")
@click.option("--diff", is_flag=True, help="Print a unified diff and write nothing.")
@click.option("--dry-run", is_flag=True, help="Say what would be fixed and write nothing.")
@click.option(
    "--published", is_flag=True, help="Replace preprints by their published versions too; keys and notes stay."
)
@options.offline
@click.option(
    "--online", is_flag=True, help="Search arXiv by title too; words of your entries are sent, and shown first."
)
@options.sources
@options.as_json
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    help="End with exit code 1 if something at least so serious remains.",
)
@options.verbosity
def fix(
    files: tuple[Path, ...],
    only: tuple[str, ...],
    diff: bool,
    dry_run: bool,
    published: bool,
    offline: bool,
    online: bool,
    sources: tuple[Service, ...],
    as_json: bool,
    fail_on: str,
    verbose: int,
    quiet: int,
) -> None:
    """Put right what is certain in a bibliography; every other byte stays as it is.

    FILE is a .bib file, or the main .tex file of a project, of which every cited entry is looked at. What 'citeplug
    check' finds and the record alone makes certain is corrected; the rest is listed, for you to decide.
    """
    from citeplug.build.mending import Wish, mend_bibliography
    from citeplug.build.stores import settings as settings_of

    level = verbose - quiet
    codes = frozenset(code for each in only for code in each.replace(",", " ").split())
    chosen = settings_of(offline=offline, online=online)
    with progress(level, as_json) as reporter:
        mended = mend_bibliography(
            files,
            chosen,
            Wish(codes, published),
            online=online,
            report=reporter.update,
            sources=sources,
            announce=announce_query,
        )
    written = not (diff or dry_run)
    if written:
        mended.write(chosen.home)
    if as_json:
        print_json(_mended_as_json(mended, written))
    elif diff:
        _show_diff(mended)
        _show_remaining(mended, level)
    else:
        _show_fixed(mended, written, level)
        _show_remaining(mended, level)
    worst = max((RANK[finding.severity] for finding in mended.remaining), default=0)
    if fail_on in _LEAST and worst >= RANK[_LEAST[fail_on]]:
        raise SystemExit(1)
    if mended.outage:
        raise SystemExit(3)


def _mended_as_json(mended: "Mended", written: bool) -> dict[str, Any]:
    return {
        "files": [
            {"file": str(each.file.path), "changed": each.changed, "diff": each.diff() or None} for each in mended.files
        ],
        "written": written and any(each.changed for each in mended.files),
        "fixed": [
            {
                "key": each.key,
                "file": str(each.file),
                "line": each.line,
                "code": each.change.code,
                "field": each.change.field,
                "value": each.change.value,
            }
            for each in mended.fixed
        ],
        "remaining": [finding_as_json(finding) for finding in mended.remaining],
    }


def _show_diff(mended: "Mended") -> None:
    """As text on a terminal; to a pipe in the bytes of the files, so that `patch` can apply it."""
    for each in mended.files:
        if sys.stdout.isatty():
            for line in each.diff().splitlines():
                say(line)
            continue
        sys.stdout.flush()
        sys.stdout.buffer.write(each.diff_bytes())
        sys.stdout.buffer.flush()


def _show_fixed(mended: "Mended", written: bool, level: int) -> None:
    if level < 0:
        return
    for each in mended.fixed:
        say(f"{each.file}:{each.line}: {each.key}: {_said(each)} [{each.change.code}]")
    count = len({(each.file, each.line, each.key) for each in mended.fixed})
    if not mended.fixed:
        say("nothing to fix; no file was touched")
        return
    names = ", ".join(each.file.path.name for each in mended.files if each.changed)
    verb = "fixed" if written else "to be fixed"
    say(f"{len(mended.fixed)} {_fields(len(mended.fixed))} of {count} {_entries(count)} {verb} in {names}")


def _fields(count: int) -> str:
    return "field" if count == 1 else "fields"


def _entries(count: int) -> str:
    return "entry" if count == 1 else "entries"


def _said(fixed: "Fixed") -> str:
    if fixed.change.value is None:
        return f"{fixed.change.field} removed"
    value = " ".join(fixed.change.value.split())
    short = value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
    return f"{fixed.change.field} = {short}"


def _show_remaining(mended: "Mended", level: int) -> None:
    """What is left to the author, on standard error; information only with -v."""
    least: Severity = "info" if level > 0 else "error" if level < 0 else "warning"
    shown = [finding for finding in mended.remaining if RANK[finding.severity] >= RANK[least]]
    if shown and level >= 0:
        say(f"left to you: {len(shown)}", err=True)
    for finding in sorted(shown, key=lambda finding: -RANK[finding.severity]):
        click.echo(finding_line(finding, use_colour(sys.stderr)), err=True)


COMMANDS = (fix,)
