"""`citeplug status`: inputs of the section that have changed, and what is left to the author."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citeplug.bib.compare.evidence import shown
from citeplug.bibtex.entries import parse_bib
from citeplug.errors import UnreadableInput, UsageError
from citeplug.project.any_draft import read_any_draft
from citeplug.project.author_files import read_or_none
from citeplug.project.find_project import Project
from citeplug.project.provenance import read_provenance
from citeplug.project.section_targets import generated_files, named_targets, seen_from_here
from citeplug.project.targets import Targets, insertion
from citeplug.records.draft import BibEntry, Draft
from citeplug.records.outcome import Options
from citeplug.records.provenance import BY_MODEL, Provenance, RecordedEntry
from citeplug.related.input_digests import PARTS, changed_parts, digests_of, entry_digests
from citeplug.related.options import as_arguments, is_other, standing_options
from citeplug.related.section.accept import Recorded, recorded_sentences
from citeplug.related.section.in_print import PrintedWork, cited_prose, printed_works, readable
from citeplug.related.section.write_plan import plan_waits
from citeplug.section_file.grammar import RelatedBlock, RelatedFile, has_conflict_marks, read_related
from citeplug.section_file.merge import NEW
from citeplug.text.compare import entry_doi, entry_year

Condition = Literal["missing", "conflict", "unwritten", "due", "current"]
BlockCondition = Literal["conflict", "unwritten", "kept", "edited", "due", "current"]

PLAN = "plan"
OPTIONS = "options"
REASONS: Mapping[str, str] = {**PARTS, PLAN: "the plan", OPTIONS: "the options"}


@dataclass(frozen=True, slots=True)
class SectionBlock:
    """A block of the section. `unreviewed` and `accepted` count its unchanged generated sentences; `offered` counts new
    versions, in notes, of sentences that the author changed. `opening` is its first line, as LaTeX prints it."""

    id: str
    heading: str
    line: int
    condition: BlockCondition
    unreviewed: int
    accepted: int
    offered: int
    opening: str


@dataclass(frozen=True, slots=True)
class State:
    """State of a section. `changed` names the inputs (`REASONS`) that have changed since it was made.

    `made_by` is `extractive`, `language model`, or None where nothing is recorded. `inserted`: the draft reads the
    section. `next` are the next commands, the most urgent first, each with what it does.
    """

    project: Project
    condition: Condition
    changed: tuple[str, ...]
    made_by: str | None
    inserted: bool
    blocks: tuple[SectionBlock, ...]
    sentences: tuple[Recorded, ...]
    entries: tuple[RecordedEntry, ...]
    next: tuple[tuple[str, str], ...]


def state_of(project: Project) -> State:
    """Return the state of a project's section; no model or index is loaded, nothing is written."""
    where = project.where
    provenance = read_provenance(where.provenance)
    generated = generated_files(where)
    draft = read_any_draft(project.root, skip=generated)
    text = read_or_none(where.tex) if where.tex in generated else None
    related = read_related(text or "")
    options = standing_options(provenance, draft, {})
    changed = (
        *changed_inputs(digests_of(draft, whole=options.whole_draft), where, provenance),
        *((OPTIONS,) if is_other(provenance, options) else ()),
    )
    sentences = tuple(recorded_sentences(provenance, related))
    condition = _condition(text, related, changed)
    entries = [*draft.entries, *parse_bib(read_or_none(where.bib) or "")]
    works = printed_works(entry for entry in entries if entry.key in (text or ""))
    state = State(
        project=project,
        condition=condition,
        changed=changed,
        made_by=provenance.made_by,
        inserted=not _to_insert(draft, where),
        blocks=tuple(_block(block, sentences, bool(changed), works) for block in related.blocks),
        sentences=sentences,
        entries=_as_they_are(provenance.entries, entries),
        next=(),
    )
    return _with_next(state, lambda *more: related_command(project, draft, options, *more))


def changed_inputs(digests: Mapping[str, str], where: Targets, provenance: Provenance) -> tuple[str, ...]:
    """The inputs, given by their digests, that differ from those that are recorded; none if nothing is recorded."""
    changed = [] if provenance.inputs is None else changed_parts(provenance.inputs, digests)
    if plan_waits(where, provenance):
        changed.append(PLAN)
    return tuple(changed)


