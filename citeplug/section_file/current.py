"""State of the section's file before a run: its blocks, the author's changes and deletions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from citeplug.errors import UsageError, WouldOverwrite
from citeplug.records.finding import Finding
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.provenance import RecordedBlock
from citeplug.records.section import Generated, Sentence
from citeplug.section_file.cite_style import cited_keys
from citeplug.section_file.grammar import VERSION, RelatedBlock, RelatedFile, has_conflict_marks, read_related
from citeplug.section_file.merge import NEW, knows_note
from citeplug.section_file.units import split_units

State = Literal["fresh", "text", "plan", "due", "keep", "unknown"]


@dataclass(frozen=True, slots=True)
class CurrentBlock:
    """A block of the file; `raw` is its text with the begin and end marks.

    `state`: "fresh" unchanged since it was generated; "text" edited, or copied; "plan" with unchanged text, but a plan
    that the author changed; "due" a plan without text; "keep" marked `citeplug:keep`; "unknown" edited, without a base
    to merge with.
    """

    at: RelatedBlock
    raw: str
    state: State
    base: Generated | None = None

    @property
    def cites(self) -> set[str]:
        """The papers that its plans speak of, the planner's and the author's, by arXiv id or key."""
        return {*cites_of(self.at.plan), *(papers_of(self.base) if self.base else ())}

    @property
    def wish(self) -> PlanParagraph | None:
        """The plan in the file for this block; None if there is none to follow."""
        plan = replace(self.at.plan, keep=False)
        if self.state in ("keep", "unknown") or not plan.lines:
            return None
        if self.base is not None and not self.is_planners and self.at.directives[:1] == self.base.directives[:1]:
            # The number of words is citeplug's, for the lines that it had.
            before = sum(line.sentences for line in planners_lines(self.base)) or 1
            plan = replace(plan, words=max(1, round(plan.words * plan.sentences / before)))
        return plan

    @property
    def is_planners(self) -> bool:
        """True if the plan in the file is the one that citeplug wrote there."""
        return self.base is not None and self.at.directives == self.base.directives


@dataclass(frozen=True, slots=True)
class CurrentSection:
    """The file before a run.

    `overwrites` is True if the run overwrites the author's changes (`--force`, `--replan`). `replan`: unchanged blocks
    are planned anew. `rejected` are the sentences that the author took out and does not want again, each by its words
    with its paragraph, `accepted` the words of those that are to stay.
    """

    text: str = ""
    blocks: tuple[CurrentBlock, ...] = ()
    gone: tuple[RecordedBlock, ...] = ()
    findings: tuple[Finding, ...] = ()
    overwrites: bool = False
    replan: bool = False
    rejected: Mapping[str, tuple[str, Sentence]] = field(default_factory=dict)
    accepted: frozenset[str] = frozenset()

    def wants_new(self, pins: Collection[str]) -> bool:
        """Return True if papers may come in: into a file without any, and where a block is as citeplug wrote it.

        One that is on `pins` alone, arXiv ids, came in for these: it is not there to be filled.
        """
        return not self.blocks or any(
            not {*cites_of(block.at.plan)} <= {*pins} for block in (*self.anew, *self.as_written)
        )

    @property
    def as_written(self) -> tuple[CurrentBlock, ...]:
        """The blocks that are as citeplug wrote them; one that lost a rejected sentence is not, merged or not."""
        reviewed = {paragraph for paragraph, _ in self.rejected.values()}
        return tuple(block for block in self.blocks if block.state == "fresh" and block.at.id not in reviewed)

    @property
    def changed(self) -> frozenset[str]:
        """The ids of the blocks that are not as citeplug wrote them: these stay, whatever becomes of their papers."""
        return frozenset(block.at.id for block in self.blocks if block.state != "fresh")

    @property
    def anew(self) -> tuple[CurrentBlock, ...]:
        """The blocks that are planned anew."""
        return tuple(block for block in self.blocks if self.replan and block.state == "fresh")

    @property
    def settled(self) -> tuple[CurrentBlock, ...]:
        """All other blocks."""
        return tuple(block for block in self.blocks if not (self.replan and block.state == "fresh"))

    @property
    def headings(self) -> list[str]:
        """Headings of the blocks that are not planned anew."""
        return [block.at.plan.heading for block in self.settled if block.at.plan.heading]

    @property
    def wishes(self) -> Plan:
        """The plans in the file that are followed, the author's and those of an earlier run, in its order."""
        return Plan(tuple(wish for block in self.settled if (wish := block.wish) is not None))

    def taken(self, known: Mapping[str, str]) -> frozenset[str]:
        """Return the papers that a new plan must not have: those of deleted blocks and of the author's text and plans.

        `known` maps citation keys to arXiv ids.
        """
        left_alone = {cite for block in self.anew for cite in block.cites}
        named = {cite for block in self.settled for cite in block.cites}
        others = "".join(block.raw + "\n" for block in self.settled) + self.outside
        elsewhere = {known[key] for key in cited_keys(others) if key in known}
        deleted = {paper for gone in self.gone for paper in gone.papers}
        # A paper of an unchanged paragraph stays available to it, even if it is cited elsewhere too.
        return frozenset(named | ((elsewhere | deleted) - left_alone))

    def spoken(self, known: Mapping[str, str]) -> frozenset[str]:
        """Return the papers of the plans in the file, and of text that no run replaces. `known` as in `taken`."""
        planned = {cite for block in self.settled for cite in cites_of(block.at.plan)}
        authors = "".join(block.raw + "\n" for block in self.settled if block.state in ("text", "keep", "unknown"))
        return frozenset(planned | {known[key] for key in cited_keys(authors + self.outside) if key in known})

    def spoken_for(self, refused: Collection[str] = ()) -> frozenset[str]:
        """The papers chosen by a planner in blocks that are not planned anew, and in deleted ones.

        Those in `refused` are to be cited no more.
        """
        bases = [block.base for block in self.settled if block.base is not None]
        cites = {cite for base in bases for cite in chosen_by_planner(base)}
        return frozenset((cites | {paper for gone in self.gone for paper in gone.papers}).difference(refused))

    @property
    def named(self) -> set[str]:
        """Papers cited in the last generated sentences of the blocks."""
        return {cite for b in self.blocks if b.base for s in b.base.sentences for cite in s.cites}

    @property
    def is_by_model(self) -> bool:
        """True if a language model wrote some of the sentences."""
        return any(sentence.by_model for b in self.blocks if b.base for sentence in b.base.sentences)

    @property
    def outside(self) -> str:
        """Text outside the blocks."""
        parts, position = [], 0
        for block in self.blocks:
            parts.append(self.text[position : block.at.start])
            position = block.at.end
        return "\n".join([*parts, self.text[position:]])


