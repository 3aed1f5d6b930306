"""Events of `citeplug watch`, printed: a line each for a reader, or a JSON document a line."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from citeplug.cli.console import finding_as_json, finding_line, print_json_line, safe, say, use_colour
from citeplug.sync.watch.happenings import Happening, Kind

_COLOURS: dict[Kind, str] = {"written": "green", "due": "yellow", "waiting": "yellow", "failed": "red"}
# With -q, only events that need the author.
_QUIET: frozenset[Kind] = frozenset({"due", "waiting", "failed"})


def teller(root: Callable[[], Path], verbosity: int, as_json: bool) -> Callable[[Happening], None]:
    """Return a function that prints an event; paths are relative to the folder of the main file, `root()`."""
    if as_json:
        return lambda happening: print_json_line(happening_as_json(happening))
    import sys

    colour = use_colour(sys.stdout)
    printed: set[tuple[str, str]] = set()

    def show(happening: Happening) -> None:
        if verbosity < 0 and happening.kind not in _QUIET:
            return
        say_line(happening, root().parent, colour)
        for finding in happening.findings:
            # Findings of an earlier run are not printed again.
            if (finding.code, finding.message) not in printed:
                printed.add((finding.code, finding.message))
                click.echo(f"          {finding_line(finding, colour)}")

    return show


def say_line(happening: Happening, folder: Path, colour: bool) -> None:
    """`13:05:22  written   related.tex was updated (related.tex) (1.2 s)`"""
    now = datetime.now().strftime("%H:%M:%S")
    kind = click.style(f"{happening.kind:9}", fg=_COLOURS.get(happening.kind), dim=happening.kind == "unchanged")
    line = f"{now}  {kind if colour else f'{happening.kind:9}'} {_safe_line(_message(happening, folder))}"
    click.echo(line)
    if happening.hint:
        say(f"          {happening.hint}")


def _message(happening: Happening, folder: Path) -> str:
    names = [_name(file, folder) for file in happening.files]
    message = happening.message
    if happening.kind == "watching":
        message = f"{message}, {len(names)} files"
    elif happening.kind in ("unchanged", "current", "due", "waiting") and names:
        message = f"{', '.join(names)} saved: {message}"
    elif happening.kind == "written":
        message = f"{message} ({', '.join(names)})"
    return f"{message}{_seconds(happening.seconds)}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f" ({seconds:.1f} s)" if seconds >= 1 else f" ({seconds * 1000:.0f} ms)"


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)


def _safe_line(text: str) -> str:
    return " ".join(safe(text).split())


def happening_as_json(happening: Happening) -> dict[str, Any]:
    """Return the document of one line of `citeplug watch --json`."""
    return {
        "time": datetime.now().astimezone().isoformat(timespec="milliseconds"),
        "event": happening.kind,
        "message": happening.message,
        "files": [str(file) for file in happening.files],
        "changed": list(happening.changed),
        "seconds": None if happening.seconds is None else round(happening.seconds, 4),
        "hint": happening.hint or None,
        "findings": [finding_as_json(finding) for finding in happening.findings],
    }
