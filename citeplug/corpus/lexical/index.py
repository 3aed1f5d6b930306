"""The lexical index: BM25 over title and abstract, by tantivy, derived from the catalogue in place."""

import logging
import os
import secrets
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from citeplug.corpus.catalogue import Catalogue, Derived, Texts
from citeplug.corpus.lexical.author_names import names_in
from citeplug.corpus.lexical.schema import (
    analyzer,
    filter_clauses,
    make_document,
    make_schema,
    make_usable,
    names_analyzer,
    words_query,
)
from citeplug.corpus.locking import exclusive
from citeplug.corpus.trouble import telling_disk_trouble
from citeplug.errors import StoreBroken
from citeplug.records.paper import Filter
from citeplug.text.cleaning import encodable

NAME = "lexical-3"  # another number whenever the fields or the tokens below change: the index is then rebuilt
# Both measured on real drafts and the papers they cite: benchmarks/retrieval.py.
TITLE_BOOST = 0.5
QUERY_POWER = 0.5  # exponent of a term's count in the query, so that repeated terms weigh less than their count
# Postings of a query's terms that are scored: 0.05 to 0.1 s. More results need more of them.
MOST_POSTINGS = 4_000_000
POSTINGS_FOR_EACH = 8_000  # answer, where that is more
MOST_TERMS = 512  # of a query, by first appearance; a whole abstract has about 100
_LONG_WORD = 5  # letters from which two may be wrong
_HEAP = 64_000_000  # bytes of memory before tantivy writes a segment
_COMMIT_EVERY = 50_000
_TRIES = 5
_PAUSE = 0.1  # seconds between two tries to open what another process may be writing
_log = logging.getLogger(__name__)


