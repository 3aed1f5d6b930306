"""A draft of any kind: a LaTeX project, the PDF of a paper, or a text, of which an abstract is enough."""

import re
from collections.abc import Collection, Sequence
from itertools import accumulate
from pathlib import Path

from citeplug.bibtex.printed_entry import entry_of_reference
from citeplug.corpus.fulltext.from_document import read_markdown
from citeplug.corpus.fulltext.text_reader import SUFFIXES, TextReader
from citeplug.errors import Unfit, UnreadableInput, UsageError
from citeplug.files.decode import decode
from citeplug.files.project_files import as_given, in_megabytes, largest, read_beginning, read_bytes, unreadable
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import Cite, Draft, DraftSection, Span
from citeplug.records.finding import Finding
from citeplug.records.passage import ReadText, TextSection

STANDARD_INPUT = Path("-")
_PLAIN = (".txt", ".md")
_NOT_LATEX = tuple(suffix for suffix in SUFFIXES if suffix != ".tex")
_ABSTRACTS = ("abstract", "summary")
_LABEL = re.compile(
    r"^[*_]*(?:abstract|summary)[*_]*[ \t]*(?:[.:\u2013\u2014]|$)[*_ \t]*", re.IGNORECASE | re.MULTILINE
)
_LONGEST_TITLE = 200  # characters
_LONGEST_ABSTRACT = 400  # words of a text without headings; what follows is a section


def is_latex(path: Path) -> bool:
    """False for a file that is read for its text alone, and that no command changes: a PDF, Markdown, a .docx, ..."""
    return path.suffix.lower() not in _NOT_LATEX


def text_name(root: Path) -> str | None:
    """How the record names a draft; None for a LaTeX document, which is found by its sources."""
    return None if is_latex(root) else root.name


def root_of(path: Path) -> Path:
    """The root document of a project, or the PDF or text itself; absolute.

    Raises UnreadableInput as `find_root` does, UsageError for a PDF beside the document that it is made of, and for
    standard input, which has no place for a section.
    """
    if path == STANDARD_INPUT:
        raise UsageError(
            "only 'citeplug papers' reads a text from standard input", "save it to a file, such as abstract.txt"
        )
    path = as_given(path)
    if is_latex(path) or path.is_dir():
        return find_root(path)
    source = path.with_suffix(".tex")
    if path.suffix.lower() == ".pdf" and source.is_file():
        raise UsageError(f"{path.name} was made from {source.name}, which says more", f"give {source.name}")
    return path


def read_any_draft(root: Path, skip: Collection[Path] = ()) -> Draft:
    """Read a LaTeX project, as `read_draft` does, or a PDF or text. Raises UnreadableInput."""
    if is_latex(root):
        return read_draft(root, skip=skip)
    try:
        if root.suffix.lower() in _PLAIN:
            return read_text_draft(read_bytes(root), root)
        read_beginning(root, 1)
    except FileNotFoundError:
        raise UnreadableInput(f"{root} does not exist", "give a draft: its main .tex file, a PDF, or a text") from None
    except OSError as error:
        raise unreadable(root, error) from error
    try:
        with TextReader() as reader:
            return _draft(reader.read_own(root).text, root)
    except Unfit as error:
        raise UnreadableInput(f"{root} cannot be read: {error}", error.hint or "give its LaTeX source") from None


def read_text_draft(data: bytes, path: Path) -> Draft:
    """Read plain text or Markdown, in any encoding. Raises UnreadableInput for what has no words, or is not text.

    A first line that looks like a title is the title; a text without headings is an abstract.
    """
    name = "the text" if path.name == STANDARD_INPUT.name else str(path)
    if len(data) > largest(path):
        raise UnreadableInput(f"{name} is larger than {in_megabytes(largest(path))}", "give its abstract alone")
    text = decode(data).text.replace("\r\n", "\n").strip()
    if "\0" in text[:4000]:
        raise UnreadableInput(f"{name} is not plain text", "give a text, a PDF, or the main .tex file of a project")
    title = _title_line(text)
    text = text[len(title) :]
    try:
        read = read_markdown(_LABEL.sub("# Abstract\n\n", text, count=1).encode())
    except Unfit:  # nothing but a title
        read = ReadText("", ())
    if not title and not read.sections:
        raise UnreadableInput(f"{name} has no words", "write an abstract first")
    return _draft(ReadText(title or read.title, read.sections), path)


def _title_line(text: str) -> str:
    """The first line, if it stands apart from what follows and does not end as a sentence does; else empty."""
    line, _, rest = text.partition("\n")
    following = rest.partition("\n")[0]
    apart = not following.strip() or len(following) > 2 * len(line) or _LABEL.match(following)
    fits = 0 < len(line) <= _LONGEST_TITLE and not line.startswith("#") and not line.rstrip().endswith((".", ":", ","))
    return line if apart and fits and not _LABEL.match(line) else ""


def _draft(read: ReadText, path: Path) -> Draft:
    title = "" if _is_abstract(read.title) else read.title
    is_pdf = path.suffix.lower() == ".pdf"
    told, sections = _parted(title, read.sections, by_heading=is_pdf)
    nowhere = Span(path, 0, 0, 1)
    findings = []
    if is_pdf:
        count = f"the {len(read.references)} works in its reference list count" if read.references else "nothing counts"
        message = f"the draft is a PDF: {count} as cited, but where it cites them is not known"
        findings.append(Finding("draft_is_pdf", "info", message, path, fix="give its LaTeX source, if you have it"))
    if not title:
        findings.append(Finding("no_title", "info", "no title was found", path))
    if not told:
        message = "no abstract was found: searches will use the title and the sections"
        findings.append(Finding("no_abstract", "info", message, path))
    entries = tuple(entry_of_reference(reference, path) for reference in read.references)
    return Draft(
        root=path,
        files=(path,),
        title=title,
        abstract=" ".join(told.split()),
        sections=tuple(DraftSection(section.level, section.title, text, nowhere) for section, text in sections),
        cites=tuple(Cite((entry.key,), "cite", nowhere) for entry in entries),
        entries=entries,
        findings=tuple(findings),
        is_latex=False,
    )


def _parted(
    title: str, sections: Sequence[TextSection], *, by_heading: bool
) -> tuple[str, list[tuple[TextSection, str]]]:
    """The abstract, and the other sections with their texts.

    The abstract is the section with that heading; without one, and unless `by_heading`, what is before all headings.
    """
    texts = [(section, section.text[: section.captions].strip()) for section in sections]
    for section, text in texts:
        if _is_abstract(section.title):
            return text, [text for text in texts if text[0] is not section]
    if by_heading or not texts or texts[0][0].title not in ("", title):
        return "", texts
    (first, text), *others = texts
    paragraphs = text.split("\n\n")
    lengths = accumulate(len(paragraph.split()) for paragraph in paragraphs)
    count = max(1, sum(length <= _LONGEST_ABSTRACT for length in lengths))
    rest = "\n\n".join(paragraphs[count:])
    return " ".join(paragraphs[:count]), [*([(first, rest)] if rest else ()), *others]


def _is_abstract(heading: str) -> bool:
    return heading.rstrip(".:").lower() in _ABSTRACTS
