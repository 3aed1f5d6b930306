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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.section_file.units import DIRECTIVE, LINE
from citeplug.text.cleaning import collapsed

VERSION = 2
HEADER = f"% citeplug: {VERSION}"
WORDS_PER_SENTENCE = 25
_BEGIN = re.compile(r"begin\b(?:[ \t]+(?![A-Za-z]+\d*=)(\S+))?(.*)")
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
    found = find_cites(text)
    match = _CITES.search(text) if found is not None else None
    intent, cites = text[: match.start() if match else None].strip(), tuple(name for _, name in found or ())
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
    found: list[tuple[int, str]] = []
    for each in _CITED.finditer(text, match.start(1), match.end(1)):
        start, name = (each.start(1), each[1]) if each[1] is not None else (each.start(), each[0])
        if name.strip():
            found.append((start + len(name) - len(name.lstrip()), name.strip()))
    return None if any(re.search(r"\s", name) for _, name in found) else found


@lru_cache(4)  # one view of a section asks for it several times
def read_related(text: str) -> RelatedFile:
    """Read a section's file, even if it was re-indented, reflowed or cut; nothing in it is an error.

    A block without an end mark ends at the next begin mark or the end of the file. A block whose id occurred
    before gets a new one.
    """
    reader = _Reader(_names(text))
    mark = len(text) - len(text.removeprefix("\ufeff"))
    for number, match in enumerate(LINE.finditer(text, mark), 1):
        reader.take(match[0], match.start(), number)
    reader.close(len(text))
    return RelatedFile(tuple(reader.blocks), "".join(reader.outside), reader.version)


def upgraded(text: str) -> str:
    """The text with this grammar's number in its header, every other byte as it was; older grammars say no other."""
    blocks = [(block.start, block.end) for block in read_related(text).blocks]
    out = []
    for match in LINE.finditer(text):
        header = is_header(match[0]) and not any(start <= match.start() < end for start, end in blocks)
        out.append(re.sub(r"\d+", str(VERSION), match[0]) if header else match[0])
    return "".join(out)


def is_header(line: str) -> bool:
    """Return True for the first line of a section's file, of any grammar."""
    directive = DIRECTIVE.fullmatch(line.rstrip("\r\n").lstrip("\ufeff"))
    return directive is not None and directive[1].isdecimal()


def _names(text: str) -> frozenset[str]:
    """Return the names in the begin marks."""
    lines = (DIRECTIVE.fullmatch(match[0].rstrip("\r\n").lstrip("\ufeff")) for match in LINE.finditer(text))
    begins = (_BEGIN.fullmatch(line[1]) for line in lines if line is not None)
    return frozenset(begin[1] for begin in begins if begin is not None and begin[1])


class _Reader:
    """State of the reader between two lines."""

    def __init__(self, given: frozenset[str]) -> None:
        self.given = given
        self.blocks: list[RelatedBlock] = []
        self.outside: list[str] = []
        self.version: int | None = None
        self._open: PlanParagraph | None = None
        self._name: str | None = None
        self._names: list[str | None] = []
        self._text: list[str] = []
        self._directives: list[str] = []
        self._notes: list[str] = []
        self._place = (0, 0)

    def take(self, whole: str, start: int, number: int) -> None:
        line = whole.rstrip("\r\n")
        match = DIRECTIVE.fullmatch(line)
        directive = match[1] if match else None
        if directive is not None and (begin := _BEGIN.fullmatch(directive)):
            self.close(start)
            self._open = self._begin(begin[1], begin[2])
            self._name = begin[1]
            self._place = (start, number)
            self._directives.append(collapsed(directive))
        elif self._open is None:
            self._take_outside(whole, directive)
        elif directive is None:
            self._text.append(whole)
        elif end := _END.fullmatch(directive):
            as_printed = _PLAIN_END.fullmatch(collapsed(directive))
            marked = as_printed is None or as_printed[1] != self._name
            self.close(start + len(line), end[1] or None, ended=True, marked=marked)
        else:
            self._open = _add_directive(self._open, directive)
            is_note = directive.partition(" ")[0] == "note"
            (self._notes if is_note else self._directives).append(collapsed(directive))

    def _take_outside(self, whole: str, directive: str | None) -> None:
        if directive is None:
            self.outside.append(whole)
        elif directive.isdecimal():
            # Two in a file that was put together from two: the newer counts.
            self.version = max(self.version or 0, int(directive[:9]))
        elif end := re.match(r"end\b(?:[ \t]+(\S+))?", directive):
            self._tear(end[1])
        elif not re.match(r"note\b", directive):
            self.outside.append(whole)

    def _tear(self, name: str | None) -> None:
        """Mark the block whose end mark comes after another block: something was pasted into it."""
        for number, block in enumerate(self.blocks):
            if not block.ended and self._names[number] == name:
                self.blocks[number] = replace(block, torn=True)

    def _begin(self, name: str | None, rest: str) -> PlanParagraph:
        taken = {block.id for block in self.blocks}
        number = len(self.blocks) + 1
        unique = name if name and name not in taken else f"p{number}"
        # A name in a later begin mark stays with that block.
        while unique in taken or (unique != name and unique in self.given):
            number += 1
            unique = f"p{number}"
        words, sentences = (re.search(rf"\b{each}[ \t]*=[ \t]*(\d{{1,6}})", rest) for each in ("words", "sentences"))
        length = int(words[1]) if words else WORDS_PER_SENTENCE * int(sentences[1]) if sentences else 0
        return PlanParagraph(unique, "", (), length)

    def close(self, end: int, recorded: str | None = None, *, ended: bool = False, marked: bool = False) -> None:
        if self._open is not None:
            plan = self._open
            if not plan.words:
                plan = replace(plan, words=WORDS_PER_SENTENCE * plan.sentences)
            start, number = self._place
            text = "".join(self._text).replace("\r\n", "\n").replace("\r", "\n").strip("\n")
            recorded = recorded.lower() if recorded else None
            directives, notes = tuple(self._directives), tuple(self._notes)
            copies = [n for n, name in enumerate(self._names) if name is not None and name == self._name]
            for copy in copies:
                self.blocks[copy] = replace(self.blocks[copy], copied=True)
            self.blocks.append(
                RelatedBlock(
                    plan,
                    text,
                    recorded,
                    start,
                    end,
                    number,
                    directives,
                    notes,
                    ended,
                    copied=bool(copies),
                    marked=marked,
                )
            )
            self._names.append(self._name)
        self._open, self._text, self._directives, self._notes = None, [], [], []


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
    found: list[tuple[int, int] | None] = []
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
        found.append(match.span() if match is not None and words else None)
    return found
