"""Merge of the two sides of citeplug's own files, where a clone and its remote went on from the same commit.

Both sides were generated, and both may hold words of an author's. git's merge by lines would mix two generated
paragraphs into one that looks like the author's; so these files are merged by block and by entry instead, and a run
afterwards makes the section current. The bases of both sides are kept, being named by their content.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from citeplug.bib.write.merge import merge_bib_versions
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import CiteplugError, WouldOverwrite
from citeplug.files.decode import decode
from citeplug.project.merge_bases import Bases, bases_in
from citeplug.project.provenance import one_side, parse_provenance, print_provenance
from citeplug.records.provenance import Provenance, RecordedBlock
from citeplug.section_file.current import read_current
from citeplug.section_file.grammar import has_conflict_marks, read_related
from citeplug.section_file.merge_versions import merge_sections
from citeplug.sync.overleaf.own_files import OwnFiles
from citeplug.sync.overleaf.repository import Blob, Repository
from citeplug.text.cleaning import collapsed

_WORD = re.compile(r"\w+")
_MARK = re.compile(r"^[ \t]*%+[ \t]*citeplug[ \t]*:[ \t]*(?:begin|end)\b.*$", re.IGNORECASE | re.MULTILINE)
_MOST_BASES = 5_000
_MOST_BYTES = 20_000_000
_Part = TypeVar("_Part")


class CannotMerge(CiteplugError):
    """A file of citeplug's own is in a state in which two versions of it cannot be merged safely."""


@dataclass(frozen=True, slots=True)
class _Side:
    files: Mapping[str, Blob]
    tex: str | None
    bib: str | None
    record: Provenance


def merged_files(repository: Repository, own: OwnFiles, base: str, ours: str, theirs: str) -> dict[str, bytes | None]:
    """The files of citeplug's that both commits changed since `base`, as they are to be; None: not there.

    Raises CannotMerge where the author has to decide.
    """
    bases = _all_bases(repository, own, ours, theirs)
    old, one, other = (_side(repository, own, commit) for commit in (base, ours, theirs))
    merged: dict[str, bytes | None] = {}

    def both_changed(path: str) -> bool:
        before, here, there = (side.files.get(path) for side in (old, one, other))
        return here != before and there != before and here != there

    def content(path: str) -> bytes | None:
        blob = one.files.get(path) or other.files.get(path)
        return None if blob is None else repository.content(blob)

    section = one.tex if other.tex == old.tex else other.tex
    if both_changed(own.tex):
        section = _section(old, one, other, bases, own)
        merged[own.tex] = None if section is None else section.encode()
    if both_changed(own.bib):
        entries = _entries(old, one, other, bases)
        merged[own.bib] = None if entries is None else entries.encode()
    if merged or both_changed(own.record):
        name = posixpath.relpath(own.tex, posixpath.dirname(posixpath.dirname(own.record)) or ".")
        record = merge_records(other.record, one.record, before=old.tex or "", after=section or "", section=name)
        merged[own.record] = print_provenance(record)
    if own.for_tex and both_changed(own.for_tex):
        merged[own.for_tex] = content(own.for_tex)  # the next run makes it anew
    for path in {*old.files, *one.files, *other.files}:
        # What one side superseded goes, unless a block of the other still records it.
        if own.is_base(path) and (path not in old.files or _hash(path) in (section or "")):
            data = content(path)
            merged |= {path: data} if data is not None else {}
    return merged


def _hash(base: str) -> str:
    """The hash that a block records whose base has this name; of an entry's base nothing that is in a section."""
    name = PurePosixPath(base).name
    return name if name.startswith("entry-") else name.partition("-")[0]


def _side(repository: Repository, own: OwnFiles, commit: str) -> _Side:
    files = repository.blobs(commit, own.places)

    def text(path: str) -> str | None:
        if path not in files:
            return None
        if files[path].mode not in ("100644", "100755"):
            raise CannotMerge(f"{path} is not a regular file in one of the two versions", "replace the link by a file")
        data = repository.content(files[path])
        decoded = decode(data)
        if not decoded.exact or decoded.text.encode() != data:
            raise CannotMerge(
                f"{path} is not in UTF-8 in one of the two versions", "save it as UTF-8 without a byte-order mark"
            )
        if has_conflict_marks(decoded.text):
            raise CannotMerge(f"{path} has conflict markers (<<<<<<<)", "resolve them, and commit")
        return decoded.text

    record = repository.content(files[own.record]).decode("utf-8", "replace") if own.record in files else None
    return _Side(files, text(own.tex), text(own.bib), parse_provenance(record))


