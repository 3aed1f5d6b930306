"""Corrected bibliography, printed: as JSON, as a diff, and for a reader."""

import shlex
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from citeplug.bib.fixed import Fixed, FixRequest, FixResult
from citeplug.cli.check_report import show_titles, shown_path
from citeplug.cli.console import counted, finding_as_json, least_shown, say, say_next, show_findings, show_unified
from citeplug.records.json_form import fields_of
from citeplug.records.report import RANK

_LONGEST = 100  # characters of a value in a line for a reader


def fixes_as_json(result: FixResult, written: bool) -> dict[str, Any]:
    return {
        "files": [
            {"file": str(file.file.path), "changed": file.changed, "diff": file.diff() or None} for file in result.files
        ],
        "written": written and any(file.changed for file in result.files),
        "fixed": [fields_of(change, "key file line code field value message record") for change in result.fixed],
        "remaining": [finding_as_json(finding) for finding in result.remaining],
    }


def show_diff(result: FixResult, level: int) -> None:
    """Print as text on a terminal; to a pipe in the files' own encoding, so that `patch` can apply it."""
    if level >= 0 and not result.fixed:
        say("nothing to fix", err=True)
    for file in result.files:
        if sys.stdout.isatty():
            show_unified(file.diff())
            continue
        sys.stdout.flush()
        sys.stdout.buffer.write(file.diff_bytes())
        sys.stdout.buffer.flush()


def show_fixed(result: FixResult, written: bool, level: int) -> None:
    """Print the corrections as `citeplug check` prints findings."""
    if level < 0:
        return
    for (file, line, key), fixes in groupby(result.fixed, lambda fixed: (fixed.file, fixed.line, fixed.key)):
        say(f"{shown_path(Path(file))}:{line}: ", ("fixed" if written else "would fix", "good"), ": ", (key, "key"))
        for fixed in fixes:
            by = f" (by {fixed.record})" if fixed.record else ""
            say(f"    {_change(fixed)}{by} ", (f"[{fixed.code}]", "code"))
    count = len({(change.file, change.key) for change in result.fixed})
    if not result.fixed:
        say("nothing to fix; no file was changed")
        return
    names = ", ".join(file.file.path.name for file in result.files if file.changed)
    verb = "fixed" if written else "would fix"
    problems, entries = counted(len(result.fixed), "problem", "problems"), counted(count, "entry", "entries")
    say(f"\n{verb} {problems} in {entries} of {names}")


def _change(fixed: Fixed) -> str:
    if fixed.message is not None:
        return fixed.message
    if fixed.value is None:
        return f"{fixed.field} removed"
    value = " ".join(fixed.value.split())
    short = value if len(value) <= _LONGEST else value[: _LONGEST - 1] + "…"
    return f"{fixed.field} = {short}"


def show_remaining(result: FixResult, level: int) -> None:
    """Print the findings that are left to the author on standard error; information only with -v."""
    least = least_shown(level)
    shown = [finding for finding in result.remaining if RANK[finding.severity] >= RANK[least]]
    to_do = sum(finding.code != "source_unavailable" for finding in shown)
    if to_do and level >= 0:
        say((f"left to you: {to_do}", "number"), err=True)
    show_findings(shown, level)


def show_step(
    result: FixResult, request: FixRequest, sources: Sequence[str], written: bool, files: Sequence[Path], *, err: bool
) -> None:
    """Print the next command: the same without --diff, or what shows what is left; on standard error with `err`."""
    named = [str(file) for file in files]
    if result.fixed and not written:
        options = [word for code in sorted(request.only) for word in ("--only", code)]
        options += ["--camera-ready"] if request.camera_ready else ["--published"] if request.published else []
        options += ["--sources", ",".join(sources)] if sources else []
        does = "writes this correction" if len(result.fixed) == 1 else "writes these corrections"
        say_next(shlex.join(["citeplug", "fix", *named, *options]), does, err=err)
    elif result.close and "title_differs" not in request.only:
        say_next(*show_titles(files, result.close), err=err)
    elif result.fixed or any(finding.severity != "info" for finding in result.remaining):
        say_next(shlex.join(["citeplug", "check", *named]), "shows what is left to you", err=err)
