r"""Plain Unicode text as ASCII LaTeX that every LaTeX prints, with nothing left in it that acts.

latexencode writes `\lesssim` and `\mathfrak` whether the document has them or not, and lets unknown letters through.
"""

import re
import unicodedata
from collections.abc import Container
from dataclasses import dataclass

from citeplug.text.cleaning import plain
from citeplug.text.folding import fold
from citeplug.text.tex_math import harmless_math
from citeplug.text.tex_text import ACCENTS, GREEK, LETTERS, MARKS, SIGNS, T1_ACCENTS, T1_LETTERS, commands_for

_ASCII = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "&": r"\&", "%": r"\%", "#": r"\#",
    "_": r"\_", "$": r"\$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_PUNCTUATION = {
    "“": "``", "”": "''", "„": "``", "‟": "``", "‘": "`", "’": "'", "‚": "`", "‛": "`", "«": "``", "»": "''", "‹": "`",
    "›": "'", "–": "--", "—": "---", "―": "---", "‒": "--", "‐": "-", "‑": "-", "…": r"\ldots{}", "\u00a0": "~",
    "\u202f": "~", "\u2007": "~", "¡": "!`", "¿": "?`", "€": "EUR", "№": "No.",
}  # fmt: skip
_MATH = {"−": "-", "°": r"^{\circ}", "″": r"^{\prime\prime}", "′": r"^{\prime}", "∗": "*", "µ": r"\mu", "‖": r"\|",
          "∼": r"\sim", "√": r"\surd", "≲": r"\leq", "≳": r"\geq", "≦": r"\leq", "≧": r"\geq", "⩽": r"\leq",
          "⩾": r"\geq", "⟶": r"\to"}  # fmt: skip
_MATH_NAMES = (SIGNS | GREEK) - {"ldots"}
_TEXT_NAMES = LETTERS | MARKS
_ACCENTS = {mark: name for name, mark in ACCENTS.items() if name != "t"}
_BELOW = frozenset("cdbk")
# Letters that LaTeX takes as they are: those of the kernel's inputenc tables, in OT1 and in T1.
_RAW_T1 = frozenset(chr(code) for code in range(0xC0, 0x17F)) - frozenset("ĦħŦŧĸŉĿŀ×÷")
_RAW_OT1 = _RAW_T1 - frozenset("ĄąĘęĮįŲųÐðĐđŊŋÞþ")
_SCRIPTS = re.compile(r"[\u00b2\u00b3\u00b9\u2070-\u208e]")
_QUOTE = re.compile(r'"')
_OPENS_AFTER = " ([{-–—/`“‘\u00a0"
# "$5 and $6" is money, and a dollar that ends a word is a letter of it: "KV$ is", "KV$-aware".
MATH_SPAN = re.compile(r"(?<!\\)(?!(?<=[^\W_])\$(?:[\s,.;:!?)”’]|-[A-Za-z]{2}))\$([^$]+)(?:(?<!\s)\$|\$(?!\d))")


@dataclass(frozen=True, slots=True)
class _Target:
    """The letters that the document can print: those of T1, and those taken as they are."""

    t1: bool
    raw: Container[str]


def _target(packages: tuple[str, ...], unicode: bool) -> _Target:
    t1 = not {"fontenc", "fontspec"}.isdisjoint(packages)
    if not unicode:
        return _Target(t1, frozenset())
    return _Target(t1, _RAW_T1 if t1 else _RAW_OT1)


