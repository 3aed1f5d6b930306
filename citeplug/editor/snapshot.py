"""Snapshot of a project: its draft, and the places where keys are cited and defined."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_
from pathlib import Path

from citeplug.bibtex.places import locate_entry
from citeplug.editor.lines import Lined
from citeplug.editor.matching import Index
from citeplug.files.decode import Decoded
from citeplug.latex.vocabulary import is_cite
from citeplug.records.debate import Debate
from citeplug.records.draft import BibEntry, Cite, Draft
from citeplug.records.paper import library_id
from citeplug.related.section.accept import Recorded
from citeplug.section_file.current import CurrentBlock, CurrentSection
from citeplug.section_file.grammar import RelatedFile

_ENTRY_KEY = re.compile(r"@\s*[A-Za-z]+\s*[{(]\s*")
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|DeclareRobustCommand|(?:New|Renew|Provide|Declare)DocumentCommand|def)\*?"
    r"\s*\{?\s*\\([A-Za-z]+)\}?[^\r\n]{0,200}?\\([A-Za-z]+)\*?(?:\[[^\]\r\n]*\])*\{#"
)
_ITEM_KEY = re.compile(r"\\[A-Za-z]+\s*(?:\[[^\]]*\]\s*)?\{\s*")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a file's text: code points `start` to `end`, half-open."""

    file: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class KeyCitation:
    """A key in a citation command. `exact`: `place` is the key itself, else the whole command."""

    key: str
    command: str
    place: Stretch
    exact: bool


@dataclass(frozen=True, slots=True)
class GeneratedSection:
    """A generated section. `sentences` are the recorded ones, each with its place if it is in the file unchanged.

    `debates` are as recorded, by arXiv id.
    `inserted`: the draft reads it and its entries, or cannot be made to.
    """

    path: Path
    lined: Lined
    related: RelatedFile
    current: CurrentSection
    sentences: tuple[tuple[Recorded, Stretch | None], ...]
    debates: Mapping[str, Debate]
    inserted: bool

    def sentence_at(self, path: Path, offset: int) -> tuple[Recorded, Stretch] | None:
        for sentence, place in self.sentences:
            if place is not None and place.file == path and place.start <= offset < place.end:
                return sentence, place
        return None

    @property
    def papers(self) -> frozenset[str]:
        """Return the papers that its sentences cite, by id."""
        return frozenset(cite for sentence, place in self.sentences if place is not None for cite in sentence.cites)

    def block_at(self, offset: int) -> CurrentBlock | None:
        """Return the block of the section's file at a code point."""
        return next((block for block in self.current.blocks if block.at.start <= offset < block.at.end), None)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A project as it was read. `generation` is that of the editor's changes; `texts` are those that were read.

    `mentions` and `entries` are by key, in reading order. `own_commands` are the names of the author's own commands
    that cite, without backslash. `index` has the first entry of each key; `lower` the same by key in lower case.
    `ignored` are the codes that the project's `citeplug.toml` ignores; `section` is the generated one.
    """

    generation: int
    draft: Draft
    texts: Mapping[Path, Lined]
    decoded: Mapping[Path, Decoded] = field(default_factory=dict)
    mentions: Mapping[str, Sequence[KeyCitation]] = field(default_factory=dict)
    entries: Mapping[str, Sequence[BibEntry]] = field(default_factory=dict)
    own_commands: frozenset[str] = frozenset()
    index: Index = field(default_factory=Index)
    lower: Mapping[str, BibEntry] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    section: GeneratedSection | None = None

    @property
    def root(self) -> Path:
        return self.draft.root

    @property
    def files(self) -> list[Path]:
        """Return all files of the project, the root first."""
        return [*self.draft.files, *self.draft.bib_files]

    def entry(self, key: str) -> BibEntry | None:
        """Return the entry that a citation of `key` means; BibTeX ignores case."""
        entries = self.entries.get(key)
        if not entries and self.draft.bib_engine == "bibtex":
            return self.lower.get(key.lower())
        return entries[0] if entries else None

    def entry_of(self, arxiv_id: str | None) -> BibEntry | None:
        """Return the first entry of a paper, or the one that a work of the author's library is."""
        entries = (entry for some in self.entries.values() for entry in some)
        return next((e for e in entries if arxiv_id and arxiv_id in (e.arxiv_id, library_id(e.key).value)), None)

    def key_place(self, entry: BibEntry) -> Stretch:
        """Return the place of an entry's key; the beginning of the entry if it is not found."""
        span = entry.span
        lined = self.texts.get(span.file)
        if lined is not None:
            head = (_ITEM_KEY if entry.kind == "bibitem" else _ENTRY_KEY).match(lined.text, span.start)
            if head is not None and lined.text.startswith(entry.key, head.end()):
                return Stretch(span.file, head.end(), head.end() + len(entry.key))
        return Stretch(span.file, span.start, span.start + 1)

    def value_place(self, entry: BibEntry, names: Sequence[str]) -> Stretch | None:
        """Return the place of the value of an entry's first field with one of the names; None without any."""
        lined = self.texts.get(entry.span.file)
        place = locate_entry(lined.text, (entry.span.start, entry.span.end)) if lined is not None else None
        fields = {field.name.lower(): field.value for field in place.fields} if place is not None else {}
        value = next((fields[name] for name in names if name in fields), None)
        return Stretch(entry.span.file, *value) if value is not None else None

    def entry_at(self, path: Path, offset: int) -> BibEntry | None:
        """Return the entry at a code point."""
        for entries in self.entries.values():
            for entry in entries:
                span = entry.span
                if span.start <= offset < max(span.end, span.start + 1) and span.file == path:
                    return entry
        return None


