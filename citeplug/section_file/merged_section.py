"""The section's file after a run: the new text merged into the old file."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import citeplug
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanParagraph
from citeplug.records.section import Generated, Section, SectionParagraph, Sentence
from citeplug.section_file.arrange import arrange
from citeplug.section_file.cite_style import CiteStyle
from citeplug.section_file.current import CurrentBlock, CurrentSection
from citeplug.section_file.grammar import HEADER, lines_of, read_related, upgraded
from citeplug.section_file.merge import NEW, as_printed, directives_of, filled, in_place_of, merged, replanned
from citeplug.section_file.print_block import print_paragraph
from citeplug.section_file.print_sentence import print_sentence
from citeplug.section_file.units import split_units
from citeplug.text.cleaning import collapsed
from citeplug.text.scanning import newline_of


@dataclass(frozen=True, slots=True)
class Regenerated:
    """The file's new text, with its plan, citeplug's sentences in it, and the bases of the next merge.

    `offers` are new versions of sentences, in notes. `keys` are the citation keys in the sentences.
    """

    text: str
    plan: Plan
    section: Section
    bases: tuple[Generated, ...]
    offers: str
    keys: Mapping[str, str]


def inputs_of(
    paragraphs: Sequence[PlanParagraph],
    closing: Sequence[Sentence],
    papers: Mapping[str, Paper],
    keys: Mapping[str, str],
    style: CiteStyle,
    writer: Sequence[str],
) -> str:
    """Return a digest of all inputs of the text of `paragraphs`: equal digests, equal text.

    `closing` are the sentences that are made of more than their papers; `writer` identifies the writer and
    its other inputs.
    """
    cites = [cite for paragraph in paragraphs for line in paragraph.lines for cite in line.cites]
    records = [
        [paper.id.value, paper.id.version, paper.title, paper.abstract, paper.authors]
        for cite in cites
        if (paper := papers.get(cite)) is not None
    ]
    plans = [[p.heading, p.words, [line.content for line in p.lines]] for p in paragraphs]
    style_of = [style.parenthetical, style.textual, style.textual_first, sorted(set(style.packages))]
    named = [[cite, keys.get(cite)] for cite in cites]
    everything = [citeplug.__version__, *writer, plans, records, named, style_of, [s.text for s in closing]]
    return hashlib.sha256(json.dumps(everything).encode()).hexdigest()[:16]


def generated(
    plan: PlanParagraph,
    written: SectionParagraph,
    keys: Mapping[str, str],
    style: CiteStyle,
    papers: Mapping[str, Paper],
    inputs: str | None,
) -> Generated:
    """Return a written paragraph as a base, with its printed lines. Raises ValueError on a citation without a key."""
    lines = tuple(print_paragraph(written, keys, style, papers))
    named = {cite: keys[cite] for sentence in written.sentences for cite in sentence.cites if cite in keys}
    sentences = tuple(replace(sentence, status="unreviewed") for sentence in written.sentences)
    made = Generated(plan, (), lines, inputs, sentences, named)
    return replace(made, directives=directives_of(made))


def regenerate(
    current: CurrentSection,
    made: Sequence[Generated],
    keys: Mapping[str, str],
    style: CiteStyle,
    papers: Mapping[str, Paper],
) -> Regenerated:
    """Merge the paragraphs that were `made` into the file's blocks of the same ids.

    An unchanged block without a new paragraph is removed; every other block stays in its place.
    """
    by_id = {paragraph.plan.id: paragraph for paragraph in made}
    out = _Output(current.text)
    plans: list[PlanParagraph] = []
    paragraphs: list[SectionParagraph] = []
    bases: list[Generated] = []
    for block in current.blocks:
        new = by_id.pop(block.at.id, None)
        raw = _block_text(block, new)
        if raw is not None and block.state == "text" and not _has_text(raw):
            # The merge would drop all text, and an empty block would count as a plan to be written.
            new, raw = None, block.raw
        base = _next_base(block, new)
        out.put(block, raw)
        if raw is None:
            continue
        if base is not None:
            bases.append(base)
        plans.append(new.plan if new is not None and _is_replanned(block, new) else block.at.plan)
        paragraphs.append(_paragraph_in(plans[-1], base, raw, {**(base.keys if base else {}), **keys}, style, papers))
    for paragraph in by_id.values():
        raw = as_printed(paragraph)
        out.append(raw)
        bases.append(paragraph)
        plans.append(paragraph.plan)
        paragraphs.append(_paragraph_in(paragraph.plan, paragraph, raw, keys, style, papers))
    text = _in_this_grammar(out.text(), current)
    used = {cite: key for base in bases for cite, key in base.keys.items()}
    return Regenerated(text, Plan(tuple(plans)), Section(tuple(paragraphs)), tuple(bases), _offers(text), used)


def planned_file(current: CurrentSection, plan: Plan) -> str:
    """Print the file with the blocks of `plan`, without text, in place of its blocks."""
    arranged, _ = arrange(replace(current, replan=True), (), plan.paragraphs)
    by_id = {paragraph.id: Generated(paragraph, (), ()) for paragraph in arranged.paragraphs}
    out = _Output(current.text)
    for block in current.blocks:
        new = by_id.pop(block.at.id, None)
        out.put(block, None if new is None else _block_text(replace(block, state="fresh"), new))
    for new_block in by_id.values():
        out.append(as_printed(new_block))
    return _in_this_grammar(out.text(), current)


def _in_this_grammar(text: str, current: CurrentSection) -> str:
    """The text with this grammar's header. A file in which nothing else changes keeps its own: it is not written."""
    return text if text == current.text else upgraded(text)


