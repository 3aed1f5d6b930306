"""The files that a run writes, as they are before it, and the changes that hold only while they stay so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import cast

from citeplug.bib.write.merge import Shelf
from citeplug.errors import ChangedMeanwhile, WouldOverwrite
from citeplug.files.atomic import Change
from citeplug.files.project_files import read_bytes
from citeplug.project.author_files import bytes_or_none, encoded, read_exactly
from citeplug.project.merge_bases import Bases, read_bases
from citeplug.project.provenance import (
    ProvenanceFile,
    print_provenance,
    recorded_blocks,
    rejected_sentences,
)
from citeplug.project.targets import Targets
from citeplug.records.draft import Draft
from citeplug.records.provenance import Provenance
from citeplug.records.section import Kind, Sentence, Source
from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.current import CurrentSection, read_current
from citeplug.section_file.grammar import has_conflict_marks


@dataclass(frozen=True, slots=True)
class Before:
    """The section, its entries and the record before a run.

    `seen` are the bytes of the files that the run writes, None for those that do not exist; `texts` and `encoders` are
    the texts of those that do, and the functions that turn a text into the file's bytes.
    """

    current: CurrentSection
    shelf: Shelf
    record: Provenance
    bases: Bases
    seen: Mapping[Path, bytes | None]
    texts: Mapping[Path, str]
    encoders: Mapping[Path, Callable[[str], bytes]]


def look(
    where: Targets, record_file: ProvenanceFile, *, replan: bool = False, force: bool = False, only: Sequence[str] = ()
) -> Before:
    """Read the files that a run writes; `replan`, `force`, `only` and errors as in `read_current`.

    `record_file` is the record as the run read it first: should it change after that, the run is done again.
    """
    seen = {
        where.tex: bytes_or_none(where.tex),
        where.bib: bytes_or_none(where.bib),
        where.provenance: record_file.data,
    }
    encoders: dict[Path, Callable[[str], bytes]] = {}
    texts: dict[Path, str] = {}
    for path in (where.tex, where.bib):
        if seen[path] is not None:
            texts[path], encoders[path] = read_exactly(path)
    bib = texts.get(where.bib)
    if bib and has_conflict_marks(bib):
        raise WouldOverwrite(
            f"{where.bib} has the markers of an unfinished merge (<<<<<<<); it was not changed",
            "resolve the conflict first",
        )
    bases = read_bases(where.project)
    shelf = Shelf(bib, bases.entries, where.bib, force, frozenset())
    before = Before(CurrentSection(), shelf, record_file.record, bases, seen, texts, encoders)
    current = judged(before, where, replan=replan, force=force, only=only)
    return replace(before, current=current, shelf=replace(shelf, cited=frozenset(cited_keys(current.text))))


def judged(
    before: Before, where: Targets, *, replan: bool = False, force: bool = False, only: Sequence[str] = ()
) -> CurrentSection:
    """The section as `read_current` judges it."""
    text = before.texts.get(where.tex, "")
    recorded = recorded_blocks(before.record, where.name_of(where.tex), text)
    current = read_current(text, before.bases.blocks, recorded, where.tex, replan=replan, force=force, only=only)
    rejected = {
        sentence.words: (
            sentence.paragraph,
            Sentence(
                sentence.text,
                cast(Kind, sentence.kind),
                sentence.cites,
                tuple(
                    Source(s.arxiv_id, s.version, s.quote, s.start or 0, s.end or 0, s.of, s.section, s.page)
                    for s in sentence.sources
                ),
                by_model=sentence.by is not None,
            ),
        )
        for sentence in rejected_sentences(before.record, text)
    }
    accepted = frozenset(sentence.words for sentence in before.record.sentences if sentence.status == "accepted")
    return replace(current, rejected=rejected, accepted=accepted)


def unchanged(before: Before) -> bool:
    """True if all files still are as they were read."""
    return all(bytes_or_none(path) == data for path, data in before.seen.items())


def with_draft(before: Before, draft: Draft) -> Before:
    """`before` with the bytes of the draft's files, for a run that edits them too."""
    return with_files(before, (draft.root.parent / name for name in draft.files))


def with_files(before: Before, files: Iterable[Path]) -> Before:
    """`before` with the bytes of these files too."""
    return replace(before, seen={**before.seen, **{file: bytes_or_none(file) for file in files}})


def encoded_as_before(text: str, path: Path, before: Before) -> bytes:
    """The bytes of `text` in the encoding that the file has. Raises UnreadableInput as `encoded` does."""
    return encoded(text, path, before.encoders.get(path, str.encode))


def checked_change(path: Path, data: bytes | None, before: Before) -> Change:
    """The file with these bytes, None: deleted; refused if it is not as it was `seen`."""
    return Change(path, data, check=partial(need_unchanged, path, before))


def record_change(where: Targets, record: Provenance, before: Before | None = None) -> Change:
    """The file with this record; with `before`, refused if it is not as it was `seen`."""
    check = partial(need_unchanged, where.provenance, before) if before is not None else None
    return Change(where.provenance, print_provenance(record), within=where.project, check=check, makes_folder=True)


def need_unchanged(path: Path, before: Before) -> None:
    """Raise ChangedMeanwhile if the file is not as it was `seen`."""
    if bytes_or_none(path) != before.seen[path]:
        raise ChangedMeanwhile(
            f"{path} was changed in the meantime, so it was not changed", "run the same command again"
        )


def without_equal(changes: Sequence[Change]) -> list[Change]:
    """The changes without those that change nothing, so that a run wakes no watcher and no build for them."""
    changing = []
    for change in changes:
        try:
            if read_bytes(change.path) == change.data:
                continue
        except OSError:
            pass  # not there, or not readable: writing it says what is wrong
        changing.append(change)
    return changing
