"""Find a quotation in the text that it is said to be from, however its white space, TeX, quotes or dashes are typed."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from citeplug.text.cited_text import words
from citeplug.text.tex_text import ACCENTS, STYLES, decode_tex, meaning

SHORTEST = 5  # words; fewer are found in any text
_LONGEST = 2_000  # characters of a quotation; more is a copy, not a quotation

_SIGNS = "".join(re.escape(name) for name in ACCENTS if not name.isalpha())
_NAMED = "".join(name for name in ACCENTS if name.isalpha())
_PIECE = re.compile(
    rf"\\[{_SIGNS}]\s*(?:\{{\\?[A-Za-z]\}}|\\?[A-Za-z])|\\[{_NAMED}]\{{\\?[A-Za-z]\}}"
    r"|\\([A-Za-z]+)(?:\{\})?\s*|\\(.)|``|''|-{2,3}|\s+|.",
    re.DOTALL,
)
_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("–—―‒‐‑−", "-"),
        "\u00ad": None,
        "\u200b": None,
        "\ufeff": None,
    }
)


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """The place in `text` of what `quote` repeats word for word: code points, half-open; None if it does not.

    White space, TeX, the shape of quotes and dashes, and case are ignored, a space that is missing between two
    sentences ("quality.We") is forgiven, and so is a stop or a quotation mark at either end of the quotation; nothing
    else is. A quotation begins and ends with whole words, a hyphenated compound being one ("supervised" is not found
    in "unsupervised" or "self-supervised"), and has `SHORTEST` words or more. The first place counts.
    """
    wanted = "".join(letter for letter, _, _ in _normalised(quote[: _LONGEST + 1])).strip(" \"'.,;:")
    if len(quote) > _LONGEST or len(words(wanted)) < SHORTEST:
        return None
    letters = _normalised(text)
    letters_alone = "".join(letter for letter, _, _ in letters)
    at = letters_alone.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if _whole(letters_alone, at, end, dashed=_dashed(letters, end, text)):
            return letters[at][1], letters[end - 1][2]
        at = letters_alone.find(wanted, at + 1)
    return None


def _dashed(letters: Sequence[tuple[str, int, int]], end: int, text: str) -> bool:
    """True if what follows is a hyphen before a capital, which stands for a dash: "a new module-Wav2Sem"."""
    return end + 1 < len(letters) and letters[end][0] == "-" and text[letters[end + 1][1]].isupper()


def _whole(letters_alone: str, start: int, end: int, *, dashed: bool) -> bool:
    """True if no word, compound or number is cut at either end."""
    before, after = letters_alone[max(0, start - 2) : start], letters_alone[end : end + 2]
    joined_before = re.search(r"[^\W_]$|[^\W_][-/.]$|[\w.][-+]$", before)
    joined_after = not dashed and re.match(r"[^\W_]|[-/.][^\W_]|%", after)
    return not (
        (joined_before and letters_alone[start].isalnum())
        or (joined_after and (letters_alone[end - 1].isalnum() or letters_alone[end - 1] == "-"))
    )


@lru_cache(8)  # the arguments of a debate quote one abstract
def _normalised(text: str) -> list[tuple[str, int, int]]:
    """Letters to compare, each with the start and the end of its place in `text`."""
    out: list[tuple[str, int, int]] = []
    for match in _PIECE.finditer(text):
        if (
            match[0].isupper()
            and len(out) > 1
            and out[-1][0] in ".?!"
            and out[-2][0].isalpha()
            and text[out[-2][1]].islower()
        ):
            out.append((" ", match.start(), match.start()))
        for letter in _said(match):
            if letter == " " and (not out or out[-1][0] == " "):
                continue
            out.append((letter, match.start(), match.end()))
    return out


def _said(match: re.Match[str]) -> str:
    piece = match[0]
    if match[1] is not None:
        if match[1] in STYLES:
            return ""
        return _folded(meaning(match[1]) or match[1]) + (" " if piece[-1].isspace() else "")
    if match[2] is not None:
        return " " if match[2] in ",;:!/ \\\n" else _folded(match[2])
    if piece.startswith("\\") and len(piece) > 1:
        return _folded(decode_tex(piece))
    if piece.isspace() or piece == "~":
        return " "
    if piece in ("{", "}", "$", "\\"):
        return ""
    if piece in ("``", "''"):
        return '"'
    return "-" if piece.startswith("--") else _folded(piece)


@lru_cache(512)  # it is a letter, almost always
def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_SAME).casefold()
