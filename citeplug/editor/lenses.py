"""Code lenses: the state of the section and its paragraphs, with commands; inlay hints: papers of plans, and a mark at
each accepted sentence; and what is to be done about each sentence, for an editor that has marks of its own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lsprotocol import types as lsp

from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import entry_label, paper_label, source_title
from citeplug.editor.diagnostics import doubts
from citeplug.editor.documents import Document, range_in
from citeplug.editor.snapshot import GeneratedSection, Snapshot
from citeplug.editor.state import Cursor, SessionState
from citeplug.records.paper import Paper
from citeplug.records.report import verdicts_in_words
from citeplug.section_file.current import CurrentBlock
from citeplug.section_file.grammar import find_cites
from citeplug.text.cleaning import plain
from citeplug.text.compare import paper_year
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.tex_text import decode_tex

_STATES = {
    "text": "Changed by you",
    "plan": "The plan was changed",
    "due": "Not written yet",
    "keep": "Kept as it is",
    "unknown": "Changed by you",
}
READ = "citeplug.nextToReview"  # the editor's own command
_PLANNED = re.compile(r"^[ \t]*%+[ \t]*citeplug:[ \t]*\d+\b[^\r\n]*", re.MULTILINE)
_ENVIRONMENT = re.compile(r"\\begin\s*\{citeplugplan\}(.*?)\\end\s*\{citeplugplan\}", re.DOTALL)
_LINE = re.compile(r"[^\r\n]+")


def lenses(session: SessionState, cursor: Cursor) -> Iterator[lsp.CodeLens]:
    """Yield the lenses of a document: above the draft, its related work, and the section and its paragraphs."""
    document, _, snapshot = cursor
    section, heading = snapshot.section, snapshot.draft.related_work
    argument: dict[str, Any] = {"uri": document.uri}

    def lens(start: int, end: int, command: lsp.Command) -> lsp.CodeLens:
        return lsp.CodeLens(range=range_in(document.lined, start, end, session.documents), command=command)

    if snapshot.root == document.path and snapshot.draft.files:
        if section is None and heading is None:
            yield lens(0, 0, _command("Write the related work", ServerCommand.GENERATE, {**argument, "insert": True}))
        audited = session.audited.get(snapshot.root)
        title = (
            "Audit the draft"
            if audited is None
            else f"Audit: {audited.count} finding{'' if audited.count == 1 else 's'}"
        )
        yield lens(0, 0, _command(title, ServerCommand.AUDIT, argument))
        if section is not None and not section.inserted:
            yield lens(0, 0, _command(f"Insert {section.path.name}", ServerCommand.INSERT, argument))
    if heading is not None and heading.span.file == document.path:
        title = "Write the related work" if section is None else "Refresh the related work"
        write = _command(title, ServerCommand.GENERATE, {**argument, "insert": True})
        yield lens(heading.span.start, heading.span.end, write)
        examined = session.examined.get(snapshot.root)
        if examined is not None:
            counts = verdicts_in_words(examined.cited.verdicts)
            check = _command(f"Check: {counts or 'nothing is cited'}", ServerCommand.CHECK, argument)
            yield lens(heading.span.start, heading.span.end, check)
    if section is not None and section.path == document.path:
        if not section.inserted:
            yield lens(0, 0, _command("Insert into the draft", ServerCommand.INSERT, argument))
        yield lens(0, 0, _command("Refresh the section", ServerCommand.GENERATE, argument))
        yield lens(0, 0, _command("Make a new plan", ServerCommand.REPLAN, argument))
        for block in section.current.blocks:
            reads = session.can("experimental", "citeplug", "reads") is True
            for command in _of_block(block, section, document, reads=reads):
                yield lens(block.at.start, block.at.start, command)


def _of_block(
    block: CurrentBlock, section: GeneratedSection, document: Document, *, reads: bool
) -> Iterator[lsp.Command]:
    argument = {"uri": document.uri, "place": block.at.id}
    statuses = [
        sentence.status
        for sentence, place in section.sentences
        if place is not None and sentence.paragraph == block.at.id
    ]
    written = sum(sentence.paragraph == block.at.id for sentence, _ in section.sentences)
    left = len(block.at.plan.lines) - written if block.state == "fresh" else 0
    waiting = statuses.count("unreviewed")
    count = f"{waiting} sentence{'' if waiting == 1 else 's'}"
    if waiting and reads:
        yield _command(f"Read {count}", READ, argument)
    if waiting:
        yield _command("Accept all" if reads and waiting > 1 else f"Accept {count}", ServerCommand.ACCEPT, argument)
    if block.state in ("due", "plan"):
        yield _command("Write this paragraph", ServerCommand.REFRESH, argument)
    if block.state in _STATES:
        yield lsp.Command(title=_STATES[block.state], command="")
    if left > 0:
        yield lsp.Command(title=f"{left} sentence{'' if left == 1 else 's'} left to you", command="")
    if statuses and not waiting:
        yield lsp.Command(title="All accepted", command="")


def verdicts(session: SessionState, snapshot: Snapshot) -> dict[str, Any]:
    """Return where the section's sentences are that stand as they were generated, each `accepted`, `doubtful`, or to
    `review`; an empty object without a section.
    """
    section, examined = snapshot.section, session.examined.get(snapshot.root)
    if section is None:
        return {}
    told: list[dict[str, Any]] = []
    for sentence, place in section.sentences:
        if place is not None:
            doubtful = any(doubts(sentence, examined, session.switches))
            verdict = "doubtful" if doubtful else "accepted" if sentence.status == "accepted" else "review"
            span = section.lined.span_told(place.start, place.end, session.documents.encoding)
            told.append({**span, "verdict": verdict, "place": sentence.place})
    told.sort(key=itemgetter("line", "character"))
    return {"uri": session.documents.uri_of(section.path), "sentences": told}


def _command(title: str, command: str, argument: dict[str, Any]) -> lsp.Command:
    return lsp.Command(title=title, command=command, arguments=[argument])


@dataclass(frozen=True, slots=True)
class PlannedPaper:
    """A paper in a line of a plan: code points `start` to `end`, and the arXiv id or key there."""

    start: int
    end: int
    name: str

    @property
    def arxiv_id(self) -> str | None:
        return as_arxiv_id(self.name)


def papers_in_plans(text: str, start: int, end: int) -> list[PlannedPaper]:
    """Return the papers of plan lines between two code points of a text."""
    lines = [(match.start(), match[0]) for match in _PLANNED.finditer(text)]
    for whole in _ENVIRONMENT.finditer(text):
        lines += [(match.start(), match[0]) for match in _LINE.finditer(text, whole.start(1), whole.end(1))]
    lenses = []
    for at, line in lines:
        if at < end and start < at + len(line):
            named = find_cites(line.rstrip()) or ()
            lenses += [PlannedPaper(at + place, at + place + len(name), name) for place, name in named]
    return lenses


async def hints(session: SessionState, cursor: Cursor, until: lsp.Position) -> list[lsp.InlayHint]:
    """Return the hints from the cursor to a position: the papers of plans."""
    document, start, snapshot = cursor
    end = session.offset(document, until)
    named = papers_in_plans(document.lined.text, start, end)
    papers = await session.library.papers(list(dict.fromkeys(paper.arxiv_id for paper in named if paper.arxiv_id)))
    lenses = []
    for offset, label, tooltip in _planned(named, snapshot, papers):
        if start <= offset <= end:
            position = range_in(document.lined, offset, offset, session.documents).start
            lenses.append(lsp.InlayHint(position=position, label=label, tooltip=tooltip, padding_left=True))
    for sentence, place in () if snapshot.section is None else snapshot.section.sentences:
        if sentence.status != "accepted" or place is None or place.file != document.path:
            continue
        if start <= place.start <= end:
            position = range_in(document.lined, place.start, place.start, session.documents).start
            lenses.append(lsp.InlayHint(position=position, label="✓", tooltip="accepted", padding_right=True))
    return lenses


def _planned(
    named_papers: Sequence[PlannedPaper], snapshot: Snapshot, papers: Mapping[str, Paper]
) -> Iterator[tuple[int, str, str]]:
    for named in named_papers:
        paper = papers.get(named.arxiv_id or "")
        entry = snapshot.entry(named.name) or snapshot.entry_of(named.arxiv_id or named.name)
        if paper is not None:
            title = decode_tex(paper.title, keep_math=True)
            yield named.end, paper_label(paper.authors, str(paper_year(paper, entry) or ""), title), plain(title)
        elif entry is not None:
            yield named.end, entry_label(entry), source_title(entry)
