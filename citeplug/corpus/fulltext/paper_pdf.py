"""The PDF of a paper that is on this machine: a file of the author's library, or what arXiv sent for its text."""

from collections.abc import Collection
from contextlib import closing

from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus
from citeplug.errors import UsageError
from citeplug.files.project_files import read_bytes
from citeplug.settings.environment import Settings
from citeplug.sources.unpack import MOST_BYTES

_MARK, _HEAD = b"%PDF-", 1024  # a PDF begins with it, some with other bytes before it


def with_pdf(papers: Collection[str], settings: Settings) -> set[str]:
    """Those of the papers, by their ids, of which a PDF is on this machine."""
    with open_corpus(settings) as corpus:
        own = corpus.library.pdfs(sorted(papers))
    with_own_file = {paper for paper, files in own.items() if any(file.is_file() for file in files)}
    if not (settings.home / "fulltext").is_dir():
        return with_own_file
    with closing(TextStore(settings.home)) as store:
        texts_by_paper = store.kept(sorted(set(papers) - with_own_file))
        return with_own_file | {
            paper
            for paper, texts in texts_by_paper.items()
            if any(text.source == "pdf" and store.original(paper, text.version) for text in texts)
        }


def pdf_of(paper: str, settings: Settings) -> bytes:
    """The PDF of a paper: the author's own, else arXiv's newest. Raises UsageError if there is none any more."""
    with open_corpus(settings) as corpus:
        files = corpus.library.pdfs([paper]).get(paper, [])
    for file in files:
        try:
            data = read_bytes(file, MOST_BYTES)
        except OSError:
            continue  # moved, or no regular file any more: another one may be there
        if _MARK in data[:_HEAD]:
            return data
    if (settings.home / "fulltext").is_dir():
        with closing(TextStore(settings.home)) as store:
            for text in store.kept([paper]).get(paper, []):
                original = store.original(paper, text.version) if text.source == "pdf" else None
                if original is not None:
                    return original
    raise UsageError("there is no PDF of this paper on this machine", "add yours with 'citeplug library add'")
