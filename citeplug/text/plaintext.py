"""Plain text of the TeX in abstracts that anybody may have written, with harmless math alone."""

import re

from citeplug.text.tex_math import harmless_math
from citeplug.text.tex_text import ACCENTS, FUNCTIONS, GREEK, LETTERS, SIGNS, STYLES, T1_LETTERS, TEXT_SIGNS, decode_tex

# In place of a piece that is not understood; no sentence may keep one.
HOLE = "\ue0ff"

_PLACEHOLDER, _DOLLAR, _OPEN, _CLOSE = "\ue000", "\ue001", "\ue002", "\ue003"
_KNOWN = frozenset().union(ACCENTS, FUNCTIONS, GREEK, LETTERS, SIGNS, STYLES, T1_LETTERS, TEXT_SIGNS)
# What closes each is not looked for behind the next one of its kind: with thousands open that takes minutes.
_MATH = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|\\\((?:(?!\\\().)*?\\\)|\\\[(?:(?!\\\[).)*?\\\]")
_SILENT = re.compile(
    r"\\(?:footnote|cite[a-z]*\*?|ref|label|thanks|footnotemark|footnotetext|index)\s*(?:\[[^\[\]]*\])*\{[^{}]*\}"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)(?:\s*\{[^{}]*\})*")
_ADDRESS = re.compile(r"(?<!\S)\S*(?:https?:|ftp:|www\.)\S*")
# A pair of dollar signs around words just names two sums of money.
_WORDS = re.compile(r"(?<![\\A-Za-z{])[a-z]{3,}(?![A-Za-z}])")


def plain_text(tex: str, packages: tuple[str, ...] = (), *, holes: bool = False) -> str | None:
    """The text that `tex` prints, in Unicode, with math kept in `$...$`; None if that is not certain.

    No backslash, brace or dollar sign is left outside the math, and the math is such as is sure to print in a
    document that loads `packages`. An unknown command, an address or other math makes the answer None; with
    `holes`, `HOLE` is in its place, and None is left for unpaired dollar signs.
    """
    math: list[str] = []

    def keep(match: re.Match[str]) -> str:
        math.append(_printed(match.group(), packages))
        return f"{_PLACEHOLDER}{len(math) - 1}{_PLACEHOLDER}"

    text = re.sub("[\ue000-\ue0ff]", "", tex).replace(r"\$", _DOLLAR)
    text = _MATH.sub(keep, text)
    if "$" in text:
        return None
    text = text.replace(r"\{", _OPEN).replace(r"\}", _CLOSE)
    text = _ADDRESS.sub(HOLE, _SILENT.sub("", text))
    text = _COMMAND.sub(lambda m: m.group() if m.group(1) in _KNOWN else HOLE, text)
    text = decode_tex(text)
    text = re.sub(r"(?<!\w)`(?=\w)([^`']*)'(?!\w)", r"‘\1’", text)
    text = re.sub(r"(?<!\w)\"(?=\S)([^\"]*)(?<=\S)\"(?!\w)", r"“\1”", text)
    text = re.sub(rf"[\\$]|{_DOLLAR}|{_OPEN}|{_CLOSE}", HOLE, text)
    text = re.sub(rf"{_PLACEHOLDER}(\d+){_PLACEHOLDER}", lambda m: math[int(m.group(1))], text)
    if HOLE in text and not holes:
        return None
    return " ".join(re.sub(r"\s+([,.;:])", r"\1", text).split())


def _printed(piece: str, packages: tuple[str, ...]) -> str:
    if piece.startswith(("$$", r"\[")):
        return HOLE
    inner = (piece[2:-2] if piece.startswith(r"\(") else piece[1:-1]).strip()
    if _DOLLAR in inner or not inner.isascii() or _WORDS.search(inner) or harmless_math(inner, packages) is None:
        return HOLE
    return f"${inner}$"
