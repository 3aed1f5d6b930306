"""Edits that an author asks for in the section's file: a paragraph, a plan line or a sentence at a time.

Pure: a text in, a text out; every byte that an edit does not name stays. Each says by its old words what it is about,
so that an edit of a text that was changed meanwhile is refused. All raise UsageError for what is not there.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from citeplug.errors import UsageError
from citeplug.records.plan import PlanParagraph
from citeplug.section_file.grammar import (
    HEADER,
    RelatedBlock,
    SectionLine,
    has_conflict_marks,
    lines_of,
    read_plan_line,
    read_related,
    text_hash,
)
from citeplug.section_file.merge import NEW
from citeplug.section_file.print_block import print_block
from citeplug.section_file.units import DIRECTIVE, Unit, split_units
from citeplug.text.cleaning import collapsed, plain
from citeplug.text.scanning import newline_of

_WORDS = 100  # of a new paragraph, until its author says another number
_NO_LINE = re.compile(r"(?:begin|end|heading|keep|note)\b")
_NUMBERED = re.compile(r"(\d+\b[.):]?)[ \t]*(.*)", re.DOTALL)
_COMMENTED = re.compile(r"(?:^|[^\\])(?:\\\\)*%")
_AGAIN = "check its present state, and do it again"


def block_named(text: str, name: str) -> RelatedBlock:
    """The paragraph `name` of the section. Raises UsageError if it has none, or if its end is not marked."""
    blocks = {block.id: block for block in read_related(text).blocks}
    if name not in blocks:
        raise UsageError(f"there is no paragraph {name}", f"name one of {', '.join(blocks) or 'none'}")
    if not blocks[name].ended or blocks[name].torn:
        raise UsageError(f"the end mark of paragraph {name} is missing", "put '% citeplug:end' after its text")
    return blocks[name]


def move_paragraph(text: str, name: str, by: int) -> str:
    """Exchange a paragraph with the next one (`by` 1) or the one before (-1); what is between the two stays there."""
    names = [block.id for block in read_related(text).blocks]
    block_named(text, name)
    at = names.index(name) + by
    if not 0 <= at < len(names):
        raise UsageError(f"paragraph {name} is the {'first' if by < 0 else 'last'} one")
    return _exchanged(text, name, names[at])


def place_paragraph(text: str, name: str, before: str | None) -> str:
    """Put a paragraph in front of another one, or behind all; what is between paragraphs stays there."""
    names = [block.id for block in read_related(text).blocks]
    for paragraph in (name, before) if before is not None else (name,):
        block_named(text, paragraph)
    at = names.index(name)
    to = len(names) - 1 if before is None else names.index(before) - (names.index(before) > at)
    for other in names[at + 1 : to + 1] if to > at else reversed(names[to:at]):
        text = _exchanged(text, name, other)
    return text


def _exchanged(text: str, name: str, other: str) -> str:
    one, two = sorted((block_named(text, name), block_named(text, other)), key=lambda block: block.start)
    between = text[one.end : two.start]
    return text[: one.start] + text[two.start : two.end] + between + text[one.start : one.end] + text[two.end :]


def paragraph_hash(text: str, block: RelatedBlock) -> str:
    """The hash of a paragraph with its plan; its layout does not count."""
    return text_hash(text[block.start : block.end])


def delete_paragraph(text: str, name: str, was: str | None = None) -> str:
    """The text without a paragraph, with one of the blank lines around it; `was` is its hash, if that is given."""
    block = block_named(text, name)
    if was is not None and was != paragraph_hash(text, block):
        raise UsageError(f"paragraph {name} was changed meanwhile", _AGAIN)
    return text[: block.start] + re.sub(r"\A[ \t]*(?:\r\n|\r|\n){0,2}", "", text[block.end :])


def with_paragraphs_of(old: str, names: Sequence[str], text: str) -> str:
    """The text with paragraphs as they are in another one, and without those that this has not."""
    before = {block.id: old[block.start : block.end] for block in read_related(old).blocks}
    for name in names:
        block = block_named(text, name)
        same = text[: block.start] + before.get(name, "") + text[block.end :]
        text = same if name in before else delete_paragraph(text, name)
    return text


def add_paragraph(text: str, heading: str, line: str) -> str:
    """The text with one more paragraph, of a heading and one plan line, that has no text yet."""
    blocks = read_related(text).blocks
    used = {block.id for block in blocks}
    name = next(f"p{number}" for number in range(1, len(used) + 2) if f"p{number}" not in used)
    new = print_block(PlanParagraph(name, _one_line(heading), (read_plan_line(_one_line(line)),), _WORDS), [])
    newline = newline_of(text)
    end = blocks[-1].end if blocks else len(text)
    before = text[:end] or HEADER + newline
    before += "" if before.endswith(("\n", "\r")) else newline
    return before + newline + new.rstrip("\n").replace("\n", newline) + (text[end:] or newline)


def set_heading(text: str, name: str, heading: str, was: str | None = None) -> str:
    """The text with another heading in the plan of a paragraph; `was` is the heading before, if that is given."""
    block = block_named(text, name)
    if was is not None and collapsed(was) != collapsed(block.plan.heading):
        raise UsageError(f"the heading of paragraph {name} was changed meanwhile", _AGAIN)
    lines = _lines(text, block)
    at = next((at for at, line in enumerate(lines) if (line.directive or "").startswith("heading")), 0)
    new = _with_directive(lines[at], f"heading {_one_line(heading)}")
    return _with_lines(text, block, [*lines[: max(at, 1)], new, *lines[at + 1 :]])


def plan_lines(text: str, block: RelatedBlock) -> list[str]:
    """The plan lines of a paragraph as they are written, without their numbers."""
    return [_plan_words(line) for line in _lines(text, block) if _is_plan_line(line)]


def set_line(text: str, name: str, number: int, new: str, was: str | None = None) -> str:
    """The text with other words in the plan line `number` (from 1), whose words are `was`, if that is given."""
    block, lines = _checked_lines(text, name, number, was)
    lines[number - 1] = _one_line(new)
    return _with_plan_lines(text, block, lines)


def delete_line(text: str, name: str, number: int, was: str | None = None) -> str:
    """The text without a plan line; of several at least one stays."""
    block, lines = _checked_lines(text, name, number, was)
    if len(lines) == 1:
        raise UsageError(f"paragraph {name} has no other plan line", "delete the paragraph, or change the line")
    del lines[number - 1]
    return _with_plan_lines(text, block, lines)


def move_line(text: str, name: str, number: int, by: int, was: str | None = None) -> str:
    """The text with a plan line exchanged with the next one (`by` 1) or the one before (-1)."""
    _, lines = _checked_lines(text, name, number, was)
    if not 1 <= number + by <= len(lines):
        raise UsageError(f"line {number} of paragraph {name} is the {'first' if by < 0 else 'last'} one")
    return place_line(text, name, number, number + by)


def place_line(text: str, name: str, number: int, to: int, was: str | None = None) -> str:
    """The text with a plan line moved to the place with the number `to`, from 1."""
    block, lines = _checked_lines(text, name, number, was)
    if not 1 <= to <= len(lines):
        raise UsageError(f"the plan of paragraph {name} has no line {to}", f"it has {len(lines)}")
    lines.insert(to - 1, lines.pop(number - 1))
    return _with_plan_lines(text, block, lines)


def add_line(text: str, name: str, new: str) -> str:
    """The text with one more plan line, behind the others."""
    block = block_named(text, name)
    return _with_plan_lines(text, block, [*plan_lines(text, block), _one_line(new)])


def set_sentence(text: str, name: str, was: str, new: str, at: int | None = None) -> str:
    """The text with other words in place of a sentence, `was`; white space does not count in it."""
    words = new.strip()
    if not words or any(DIRECTIVE.fullmatch(line) for line in words.splitlines()):
        raise UsageError("a sentence needs words, and cannot contain lines of citeplug's own", "write the new sentence")
    if has_conflict_marks(words):
        raise UsageError("a sentence cannot contain the markers of an unfinished merge (<<<<<<<)", "take them out")
    if any(unicodedata.category(sign) == "Cc" and sign not in "\t\r\n" for sign in words):
        raise UsageError("a sentence cannot have control characters, which no editor shows", "type it again")
    start, end = sentence_place(text, block_named(text, name), was, at)
    newline = newline_of(text)
    words = re.sub(r"\r\n|\r|\n", newline, words)
    if _COMMENTED.search(words.rpartition("\n")[2]) and not text[end:].startswith(("\r", "\n")):
        words += newline  # what follows in the line would be in the comment
    return text[:start] + words + text[end:]


def answer_offer(text: str, name: str, offer: str, *, was: str, takes: bool, at: int | None = None) -> str:
    """The text without the note that offers another version of a sentence, `was`, which has its place if `takes`.

    `at` is as for `set_sentence`. Raises UsageError if it is not offered any more.
    """
    block = block_named(text, name)
    notes = [(start, unit.raw) for start, unit in units_of(text, block) if unit.key == NEW + offer]
    if not notes:
        raise UsageError(f"this version is not offered in paragraph {name} any more", _AGAIN)
    start, raw = notes[0]
    if at is not None and block.start + at > start:
        at -= len(raw)
    text = text[:start] + text[start + len(raw) :]
    return set_sentence(text, name, was, offer, at) if takes else text


def delete_sentence(text: str, name: str, was: str, at: int | None = None) -> str:
    """The text without a sentence and the notes on it."""
    block = block_named(text, name)
    start, end = sentence_place(text, block, was, at)
    line = text.rfind("\n", 0, start) + 1
    rest = re.match(r"[ \t]*(?:\r\n|\r|\n|\Z)", text[end:])
    if text[line:start].strip() or rest is None:
        # In the middle of a line: one of the spaces around it goes with it.
        return text[:start] + text[end:].removeprefix(" ")
    start, end = line, end + rest.end()
    while (note := _note_above(text, start)) is not None and note > block.start:
        start = note
    return text[:start] + text[end:]


def put_sentence(text: str, name: str, tex: str, before: Sequence[str]) -> str:
    """The text with a sentence on a line of its own, after the last of the sentences `before` that is in the paragraph.

    Without one it comes first in the paragraph, after its heading.
    """
    block = block_named(text, name)
    at = None
    for was in reversed(before):
        try:
            at = sentence_place(text, block, was)[1]
            break
        except UsageError:
            continue
    if at is None:
        at = _beginning(text, block)
    newline = newline_of(text)
    if text[:at].endswith(("\n", "\r")):
        return text[:at] + tex + newline + text[at:]
    return text[:at] + newline + tex + text[at:]


def sentence_place(text: str, block: RelatedBlock, was: str, at: int | None = None) -> tuple[int, int]:
    """The code points, half-open, of a sentence's words in its paragraph.

    `at`: where it began, in code points from the paragraph's beginning; one of several equal sentences is found by it
    alone, and without it the first is meant. Raises UsageError if the words are not there.
    """
    words = was.split()
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    if words and at is not None and (match := pattern.match(text, block.start + at, block.end)):
        return match.span()
    spans = [
        (start + len(unit.lead), start + len(unit.raw) - len(unit.trail))
        for start, unit in units_of(text, block)
        if unit.kind == "text" and unit.key == " ".join(words)
    ]
    spans = spans or [match.span() for match in pattern.finditer(text, _text_start(text, block), block.end)]
    if not words or not spans:
        raise UsageError(f"this sentence is not in paragraph {block.id} any more: it was changed meanwhile", _AGAIN)
    if at is not None and len(spans) > 1:
        raise UsageError(
            f"this sentence occurs {len(spans)} times in paragraph {block.id}, which was changed meanwhile", _AGAIN
        )
    return spans[0]


def units_of(text: str, block: RelatedBlock) -> list[tuple[int, Unit]]:
    """The units of the paragraph's text, each with the code point at which it begins; its plan is left out."""
    at = _text_start(text, block)
    last = text.rfind("\n", 0, block.end) + 1
    units = []
    for unit in split_units(text[at : max(at, last)]):
        units.append((at, unit))
        at += len(unit.raw)
    return units


