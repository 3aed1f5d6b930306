"""What is written to the author's project, and what is read of it before.

The section, its entries, `.citeplug/provenance.json`, which says for each sentence and each entry where it comes
from, and `.citeplug/base/`, by which a later run knows what the author has changed since.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from citeplug.bibliography.merge import Shelf
from citeplug.errors import ChangedMeanwhile, UnreadableInput, WouldOverwrite
from citeplug.files.atomic import Change, write_together
from citeplug.files.project_files import leads_inside, names_in, obstacle, read_bytes
from citeplug.project.author_files import (
    as_tex_path,
    bytes_or_none,
    copy_kept,
    edited,
    edits_as_changes,
    encoded,
    read_exactly,
    read_or_none,
)
from citeplug.project.disclosure import credited
from citeplug.project.insert import check_names
from citeplug.project.merge_bases import FOLDER, Bases, base_changes, prune_bases, prune_entries, read_bases
from citeplug.project.provenance import (
    PROVENANCE,
    blocks_of,
    provenance_of,
    read_record,
    recorded_again,
    recorded_blocks,
    with_inserted,
)
from citeplug.records.draft import Draft
from citeplug.records.finding import TextEdit
from citeplug.records.outcome import Outcome
from citeplug.records.plan import Plan
from citeplug.section_file.cited_keys import cited_keys
from citeplug.section_file.current import CurrentSection, Gone, gone_from, read_current
from citeplug.section_file.grammar import has_conflict_marks, plan_of, read_related
from citeplug.section_file.merged_section import planned_file
from citeplug.section_file.provenance_tex import is_tex_record, print_tex_record, tex_record_of

__all__ = [
    "PROVENANCE",
    "Before",
    "Targets",
    "accept_changes",
    "as_tex_path",
    "deleted_blocks",
    "deliver",
    "deliver_plan",
    "edited",
    "guard_plan",
    "insert",
    "is_recorded_plan",
    "look",
    "name_of",
    "need_unchanged",
    "plan_waits",
    "read_exactly",
    "read_or_none",
    "read_provenance",
    "record_changes",
    "targets",
    "tex_record",
    "with_draft",
    "with_files",
]


@dataclass(frozen=True, slots=True)
class Targets:
    """Where a run writes, all absolute."""

    tex: Path
    bib: Path
    provenance: Path

    @property
    def project(self) -> Path:
        """The folder of the draft's root."""
        return self.provenance.parents[1]


def targets(root: Path, out: Path | None, bib: Path | None) -> Targets:
    """The files to write: beside the root, unless the user named others.

    Raises UnreadableInput if a target is a folder, is one of the draft's own files, or lies in no folder, or if
    `.citeplug` is a link that leads out of the project, UsageError for a name that LaTeX cannot read.
    """
    folder = root.parent
    if not leads_inside(folder / FOLDER, folder):
        raise UnreadableInput(f"{folder / FOLDER.parts[0]} is a link that leads out of the project", "remove the link")
    chosen = Targets(
        (out or folder / "related.tex").absolute(), (bib or folder / "related.bib").absolute(), folder / PROVENANCE
    )
    for target in (chosen.tex, chosen.bib):
        if target.is_dir():
            raise UnreadableInput(f"{target} is a folder", "name a file")
        if not target.parent.is_dir():
            raise UnreadableInput(f"the folder {target.parent} does not exist", "make it first, or name another")
    check_names(as_tex_path(chosen.tex, folder), as_tex_path(chosen.bib, folder))
    if chosen.tex == root:
        raise UnreadableInput(f"{chosen.tex} cannot take the section", "name a file of its own with --out")
    return chosen


@dataclass(frozen=True, slots=True)
class Before:
    """What a run finds. `seen` are the bytes of the files that it writes, None for those that are not there; `texts`
    and `encoders` are the texts of those that are, and the functions that turn a text into the file's bytes."""

    current: CurrentSection
    shelf: Shelf
    record: Mapping[str, Any]
    bases: Bases
    seen: Mapping[Path, bytes | None]
    texts: Mapping[Path, str]
    encoders: Mapping[Path, Callable[[str], bytes]]


