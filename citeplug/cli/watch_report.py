"""Events of `citeplug watch`, printed: a line each for a reader, or a JSON document a line."""

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from citeplug.cli.console import finding_as_json, print_json_line, say, say_finding
from citeplug.records.json_form import fields_of
from citeplug.sync.watch.context import Kind, WatchEvent

_STYLES: Mapping[Kind, str] = {
    "written": "good", "due": "warning", "waiting": "warning", "failed": "error", "unchanged": "aside",
}  # fmt: skip
# With -q, only events that need the author.
_QUIET: frozenset[Kind] = frozenset({"due", "waiting", "failed"})


def teller(root: Callable[[], Path], verbosity: int, as_json: bool) -> Callable[[WatchEvent], None]:
    """Return a function that prints an event; paths are relative to the folder of the main file, `root()`."""
    if as_json:
        return lambda event: print_json_line(event_as_json(event))
    printed: set[tuple[str, str]] = set()

    def show(event: WatchEvent) -> None:
        if verbosity < 0 and event.kind not in _QUIET:
            return
        say_line(event, root().parent)
        for finding in event.findings:
            # Findings of an earlier run are not printed again.
            if (finding.code, finding.message) not in printed:
                printed.add((finding.code, finding.message))
                say_finding(finding, lead=" " * 10)

    return show


def say_line(event: WatchEvent, folder: Path) -> None:
    """`13:05:22  written   related.tex was updated (related.tex) (1.2 s)`"""
    now = datetime.now().strftime("%H:%M:%S")
    words = " ".join(_message(event, folder).split())
    say((f"{event.kind:9}", _STYLES.get(event.kind, "")), f" {words}", lead=f"{now}  ", hang=10)
    if event.hint:
        say(event.hint, lead=" " * 20)


def _message(event: WatchEvent, folder: Path) -> str:
    names = [_name(file, folder) for file in event.files]
    message = event.message
    if event.kind == "watching":
        shown = message.replace(f"{folder}{os.sep}", "", 1)
        message = f"{shown}, {len(names)} files; Ctrl-C ends it"
    elif event.kind in ("unchanged", "current", "due", "waiting") and names:
        message = f"{', '.join(names)} saved: {message}"
    elif event.kind == "written":
        message = f"{message} ({', '.join(names)})"
    return f"{message}{_seconds(event.seconds)}"


def _seconds(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return f" ({seconds:.1f} s)" if seconds >= 1 else f" ({seconds * 1000:.0f} ms)"


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix() if file.is_relative_to(folder) else str(file)


def event_as_json(event: WatchEvent) -> dict[str, Any]:
    """Return the document of one line of `citeplug watch --json`."""
    return {
        "time": datetime.now().astimezone().isoformat(timespec="milliseconds"),
        "event": event.kind,
        **fields_of(event, "message files changed"),
        "seconds": None if event.seconds is None else round(event.seconds, 4),
        "hint": event.hint or None,
        "findings": [finding_as_json(finding) for finding in event.findings],
    }
