"""Insertion of the lines by which a draft reads its section and the section's entries."""

from collections.abc import Sequence
from pathlib import Path

from citeplug.project.author_files import as_tex_path, read_exactly
from citeplug.project.insert import insertion_edits, insertion_findings, own_related_work
from citeplug.project.targets import Targets
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit


def own_text(draft: Draft, where: Targets) -> Finding | None:
    """The finding that the section would be read beside a related work of the author's own. Raises UnreadableInput."""
    folder = draft.root.parent
    return own_related_work(draft, _texts(draft), as_tex_path(where.tex, folder))


def insertion(draft: Draft, where: Targets) -> tuple[Sequence[TextEdit], Sequence[Finding]]:
    """The edits to the draft's files, none if it reads both already. Raises UnreadableInput, UsageError."""
    folder, texts = draft.root.parent, _texts(draft)
    names = as_tex_path(where.tex, folder), as_tex_path(where.bib, folder)
    return insertion_edits(draft, texts, *names), insertion_findings(draft, texts, *names)


def _texts(draft: Draft) -> dict[Path, str]:
    folder = draft.root.parent
    return {file: read_exactly(file)[0] for file in (folder / name for name in draft.files)}