def related_command(project: Project, draft: Draft, options: Options, *more: str) -> str:
    """Return the command that writes the section again with these options, for a shell in the current folder."""
    words = ["citeplug", "related", seen_from_here(project.root), *as_arguments(options, draft)]
    named = named_targets(project.root)
    folder = project.root.parent
    for option, file, usual in (
        ("--out", project.where.tex, named.out or folder / "related.tex"),
        ("--bib", project.where.bib, named.bib or folder / "related.bib"),
    ):
        if file != usual:
            words += [option, seen_from_here(file)]
    return shlex.join([*words, *more])


def _condition(text: str | None, related: RelatedFile, changed: tuple[str, ...]) -> Condition:
    if text is None:
        return "missing"
    if has_conflict_marks(text):
        return "conflict"
    if any(not block.text.strip() for block in related.blocks):
        return "unwritten"
    return "due" if changed else "current"


def _block(
    block: RelatedBlock, sentences: tuple[Recorded, ...], due: bool, works: Mapping[str, PrintedWork]
) -> SectionBlock:
    line = next(filter(None, map(str.strip, block.text.splitlines())), "")
    current = [s.status for s in sentences if s.paragraph == block.id and s.stands]
    condition: BlockCondition = "due" if due else "current"
    if has_conflict_marks(block.text):
        condition = "conflict"
    elif not block.text.strip():
        condition = "unwritten"
    elif block.keep:
        condition = "kept"
    elif block.edited:
        condition = "edited"
    return SectionBlock(
        block.id,
        block.plan.heading,
        block.line,
        condition,
        current.count("unreviewed"),
        current.count("accepted"),
        sum(note.startswith(NEW) for note in block.notes),
        "".join(words for words, _ in cited_prose(readable(line), works, line)),
    )


def _to_insert(draft: Draft, where: Targets) -> bool:
    """Return True if the draft does not yet read the section or its entries."""
    try:
        return bool(insertion(draft, where)[0])
    except (UnreadableInput, UsageError):  # --insert reports it
        return False


def _as_they_are(recorded: Sequence[RecordedEntry], entries: Sequence[BibEntry]) -> tuple[RecordedEntry, ...]:
    """The recorded verdicts, as far as they hold for the entries as they now are; the others are unchecked."""
    digests = entry_digests(entries)
    now = {entry.key: entry for entry in reversed(entries)}
    return tuple(
        entry if entry.digest in (None, digests.get(entry.key)) else _checked_again(entry, now.get(entry.key))
        for entry in recorded
    )


def _checked_again(recorded: RecordedEntry, entry: BibEntry | None) -> RecordedEntry:
    """The verdict on a changed entry by what its record was found to say: verified where it now says the same."""
    values: dict[str, str | None] = {}
    if entry is not None and entry.arxiv_id == recorded.arxiv_id:
        values = {name: shown(value) for name in ("title", "author") if (value := entry.fields.get(name))}
        values |= {"year": str(entry_year(entry) or "") or None, "doi": entry_doi(entry)}
    stands = any(seen["field"] == "title" for seen in recorded.evidence)
    for seen in recorded.evidence:
        as_checked = seen["found"] if seen["verdict"] == "differs" else seen["given"]
        stands = stands and values.get(seen["field"]) == as_checked
    if not stands or recorded.verdict not in ("verified", "differs"):
        return replace(recorded, verdict="unchecked", checked_against=None)
    return replace(recorded, verdict="verified")


def _with_next(state: State, related: Callable[..., str]) -> State:
    steps: list[tuple[str, str]] = []
    tex, root = (shlex.quote(seen_from_here(file)) for file in (state.project.where.tex, state.project.root))
    if state.condition == "conflict":
        steps.append((f"edit {tex}", "resolve the conflict that git marked"))
    elif state.condition != "current":
        model = ("--llm", "NAME") if state.made_by == BY_MODEL else ()
        what = {"missing": "writes the section", "unwritten": "writes what is only planned"}
        steps.append((related(*model), what.get(state.condition, "updates it")))
    if any(block.offered for block in state.blocks):
        steps.append((f"edit {tex}", "use the new versions in the lines “% citeplug:note new:”, or delete these lines"))
    if any(sentence.stands and sentence.status == "unreviewed" for sentence in state.sentences):
        steps.append((f"citeplug review {root}", "shows each sentence beside its source, to accept or reject"))
    if state.condition != "missing" and not state.inserted:
        steps.append((related("--insert"), "adds the \\input line to the draft"))
    if any(entry.verdict != "verified" for entry in state.entries):
        steps.append((f"citeplug check {root}", "compares the entries with arXiv's records"))
    return replace(state, next=tuple(steps))
