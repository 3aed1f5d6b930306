"""Read the text of a `.bib` file as BibTeX reads it, and note each error at which BibTeX would stop.

BibTeX gives up on an entry at its first error and goes on at the next `@`. Here reading goes on within the entry
as well, so that its other fields are known and its other errors are found in the same run.

bibtexparser gives up on an entry at its first error, does not say where a field begins and ends, and counts braces
otherwise than BibTeX behind a backslash.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from citeplug.bibtex.values import ASSIGNMENT, NAME, BibBlock, Correction, Field, Stumble, ValueReader

_AT = re.compile(rf"@\s*({NAME})?\s*([{{(]?)")
_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*[{(]")
_FIELD_OF_LINE = re.compile(rf"^[ \t]*,?[ \t]*(?={NAME}\s*=\s*[{{\"\w])", re.MULTILINE)
_FIELD_WITHIN = re.compile(rf",\s*{NAME}\s*=\s*[{{\"\d]")
_KEYS = {"{": re.compile(r"[^\s,}]*"), "(": re.compile(r"[^\s,]*")}
_COMMENT_LINE = re.compile(r"%[^\r\n]*")
_CLOSING = {"{": "}", "(": ")"}
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_blocks(text: str, *, percent_comments: bool = False) -> list[BibBlock]:
    """Every entry, `@string` and `@preamble` of `text`, in order; those that cannot be read are there too.

    `percent_comments`: outside of values, `%` hides the rest of its line, as for Biber; BibTeX knows no comments
    but `@comment`, and reads what is between entries as nothing until the next `@`.
    """
    return list(_BlockReader(text, percent_comments=percent_comments).blocks())


@dataclass(slots=True)
class _OpenEntry:
    """An entry of which the end is not read yet; as in `BibBlock`. `closing` is the delimiter that ends it."""

    kind: str
    start: int
    closing: str
    key_at: int
    key: str | None = None
    fields: list[Field] = field(default_factory=list)

    def block(self, end: int, stumbles: Iterable[Stumble]) -> BibBlock:
        return BibBlock(self.kind, self.start, end, self.key, self.key_at, tuple(self.fields), tuple(stumbles))


@dataclass(slots=True)
class _BlockReader(ValueReader):
    percent_comments: bool = False

    def blocks(self) -> Iterator[BibBlock]:
        position = 0
        while (at := self._next_at(position)) >= 0:
            self.stumbles = []
            match = _AT.match(self.text, at)
            assert match is not None
            kind, opening = (match[1] or "").lower(), match[2]
            if kind == "comment":
                position = self._after_comment(match)
                continue
            if not kind or not opening:
                self.stumble(
                    "stray_at",
                    at,
                    "this @ does not begin an entry, but BibTeX takes it for one",
                    "remove the @ from the text between the entries",
                )
                block = BibBlock("", at, max(match.end(1), at + 1), stumbles=tuple(self.stumbles))
            elif kind == "preamble":
                _, end = self.read_value(self.skip(match.end()), "preamble")
                block = self._closed(BibBlock(kind, at, end), opening, ())
            elif kind == "string":
                block = self._string(kind, at, match.end(), opening)
            else:
                block = self._entry(kind, at, match.end(), opening)
            yield block
            position = max(block.end, at + 1)

    def _next_at(self, position: int) -> int:
        at = self.text.find("@", position)
        while at >= 0 and self.percent_comments:
            line = max(self.text.rfind("\n", position, at), self.text.rfind("\r", position, at), position - 1)
            if "%" not in self.text[line + 1 : at]:
                break
            end = _LINE_END.search(self.text, at)
            at = self.text.find("@", end.end()) if end else -1
        return at

    def _after_comment(self, match: re.Match[str]) -> int:
        """BibTeX would read entries in a comment; what somebody put into one is left alone."""
        end = self.delimiters.after_brace(match.end() - 1) if match[2] == "{" else None
        return match.end() if end is None else end

    def _string(self, kind: str, at: int, position: int, opening: str) -> BibBlock:
        position = self.skip(position)
        bib_field, position = self.read_field(position)
        if bib_field is None:
            self.stumble("broken_entry", at, "this @string cannot be read", 'write @string{name = "text"}')
            return BibBlock(kind, at, self._resume(position), stumbles=tuple(self.stumbles))
        return self._closed(BibBlock(kind, at, position, fields=(bib_field,)), opening, (bib_field,))

    def _entry(self, kind: str, at: int, position: int, opening: str) -> BibBlock:
        entry = _OpenEntry(kind, at, _CLOSING[opening], key_at=self.skip(position))
        if ASSIGNMENT.match(self.text, entry.key_at):
            self.stumble(
                "entry_without_key",
                entry.key_at,
                "the entry has no key: BibTeX takes its first field for one",
                "write a key and a comma before the first field",
            )
            return self._fields(entry, entry.key_at, first=True)
        match = _KEYS[opening].match(self.text, entry.key_at)
        assert match is not None
        entry.key = match[0]
        return self._fields(entry, match.end())

    def _fields(self, entry: _OpenEntry, position: int, *, first: bool = False, lenient: bool = False) -> BibBlock:
        """The entry, whose fields go on at `position`: behind a comma, unless nothing is before them or `lenient`."""
        while True:
            position = self.skip(position)
            if self.text.startswith(entry.closing, position):
                return entry.block(position + 1, self.stumbles)
            if not first:
                comma = position + self.text.startswith(",", position) if lenient else self._comma(entry, position)
                if comma is None:
                    return self._broken(entry, position)
                position = self._skip_extra(self.skip(comma))
                if self.text.startswith(entry.closing, position):
                    continue
            first = False
            part, position = self.read_field(position)
            if part is not None:
                entry.fields.append(part)
            if part is None or position < 0:
                return self._lost(entry, abs(position))

    # The parts of an entry

    def _comma(self, entry: _OpenEntry, position: int) -> int | None:
        """The position behind the comma; a comma that is missing is noted, None if something else is wrong."""
        if self.text.startswith(",", position):
            return position + 1
        if self.text.startswith("%", position) or not ASSIGNMENT.match(self.text, position):
            return None
        before = self._end_before(position)
        what = "field" if entry.fields or entry.key is None else "key"
        message, correction = f"a comma is missing after this {what}", Correction(before, before, ",")
        self.stumble("missing_comma", before, message, "add a comma there", correction)
        return position

    def _end_before(self, position: int) -> int:
        while position > 0 and self.text[position - 1].isspace():
            position -= 1
        return position

    def _skip_extra(self, position: int) -> int:
        """Pass over commas that BibTeX does not take, and over lines that only Biber takes for comments."""
        while True:
            if self.text.startswith(",", position):
                self.stumble(
                    "extra_comma",
                    position,
                    "there are two commas in a row",
                    "remove one",
                    Correction(position, position + 1, ""),
                )
                position = self.skip(position + 1)
            elif self.text.startswith("%", position):
                if not self.percent_comments:
                    self.stumble(
                        "percent_comment",
                        position,
                        "BibTeX allows no comments inside an entry, and stops at this %",
                        "move the line out of the entry",
                    )
                match = _COMMENT_LINE.match(self.text, position)
                assert match is not None
                position = self.skip(match.end())
            else:
                return position

    # What is wrong

    def _closed(self, block: BibBlock, opening: str, fields: tuple[Field, ...]) -> BibBlock:
        end = self.skip(abs(block.end))
        if block.end >= 0 and self.text.startswith(_CLOSING[opening], end):
            return BibBlock(block.kind, block.start, end + 1, fields=fields, stumbles=tuple(self.stumbles))
        if not self.stumbles:
            self.stumble("broken_entry", end, f"this @{block.kind} is not closed", f"close it with {_CLOSING[opening]}")
        return BibBlock(block.kind, block.start, self._resume(end), fields=fields, stumbles=tuple(self.stumbles))

    def _broken(self, entry: _OpenEntry, position: int) -> BibBlock:
        """There is neither a comma nor the end where one of them should be."""
        if self.text.startswith("%", position):
            # Behind a field a comment line needs the comma before it; BibTeX stops at both.
            self._skip_extra(position)
            match = _COMMENT_LINE.match(self.text, position)
            following = self.skip(match.end() if match else position)
            if self.text.startswith((",", entry.closing), following) or ASSIGNMENT.match(self.text, following):
                return self._fields(entry, following, lenient=True)
        elif position >= len(self.text) or _HEAD.match(self.text, position):
            end = self._end_before(position)
            self._unclosed(entry, end)
            return entry.block(end, self.stumbles)
        elif entry.key is not None and not entry.fields:
            sign = self.text[position]
            message = f"the key {entry.key} is followed by {sign!r}: a key has no spaces and ends with a comma"
            self.stumble("bad_key", position, message, "write the key without spaces, and a comma after it")
        else:
            message = f"there is {self.text[position]!r} where a comma or the end of the entry must be"
            self.stumble("broken_entry", position, message, f"write a comma or {entry.closing} there")
        return self._lost(entry, position)

    def _unclosed(self, entry: _OpenEntry, end: int) -> None:
        for part in entry.fields:
            for start, stop in part.pieces:
                if _FIELD_WITHIN.search(self.text, start + 1, stop):
                    message = f"a brace that {part.name} opens is not closed, so it swallows the next field"
                    self.stumble("unbalanced_braces", start, message, f"count the braces in {part.name}")
                    return
        correction = Correction(end, end, f"\n{entry.closing}")
        self.stumble("unclosed_entry", end, "the entry is not closed", f"close it with {entry.closing}", correction)

    def _lost(self, entry: _OpenEntry, position: int) -> BibBlock:
        """Read on at the next line that looks like a field, so that what the entry means is still known."""
        end = self._resume(position)
        following = _FIELD_OF_LINE.search(self.text, position, end)
        if following is not None and following.end() > position:
            return self._fields(entry, following.end(), lenient=True)
        return entry.block(end, self.stumbles)

    def _resume(self, position: int) -> int:
        """The position of the next entry, or the end of the text."""
        head = _HEAD.search(self.text, position)
        return head.start() if head else len(self.text)