def _is_plan_line(line: SectionLine) -> bool:
    return bool(line.directive) and not _NO_LINE.match(line.directive or "")


def _plan_words(line: SectionLine) -> str:
    numbered = _NUMBERED.fullmatch(line.directive or "")
    return collapsed(numbered[2] if numbered else line.directive or "")


def _with_directive(line: SectionLine, directive: str) -> SectionLine:
    """The line with other words, its indentation and its end as they are."""
    body = line.raw.rstrip("\r\n")
    indent = body[: len(body) - len(body.lstrip(" \t"))]
    return replace(line, raw=f"{indent}% citeplug:{directive}{line.raw[len(body) :]}", directive=directive)


def _lines(text: str, block: RelatedBlock) -> list[SectionLine]:
    return lines_of(text, block.start, block.end)


def _with_lines(text: str, block: RelatedBlock, lines: Sequence[SectionLine]) -> str:
    return text[: block.start] + "".join(line.raw for line in lines) + text[block.end :]


def _checked_lines(text: str, name: str, number: int, was: str | None) -> tuple[RelatedBlock, list[str]]:
    """A paragraph and its plan lines, of which one has this number, and the words `was` if they are given."""
    block = block_named(text, name)
    lines = plan_lines(text, block)
    if not 1 <= number <= len(lines):
        raise UsageError(f"the plan of paragraph {name} has no line {number}", f"it has {len(lines)}")
    if was is not None and collapsed(was) != lines[number - 1]:
        raise UsageError(f"line {number} of paragraph {name} was changed meanwhile", _AGAIN)
    return block, lines


