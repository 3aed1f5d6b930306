r"""Three-way merge of a block by sentence: last generated (base), in the file (the author's), newly generated (theirs).

A sentence that the author left unchanged is replaced by its new version. One that the author changed stays, and a new
version that differs from the base is offered in a note below it:

    % citeplug:note new: ...

Sentences that the author added stay, those that the author deleted stay deleted. All text that is not word for word in
the base is the author's, and is never dropped.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from citeplug.records.section import Generated
from citeplug.section_file.alignment import succession
from citeplug.section_file.grammar import lines_of, read_related, text_hash
from citeplug.section_file.print_block import print_block
from citeplug.section_file.units import DIRECTIVE, Unit, split_units
from citeplug.text.cleaning import collapsed
from citeplug.text.scanning import newline_of

NEW = "note new: "
_HASH = re.compile(r"(\bsha256[ \t]*=[ \t]*)[0-9A-Fa-f]+")


def hash_of(generated: Generated) -> str:
    """Return the hash for the end mark of the block."""
    return text_hash("\n".join(line for line in generated.lines if not DIRECTIVE.fullmatch(line)))


def as_printed(generated: Generated) -> str:
    """Print the block as a new one."""
    return print_block(generated.plan, generated.lines)


def directives_of(generated: Generated) -> tuple[str, ...]:
    """Return the printed lines of the plan, without `% citeplug:`."""
    return read_related(print_block(generated.plan, ())).blocks[0].directives


def knows_note(base: Generated, note: str) -> bool:
    """Return True if a note is citeplug's own: printed with the base, or an offer of one of its sentences."""
    sentences = _sentences(base.lines)
    return any(note == own for s in sentences for own in s.notes) or note in {NEW + s.key for s in sentences}


def in_place_of(raw: str, generated: Generated) -> str:
    """Print the new block with the line ends and the indentation of the block `raw`."""
    indent = raw[: len(raw) - len(raw.lstrip(" \t"))]
    lines = as_printed(generated).rstrip("\n").split("\n")
    return newline_of(raw).join(indent + line for line in lines)


def filled(raw: str, theirs: Generated) -> str:
    """Add the text to the plan block `raw`; the lines of the plan stay as they are."""
    parts = _Parts.of(raw)
    text = "".join(parts.indent + line + parts.newline for line in theirs.lines)
    return parts.begin + _from_a_new_line(parts.inside, parts.newline) + text + parts.ended(theirs)


def replanned(raw: str, theirs: Generated) -> str:
    """Replace the plan's lines in the block `raw`; its text, notes and end mark stay as they are."""
    parts = _Parts.of(raw)
    plan = "".join(f"{parts.indent}% citeplug:{directive}{parts.newline}" for directive in directives_of(theirs))
    others = (line for line in lines_of(raw) if (line.directive or "note").partition(" ")[0] in ("note", "end"))
    return plan + "".join(line.raw for line in others)


