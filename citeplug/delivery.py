"""What is written to the author's project, and the guard before it.

Three files: the section, its entries, and `.citeplug/provenance.json`, which says for each sentence and each
entry where it comes from, and holds the hashes by which a later run knows what the author has changed since.
"""

import codecs
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from citeplug import __version__
from citeplug.adapters.files import write_atomically
from citeplug.errors import UnreadableInput, WouldOverwrite
from citeplug.inputs import digests_of
from citeplug.records.outcome import Outcome
from citeplug.records.review import Plan, TextEdit
from citeplug.tex.cite_style import cite_style
from citeplug.tex.decode import decode
from citeplug.tex.edits import plan_of, print_plan, read_related, untouched, was_generated
from citeplug.tex.outside import around_blocks
from citeplug.tex.sentences import print_sentence

PROVENANCE = Path(".citeplug") / "provenance.json"


@dataclass(frozen=True, slots=True)
class Targets:
    """Where a run writes, all absolute."""

    tex: Path
    bib: Path
    provenance: Path


def targets(root: Path, out: Path | None, bib: Path | None) -> Targets:
    """The files to write: beside the root, unless the user named others.

    Raises UnreadableInput if a target is a folder, is one of the draft's own files, or lies in no folder.
    """
    folder = root.parent
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


def planned(where: Targets, provenance: dict[str, Any], replan: bool) -> Plan | None:
    """The plan that a run must follow: the one in the file, if the author wrote, edited or has yet to fill it.

    A plan that still stands as it was generated, with its text, is no wish of the author's: the draft may have
    changed since, so a new one is made.
    """
    if replan:
        return None
    text = read_or_none(where.tex)
    if text is None or not was_generated(text):
        return None
    related = read_related(text)
    plan = plan_of(related)
    if plan is None or not plan.paragraphs:
        return None
    written = any(block.text.strip() for block in related.blocks)
    return None if written and _is_recorded(provenance, where.tex, where, plan_digest(plan)) else plan


def guard(where: Targets, provenance: dict[str, Any], force: bool) -> None:
    """Raise WouldOverwrite if the section or its entries hold something that a person wrote.

    With `force` only a block marked `keep` is refused; `deliver` then keeps a copy of the rest.
    """
    _guard_section(where.tex, force)
    if not force and _changed_bib(where, provenance):
        raise WouldOverwrite(
            f"{where.bib} was written or changed by hand; it is left alone",
            "name another file with --bib, or use --force (a copy is kept as .bak)",
        )


def guard_plan(where: Targets, provenance: dict[str, Any], force: bool) -> None:
    """Raise WouldOverwrite if a new plan would take the place of something that a person wrote, a plan too."""
    _guard_section(where.tex, force)
    if not force and planned(where, provenance, replan=False) is not None and not _untouched_plan(where, provenance):
        raise WouldOverwrite(
            f"{where.tex} holds a plan that was written or changed by hand; it is left alone",
            "run 'citeplug related' to follow it, or use --force (a copy is kept as .bak)",
        )


def _guard_section(tex: Path, force: bool) -> None:
    if force and any(block.keep for block in read_related(read_or_none(tex) or "").blocks):
        raise WouldOverwrite(
            f"{tex} has a block marked 'citeplug:keep', which stays as it is", "take the mark out, or name another file"
        )
    if not force and _changed_tex(tex):
        raise WouldOverwrite(
            f"{tex} was written or changed by hand; it is left alone",
            "name another file with --out, or use --force (a copy is kept as .bak)",
        )


def deliver(
    outcome: Outcome, where: Targets, edits: Sequence[TextEdit], provenance: dict[str, Any], *, force: bool
) -> None:
    """Write the entries, the section, the provenance, then the edits to the draft, each file at once or not at all.

    The entries come first, so that a run killed in the middle leaves no citation undefined.
    """
    within = outcome.draft.root.parent
    for path, changed in ((where.tex, _changed_tex(where.tex)), (where.bib, _changed_bib(where, provenance))):
        if force and changed:
            keep_copy(path)
    _write_if_new(where.bib, outcome.bib_content)
    _write_if_new(where.tex, outcome.tex_content)
    written = {where.tex: plan_digest(outcome.plan), where.bib: digest(outcome.bib_content)}
    _record(where, {**provenance_of(outcome), "written": _written(provenance, where, written)})
    apply_edits(edits, within)


def deliver_plan(plan: Plan, where: Targets, provenance: dict[str, Any], *, force: bool) -> None:
    """Write the plan blocks alone, and record that they are citeplug's."""
    if force and (_changed_tex(where.tex) or not _untouched_plan(where, provenance)):
        keep_copy(where.tex)
    _write_if_new(where.tex, with_authors_text(where.tex, print_plan(plan)))
    _record(where, {**provenance, "written": _written(provenance, where, {where.tex: plan_digest(plan)})})


def with_authors_text(tex: Path, new: str) -> str:
    """`new`, with what the author wrote outside the blocks of the file that is there."""
    old = read_or_none(tex)
    return around_blocks(old, new) if old and untouched(old) else new


def as_tex_path(path: Path, folder: Path) -> str:
    """`path` as LaTeX wants it: seen from the root's folder, with `/`; absolute only on another drive."""
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    try:
        # Links are resolved first: from a linked folder, `..` leads elsewhere.
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:
        return path.as_posix()