def look(where: Targets, *, replan: bool = False, force: bool = False, only: Sequence[str] = ()) -> Before:
    """Read the files that a run writes; `replan`, `force` and `only` as in `read_current`, which see for errors."""
    seen = {path: bytes_or_none(path) for path in (where.tex, where.bib, where.provenance)}
    encoders: dict[Path, Callable[[str], bytes]] = {}
    texts: dict[Path, str] = {}
    for path in (where.tex, where.bib):
        if seen[path] is not None:
            texts[path], encoders[path] = read_exactly(path)
    bib = texts.get(where.bib)
    if bib and has_conflict_marks(bib):
        raise WouldOverwrite(
            f"{where.bib} has the marks of an unfinished merge (<<<<<<<); it is left alone",
            "resolve the conflict first",
        )
    record = read_provenance(where.provenance)
    bases = read_bases(where.project)
    text = texts.get(where.tex, "")
    current = read_current(
        text,
        bases.blocks,
        recorded_blocks(record, name_of(where.tex, where), text),
        where.tex,
        replan=replan,
        force=force,
        only=only,
    )
    shelf = Shelf(bib, bases.entries, where.bib, force, frozenset(cited_keys(current.text)))
    return Before(current, shelf, record, bases, seen, texts, encoders)


def unchanged(before: Before) -> bool:
    """Whether the files still are what the run found."""
    return all(bytes_or_none(path) == data for path, data in before.seen.items())


def with_draft(before: Before, draft: Draft) -> Before:
    """`before` with the bytes of the draft's files, where those are to be edited too."""
    return with_files(before, (draft.root.parent / name for name in draft.files))


def with_files(before: Before, files: Iterable[Path]) -> Before:
    """`before` with the bytes of these files too."""
    return replace(before, seen={**before.seen, **{file: bytes_or_none(file) for file in files}})


def deliver(
    outcome: Outcome, where: Targets, edits: Sequence[TextEdit], before: Before, *, model: str | None = None
) -> None:
    """Write bases, entries, section and provenance, then the edits to the draft: all of it or nothing.

    What the author's words are replaced in, as `--force` and `--replan` do, is copied first. The entries come before
    the section, so that a run killed in the middle leaves no citation undefined. Files that `edits` touch must have
    been `seen` (`with_draft`). `model` is the name of the language model that was asked. Raises ChangedMeanwhile if the
    author saves one of them in just that moment, WouldOverwrite if a file of somebody's has the name of one of ours.
    """
    for_tex = tex_record(outcome.draft, where)
    if for_tex is not None and not is_tex_record(read_or_none(for_tex) or ""):
        raise WouldOverwrite(f"{for_tex} is not citeplug's; it is left alone", "give it another name")
    bib = _encoded(outcome.bib_content, where.bib, before)
    tex = _encoded(outcome.tex_content, where.tex, before)
    changes = _copies(tex, bib, where, before)
    changes += base_changes(where.project, outcome.bases, outcome.entry_bases)
    changes += [_change(where.bib, bib, before), _change(where.tex, tex, before)]
    name = name_of(where.tex, where)
    plan = plan_of(read_related(outcome.tex_content)) or Plan(())
    hashes = {where.tex: plan_digest(plan), where.bib: digest(outcome.bib_content.replace("\r\n", "\n"))}
    record = provenance_of(outcome)
    record |= blocks_of(before.record, name, outcome, before.current.gone)
    record |= {"written": _written(before.record, where, hashes)}
    record = credited(record, before.record, model, date.today())
    known = {name: before.record[name] for name in ("inserted",) if name in before.record}
    record = with_inserted({**record, **known}, edits, where.project)
    changes.append(_record_change(where, record, before))
    if for_tex is not None:
        encoder = before.encoders.get(where.tex, str.encode)
        changes.append(_tex_record_change(for_tex, record, outcome.tex_content, encoder))
    changes += edits_as_changes(edits, where.project, lambda file: partial(need_unchanged, file, before))
    write_together(_those_new(changes))
    old = {block.at.recorded or "" for block in before.current.blocks}
    with contextlib.suppress(OSError):  # where a block may lie unseen, its base stays
        prune_bases(where.project, old - {""}, _sections(where, outcome))
    prune_entries(where.project, outcome.entry_bases)


