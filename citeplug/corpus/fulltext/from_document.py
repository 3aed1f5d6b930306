"""Texts of the author's own in other forms: HTML, Markdown, plain text and Word's .docx, by the standard library.

python-docx reads the same and wants lxml; a document's paragraphs and headings need no more than this.
"""

import io
import re
import zipfile
import zlib
from html.parser import HTMLParser
from xml.parsers import expat

from citeplug.bibtex.printed_list import references_in
from citeplug.corpus.fulltext.sections import Builder
from citeplug.corpus.fulltext.word_citations import refuse, works_in
from citeplug.errors import Unfit
from citeplug.files.decode import decode
from citeplug.records.passage import ReadText
from citeplug.text.cleaning import plain

_LARGEST = 50_000_000  # bytes of a document's text, unpacked
_SOURCES = re.compile(r"customXml/item\d+\.xml")
_MOST_PARTS = 50
_DEEPEST = 200  # elements within each other
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset("p li dd dt blockquote pre div section article td th tr table ul ol figure figcaption br".split())
_UNSEEN = frozenset("script style head nav footer noscript template svg math iframe object".split())
_ATX = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINED = re.compile(r"(=+|-{3,})\s*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")


def read_html(data: bytes) -> ReadText:
    """Read a web page: headings, paragraphs, captions; nothing in it is run or fetched."""
    parser = _Page()
    parser.feed(decode(data).text[:_LARGEST])
    parser.close()
    parser.flush()
    references = tuple(references_in(parser.paragraphs, paragraphs=True))
    return _checked(ReadText(plain(parser.title), parser.builder.sections(), references))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.builder = Builder()
        self.title = ""
        self.paragraphs: list[str] = []  # and headings
        self._text: list[str] = []
        self._hidden = 0
        self._heading: int | None = None
        self._in_title = self._in_caption = False
        self._best = 7

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        if tag in _UNSEEN:
            self._hidden += 1
        elif tag in _HEADINGS:
            self.flush()
            self._heading = _HEADINGS[tag]
        elif tag in _BLOCKS and self._heading is None:
            self.flush()
            self._in_caption = tag == "figcaption"

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        if tag in _UNSEEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _HEADINGS or tag in _BLOCKS:
            self.flush()
            self._in_caption = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title = (self.title + data)[:1_000]
        elif not self._hidden:
            self._text.append(data)

    def flush(self) -> None:
        """End the paragraph or heading that is open."""
        text = plain("".join(self._text))
        self._text.clear()
        level, self._heading = self._heading, None
        if not text:
            return
        self.paragraphs.append(text)
        if level is None:
            self.builder.paragraph(text, caption=self._in_caption)
        elif level == 1:
            # A page has its title as its one largest heading.
            self.title = self.title or text
            self.builder.head(1, text)
        else:
            self.builder.head(level - 1, text)


def read_markdown(data: bytes) -> ReadText:
    """Read Markdown: headings of either kind, paragraphs; code is left out."""
    builder, title, fenced = Builder(), "", False
    paragraph: list[str] = []

    def end_paragraph() -> None:
        builder.paragraph(_LINK.sub(r"\1", " ".join(paragraph)))
        paragraph.clear()

    lines = decode(data[:_LARGEST]).text.splitlines()
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
            end_paragraph()
        elif fenced:
            continue
        elif heading := _ATX.match(line):
            end_paragraph()
            title = title or heading[2]
            builder.head(len(heading[1]), heading[2])
        elif len(paragraph) == 1 and paragraph[0].strip() and (mark := _UNDERLINED.fullmatch(line)):
            title = title or paragraph[0]
            builder.head(1 if mark[1][0] == "=" else 2, paragraph.pop())
        elif line.strip():
            paragraph.append(line)
        else:
            end_paragraph()
    end_paragraph()
    return _checked(ReadText(plain(title), builder.sections(), tuple(references_in(lines))))


def read_plain(data: bytes) -> ReadText:
    """Read plain text: paragraphs between blank lines."""
    builder = Builder()
    text = decode(data[:_LARGEST]).text.replace("\r\n", "\n")
    paragraphs = re.split(r"\n[ \t]*\n", text)
    for paragraph in paragraphs:
        builder.paragraph(paragraph)
    first = plain(next((paragraph for paragraph in paragraphs if paragraph.strip()), ""))
    references = tuple(references_in(text.split("\n")))
    return _checked(ReadText(first if len(first) < 200 else "", builder.sections(), references))


