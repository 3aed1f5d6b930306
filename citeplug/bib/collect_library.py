"""The author's own library: read .bib files and PDFs, group them by work, and link works to arXiv's records."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from citeplug.bib.cite import is_generated
from citeplug.bib.library.entries import LINKED, holdings_of_bib, linked_pdfs
from citeplug.bib.library.works import (
    LibraryWork,
    describe_holding,
    holding_of_pdf,
    holding_of_text,
    with_ids,
    works_of,
)
from citeplug.corpus.fulltext.text_reader import SUFFIXES, TextReader, read_first_pages
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import StoreBusy, Unfit, UnreadableInput, UsageError
from citeplug.files.decode import read_text
from citeplug.files.project_files import TooMany, as_given, unreadable, walk
from citeplug.records.paper import LIBRARY, Paper
from citeplug.records.work import Holding
from citeplug.settings.environment import Settings
from citeplug.text.compare import compare_titles
from citeplug.text.sameness import describe_paper, same_paper

_IN_FOLDERS = (".bib", ".pdf")  # others are taken where they are named: a folder's notes are no papers
_KINDS = (".bib", *SUFFIXES)
_SAID = "give a .bib file, a PDF, a .tex, .md, .txt, .docx or .html file, or a folder of .bib files and PDFs"
_MOST_FILES = 20_000
_MOST_ENTRIES = 1_000_000  # files and folders: not a project's, but the user's own collection
_TITLES = 8  # records of the catalogue to choose among


@dataclass(slots=True)
class LibraryReport:
    """Result of a change of the library. `works` are in it now, `on_arxiv` of them have a record from arXiv.

    `added`, `gone` (removed) and `unchanged` count entries and PDFs; `not_citable` works have no entry with a title and
    authors. `problems` are messages about files and entries that could not be read.
    """

    files: int = 0
    added: int = 0
    gone: int = 0
    unchanged: int = 0
    works: int = 0
    on_arxiv: int = 0
    without_abstract: int = 0
    not_citable: int = 0
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class ListedWork:
    """A work of the library. `citable`: it has an entry with a title and authors, or a record of arXiv's."""

    id: str
    on_arxiv: bool
    key: str | None
    title: str
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    has_abstract: bool
    citable: bool
    files: tuple[str, ...]
    collections: tuple[str, ...] = ()


def add(settings: Settings, paths: Sequence[Path], report: Report, *, linked: bool = False) -> LibraryReport:
    """Add .bib files, PDFs and those in folders, and other files with a text; one that was added before is read again.

    With `linked`, the PDFs that JabRef's files name come too; they are not read now.

    Raises UnreadableInput if a path has nothing to read, StoreBusy if another process changes the library.
    """
    began, done = time.monotonic(), LibraryReport()
    files = _files(paths)
    new: list[Holding] = []
    read: set[Path] = set()
    with TextReader() as reader:
        for number, file in enumerate(files):
            report("read your files", number, len(files))
            try:
                holdings = _read(file, reader, done.problems)
                read.add(file)
                new += holdings
                if linked and file.suffix.lower() == ".bib":
                    new += linked_pdfs(read_text(file).text, file, holdings)
            except UnreadableInput as error:
                if len(files) == 1:
                    raise
                done.problems.append(f"{error}; {error.hint}" if error.hint else str(error))
    done.files = len(read)
    with open_corpus(settings) as corpus, corpus.one_change_of_library():
        before = corpus.library.holdings()
        known = {holding: value for value, holding in before}
        # A file that was in a folder given now and is deleted is removed from the library.
        folders = [path.absolute() for path in paths if path.is_dir()]
        gone = {h.file for _, h in before if any(h.file.is_relative_to(f) for f in folders) and not h.file.exists()}
        again = read | gone | {h.file for h in new if h.kind == "pdf"}
        marks = tuple(f"{LINKED}{file}: " for file in read)
        again |= {h.file for _, h in before if h.names and h.names[0].startswith(marks)}
        others = [(value, holding) for value, holding in before if holding.file not in again]
        store_holdings(corpus, [*others, *((known.get(holding), holding) for holding in new)], done, report)
        done.added = len(set(new) - known.keys())
        done.unchanged = len(set(new) & known.keys())
        done.gone = len(known.keys() - set(new) - {holding for _, holding in others})
    done.seconds = time.monotonic() - began
    return done


