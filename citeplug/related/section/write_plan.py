"""Writing a plan without its text; plans of citeplug's and plans of the author's."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from citeplug.errors import WouldOverwrite
from citeplug.files.atomic import write_together
from citeplug.project.any_draft import text_name
from citeplug.project.author_files import copy_kept, read_or_none
from citeplug.project.provenance import ProvenanceFile, recorded_blocks, with_blocks
from citeplug.project.targets import Targets
from citeplug.records.plan import Plan
from citeplug.records.provenance import Provenance, RecordedBlock
from citeplug.related.section.files_before import (
    Before,
    checked_change,
    encoded_as_before,
    judged,
    look,
    record_change,
    without_equal,
)
from citeplug.related.section.outcome_provenance import is_recorded, plan_digest, with_written
from citeplug.section_file.current import gone_from
from citeplug.section_file.grammar import plan_of, read_related
from citeplug.section_file.merged_section import planned_file


def guard_plan(where: Targets, record_file: ProvenanceFile, force: bool) -> Before:
    """The files before a plan is written. Raises WouldOverwrite if a person wrote what it would replace, a plan too.

    With `force` only a block marked `keep` is refused.
    """
    before = look(where, record_file, force=force)
    states = {block.state for block in before.current.blocks}
    if "keep" in states:
        raise WouldOverwrite(
            f"{where.tex} has a paragraph marked '% citeplug:keep', which is left unchanged",
            "remove the mark, or name another file with --out",
        )
    if not force and ("text" in states or "unknown" in states):
        raise WouldOverwrite(
            f"{where.tex} was changed by hand; a plan alone would replace its text",
            "run 'citeplug related', which merges, or use --force (a copy is kept as .bak)",
        )
    if not force and states & {"plan", "due"} and not is_recorded_plan(before, where):
        raise WouldOverwrite(
            f"{where.tex} has a plan that was written or changed by hand; it was not changed",
            "run 'citeplug related' to follow it, or use --force (a copy is kept as .bak)",
        )
    return replace(before, current=judged(before, where, replan=True, force=force))


def deleted_blocks(where: Targets, record: Provenance) -> tuple[RecordedBlock, ...]:
    """The blocks that the author deleted from the section, with their papers."""
    text = read_or_none(where.tex) or ""
    return gone_from(recorded_blocks(record, where.name_of(where.tex), text), read_related(text))


def write_plan_blocks(
    plan: Plan, root: Path, where: Targets, before: Before, gone: Sequence[RecordedBlock], *, force: bool
) -> None:
    """Write the plan blocks for the draft `root` alone, and record that they are citeplug's.

    The texts that they replace were not deleted by the author; `gone` are those that were.
    """
    changes = []
    if force and before.current.overwrites and before.seen[where.tex] is not None:
        changes.append(copy_kept(where.tex))
    tex = encoded_as_before(planned_file(before.current, plan), where.tex, before)
    record = replace(before.record, draft=text_name(root))
    record = with_blocks(record, where.name_of(where.tex), (), gone)
    record = with_written(record, where, {where.tex: plan_digest(plan)})
    changes += [checked_change(where.tex, tex, before), record_change(where, record, before)]
    write_together(without_equal(changes))


def plan_waits(where: Targets, record: Provenance) -> bool:
    """True if the section has a plan that its text does not follow yet."""
    related = read_related(read_or_none(where.tex) or "")
    plan = plan_of(related)
    if plan is None or not plan.paragraphs:
        return False
    written = any(block.text.strip() for block in related.blocks)
    return not (written and is_recorded(record, where.tex, where, plan_digest(plan)))


def is_recorded_plan(before: Before, where: Targets) -> bool:
    """True if the plans in the section are those that citeplug wrote."""
    plan = plan_of(read_related(before.current.text))
    return plan is None or is_recorded(before.record, where.tex, where, plan_digest(plan))
