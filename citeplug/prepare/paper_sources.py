"""The texts of papers that are prepared (abstracts from the catalogue, full texts on this machine), and their questions.

The questions are those prepared of the texts that the papers have now, with their vectors.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import date

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.text_vectors import KeptVectors
from citeplug.prepare.store import PreparedStore
from citeplug.protocols import Vectors
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.prepared import PaperSource, Prepared
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain

_UNKNOWN = date(1, 1, 1)
_AT_ONCE = 200  # papers whose records are read together
Sources = Iterator[tuple[str, tuple[PaperSource, Paper] | None]]


def read_sources(papers: Sequence[ArxivId], settings: Settings) -> Sources:
    """Each paper's id with its text and its record; None for one of which neither text nor abstract is here.

    The record of a paper that has a full text alone is made of this.
    """
    values = list(dict.fromkeys(paper.value for paper in papers))
    with ExitStack() as stack:
        corpus = stack.enter_context(open_corpus(settings))
        store: TextStore | None = None
        if (settings.home / "fulltext" / "texts.sqlite3").is_file():
            store = stack.enter_context(closing(TextStore(settings.home)))
        for start in range(0, len(values), _AT_ONCE):
            part = values[start : start + _AT_ONCE]
            records = corpus.papers(part)
            for value in part:
                yield value, _source(value, records.get(value), store)


def _source(value: str, record: Paper | None, store: TextStore | None) -> tuple[PaperSource, Paper] | None:
    stored = store.kept([value]).get(value) if store is not None else None
    text = store.read(value) if store is not None and stored else None
    abstract = plain(record.abstract) if record is not None else ""
    if record is None and text is not None:
        record = Paper(ArxivId(value, text.version), plain(text.title), "", (), _UNKNOWN, _UNKNOWN)
    if record is None or (text is None and not abstract):
        return None
    passages = tuple(passage for _, passage in placed_passages(text)) if text is not None else ()
    title = plain(record.title)
    digest = hashlib.sha256("\0".join((title, abstract, stored[0].digest if stored else "")).encode("utf-8", "replace"))
    version = text.version if text is not None else record.id.version
    source = PaperSource(value, version, title, abstract, passages, digest.hexdigest())
    return source, replace(record, title=title, abstract=abstract)


def current(store: PreparedStore, papers: Sequence[str], settings: Settings) -> list[Prepared]:
    """What was prepared of these papers from the texts that they have now."""
    known = set(store.papers())
    here = [ArxivId(value) for value in papers if value in known]
    digests = {value: texts[0].digest for value, texts in read_sources(here, settings) if texts is not None}
    return [paper for paper in store.read(list(digests)) if paper.digest == digests[paper.paper]]


def question_vectors(store: PreparedStore, prepared: Sequence[Prepared], settings: Settings) -> dict[str, Vectors]:
    """Unit vectors (d,) of their questions, by question; missing ones are computed and kept."""
    questions = list(dict.fromkeys(pair.question for paper in prepared for pair in paper.pairs))
    embedder = open_embedder(settings.embedder, settings.device)
    return dict(zip(questions, KeptVectors(store.database, embedder).of(questions), strict=True))
