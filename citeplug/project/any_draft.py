"""A draft of either kind: a LaTeX project, or the PDF of a paper."""

from collections.abc import Collection
from pathlib import Path

from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.errors import Unfit, UnreadableInput, UsageError
from citeplug.files.project_files import as_given, read_beginning, unreadable
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import Draft, DraftSection, Span
from citeplug.records.finding import Finding

_ABSTRACTS = ("abstract", "summary")


def is_pdf(path: Path) -> bool:
    """True for a file that is named as a PDF."""
    return path.suffix.lower() == ".pdf"


def root_of(path: Path) -> Path:
    """The root document of a project, or the PDF itself; absolute.

    Raises UnreadableInput as `find_root` does, UsageError for a PDF beside the document that it is made of.
    """
    path = as_given(path)
    if not is_pdf(path) or path.is_dir():
        return find_root(path)
    source = path.with_suffix(".tex")
    if source.is_file():
        raise UsageError(f"{path.name} is made of {source.name}, which says more", f"give {source.name}")
    return path


def read_any_draft(root: Path, skip: Collection[Path] = ()) -> Draft:
    """Read a LaTeX project, as `read_draft` does, or a PDF. Raises UnreadableInput."""
    return read_pdf_draft(root) if is_pdf(root) else read_draft(root, skip=skip)


def read_pdf_draft(path: Path) -> Draft:
    """The title, abstract and sections of a PDF, read in a bounded process. Raises UnreadableInput.

    What it cites has no keys there, so that the draft has neither citations nor entries.
    """
    try:
        read_beginning(path, 1)
    except FileNotFoundError:
        raise UnreadableInput(f"{path} does not exist", "give the PDF of a paper, or its main .tex file") from None
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        with TextReader() as reader:
            read = reader.read_own(path).text
    except Unfit as error:
        raise UnreadableInput(f"{path} cannot be read: {error}", error.hint or "give its LaTeX source") from None
    abstract = next((section for section in read.sections if section.title.rstrip(".:").lower() in _ABSTRACTS), None)
    nowhere = Span(path, 0, 0, 1)
    sections = tuple(
        DraftSection(section.level, section.title, section.text[: section.captions].strip(), nowhere)
        for section in read.sections
        if section is not abstract
    )
    message = "the draft is a PDF: what it cites, its bibliography and its citation commands are not known"
    findings = [Finding("draft_is_pdf", "info", message, path, fix="give its LaTeX source, if you have it")]
    if not read.title:
        findings.append(Finding("no_title", "info", "no title was found", path))
    if abstract is None:
        message = "no abstract was found: searches will use the title and the sections"
        findings.append(Finding("no_abstract", "info", message, path))
    return Draft(
        root=path,
        files=(path,),
        title=read.title,
        abstract=" ".join(abstract.text.split()) if abstract else "",
        sections=sections,
        findings=tuple(findings),
    )