def insert(edits: Sequence[TextEdit], where: Targets) -> None:
    """Make the draft read its section, by edits that `insertion` gave, and record that; all of it or nothing.

    Raises CannotWrite, UnreadableInput.
    """
    record = with_inserted(read_provenance(where.provenance), edits, where.project)
    write_together([_record_change(where, record), *edits_as_changes(edits, where.project)])


def _copies(tex: bytes, bib: bytes, where: Targets, before: Before) -> list[Change]:
    """Copies of what the author's words are replaced in by `tex` and `bib`."""
    copies = []
    if before.current.costs and before.seen[where.tex] not in (None, tex):
        copies.append(copy_kept(where.tex))
    if before.shelf.force and before.seen[where.bib] not in (None, bib) and _changed_bib(before, where):
        copies.append(copy_kept(where.bib))
    return copies


def tex_record(draft: Draft, where: Targets) -> Path | None:
    """The file that tells the LaTeX package of the section; None where the draft does not load the package."""
    return tex_record_of(where.tex) if "citeplug" in draft.packages else None


def accept_changes(where: Targets, record: Mapping[str, Any]) -> list[Change]:
    """The record, and what the LaTeX package reads of it, if that is there."""
    changes = [_record_change(where, record)]
    file = tex_record_of(where.tex)
    text = read_or_none(file)
    if text is not None and is_tex_record(text) and read_or_none(where.tex) is not None:
        section, encoder = read_exactly(where.tex)
        changes.append(_tex_record_change(file, record, section, encoder))
    return _those_new(changes)


def _tex_record_change(file: Path, record: Mapping[str, Any], section: str, encoder: Callable[[str], bytes]) -> Change:
    # In the section's own encoding, since TeX compares the two; a key may have a letter that the section has not.
    text = print_tex_record(record, section)
    try:
        data = encoder(text)
    except UnicodeEncodeError:
        data = text.encode()
    return Change(file, data)


def plan_waits(where: Targets, provenance: Mapping[str, Any]) -> bool:
    """Whether the section holds a plan that its text does not follow yet."""
    related = read_related(read_or_none(where.tex) or "")
    plan = plan_of(related)
    if plan is None or not plan.paragraphs:
        return False
    written = any(block.text.strip() for block in related.blocks)
    return not (written and _is_recorded(provenance, where.tex, where, plan_digest(plan)))


def guard_plan(where: Targets, force: bool) -> Before:
    """Raise WouldOverwrite if a new plan would take the place of something that a person wrote, a plan too.

    With `force` only a block marked `keep` is refused.
    """
    before = look(where, force=force)
    states = {block.state for block in before.current.blocks}
    if "keep" in states:
        raise WouldOverwrite(
            f"{where.tex} has a block marked 'citeplug:keep', which stays as it is",
            "take the mark out, or name another file",
        )
    if not force and ("text" in states or "unknown" in states):
        raise WouldOverwrite(
            f"{where.tex} was changed by hand; a plan alone would take the text's place",
            "run 'citeplug related', which merges, or use --force (a copy is kept as .bak)",
        )
    if not force and states & {"plan", "due"} and not is_recorded_plan(before, where):
        raise WouldOverwrite(
            f"{where.tex} holds a plan that was written or changed by hand; it is left alone",
            "run 'citeplug related' to follow it, or use --force (a copy is kept as .bak)",
        )
    return look(where, replan=True, force=force)


def deleted_blocks(where: Targets) -> tuple[Gone, ...]:
    """The blocks that the author deleted from the section, with their papers."""
    text = read_or_none(where.tex) or ""
    recorded = recorded_blocks(read_provenance(where.provenance), name_of(where.tex, where), text)
    return gone_from(recorded, read_related(text))


