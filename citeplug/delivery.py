"""What is written to the author's project, and what is read of it before.

The section, its entries, `.citeplug/provenance.json`, which says for each sentence and each entry where it comes
from, and `.citeplug/base/`, by which a later run knows what the author has changed since.
"""

import contextlib
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from citeplug.adapters.files import write_atomically
from citeplug.authored import apply_edits, as_tex_path, edited, keep_copy, read_exactly, read_or_none
from citeplug.bases import FOLDER, Bases, prune_bases, prune_entries, read_bases, write_bases
from citeplug.bibliography.merge import Shelf
from citeplug.credits import credited
from citeplug.errors import ChangedMeanwhile, UnreadableInput, WouldOverwrite
from citeplug.provenance import PROVENANCE, blocks_of, provenance_of, read_record, recorded_blocks
from citeplug.records.draft import Draft
from citeplug.records.outcome import Outcome
from citeplug.records.review import Plan, TextEdit
from citeplug.regeneration import planned_file
from citeplug.standing import Standing, read_standing
from citeplug.tex.cited import cited_keys
from citeplug.tex.edits import has_conflict_marks, plan_of, read_related
from citeplug.tex.provenance_tex import is_tex_record, print_tex_record, tex_record_of

__all__ = [
    "PROVENANCE",
    "Before",
    "Targets",
    "apply_edits",
    "as_tex_path",
    "deliver",
    "deliver_plan",
    "edited",
    "guard_plan",
    "keep_copy",
    "look",
    "name_of",
    "plan_waits",
    "read_exactly",
    "read_or_none",
    "read_provenance",
    "renew_tex_record",
    "targets",
    "tex_record",
    "with_draft",
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
    `.citeplug` is a link that leads out of the project.
    """
    folder = root.parent
    if not _leads_inside(folder / FOLDER, folder):
        raise UnreadableInput(f"{folder / FOLDER.parts[0]} is a link that leads out of the project", "remove the link")
    chosen = Targets(
        (out or folder / "related.tex").absolute(), (bib or folder / "related.bib").absolute(), folder / PROVENANCE
    )
    for target in (chosen.tex, chosen.bib):
        if target.is_dir():
            raise UnreadableInput(f"{target} is a folder", "name a file")
        if not target.parent.is_dir():
            raise UnreadableInput(f"the folder {target.parent} does not exist", "make it first, or name another")
    if chosen.tex == chosen.bib or chosen.tex == root:
        raise UnreadableInput(f"{chosen.tex} cannot take the section", "name a file of its own with --out")
    return chosen


def _leads_inside(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False


@dataclass(frozen=True, slots=True)
class Before:
    """What a run finds. `seen` are the bytes of the files that it writes, None for those that are not there; `texts`
    and `encoders` are the texts of those that are, and the functions that turn a text into the file's bytes."""

    standing: Standing
    shelf: Shelf
    record: Mapping[str, Any]
    bases: Bases
    seen: Mapping[Path, bytes | None]
    texts: Mapping[Path, str]
    encoders: Mapping[Path, Callable[[str], bytes]]


def look(where: Targets, *, replan: bool = False, force: bool = False, only: Sequence[str] = ()) -> Before:
    """Read the files that a run writes; `replan`, `force` and `only` as in `read_standing`, which see for errors."""
    seen = {path: _bytes(path) for path in (where.tex, where.bib, where.provenance)}
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
    standing = read_standing(
        texts.get(where.tex, ""),
        bases.blocks,
        recorded_blocks(record, name_of(where.tex, where)),
        where.tex,
        replan=replan,
        force=force,
        only=only,
    )
    shelf = Shelf(bib, bases.entries, where.bib, force, frozenset(cited_keys(standing.text)))
    return Before(standing, shelf, record, bases, seen, texts, encoders)


def unchanged(before: Before) -> bool:
    """Whether the files still are what the run found."""
    return all(_bytes(path) == data for path, data in before.seen.items())


def with_draft(before: Before, draft: Draft) -> Before:
    """`before` with the bytes of the draft's files, where those are to be edited too."""
    files = (draft.root.parent / name for name in draft.files)
    return replace(before, seen={**before.seen, **{file: _bytes(file) for file in files}})


def deliver(
    outcome: Outcome, where: Targets, edits: Sequence[TextEdit], before: Before, *, model: str | None = None
) -> None:
    """Write bases, entries, section and provenance, then the edits to the draft, each file at once or not at all.

    What the author's words are replaced in, as `--force` and `--replan` do, is copied first. The entries come before
    the section, so that a run killed in the middle leaves no citation undefined. Files that `edits` touch must have
    been `seen` (`with_draft`). `model` is the name of the language model that was asked. Raises ChangedMeanwhile if the
    author saves one of them in just that moment, WouldOverwrite if a file of somebody's has the name of one of ours.
    """
    for_tex = tex_record(outcome.draft, where)
    if for_tex is not None and not is_tex_record(read_or_none(for_tex) or ""):
        raise WouldOverwrite(f"{for_tex} is not citeplug's; it is left alone", "give it another name")
    data = {
        where.bib: _encoded(outcome.bib_content, where.bib, before),
        where.tex: _encoded(outcome.tex_content, where.tex, before),
    }
    if before.standing.costs and before.seen[where.tex] not in (None, data[where.tex]):
        keep_copy(where.tex)
    if before.shelf.force and before.seen[where.bib] not in (None, data[where.bib]) and _changed_bib(before, where):
        keep_copy(where.bib)
    write_bases(where.project, outcome.bases, outcome.entry_bases)
    for path, content in data.items():
        _write_if_new(path, content, partial(_still, path, before))
    name = name_of(where.tex, where)
    plan = plan_of(read_related(outcome.tex_content)) or Plan(())
    hashes = {where.tex: plan_digest(plan), where.bib: digest(outcome.bib_content)}
    record = provenance_of(outcome)
    record |= blocks_of(before.record, name, outcome, before.standing.gone)
    record |= {"written": _written(before.record, where, hashes)}
    record = credited(record, before.record, model, date.today())
    _record(where, record)
    if for_tex is not None:
        _write_tex_record(for_tex, record, outcome.tex_content, before.encoders.get(where.tex, str.encode))
    apply_edits(edits, outcome.draft.root.parent, lambda file: partial(_still, file, before))
    old = {block.at.recorded or "" for block in before.standing.blocks}
    prune_bases(where.project, old - {""}, _sections(where, outcome))
    prune_entries(where.project, outcome.entry_bases)


def tex_record(draft: Draft, where: Targets) -> Path | None:
    """The file that tells the LaTeX package of the section; None where the draft does not load the package."""
    return tex_record_of(where.tex) if "citeplug" in draft.packages else None


def renew_tex_record(where: Targets, record: Mapping[str, Any]) -> None:
    """Bring the file for the LaTeX package up to date with the record, if it is there."""
    file = tex_record_of(where.tex)
    text = read_or_none(file)
    if text is not None and is_tex_record(text) and read_or_none(where.tex) is not None:
        section, encoder = read_exactly(where.tex)
        _write_tex_record(file, record, section, encoder)


def _write_tex_record(file: Path, record: Mapping[str, Any], section: str, encoder: Callable[[str], bytes]) -> None:
    # In the section's own encoding, since TeX compares the two; a key may have a letter that the section has not.
    text = print_tex_record(record, section)
    try:
        data = encoder(text)
    except UnicodeEncodeError:
        data = text.encode()
    _write_if_new(file, data)


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
    states = {block.state for block in before.standing.blocks}
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
    if not force and states & {"plan", "due"} and not _is_recorded_plan(before, where):
        raise WouldOverwrite(
            f"{where.tex} holds a plan that was written or changed by hand; it is left alone",
            "run 'citeplug related' to follow it, or use --force (a copy is kept as .bak)",
        )
    return look(where, replan=True, force=force)


def deliver_plan(plan: Plan, where: Targets, before: Before, *, force: bool) -> None:
    """Write the plan blocks alone, and record that they are citeplug's."""
    if force and before.standing.costs and before.seen[where.tex] is not None:
        keep_copy(where.tex)
    _write_if_new(where.tex, _encoded(planned_file(before.standing, plan), where.tex, before))
    written = _written(before.record, where, {where.tex: plan_digest(plan)})
    _record(where, {**before.record, "written": written})


def read_provenance(path: Path) -> dict[str, Any]:
    """What the last run recorded; empty if nothing did, or if the record is damaged."""
    return read_record(read_or_none(path))


def plan_digest(plan: Plan) -> str:
    return digest(json.dumps([[p.heading, [[li.intent, li.cites] for li in p.lines]] for p in plan.paragraphs]))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check its permissions") from error


def _encoded(text: str, path: Path, before: Before) -> bytes:
    """The bytes of a file in the encoding that it had. Raises UnreadableInput if that lacks a character."""
    try:
        return before.encoders.get(path, str.encode)(text)
    except UnicodeEncodeError as error:
        sign = text[error.start : error.end][:1]
        raise UnreadableInput(
            f"{path} is in {error.encoding}, which has no “{sign}”; it is left alone", "save it as UTF-8"
        ) from error


def _sections(where: Targets, outcome: Outcome) -> list[str]:
    """Texts of the project in which blocks may stand: what was copied elsewhere still needs its base."""
    files = {*where.project.glob("*.tex"), *where.tex.parent.glob("*.tex")}
    files |= {outcome.draft.root.parent / name for name in outcome.draft.files}
    texts = []
    for file in sorted(files):
        with contextlib.suppress(OSError):
            texts.append(file.read_bytes().decode("utf-8", "replace").lower())
    return texts


def _changed_bib(before: Before, where: Targets) -> bool:
    text = before.shelf.text or ""
    return not _is_recorded(before.record, where.bib, where, digest(text.replace("\r\n", "\n")))


def _is_recorded_plan(before: Before, where: Targets) -> bool:
    plan = plan_of(read_related(before.standing.text))
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


def _record(where: Targets, provenance: Mapping[str, Any]) -> None:
    where.provenance.parent.mkdir(exist_ok=True)
    _write_if_new(where.provenance, (json.dumps(provenance, ensure_ascii=False, indent=1) + "\n").encode())


def _still(path: Path, before: Before) -> None:
    if _bytes(path) != before.seen[path]:
        raise ChangedMeanwhile(f"{path} was changed in the meantime; it is left alone", "run the same command again")


def _write_if_new(path: Path, data: bytes, check: Callable[[], None] | None = None) -> None:
    """Write only what differs, so that a run that changes nothing wakes no watcher and no build."""
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass  # not there, or not readable: the writer says what is wrong
    write_atomically(path, data, check=check)
