"""Handles in a model's sentence, `[1]` and `[@1]`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_HANDLE = re.compile(r"\s*\[(@?)\s*(\d+(?:\s*[,;]\s*@?\s*\d+)*)\s*\]")
# Behind these a citation is part of the sentence.
_TEXTUAL_AFTER = re.compile(
    r"(?:^|[,;:]|\b(?:by|of|unlike|like|following|and|while|whereas|as in|see"
    r"|von|durch|bei|laut|nach|wie|und|während|wohingegen|siehe))\s*$",
    re.IGNORECASE,
)
_STOP = re.compile(r"([.!?]+[”\"’']?)$")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text, or the citation of `handles`; `textual` where the authors' names are part of the sentence."""

    text: str = ""
    handles: tuple[int, ...] = ()
    textual: bool = False


def read_handles(text: str) -> tuple[TextPiece, ...]:
    """The sentence in pieces. A handle that opens a clause or follows "by" is textual even without its `@`.

    A citation behind the full stop is moved before it.
    """
    pieces: list[TextPiece] = []
    position = 0
    for match in _HANDLE.finditer(text):
        before = text[position : match.start()]
        handles = tuple(dict.fromkeys(int(n) for n in re.findall(r"\d+", match[2])))
        follows_textual = (
            bool(pieces) and pieces[-1].textual and before.strip() in ("and", ",", ", and", "und", ", und")
        )
        opens = bool(_TEXTUAL_AFTER.search(before)) and (before.strip() or not pieces)
        textual = bool(match[1]) or follows_textual or (bool(opens) and before.strip() not in ("and", "und"))
        if before:
            pieces.append(TextPiece(before))
        pieces.append(TextPiece(handles=handles, textual=textual))
        position = match.end()
    pieces.append(TextPiece(text[position:]))
    return _stop_last(pieces)


def _stop_last(pieces: list[TextPiece]) -> tuple[TextPiece, ...]:
    """With the full stop behind the last citation, and one full stop at all."""
    if not pieces[-1].text.strip() and len(pieces) >= 3:
        index = len(pieces) - 3
        match = _STOP.search(pieces[index].text.rstrip()) if pieces[index].text else None
        if match:
            pieces[index] = TextPiece(pieces[index].text.rstrip()[: match.start()])
            pieces[-1] = TextPiece(match[1])
    last = pieces[-1].text.rstrip()
    if not re.search(r"[.!?][”\"’')]*$", last):
        pieces[-1] = TextPiece(last.rstrip(",;:") + ".")
    return tuple(piece for piece in pieces if piece.text or piece.handles)


def marked(pieces: tuple[TextPiece, ...], ids: Mapping[int, str]) -> str:
    """The text of a `Sentence`: handles become its citation markers."""
    out = ""
    for piece in pieces:
        if not piece.handles:
            out += piece.text
            continue
        kind = "author" if piece.textual else "cite"
        gap = "" if not out or out.endswith((" ", "(")) else " "
        out += f"{gap}{{{{{kind}:{','.join(ids[handle] for handle in piece.handles)}}}}}"
    return " ".join(out.split())