def merged(raw: str, base: Generated, theirs: Generated) -> str:
    """Merge the new text into the block `raw`. The hash in its end mark is that of the generated text."""
    parts = _Parts.of(raw)
    units = split_units(parts.inside)
    if [u.key for u in units if u.kind != "directive"] == [s.key for s in _sentences(base.lines)]:
        inside = _replace_text(units, base, theirs, parts)
    else:
        inside = _Merge(units, base, theirs, parts).result()
    return parts.begin + _from_a_new_line(inside, parts.newline) + parts.ended(theirs)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A block's begin mark, inside and end mark; `newline` and `indent` are those of the file."""

    begin: str
    inside: str
    end: str
    newline: str
    indent: str

    @classmethod
    def of(cls, raw: str) -> "_Parts":
        parsed = lines_of(raw)
        lines = [line.raw for line in parsed]
        has_end = len(lines) > 1 and re.match(r"end\b", parsed[-1].directive or "") is not None
        inside = lines[1:-1] if has_end else lines[1:]
        newline = newline_of(raw)
        begin = lines[0] if lines[0].endswith(("\n", "\r")) else lines[0] + newline
        indent = raw[: len(raw) - len(raw.lstrip(" \t"))]
        return cls(begin, "".join(inside), lines[-1] if has_end else "", newline, indent)

    def ended(self, theirs: Generated) -> str:
        sha = hash_of(theirs)
        if not self.end:
            match = re.search(r"begin[ \t]+([^\s=]+)(?=\s|$)", self.begin)
            return f"{self.indent}% citeplug:end{' ' + match[1] if match else ''} sha256={sha}" + self.newline
        if _HASH.search(self.end):
            return _HASH.sub(lambda match: match[1] + sha, self.end, count=1)
        return f"{self.end.rstrip()} sha256={sha}"


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a generated text, as printed and as compared, with the notes above it."""

    text: str
    key: str
    notes: tuple[str, ...]


def _sentences(lines: Sequence[str]) -> list[_Sentence]:
    sentences: list[_Sentence] = []
    notes: list[str] = []
    for unit in split_units("\n".join(lines)):
        if unit.kind == "directive":
            notes.append(unit.key)
        else:
            sentences.append(_Sentence(unit.raw.strip(), unit.key, tuple(notes)))
            notes = []
    return sentences


def _replace_text(units: Sequence[Unit], base: Generated, theirs: Generated, parts: _Parts) -> str:
    """Replace a text that the author left unchanged; comment lines of the author's in it stay."""
    before, new = _sentences(base.lines), _sentences(theirs.lines)
    if [s.key for s in before] == [s.key for s in new]:
        return _replace_notes(units, base, before, new, parts)
    text = "".join(parts.indent + line + parts.newline for line in theirs.lines)
    out = ""
    for unit in units:
        if unit.kind == "directive" and not knows_note(base, unit.key):
            out = _from_a_new_line(out, parts.newline) + unit.raw
        elif unit.kind != "directive" and text:
            out = _from_a_new_line(out, parts.newline) + text
            text = ""
    return _from_a_new_line(out, parts.newline) + text


def _replace_notes(
    units: Sequence[Unit], base: Generated, before: Sequence[_Sentence], new: Sequence[_Sentence], parts: _Parts
) -> str:
    """Replace citeplug's notes on sentences that are as they were; one that the author deleted stays deleted."""
    out = ""
    at = 0
    for unit in units:
        if unit.kind != "directive":
            for note in new[at].notes:
                if note not in before[at].notes:
                    out = _from_a_new_line(out, parts.newline) + f"{parts.indent}% citeplug:{note}{parts.newline}"
            at += 1
        elif knows_note(base, unit.key) and not (at < len(new) and unit.key in new[at].notes):
            continue
        out += unit.raw
    return out