NOTHING = CurrentSection()


def chosen_by_planner(base: Generated) -> tuple[str, ...]:
    """Return the papers in the planner's lines; none if the plan was the author's."""
    return tuple(cite for line in planners_lines(base) for cite in line.cites)


def planners_lines(base: Generated) -> tuple[PlanLine, ...]:
    """Return the planner's lines; none if the plan was the author's."""
    lines = "\n".join(f"% citeplug:{directive}" for directive in base.directives)
    return tuple(line for block in read_related(lines).blocks for line in block.plan.lines)


def papers_of(base: Generated) -> tuple[str, ...]:
    """The papers that were chosen for a block, or written of there: what the author took out of the plan counts too."""
    return tuple(dict.fromkeys((*cites_of(base.plan), *chosen_by_planner(base))))


def cites_of(plan: PlanParagraph) -> list[str]:
    return [cite for line in plan.lines for cite in line.cites]


def read_current(
    text: str,
    bases: Mapping[str, Sequence[Generated]],
    recorded: Sequence[RecordedBlock],
    file: Path,
    *,
    replan: bool = False,
    force: bool = False,
    only: Sequence[str] = (),
) -> CurrentSection:
    """Read the file, and compare each block with its base.

    `recorded` are the blocks that earlier runs wrote, or knew to be deleted. With `replan` the author's plans are
    dropped, and deletions forgotten; with `force` edited texts may be overwritten, and a file that is not citeplug's.
    `only` are ids of blocks: these are written again by their present plans, all others are kept. Raises WouldOverwrite
    for a file that may not be changed, UsageError for a block in `only` that cannot be written again.
    """
    related = read_related(text)
    _check_chosen(only, related, file)
    if not text.strip():
        return CurrentSection()
    if has_conflict_marks(text):
        raise WouldOverwrite(
            f"{file} has the markers of an unfinished merge (<<<<<<<); it was not changed", "resolve the conflict first"
        )
    if related.version is not None and related.version > VERSION:
        raise WouldOverwrite(
            f"{file} was written by a newer citeplug, in grammar {related.version}; it was not changed: this one reads"
            f" grammars up to {VERSION}",
            "upgrade citeplug",
        )
    if related.version is None and not related.blocks:
        if force:
            return CurrentSection(overwrites=True)
        raise WouldOverwrite(
            f"{file} was not written by citeplug; it was not changed",
            "choose another file (--out, or \\citeplugrelated[file=NAME.tex] in the draft), or use --force (a copy"
            " is kept as .bak)",
        )
    overwrites: list[bool] = []
    blocks: list[CurrentBlock] = []
    findings: list[Finding] = []
    for at in related.blocks:
        block = _compare(at, text, bases)
        settled = _drop_changes(block, replan=replan, force=force)
        overwrites.append(settled != block)
        if only:
            settled = _rewrite(settled) if at.id in only else _keep(settled)
        blocks.append(settled)
        if settled.state == "unknown":
            findings.append(_cannot_merge(settled, file))
    gone = () if replan or force else gone_from(recorded, related)
    findings += [_deleted(sentence, file) for sentence in gone]
    return CurrentSection(text, tuple(blocks), gone, tuple(findings), any(overwrites), replan)


