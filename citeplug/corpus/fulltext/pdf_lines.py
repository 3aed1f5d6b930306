"""The lines of a PDF's pages with their places, by pdfium. Only in a process whose time and memory are bounded.

It takes 2 ms a page, where pypdf takes 20 to 40 and says little of places.
"""

import ctypes
import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from citeplug.errors import Unfit

MOST_PAGES = 1_000
_MOST_CHARACTERS = 50_000  # of a page; a dense one has 8,000
_BOLD = re.compile(r"bold|black|heavy|cmbx|sfbx|-medi(?!um)|lin(?:libertine|biolinum)[ot]?b|[,-]b[di]?$", re.IGNORECASE)
_SLANTED = re.compile(r"ital|obli|slant|cmti|cmsl|sfti|lin(?:libertine|biolinum)[ot]?b?i|[,-]b?i$", re.IGNORECASE)
_BREAK = re.compile(r"\r\n|\n|\r|\ufffe")
_BETWEEN_LINES = 2.0  # points, above or below
_GAP = 0.65  # of the size of letters: what parts the cells of a table; words of a text are closer
_SOFT = "\ufffe"  # pdfium's sign for a hyphen at the end of a line
_LETTERS = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff", "ﬃ": "ffi", "ﬄ": "ffl", "\xad": "", "\x02": "", "\x00": ""})
# Glyphs of TeX's own encodings, which bitmap fonts (Type 3) and old Type 1 fonts give as they are.
_OT1 = dict(zip("\x0b\x0c\r\x0e\x0f\x1a\x1b\x1c", ("ff", "fi", "fl", "ffi", "ffl", "æ", "œ", "ø"), strict=True))
_T1 = dict(
    zip("\x10\x11\x15\x16\x1b\x1c\x1d\x1e\x1f", ("“", "”", "–", "—", "ff", "fi", "fl", "ffi", "ffl"), strict=True)
)
_CONTROL = re.compile(r"[\x0b-\x1f]")
_LIGATURES = (("\x0b", "\x0f"), ("\x1b", "\x1f"))  # of OT1, of T1