def deliver_plan(plan: Plan, where: Targets, before: Before, gone: Sequence[Gone], *, force: bool) -> None:
    """Write the plan blocks alone, and record that they are citeplug's.

    The texts that they replace were not deleted by the author; what was is `gone`.
    """
    changes = []
    if force and before.current.costs and before.seen[where.tex] is not None:
        changes.append(copy_kept(where.tex))
    changes.append(_change(where.tex, _encoded(planned_file(before.current, plan), where.tex, before), before))
    written = _written(before.record, where, {where.tex: plan_digest(plan)})
    blocks = recorded_again(before.record, name_of(where.tex, where), (), gone)
    changes.append(_record_change(where, {**before.record, **blocks, "written": written}, before))
    write_together(_those_new(changes))


def read_provenance(path: Path) -> dict[str, Any]:
    """What the last run recorded; empty if nothing did, or if the record is damaged."""
    return read_record(read_or_none(path))


def plan_digest(plan: Plan) -> str:
    return digest(json.dumps([[p.heading, [[li.intent, li.cites] for li in p.lines]] for p in plan.paragraphs]))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _encoded(text: str, path: Path, before: Before) -> bytes:
    return encoded(text, path, before.encoders.get(path, str.encode))


def _sections(where: Targets, outcome: Outcome) -> Iterator[str]:
    """Texts of the project in which blocks may stand: what was copied elsewhere still needs its base.

    Raises OSError where one cannot be read, or where there are too many.
    """
    folders = {where.project, where.tex.parent}
    files = {folder / name for folder in folders for name in names_in(folder) if name.endswith(".tex")}
    files |= {outcome.draft.root.parent / name for name in outcome.draft.files}
    for file in sorted(files):
        if obstacle(file) is None and file.exists():
            yield read_bytes(file).decode("utf-8", "replace").lower()


def _changed_bib(before: Before, where: Targets) -> bool:
    text = before.shelf.text or ""
    return not _is_recorded(before.record, where.bib, where, digest(text.replace("\r\n", "\n")))


def is_recorded_plan(before: Before, where: Targets) -> bool:
    """Whether the plans in the section are those that citeplug wrote."""
    plan = plan_of(read_related(before.current.text))
    return plan is None or _is_recorded(before.record, where.tex, where, plan_digest(plan))


def name_of(path: Path, where: Targets) -> str:
    """The name of a file that was written, as the record has it."""
    return as_tex_path(path, where.project)


def _written(provenance: Mapping[str, Any], where: Targets, hashes: dict[Path, str]) -> dict[str, str]:
    """The hash of each file that was written, those of other --out and --bib files kept."""
    before = provenance.get("written")
    kept = before if isinstance(before, dict) else {}
    return {**kept, **{name_of(path, where): sha for path, sha in hashes.items()}}


def _is_recorded(provenance: Mapping[str, Any], path: Path, where: Targets, sha: str) -> bool:
    written = provenance.get("written")
    return isinstance(written, dict) and written.get(name_of(path, where)) == sha


def _record_change(where: Targets, record: Mapping[str, Any], before: Before | None = None) -> Change:
    data = (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()
    check = partial(need_unchanged, where.provenance, before) if before is not None else None
    return Change(where.provenance, data, within=where.project, check=check, makes_folder=True)


def record_changes(where: Targets, record: Mapping[str, Any], before: Before) -> list[Change]:
    """The file of the record, if it changes."""
    return _those_new([_record_change(where, record, before)])


def _change(path: Path, data: bytes, before: Before) -> Change:
    return Change(path, data, check=partial(need_unchanged, path, before))


def need_unchanged(path: Path, before: Before) -> None:
    """Raise ChangedMeanwhile if the file is not what was `seen`."""
    if bytes_or_none(path) != before.seen[path]:
        raise ChangedMeanwhile(f"{path} was changed in the meantime; it is left alone", "run the same command again")


def _those_new(changes: Sequence[Change]) -> list[Change]:
    """Only what differs, so that a run that changes nothing wakes no watcher and no build."""
    found = []
    for change in changes:
        try:
            if read_bytes(change.path) == change.data:
                continue
        except OSError:
            pass  # not there, or not readable: the writer says what is wrong
        found.append(change)
    return found