def _with_plan_lines(text: str, block: RelatedBlock, plan: Sequence[str]) -> str:
    """The text with these plan lines, numbered, in the places of those that were there."""
    lines = _lines(text, block)
    places = [at for at, line in enumerate(lines) if _is_plan_line(line)]
    if plan == [_plan_words(lines[at]) for at in places]:
        return text
    model = lines[places[-1] if places else 0]
    new = [_with_directive(model, f"{number} {words}") for number, words in enumerate(plan, 1)]
    heads = [at for at, line in enumerate(lines) if (line.directive or "").startswith("heading")]
    first = places[0] if places else heads[-1] + 1 if heads else 1
    others = [line for at, line in enumerate(lines) if at not in places]
    return _with_lines(text, block, [*others[:first], *new, *others[first:]])


def _text_start(text: str, block: RelatedBlock) -> int:
    """The code point behind the last line of the paragraph's begin mark and plan."""
    at = end = block.start
    for line in _lines(text, block):
        at += len(line.raw)
        if line.directive and not line.directive.startswith(("note", "end")):
            end = at
        elif line.raw.strip() and not line.directive:
            break
    return end


def _beginning(text: str, block: RelatedBlock) -> int:
    """The code point at which a paragraph's first sentence belongs: behind its heading."""
    at = _text_start(text, block)
    for start, unit in units_of(text, block):
        if unit.kind == "text" and re.match(r"\\(?:sub)*(?:section|paragraph)\b|\\label\b", unit.key):
            at = start + len(unit.raw)
        else:
            break
    return at


def _note_above(text: str, start: int) -> int | None:
    """Where the line above begins, if that is a note of citeplug's on the sentence below it."""
    line = text.rfind("\n", 0, max(0, start - 1)) + 1
    match = DIRECTIVE.fullmatch(text[line:start].rstrip("\r\n")) if start else None
    return line if match is not None and match[1].startswith("note ") and not match[1].startswith(NEW) else None


def _one_line(text: str) -> str:
    words = plain(text)
    if not words:
        raise UsageError("a line of a plan needs words", "write what the sentence should say, and [its papers]")
    return words