def to_latex(text: str, packages: tuple[str, ...] = (), *, unicode: bool = False) -> str:
    r"""ASCII LaTeX that prints the plain text `text` in any document, with any engine and input encoding.

    Specials are escaped, accents and signs by the kernel's commands: no command, comment or brace survives as such.

    `$...$` stays math where it is harmless in a document that loads `packages`, and is printed as text
    where it is not. Control characters and terminal escapes are gone; letters that LaTeX cannot show without
    a package are folded, or become `?`. White space is collapsed; one space at either end stays.
    With `unicode`, Latin letters that LaTeX takes as they are stay so, and no accent is a command: biber
    would turn it into a letter that LaTeX may not have.
    """
    target = _target(packages, unicode)
    edges = text[:1].isspace() and bool(text.strip()), text[-1:].isspace()
    clean = unicodedata.normalize("NFC", plain(text))
    out, position = [" " if edges[0] else ""], 0
    for match in MATH_SPAN.finditer(clean):
        math = harmless_math(match[1], packages)
        if math is None:
            continue
        out += [_text(clean[position : match.start()], target, clean[:position][-1:]), f"${math}$"]
        position = match.end()
    out += [_text(clean[position:], target, clean[:position][-1:]), " " if edges[1] else ""]
    return _joined(out)


def _joined(parts: list[str]) -> str:
    """Concatenate; two formulas in a row must not make a `$$`."""
    return re.sub(r"(?<!\\)\$\$", "${}$", "".join(parts))


def _text(text: str, target: _Target, before: str) -> str:
    text = curled(text, before)
    out: list[str] = []
    for index, letter in enumerate(text):
        written = _letter(letter, target)
        previous = text[index - 1] if index else ""
        # TeX's fonts have other signs for ?` and !`, in T1 for two commas, and for dashes and quotes in a row.
        joins = (written.startswith("`") and previous in ("?", "!")) or letter == previous == ","
        alike = bool(out) and written[:1] in ("-", "'", "`") and out[-1].endswith(written[0])
        if joins or (alike and not (letter + previous).isascii()):
            written = "{}" + written
        out.append(written)
    return "".join(out)


def curled(text: str, before: str = "") -> str:
    """Straight double quotes opened or closed by the sign before them."""

    def turn(match: re.Match[str]) -> str:
        previous = text[match.start() - 1] if match.start() else before
        return "“" if not previous or previous in _OPENS_AFTER else "”"

    return _QUOTE.sub(turn, text)


def _letter(letter: str, target: _Target) -> str:
    if letter in _ASCII:
        return _ASCII[letter]
    if letter.isascii():
        return letter
    if letter in target.raw:
        return letter
    if letter in _PUNCTUATION:
        return _PUNCTUATION[letter]
    if name := commands_for(_TEXT_NAMES).get(letter):
        return "{\\" + name + "}"
    if letter in _MATH:
        return f"${_MATH[letter]}$"
    if name := commands_for(_MATH_NAMES).get(letter):
        return f"$\\{name}$"
    if target.t1 and (name := commands_for(T1_LETTERS).get(letter)):
        return "{\\" + name + "}"
    if _SCRIPTS.match(letter):
        shown = unicodedata.normalize("NFKD", letter).replace("−", "-")
        return f"${'_' if letter >= chr(0x2080) else '^'}{{{shown}}}$" if shown.isascii() else "?"
    return _accented(letter, target)


def _accented(letter: str, target: _Target) -> str:
    """A letter with accents by commands; without those that cannot be had."""
    decomposed = unicodedata.normalize("NFD", letter)
    marks = [m for m in decomposed[1:] if m in _ACCENTS and (target.t1 or _ACCENTS[m] not in T1_ACCENTS)]
    if decomposed[0].isascii() and decomposed[0].isalpha() and marks:
        # TeX stacks one accent above a letter and one below it; a second one above would be beside it.
        above = [m for m in marks if _ACCENTS[m] not in _BELOW][:1]
        below = [m for m in marks if _ACCENTS[m] in _BELOW][:1]
        if target.raw:
            composed = (unicodedata.normalize("NFC", decomposed[0] + mark) for mark in above + below)
            return next((c for c in composed if c in target.raw), decomposed[0])
        written = decomposed[0]
        if above and written in "ij":
            written = f"\\{written}"
        for mark in above + below:
            written = f"\\{_ACCENTS[mark]}{{{written}}}"
        return "{" + written + "}"
    folded = fold(letter)
    if folded == letter:
        # Marks without a letter and signs vanish; a letter of another script must be seen to be missing.
        return "?" if unicodedata.category(letter)[0] in "LN" else ""
    return "".join(_ASCII.get(c, c) for c in folded if c.isascii())
