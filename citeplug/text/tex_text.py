"""LaTeX to plain Unicode text, for titles and names, in linear time; and which letters and signs TeX has commands for.

What each command stands for pylatexenc's table says. Its converter is not used: it reads by recursion, in Python, and
takes `<cit.>` for the text of `\\cite`. The table is loaded when the first command is met: that takes 40 ms.
"""

import re
import unicodedata
from functools import cache, lru_cache
from typing import Any

from citeplug.text.tables import Tables

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip
T1_ACCENTS = frozenset("k")

# Names of commands without their backslash; what they have in common `tables.toml` says.
_TABLES = Tables(__name__)
LETTERS = _TABLES.words("letters")
T1_LETTERS = _TABLES.words("t1_letters")
MARKS = _TABLES.words("marks")
GREEK = _TABLES.words("greek")
SIGNS = _TABLES.words("signs")
SIGN_SYNONYMS = _TABLES.words("sign_synonyms")
STYLES = _TABLES.words("styles")
FUNCTIONS = _TABLES.words("functions")
_TEXT_SIGNS = _TABLES.pairs("signs_in_text") | dict.fromkeys(_TABLES.words("spaces"), " ")
TEXT_SIGNS = _TABLES.words("text_signs") | MARKS | _TEXT_SIGNS.keys()
_OWN = _TEXT_SIGNS | dict(zip(FUNCTIONS, FUNCTIONS, strict=True)) | _TABLES.pairs("own")


@lru_cache(4096)
def meaning(name: str) -> str | None:
    """The Unicode text that the command `\\name` without arguments prints; None if it is not known to print any."""
    if name in _OWN:
        return _OWN[name]
    spec = _pylatexenc().get_macro_spec(name)
    text = spec.simplify_repl if spec is not None else None
    # Single signs alone: the rest are patterns, and words for what it leaves out.
    return text if isinstance(text, str) and len(text) == 1 and not text.isascii() else None


@lru_cache(16)
def commands_for(names: frozenset[str]) -> dict[str, str]:
    """The commands of these names, without backslash, by the sign that each prints."""
    return {sign: name for name in sorted(names) if (sign := meaning(name)) and not sign.isascii()}


@cache
def _pylatexenc() -> Any:
    from pylatexenc.latex2text import get_default_latex_context_db

    return get_default_latex_context_db()


_COMMAND = re.compile(r"\\([A-Za-z]+|.)\s*", re.DOTALL)
_SPACING = frozenset(",;:!/-@ \t\n>(*)[]")
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
_MOST_ACCENTS = 5  # on one letter
_LONGEST = 20_000  # characters; a longer title is an attack or a mistake, and is compared by its beginning


def decode_tex(text: str, *, keep_math: bool = False) -> str:
    r"""The Unicode text that `text` prints, white space collapsed: `S{\^\i}rbu` is `Sîrbu`.

    Commands that only style are dropped with their braces; an author's own macro says its name.
    With `keep_math` closed `$...$` stay as written. Text without TeX comes back as it is (in NFC).
    """
    text = text[:_LONGEST]
    if not any(sign in text for sign in "\\{}$~`'-"):
        return unicodedata.normalize("NFC", " ".join(text.split()))
    pieces = split_math(text) if "$" in text else [(text, False)]
    out = []
    for piece, is_math in pieces:
        if is_math and keep_math:
            out.append(piece)
        else:
            out.append(_decoded(piece.strip("$"), math=True) if is_math else _decoded(piece, math=False))
    return unicodedata.normalize("NFC", " ".join("".join(out).split()))


_MATH = re.compile(r"(?<!\\)((?:\\\\)*)(\$\$?)(.+?)(?<!\\)(?:(?<!\s)\2|\2(?!\d))", re.DOTALL)


def split_math(text: str) -> list[tuple[str, bool]]:
    """Stretches of text and of math, in order; an unpaired dollar stays in the text."""
    pieces, position = [], 0
    for match in _MATH.finditer(text):
        start = match.start(2)
        pieces += [(text[position:start], False), (text[start : match.end()], True)]
        position = match.end()
    return [*pieces, (text[position:], False)]