def _block_text(block: CurrentBlock, new: Generated | None) -> str | None:
    if block.state in ("keep", "unknown"):
        return block.raw
    if block.state == "fresh":
        if new is None:
            return None
        # If the author's plan was dropped (--replan), its lines are printed again even if the new plan equals the base.
        if _is_same(new, block.base) and block.base is not None and block.at.directives == block.base.directives:
            return block.raw
        return in_place_of(block.raw, new) + ("" if block.at.ended else "\n")
    if new is None:
        return block.raw
    if block.state == "due" or block.base is None:
        return filled(block.raw, new)
    loses_papers = _is_replanned(block, new) and block.at.directives != new.directives
    return merged(replanned(block.raw, new) if loses_papers else block.raw, block.base, new)


def _is_replanned(block: CurrentBlock, new: Generated) -> bool:
    """True if the plan in the file is citeplug's own and changes with the text: it loses the papers now excluded."""
    is_edited = block.state == "text" and block.is_planners and not block.at.copied
    return block.state == "fresh" or (is_edited and bool(new.directives))


def _has_text(raw: str) -> bool:
    return any(block.text.strip() for block in read_related(raw).blocks)


def _is_same(new: Generated, base: Generated | None) -> bool:
    return base is not None and (new.lines, new.inputs, new.plan) == (base.lines, base.inputs, base.plan)


def _next_base(block: CurrentBlock, new: Generated | None) -> Generated | None:
    """Return the base of the next merge. A plan of the author's stays marked as such."""
    if new is None or block.state in ("keep", "unknown"):
        return block.base
    if _is_replanned(block, new) or new is block.base:
        return new
    return replace(new, directives=block.base.directives if block.base else ())


def _paragraph_in(
    plan: PlanParagraph,
    base: Generated | None,
    raw: str,
    keys: Mapping[str, str],
    style: CiteStyle,
    papers: Mapping[str, Paper],
) -> SectionParagraph:
    """Return the paragraph with those of citeplug's sentences that are in the block word for word."""
    there = collapsed(" ".join(unit.raw for unit in split_units(raw) if unit.kind != "directive"))
    sentences = []
    for sentence in base.sentences if base else ():
        try:
            printed = print_sentence(sentence, keys, style, papers)[-1]
        except ValueError:
            continue
        if collapsed(printed) in there:
            sentences.append(sentence)
    return SectionParagraph(plan.id, plan.heading, tuple(sentences))


def _offers(text: str) -> str:
    units = split_units(text)
    return "\n".join(u.key.removeprefix(NEW) for u in units if u.kind == "directive" and u.key.startswith(NEW))


class _Output:
    """New text of the file, put together from the blocks and the text outside of them."""

    def __init__(self, old: str) -> None:
        self.old = old
        self.newline = newline_of(old)
        self.parts: list[str] = []
        self.position = 0
        self.blocks = 0
        self.had_blocks = False

    def put(self, block: CurrentBlock, raw: str | None) -> None:
        self.had_blocks = True
        between = self.old[self.position : block.at.start]
        self.position = block.at.end
        self.parts.append(between)
        if raw is not None:
            self.parts.append(raw)
            self.blocks += 1
            return
        # A block is removed with its line end and one of the two blank lines around it.
        self.position += len(self._line_end())
        before = "".join(self.parts[-2:])
        if not before.strip() or before.endswith(("\n\n", "\r\n\r\n")) or _ends_in_header(before):
            self.position += len(self._line_end())

    def append(self, block: str) -> None:
        """Add a block after the last one; in a file without blocks, at the end."""
        if not self.blocks and not self.had_blocks:
            self.parts.append(self.old[self.position :])
            self.position = len(self.old)
            if not "".join(self.parts).strip():
                self.parts = [HEADER + self.newline]
        before = "".join(self.parts[-2:])
        if before and not before.endswith(("\n", "\r")):
            self.parts.append(self.newline)
        if self.blocks or not _ends_in_header(before or HEADER):
            self.parts.append(self.newline)
        printed = block.replace("\n", self.newline)
        self.parts.append(printed.removesuffix(self.newline) if self._line_end() else printed)
        self.blocks += 1

    def text(self) -> str:
        return "".join((*self.parts, self.old[self.position :]))

    def _line_end(self) -> str:
        rest = self.old[self.position : self.position + 2]
        return "\r\n" if rest == "\r\n" else rest[:1] if rest[:1] in ("\n", "\r") else ""


def _ends_in_header(text: str) -> bool:
    return any(line.is_header for line in lines_of(text.strip())[-1:])