def add_holdings(corpus: Corpus, new: Sequence[Holding]) -> None:
    """Add holdings to the library; the caller holds the lock for changes of it."""
    holdings = [*corpus.library.holdings(), *((None, holding) for holding in new)]
    store_holdings(corpus, holdings, LibraryReport(), lambda *_: None)


def remove(settings: Settings, names: Sequence[str]) -> LibraryReport:
    """Remove the entries and PDFs of files or folders, or those with a key, from the library; the files stay.

    Raises UsageError if a name is neither a file, a folder nor a key of the library.
    """
    began, done = time.monotonic(), LibraryReport()
    with open_corpus(settings) as corpus, corpus.one_change_of_library():
        before = corpus.library.holdings()
        out: set[int] = set()
        for name in names:
            path = as_given(name)
            files = {
                number
                for number, (value, holding) in enumerate(before)
                if holding.file.is_relative_to(path)
                or (name == "zotero" and any(other.startswith("zotero:") for other in holding.names))
                or name in (value, value.removeprefix(LIBRARY), holding.key)
            }
            if not files:
                raise UsageError(f"your library has neither a file nor a key {name}", "see 'citeplug library list'")
            out |= files
        store_holdings(corpus, [pair for number, pair in enumerate(before) if number not in out], done, lambda *_: None)
        done.gone = len(out)
    done.seconds = time.monotonic() - began
    return done


def link_anew(corpus: Corpus) -> None:
    """Link works to the records that the catalogue has by now; skipped if another process is changing the library.

    A work that is linked loses its own record: its keys and entries go to arXiv's.
    """
    with contextlib.suppress(StoreBusy), corpus.one_change_of_library():
        store_holdings(corpus, corpus.library.holdings(), LibraryReport(), lambda *_: None)


def listed(settings: Settings) -> list[ListedWork]:
    """Return the works of the library, sorted by key."""
    with open_corpus(settings) as corpus:
        by_paper: dict[str, list[Holding]] = {}
        for value, holding in corpus.library.holdings():
            by_paper.setdefault(value, []).append(holding)
        papers = corpus.papers(list(by_paper))
    works = [_listed(value, papers.get(value), held) for value, held in by_paper.items()]
    return sorted(works, key=lambda work: ((work.key or work.title).casefold(), work.id))


def _listed(value: str, paper: Paper | None, held: Sequence[Holding]) -> ListedWork:
    first = held[0]
    return ListedWork(
        value,
        not value.startswith(LIBRARY),
        next((h.key for h in held if h.key), None),
        paper.title if paper else first.title,
        paper.authors if paper else first.authors,
        next((h.year for h in held if h.year), None),
        next((h.doi for h in held if h.doi), None),
        bool(paper and paper.abstract),
        bool(paper and paper.complete),
        tuple(dict.fromkeys(str(h.file) for h in held)),
        tuple(dict.fromkeys(path for h in held for path in h.collections)),
    )


def _files(paths: Sequence[Path]) -> list[Path]:
    files: dict[Path, None] = {}
    for path in paths:
        path = as_given(path)
        if path.is_dir():
            files |= dict.fromkeys(sorted(_below(path)))
        elif not path.exists():
            raise UnreadableInput(f"{path} does not exist", _SAID)
        elif path.suffix.lower() not in _KINDS:
            raise UnreadableInput(f"{path} is neither a .bib file nor one with a text", _SAID)
        else:
            files[path] = None
    if not files:
        raise UnreadableInput("no .bib files or PDFs were found", _SAID)
    return list(files)


