r"""Reader of `related.tex`, grammar 2 (docs/interface.md): the plan in comments, the text beneath it.

    % citeplug: 2
    % citeplug:begin p1 sentences=5 words=110
    % citeplug:heading Graph attention
    % citeplug:1 topic: which neighbours count
    % citeplug:2 core: introduce attention on graphs [1710.10903]
    % citeplug:3 passing: sample neighbours [1706.02216, 1801.10247]
    % citeplug:4 relate to the draft
    \paragraph{Graph attention.}
    % citeplug:note close wording: ...
    ... one sentence a line ...
    % citeplug:end p1 sha256=9c1b22ad

The hash covers the block's text without citeplug's own lines: notes may change. Grammar 1 is the same without words
and colon in front of an intent. A file is read by both at once, whatever its header says, so that a new block may stand
beside old ones. A sentence is found in the file whatever its layout.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.section_file.units import DIRECTIVE, LINE
from citeplug.text.cleaning import collapsed

VERSION = 2
HEADER = f"% citeplug: {VERSION}"
WORDS_PER_SENTENCE = 25
_BEGIN = re.compile(r"begin\b(?:[ \t]+(?![A-Za-z]+\d*=)(\S+))?(.*)")
_MARK = re.compile(r"(?:begin|end)\b")
_NAMED_END = re.compile(r"end\b(?:[ \t]+(\S+))?")
_PASSED_OVER = re.compile(r"(?:end|note)\b")
_END = re.compile(r"end\b(?:.*?\bsha256[ \t]*=[ \t]*([0-9A-Fa-f]+))?.*")
_PLAN_LINE = re.compile(r"\d+\b[.):]?[ \t]*(.*)|(?![0-9])(.+)")
_ROLE = re.compile(r"(?:\((\w+)\)|(\w+)[ \t]*:)[ \t]*(.*)")
_CITES = re.compile(r"[ \t]*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]$")
_CITED = re.compile(r"\{([^{}]*)\}|[^,;{}]+")
_PLAIN_END = re.compile(r"end (\S+)(?: sha256=[0-9A-Fa-f]{8})?")
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: .*)?\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RelatedBlock:
    """A block of the file.

    `start` and `end` are code points of the whole block, half-open, `line` counts from 1. `text` is the text without
    citeplug's own lines, `recorded` the hash in the end mark. `edited`: the author wrote or changed the text; `keep`:
    it is marked `citeplug:keep`. `directives` are the lines of its begin mark and its plan, `notes` those of its notes,
    without `% citeplug:`. `ended`: it has an end mark; `torn`: its end mark is after another block; `copied`: its id
    occurs twice; `marked`: its end mark has more than citeplug writes there.
    """

    plan: PlanParagraph
    text: str
    recorded: str | None
    start: int
    end: int
    line: int
    directives: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = True
    torn: bool = False
    copied: bool = False
    marked: bool = False

    @property
    def id(self) -> str:
        return self.plan.id

    @property
    def keep(self) -> bool:
        return self.plan.keep

    @property
    def edited(self) -> bool:
        return bool(self.text.strip()) and self.recorded != text_hash(self.text)


@dataclass(frozen=True, slots=True)
class RelatedFile:
    """A section's file as read. `outside` is the text outside the blocks, without header and notes; `version` is the
    grammar's; `copied` is True if a block's id occurs twice, as after copy and paste."""

    blocks: tuple[RelatedBlock, ...]
    outside: str
    version: int | None


def has_conflict_marks(text: str) -> bool:
    """Return True if the text has conflict marks of git."""
    return _CONFLICT.search(text) is not None


def text_hash(text: str) -> str:
    """Return the first 8 hexadecimal digits of the SHA-256 of the text with white space collapsed."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "replace")).hexdigest()[:8]


def read_plan_line(text: str) -> PlanLine:
    """Read a plan line without its number. What does not fit is part of the intent: a bracket with words in it, or a
    word in front that says nothing of such a line, as `topic:` before papers."""
    cited = find_cites(text)
    match = _CITES.search(text) if cited is not None else None
    intent, cites = text[: match.start() if match else None].strip(), tuple(name for _, name in cited or ())
    if role := _ROLE.fullmatch(intent):
        word = (role[1] or role[2]).lower()
        if word == "draft" or (word == "topic" and not cites):
            return PlanLine(role[3], cites, "draft" if word == "draft" else "topic")
        if cites and word in ("paper", "core", "passing"):
            return PlanLine(role[3], cites, weight=None if word == "paper" else "core" if word == "core" else "passing")
    return PlanLine(intent, cites)


