"""Handles in a model's sentence, `[1]` and `[@1]`, and the part of the sentence that each of them covers."""

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
# "... was proposed by [@1]": what comes before is theirs.
_CLOSES = re.compile(r"\b(?:by|of|from|von|durch|bei)\s*$", re.IGNORECASE)
_JOINS = re.compile(r";|,\s+(?=(?:whereas|while|während|wohingegen)\b)", re.IGNORECASE)
_STOP = re.compile(r"([.!?]+[”\"’']?)$")


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text, or the citation of `handles`; `textual` where the authors' names are part of the sentence."""

    text: str = ""
    handles: tuple[int, ...] = ()
    textual: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the sentence without its citations, and the handles of the papers that it speaks of."""

    text: str
    handles: tuple[int, ...]


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


def segments(pieces: tuple[TextPiece, ...]) -> list[Segment]:
    """Segments of a sentence with the papers they speak of: a textual citation opens one, a parenthetical one closes it.

    What follows the last parenthetical citation speaks of all papers, as a sentence without citation does
    of none.
    """
    everybody = tuple(dict.fromkeys(handle for piece in pieces for handle in piece.handles))
    covered: list[Segment] = []
    for clause in _clauses(pieces):
        named = [piece for piece in clause if piece.handles]
        if len(named) <= 1:
            _add(covered, "".join(piece.text for piece in clause), named[0].handles if named else everybody)
        else:
            _divide(covered, clause, everybody)
    return covered


def _clauses(pieces: tuple[TextPiece, ...]) -> list[list[TextPiece]]:
    """Cut at semicolons and before "whereas" and "while", which join what is said of different papers."""
    clauses: list[list[TextPiece]] = [[]]
    for piece in pieces:
        parts = [piece.text] if piece.handles else _JOINS.split(piece.text)
        for number, part in enumerate(parts):
            if number:
                clauses.append([])
            clauses[-1].append(TextPiece(part, piece.handles, piece.textual))
    return clauses


def _divide(covered: list[Segment], clause: list[TextPiece], everybody: tuple[int, ...]) -> None:
    text = ""
    whose: tuple[int, ...] = ()
    for piece in clause:
        if not piece.handles:
            text += piece.text
        elif not piece.textual or _CLOSES.search(text):
            _add(covered, text, tuple(dict.fromkeys((*whose, *piece.handles))))
            text, whose = "", ()
        elif whose and text.strip(" ,") in ("", "and", "und"):
            whose = (*whose, *piece.handles)
        else:
            if whose:
                _add(covered, text, whose)
                text = ""
            whose = piece.handles
    _add(covered, text, whose or everybody)


def _add(covered: list[Segment], text: str, handles: tuple[int, ...]) -> None:
    if re.search(r"[^\W_]", text):
        covered.append(Segment(text.strip(), handles))
