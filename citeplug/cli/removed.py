"""Result of `citeplug remove`, printed."""

from typing import Any

from citeplug.cli.console import finding_as_json, say
from citeplug.project.provenance import PROVENANCE
from citeplug.related.section.remove import Removed


def removed_as_json(done: Removed) -> dict[str, Any]:
    return {
        "root": str(done.root),
        "dry_run": done.dry_run,
        "removed": [str(path) for path in done.files],
        "edited": [str(path) for path in done.edited],
        "findings": [finding_as_json(finding) for finding in done.findings],
    }


def show_removed(done: Removed) -> None:
    own = done.root.parent / PROVENANCE.parent
    would = "would be " if done.dry_run else ""
    for path in done.edited:
        say(f"{would}edited {path}: the lines that --insert added are taken out")
    for path in (path for path in done.files if not path.is_relative_to(own)):
        say(f"{would}deleted {path}")
    if any(path.is_relative_to(own) for path in done.files):
        say(f"{would}deleted {own}")
    if not done.edited and not done.files:
        say(f"nothing of citeplug's to remove in {done.root.parent}")