def find_cites(text: str) -> list[tuple[int, str]] | None:
    """Return the papers of a plan line, each with its position; None if the line has no bracket for them."""
    match = _CITES.search(text)
    if match is None:
        return None
    cites: list[tuple[int, str]] = []
    for part in _CITED.finditer(text, match.start(1), match.end(1)):
        start, name = (part.start(1), part[1]) if part[1] is not None else (part.start(), part[0])
        if name.strip():
            cites.append((start + len(name) - len(name.lstrip()), name.strip()))
    return None if any(re.search(r"\s", name) for _, name in cites) else cites


@dataclass(frozen=True, slots=True)
class SectionLine:
    """A line of the file with its end, `start` in code points; `directive` is what follows `citeplug:`, if it is one of
    citeplug's lines."""

    start: int
    raw: str
    directive: str | None

    @property
    def is_header(self) -> bool:
        """True for the first line of a section's file, of any grammar."""
        return self.directive is not None and self.directive.isdecimal()

    @property
    def end(self) -> int:
        """The code point behind its text, before its line end."""
        return self.start + len(self.raw.rstrip("\r\n"))


def lines_of(text: str, start: int = 0, end: int | None = None) -> list[SectionLine]:
    """The lines of a text, or of a part of it; a byte order mark is passed over."""
    start += len(text) - len(text.removeprefix("\ufeff")) if start == 0 else 0
    matches = LINE.finditer(text, start, len(text) if end is None else end)
    directives = ((match, DIRECTIVE.fullmatch(match[0].rstrip("\r\n"))) for match in matches if match[0])
    return [
        SectionLine(match.start(), match[0], directive[1] if directive else None) for match, directive in directives
    ]


@lru_cache(4)  # one view of a section asks for it several times
def read_related(text: str) -> RelatedFile:
    """Read a section's file, even if it was re-indented, reflowed or cut; nothing in it is an error.

    A block without an end mark ends at the next begin mark or the end of the file. A block whose id occurred
    before gets a new one.
    """
    lines = lines_of(text)
    marks = [number for number, line in enumerate(lines) if line.directive and _MARK.match(line.directive)]
    begins = {number: begin for number in marks if (begin := _BEGIN.fullmatch(lines[number].directive or ""))}
    names = Counter(begin[1] for begin in begins.values() if begin[1])
    blocks: list[RelatedBlock] = []
    outside: list[SectionLine] = []
    position = 0
    for number, stop in pairwise([*marks, len(lines)]):
        if (begin := begins.get(number)) is None:
            continue
        outside += lines[position:number]
        ended = stop < len(lines) and stop not in begins
        position = stop + ended
        end = lines[stop].end if ended else lines[stop].start if stop < len(lines) else len(text)
        name = _unused_name(begin[1], blocks, names)
        inside = lines[number:stop]
        at = (inside[0].start, end, number + 1)
        block = _read_block(inside, name, begin, (lines[stop].directive or "") if ended else None, at)
        blocks.append(replace(block, copied=names[begin[1]] > 1))
    outside += lines[position:]
    # An end mark outside of the blocks: something was pasted into the block that it belongs to.
    ends = {(line.start, mark[1]) for line in outside if (mark := _NAMED_END.match(line.directive or ""))}
    for place, (block, begin) in enumerate(zip(blocks, begins.values(), strict=True)):
        if not block.ended and any(start > block.start and name == begin[1] for start, name in ends):
            blocks[place] = replace(block, torn=True)
    # Two in a file that was put together from two: the newer counts.
    version = max((int((line.directive or "")[:9]) for line in outside if line.is_header), default=None)
    rest = (line.raw for line in outside if not (line.is_header or _PASSED_OVER.match(line.directive or "")))
    return RelatedFile(tuple(blocks), "".join(rest), version)