def _below(folder: Path) -> Iterator[Path]:
    """Yield the .bib files and PDFs in a folder and its subfolders, without hidden ones and citeplug's own."""
    count = 0
    try:
        for path in walk(folder, most=_MOST_ENTRIES):
            hidden = path.name.startswith(".")
            if path.suffix.lower() in _IN_FOLDERS and not hidden and path.is_file() and not is_generated(path):
                count += 1
                if count > _MOST_FILES:
                    raise UnreadableInput(
                        f"{folder} has more than {_MOST_FILES:,} .bib files and PDFs", "give a folder with fewer"
                    )
                yield path
    except TooMany as error:
        raise unreadable(folder, error) from error


def _read(file: Path, reader: TextReader, problems: list[str]) -> list[Holding]:
    if file.suffix.lower() == ".pdf":
        pages = read_first_pages(file, reader)
        return [holding_of_pdf(file, pages.text, pages.largest, pages.title)]
    if file.suffix.lower() in SUFFIXES:
        return [_of_text(file, reader)]
    try:
        text = read_text(file).text
    except OSError as error:
        raise unreadable(file, error) from error
    holdings, doubts = holdings_of_bib(text, file)
    problems += doubts
    if not holdings and not doubts:
        problems.append(f"{file} has no entries")
    return holdings


def _of_text(file: Path, reader: TextReader) -> Holding:
    try:
        text = reader.read_own(file).text
    except Unfit as error:
        raise UnreadableInput(f"{file} gives no text: {error}", error.hint) from None
    abstract = next((section.text for section in text.sections if section.title.casefold() == "abstract"), "")
    return holding_of_text(file, text.title, abstract, text.sections[0].text)


def store_holdings(
    corpus: Corpus,
    holdings: Sequence[tuple[str | None, Holding]],
    done: LibraryReport,
    report: Report,
    *,
    old: frozenset[Holding] = frozenset(),
) -> None:
    """Group entries and PDFs by work, link works to arXiv's records, and write them to the library.

    `old` are those that the library has: a work of them alone keeps its id, since nothing came to the catalogue.
    """
    works = works_of(holdings)

    def find(work: LibraryWork) -> str | None:
        if work.known and old.issuperset(work.holdings):
            return None if work.known.startswith(LIBRARY) else work.known
        return on_arxiv(corpus, work)

    ids = with_ids(works, find)
    papers = {value: work.paper(value) for value, work in ids.items() if value.startswith(LIBRARY)}
    if not old or old != {holding for _, holding in holdings}:
        report("write the library", 0, None)
        corpus.library.replace([(value, holding) for value, work in ids.items() for holding in work.holdings], papers)
    known = {**corpus.papers([value for value in ids if value not in papers]), **papers}
    done.works, done.on_arxiv = len(ids), len(ids) - len(papers)
    done.without_abstract = sum(not paper.abstract for paper in known.values())
    done.not_citable = sum(not paper.complete for paper in papers.values())


def on_arxiv(corpus: Corpus, work: LibraryWork) -> str | None:
    """Return the id of arXiv's record of the work, if the catalogue has it."""
    first = work.holdings[0]
    if work.arxiv_id:
        record = corpus.papers([work.arxiv_id]).get(work.arxiv_id)
        # An entry may have another paper's id, so titles are compared; the id that arXiv printed on a PDF is right.
        fits = record is not None and (first.kind == "pdf" or compare_titles(first.title, record.title) != "other")
        return work.arxiv_id if fits else None
    records = corpus.by_doi([work.doi]).get(work.doi, []) if work.doi else []
    records = [*records, *corpus.by_title(first.title, _TITLES)]
    own = replace(describe_holding(first), dois=frozenset({work.doi} if work.doi else ()))
    return next((record.id.value for record in records if same_paper(own, describe_paper(record))), None)
