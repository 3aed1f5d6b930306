"""Lists of references in plain text: where they are, and where their entries begin.

AnyStyle and GROBID have learnt this, and want Ruby or Java; refextract, of PyPI, is under the GPL: see
benchmarks/printed_references.py, which measures this beside it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from citeplug.bibtex.printed_entry import reference_of_text
from citeplug.records.passage import Reference
from citeplug.text.cleaning import plain

_LIST = (
    r"(?:references|bibliography|literature cited|works cited)(?: and notes)?|literatur(?:verzeichnis)?"
    r"|bibliographie|r[ée]f[ée]rences|bibliograf[íi]a|refer[eê]ncias"
)
LIST_HEADING = re.compile(rf"(?:{_LIST})[.:]?", re.IGNORECASE)
KNOWN_HEADING = re.compile(
    r"(?:abstract|summary|introduction|related works?|background|preliminaries|methods?|methodology"
    r"|materials and methods"
    r"|experiments?|experimental (?:results|setup)|evaluation|results(?: and discussion)?|discussion|conclusions?"
    rf"|conclusions? and future works?|future works?|limitations|acknowledge?ments?|{_LIST}"
    r"|(?:supplementary|supporting) (?:material|information)|appendi(?:x|ces)(?: [a-z])?|proofs)[.:]?",
    re.IGNORECASE,
)
_DRESS = re.compile(r"^(?:#{1,6}\s+|[*_]{1,3})?(?:(?:chapter\s+)?(?:\d{1,2}|[A-Z]|[IVX]{1,5})(?:\.\d{1,2})*\.?\s+)?")
_MARKS = (r"\[(\d{1,4})\]", r"(\d{1,4})\.(?=\s)", r"\((\d{1,4})\)", r"(\d{1,4})(?=\s+\D)")
_NUMBERED = tuple(re.compile(rf"\s*(?:[-*]\s+)?{mark}\s*") for mark in _MARKS)
_KEYED = re.compile(r"\s*\[([^\[\]]{1,60})\]\s*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_AHEAD, _GAP = 20, 5  # marks looked at, and numbers that may be missing between two
_LONGEST_ENTRY = 60  # lines
_MOST_WITH_YEAR = 0.6  # of a text's paragraphs, where the text is nothing but a list


def _bare(line: str) -> str:
    return _DRESS.sub("", line.strip(), count=1).strip("*_ ") if len(line) < 100 else ""


def marked_starts(lines: Sequence[str]) -> list[int]:
    """The lines that begin an entry with `[1]`, `1.`, `(1)`, `1` or `[Key99]`; none if no such mark begins the list.

    Numbers have to go up: a line that begins with the year or the volume of an entry is none of them.
    """
    for mark in _NUMBERED:
        marks = [(at, int(match[1])) for at, line in enumerate(lines) if (match := mark.match(line))]
        starts = _rising(marks)
        if len(starts) > 1 and (starts[0] == 0 or (starts[0] < 3 and marks[0][1] == 1)):
            return starts
    keyed = [at for at, line in enumerate(lines) if _KEYED.match(line)]
    if keyed and keyed[0] < 3 and (len(keyed) > 1 or len(lines) < _LONGEST_ENTRY):
        return keyed
    return [0] if lines and any(mark.match(lines[0]) for mark in _NUMBERED[:3]) else []


def _rising(marks: Sequence[tuple[int, int]]) -> list[int]:
    """The lines whose numbers follow one another; a list that begins again at 1 is another chapter's."""
    starts: list[int] = []
    last = None
    for place, (at, number) in enumerate(marks):
        ahead = [n for _, n in marks[place + 1 : place + 1 + _AHEAD]]
        follows = last is None or number == last + 1
        skips = last is not None and last < number <= last + _GAP and last + 1 not in ahead and number + 1 in ahead
        if follows or skips or (number == 1 and ahead[:3].count(2)):
            starts.append(at)
            last = number
    return starts


def without_mark(text: str) -> tuple[str | None, str]:
    """The key or number that an entry begins with, and the rest."""
    for mark in (*_NUMBERED[:3], _KEYED):
        if match := mark.match(text):
            return match[1], text[match.end() :]
    return None, text


def reference_at(text: str, number: int, place: int, *, marked: bool = True) -> Reference:
    """The reference of an entry's text; `marked`: it begins with its key."""
    key, rest = without_mark(text) if marked else (None, text)
    if marked and key is None and (match := _NUMBERED[-1].match(text)):
        key, rest = match[1], text[match.end() :]
    return replace(reference_of_text(key, plain(rest)), number=number, place=place)


def references_in(lines: Sequence[str], *, paragraphs: bool = False) -> list[Reference]:
    """The references of all lists in a text, by its lines, whose numbers are their places.

    With `paragraphs` a line that no mark joins is an entry, and none has a place. A text without a heading is a list if
    its paragraphs look like entries.
    """
    entries: list[tuple[int, str, bool]] = []
    for begin, end in _lists(lines):
        part = lines[begin:end]
        marked = marked_starts(part)
        starts = marked or _unmarked_starts(part, paragraphs)
        texts = _joined(part, starts)
        if begin or _is_list(texts):
            places = [0 if paragraphs else begin + at + 1 for at in starts]
            entries += [(place, text, bool(marked)) for place, text in zip(places, texts, strict=True)]
    return [reference_at(text, n, place, marked=marked) for n, (place, text, marked) in enumerate(entries, 1) if text]


def _lists(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    begins = [at for at, line in enumerate(lines) if LIST_HEADING.fullmatch(_bare(line))]
    if not begins:
        yield 0, len(lines)
    for at in begins:
        ends = (
            other
            for other in range(at + 1, len(lines))
            if KNOWN_HEADING.fullmatch(_bare(lines[other])) or re.match(r"#{1,6}\s", lines[other])
        )
        yield at + 1, next(ends, len(lines))


def _unmarked_starts(lines: Sequence[str], paragraphs: bool) -> list[int]:
    """Paragraphs, lines that are not indented where others are, or each line."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    if paragraphs:
        return filled
    after_blank = [at for at in filled if at == 0 or not lines[at - 1].strip()]
    if len(after_blank) > 1:
        return after_blank
    flush = [at for at in filled if not lines[at][0].isspace()]
    return flush if 0 < len(flush) < len(filled) else filled


def _joined(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    texts = []
    for begin, end in pairwise([*starts, len(lines)]):
        text = ""
        for line in lines[begin : min(end, begin + _LONGEST_ENTRY)]:
            if text and not line.strip() and begin not in starts[-1:]:
                continue
            if text and not line.strip():
                break  # what follows the last entry
            text += line.strip() if text.endswith("-") else f" {line.strip()}"
        texts.append(text.strip())
    return texts


def _is_list(entries: Sequence[str]) -> bool:
    dated = [entry for entry in entries if _YEAR.search(entry) and 20 < len(entry) < 1_500]
    return bool(dated) and len(dated) >= _MOST_WITH_YEAR * len(entries)
