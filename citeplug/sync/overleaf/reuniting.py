"""The two sides of citeplug's own files made one, where a clone and its remote went on from the same commit.

Both sides were generated, and both may hold words of an author's. git's merge by lines would mix two generated
paragraphs into one that looks like the author's; so these files are merged by block and by entry instead, and a run
afterwards makes the section current. The bases of both sides come together, being named by their content.
"""

import posixpath
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from citeplug.bib.write.merge import merge_bib_versions
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import CiteplugError, WouldOverwrite
from citeplug.files.decode import decode
from citeplug.project import merge_bases
from citeplug.project.merge_bases import Bases, read_bases
from citeplug.project.provenance import parse_provenance, print_provenance
from citeplug.records.provenance import Provenance
from citeplug.section_file.current import read_current
from citeplug.section_file.grammar import has_conflict_marks, read_related
from citeplug.section_file.reunion import reunite_sections
from citeplug.sync.overleaf.own_files import OwnFiles
from citeplug.sync.overleaf.repository import Blob, Repository
from citeplug.sync.overleaf.reunited_record import reunite_records
from citeplug.text.cleaning import collapsed

_WORD = re.compile(r"\w+")
_MARK = re.compile(r"^[ \t]*%+[ \t]*citeplug[ \t]*:[ \t]*(?:begin|end)\b.*$", re.IGNORECASE | re.MULTILINE)
_MOST_BASES = 5_000
_MOST_BYTES = 20_000_000


class CannotReunite(CiteplugError):
    """A file of citeplug's own is in a state in which two versions of it cannot be made one for sure."""


@dataclass(frozen=True, slots=True)
class _Side:
    files: Mapping[str, Blob]
    tex: str | None
    bib: str | None
    record: Provenance


def reunited(repository: Repository, own: OwnFiles, base: str, ours: str, theirs: str) -> dict[str, bytes | None]:
    """The files of citeplug's that both commits changed since `base`, as they are to be; None: not there.

    Raises CannotReunite where the author has to decide.
    """
    known = _all_bases(repository, own, ours, theirs)
    old, one, other = (_side(repository, own, commit) for commit in (base, ours, theirs))
    done: dict[str, bytes | None] = {}
    if _both_changed(own.tex, old, one, other):
        text = _section(old, one, other, known, own)
        done[own.tex] = None if text is None else text.encode()
    if _both_changed(own.bib, old, one, other):
        text = _entries(old, one, other, known)
        done[own.bib] = None if text is None else text.encode()
    section = one.tex if other.tex == old.tex else other.tex
    if own.tex in done:
        section = (done[own.tex] or b"").decode()
    section = section or ""
    if done or _both_changed(own.record, old, one, other):
        name = posixpath.relpath(own.tex, posixpath.dirname(posixpath.dirname(own.record)) or ".")
        record = reunite_records(other.record, one.record, before=old.tex or "", after=section, section=name)
        done[own.record] = print_provenance(record)
    if own.for_tex and _both_changed(own.for_tex, old, one, other):
        done[own.for_tex] = _content(repository, own.for_tex, one, other)  # the next run makes it anew
    for path in {*old.files, *one.files, *other.files}:
        # What one side superseded goes, unless a block of the other still records it.
        if own.is_base(path) and (path not in old.files or _hash(path) in section):
            data = _content(repository, path, one, other)
            done |= {path: data} if data is not None else {}
    return done


def _content(repository: Repository, path: str, ours: _Side, theirs: _Side) -> bytes | None:
    blob = ours.files.get(path) or theirs.files.get(path)
    return None if blob is None else repository.content(blob)


def _hash(base: str) -> str:
    """The hash that a block records whose base has this name; of an entry's base nothing that is in a section."""
    name = PurePosixPath(base).name
    return name if name.startswith("entry-") else name.partition("-")[0]


def _both_changed(path: str, base: _Side, ours: _Side, theirs: _Side) -> bool:
    old, one, other = (side.files.get(path) for side in (base, ours, theirs))
    return one != old and other != old and one != other


def _side(repository: Repository, own: OwnFiles, commit: str) -> _Side:
    files = repository.blobs(commit, own.places)

    def text(path: str) -> str | None:
        if path not in files:
            return None
        if files[path].mode not in ("100644", "100755"):
            raise CannotReunite(
                f"{path} is not a regular file in one of the two versions", "replace the link by a file"
            )
        decoded = decode(repository.content(files[path]))
        if not decoded.exact or decoded.text.encode() != repository.content(files[path]):
            raise CannotReunite(
                f"{path} is not in UTF-8 in one of the two versions", "save it as UTF-8 without a byte-order mark"
            )
        if has_conflict_marks(decoded.text):
            raise CannotReunite(f"{path} has conflict marks (<<<<<<<)", "resolve them, and commit")
        return decoded.text

    record = repository.content(files[own.record]).decode("utf-8", "replace") if own.record in files else None
    return _Side(files, text(own.tex), text(own.bib), parse_provenance(record))


def _all_bases(repository: Repository, own: OwnFiles, *commits: str) -> Bases:
    files: dict[str, Blob] = {}
    for commit in commits:
        files |= {path: blob for path, blob in repository.blobs(commit, [own.bases]).items() if own.is_base(path)}
    with tempfile.TemporaryDirectory(prefix="citeplug-") as folder:
        place = Path(folder) / merge_bases.FOLDER
        place.mkdir(parents=True)
        contents = repository.contents(list(files.values())[:_MOST_BASES], _MOST_BYTES)
        for path, data in zip(files, contents, strict=False):
            (place / PurePosixPath(path).name).write_bytes(data)
        return read_bases(Path(folder))


def _section(base: _Side, ours: _Side, theirs: _Side, known: Bases, own: OwnFiles) -> str | None:
    free = [_free_blocks(side.tex, known, own) for side in (ours, theirs)]
    if ours.tex is None or theirs.tex is None:
        # Deleted on one side: it stays so, unless the other has words of an author's that were not there before.
        there, settled = (theirs.tex, free[1]) if ours.tex is None else (ours.tex, free[0])
        new = _words(_authored(there or "", settled)) - _words(base.tex or "")
        return there if new else None
    text = reunite_sections(base.tex or "", ours.tex, theirs.tex, ours_free=free[0], theirs_free=free[1])
    for side, settled in ((ours.tex, free[0]), (theirs.tex, free[1])):
        lost = _words(_authored(side, settled)) - _words(base.tex or "") - _words(text)
        if lost:
            raise CannotReunite(f"the two versions of {own.tex} cannot be merged safely", "merge them by hand")
    return text


def _free_blocks(text: str | None, known: Bases, own: OwnFiles) -> frozenset[str]:
    try:
        current = read_current(text or "", known.blocks, (), Path(own.tex))
    except WouldOverwrite as error:
        raise CannotReunite(str(error), error.hint) from error
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


def _entries(base: _Side, ours: _Side, theirs: _Side, known: Bases) -> str | None:
    if ours.bib is None or theirs.bib is None:
        # What is there may be cited, and too much harms nobody.
        return ours.bib if ours.bib is not None else theirs.bib
    free = [_free_entries(side.bib or "", known) for side in (ours, theirs)]
    return merge_bib_versions(base.bib or "", ours.bib, theirs.bib, ours_free=free[0], theirs_free=free[1])


def _free_entries(text: str, known: Bases) -> frozenset[str]:
    return frozenset(
        entry.key
        for entry in parse_bib(text)
        if any(
            collapsed(base.text) == collapsed(text[entry.span.start : entry.span.end])
            for base in known.entries.get(entry.key, ())
        )
    )