def read_docx(data: bytes) -> ReadText:
    """Read the main text of a .docx. Raises Unfit for one that is damaged, encrypted, or unpacks to too much.

    Its references are the works that a reference manager recorded, else its printed list, else its notes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            xml, *notes = [_part(archive, name) for name in ("word/document.xml", *_notes_in(archive))]
            lists = [_part(archive, name) for name in archive.namelist() if _SOURCES.fullmatch(name)][:_MOST_PARTS]
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise Unfit(
                "encrypted", "it is encrypted, or of an older Word", "save it as .docx without a password"
            ) from None
        raise Unfit("broken", f"it is not a valid .docx ({error})", "save it again") from None
    reader, beside = _Document(), _Document()
    reader.read(xml)
    for note in notes:
        beside.read(note)
    sources = next((part for part in lists if b"Sources" in part[:1_000]), b"")
    references = (
        works_in([*reader.codes, *beside.codes], reader.tags, sources)
        or references_in(reader.paragraphs, paragraphs=True)
        or references_in(beside.paragraphs, paragraphs=True)
    )
    return _checked(ReadText(plain(reader.title), reader.builder.sections(), tuple(references)))


def _notes_in(archive: zipfile.ZipFile) -> list[str]:
    return [name for name in ("word/footnotes.xml", "word/endnotes.xml") if name in archive.namelist()]


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as part:
        data = part.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise Unfit("too_large", f"its text unpacks to more than {_LARGEST // 1_000_000} MB")
    return data


class _Document:
    """Paragraphs of Word's XML with their styles. A document type, and with it entities, is refused."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.title = ""
        self.paragraphs: list[str] = []
        self.codes: list[str] = []  # of fields, whole
        self.tags: list[str] = []  # of content controls
        self._text: list[str] = []
        self._code: list[str] = []
        self._style = ""
        self._depth = 0

    def read(self, xml: bytes) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = refuse
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._hear
        self._in_text = self._in_code = False
        try:
            parser.Parse(xml, True)
        except expat.ExpatError as error:
            raise Unfit("broken", f"its XML is damaged ({error})", "save it again") from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unfit("broken", "its XML is nested too deeply")
        if name == f"{_WORD} p":
            self._text, self._style = [], ""
        elif name == f"{_WORD} pStyle":
            self._style = attributes.get(f"{_WORD} val", "")
        elif name == f"{_WORD} t":
            self._in_text = True
        elif name == f"{_WORD} instrText":
            self._in_code = True
        elif name == f"{_WORD} fldSimple":
            self.codes.append(attributes.get(f"{_WORD} instr", ""))
        elif name == f"{_WORD} fldChar" and self._code:  # the code ends where its result or the field does
            self.codes.append("".join(self._code))
            self._code = []
        elif name == f"{_WORD} tag":
            self.tags.append(attributes.get(f"{_WORD} val", ""))
        elif name in (f"{_WORD} tab", f"{_WORD} br"):
            self._text.append(" ")

    def _hear(self, text: str) -> None:
        if self._in_text:
            self._text.append(text)
        elif self._in_code:
            self._code.append(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == f"{_WORD} t":
            self._in_text = False
        elif name == f"{_WORD} instrText":
            self._in_code = False
        elif name == f"{_WORD} p":
            self._paragraph("".join(self._text))
            self._text = []

    def _paragraph(self, text: str) -> None:
        self.paragraphs.append(text)
        style = self._style.lower().replace(" ", "")
        heading = re.fullmatch(r"(?:heading|berschrift|überschrift|titre|ttulo|título)(\d)", style)
        if not text.strip():
            return
        if style == "title":
            self.title = self.title or text
        elif heading:
            self.builder.head(int(heading[1]), text)
        else:
            self.builder.paragraph(text, caption=style == "caption")


def _checked(read: ReadText) -> ReadText:
    if not any(any(letter.isalpha() for letter in section.text) for section in read.sections):
        raise Unfit("no_text", "it has no text")
    return read
