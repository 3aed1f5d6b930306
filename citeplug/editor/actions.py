"""Code actions: each runs a command, so that nothing is computed before the author chooses one, or adds a comment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lsprotocol import types as lsp

from citeplug.bib.cited_keys import undefined_keys
from citeplug.editor.capabilities import ServerCommand
from citeplug.editor.cards import paper_label
from citeplug.editor.documents import Document
from citeplug.editor.edits import Planned, workspace_edit
from citeplug.editor.entries import target_bib
from citeplug.editor.examine import Examined
from citeplug.editor.navigation import key_at
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import Cursor, SessionState
from citeplug.editor.zotero import is_synced
from citeplug.records.draft import BibEntry
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.paper import Paper, shown_id
from citeplug.records.report import EntryReport
from citeplug.records.rules import RULES
from citeplug.text.cleaning import plain
from citeplug.text.compare import paper_year
from citeplug.text.identifiers import as_arxiv_id
from citeplug.text.scanning import newline_of
from citeplug.text.tex_text import decode_tex

_LONGEST = 100
_SHOWN = 50  # characters of a title
_NO_EDIT = (ServerCommand.ACCEPT, ServerCommand.SAVE_TO_ZOTERO)
_DOUBTS = ("low_support", "claim_suspected", "claim_unsupported", "source_changed")  # of a generated sentence
_OF_RECORD = {"title": "title", "author": "authors"}


async def actions(session: SessionState, cursor: Cursor, context: lsp.CodeActionContext) -> list[lsp.CodeAction]:
    """Return the code actions for the key, entry, finding or sentence at the cursor, and for the document.

    For an editor that accepts no edits, only actions that change no file of the author's.
    """
    document, offset, snapshot = cursor
    examined, section = session.examined.get(snapshot.root), snapshot.section
    actions: list[lsp.CodeAction] = []
    quick_fix, source = lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Source

    def offer(
        title: str, command: str, *codes: str, preferred: bool = False, kind: str = quick_fix, **more: str | bool
    ) -> None:
        argument = {"uri": document.uri, **more}
        actions.append(_action(title, command, argument, context, codes, preferred=preferred, kind=kind))

    key = key_at(cursor)
    entry = snapshot.entry_at(document.path, offset) or (snapshot.entry(key[0]) if key is not None else None)
    copies = session.can("experimental", "citeplug", "copies") is True
    if key is not None and entry is None and target_bib(snapshot) is not None:
        arxiv_id = session.promised.get(key[0]) or as_arxiv_id(key[0])
        if arxiv_id is not None:
            title = f"Add an entry for {shown_id(arxiv_id)}"
            offer(title, ServerCommand.ADD_ENTRY, "undefined_key", preferred=True, arxiv_id=arxiv_id, key=key[0])
    if key is not None and entry is None and copies:
        offer("Search for its paper, and add the entry", ServerCommand.SEARCH, "undefined_key", key=key[0])
    if key is not None and (cited := _instead(key[0], entry, snapshot, examined)) is not None:
        code, new = cited[0].code, cited[1]
        title, preferred = f"Cite {new} instead of {key[0]}", entry is not None
        offer(title, ServerCommand.REPLACE_KEY, code, preferred=preferred, key=key[0], by=new)
    paper = entry.arxiv_id if entry is not None else session.promised.get(key[0]) if key is not None else None
    if paper and is_synced(session):
        offer(f"Save {shown_id(paper)} to Zotero", ServerCommand.SAVE_TO_ZOTERO, kind="save", arxiv_id=paper)
    if entry is not None and examined is not None:
        actions += _corrections(document, entry, examined, context)
    if any(diagnostic.code == "entry_unchecked" for diagnostic in context.diagnostics):
        offer("Look the entries up at arXiv", ServerCommand.CHECK, "entry_unchecked", preferred=True, online=True)
    actions += await _of_audit(session, cursor, context)
    if entry is not None and copies:
        offer(f"Copy the BibTeX of {entry.key}", ServerCommand.BIBTEX, kind="copy", key=entry.key)
    hit = section.sentence_at(document.path, offset) if section is not None else None
    if hit is not None and hit[0].status != "accepted":
        offer("Accept this sentence", ServerCommand.ACCEPT, *_DOUBTS, place=hit[0].place)
        offer("Reject this sentence", ServerCommand.REJECT, *_DOUBTS, place=hit[0].place)
    block = section.block_at(offset) if section is not None and section.path == document.path else None
    if block is not None and block.state not in ("keep", "unknown"):
        title = "Write this paragraph" if block.state == "due" else "Rewrite this paragraph"
        codes = ("plan_not_followed", "plan_not_written", *_DOUBTS)
        offer(title, ServerCommand.REFRESH, *codes, place=block.at.id)
    is_root = document.path == snapshot.root and not _is_about_findings(context)
    if is_root:
        title = "Write the related work" if section is None else "Refresh the related work"
        offer(title, ServerCommand.GENERATE, kind=source, insert=True)
    if section is not None and not section.inserted:
        title = "Insert the section into the draft"
        if document.path == section.path and section.lined.line_of(offset) == 0:
            offer(title, ServerCommand.INSERT, "section_not_inserted", preferred=True)
        elif is_root:
            offer(title, ServerCommand.INSERT, kind=source)
    actions += _ignoring(session, cursor, context)
    if session.can("workspace", "applyEdit") is not True:
        actions = [action for action in actions if action.command is not None and action.command.command in _NO_EDIT]
    wanted = context.only
    return [action for action in actions if not wanted or any(_is_kind(action, kind) for kind in wanted)]


def _corrections(
    document: Document, entry: BibEntry, examined: Examined, context: lsp.CodeActionContext
) -> Iterator[lsp.CodeAction]:
    report = _report(entry, examined)
    if report is None:
        return
    argument: dict[str, Any] = {"uri": document.uri, "key": entry.key}
    if report.check.changes or report.edits:
        fixes = [finding.fix or finding.message for finding, _ in report.edits]
        what = plain((report.fix or next(iter(fixes), "")).removesuffix("(citeplug fix does it)"))
        title = f"Correct {entry.key}: {what}" if what else f"Correct {entry.key}"
        codes = [change.code for change in report.check.changes] + [finding.code for finding, _ in report.edits]
        yield _action(title[:_LONGEST], ServerCommand.FIX, argument, context, codes, preferred=True)
    if any(finding.code == "published_version" for finding in report.findings):
        title = f"Replace {entry.key} with its published version"
        yield _action(title, ServerCommand.FIX, {**argument, "published": True}, context, ("published_version",))

    differing = {
        evidence.field: plain(evidence.found or "")
        for evidence in report.check.fields
        if evidence.verdict == "differs" and evidence.field in _OF_RECORD
    }
    sure = {change.field for change in report.check.changes}
    if report.check.arxiv_id is not None and differing and not sure.issuperset(differing):
        names = " and ".join(_OF_RECORD[field] for field in differing)
        title = f"Use the record's {names}: {', '.join(filter(None, differing.values()))}"
        argument["record"] = True
        yield _action(_cut(title, _LONGEST), ServerCommand.FIX, argument, context, ("title_differs", "authors_differ"))


async def _of_audit(session: SessionState, cursor: Cursor, context: lsp.CodeActionContext) -> list[lsp.CodeAction]:
    """Return what can be done with the papers that the last audit names on the line of the cursor."""
    document, offset, snapshot = cursor
    audited, lined = session.audited.get(snapshot.root), document.lined
    findings = (
        []
        if audited is None
        else [
            (place, finding.code, finding.arxiv_id)
            for place, finding in audited.places(snapshot)
            if finding.arxiv_id and place.file == document.path and place.start <= offset <= place.end
        ]
    )
    papers = await session.library.papers([arxiv_id for _, _, arxiv_id in findings])
    offered = []
    for place, code, arxiv_id in findings:
        paper = papers.get(arxiv_id)
        title = decode_tex(paper.title, keep_math=True) if paper is not None else ""
        name = _named(paper, snapshot.entry_of(arxiv_id), title) if paper is not None else shown_id(arxiv_id)
        end = place.start + len(lined.text[place.start : place.end].rstrip(" .,;:!?"))
        # An action of the list of problems has its cursor at the beginning of the line.
        opening = title.partition(":")[0]
        found_at = lined.text.find(opening, place.start, end) if opening else -1
        named = found_at + len(opening) if found_at >= 0 else end
        at = offset if place.start < offset < end else named
        line, character = lined.place(at, session.documents.encoding)
        argument = {"uri": document.uri, "arxiv_id": arxiv_id}
        # In the generated section a citation would be a change of the author's: what is pinned comes with the next run.
        cite = (f"Cite {name} here", ServerCommand.CITE, {"line": line, "character": character})
        is_generated = snapshot.section is not None and snapshot.section.path == document.path
        for words, command, more in (
            *(() if is_generated else (cite,)),
            (f"Pin {name} to the section", ServerCommand.CHOOSE, {"choice": "pin"}),
            (f"Exclude {name} from the section", ServerCommand.CHOOSE, {"choice": "exclude"}),
        ):
            offered.append(_action(words, command, {**argument, **more}, context, (code,)))
    return offered


def _named(paper: Paper, entry: BibEntry | None, title: str) -> str:
    """Return a paper's label, and as much of its title as a menu shows: whoever reads it has not read of the paper."""
    short = _cut(plain(title), _SHOWN)
    label = paper_label(paper.authors, str(paper_year(paper, entry) or ""), title)
    return f"{label} (“{short}”)"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rsplit(' ', 1)[0]} ..."


