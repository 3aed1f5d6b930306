"""What makes a draft read its section and the section's entries."""

from collections.abc import Sequence

from citeplug import delivery
from citeplug.records.draft import Draft
from citeplug.records.review import Finding, TextEdit
from citeplug.tex.insert import insertion_edits, insertion_findings


def insertion(draft: Draft, where: delivery.Targets) -> tuple[Sequence[TextEdit], Sequence[Finding]]:
    """The edits to the draft's files, none if it reads both already. Raises UnreadableInput, UsageError."""
    folder = draft.root.parent
    texts = {file: delivery.read_exactly(file)[0] for file in (folder / name for name in draft.files)}
    names = delivery.as_tex_path(where.tex, folder), delivery.as_tex_path(where.bib, folder)
    return insertion_edits(draft, texts, *names), insertion_findings(draft, texts, *names)
