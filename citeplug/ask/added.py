"""What an author adds to the texts that are asked of a draft: files, and papers by their arXiv ids, until removed.

Each is kept in the user's data directory under a name drawn by chance, in a folder for each draft.
"""

import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from citeplug.ask.texts import GivenText, Selection
from citeplug.bib.library.entries import holding_of_entry
from citeplug.bibtex.entries import parse_bib
from citeplug.corpus.fulltext.documents import documents_store, read_documents
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.fulltext.text_reader import SUFFIXES
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import UnreadableInput, UnsafeProject, UsageError
from citeplug.files.atomic import name_for, telling_of
from citeplug.files.decode import read_text
from citeplug.project.find_project import find_project
from citeplug.project.zips import Archive
from citeplug.records.paper import ArxivId
from citeplug.related.paper_sets import PaperSet
from citeplug.related.retrieve.cited_papers import MOST as MOST_ENTRIES
from citeplug.related.retrieve.cited_papers import papers_of_entries
from citeplug.settings.environment import Settings
from citeplug.text.file_names import why_no_name

KINDS = (*SUFFIXES, ".bib", ".zip")
FOLDER = "asked"
_MOST = 50  # additions to one draft
_NEW = "new-"
_PAPER = ".arxiv"  # a file that has an id


@dataclass(frozen=True, slots=True)
class Addition:
    """`token` names it; `path` is the file that was added, of a zip the folder that it was unpacked to."""

    token: str
    path: Path

    @property
    def paper(self) -> ArxivId | None:
        """The paper that was added by its id."""
        return ArxivId.parse(self.path.read_text("utf-8")) if self.path.suffix == _PAPER else None

    @property
    def name(self) -> str:
        paper = self.paper
        return self.path.name if paper is None else f"arXiv:{paper.value}"


class Additions:
    """The additions to what is asked of the draft `main`; `home` is the user's data directory."""

    def __init__(self, home: Path, main: Path) -> None:
        self._folder = home / FOLDER / name_for(main)

    def all(self) -> list[Addition]:
        """The earliest first."""
        places = sorted(self._folder.glob("[!n]*/*")) if self._folder.is_dir() else []
        return [Addition(place.parent.name, place) for place in places]

    @contextmanager
    def adding(self, name: str, data: bytes) -> Iterator[Path]:
        """Keep a file for the time of the block, and from then on if the block ends without an error.

        One of the same name gives way. Raises UsageError for a name or a kind that is not taken, or too many.
        """
        if why := why_no_name(name):
            raise UnsafeProject(f"a file's name {why}", "rename it")
        if not name.lower().endswith((*KINDS, _PAPER)):
            raise UsageError(f"{name} is not a kind of file that can be read", f"add files named {', '.join(KINDS)}")
        if len(self.all()) >= _MOST:
            raise UsageError(f"{_MOST} texts have already been added", "remove some first")
        token = f"{datetime.now(UTC):%Y%m%d%H%M%S}-{secrets.token_hex(6)}"
        new = self._folder / f"{_NEW}{token}"
        with telling_of(new, at_home=True):
            new.mkdir(parents=True, mode=0o700)
            try:
                (new / name).write_bytes(data)
                yield new / name
                for same in [text for text in self.all() if text.path.name == name]:
                    self.remove(same.token)
                new.rename(self._folder / token)
            finally:
                shutil.rmtree(new, ignore_errors=True)

    def remove(self, token: str) -> None:
        """Delete an addition. Raises UsageError if there is none of this name."""
        for addition in self.all():
            if addition.token == token:
                shutil.rmtree(addition.path.parent, ignore_errors=True)
                return
        raise UsageError("this was removed already", "look at the page again")

    def add_paper(self, paper: ArxivId) -> None:
        with self.adding(f"{paper.value.replace('/', '_')}{_PAPER}", str(paper).encode()):
            pass

    def selection(self, settings: Settings, main: Path | None) -> Selection:
        """What is asked: all that was added, beside the papers of the draft `main`, or alone.

        Of a .bib file these are the papers that are on this machine, and the abstracts of its other entries.
        """
        papers: list[str] = []
        files: list[Path] = []
        texts: list[GivenText] = []
        for addition in self.all():
            if (paper := addition.paper) is not None:
                papers.append(str(paper))
            elif addition.path.suffix.lower() == ".bib":
                of_file, abstracts = _works(addition.path, settings)
                papers += of_file
                texts += abstracts
            else:
                files.append(_document(addition.path))
        return Selection(PaperSet(tuple(dict.fromkeys(papers))), tuple(files), tuple(texts), main)


def check_file(path: Path, settings: Settings, report: Report) -> None:
    """Read a file that is being added, and unpack a zip in its place; what is read is kept.

    Raises UnreadableInput, UnsafeProject and UsageError for what is broken, encrypted, too large or without a text.
    """
    try:
        if path.suffix.lower() == ".bib":
            if not any(_works(path, settings)):
                raise UsageError(
                    f"of {path.name} neither papers nor abstracts are on this machine",
                    "add entries with an abstract, or get papers with 'citeplug start'",
                )
            return
        if path.suffix.lower() == ".zip":
            _unpack(path)
        with closing(documents_store(settings.home)) as store:
            read_documents([_document(path)], store, report)
    except (UnreadableInput, UnsafeProject) as error:
        shown = str(error).replace(f"{path}/", "").replace(str(path), path.name)
        raise type(error)(shown, error.hint) from error


def is_here(paper: ArxivId, settings: Settings, *, whole: bool) -> bool:
    """True if the full text of a paper is on this machine, or its abstract if not the `whole` text is wanted."""
    with closing(TextStore(settings.home)) as store:
        if store.kept([paper.value]):
            return True
    if whole:
        return False
    with open_corpus(settings) as corpus:
        return bool(corpus.papers([paper.value]))


def _unpack(path: Path) -> None:
    """Put the folder of a zip in its place."""
    folder = path.with_name("unpacked")
    (folder / ".citeplug").mkdir(parents=True)  # the top of a project: no file above it is looked at
    Archive(path).unpack(folder)
    path.unlink()
    folder.rename(path)


def _document(path: Path) -> Path:
    """The file to be read; of an unpacked zip its main file, or the folder where it is no project."""
    if path.is_dir():
        with suppress(UnreadableInput):
            return find_project(path).root
    return path


def _works(path: Path, settings: Settings) -> tuple[Sequence[str], Sequence[GivenText]]:
    """The ids of a .bib file's papers that are on this machine, and the abstracts of its other entries."""
    entries = [entry for entry in parse_bib(read_text(path).text) if entry.key][:MOST_ENTRIES]
    with open_corpus(settings) as corpus:
        papers = papers_of_entries(entries, corpus, corpus)
    others = [holding_of_entry(entry) for entry in entries if entry.key not in papers]
    texts = [GivenText(other.title or other.key, other.abstract) for other in others if other.abstract]
    return [paper.id.value for paper in papers.values()], texts