@dataclass(frozen=True, slots=True)
class Cell:
    """A part of a line with more white space on either side than words have between them; places as in `Line`."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A printed line. Places are in points from the page's lower left corner; `top` is above `bottom`.

    `size` is that of its letters in points, `broken`: it ends within a word that the next one goes on with. `cells` are
    its parts, if it has several.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    bold: bool = False
    slanted: bool = False
    broken: bool = False
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page, its lines in the order in which the file has them. `number` counts from 1."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]


def read_pages(data: bytes) -> list[Page]:
    """The pages of a PDF. Raises Unfit for one that is encrypted, broken or too long, or has no text."""
    document = open_pdf(data)
    if len(document) > MOST_PAGES:
        problem = f"it has {len(document):,} pages, more than {MOST_PAGES:,}"
        raise Unfit("too_long", problem, "give the part that matters as a file of its own")
    pages = [read_page(document, number) for number in range(len(document))]
    if sum(letter.isalpha() for page in pages for line in page.lines for letter in line.text) < 200:
        raise Unfit("no_text", "it has no text: it may be a scan", "run text recognition (OCR) on it first")
    return pages


def open_pdf(data: bytes) -> Any:
    """The document, of pypdfium2. Raises Unfit for one that is encrypted or broken."""
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unfit("encrypted", "it needs a password", "save it without a password") from None
        raise Unfit("broken", f"it is damaged ({error})", "get it again") from None


def read_page(document: Any, index: int) -> Page:
    """The page of this number, from 0; one that is damaged is empty, since the others can be read."""
    import pypdfium2

    try:
        page = document[index]
        width, height = page.get_size()
        return Page(index + 1, width, height, tuple(_lines(page.get_textpage())))
    except pypdfium2.PdfiumError:
        return Page(index + 1, 0.0, 0.0, ())


def _lines(textpage: Any) -> list[Line]:
    import pypdfium2.raw as pdfium

    count = min(textpage.count_chars(), _MOST_CHARACTERS)
    text = textpage.get_text_range(0, count) if count else ""
    if len(text) != count:  # letters beyond the first plane, and zeros: places would be others'
        text = "".join(_character(pdfium.FPDFText_GetUnicode(textpage.raw, at)) for at in range(count))
    glyphs = _tex_glyphs(textpage, text)
    text = "".join("\x00" if at in glyphs else letter for at, letter in enumerate(text))
    lines, start = [], 0
    for end, after, mark in [*((m.start(), m.end(), m[0]) for m in _BREAK.finditer(text)), (count, count, "")]:
        for begin, stop in _rows(textpage, text, start, end):
            inside = [at for at in range(begin, stop) if not text[at].isspace()]
            letters = [glyphs.get(at, text[at]).translate(_LETTERS) for at in range(begin, stop)]
            words = " ".join("".join(letters).split())
            if inside and words:
                line = _placed(textpage, inside)
                cells = _cells(textpage, inside, letters, begin, line.size)
                lines.append(replace(line, text=words, broken=mark == _SOFT and stop == end, cells=cells))
        start = after
    return lines


def _cells(textpage: Any, inside: list[int], letters: list[str], begin: int, size: float) -> tuple[Cell, ...]:
    """The parts of a line; none if it is one. `letters` are those from `begin` on, `inside` the places of the drawn."""
    parts, edges = [[inside[0]]], []
    for before, after in pairwise(inside):
        if after > before + 1:
            _, _, right, _ = textpage.get_charbox(before)
            left, _, _, _ = textpage.get_charbox(after)
            if left - right > _GAP * size:
                edges += [right, left]
                parts.append([])
        parts[-1].append(after)
    if not edges:
        return ()
    places = [textpage.get_charbox(inside[0])[0], *edges, textpage.get_charbox(inside[-1])[2]]
    texts = [" ".join("".join(letters[part[0] - begin : part[-1] - begin + 1]).split()) for part in parts]
    return tuple(
        Cell(text, left, right) for text, left, right in zip(texts, places[::2], places[1::2], strict=True) if text
    )


def _tex_glyphs(textpage: Any, text: str) -> dict[int, str]:
    """What control characters stand for, by their places: those that are drawn. A break has no width.

    Each font has one encoding, by its ligatures; one without a ligature in a word is no font of text, but of Greek.
    """
    by_font: dict[int, list[int]] = {}
    for match in _CONTROL.finditer(text):
        if _has_width(textpage, match.start()):
            by_font.setdefault(_font(textpage, match.start()), []).append(match.start())
    glyphs: dict[int, str] = {}
    for font, drawn in by_font.items():
        signs = Counter(text[at] for at in drawn)
        old, new = (sum(count for sign, count in signs.items() if low <= sign <= high) for low, high in _LIGATURES)
        codes = _OT1 if old > 2 * new else _T1 if new > 2 * old else {}
        if any(_in_word(textpage, text, at, font) for at in drawn):
            glyphs |= {at: codes[text[at]] for at in drawn if text[at] in codes}
    return glyphs


def _in_word(textpage: Any, text: str, at: int, font: int) -> bool:
    """True if letters of the same font before or after a character make a word with it."""
    before, after = text[max(0, at - 3) : at], text[at + 1 : at + 4]
    return (_is_small(before) and _font(textpage, at - 1) == font) or (
        _is_small(after) and _font(textpage, at + 1) == font
    )


def _is_small(letters: str) -> bool:
    return len(letters) == 3 and letters.isalpha() and letters.islower()


def _font(textpage: Any, at: int) -> int:
    """A number for the font of a character; 0 for none."""
    import pypdfium2.raw as pdfium

    drawn = pdfium.FPDFText_GetTextObject(textpage.raw, at)
    font = pdfium.FPDFTextObj_GetFont(drawn) if drawn else None
    return (ctypes.cast(font, ctypes.c_void_p).value or 0) if font else 0


def _has_width(textpage: Any, at: int) -> bool:
    left, _, right, _ = textpage.get_charbox(at)
    return bool(right > left)


def _rows(textpage: Any, text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a line that stand at one height: pdfium does not part a short last line from a centred heading."""
    inside = [at for at in range(start, end) if not text[at].isspace()]
    if not inside or _apart(textpage, inside[0], inside[-1]) is False:
        return [(start, end)]
    cuts = [start]
    cuts += [after for before, after in pairwise(inside) if _apart(textpage, before, after)]
    return list(pairwise([*cuts, end]))


def _apart(textpage: Any, before: int, after: int) -> bool:
    """True if two characters are of different lines; an exponent is not."""
    _, low, _, high = textpage.get_charbox(before)
    _, bottom, _, top = textpage.get_charbox(after)
    return bool(top < low - _BETWEEN_LINES or bottom > high + _BETWEEN_LINES)


def _character(code: int) -> str:
    if code == 2:
        return _SOFT
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _placed(textpage: Any, inside: list[int]) -> Line:
    import pypdfium2.raw as pdfium

    # The first and last characters, and one in the middle, say where a line is.
    boxes = [textpage.get_charbox(at) for at in {inside[0], inside[len(inside) // 2], inside[-1]}]
    size = max(pdfium.FPDFText_GetFontSize(textpage.raw, at) for at in (inside[0], inside[len(inside) // 2]))
    # Of many PDFs every font has the size 1, and is drawn larger: then the box of a letter says it.
    size = size if size > 3 else max(top - bottom for _, bottom, _, top in boxes)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(textpage.raw, inside[len(inside) // 2], name, 128, None)
    font = name.value.decode("latin-1")
    return Line(
        "",
        min(box[0] for box in boxes),
        max(box[2] for box in boxes),
        min(box[1] for box in boxes),
        max(box[3] for box in boxes),
        size,
        _BOLD.search(font) is not None,
        _SLANTED.search(font) is not None,
    )