class LexicalIndex:
    """The lexical index of `catalogue`; its files are in `folder`, one subfolder per build.

    `bring_up_to_date` adds the catalogue's new records, from any process; a missing or damaged index is rebuilt.
    """

    def __init__(self, catalogue: Catalogue, folder: Path) -> None:
        self._catalogue = catalogue
        self.folder = folder
        self._open: tuple[Derived, Any, Any] | None = None

    def search(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        """At most `k` (id, BM25 score), best first. Any text is a valid query; without a word it finds nothing."""
        import tantivy

        terms = Counter(analyzer().analyze(encodable(text[:200_000])))
        opened = self._searcher()
        if k < 1 or not terms or opened is None:
            return []
        schema, searcher = opened
        parts = []
        for term, count in _telling(
            dict(list(terms.items())[:MOST_TERMS]), max(MOST_POSTINGS, k * POSTINGS_FOR_EACH), searcher
        ).items():
            for field, boost in (("text", 1.0), ("title", TITLE_BOOST)):
                query = tantivy.Query.term_query(schema, field, term, "freq")
                parts.append((tantivy.Occur.Should, tantivy.Query.boost_query(query, boost * count**QUERY_POWER)))
        query = tantivy.Query.boolean_query(parts)
        if conditions := filter_clauses(schema, where):
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *conditions])
        return _hits(searcher, query, k)

    def look_up(
        self, text: str, k: int, where: Filter, names: Sequence[str], *, every: bool = True
    ) -> list[tuple[str, float]]:
        """Return at most `k` (id, score) of the records that have all or some words of `text`; see `words_query`."""
        import tantivy

        opened = self._searcher()
        query = words_query(text, opened[0], names, every=every) if k > 0 and opened is not None else None
        if query is None or opened is None:
            return []
        schema, searcher = opened
        if conditions := filter_clauses(schema, where):
            query = tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *conditions])
        return _hits(searcher, query, k)

    def names_in(self, text: str) -> list[str]:
        """Return the words of `text` that are names of authors; see `author_names.names_in`."""
        opened = self._searcher()
        return [] if opened is None else names_in(text, *opened, self._catalogue)

    def frequencies(self, words: Sequence[str]) -> dict[str, int]:
        """Return the number of records that have each word in their text or among their authors."""
        opened = self._searcher()
        if opened is None:
            return {}
        frequencies = {}
        for word in words:
            stems, names = analyzer().analyze(word), names_analyzer().analyze(word)
            frequencies[word] = sum(opened[1].doc_freq("text", stem) for stem in stems)
            frequencies[word] += sum(opened[1].doc_freq("author", name) for name in names)
        return frequencies

    def records_with(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the number of records that have all words of each text in title or abstract; 0 without a word."""
        import tantivy

        opened, counts = self._searcher(), dict.fromkeys(texts, 0)
        if opened is None:
            return counts
        schema, searcher = opened
        for text in counts:
            terms = [tantivy.Query.term_query(schema, "text", term) for term in analyzer().analyze(encodable(text))]
            if terms:
                query = tantivy.Query.boolean_query([(tantivy.Occur.Must, term) for term in terms])
                counts[text] = searcher.search(query, limit=1, count=True).count
        return counts

    def spelled_like(self, word: str, k: int, where: Filter) -> list[str]:
        """Return at most `k` ids of the records that have a word with one or two other letters in title or authors."""
        import tantivy

        opened, terms = self._searcher(), analyzer().analyze(encodable(word[:60]))
        if opened is None or not terms:
            return []
        schema, searcher = opened
        letters = 1 if len(word) < _LONG_WORD else 2
        fields = (("title", terms[0]), ("author", word.lower()))
        ways = [tantivy.Query.fuzzy_term_query(schema, field, term, distance=letters) for field, term in fields]
        query = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Must, tantivy.Query.boolean_query([(tantivy.Occur.Should, way) for way in ways])),
                *filter_clauses(schema, where),
            ]
        )
        return [value for value, _ in _hits(searcher, query, k)]

    def titles(self, title: str, k: int) -> list[str]:
        """Return at most `k` ids, by the rare words of `title` in their titles; any text is a valid title."""
        import tantivy

        terms = list(dict.fromkeys(analyzer().analyze(encodable(title[:2000]))))
        opened = self._searcher()
        if k < 1 or not terms or opened is None:
            return []
        parts = [
            (tantivy.Occur.Should, tantivy.Query.term_query(opened[0], "title", term, "freq"))
            for term in terms[:MOST_TERMS]
        ]
        return [value for value, _ in _hits(opened[1], tantivy.Query.boolean_query(parts), k)]

    @property
    def is_there(self) -> bool:
        """Return True if there is an index, even an outdated one."""
        state = self._catalogue.derived(NAME)
        return state is not None and (self.folder / state.build / "meta.json").exists()

    def rows(self) -> int:
        opened = self._searcher()
        return 0 if opened is None else int(opened[1].num_docs)

    def damage(self) -> str | None:
        """Return the reason why the index cannot be read; None if it can."""
        state = self._catalogue.derived(NAME)
        try:
            if state is not None:
                _opened(self.folder / state.build, state.rows)
        except (ValueError, OSError) as error:
            return str(error) or type(error).__name__
        return None

    def _searcher(self) -> tuple[Any, Any] | None:
        """Schema and searcher of the current build, reopened if another process has written."""
        state = self._catalogue.derived(NAME)
        if state is None:
            return None
        if self._open is None or self._open[0].build != state.build:
            try:
                index = _opened(self.folder / state.build, state.rows)
            except (ValueError, OSError):
                self._rebuild_damaged(state)
                return self._searcher()
            self._open = (state, index, index.searcher())
        elif self._open[0] != state:
            index = self._open[1]
            try:
                index.reload()
            except (ValueError, OSError):
                self._open = None
                return self._searcher()
            self._open = (state, index, index.searcher())
        return self._open[1].schema, self._open[2]

    def _rebuild_damaged(self, state: Derived) -> None:
        """Rebuild an unreadable index, unless another process is writing it: then its files change."""
        for _ in range(_TRIES):
            time.sleep(_PAUSE)
            now = self._catalogue.derived(NAME)
            if now != state:
                return
            with suppress(ValueError, OSError):
                _opened(self.folder / state.build, state.rows)
                return
        with exclusive(self.folder / "write.lock"):
            if self._catalogue.derived(NAME) != state:
                return
            try:
                _opened(self.folder / state.build, state.rows)
            except (ValueError, OSError) as error:
                _log.warning("the lexical index is damaged (%s) and is rebuilt", error)
                self._take_in(_nothing_yet())

    def bring_up_to_date(self, wait: float | None = None) -> None:
        """Add the catalogue's new records to the index; fast if there are none.

        Raises StoreBusy if another process is writing for longer than `wait` seconds.
        """
        state = self._catalogue.derived(NAME)
        if state is not None and state.generation >= self._catalogue.last_change():
            return
        with exclusive(self.folder / "write.lock", wait):
            state = self._catalogue.derived(NAME)
            if state is None or not (self.folder / state.build / "meta.json").exists():
                state = _nothing_yet()
            self._take_in(state)

    def take_out(self, ids: Sequence[str]) -> None:
        """Delete the rows of records that the catalogue no longer has. Until then they are found without a record."""
        import tantivy

        if not ids:
            return
        with exclusive(self.folder / "write.lock"):
            state = self._catalogue.derived(NAME)
            if state is None or not (self.folder / state.build / "meta.json").exists():
                return
            place = self.folder / state.build
            # The recorded count is lowered first: an index with more rows than recorded does not count as damaged.
            self._catalogue.set_derived(NAME, replace(state, rows=max(0, state.rows - len(ids))))
            with telling_disk_trouble(place):
                try:
                    index = tantivy.Index.open(str(place))
                    make_usable(index)
                    with index.writer(_HEAP, 1) as writer:
                        for value in ids:
                            writer.delete_documents_by_term("id", value)
                        writer.commit()
                        writer.wait_merging_threads()
                    index.reload()
                except ValueError as error:
                    raise _unwritable(place, error) from error
            self._catalogue.set_derived(NAME, replace(state, rows=int(index.searcher().num_docs)))

    def rebuild(self) -> None:
        """Build a new index beside the old one, then delete the old one."""
        with exclusive(self.folder / "write.lock"):
            self._take_in(_nothing_yet())

    def _take_in(self, state: Derived) -> None:
        target = self._catalogue.last_change()
        place = self.folder / state.build
        texts = self._catalogue.changed_texts(state.generation, target)
        with telling_disk_trouble(place):
            try:
                rows = _write(place, texts, fresh=state.generation == 0)
            except ValueError as error:
                if state.generation == 0:
                    shutil.rmtree(place, ignore_errors=True)
                raise _unwritable(place, error) from error
        self._catalogue.set_derived(NAME, Derived(state.build, target, rows))
        for old in self.folder.iterdir():
            if old.is_dir() and old.name != state.build:
                # Another process may be reading it still; Windows then keeps it until the next time.
                shutil.rmtree(old, ignore_errors=True)


def _unwritable(place: Path, error: ValueError) -> StoreBroken:
    # tantivy raises ValueError for everything; its message has the cause
    return StoreBroken(
        f"the lexical index in {place} cannot be written ({error})",
        "check the space and the permissions of the disk, then run the same command again",
    )


def _nothing_yet() -> Derived:
    return Derived(f"{NAME}-{secrets.token_hex(4)}", 0, 0)


def _write(place: Path, texts: Iterable[Texts], fresh: bool) -> int:
    """Add or replace records; return the number of rows."""
    import tantivy

    if fresh:
        shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True, exist_ok=True)
    index = tantivy.Index(make_schema(), str(place), reuse=True)
    make_usable(index)
    # Checking that a row exists costs a tenth of deleting a missing one, which is searched in every segment.
    before = index.searcher()
    with index.writer(_HEAP, 1) as writer:
        for number, text in enumerate(texts, 1):
            if not fresh and before.doc_freq("id", text.id):
                writer.delete_documents_by_term("id", text.id)
            writer.add_document(make_document(text))
            if number % _COMMIT_EVERY == 0:
                writer.commit()
        writer.commit()
        writer.wait_merging_threads()
    index.reload()
    return int(index.searcher().num_docs)


def _opened(place: Path, rows: int) -> Any:
    """Raises ValueError if it cannot be read or has fewer than `rows` records."""
    import tantivy

    with _readable(place) as folder:
        index = tantivy.Index.open(str(folder))
        make_usable(index)
        index.reload()
    if index.searcher().num_docs < rows:
        raise ValueError(f"it has {index.searcher().num_docs} of {rows} records")
    return index


@contextmanager
def _readable(place: Path) -> Iterator[Path]:
    """Yield a writable folder with the files of `place`: itself, or a temporary one of links.

    tantivy makes files beside those that it reads; a folder of another user's, or a snapshot, cannot be written.
    """
    if os.access(place, os.W_OK) or not place.is_dir():
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="citeplug-", ignore_cleanup_errors=True) as folder:
        for file in place.iterdir():
            # Lock files of other users are not linked.
            if not file.name.endswith(".lock"):
                (Path(folder) / file.name).symlink_to(file.absolute())
        yield Path(folder)


def _hits(searcher: Any, query: Any, k: int) -> list[tuple[str, float]]:
    """At most `k` (id, score), best first."""
    hits = searcher.search(query, limit=k, count=False).hits
    return [(searcher.doc(address).get_first("id"), score) for score, address in hits]


def _telling(terms: Mapping[str, int], most: int, searcher: Any) -> dict[str, int]:
    """Return the rarest terms, with at most `most` postings in all.

    A term in a third of the records says little, and costs most: each entry of its posting list is scored.
    """
    frequency = {term: searcher.doc_freq("text", term) for term in terms}
    fields: dict[str, int] = {}
    total = 0
    for term in sorted(terms, key=frequency.__getitem__):
        total += frequency[term]
        if total > most and fields:
            break
        fields[term] = terms[term]
    return fields
