"""Removal of the texts that an insertion (`insert.py`) put into a draft. Pure: texts in, edits out.

A text is taken for citeplug's only if it was recorded, is one that an insertion writes, and is in the file as often as
it was put there. If the author has changed the text around it, only the line or name that reads citeplug's file is
taken out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from citeplug.latex.live import live
from citeplug.latex.resources import BIBLIOGRAPHY, RESOURCE, bare_name
from citeplug.project.insert import HEADING, INCLUDED, STOP, includes
from citeplug.records.finding import TextEdit

_Kind = Literal["section", "input", "resource", "printed", "list", "name"]
_Span = tuple[int, int]
_OF_SECTION = ("section", "input")

_EOL = r"(?:\r\n|\n)"
_ALONE = r"(?=[ \t]*(?:\r|\n|\Z))"
_OPENED = r"(?:\\begin\s*\{(?!document\})[^{}]*\}\s*(?:\[[^\]]*\]\s*)?)*"
# Text that may follow a section which was put in.
_NEXT = re.compile(rf"\s*(?:{_OPENED}{HEADING.pattern}|{STOP.pattern}|\Z)")
_INCLUDE = re.compile(rf"\s*{INCLUDED.pattern}")


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The edits that take out what reads the section, and what brings in its entries."""

    section: tuple[TextEdit, ...]
    entries: tuple[TextEdit, ...]


def take_back(
    inserted: Sequence[tuple[Path, str]], texts: Mapping[Path, str], tex_name: str, bib_name: str
) -> TakenBack:
    """Find what was `inserted`, by file as it was recorded, in the `texts` of the draft as they are now.

    `tex_name` and `bib_name` are the paths of citeplug's files as LaTeX writes them.
    """
    bare = bib_name.removesuffix(".bib")
    forms = _forms(_without_suffix(tex_name), bare)
    commands = {file: live(text) for file, text in texts.items()}
    alone = _is_alone(commands, bare)
    section: list[TextEdit] = []
    entries: list[TextEdit] = []
    for (file, kind, piece), count in Counter(_pieces(inserted, forms)).items():
        if file not in texts:
            continue
        whole = kind not in ("printed", "list") or alone
        spans = _spans(texts[file], commands, file, kind, piece) if whole else []
        if len(spans) != count:
            spans = _least(texts[file], commands[file], kind, forms[kind].core, bare)
        if len(spans) == count:
            (section if kind in _OF_SECTION else entries).extend(TextEdit(file, *span, "") for span in spans)
    return TakenBack(tuple(section), tuple(entries))


def left_in_record(
    inserted: Sequence[tuple[Path, str]], tex_name: str, bib_name: str, *, entries: bool
) -> list[tuple[Path, str]]:
    """The insertions to keep in the record without the section's lines; with `entries` those for its entries stay."""
    forms = _forms(_without_suffix(tex_name), bib_name.removesuffix(".bib"))
    remaining: list[tuple[Path, str]] = []
    for insertion in inserted:
        pieces = list(_pieces([insertion], forms))
        remaining += [(file, piece) for file, kind, piece in pieces if entries and kind not in _OF_SECTION]
        remaining += [] if pieces else [insertion]
    return remaining


def readers_of_section(texts: Mapping[Path, str], tex_name: str) -> list[tuple[Path, int]]:
    """The places at which an `\\input` or the like reads the section: files and lines from 1."""
    stem = _without_suffix(tex_name)
    return [
        (file, text.count("\n", 0, start) + 1)
        for file, text in texts.items()
        for start, name in includes(live(text))
        if name.removesuffix(".tex") == stem
    ]


def readers_of_entries(texts: Mapping[Path, str], bib_name: str) -> list[tuple[Path, int]]:
    """The places at which a command names the file with the entries: files and lines from 1."""
    bare = bib_name.removesuffix(".bib")
    return [
        (file, text.count("\n", 0, match.start()) + 1)
        for file, text in texts.items()
        for match in _naming(live(text))
        if bare in map(bare_name, match[1].split(","))
    ]


def _naming(commands: str) -> Iterator[re.Match[str]]:
    yield from BIBLIOGRAPHY.finditer(commands)
    yield from RESOURCE.finditer(commands)


def _without_suffix(tex_name: str) -> str:
    return PurePosixPath(tex_name).with_suffix("").as_posix()


@dataclass(frozen=True, slots=True)
class _Form:
    """A text that an insertion writes, as patterns; `core` names citeplug's file."""

    before: str
    core: str
    after: str

    @property
    def whole(self) -> re.Pattern[str]:
        return re.compile(self.before + self.core + self.after)


