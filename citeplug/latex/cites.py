"""Citation commands: their arguments and keys."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citeplug.latex.macros import Macro, plain_bodies, spelled_out
from citeplug.latex.scan import BLANK_LINE, LatexSource
from citeplug.latex.vocabulary import cites_many_times
from citeplug.text.scanning import ExpansionBudget

_ANGLE = re.compile(r"\s*<[^<>{}\\\r\n]{0,100}>")
_ROUND = re.compile(r"\s*\([^(){}\r\n]{0,200}\)(?=\s*[\[({])")
_REVTEX_NOTE = re.compile(r"^\*?(?:\[\{?[^\[\]]*\}?\])*")
_MORE = re.compile(r"\s*[\[{]")
_LITERALLY = re.compile(r"\\(?:detokenize|string|protect)(?![A-Za-z])\s*")
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class CiteArguments:
    """The arguments of a citation command: its `keys`, each from one of the `groups`.

    `end` is where it ends; `unclosed` if it never does.
    """

    keys: Sequence[str]
    end: int
    groups: Sequence[tuple[int, int]] = ()
    unclosed: bool = False


def read_cite(
    source: LatexSource, name: str, position: int, macros: Mapping[str, Macro], expansion: ExpansionBudget
) -> CiteArguments | None:
    """Read the arguments of the citation command `name` from `position`; None if no key argument follows.

    Before the keys may be (), <> and [] notes, on further lines too; the `\\cites` family repeats. Macros in the
    keys count in `expansion`.
    """
    string = source.string
    many = cites_many_times(name)
    if many:
        for _ in range(2):
            note = _ROUND.match(string, position)
            position = note.end() if note else position
    keys: list[str] = []
    groups: list[tuple[int, int]] = []
    end = position
    while True:
        start = _skip_notes(source, end)
        if BLANK_LINE.search(string, end, start + 1):
            break
        group = source.group(start)
        if group is None:
            at = source.skip(start)
            if not keys and string.startswith("{", at):
                return CiteArguments([], at + 1, unclosed=True)
            break
        if group[1] - group[0] > _LONGEST or BLANK_LINE.search(string, *group):
            if not keys:
                return CiteArguments([], start + 1, unclosed=True)
            break
        keys += split_keys(string[group[0] : group[1]], macros, expansion)
        groups.append(group)
        end = group[1] + 1
        if not many or not _MORE.match(string, end):
            return CiteArguments(keys, end, groups)
    return CiteArguments(keys, end, groups) if end > position else None


def _skip_notes(source: LatexSource, position: int) -> int:
    angle = _ANGLE.match(source.string, position)
    position = angle.end() if angle else position
    for _ in range(2):
        option = source.option(position)
        if option is None:
            break
        position = option[1] + 1
    return position


def split_keys(text: str, macros: Mapping[str, Macro], expansion: ExpansionBudget) -> list[str]:
    """The keys of a citation's argument: commas between them, white space collapsed, empty ones left out.

    Macros without arguments are expanded; keys in which a command remains are left out. REVTeX's
    `*[note]` before a key is no part of it.
    """
    text = spelled_out(_LITERALLY.sub("", text), plain_bodies(macros), expansion)
    if "*[" in text or "*," in text or (text.lstrip().startswith("*") and len(text.strip()) > 1):
        text = ",".join(_REVTEX_NOTE.sub("", part.strip()) for part in _outside_squares(text))
    keys = (" ".join(part.split()).strip("{}") for part in text.split(","))
    return [key for key in keys if key and not re.search(r"[\\#]", key)]


def _outside_squares(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif char == "," and depth <= 0:
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]
