"""Author names as arXiv's records write them, as "Given Family" strings."""

import re
from collections.abc import Sequence

from citeplug.text.tex_text import decode_letters

_SUFFIX = re.compile(r"[JS](?:n?r|NR|R)\.?|II|III|IV")
_ET_AL = re.compile(r"(?:^|\s+)(?:et\.?\s*al|others)\.?$", re.IGNORECASE)
_ENDS = tuple("lLsS.")  # of what that finds, which is looked for in few names
_SPLIT = re.compile(r"\s*(?:[,;]|\band\b|\s&\s)\s*")


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
    kept, depth = [], 0
    for letter in text:
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)