def _ignoring(session: SessionState, cursor: Cursor, context: lsp.CodeActionContext) -> Iterator[lsp.CodeAction]:
    """Yield actions that put a comment above what the findings are on, by which they are ignored there.

    Not in the generated section, where it would count as the author's text.
    """
    document, _, snapshot = cursor
    lined, documents = document.lined, session.documents
    if snapshot.section is not None and snapshot.section.path == document.path:
        return
    ignored: dict[tuple[str, int], list[lsp.Diagnostic]] = {}
    for diagnostic in context.diagnostics:
        code = str(diagnostic.code)
        if diagnostic.source != "citeplug" or code not in RULES or document.path.suffix == ".toml":
            continue
        first = diagnostic.range.start
        at = lined.offset(first.line, first.character, documents.encoding)
        entry = snapshot.entry_at(document.path, at) if document.path.suffix == ".bib" else None
        at = lined.starts[lined.line_of(entry.span.start if entry is not None else at)]
        ignored.setdefault((code, at), []).append(diagnostic)
    for (code, at), diagnostics in ignored.items():
        comment, count = f"% citeplug: ignore {code}{newline_of(lined.text)}", len(diagnostics)
        versioned = session.can("workspace", "workspaceEdit", "documentChanges") is True
        planned = {document.path: Planned(lined, (TextEdit(document.path, at, at, comment),))}
        yield lsp.CodeAction(
            title=f"Ignore {_ignored(code)}{f' ({count} findings)' if count > 1 else ''}",
            kind=lsp.CodeActionKind.QuickFix,
            edit=workspace_edit(planned, documents, (), versioned=versioned),
            diagnostics=diagnostics,
        )


