"""Navigation: definitions, references, links, symbols, folding."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from lsprotocol import types as lsp

from citeplug.editor.cards import arxiv_address, doi_address, source_title
from citeplug.editor.citing import typing_at
from citeplug.editor.documents import Document, Documents, location_of, range_in
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Snapshot, Stretch
from citeplug.editor.state import Cursor, SessionState
from citeplug.latex.folders import Folders, project_folder
from citeplug.section_file.grammar import read_related
from citeplug.text.cleaning import plain

_INPUT = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|bibliography|nobibliography|addbibresource|(?:sub)?import\s*\{([^{}]*)\})"
    r"\s*(?:\[[^\]]*\]\s*)?\{([^{}]*)\}"
)
_ID = re.compile(
    r"(?i)(?:arxiv\.org/(?:abs|pdf)/|arxiv\s*:\s*|eprint\s*=\s*[{\"]?)((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)"
)
_DOI = re.compile(r"(?i)(?:doi\.org/|doi\s*=\s*[{\"]?)(10\.\d{4,9}/[^\s{}\"<>,]+)")
_MOST_SYMBOLS = 500
_MOST_LINKS = 5000


def key_at(cursor: Cursor) -> tuple[str, Stretch] | None:
    """Return the key under the cursor, in a citation or at the head of an entry, and its place."""
    document, offset, snapshot = cursor
    typing = typing_at(document.lined, offset, snapshot.own_commands)
    if typing is not None:
        key = document.lined.text[typing.start : typing.end].strip()
        return (key, Stretch(document.path, typing.start, typing.start + len(key))) if key else None
    entry = snapshot.entry_at(document.path, offset)
    if entry is not None:
        place = snapshot.key_place(entry)
        if place.start <= offset <= place.end:
            return entry.key, place
    return None


def definitions(session: SessionState, cursor: Cursor) -> list[lsp.Location]:
    """Return the definition of the key, or the file, under the cursor."""
    (document, offset, snapshot), documents = cursor, session.documents
    key = key_at(cursor)
    if key is not None:
        entry = snapshot.entry(key[0])
        entries = snapshot.entries.get(entry.key, ()) if entry is not None else ()
        return [location_of(snapshot.key_place(twin), snapshot, documents) for twin in entries]
    for start, end, path in named_files(document.lined, document.path, snapshot):
        if start <= offset <= end:
            return [location_of(Stretch(path, 0, 0), snapshot, documents)]
    return []


def references(session: SessionState, cursor: Cursor, *, declaration: bool) -> list[lsp.Location]:
    """Return all citations of the key under the cursor; with `declaration` its entries too."""
    snapshot = cursor.snapshot
    key = key_at(cursor)
    if key is None:
        return []
    entry = snapshot.entry(key[0])
    keys = {key[0]} if entry is None else {key for key in snapshot.mentions if snapshot.entry(key) is entry}
    places = [mention.place for key in sorted(keys) for mention in snapshot.mentions.get(key, ())]
    if declaration and entry is not None:
        places = [*(snapshot.key_place(twin) for twin in snapshot.entries[entry.key]), *places]
    return [location_of(place, snapshot, session.documents) for place in places]


def links(document: Document, snapshot: Snapshot | None, documents: Documents) -> list[lsp.DocumentLink]:
    """Return links of arXiv ids and DOIs to their pages, and of included files; nothing else is a link."""
    links: list[lsp.DocumentLink] = []
    text = document.lined.text
    for pattern, address in ((_ID, arxiv_address), (_DOI, doi_address)):
        for match in pattern.finditer(text):
            target = address(match[1].rstrip(".;)"))
            if target is not None and len(links) < _MOST_LINKS:
                place = range_in(document.lined, match.start(1), match.end(1), documents)
                links.append(lsp.DocumentLink(range=place, target=target))
    if snapshot is not None:
        for start, end, path in named_files(document.lined, document.path, snapshot):
            place = range_in(document.lined, start, end, documents)
            links.append(lsp.DocumentLink(range=place, target=documents.uri_of(path)))
    return links


def workspace_symbols(query: str, snapshots: list[Snapshot], documents: Documents) -> list[lsp.WorkspaceSymbol]:
    """Return the entries that have all words of the query."""
    symbols: list[lsp.WorkspaceSymbol] = []
    for snapshot in snapshots:
        for entry in islice(snapshot.index.having(query), _MOST_SYMBOLS - len(symbols)):
            symbols.append(
                lsp.WorkspaceSymbol(
                    name=f"{entry.key} {source_title(entry)}".strip()[:200],
                    kind=lsp.SymbolKind.Constant,
                    location=location_of(snapshot.key_place(entry), snapshot, documents),
                    container_name=entry.span.file.name,
                )
            )
    return symbols


def document_symbols(session: SessionState, cursor: Cursor) -> list[lsp.DocumentSymbol]:
    """Return the entries of a .bib file, or the headings and generated paragraphs of a .tex file."""
    (document, _, snapshot), documents = cursor, session.documents
    lined, path = snapshot.texts.get(document.path, document.lined), document.path
    symbols = []
    for entry in snapshot.draft.entries:
        if entry.span.file == path and entry.kind != "bibitem":
            place, whole = snapshot.key_place(entry), Stretch(path, entry.span.start, entry.span.end)
            title = source_title(entry)[:200]
            symbols.append(_symbol(entry.key, title, lsp.SymbolKind.Constant, place, whole, lined, documents))
    for section in snapshot.draft.sections:
        if section.span.file == path:
            place = Stretch(path, section.span.start, max(section.span.end, section.span.start + 1))
            title = plain(section.title) or "(no title)"
            symbols.append(_symbol(title, "", lsp.SymbolKind.String, place, place, lined, documents))
    for block in read_related(lined.text).blocks if path.suffix != ".bib" else ():
        place = Stretch(path, block.start, block.end)
        name = plain(block.plan.heading) or block.id
        symbols.append(_symbol(name, block.id, lsp.SymbolKind.Package, place, place, lined, documents))
    return sorted(symbols, key=lambda symbol: (symbol.range.start.line, symbol.range.start.character))


def folding(document: Document) -> list[lsp.FoldingRange]:
    """Return folding ranges of the plans of generated paragraphs, each behind the line that begins its paragraph."""
    symbols = []
    lined = document.lined
    for block in read_related(lined.text).blocks:
        first, last = lined.line_of(block.start), lined.line_of(max(block.end - 1, block.start))
        plan = first
        while plan < last and re.match(r"\s*%\s*citeplug:(?!end|note)", lined.line(plan + 1)):
            plan += 1
        if plan > first:
            symbols.append(lsp.FoldingRange(start_line=first, end_line=plan, kind=lsp.FoldingRangeKind.Comment))
    return symbols


def _symbol(
    name: str,
    detail: str,
    kind: lsp.SymbolKind,
    place: Stretch,
    whole: Stretch,
    lined: Lined,
    documents: Documents,
) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=name,
        detail=detail or None,
        kind=kind,
        range=range_in(lined, min(whole.start, place.start), max(whole.end, place.end), documents),
        selection_range=range_in(lined, place.start, place.end, documents),
    )


def named_files(lined: Lined, path: Path, snapshot: Snapshot) -> Iterator[tuple[int, int, Path]]:
    """Yield the names of files in a text, with their paths."""
    folder = snapshot.root.parent
    folders = Folders(folder, project_folder(folder))
    known = {file.resolve() for file in snapshot.files}
    for match in _INPUT.finditer(lined.text):
        at = match.start(2)
        for name in match[2].split(","):
            bare = name.strip()
            if bare:
                suffixes = (".bib",) if "bib" in match[0][:20] else (".tex", ".ltx")
                place = folder / match[1].strip() if match[1] else path.parent
                file = folders.find(bare, suffixes, (place,))
                if file.exists or file.path.resolve() in known:
                    start = at + name.index(bare)
                    yield start, start + len(bare), file.path
            at += len(name) + 1
