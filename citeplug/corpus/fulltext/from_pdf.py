"""A paper's text from its PDF: sections by their headings, paragraphs, captions, the list of references."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from statistics import median

from citeplug.bibtex.printed_list import KNOWN_HEADING, LIST_HEADING
from citeplug.corpus.fulltext.layout import in_reading_order
from citeplug.corpus.fulltext.pdf_lines import Line, Page, open_pdf, read_page, read_pages
from citeplug.corpus.fulltext.pdf_references import Placed, references_of_lists
from citeplug.corpus.fulltext.pdf_tables import find_tables
from citeplug.corpus.fulltext.sections import Builder
from citeplug.records.passage import ReadText
from citeplug.text.cleaning import plain

_NUMBER = r"(?:(?P<digits>\d{1,2}(?:\.\d{1,2}){0,3})\.?|(?P<roman>[IVX]{1,5})\.|(?P<letter>[A-Z](?:\.\d{1,2}){0,2})\.?)"
_NUMBERED = re.compile(rf"{_NUMBER}\s+(?P<title>\S.*)")
_ABSTRACT = re.compile(r"(abstract|summary)\s*(?:[.:—–-]\s*|$)", re.IGNORECASE)
_CAPTION = re.compile(
    r"(?:fig(?:ure)?s?\.?|table|algorithm|listing)\s*[A-Z]?\d{0,3}[IVX]{0,5}\s*[.:|—–-]", re.IGNORECASE
)
_LONGEST = 100  # characters of a heading
_LARGER = 1.07  # a heading's letters, against those of the text
_INDENT = 5.0  # points
_BELOW = 5  # lines below a heading that show how wide the text is
_ALIGNED = 2.0  # points
_LINES_OF_ENTRY = 15
_FIRST_PAGES = 2
_MOST_TEXT = 20_000  # characters of the first pages; two have about 8,000
_MOST_LINES = 60  # of a first page, among which its title is


@dataclass(slots=True)
class _Style:
    """What the text's own lines are like: size of letters, distance between lines, both in points."""

    size: float
    step: float
    bold: bool


@dataclass(slots=True)
class _Reading:
    style: _Style
    builder: Builder = field(default_factory=Builder)
    references: list[list[Placed]] = field(default_factory=list)
    in_references: bool = False
    rows: list[str] = field(default_factory=list)  # of tables, which end their section
    numbered: int = 0  # the last section's number
    in_roman: bool = False  # the last heading had a Roman number: what is below it has letters
    item: Line | None = None  # the last line with a number that is no heading

    def head(self, level: int, line: Line) -> None:
        """A section begins."""
        self.end()
        self.builder.head(level, _bare(line.text), _place(line.text))
        self.numbered, self.item = _number(line) or self.numbered, None
        match = _NUMBERED.fullmatch(line.text)
        self.in_roman = match is not None and match["roman"] is not None

    def begin_list(self) -> None:
        """A list of references begins: that of the paper, or of a chapter."""
        self.in_references = True
        self.references.append([])

    def end(self) -> None:
        """The section ends with the rows of its tables."""
        for row in self.rows:
            self.builder.paragraph(row)
        self.rows.clear()


def read_pdf(data: bytes) -> ReadText:
    """Read a PDF. Raises Unfit for one that is encrypted, broken, too long or without text."""
    pages = in_reading_order(read_pages(data))
    title = _title(pages[0]) if pages else ""
    reading = _Reading(_style(pages))
    begun, lists = _begins(pages, reading.style), _list_begins(pages)
    for page in pages:
        _read_page(reading, page, begun, lists)
    reading.end()
    return ReadText(title, reading.builder.sections(), tuple(references_of_lists(reading.references)))


def first_pages(data: bytes) -> dict[str, str]:
    """`text` of the first pages, their line in the `largest` letters, and the `title` that the file names.

    Raises Unfit for a file that is encrypted or broken.
    """
    document = open_pdf(data)
    pages = [read_page(document, number) for number in range(min(_FIRST_PAGES, len(document)))]
    lines = (line.text + "-" * line.broken for page in pages for line in page.lines)
    largest = _title(pages[0]) if pages else ""
    named = document.get_metadata_value("Title")
    return {"text": "\n".join(lines)[:_MOST_TEXT], "largest": largest[:1_000], "title": named[:1_000]}