def _ignored(code: str) -> str:
    return "this difference" if code.endswith(("_differs", "_differ")) else f"{code.replace('_', ' ')} here"


def _instead(
    key: str, entry: BibEntry | None, snapshot: Snapshot, examined: Examined | None
) -> tuple[Finding, str] | None:
    """Return the finding on a cited key that names another one to cite, and that one."""
    if entry is None:
        cites = tuple(cite for cite in snapshot.draft.cites if key in cite.keys)
        reports = undefined_keys(replace(snapshot.draft, cites=cites))
        findings = [finding for report in reports if report.key == key for finding in report.findings]
    else:
        report = _report(entry, examined) if examined is not None else None
        findings = list(report.findings) if report is not None else []
        findings = [finding for finding in findings if finding.code != "key_case" or key != entry.key]
    here = (
        (finding, finding.instead) for finding in findings if finding.instead is not None and finding.instead != key
    )
    return next(here, None)


def _is_about_findings(context: lsp.CodeActionContext) -> bool:
    """Return True if the editor asks what can be done about findings of ours, and not for actions on the source."""
    return not context.only and any(diagnostic.source == "citeplug" for diagnostic in context.diagnostics)


def _report(entry: BibEntry, examined: Examined) -> EntryReport | None:
    reports = (report for report in examined.report.entries if report.entry is not None and report.key == entry.key)
    return next((report for report in reports if report.file == entry.span.file), None)


def _action(
    title: str,
    command: str,
    argument: Mapping[str, Any],
    context: lsp.CodeActionContext,
    codes: Sequence[str],
    *,
    preferred: bool = False,
    kind: lsp.CodeActionKind | str = lsp.CodeActionKind.QuickFix,
) -> lsp.CodeAction:
    settled = [
        diagnostic for diagnostic in context.diagnostics if diagnostic.source == "citeplug" and diagnostic.code in codes
    ]
    return lsp.CodeAction(
        title=title,
        kind=kind,
        command=lsp.Command(title=title, command=command, arguments=[dict(argument)]),
        diagnostics=settled or None,
        is_preferred=preferred or None,
    )


def _is_kind(action: lsp.CodeAction, wanted: lsp.CodeActionKind | str) -> bool:
    """Return True if an action is of a kind or a sub-kind of it; every action is of the empty kind."""
    kind, above = (
        str(value.value if isinstance(value, lsp.CodeActionKind) else value) for value in (action.kind, wanted)
    )
    return not above or kind == above or kind.startswith(f"{above}.")