def _all_bases(repository: Repository, own: OwnFiles, *commits: str) -> Bases:
    blobs = {path: blob for commit in commits for path, blob in repository.blobs(commit, [own.bases]).items()}
    files = {PurePosixPath(path).name: blob for path, blob in blobs.items() if own.is_base(path)}
    contents = repository.contents(list(files.values())[:_MOST_BASES], _MOST_BYTES)
    return bases_in(zip(files, contents, strict=False))


def _section(base: _Side, ours: _Side, theirs: _Side, bases: Bases, own: OwnFiles) -> str | None:
    free = [_free_blocks(side.tex, bases, own) for side in (ours, theirs)]
    if ours.tex is None or theirs.tex is None:
        # Deleted on one side: it stays so, unless the other has words of an author's that were not there before.
        there, unchanged = (theirs.tex, free[1]) if ours.tex is None else (ours.tex, free[0])
        new = _words(_authored(there or "", unchanged)) - _words(base.tex or "")
        return there if new else None
    text = merge_sections(base.tex or "", ours.tex, theirs.tex, ours_free=free[0], theirs_free=free[1])
    for side, unchanged in ((ours.tex, free[0]), (theirs.tex, free[1])):
        lost = _words(_authored(side, unchanged)) - _words(base.tex or "") - _words(text)
        if lost:
            raise CannotMerge(f"the two versions of {own.tex} cannot be merged safely", "merge them by hand")
    return text


def _free_blocks(text: str | None, bases: Bases, own: OwnFiles) -> frozenset[str]:
    try:
        current = read_current(text or "", bases.blocks, (), Path(own.tex))
    except WouldOverwrite as error:
        raise CannotMerge(str(error), error.hint) from error
    return frozenset(block.at.id for block in current.blocks if block.state == "fresh")


def _authored(text: str, free: frozenset[str]) -> str:
    parts, position = [], 0
    for block in read_related(text).blocks:
        if block.id in free:
            parts.append(text[position : block.start])
            position = block.end
    return _MARK.sub("", "".join([*parts, text[position:]]))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _entries(base: _Side, ours: _Side, theirs: _Side, bases: Bases) -> str | None:
    if ours.bib is None or theirs.bib is None:
        # What is there may be cited, and too much harms nobody.
        return ours.bib if ours.bib is not None else theirs.bib
    free = [_free_entries(side.bib or "", bases) for side in (ours, theirs)]
    return merge_bib_versions(base.bib or "", ours.bib, theirs.bib, ours_free=free[0], theirs_free=free[1])


def _free_entries(text: str, bases: Bases) -> frozenset[str]:
    return frozenset(
        entry.key
        for entry in parse_bib(text)
        if any(
            collapsed(base.text) == collapsed(text[entry.span.start : entry.span.end])
            for base in bases.entries.get(entry.key, ())
        )
    )


def merge_records(theirs: Provenance, ours: Provenance, *, before: str, after: str, section: str) -> Provenance:
    """The record of theirs, with what only ours has, and what either accepted or deleted.

    `before` and `after` are the text of the section's file, named `section`, in the common past and after the merge.
    The inputs are forgotten, so that a run follows that makes the section current.
    """
    record = one_side([theirs, ours])
    present = read_related(after).blocks
    names = {block.id for block in present}
    # Of the blocks that both sides made anew, only those that stayed count; what somebody deleted is recorded.
    hashes = {block.recorded for block in present}
    hashes |= {block.recorded for block in read_related(before).blocks if block.id not in names}
    blocks = _joined_by_file(theirs.blocks, ours.blocks)
    if section in blocks:
        blocks[section] = tuple(block for block in blocks[section] if block.hash in hashes)
    return replace(
        record,
        sentences=_joined(record.sentences, ours.sentences, lambda sentence: (sentence.paragraph, sentence.text)),
        entries=_joined(record.entries, ours.entries, lambda entry: entry.key),
        inserted=_joined(record.inserted, ours.inserted, lambda text: text),
        asked=_joined(record.asked, ours.asked, lambda sentence: (sentence.tex, sentence.others.get("file"))),
        blocks=blocks,
        deleted=_joined_by_file(theirs.deleted, ours.deleted),
        inputs={},
    )


def _joined_by_file(
    one: Mapping[str, tuple[RecordedBlock, ...]], other: Mapping[str, tuple[RecordedBlock, ...]]
) -> dict[str, tuple[RecordedBlock, ...]]:
    names = dict.fromkeys([*one, *other])
    return {name: _joined(one.get(name, ()), other.get(name, ()), lambda block: block.hash) for name in names}


def _joined(one: Iterable[_Part], other: Iterable[_Part], name: Callable[[_Part], Any]) -> tuple[_Part, ...]:
    known = {name(part) for part in one}
    return (*one, *(part for part in other if name(part) not in known))