def _read_block(
    lines: Sequence[SectionLine], name: str, begin: re.Match[str], end_mark: str | None, at: tuple[int, int, int]
) -> RelatedBlock:
    """Read the `lines` of a block, without its end mark."""
    own = [line.directive for line in lines[1:] if line.directive is not None]
    words, sentences = (
        re.search(rf"\b{measure}[ \t]*=[ \t]*(\d{{1,6}})", begin[2]) for measure in ("words", "sentences")
    )
    length = int(words[1]) if words else WORDS_PER_SENTENCE * int(sentences[1]) if sentences else 0
    plan = PlanParagraph(name, "", (), length)
    for directive in own:
        plan = _add_directive(plan, directive)
    if not plan.words:
        plan = replace(plan, words=WORDS_PER_SENTENCE * plan.sentences)
    text = "".join(line.raw for line in lines if line.directive is None)
    end = _END.fullmatch(end_mark) if end_mark is not None else None
    as_printed = _PLAIN_END.fullmatch(collapsed(end_mark or ""))
    notes = [directive.partition(" ")[0] == "note" for directive in own]
    return RelatedBlock(
        plan,
        text.replace("\r\n", "\n").replace("\r", "\n").strip("\n"),
        end[1].lower() if end is not None and end[1] else None,
        *at,
        (collapsed(begin[0]), *(collapsed(own[n]) for n, is_note in enumerate(notes) if not is_note)),
        tuple(collapsed(own[n]) for n, is_note in enumerate(notes) if is_note),
        end_mark is not None,
        marked=end_mark is not None and (as_printed is None or as_printed[1] != begin[1]),
    )


def _unused_name(name: str | None, blocks: Sequence[RelatedBlock], names: Collection[str]) -> str:
    """The block's own name, unless it is taken; a name in a later begin mark stays with that block."""
    taken = {block.id for block in blocks}
    if name and name not in taken:
        return name
    numbers = range(len(blocks) + 1, 2 * len(blocks) + len(names) + 2)
    return next(new for number in numbers if (new := f"p{number}") not in taken and new not in names)


def upgraded(text: str) -> str:
    """The text with this grammar's number in its header, every other byte as it was; older grammars say no other."""
    blocks = [(block.start, block.end) for block in read_related(text).blocks]
    for line in reversed(lines_of(text)):
        if line.is_header and not any(start <= line.start < end for start, end in blocks):
            header = re.sub(r"\d+", str(VERSION), line.raw)
            text = text[: line.start] + header + text[line.start + len(line.raw) :]
    return text


def _add_directive(plan: PlanParagraph, directive: str) -> PlanParagraph:
    """Return the plan with one more of its lines. A line that is no directive is an intent without a number."""
    word, _, rest = directive.partition(" ")
    if word == "heading":
        return replace(plan, heading=rest.strip())
    if word == "keep":
        return replace(plan, keep=True)
    match = _PLAN_LINE.fullmatch(directive)
    if word in ("note", "ignore", "ignore-file") or match is None:
        return plan
    line = read_plan_line(match[1] if match[1] is not None else match[2])
    return replace(plan, lines=(*plan.lines, line))


def plan_of(related: RelatedFile) -> Plan | None:
    """Return the plan in the file; None if it has no blocks."""
    return Plan(tuple(block.plan for block in related.blocks)) if related.blocks else None


def was_generated(text: str) -> bool:
    """Return True if citeplug wrote the file: it has the header or a block."""
    related = read_related(text)
    return related.version is not None or bool(related.blocks)


def places_of(text: str, sentences: Sequence[tuple[RelatedBlock, str]]) -> list[tuple[int, int] | None]:
    """The code points, half-open, of each sentence (its block, its LaTeX), in their order; None for one not there.

    Of equal sentences each has a place of its own, as far as there are as many.
    """
    places: list[tuple[int, int] | None] = []
    after: dict[str, int] = {}
    for block, tex in sentences:
        words = " ".join(line for line in tex.splitlines() if not line.lstrip().startswith("%")).split()
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        start = after.get(block.id, block.start)
        match = (
            (pattern.search(text, start, block.end) or pattern.search(text, block.start, block.end)) if words else None
        )
        if match is not None and words:
            after[block.id] = match.end()
        places.append(match.span() if match is not None and words else None)
    return places


_TABLE_MARK = re.compile(r"[ \t]*%+[ \t]*citeplug:table[ \t]+sha256=([0-9a-f]{8})[ \t]*(?:\r\n|\r|\n|\Z)")


def marked_table(tex: str) -> str:
    """The contents of the file for a table as it was generated."""
    return f"% citeplug:table sha256={text_hash(tex)}\n{tex}"


def recorded_hash(text: str) -> tuple[str | None, str]:
    """The hash in the mark of a table's file, None without a mark, and what stands below the mark."""
    match = _TABLE_MARK.match(text)
    return (match[1], text[match.end() :]) if match is not None else (None, text)
