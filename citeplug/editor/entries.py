"""New entries for cited papers, in the author's .bib file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from citeplug.bib.bib_file import BibFile
from citeplug.bib.cite import cite_in
from citeplug.bib.exported import is_exported
from citeplug.bib.find_paper import Cited
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.editor.citing import typing_at
from citeplug.editor.edits import Planned, difference
from citeplug.editor.lines import Lined
from citeplug.editor.snapshot import Snapshot
from citeplug.editor.state import SessionState
from citeplug.errors import UsageError
from citeplug.latex.live import in_preamble, live
from citeplug.records.finding import TextEdit
from citeplug.records.paper import LIBRARY, shown_id
from citeplug.records.section import HEADER
from citeplug.section_file.cite_style import cite_style


async def new_entries(
    session: SessionState, snapshot: Snapshot, papers: Sequence[str], preferred: str | None = None
) -> tuple[list[Cited], Path, dict[Path, Planned]]:
    """Make entries of papers; return what became of each, the .bib file and its edit (none if all have an entry).

    `preferred` is the key for an entry. Raises UsageError for a paper that cannot be cited.
    """
    path = target_bib(snapshot)
    if path is None:
        raise UsageError("the draft has no .bib file to add the entry to", "name one with \\bibliography")
    before = bib_file(path, snapshot)

    def make(corpus: Corpus) -> tuple[list[Cited], str]:
        file, cited = before, list[Cited]()
        for value in papers:
            if value.startswith(LIBRARY) and (there := snapshot.entry_of(value)) is not None:
                cited.append(Cited(value, "exists", there.key))
                continue
            citing = cite_in(file, snapshot.draft, value, lookup_in(corpus), key=preferred)
            one = citing.cited[0]
            if one.status not in ("new", "exists") or not one.key:
                raise UsageError(one.message or f"{shown_id(value)} cannot be cited", one.fix or "")
            cited.append(one)
            file = replace(file, text=citing.after)
        return cited, file.text

    cited, after = await session.library.ask(make)
    return cited, path, {path: difference(path, snapshot.texts[path], after)} if after != before.text else {}


async def entries_of(
    session: SessionState, snapshot: Snapshot, papers: Sequence[str]
) -> tuple[dict[str, str], dict[Path, Planned]]:
    """The keys of these papers, by id, and the edit of the .bib file that adds the entries they lack."""
    cited, _, planned = await new_entries(session, snapshot, papers)
    return {value: one.key or "" for value, one in zip(papers, cited, strict=True)}, planned


def citation(path: Path, lined: Lined, offset: int, key: str, snapshot: Snapshot) -> TextEdit:
    """Return the edit that cites `key` at an offset: in the citation there, else in a new one.

    Raises UsageError before the text: a new citation there is none that LaTeX prints.
    """
    typing = typing_at(lined, offset, snapshot.own_commands)
    if typing is None:
        if in_preamble(live(lined.text), offset):
            raise UsageError(
                "the cursor is before \\begin{document}; nothing was cited",
                "put it where you want the citation, and try again",
            )
        before = lined.text[:offset]
        tie = "~" if before and not before[-1].isspace() and before[-1] not in "~({[" else ""
        return TextEdit(path, offset, offset, f"{tie}\\{cite_style(snapshot.draft).parenthetical}{{{key}}}")
    whole = lined.text[typing.start : typing.end]
    if whole and snapshot.entry(whole) is not None:
        return TextEdit(path, typing.end, typing.end, f", {key}")
    return TextEdit(path, typing.start, typing.end, key)


def target_bib(snapshot: Snapshot) -> Path | None:
    """Return the .bib file for new entries: the most cited one of those that neither
    citeplug nor Zotero writes."""
    cited: dict[Path, int] = {}
    for path in snapshot.draft.bib_files:
        lined = snapshot.texts.get(path)
        if lined is not None and not lined.text.startswith(HEADER.split("\n")[0]) and not is_exported(path):
            cited[path] = 0
    for key, mentions in snapshot.mentions.items():
        entry = snapshot.entry(key)
        if entry is not None and entry.span.file in cited:
            cited[entry.span.file] += len(mentions)
    return max(cited, key=lambda path: cited[path], default=None)


def renamed(wanted: str, key: str, snapshot: Snapshot) -> dict[Path, Planned]:
    """Return the edits that replace an offered key by that of the existing entry."""
    return recited(wanted, key, snapshot) if snapshot.entry(wanted) is None else {}


def recited(old: str, new: str, snapshot: Snapshot) -> dict[Path, Planned]:
    """Return the edits by which `new` is cited in place of `old`, except where a macro makes the citation."""
    planned: dict[Path, Planned] = {}
    for mention in snapshot.mentions.get(old, ()):
        file = mention.place.file
        if mention.exact and file in snapshot.texts:
            before = planned.get(file, Planned(snapshot.texts[file], ()))
            edit = TextEdit(file, mention.place.start, mention.place.end, new)
            planned[file] = Planned(before.lined, (*before.edits, edit))
    return planned


def bib_file(path: Path, snapshot: Snapshot) -> BibFile:
    text, decoded = snapshot.texts[path].text, snapshot.decoded[path]
    return BibFile(path, b"", text, decoded.encoding)