def _compare(at: RelatedBlock, text: str, bases: Mapping[str, Sequence[Generated]]) -> CurrentBlock:
    raw = text[at.start : at.end]
    base = _base(at, bases)
    if at.keep:
        return CurrentBlock(at, raw, "keep", base)
    if at.torn:
        return CurrentBlock(at, raw, "unknown", base)
    if not at.text.strip():
        return CurrentBlock(at, raw, "due")
    if base is None:
        # The hash shows that the text is unchanged; whether the plan is, cannot be known.
        return CurrentBlock(at, raw, "unknown") if at.edited else CurrentBlock(at, raw, "plan", _as_base(at, raw))
    if at.edited or at.copied or any(note.startswith(NEW) for note in at.notes):
        return CurrentBlock(at, raw, "text", base)
    untouched = at.directives == base.directives and not at.marked and all(knows_note(base, n) for n in at.notes)
    return CurrentBlock(at, raw, "fresh" if untouched else "plan", base)


def _base(at: RelatedBlock, bases: Mapping[str, Sequence[Generated]]) -> Generated | None:
    """Return the base with the block's hash; of several, one of an author's plan first, then one of the same plan."""
    candidates = bases.get(at.recorded or "", ())
    by_likeness = sorted(
        candidates, key=lambda base: (base.directives != (), base.directives != at.directives, base.plan != at.plan)
    )
    return by_likeness[0] if by_likeness else None


def _as_base(at: RelatedBlock, raw: str) -> Generated:
    """Return a base made of the block's present text, with the plan as the author's."""
    lines = [unit.raw.strip() for unit in split_units(raw) if unit.kind != "directive"]
    return Generated(at.plan, (), tuple(lines))


def _drop_changes(block: CurrentBlock, *, replan: bool, force: bool) -> CurrentBlock:
    """Return the block as one whose text (`force`) or plan (`replan`) may be overwritten."""
    if force and block.state in ("text", "unknown") and not block.at.torn:
        planners = block.base is not None and block.at.directives == block.base.directives
        block = replace(block, state="fresh" if planners else "plan", base=_as_base(block.at, block.raw))
    if replan and block.state in ("plan", "due"):
        block = replace(block, state="fresh")
    return block


def _check_chosen(only: Sequence[str], related: RelatedFile, file: Path) -> None:
    blocks = {block.id: block for block in related.blocks}
    for name in only:
        if name not in blocks:
            known = ", ".join(blocks) or "none"
            raise UsageError(f"there is no paragraph {name} in {file}", f"known are: {known}")
        if blocks[name].keep:
            raise UsageError(f"paragraph {name} is marked '% citeplug:keep'", "remove the mark first")


def _rewrite(block: CurrentBlock) -> CurrentBlock:
    """Return the block as one to be written again by its own plan, even if its inputs are unchanged."""
    base = block.base if block.base is None else replace(block.base, inputs=None)
    return replace(block, state="plan" if block.state == "fresh" else block.state, base=base)


def _keep(block: CurrentBlock) -> CurrentBlock:
    return block if block.state == "unknown" else replace(block, state="keep")


def gone_from(recorded: Sequence[RecordedBlock], related: RelatedFile) -> tuple[RecordedBlock, ...]:
    """The blocks among `recorded` that the author deleted, each with the papers that no plan in the file names.

    A block that lost its text or its end mark, or whose papers are all in plans of others, does not count as deleted.
    """
    if not related.blocks:
        return ()
    there = {block.recorded for block in related.blocks}
    unmarked = [block.plan for block in related.blocks if block.recorded is None and block.plan.heading]
    cited = {cite for block in related.blocks for cite in cites_of(block.plan)}
    # A new plan may have the heading of what was deleted, but none of its papers.
    for block in recorded:
        if any(plan.heading == block.heading and {*block.papers} & {*cites_of(plan)} for plan in unmarked):
            there.add(block.hash)
    missing = {block.hash: block for block in recorded if block.hash not in there}
    deleted = (replace(block, papers=tuple(p for p in block.papers if p not in cited)) for block in missing.values())
    return tuple(block for block in deleted if block.papers)


def _cannot_merge(block: CurrentBlock, file: Path) -> Finding:
    if block.at.torn or not block.at.ended:
        why, fix = "its end mark is missing", "put '% citeplug:end' after its text, or mark it '% citeplug:keep'"
    else:
        why = "there is no record of the generated text: .citeplug/base is missing from the project"
        fix = (
            "commit .citeplug with the project; mark it '% citeplug:keep', or delete its text to have it written again"
        )
    return Finding(
        "paragraph_left", "warning", f"paragraph {block.at.id} was not changed: {why}", file, block.at.line, fix=fix
    )


def _deleted(gone: RecordedBlock, file: Path) -> Finding:
    papers = ", ".join(gone.papers)
    return Finding(
        "paragraph_deleted",
        "info",
        f"the paragraph “{gone.heading}” was deleted: its papers are not proposed again ({papers})",
        file,
        fix="add them to a plan, or use --replan",
    )
