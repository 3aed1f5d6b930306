"""The public arXiv metadata snapshot: JSON Lines, one record a line, plain or compressed."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from email.utils import parsedate
from pathlib import Path
from typing import Any

from citeplug.files.json_lines import JsonLines, read_json
from citeplug.records.paper import ArxivId, Paper
from citeplug.text.cleaning import plain
from citeplug.text.tex_text import decode_letters

_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
_ISO_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
# As arXiv has it, `Mon, 2 Apr 2007 19:18:42 GMT`; the standard library's own reading takes twenty times as long.
_USUAL_DAY = re.compile(
    rf"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}}) \d\d:\d\d:\d\d GMT"
)
# Of names.
_SUFFIX = re.compile(r"[JS](?:n?r|NR|R)\.?|II|III|IV")
_ET_AL = re.compile(r"(?:^|\s+)(?:et\.?\s*al|others)\.?$", re.IGNORECASE)
_ENDS = tuple("lLsS.")  # of what that finds, which is looked for in few names
_SPLIT = re.compile(r"\s*(?:[,;]|\band\b|\s&\s)\s*")
_LINE_ID = re.compile(rb'"id"\s*:\s*"([^"\\]{5,40})"')


class SnapshotReader(JsonLines):
    """Reads one file record by record; iterate to get papers, once.

    `skipped` counts unusable lines so far, `unread` holds the ids of those that show one. All else: `JsonLines`.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.unread: set[str] = set()

    def __iter__(self) -> Iterator[Paper]:
        for _, line in self.lines():
            try:
                yield paper_from_record(read_json(line))
            except (ValueError, TypeError):
                self.skipped += 1
                self._note_id(line)

    def _note_id(self, line: bytes) -> None:
        match = _LINE_ID.search(line)
        if match:
            try:
                self.unread.add(ArxivId.parse(match[1].decode("ascii")).value)
            except ValueError:
                return


def paper_from_record(record: object) -> Paper:
    """One record of the snapshot as a paper; raises ValueError if it has no usable id or no title.

    Authors come from `authors_parsed`, else from `authors` (a string, or a list of names); there may be
    none. `published` is the date of v1, of RFC 822 or ISO form, else the first of the id's month;
    `updated` is `update_date`, else that of the last version. The number of the last version goes with the id.
    """
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise ValueError("not a record with an id")
    arxiv_id = ArxivId.parse(record["id"])
    title = _text(record.get("title"))
    if not title:
        raise ValueError(f"{arxiv_id} has no title")
    listed = record.get("versions")
    versions = [v for v in listed if isinstance(v, dict)] if isinstance(listed, list) else []
    published = _first_date(versions) or arxiv_id.month
    updated = _date(record.get("update_date")) or _first_date(reversed(versions)) or published
    return Paper(
        id=ArxivId(arxiv_id.value, arxiv_id.version or _last_version(versions)),
        title=title,
        abstract=_text(record.get("abstract")),
        authors=_authors(record),
        published=published,
        updated=max(published, updated),
        categories=_categories(record.get("categories")),
        doi=_text(record.get("doi")) or None,
        journal_ref=_text(record.get("journal-ref")) or None,
        comment=_text(record.get("comments")) or None,
        abstract_kind="summary" if record.get("abstract_kind") == "summary" else "abstract",
    )


def record_of(paper: Paper) -> dict[str, Any]:
    """The record that `paper_from_record` reads as this paper."""
    version: dict[str, Any] = {"created": paper.published.isoformat()}
    if paper.id.version is not None:
        version = {"version": f"v{paper.id.version}", **version}
    record: dict[str, Any] = {
        "id": paper.id.value,
        "title": paper.title,
        # A list: names in a string would have to be split again.
        "authors": paper.authors,
        "abstract": paper.abstract,
        "categories": " ".join(paper.categories),
        "comments": paper.comment,
        "doi": paper.doi,
        "journal-ref": paper.journal_ref,
        "versions": [version],
        "update_date": paper.updated.isoformat(),
    }
    if paper.abstract_kind != "abstract":
        record["abstract_kind"] = paper.abstract_kind
    return record


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    # Nearly all are printable, and of one line: these tests are ten times faster than the cleaning.
    if value.isprintable() and "  " not in value:
        return value.strip()
    collapsed = " ".join(value.split())
    return collapsed if collapsed.isprintable() else plain(value)


def _authors(record: Mapping[str, Any]) -> tuple[str, ...]:
    parsed, free = record.get("authors_parsed"), record.get("authors")
    names: tuple[str, ...] = ()
    if isinstance(parsed, list):
        names = names_from_parts(parsed)
    if not names and isinstance(free, str):
        names = names_from_text(free)
    if not names and isinstance(free, list):
        names = tuple(name for name in free if isinstance(name, str))
    return tuple(name for name in map(_text, names) if name)


def _categories(value: object) -> tuple[str, ...]:
    listed = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(dict.fromkeys(name for name in map(_text, listed) if name))


def _last_version(versions: list[dict[str, Any]]) -> int | None:
    name = versions[-1].get("version") if versions else None
    digits = name.removeprefix("v") if isinstance(name, str) else ""
    return int(digits) if digits.isdecimal() and len(digits) < 4 and int(digits) else None


def _first_date(versions: Iterable[dict[str, Any]]) -> date | None:
    return next((day for version in versions if (day := _date(version.get("created")))), None)


def _date(value: object) -> date | None:
    """A day of ISO form (with a time or without) or RFC 822; None if it is neither."""
    if not isinstance(value, str):
        return None
    try:
        if iso := _ISO_DAY.match(value):
            return date(int(iso[1]), int(iso[2]), int(iso[3]))
        if usual := _USUAL_DAY.fullmatch(value):
            return date(int(usual[3]), _MONTHS[usual[2]], int(usual[1]))
        parts = parsedate(value)
        return date(*parts[:3]) if parts else None
    except (ValueError, TypeError, IndexError):
        return None


def names_from_parts(parts: Sequence[object]) -> tuple[str, ...]:
    """Names from the snapshot's `authors_parsed`: lists of family, given, suffix (and more, which is dropped)."""
    names = []
    for part in parts:
        if not isinstance(part, list | tuple):
            continue
        family, forenames, suffix = _piece(part, 0), _piece(part, 1), _piece(part, 2)
        name = " ".join(text for text in (forenames, family, suffix) if text)
        # ":" stands for the colon of "The X Collaboration: A, B" in records made by machine.
        if name and not _ET_AL.match(name) and name != ":":
            names.append(name)
    return tuple(names)


def _piece(part: Sequence[object], index: int) -> str:
    value = part[index] if index < len(part) else ""
    return " ".join(decode_letters(value).split()) if isinstance(value, str) else ""


def names_from_text(text: str) -> tuple[str, ...]:
    """Names from the free `authors` string: split at commas, semicolons and "and", affiliations dropped."""
    bare = decode_letters(_without_parentheses(text))
    names: list[str] = []
    for piece in _SPLIT.split(bare):
        name = " ".join(piece.split())
        if name[-1:] in _ENDS:
            name = _ET_AL.sub("", name)
        if not (name[:1].isalpha() or any(letter.isalpha() for letter in name)):
            continue
        if names and _SUFFIX.fullmatch(name):
            names[-1] = f"{names[-1]} {name}"
        else:
            names.append(name)
    return tuple(names)


def _without_parentheses(text: str) -> str:
    """Drop text in parentheses, nested ones and an unclosed last one included."""
    if "(" not in text:
        return text
    letters, depth = [], 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            letters.append(letter)
    return "".join(letters)