def take(
    draft: Draft,
    texts: Mapping[Path, Lined],
    generation: int,
    decoded: Mapping[Path, Decoded] | None = None,
    before: Snapshot | None = None,
) -> Snapshot:
    """Index a draft that was read from `texts`; `before` is the last snapshot of its project."""
    mentions: dict[str, list[KeyCitation]] = {}
    for cite in draft.cites:
        for mention in _mentions(cite, texts):
            mentions.setdefault(mention.key, []).append(mention)
    same = before is not None and len(before.draft.entries) == len(draft.entries)
    if before is not None and same and all(map(is_, before.draft.entries, draft.entries)):
        entries, lower = before.entries, before.lower
    else:
        entries = _by_key(draft.entries)
        lower = {key.lower(): some[0] for key, some in reversed(entries.items())}
    own = {command.rstrip("*") for command in draft.cite_commands}
    for file in draft.files:
        if lined := texts.get(file):
            own |= {match[1] for match in _DEFINITION.finditer(lined.text) if is_cite(match[2])}
    firsts = [some[0] for some in entries.values()]
    cited = {key: len(some) for key, some in mentions.items()}
    index = Index(firsts, cited, before.index if before is not None else None)
    return Snapshot(generation, draft, texts, decoded or {}, mentions, entries, frozenset(own), index, lower)


def _by_key(entries: Sequence[BibEntry]) -> dict[str, list[BibEntry]]:
    by_key: dict[str, list[BibEntry]] = {}
    for entry in entries:
        by_key.setdefault(entry.key, []).append(entry)
    return by_key


def _mentions(cite: Cite, texts: Mapping[Path, Lined]) -> list[KeyCitation]:
    span = cite.span
    lined = texts.get(span.file)
    names = []
    position = span.start
    for key in cite.keys:
        if key == "*":
            continue
        match = None
        if lined is not None:
            words = r"\s+".join(map(re.escape, key.split()))
            pattern = re.compile(rf"(?<![^\s,{{}}\]]){words}(?=\s*[,}}%])")
            match = pattern.search(lined.text, position, max(span.end, span.start + 1))
        if match is None:
            names.append(KeyCitation(key, cite.command, Stretch(span.file, span.start, span.end), False))
        else:
            position = match.end()
            names.append(KeyCitation(key, cite.command, Stretch(span.file, match.start(), match.end()), True))
    return names
