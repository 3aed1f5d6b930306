"""Code lenses above the section and each of its paragraphs: their state, and commands."""

from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor import capabilities
from citeplug.editor.audited import Audited
from citeplug.editor.documents import Document, Documents, range_in
from citeplug.editor.examine import Examined
from citeplug.editor.section import Section
from citeplug.editor.snapshot import Snapshot
from citeplug.records.report import verdicts_in_words
from citeplug.section_file.current import CurrentBlock

_STATES = {
    "text": "changed by you",
    "plan": "the plan was changed",
    "due": "not written yet",
    "keep": "kept as it is",
    "unknown": "changed by you",
    "fresh": "as generated",
}


def lenses(
    document: Document,
    snapshot: Snapshot,
    examined: Examined | None,
    section: Section | None,
    documents: Documents,
    audited: Audited | None = None,
) -> list[lsp.CodeLens]:
    """Return the lenses of a document."""
    found: list[lsp.CodeLens] = []
    heading = snapshot.draft.related_work
    argument: dict[str, Any] = {"uri": document.uri}
    if snapshot.root == document.path and snapshot.draft.files:
        title = "Audit" if audited is None else f"Audit: {audited.count} finding{'' if audited.count == 1 else 's'}"
        top = range_in(document.lined, 0, 0, documents)
        found.append(lsp.CodeLens(range=top, command=_command(title, capabilities.AUDIT, argument)))
    if heading is not None and heading.span.file == document.path:
        place = range_in(document.lined, heading.span.start, heading.span.end, documents)
        title = "Write related work" if section is None else "Refresh related work"
        write = _command(title, capabilities.GENERATE, {**argument, "insert": True})
        found.append(lsp.CodeLens(range=place, command=write))
        if examined is not None:
            counts = verdicts_in_words(examined.cited.verdicts)
            check = _command(f"Check: {counts or 'nothing is cited'}", capabilities.CHECK, argument)
            found.append(lsp.CodeLens(range=place, command=check))
    if section is not None and section.path == document.path:
        top = range_in(document.lined, 0, 0, documents)
        found.append(lsp.CodeLens(range=top, command=_command("Refresh", capabilities.GENERATE, argument)))
        found.append(lsp.CodeLens(range=top, command=_command("Re-plan", capabilities.REPLAN, argument)))
    if section is not None and section.path == document.path:
        for block in section.current.blocks:
            place = range_in(document.lined, block.at.start, block.at.start, documents)
            found += [lsp.CodeLens(range=place, command=command) for command in _of_block(block, section, document)]
    return found


def _of_block(block: CurrentBlock, section: Section, document: Document) -> Iterator[lsp.Command]:
    papers = {cite for line in block.at.plan.lines for cite in line.cites}
    state = f"{len(papers)} paper{'' if len(papers) == 1 else 's'}, {_STATES[block.state]}"
    yield lsp.Command(title=state, command="")
    if block.state not in ("keep", "unknown"):
        argument = {"uri": document.uri, "place": block.at.id}
        title = "Write" if block.state == "due" else "Refresh"
        yield _command(title, capabilities.REFRESH, argument)
    statuses = [
        sentence.status
        for sentence, place in section.sentences
        if place is not None and sentence.paragraph == block.at.id
    ]
    waiting = statuses.count("unreviewed")
    if waiting:
        argument = {"uri": document.uri, "place": block.at.id}
        yield _command(f"Accept {waiting} sentence{'' if waiting == 1 else 's'}", capabilities.ACCEPT, argument)
    elif statuses:
        yield lsp.Command(title="all accepted", command="")


def _command(title: str, command: str, argument: dict[str, Any]) -> lsp.Command:
    return lsp.Command(title=title, command=command, arguments=[argument])
