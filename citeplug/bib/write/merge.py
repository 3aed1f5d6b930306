"""Entries of two versions made one: a section's with those in its file, and two versions of a whole file.

A section's entries are merged into the file that holds them, field by field where the author changed one:

an entry as it was generated: renewed while it is cited, else taken out
an entry that the author changed: the author's fields stay, the others are renewed
an entry that the author added: not touched

Of two versions of a file each entry is kept once, with every word that a person wrote in either.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from citeplug.bib.write.layout import append_entries, ends_within_a_block
from citeplug.bib.write.splice import apply, rewrite
from citeplug.bibtex.entries import parse_bib
from citeplug.records.draft import BibEntry
from citeplug.records.finding import Finding, TextEdit
from citeplug.records.section import GeneratedEntry
from citeplug.text.cleaning import collapsed
from citeplug.text.scanning import newline_of
from citeplug.text.tex_text import decode_tex
from citeplug.text.three_way_merge import Pieces, merge_pieces, merge_sequences


@dataclass(frozen=True, slots=True)
class Shelf:
    """The file that holds the section's entries, before a run: its text (None: there is none), and what earlier runs
    generated for it, by key. With `force` the author's changes to generated entries are given up. `cited` are the
    keys that the section cited: only of them an entry that is missing was deleted by somebody."""

    text: str | None = None
    bases: Mapping[str, Sequence[GeneratedEntry]] = field(default_factory=dict)
    file: Path = Path("related.bib")
    force: bool = False
    cited: frozenset[str] = frozenset()

    @property
    def entries(self) -> list[BibEntry]:
        return parse_bib(self.text or "", self.file)


EMPTY = Shelf()


@dataclass(frozen=True, slots=True)
class MergedBib:
    """The new text of the file. `bases` are the entries in it that are citeplug's, as they were last generated."""

    text: str
    bases: tuple[GeneratedEntry, ...]
    findings: tuple[Finding, ...] = ()


def merge_entries(
    shelf: Shelf, header: str, new: Sequence[GeneratedEntry], cited: frozenset[str], elsewhere: frozenset[str]
) -> MergedBib:
    """Put the `new` entries that are `cited` on the shelf; a new file begins with `header`.

    `elsewhere` are the keys that the draft's own bibliography defines. An entry that is cited and was deleted comes
    back: no citation may be undefined. Findings: `entry_offer`, `entry_restored`, `entry_blocked`.
    """
    created = not (shelf.text or "").strip()
    text = header if created else shelf.text or ""
    merge = _EntryMerge(text, {entry.key: entry for entry in new}, shelf, cited, elsewhere)
    merge.go_through()
    return merge.result(created=created, header=header)


@dataclass(slots=True)
class _EntryMerge:
    text: str
    new: dict[str, GeneratedEntry]
    shelf: Shelf
    cited: frozenset[str]
    elsewhere: frozenset[str]
    edits: list[TextEdit] = field(default_factory=list)
    kept: list[GeneratedEntry] = field(default_factory=list)
    there: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)

    def go_through(self) -> None:
        for entry in parse_bib(self.text, self.shelf.file):
            ours = self.text[entry.span.start : entry.span.end]
            first = entry.key not in self.there
            self.there.add(entry.key)
            base = self._base(entry.key, ours)
            new = self.new.get(entry.key)
            if base is None or not first:
                continue  # the author's own, or one that BibTeX passes over
            if collapsed(ours) == collapsed(base.text):
                self._untouched(entry, base, new)
            elif self.shelf.force and new is not None:
                self._renew(entry, new)
            elif new is not None:
                self._changed(entry, base, new)
            else:
                self.kept.append(base)

    def _base(self, key: str, ours: str) -> GeneratedEntry | None:
        """Of several, as branches leave them, the one that the entry still is."""
        bases = self.shelf.bases.get(key, ())
        return next((base for base in bases if collapsed(base.text) == collapsed(ours)), bases[0] if bases else None)

    def _untouched(self, entry: BibEntry, base: GeneratedEntry, new: GeneratedEntry | None) -> None:
        if entry.key not in self.cited or entry.key in self.elsewhere:
            self._replace(entry, "")
        elif new is not None and collapsed(new.text) != collapsed(base.text):
            self._renew(entry, new)
        else:
            self.kept.append(base)

    def _renew(self, entry: BibEntry, new: GeneratedEntry) -> None:
        self._replace(entry, new.text.strip())
        self.kept.append(new)

    def _replace(self, entry: BibEntry, text: str) -> None:
        start, end = entry.span.start, entry.span.end
        if not text:
            # With an entry goes its line end, and a blank line behind it.
            for _ in range(2):
                end += 2 if self.text.startswith("\r\n", end) else int(self.text[end : end + 1] in ("\n", "\r"))
        self.edits.append(TextEdit(self.shelf.file, start, end, text.replace("\n", newline_of(self.text))))

    def _changed(self, entry: BibEntry, base: GeneratedEntry, new: GeneratedEntry) -> None:
        """Renew the fields that the author left alone; of the others say what the record now has."""
        self.kept.append(new)
        before, after = _fields(base), _fields(new)
        renewed: dict[str, str] = {}
        for name, value in after.items():
            ours = entry.fields.get(name)
            if before.get(name) == value or _same(ours, value):
                continue
            if _same(ours, before.get(name)):
                renewed[name] = value
            else:
                self.findings.append(
                    Finding(
                        "entry_offer",
                        "info",
                        f"the field {name} of {entry.key} is yours; the record now has “{decode_tex(value)}”",
                        self.shelf.file,
                        entry.span.line,
                        fix="use it if it is right",
                    )
                )
        if renewed:
            done = rewrite(self.text, entry, entry.kind, renewed, ())
            self.edits += done.edits

    def result(self, *, created: bool, header: str) -> MergedBib:
        text = apply(self.text, self.edits)
        restored = [key for key in sorted(self.cited - self.there - self.elsewhere) if key in self.shelf.bases]
        added = [entry for key, entry in self.new.items() if key in self.cited and key not in self.there]
        added = [entry for entry in added if entry.key not in self.elsewhere]
        added += [self.shelf.bases[key][0] for key in restored if key not in self.new]
        if added and ends_within_a_block(text):
            self.findings.append(_blocked(added, self.shelf.file))
            added = []
        elif not created:
            self.findings += [_restored(key, self.shelf.file) for key in restored if key in self.shelf.cited]
        if created and text.strip() == header.strip():
            text = header + "\n".join(entry.text for entry in added)
        elif added:
            text = append_entries(text, [entry.text.strip().replace("\n", newline_of(self.text)) for entry in added])
        return MergedBib(text, (*self.kept, *added), tuple(self.findings))


