"""The letters and signs that TeX writes with commands. What each stands for pylatexenc's table says.

pylatexenc's converter is not used: it reads by recursion, in Python, and takes `<cit.>` for the text of `\\cite`. Its
table is loaded when the first command is met: that takes 40 ms.
"""

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
