"""Which files the project's own files, the document and `citeplug.toml`, name for the section and its entries."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from citeplug import delivery
from citeplug.configuration import Configuration, read_configuration
from citeplug.errors import UnreadableInput
from citeplug.records.choices import BIB, OUT, Choice
from citeplug.records.review import Finding
from citeplug.tex.edits import was_generated
from citeplug.tex.project import read_draft

_LARGEST_SOURCE = 5_000_000  # bytes
_MOST_SOURCES = 2_000
_SOURCES = (".tex", ".ltx")


@dataclass(frozen=True, slots=True)
class Named:
    """Files that the project's own files name for the section and its entries; absolute, None: the usual ones."""

    out: Path | None = None
    bib: Path | None = None
    findings: tuple[Finding, ...] = ()


def named_targets(root: Path) -> Named:
    """Where the project wants its section. What leads out of it does not count: that is a finding for the document's
    word, and raises UnreadableInput for that of `citeplug.toml`."""
    configuration = read_configuration(root.parent)
    found: dict[str, Path] = {}
    for choice in (OUT, BIB):
        if choice.name in configuration.values and configuration.path is not None:
            path, why = _inside(configuration.path.parent, configuration.values[choice.name], (root,))
            if path is None:
                raise _refused(configuration, choice, why)
            found[choice.name] = path
    said, findings = _named_in_document(root)
    return Named(said or found.get(OUT.name), found.get(BIB.name), tuple(findings))


def _named_in_document(root: Path) -> tuple[Path | None, list[Finding]]:
    if not _speaks_of_citeplug(root.parent):
        return None, []
    draft = read_draft(root, prose=False)
    name = draft.options.values.get(OUT.name)
    if name is None:
        return None, []
    own = [file for file in (root.parent / each for each in draft.files) if not _is_section(file)]
    path, why = _inside(root.parent, name, own)
    if path is not None:
        return path, []
    span = draft.options.span
    message = f"file={name} {why}; it does not count"
    fix = "name a file inside the folder of the main document"
    place = (span.file, span.line) if span else (root, None)
    return None, [Finding("option_invalid", "warning", message, place[0], place[1], fix=fix)]


def _is_section(file: Path) -> bool:
    return was_generated(delivery.read_or_none(file) or "")


def _inside(folder: Path, name: str, taken: Iterable[Path]) -> tuple[Path | None, str]:
    """The file, or why it cannot be one: links are followed."""
    path = folder / name
    try:
        if not path.parent.is_dir():
            return None, f"is in a folder that does not exist: {path.parent}"
        if not path.resolve().is_relative_to(folder.resolve()):
            return None, "leads out of the project"
        if path.is_dir():
            return None, "is a folder"
        if any(path.resolve() == other.resolve() for other in taken):
            return None, "is a file of the draft's own"
    except (OSError, RuntimeError, ValueError):
        return None, "cannot be looked at"
    return path, ""


def _refused(configuration: Configuration, choice: Choice, why: str) -> UnreadableInput:
    line = configuration.lines.get(choice.name)
    place = f"{configuration.path}:{line}" if line else str(configuration.path)
    return UnreadableInput(
        f"{place}: {choice.toml} = {configuration.values[choice.name]!r} {why}",
        "name a file inside the folder of citeplug.toml",
    )


def _speaks_of_citeplug(folder: Path) -> bool:
    """Whether a source in or beneath the folder has the command: only then is the document read for it."""
    count = 0
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        for name in names:
            if name.lower().endswith(_SOURCES):
                count += 1
                if count > _MOST_SOURCES:
                    return True
                try:
                    file = Path(here, name)
                    if file.stat().st_size < _LARGEST_SOURCE and b"\\citeplugrelated" in file.read_bytes():
                        return True
                except OSError:
                    continue
    return False