def _forms(name: str, bare: str) -> dict[_Kind, _Form]:
    named = re.escape(bare)
    reads = rf"\\input\{{{re.escape(name)}\}}"
    style = rf"\\bibliographystyle\{{[\w.-]+\}}{_EOL}"
    return {
        "section": _Form(rf"{_EOL}?\\section\{{Related Work\}}{_EOL}", reads, _EOL + _EOL),
        "input": _Form(_EOL + _EOL, reads, rf"{_EOL}?"),
        "resource": _Form(rf"{_EOL}?", rf"\\addbibresource\{{{named}\.bib\}}", rf"{_EOL}?"),
        "printed": _Form("", r"\\printbibliography", _EOL),
        "list": _Form(rf"{_EOL}?(?:{style})?", rf"\\bibliography\{{{named}\}}", rf"{_EOL}?"),
        "name": _Form(",?", named, ""),
    }


def _pieces(inserted: Sequence[tuple[Path, str]], forms: Mapping[_Kind, _Form]) -> Iterator[tuple[Path, _Kind, str]]:
    """The recorded texts in the pieces that they were made of: what came to the same place was recorded as one.

    A text that no insertion for these files writes is passed over.
    """
    for file, text in inserted:
        pieces: list[tuple[Path, _Kind, str]] = []
        at = 0
        while at < len(text):
            match = next(((k, m[0]) for k, form in forms.items() if (m := form.whole.match(text, at))), None)
            if match is None:
                break
            pieces.append((file, *match))
            at += len(match[1])
        if at == len(text):
            yield from pieces


def _spans(text: str, commands: Mapping[Path, str], file: Path, kind: _Kind, piece: str) -> list[_Span]:
    """The places of the piece, as it was written."""
    pattern = _EOL.join(map(re.escape, re.split(r"\r?\n", piece)))
    if kind == "name":
        return [
            (listed.start(1) + match.start(), listed.start(1) + match.end())
            for listed in BIBLIOGRAPHY.finditer(commands[file])
            for match in re.finditer(rf"(?:(?<=,)|\A|(?=,)){pattern}(?=\s*(?:,|\Z))", listed[1])
        ]
    if kind == "input" and not piece.endswith("\n"):  # it was put behind all that was on its line
        pattern += _ALONE
    matches = [m for m in re.finditer(pattern, text) if commands[file][m.start() : m.end()] == m[0]]
    if kind == "section":
        # Words that the author wrote behind it are under its heading.
        matches = [match for match in matches if _section_follows(commands, file, match.end())]
    return [match.span() for match in matches]


def _section_follows(commands: Mapping[Path, str], file: Path, at: int) -> bool:
    if _NEXT.match(commands[file], at):
        return True
    if not _INCLUDE.match(commands[file], at):
        return False
    _, name = includes(commands[file][at:])[0]
    stem = PurePosixPath(name).name.removesuffix(".tex")
    return any(
        (_NEXT.match(text) and text.strip()) or _INCLUDE.match(text)
        for other, text in commands.items()
        if other.stem == stem
    )


def _least(text: str, commands: str, kind: _Kind, core: str, bare: str) -> list[_Span]:
    """The lines, or the names in a list, that read citeplug's file, without what was written around them."""
    if kind == "printed":
        return []
    if kind in ("list", "name") and (spans := _in_lists(commands, bare)):
        return spans
    if kind == "name":
        return []
    lines = re.compile(rf"^[ \t]*{core}[ \t]*(?:\r\n|\n|\Z)", re.MULTILINE)
    return [m.span() for m in lines.finditer(text) if commands[m.start() : m.end()] == m[0]]


def _in_lists(commands: str, bare: str) -> list[_Span]:
    """The name in lists that have others too, with one comma beside it."""
    spans = []
    for listed in BIBLIOGRAPHY.finditer(commands):
        names = listed[1].split(",")
        at = listed.start(1)
        for number, name in enumerate(names if len(names) > 1 else ()):
            if name.strip() == bare:
                spans.append((at - 1, at + len(name)) if number else (at, at + len(name) + 1))
            at += len(name) + 1
    return spans


def _is_alone(commands: Mapping[Path, str], bare: str) -> bool:
    """True if the draft's bibliography has no other entries than the section's."""
    names = {bare_name(name) for text in commands.values() for match in _naming(text) for name in match[1].split(",")}
    return not names - {bare, ""}