def _style(pages: Sequence[Page]) -> _Style:
    sizes: Counter[float] = Counter()
    bold: Counter[bool] = Counter()
    steps: list[float] = []
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += len(line.text)
        steps += [before.bottom - after.bottom for before, after in pairwise(page.lines)]
    size = sizes.most_common(1)[0][0]
    for page in pages:
        bold.update(line.bold for line in page.lines if abs(line.size - size) < 0.3)
    forward = [step for step in steps if 0.8 * size < step < 3 * size]
    return _Style(size, median(forward) if forward else 1.2 * size, bold[True] > bold[False])


def _title(page: Page) -> str:
    """The first lines in the largest letters that make words."""
    lines = page.lines[:_MOST_LINES]
    for size in sorted({round(line.size, 1) for line in lines}, reverse=True)[:4]:
        run: list[str] = []
        for line in lines:
            if abs(line.size - size) < 0.2:
                run.append(line.text)
            elif run:
                break
        title = plain(" ".join(run))
        if sum(letter.isalpha() for letter in title) >= 8:
            return title
    return ""


def _begins(pages: Sequence[Page], style: _Style) -> tuple[int, int]:
    """The page and line at which the text begins: its abstract or first heading; what precedes is a title page."""
    for page in pages[:2]:
        for number, line in enumerate(page.lines):
            if _ABSTRACT.match(line.text) or (_heading(line, style) and KNOWN_HEADING.fullmatch(_bare(line.text))):
                return page.number, number
    for number, line in enumerate(pages[0].lines if pages else ()):
        if abs(line.size - style.size) < 0.3 and line.right - line.left > pages[0].width * 0.3:
            return 1, number
    return 0, 0


def _list_begins(pages: Sequence[Page]) -> tuple[int, int]:
    """The page and line of the entry [1] of a list of references; APS prints no heading above it."""
    position = (len(pages) + 1, 0)
    for page, after in zip_longest(pages, pages[1:]):
        for number, line in enumerate(page.lines):
            beyond = after.lines[:_LINES_OF_ENTRY] if after else ()
            following = (*page.lines[number + 1 :], *beyond)[:_LINES_OF_ENTRY]
            if line.text.startswith("[1] ") and any(later.text.startswith("[2] ") for later in following):
                position = page.number, number
    return position


def _bare(text: str) -> str:
    match = _NUMBERED.fullmatch(text)
    return (match["title"] if match else text).strip()


def _place(text: str) -> str:
    """`Sec. 3.2` of a heading's number. A letter may be an appendix's, or a subsection's of any section."""
    match = _NUMBERED.fullmatch(text)
    number = match and (match["digits"] or match["roman"])
    return f"Sec. {number}" if number else ""


def _heading(line: Line, style: _Style) -> int | None:
    """The level of a heading: 1 section, 2 subsection, ...; None for a line of text."""
    text = line.text
    letters = sum(letter.isalpha() for letter in text)
    if len(text) > _LONGEST or letters < 3 or letters < len(text) / 2 or text[-1] in ",;":
        return None
    bare = _bare(text)
    if not line.broken and bare[0].isupper() and KNOWN_HEADING.fullmatch(bare):
        return 1
    bold = line.bold and not style.bold
    match = _NUMBERED.fullmatch(text)
    if match is None or not bare[0].isupper():
        # Without a number only letters that are clearly others make a heading.
        return 1 if bold and (line.size > style.size * _LARGER or bare.isupper()) else None
    # IEEE sets sections in small capitals, and subsections in italics of the text's own size.
    if not (line.size > style.size * _LARGER or bold or line.slanted or bare.isupper()):
        return None
    if match["digits"]:
        return match["digits"].count(".") + 1
    return 1 if match["roman"] else match["letter"].count(".") + 2


def _stands_out(line: Line, style: _Style) -> bool:
    bare = _bare(line.text)
    return line.size > style.size * _LARGER or line.bold or bare.isupper() or KNOWN_HEADING.fullmatch(bare) is not None


