"""The entries of the author's own .bib files, each made independent of its file, as records of the library."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from citeplug.bib.write.entries import lay_out
from citeplug.bib.write.splice import apply, rewrite
from citeplug.bibtex.entries import COMMAS, entries_of, parse_bib
from citeplug.bibtex.syntax import read_blocks
from citeplug.bibtex.values import BibBlock
from citeplug.records.draft import BibEntry, Span
from citeplug.records.work import Holding
from citeplug.text.cleaning import plain
from citeplug.text.compare import entry_year
from citeplug.text.folding import split_name
from citeplug.text.identifiers import clean_doi
from citeplug.text.people import split_authors
from citeplug.text.tables import Tables
from citeplug.text.tex_text import decode_tex

_PARENTS = ("crossref", "xdata")
# What a style defines by itself: these need no @string.
_MONTHS = frozenset("jan feb mar apr may jun jul aug sep oct nov dec".split())
_PRIVATE = Tables(__name__).words("private")
# Biber gives the parent's title to these under another name; BibTeX wants the parent to have it.
_RENAMED = {"title": "booktitle", "subtitle": "booksubtitle"}
_DIRECTORY = re.compile(r"@comment\s*\{\s*jabref-meta:\s*fileDirectory[^:{}]*:([^;{}]+)", re.IGNORECASE)
LINKED = "linked from "  # marks the PDFs of a file of entries, which go with it


def holdings_of_bib(text: str, file: Path) -> tuple[list[Holding], list[str]]:
    """A holding for each entry with a title, and messages on those that cannot be taken; the first of each key."""
    blocks = read_blocks(text)
    readable = [b for b in blocks if {stumble.code for stumble in b.stumbles} <= COMMAS]
    macros: dict[str, str] = {}
    entries = [entry for entry in entries_of(text, readable, file, macros) if entry.key]
    at = {block.start: block for block in readable}
    by_key = {entry.key.lower(): entry for entry in reversed(entries)}
    holdings: dict[str, Holding] = {}
    problems = [
        f"{file}: the entry {b.key} cannot be read: {b.stumbles[0].message}"
        for b in blocks
        if b.is_entry and b.key and {stumble.code for stumble in b.stumbles} - COMMAS
    ]
    for entry in entries:
        whole = _inherited(entry, by_key)
        title = plain(decode_tex(whole.get("title", ""), keep_math=True))
        if entry.kind in _PARENTS or not title:
            if entry.kind not in _PARENTS:
                problems.append(f"{file}: the entry {entry.key} has no title")
            continue
        if entry.key in holdings:
            problems.append(f"{file}: the key {entry.key} occurs twice; the first entry counts")
            continue
        latex = _alone(text, at[entry.span.start], entry, whole, macros)
        if [parsed.key for parsed in parse_bib(latex)] != [entry.key]:
            problems.append(f"{file}: the entry {entry.key} cannot be taken out of its file")
            continue
        holdings[entry.key] = _holding(entry, whole, title, latex)
    return list(holdings.values()), problems


def holding_of_entry(entry: BibEntry) -> Holding:
    """What an entry says of its work; without its text."""
    return _holding(entry, entry.fields, plain(decode_tex(entry.fields.get("title", ""), keep_math=True)), "")


def _holding(entry: BibEntry, fields: Mapping[str, str], title: str, latex: str) -> Holding:
    subtitle = plain(decode_tex(fields.get("subtitle", ""), keep_math=True))
    people, cut_off = split_authors(fields.get("author") or fields.get("editor") or "")
    return Holding(
        entry.span.file,
        "bib",
        f"{title}: {subtitle}" if subtitle else title,
        entry.key,
        latex,
        # Whose names follow is not known, but a list that ends here would be another one.
        (*filter(None, map(_given_first, people)), *(("others",) if cut_off and people else ())),
        entry_year(entry) or entry_year(BibEntry(entry.key, entry.kind, dict(fields), entry.span)),
        plain(decode_tex(fields.get("abstract", ""), keep_math=True)),
        clean_doi(entry.doi or fields.get("doi")),
        entry.arxiv_id,
        (entry.key, *_files(fields.get("file", ""))),
        # JabRef's; the folders of other programs are not named in an entry.
        collections=tuple(filter(None, map(plain, entry.fields.get("groups", "").split(",")))),
    )


def linked_pdfs(text: str, file: Path, entries: Sequence[Holding]) -> list[Holding]:
    """The PDFs that a JabRef file links to, where they are there: beside it, or in a folder that it names."""
    own = (match[1].strip() for match in _DIRECTORY.finditer(text))
    folders = [file.parent, *(file.parent / directory.replace("\\\\", "/") for directory in own)]
    by_key = {entry.key: entry for entry in entries}
    pdfs: dict[Path, Holding] = {}
    for entry in parse_bib(text, file):
        for link in re.split(r"(?<!\\);", entry.fields.get("file", "")):
            parts = [part.replace("\\:", ":").replace("\\;", ";") for part in re.split(r"(?<!\\):", link)]
            name = (parts[1] if len(parts) > 2 else link).strip().replace("\\_", "_")
            places = (folder / name for folder in folders)
            path = next((path for path in places if name.lower().endswith(".pdf") and path.is_file()), None)
            if path is not None and entry.key in by_key:
                names = (f"{LINKED}{file}: {path}", path.stem, entry.key)
                pdfs.setdefault(path, Holding(path, "pdf", by_key[entry.key].title, names=names))
    return list(pdfs.values())


def _given_first(name: str) -> str:
    parts = split_name(name)
    return plain(" ".join(filter(None, (parts.given, parts.particles, parts.family, parts.suffix))))


def _files(value: str) -> tuple[str, ...]:
    """The names of PDFs in a `file` field, as JabRef, Zotero and Mendeley write it, without folder and suffix."""
    names = re.findall(r"[^:;{}]+?\.pdf\b", value.replace("\\:", ":").replace("\\_", "_"), re.IGNORECASE)
    return tuple(dict.fromkeys(re.split(r"[\\/]", name)[-1][: -len(".pdf")].strip() for name in names))


def _inherited(entry: BibEntry, by_key: Mapping[str, BibEntry]) -> dict[str, str]:
    """The fields with those of the parents that the entry names, as Biber and BibTeX hand them on."""
    fields, seen, at = dict(entry.fields), {entry.key.lower()}, entry
    for _ in range(5):
        name = next((at.fields[kind].strip().lower() for kind in _PARENTS if at.fields.get(kind)), None)
        parent = by_key.get(name or "")
        if parent is None or name in seen:
            break
        for field, value in parent.fields.items():
            if field not in ("crossref", "xdata", "ids", "label", "shorthand", "file", "abstract"):
                fields.setdefault(_RENAMED.get(field, field) if parent.kind != "xdata" else field, value)
        seen.add(name or "")
        at = parent
    return fields


def _alone(text: str, block: BibBlock, entry: BibEntry, fields: Mapping[str, str], macros: Mapping[str, str]) -> str:
    """The entry as the author wrote it, without what is private; anew where it needs a macro or another entry."""
    pieces = [text[start:end] for field in block.fields for start, end in field.pieces]
    needs = any(piece[0] not in '{"' and piece.lower() in macros for piece in pieces)
    if not needs and not any(entry.fields.get(kind) for kind in _PARENTS):
        own = text[block.start : block.end]
        within = replace(entry, span=Span(entry.span.file, 0, len(own), 1))
        return apply(own, rewrite(own, within, entry.kind, {}, set(filter(_is_private, entry.fields))).edits)
    public = {name: value for name, value in fields.items() if name not in _PARENTS and not _is_private(name)}
    months = {name: value for name, value in public.items() if name == "month" and value.lower() in _MONTHS}
    laid = lay_out(entry.kind, entry.key, public).strip()
    for name, value in months.items():
        laid = re.sub(rf"(\n  {name} *= ){{{re.escape(value)}}},", rf"\g<1>{value.lower()},", laid)
    return laid


def _is_private(name: str) -> bool:
    """True if a field is for its owner or a program alone, and must not come into a project that others read."""
    return name in _PRIVATE or name.startswith(("bdsk-file", "mendeley-", "__"))


def rekeyed(text: str, old: str, new: str) -> str:
    """The entry under another key."""
    return re.sub(rf"^(@\s*\w+\s*[{{(]\s*){re.escape(old)}(?=[\s,}}])", lambda m: m[1] + new, text, count=1)