def _decoded(text: str, *, math: bool) -> str:
    out: list[str] = []
    position = 0
    while position < len(text):
        letter = text[position]
        if letter == "\\":
            printed, position = _command(text, position, math)
            out.append(printed)
            continue
        position += 1
        if letter in "{}" or (math and letter in "^_"):
            continue
        if letter in "~\u00a0":
            out.append(" ")
        elif not math and letter in "-`'":
            run = len(text) - len(text[position - 1 :].lstrip(letter)) - position + 1
            sign = {("-", 2): "–", ("-", 3): "—", ("`", 2): "“", ("'", 2): "”"}.get((letter, run))
            out.append(sign or letter * run)
            position += run - 1
        else:
            out.append(letter)
    return "".join(out)


def _command(text: str, position: int, math: bool) -> tuple[str, int]:
    """The text of the command at `position`, and the position behind it."""
    match = _COMMAND.match(text, position)
    if match is None:
        return "", position + 1
    name, end = match[1], match.end()
    if name in ACCENTS:
        # `\=` in math and accents without a letter say nothing.
        return accented(text, end, name) or ("", end)
    if not name[0].isascii() or not name[0].isalpha():
        spaced = "" if name in "/-@!" else " "
        # White space after a control symbol counts; after a control word it does not.
        tail = position + 1 + len(name)
        return (spaced, tail) if name in _SPACING or name == "\\" else (name, tail)
    if text.startswith("{}", end):
        end += 2
    if name in STYLES:
        return "", end
    space = " " if text[end - 1].isspace() else ""
    return meaning(name) or name + space, end


def accented(text: str, position: int, accent: str) -> tuple[str, int] | None:
    """The letter at `position` with the accent of `\\accent`, and where it ends; None if there is no letter."""
    argument, end = _argument(text, position)
    if argument is None:
        return None
    base = unicodedata.normalize("NFC", _decoded(argument, math=False).strip()).replace("ı", "i").replace("ȷ", "j")
    return unicodedata.normalize("NFC", base[0] + ACCENTS[accent] + base[1:]) if base else "", end


def _argument(text: str, position: int, accents: int = 0) -> tuple[str | None, int]:
    """The braced group or the single token at `position`, behind so many accents, and where it ends."""
    if text.startswith("{", position):
        depth = 0
        for index in range(position, min(len(text), position + 60)):
            depth += {"{": 1, "}": -1}.get(text[index], 0)
            if depth == 0:
                return text[position + 1 : index], index + 1
        return None, position
    match = _TOKEN.match(text, position)
    if match is None or match[0] in "}$ " or accents > _MOST_ACCENTS:
        return None, position
    if match[0].startswith("\\") and match[0][1:] in ACCENTS:  # an accent on an accented letter
        inner, end = _argument(text, match.end(), accents + 1)
        return (match[0] + "{" + inner + "}", end) if inner is not None else (None, position)
    return match[0], match.end()


_SIGN_ACCENTS = re.escape("".join(name for name in ACCENTS if not name.isalpha()))
_WORD_ACCENTS = "".join(name for name in ACCENTS if name.isalpha() and name != "t")
_BASE = r"(?:\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])\s?|([A-Za-z]))"
_SIGN_ACCENT = re.compile(rf"\\([{_SIGN_ACCENTS}])\s*{_BASE}")
_WORD_ACCENT = re.compile(rf"\\([{_WORD_ACCENTS}])(?:\s+|(?=[{{\\])){_BASE}")
_LETTER = re.compile(rf"\\({'|'.join(sorted(LETTERS | T1_LETTERS))})(?![A-Za-z])(?:\{{\}}|\s(?=\S)|)")
_TEX_SIGNS = frozenset("\\{}~")


def decode_letters(text: str) -> str:
    r"""The text with TeX's accents and letters in Unicode, where that is certain, and everything else as it is.

    `Paul Erd\H{o}s` becomes `Paul Erdős`; `\foo{X}` stays. Braces go where no command is left.
    """
    if text.isascii() and _TEX_SIGNS.isdisjoint(text):
        return text
    if "\\" in text:
        text = _SIGN_ACCENT.sub(_accented, text)
        text = _WORD_ACCENT.sub(_accented, text)
        text = _LETTER.sub(lambda match: meaning(match[1]) or match[0], text)
    if "\\" not in text:
        text = text.replace("{", "").replace("}", "").replace("~", " ")
    return unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str]) -> str:
    base = match[2] or match[3] or match[4]
    return unicodedata.normalize("NFC", base + ACCENTS[match[1]])
