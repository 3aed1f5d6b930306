"""Author names as arXiv's records write them, as "Given Family" strings."""

import re
import unicodedata
from collections.abc import Sequence

# Only commands whose meaning is certain; everything else stays as the record has it.
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
}  # fmt: skip
_BASE = r"(?:\{\s*\\?([A-Za-z])\s*\}|\\([ij])(?![A-Za-z])\s?|([A-Za-z]))"
_SIGN_ACCENT = re.compile(r"\\(['`^\"~=.])\s*" + _BASE)
_WORD_ACCENT = re.compile(r"\\([uvHckrdb])(?:\s+|(?=[{\\]))" + _BASE)
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|dj|DJ|ng|[oOlLij])(?![A-Za-z])(?:\{\}|\s(?=\S)|)")
_TEX_SIGNS = frozenset("\\{}~")
_SUFFIX = re.compile(r"[JS](?:n?r|NR|R)\.?|II|III|IV")
_ET_AL = re.compile(r"(?:^|\s+)(?:et\.?\s*al|others)\.?$", re.IGNORECASE)
_ENDS = tuple("lLsS.")  # of what that finds, which is looked for in few names
_SPLIT = re.compile(r"\s*(?:[,;]|\band\b|\s&\s)\s*")


def decode_tex(text: str) -> str:
    """Turn TeX accents and letters into Unicode where that is certain; leave the rest, drop bare braces.

    `Paul Erd\\H{o}s` becomes `Paul Erdős`; `\\foo{X}` stays.
    """
    if text.isascii() and _TEX_SIGNS.isdisjoint(text):
        return text
    if "\\" in text:
        text = _SIGN_ACCENT.sub(_accented, text)
        text = _WORD_ACCENT.sub(_accented, text)
        text = _LETTER.sub(lambda match: _LETTERS[match[1]], text)
    if "\\" not in text:
        text = text.replace("{", "").replace("}", "").replace("~", " ")
    return unicodedata.normalize("NFC", text)


def _accented(match: re.Match[str]) -> str:
    base = match[2] or match[3] or match[4]
    return unicodedata.normalize("NFC", base + _ACCENTS[match[1]])


def names_from_parts(parts: Sequence[object]) -> tuple[str, ...]:
    """Names from the snapshot's `authors_parsed`: lists of family, given, suffix (and more, which is dropped)."""
    names = []
    for part in parts:
        if not isinstance(part, list | tuple):
            continue
        family, given, suffix = _piece(part, 0), _piece(part, 1), _piece(part, 2)
        name = " ".join(text for text in (given, family, suffix) if text)
        # ":" stands for the colon of "The X Collaboration: A, B" in records made by machine.
        if name and not _ET_AL.match(name) and name != ":":
            names.append(name)
    return tuple(names)


def _piece(part: Sequence[object], index: int) -> str:
    value = part[index] if index < len(part) else ""
    return " ".join(decode_tex(value).split()) if isinstance(value, str) else ""


def names_from_text(text: str) -> tuple[str, ...]:
    """Names from the free `authors` string: split at commas, semicolons and "and", affiliations dropped."""
    bare = decode_tex(_without_parentheses(text))
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
    """Drop what stands in parentheses, nested ones and an unclosed last one included."""
    if "(" not in text:
        return text
    kept, depth = [], 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)