def _read_page(reading: _Reading, page: Page, begun: tuple[int, int], lists: tuple[int, int]) -> None:
    builder, style = reading.builder, reading.style
    builder.turn(page.number)
    before: Line | None = None
    heading_before: Line | None = None
    in_caption = False
    tables, stop = find_tables(page.lines), 0
    for number, line in enumerate(page.lines):
        if (page.number, number) < begun or number < stop:
            continue
        if number in tables and not reading.in_references:
            stop, rows = tables[number]
            reading.rows += rows
            before, in_caption = page.lines[stop - 1], False
            continue
        level = None if _is_item(reading, line) else _heading(line, style)
        if level is None and before is not None and _is_apart(before, line, style):
            level = _centred_heading(line, page.lines[number + 1 : number + _BELOW])
        if reading.in_references and not _stands_out(line, style):
            level = None  # in a list of references, initials and slanted titles look like appendices
        if (page.number, number) == lists and not reading.in_references:
            reading.begin_list()
        if _is_continued(heading_before, line) and (level is not None or line.size > style.size * _LARGER):
            builder.lengthen_heading(line.text, joined=heading_before is not None and heading_before.broken)
            heading_before = line
            continue
        heading_before = None
        if level is not None:
            reading.in_references = LIST_HEADING.fullmatch(_bare(line.text)) is not None
            if reading.in_references:
                reading.begin_list()
            else:
                reading.head(level, line)
                heading_before = line
            before, in_caption = None, False
        elif reading.in_references:
            reading.references[-1].append((page.number, line))
            before = line
        elif (match := _ABSTRACT.match(line.text)) and builder.is_empty:
            builder.head(1, match[1].capitalize())
            builder.line(line.text[match.end() :], line.broken, new=True)
            before = line
        else:
            gap = before is not None and _is_apart(before, line, style)
            starts = _CAPTION.match(line.text) is not None and (gap or before is None)
            in_caption = starts or (in_caption and not gap)
            new = starts or gap or (before is not None and _is_indented(page, before, line))
            builder.line(line.text, line.broken, new=new, caption=in_caption)
            before = line


def _centred_heading(line: Line, below: Sequence[Line]) -> int | None:
    """The level of a heading that only its place shows: AMS sets them in the middle, in letters of the text's size."""
    match = _NUMBERED.fullmatch(line.text)
    if match is None or len(line.text) > _LONGEST or not _bare(line.text)[0].isupper() or not below:
        return None
    wide = max(below, key=lambda other: other.right - other.left)
    before, behind = line.left - wide.left, wide.right - line.right
    if min(before, behind) < 4 * _INDENT or abs(before - behind) > _INDENT:
        return None
    return match["digits"].count(".") + 1 if match["digits"] else 1


def _number(line: Line) -> int:
    """The number of a section's heading, or of a list's item; 0 without one, or of a part of a section."""
    match = _NUMBERED.fullmatch(line.text)
    return int(match["digits"]) if match and (match["digits"] or "").isdigit() else 0


def _is_item(reading: _Reading, line: Line) -> bool:
    """True for an item of a numbered list: its number is not above the last section's, or goes on with a list."""
    number, item = _number(line), reading.item
    if not number or reading.in_references or KNOWN_HEADING.fullmatch(_bare(line.text)):
        return False
    goes_on = item is not None and abs(item.left - line.left) < _ALIGNED and number == _number(item) + 1
    plain_text = _heading(line, reading.style) is None
    if goes_on or plain_text or number <= reading.numbered or reading.in_roman:
        reading.item = line
        return True
    return False


def _is_continued(heading: Line | None, line: Line) -> bool:
    return heading is not None and abs(heading.size - line.size) < 0.2 and _NUMBERED.fullmatch(line.text) is None


def _is_apart(before: Line, line: Line, style: _Style) -> bool:
    """True if more than a line's distance is between two lines; a line further up begins a column."""
    step = before.bottom - line.bottom
    return step > 1.6 * style.step or abs(before.size - line.size) > 0.15 * style.size


def _is_indented(page: Page, before: Line, line: Line) -> bool:
    same_column = abs(before.left - line.left) < page.width * 0.2 and line.bottom < before.bottom
    return same_column and line.left - before.left > _INDENT and line.left - before.left < 40
