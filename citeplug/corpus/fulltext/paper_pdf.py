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


def with_pdf(papers: Collection[str], chosen: Settings) -> set[str]:
    """Those of the papers, by their ids, of which a PDF is on this machine."""
    with open_corpus(chosen) as corpus:
        own = corpus.library.pdfs(sorted(papers))
    found = {paper for paper, files in own.items() if any(file.is_file() for file in files)}
    if not (chosen.home / "fulltext").is_dir():
        return found
    with closing(TextStore(chosen.home)) as store:
        kept = store.kept(sorted(set(papers) - found))
        return found | {
            paper
            for paper, texts in kept.items()
            if any(each.source == "pdf" and store.original(paper, each.version) for each in texts)
        }


def pdf_of(paper: str, chosen: Settings) -> bytes:
    """The PDF of a paper: the author's own, else arXiv's newest. Raises UsageError if there is none any more."""
    with open_corpus(chosen) as corpus:
        files = corpus.library.pdfs([paper]).get(paper, [])
    for file in files:
        try:
            data = read_bytes(file, MOST_BYTES)
        except OSError:
            continue  # moved, or no regular file any more: another one may be there
        if _MARK in data[:_HEAD]:
            return data
    if (chosen.home / "fulltext").is_dir():
        with closing(TextStore(chosen.home)) as store:
            for each in store.kept([paper]).get(paper, []):
                original = store.original(paper, each.version) if each.source == "pdf" else None
                if original is not None:
                    return original
    raise UsageError("there is no PDF of this paper on this machine", "add yours with 'citeplug library add'")