def _fields(entry: GeneratedEntry) -> dict[str, str]:
    parsed = parse_bib(entry.text)
    return parsed[0].fields if parsed else {}


def _same(ours: str | None, theirs: str | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return collapsed(ours) == collapsed(theirs)


def _restored(key: str, file: Path) -> Finding:
    return Finding(
        "entry_restored",
        "info",
        f"the entry {key} was deleted but is still cited, so it was put back",
        file,
        fix="delete what cites it, or define it in your own bibliography",
    )


def _blocked(entries: Sequence[GeneratedEntry], file: Path) -> Finding:
    keys = ", ".join(entry.key for entry in entries)
    return Finding(
        "entry_blocked",
        "error",
        f"{file.name} ends inside an entry that is not closed: {keys} could not be added",
        file,
        fix="close the last entry of the file",
    )


def merge_bib_versions(
    base: str, ours: str, theirs: str, *, ours_free: frozenset[str], theirs_free: frozenset[str]
) -> str:
    """Merge `ours` and `theirs`, which both come from `base`, entry by entry.

    The free entries, given by their keys, are as they were generated, and give way to a version that somebody changed;
    where one side took such an entry out it stays as long as the other has it, since that one may cite it. A line of
    an entry that both changed stays as it is in ours, and theirs comes in front of the entry, outside of it.
    """
    newline = newline_of(ours)
    base, theirs = (text.replace("\r\n", "\n").replace("\n", newline) for text in (base, theirs))
    old, one, other = _cut(base), _cut(ours), _cut(theirs)
    lasting = {name for name in old.names if name in one.raws and name in other.raws}
    old = Pieces(tuple(lasting), old.leads, {name: old.raws[name] for name in lasting}, old.tail)
    return merge_pieces(old, one, other, ours_free=ours_free, theirs_free=theirs_free, meet=_meet)


def _cut(text: str) -> Pieces:
    return Pieces.cut(text, [(entry.key, entry.span.start, entry.span.end) for entry in parse_bib(text)])


def _meet(base: str, ours: str, theirs: str) -> str:
    aside: list[str] = []

    def put_aside(lines: Sequence[str]) -> Sequence[str]:
        aside.extend(lines)
        return ()

    cut = [text.splitlines(keepends=True) for text in (base, ours, theirs)]
    merged = "".join(merge_sequences(cut[0], cut[1], cut[2], lambda line: line.strip(), put_aside))
    if len(parse_bib(merged)) != 1:
        # Lines that do not fit together: ours as it is, and all of theirs in front of it.
        merged, aside = ours, cut[2]
    # Outside an entry BibTeX reads nothing but an @.
    notes = "".join(f"% citeplug:note both changed: {line.strip().replace('@', '(at)')}\n" for line in aside)
    return notes + merged