@dataclass(slots=True)
class _Merge:
    units: Sequence[Unit]
    base: Generated
    theirs: Generated
    parts: _Parts
    out: list[str] = field(default_factory=list)
    offered: set[str] = field(default_factory=set)

    def result(self) -> str:
        before, new = _sentences(self.base.lines), _sentences(self.theirs.lines)
        places = [place for place, unit in enumerate(self.units) if unit.kind != "directive"]
        ours = [self.units[place].key for place in places]
        pairs = succession([s.key for s in before], ours, [s.key for s in new])
        of_base, to_new = pairs.of_base, pairs.to_new
        # Sentences that the author has taken over are not offered or added again.
        there = collapsed(" ".join(ours))
        present = {to_new[b] for b in of_base.values() if b in to_new}
        answered = {*to_new.values(), *pairs.dropped, *(t for several in pairs.offers.values() for t in several)}
        added = self._added(new, answered, present, there)
        base_of = {places[number]: b for number, b in of_base.items()}
        renewed = [to_new[b] for place, b in base_of.items() if b in to_new and self.units[place].key == before[b].key]
        placed = {new[t].key for t in renewed} | {
            sentence.key for sentences in added.values() for sentence in sentences
        }
        latest = {before[b].key: new[t].key for b, t in to_new.items()}
        offerable = {s.key for s in new if s.key not in placed and s.key not in there}
        due: tuple[_Sentence, ...] = ()  # behind a heading's label
        for place, unit in enumerate(self.units):
            if unit.kind == "directive":
                self._directive(unit, place, new, offerable, latest)
                continue
            self._add(added.pop(-1, ()))
            b = base_of.get(place)
            t = to_new.get(b) if b is not None else None
            if b is None:
                self.out.append(unit.raw)
            elif unit.key == before[b].key:
                self._replace(unit, before[b], new[t] if t is not None else None)
            else:
                self.out.append(unit.raw)
                newer = (*(() if t is None or new[t].key == before[b].key else (t,)), *pairs.offers.get(b, ()))
                for key in (new[number].key for number in newer if new[number].key in offerable):
                    self._offer(unit, key)
            due = (*due, *(added.pop(t, ()) if t is not None else ()))
            if not any(after.key.startswith("\\label") for after in self.units[place + 1 : place + 2]):
                self._add(due)
                due = ()
        self._add(added.pop(-1, ()))
        return "".join(self.out)

    def _added(
        self, new: Sequence[_Sentence], answered: set[int], present: set[int], there: str
    ) -> dict[int, tuple[_Sentence, ...]]:
        """Return the new sentences that answer to none of the base, by the index of the one before; -1: none."""
        added: dict[int, tuple[_Sentence, ...]] = {}
        anchor = -1
        for place, sentence in enumerate(new):
            if place in present:
                anchor = place
            elif place not in answered and sentence.key not in there:
                added[anchor] = (*added.get(anchor, ()), sentence)
        return added

    def _directive(
        self, unit: Unit, place: int, new: Sequence[_Sentence], offerable: set[str], latest: Mapping[str, str]
    ) -> None:
        """Keep a directive of the author's, an offer in its latest form, and a note whose sentence is still there."""
        if not knows_note(self.base, unit.key):
            self.out.append(unit.raw)
        elif unit.key.startswith(NEW):
            offer = unit.key.removeprefix(NEW)
            newest = latest.get(offer, offer)
            if newest not in offerable or newest in self.offered:
                return
            if newest == offer:
                self.offered.add(offer)
                self.out.append(unit.raw)
            else:
                self._offer(unit, newest)
        else:
            below = next((u.key for u in self.units[place + 1 :] if u.kind != "directive"), None)
            if any(s.key == below and unit.key in s.notes for s in new):
                self.out.append(unit.raw)

    def _replace(self, unit: Unit, base: _Sentence, sentence: _Sentence | None) -> None:
        if sentence is not None and sentence.key == unit.key:
            self._notes(replace(sentence, notes=tuple(note for note in sentence.notes if note not in base.notes)))
            self.out.append(unit.raw)
        elif sentence is not None:
            self._notes(sentence)
            self.out.append(unit.lead + sentence.text + unit.trail)
        elif len(breaks := re.findall(r"\r\n|\r|\n", unit.trail)) > 1:
            self.out += breaks[1:]  # a blank line between two paragraphs is the author's

    def _offer(self, unit: Unit, key: str) -> None:
        if key not in self.offered:
            self.offered.add(key)
            self._line(f"% citeplug:{NEW}{key}", self._indent_of(unit))

    def _add(self, sentences: Sequence[_Sentence]) -> None:
        for sentence in sentences:
            self._notes(sentence)
            self._line(sentence.text, self.parts.indent)

    def _notes(self, sentence: _Sentence) -> None:
        for note in sentence.notes:
            self._line(f"% citeplug:{note}", self.parts.indent)

    def _line(self, line: str, indent: str) -> None:
        before = "".join(self.out[-1:])
        if before and not before.endswith(("\n", "\r")):
            self.out.append(self.parts.newline)
        self.out.append(indent + line + self.parts.newline)

    def _indent_of(self, unit: Unit) -> str:
        return unit.lead.rpartition("\n")[2]


def _from_a_new_line(text: str, newline: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + newline
