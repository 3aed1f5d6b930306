"""Single characters: accents put on their letters, and the commands that stand for one."""

import re
import unicodedata

from citeplug.tex.vocabulary import ACCENTS, LETTERS, SYMBOLS

_AFTER_A_WORD = re.compile(r"\s*(?:\{\s*\\?([A-Za-z])\s*\}|\s([A-Za-z])|(?<=[^A-Za-z])([A-Za-z]))")
_AFTER_A_SIGN = re.compile(r"\s*(?:\{\s*(\\[A-Za-z]+|[^\W\d_])?\s*\}|(\\[ij](?![A-Za-z]))\s*|([^\W\d_]))")
_symbols: dict[str, str | None] = {}


def accented(text: str, position: int, accent: str) -> tuple[str, int] | None:
    """The letter at `position` with the accent of `\\accent`, and where it ends; None if there is no letter."""
    pattern = _AFTER_A_WORD if accent.isalpha() else _AFTER_A_SIGN
    match = pattern.match(text, position)
    if match is None:
        return None
    base = match[1] or match[2] or match[3] or ""
    base = {"\\i": "i", "\\j": "j"}.get(base, base)
    if base.startswith("\\"):
        base = LETTERS.get(base[1:], "")
    return unicodedata.normalize("NFC", base + ACCENTS[accent]) if base else "", match.end()


def symbol(name: str) -> str | None:
    """The characters that the command `\\name` without arguments stands for; None if it stands for none."""
    return LETTERS.get(name) or SYMBOLS.get(name) or _of_pylatexenc(name)


def _of_pylatexenc(name: str) -> str | None:
    if name not in _symbols:
        from pylatexenc.latex2text import get_default_latex_context_db

        spec = get_default_latex_context_db().get_macro_spec(name)
        text = spec.simplify_repl if spec is not None else None
        _symbols[name] = text if isinstance(text, str) and "%" not in text and len(text) < 8 else None
    return _symbols[name]
