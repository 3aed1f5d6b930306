"""Sections put together from lines or paragraphs, with the places of pages and captions."""

from dataclasses import dataclass, field

from citeplug.records.passage import TextSection
from citeplug.text.cleaning import plain

_ENDS = frozenset('.!?:;…”")]')  # of a sentence, or of a line before a list
_BETWEEN = "\n\n"


@dataclass(slots=True)
class _Paragraph:
    page: int | None
    text: str = ""
    broken: bool = False  # it ends within a word
    turns: list[tuple[int, int]] = field(default_factory=list)  # (code point, page) where it goes on


@dataclass(slots=True)
class _Open:
    level: int
    title: str
    place: str = ""
    prose: list[_Paragraph] = field(default_factory=list)
    captions: list[_Paragraph] = field(default_factory=list)


class Builder:
    """Takes headings, lines and paragraphs in reading order; `sections` is what they make."""

    def __init__(self) -> None:
        self._sections: list[_Open] = []
        self._page: int | None = None

    @property
    def is_empty(self) -> bool:
        return not self._sections

    def turn(self, page: int) -> None:
        """A page begins."""
        self._page = page

    def head(self, level: int, title: str, place: str = "") -> None:
        self._sections.append(_Open(level, plain(title), place))

    def lengthen_heading(self, more: str, *, joined: bool) -> None:
        """The last heading has another line; `joined`: it goes on with the last word."""
        self._sections[-1].title = plain(f"{self._sections[-1].title}{'' if joined else ' '}{more}")

    def line(self, text: str, broken: bool, *, new: bool, caption: bool = False) -> None:
        """A line of a paragraph, or, as it seems, of a `new` one. `broken`: the next line goes on with its last word.

        A figure or a page may stand between two lines of one sentence.
        """
        if not self._sections:
            self.head(1, "")
        section = self._sections[-1]
        into = section.captions if caption else section.prose
        if not into or (new and (caption or not _goes_on(into[-1], text))):
            into.append(_Paragraph(self._page))
        last = into[-1]
        joint = "" if last.broken or not last.text else " "
        if last.text and self._page is not None and self._page != (last.turns[-1][1] if last.turns else last.page):
            last.turns.append((len(last.text) + len(joint), self._page))
        last.text += joint + plain(text)
        last.broken = broken

    def paragraph(self, text: str, *, caption: bool = False) -> None:
        if text.strip():
            if not self._sections:
                self.head(1, "")
            into = self._sections[-1].captions if caption else self._sections[-1].prose
            into.append(_Paragraph(self._page, plain(text)))

    def sections(self) -> tuple[TextSection, ...]:
        """The sections; those without heading and text are left out."""
        return tuple(
            _closed(section) for section in self._sections if section.title or section.prose or section.captions
        )


def _goes_on(before: _Paragraph, text: str) -> bool:
    """True if a line goes on with the sentence of a paragraph."""
    return before.broken or (text[:1].islower() and before.text[-1:] not in _ENDS)


def _closed(opened: _Open) -> TextSection:
    text, captions = "", None
    pages: list[tuple[int, int]] = []
    for number, paragraph in enumerate([*opened.prose, *opened.captions]):
        if not paragraph.text:
            continue
        text += _BETWEEN if text else ""
        if number >= len(opened.prose) and captions is None:
            captions = len(text)
        here = [(0, paragraph.page), *paragraph.turns]
        pages += [(len(text) + at, page) for at, page in here if page is not None]
        text += paragraph.text
    seen = [place for at, place in enumerate(pages) if at == 0 or place[1] != pages[at - 1][1]]
    return TextSection(
        opened.level, opened.title, text, len(text) if captions is None else captions, tuple(seen), opened.place
    )