def apply_edits(edits: Sequence[TextEdit], within: Path) -> None:
    """Splice `edits` into the author's files; every byte outside them stays as it was."""
    by_file: dict[Path, list[TextEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    for file, changes in by_file.items():
        text, encode = read_exactly(file)
        for change in sorted(changes, key=lambda e: e.start, reverse=True):
            text = text[: change.start] + change.new_text + text[change.end :]
        write_atomically(file, encode(text), within=within)


def read_exactly(file: Path) -> tuple[str, Callable[[str], bytes]]:
    """The text of a file of the author's, and the function that turns it back into the same bytes."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UnreadableInput(f"cannot read {file}: {error.strerror}", "check its permissions") from error
    decoded = decode(data)
    if decoded.exact and decoded.text.encode(decoded.encoding, "replace") == data:
        return decoded.text, lambda text: text.encode(decoded.encoding)
    raise UnreadableInput(f"{file} has bytes that fit no encoding: it is left alone", "save it as UTF-8")


def read_or_none(path: Path) -> str | None:
    """The text of a file, None if there is none. Raises UnreadableInput if it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableInput(f"cannot read {path}: {error.strerror}", "check its permissions") from error


def read_provenance(path: Path) -> dict[str, Any]:
    """What the last run recorded; empty if nothing did, or if the record is damaged.

    Damage is no error: it only means that nothing is known to be untouched.
    """
    text = read_or_none(path)
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def provenance_of(outcome: Outcome) -> dict[str, Any]:
    """Per sentence the cited ids and versions, the span, the quote and the score; per entry the evidence.

    Also what the section was made from: digests of the draft's parts (`citeplug.inputs`), the options, and by what.
    """
    style = cite_style(outcome.draft)
    return {
        "citeplug": __version__,
        "format": 1,
        "made_by": "language model" if any(stage.name == "prose" for stage in outcome.stages) else "extractive",
        "inputs": digests_of(outcome.draft),
        "options": {
            name: value for name, value in asdict(outcome.options).items() if name not in ("plan_text", "replan")
        },
        "quotes_from": {
            value: "a summary, not arXiv's abstract" if paper.abstract_kind == "summary" else "arXiv's abstract"
            for value, paper in sorted(outcome.papers.items())
        },
        "sentences": [
            {
                "paragraph": paragraph.id,
                "text": sentence.text,
                "tex": print_sentence(sentence, outcome.keys, style, outcome.papers)[-1],
                "kind": sentence.kind,
                "cites": list(sentence.cites),
                "sources": [
                    {"arxiv_id": s.arxiv_id, "version": s.version, "start": s.start, "end": s.end, "quote": s.text}
                    for s in sentence.sources
                ],
                "attribution": round(sentence.attribution, 4),
                "status": sentence.status,
            }
            for paragraph in outcome.section.paragraphs
            for sentence in paragraph.sentences
        ],
        "entries": [
            {
                "key": entry.check.key,
                "arxiv_id": entry.check.arxiv_id,
                "origin": entry.origin,
                "verdict": entry.check.verdict,
                "checked_against": entry.check.checked_against,
                "evidence": [
                    {"field": e.field, "given": e.given, "found": e.found, "verdict": e.verdict}
                    for e in entry.check.fields
                ],
            }
            for entry in outcome.entries
        ],
    }


def plan_digest(plan: Plan) -> str:
    return digest(json.dumps([[p.heading, [[li.intent, li.cites] for li in p.lines]] for p in plan.paragraphs]))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def keep_copy(path: Path) -> Path:
    """Copy `path` beside itself as .bak (.bak2, ... if that is taken); returns the copy."""
    number = 1
    while True:
        copy = path.with_name(path.name + ".bak" + (str(number) if number > 1 else ""))
        try:
            with copy.open("xb") as stream:
                stream.write(path.read_bytes())
            return copy
        except FileExistsError:
            number += 1


def _changed_tex(path: Path) -> bool:
    text = read_or_none(path)
    if not text or not text.strip():
        return False
    readable = path.read_bytes().removeprefix(codecs.BOM_UTF8) == text.encode()
    return not (readable and was_generated(text) and untouched(text))


def _changed_bib(where: Targets, provenance: dict[str, Any]) -> bool:
    text = read_or_none(where.bib)
    if not text or not text.strip():
        return False
    return not _is_recorded(provenance, where.bib, where, digest(text.replace("\r\n", "\n")))


def _untouched_plan(where: Targets, provenance: dict[str, Any]) -> bool:
    plan = plan_of(read_related(read_or_none(where.tex) or ""))
    return plan is None or not plan.paragraphs or _is_recorded(provenance, where.tex, where, plan_digest(plan))


def _written(provenance: dict[str, Any], where: Targets, hashes: dict[Path, str]) -> dict[str, str]:
    """The hash of each file that was written, those of other --out and --bib files kept."""
    before = provenance.get("written")
    kept = before if isinstance(before, dict) else {}
    return {**kept, **{as_tex_path(path, where.provenance.parents[1]): sha for path, sha in hashes.items()}}


def _is_recorded(provenance: dict[str, Any], path: Path, where: Targets, sha: str) -> bool:
    written = provenance.get("written")
    return isinstance(written, dict) and written.get(as_tex_path(path, where.provenance.parents[1])) == sha


def _record(where: Targets, provenance: dict[str, Any]) -> None:
    where.provenance.parent.mkdir(exist_ok=True)
    _write_if_new(where.provenance, json.dumps(provenance, ensure_ascii=False, indent=1) + "\n")


def _write_if_new(path: Path, text: str) -> None:
    """Write only what differs, so that a run that changes nothing wakes no watcher and no build."""
    data = text.encode()
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass  # not there, or not readable: the writer says what is wrong
    write_atomically(path, data)
