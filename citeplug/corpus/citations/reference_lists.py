"""Lists of references in files: .bbl, .bib, the projects that they belong to, PDFs, and sources as arXiv has them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from citeplug.bibtex.reference_list import merged, of_entries, read_list
from citeplug.corpus.fulltext.text_reader import TextReader
from citeplug.corpus.graph.index import OWN
from citeplug.errors import Unfit, UnreadableInput
from citeplug.files.decode import read_text
from citeplug.files.project_files import NotRead, as_given, read_bytes, unreadable, walk
from citeplug.latex.project import find_root, read_draft
from citeplug.records.passage import Reference
from citeplug.text.identifiers import as_arxiv_id, find_arxiv_id

_LISTS = (".bbl", ".bib")
_TEXTS = (".pdf", ".tgz", ".tar.gz")
KINDS = (*_LISTS, ".tex", *_TEXTS)
_MOST_BYTES = 100_000_000  # of a source as arXiv sends it
_MOST_ENTRIES = 2_000_000  # files and folders: somebody's collection of e-prints


@dataclass(frozen=True, slots=True)
class FoundList:
    """The list of one paper. `citing` is its arXiv id, or `own:` and its place where no id is in a name.

    `title` is the draft's, where it is a project with a main file.
    """

    citing: str
    references: tuple[Reference, ...]
    title: str | None = None


def read_references(path: Path) -> FoundList:
    """The list of a .bbl, .bib or .tex file, or of a folder that holds one paper. Raises UnreadableInput."""
    path = as_given(path)
    if path.is_dir():
        return _of_folder(path, [file for file in _walk(path) if file.suffix.lower() in KINDS], path)
    if path.suffix.lower() == ".tex":
        return _of_draft(path, _citing(path.parent, path.parent.parent))
    if kind_of(path) in _TEXTS:
        with TextReader() as reader:
            return _of_text(path, reader)
    if path.suffix.lower() not in _LISTS:
        raise UnreadableInput(
            f"{path} is not a list of references", "name a .bbl, .bib, .tex or .pdf file, a folder, or an arXiv id"
        )
    return FoundList(_citing(path, path.parent.parent), tuple(_read(path)))


def lists_below(folder: Path, problems: list[str]) -> Iterator[FoundList]:
    """The lists of all papers in a folder: files and folders named by an arXiv id, projects, and PDFs.

    A folder is a project if a .tex, .bbl or .bib file lies in it, with all that is beneath; PDFs in it are figures,
    unless they are named by an id. What cannot be read is said in `problems`.
    """
    folder = as_given(folder)
    projects: dict[Path, list[Path]] = {}
    texts: list[Path] = []
    for path in _walk(folder):
        if kind_of(path) in _TEXTS:
            texts.append(path)
            continue
        if path.suffix.lower() not in KINDS:
            continue
        if path.suffix.lower() in _LISTS and _id_in(path.stem):
            projects.setdefault(path, []).append(path)
        else:
            above = [parent for parent in path.parents if parent.is_relative_to(folder)]
            own = next((parent for parent in above if _id_in(parent.name)), None)
            own = own or next((parent for parent in reversed(above) if parent in projects), path.parent)
            projects.setdefault(own, []).append(path)
    for place, files in projects.items():
        try:
            if place in files:
                yield FoundList(_citing(place, folder), tuple(_read(place)))
            else:
                yield _of_folder(place, files, folder)
        except UnreadableInput as error:
            problems.append(str(error))
    named = {value for place in projects if (value := _id_in(place.stem if place.is_file() else place.name))}
    with TextReader() as reader:
        for path in texts:
            value = _id_in(_stem(path))
            if value in named if value else any(above in projects for above in path.parents):
                continue
            try:
                yield _of_text(path, reader)
            except UnreadableInput as error:
                problems.append(str(error))


def _of_text(path: Path, reader: TextReader) -> FoundList:
    """The list that a PDF, or a source as arXiv sends it, prints. Raises UnreadableInput."""
    try:
        read = reader.read_own(path) if kind_of(path) == ".pdf" else reader.read_eprint(_data(path))
    except Unfit as error:
        raise UnreadableInput(f"{path} gives no text: {error}", error.hint) from None
    value = _id_in(_stem(path))
    return FoundList(value or OWN + str(path), tuple(read.text.references), read.text.title or None)


def _data(path: Path) -> bytes:
    try:
        return read_bytes(path, _MOST_BYTES)
    except OSError as error:
        raise unreadable(path, error) from error


def kind_of(path: Path) -> str:
    """The suffix that tells what a file is, in small letters; `.tar.gz` whole."""
    return ".tar.gz" if path.name.lower().endswith(".tar.gz") else path.suffix.lower()


def _stem(path: Path) -> str:
    return path.name[: -len(kind_of(path))]


def _of_folder(folder: Path, files: Sequence[Path], top: Path) -> FoundList:
    """List of the .bbl files; without one of the draft's citations; without a draft of the .bib files."""
    citing = _citing(folder, top)
    printed = [_read(file) for file in files if file.suffix.lower() == ".bbl"]
    if any(printed):
        return FoundList(citing, tuple(merged(printed)), _title(folder, files) if citing.startswith(OWN) else None)
    if any(file.suffix.lower() == ".tex" for file in files):
        try:
            of_draft = _of_draft(find_root(folder), citing)
        except UnreadableInput:
            of_draft = FoundList(citing, ())
        if of_draft.references:
            return of_draft
    return FoundList(citing, tuple(merged([_read(file) for file in files if file.suffix.lower() == ".bib"])))


def _of_draft(main: Path, citing: str) -> FoundList:
    draft = read_draft(main, prose=False)
    cited = {key for cite in draft.cites for key in cite.keys}
    entries = [entry for entry in draft.entries if entry.key in cited or "*" in cited]
    return FoundList(citing, tuple(of_entries(entries)), draft.title or None)


def _title(folder: Path, files: Sequence[Path]) -> str | None:
    if not any(file.suffix.lower() == ".tex" for file in files):
        return None
    try:
        return read_draft(find_root(folder), prose=False).title or None
    except UnreadableInput:
        return None


def _read(file: Path) -> list[Reference]:
    try:
        return read_list(read_text(file).text, file)
    except OSError as error:
        raise unreadable(file, error) from error


def _walk(folder: Path) -> Iterator[Path]:
    try:
        yield from walk(folder, most=_MOST_ENTRIES)
    except NotRead as error:
        raise unreadable(folder, error) from error


def _citing(path: Path, top: Path) -> str:
    """The id in the name of a file or of a folder around it, not above `top`; else the place itself."""
    for place in (path, *path.parents):
        value = _id_in(place.stem if place.suffix.lower() in KINDS else place.name)
        if value:
            return value
        if place == top:
            break
    return OWN + str(path)


def _id_in(name: str) -> str | None:
    """`2012.03085v2`, `arXiv-2012.03085`, and `hep-th9901001` of the old scheme, whose stroke no file has."""
    bare = name.lower().removeprefix("arxiv").lstrip("-_.:")
    letters = bare.rstrip("0123456789v")
    for text in (bare, f"{letters.rstrip('_-')}/{bare[len(letters) :]}"):
        value = as_arxiv_id(text)
        if value and find_arxiv_id({"eprint": value}) == value:  # there is such an archive
            return value
    return None
