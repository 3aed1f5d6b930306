"""Search of passages by words (BM25) and meaning (cosine), fused by ranks."""

import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import zip_longest

import numpy as np

from citeplug.corpus.database import select
from citeplug.corpus.fulltext.passages import words_of
from citeplug.corpus.fulltext.store import TextStore, embedded_passage
from citeplug.corpus.fusion import Ranking, fuse
from citeplug.corpus.vectors.table import VectorTable
from citeplug.corpus.vectors.text_vectors import Tell, TextVectors
from citeplug.protocols import Embedder, NearPassages, Vectors
from citeplug.records.passage import FoundPassage

_CANDIDATES = 100  # passages that each way brings, or three times as many as are wanted
_EMBEDDED = 60  # of those found by words whose vectors are computed
_MOST_OF_FEW = 400  # passages of the named papers whose vectors are computed
_MOST_POSTINGS = 30_000  # that are scored: 0.05 s
_MOST_TERMS = 64
_CHUNK = 32  # passages that are embedded between two commits
_FIRST = 4  # until the speed is known


class PassageSearch:
    """Search in the newest texts of a store. `embedder` is called when a vector is first needed."""

    def __init__(self, store: TextStore, embedder: Callable[[], Embedder]) -> None:
        self._store = store
        self._make = embedder
        self._lock = threading.Lock()
        self._matrix: tuple[int, list[int], Vectors] | None = None

    @cached_property
    def _embedder(self) -> Embedder:
        return self._make()

    @cached_property
    def _table(self) -> VectorTable:
        return VectorTable(self._store.database, self._embedder.name)

    @cached_property
    def _texts(self) -> TextVectors:
        return TextVectors(self._table, self._embedder, chunk=_CHUNK, first=_FIRST)

    def has(self, paper: str) -> bool:
        """True if the paper, an id without version, has a text."""
        return bool(self._store.kept([paper]))

    def find(
        self,
        text: str,
        k: int,
        papers: Sequence[str] = (),
        *,
        seconds: float | None = 2.0,
        tell: Tell | None = None,
    ) -> list[FoundPassage]:
        """At most `k` passages, best first; of these `papers` alone if any are given. Any text is a valid query.

        Passages found by words get their vectors if they have none, within `seconds` (None: all of them); by meaning
        those are found that have one. Raises ModelUnavailable.
        """
        if k < 1 or not words_of(text[:20_000]):
            return []
        most = max(_CANDIDATES, 3 * k)
        with ThreadPoolExecutor(1, "embedding") as aside:
            # The model and SQLite both release the GIL.
            embedding = aside.submit(lambda: self._embedder.embed_queries([text])[0])
            by_words = self.by_words(text, most, papers)
            asked = embedding.result()
        wanted = by_words[: max(_EMBEDDED, k)]
        if papers:  # of few papers all passages are compared, whatever their words
            with self._store.database.reading() as db:
                wanted += sorted(_numbers_of(db, papers) - set(wanted))[:_MOST_OF_FEW]
        self.embed(wanted, seconds, tell)
        by_meaning = self._by_meaning(asked, most, papers)
        rankings = [Ranking([str(n) for n in by_words]), Ranking([str(n) for n in by_meaning])]
        fused = [(int(number), score) for number, score in fuse(rankings)[:k]]
        passages = self._store.passages([number for number, _ in fused])
        ways = {"lexical": set(by_words), "dense": set(by_meaning)}
        return [
            FoundPassage(passages[number], score, tuple(way for way, numbers in ways.items() if number in numbers))
            for number, score in fused
            if number in passages
        ]

    def by_words(self, text: str, k: int, papers: Sequence[str] = ()) -> list[int]:
        """Numbers of at most `k` passages that have a word of `text`, best first."""
        terms = list(dict.fromkeys(words_of(text[:20_000])))[:_MOST_TERMS]
        with self._store.database.snapshot() as db:
            counts = dict.fromkeys(terms, 0)
            counts |= dict(select(db, "SELECT term, doc FROM passage_terms WHERE term IN", terms))
            # A word that is everywhere says little and costs most.
            result: list[str] = []
            total = 0
            for term in sorted((term for term in terms if counts[term]), key=counts.__getitem__):
                total += counts[term]
                if total > _MOST_POSTINGS and result:
                    break
                result.append(term)
            if not result:
                return []
            wanted = " OR ".join(f'"{term}"' for term in result)
            inside = _numbers_of(db, papers) if papers else None
            query = "SELECT rowid FROM passage_words WHERE passage_words MATCH ? ORDER BY rank"
            if inside is None:
                return [row[0] for row in db.execute(f"{query} LIMIT ?", (wanted, k))]
            return [row[0] for row in db.execute(query, (wanted,)) if row[0] in inside][:k]

    def near(
        self,
        papers: Sequence[str],
        queries: Sequence[str],
        most: int,
        seconds: float | None = None,
        tell: Tell | None = None,
    ) -> dict[str, NearPassages]:
        """As `protocols.FullTexts.passages`."""
        rows = self._store.own_passages(papers)
        if not rows or not queries:
            return {}
        places = {number: at for at, number in enumerate(self.by_words(" ".join(queries), len(rows) * 10, papers))}
        wanted = {
            paper: sorted(numbers, key=lambda number: (places.get(number, len(places)), number))[:most]
            for paper, numbers in rows.items()
        }
        # The best of each paper first, so that a bound of time leaves none out.
        numbers = [n for row in zip_longest(*wanted.values()) for n in row if n is not None]
        self.embed(numbers, seconds, tell)
        vectors = self._vectors_of(numbers)
        passages = self._store.passages(list(vectors))
        asked = np.asarray(self._embedder.embed_queries(list(queries)), np.float32)
        result = {}
        for paper, of_paper in wanted.items():
            here = [number for number in of_paper if number in vectors and number in passages]
            if here:
                matrix = np.stack([vectors[number] for number in here])
                result[paper] = NearPassages(tuple(passages[number] for number in here), matrix, matrix @ asked.T)
        return result

    def _vectors_of(self, numbers: Sequence[int]) -> dict[int, Vectors]:
        with self._store.database.reading() as db:
            keys = dict(select(db, "SELECT number, key FROM passages WHERE number IN", list(numbers)))
        vectors = self._table.by_text(list(keys.values()))
        return {number: vectors[key] for number, key in keys.items() if key in vectors}

    def embed(self, numbers: Sequence[int], seconds: float | None, tell: Tell | None = None) -> int:
        """Compute the vectors that these passages lack, in this order, within `seconds`; return how many."""
        with self._store.database.reading() as db:
            keys = dict(select(db, "SELECT number, key FROM passages WHERE number IN", list(numbers)))
        have = self._table.have(list(keys.values()))
        missing = [number for number in numbers if number in keys and keys[number] not in have]
        if not missing:
            return 0
        passages = self._store.passages(missing)
        missing = [number for number in missing if number in passages]
        texts = [embedded_passage(passages[number]) for number in missing]
        deadline = None if seconds is None else time.monotonic() + seconds
        return len(self._texts.compute_texts([keys[n] for n in missing], texts, deadline, tell=tell))

    def embed_papers(self, papers: Sequence[str], most: int, tell: Tell | None = None) -> int:
        """Compute the vectors that the passages of these papers lack, of `most` passages at most; return how many."""
        with self._store.database.reading() as db:
            numbers = sorted(_numbers_of(db, papers))
        return self.embed(numbers[:most], None, tell)

    def _by_meaning(self, asked: Vectors, k: int, papers: Sequence[str]) -> list[int]:
        numbers, rows = self._all_vectors()
        if not numbers:
            return []
        cosines = rows @ asked
        if papers:
            with self._store.database.reading() as db:
                inside = _numbers_of(db, papers)
            cosines = np.where([number in inside for number in numbers], cosines, -2.0)
        # Only the first are put in order, with the lower number first among equals.
        first = np.argpartition(-cosines, k - 1)[:k] if k < len(cosines) else np.arange(len(cosines))
        best = first[np.lexsort((first, -cosines[first]))]
        return [numbers[at] for at in best if cosines[at] > -2.0]

    def _all_vectors(self) -> tuple[list[int], Vectors]:
        """The numbers of all passages with a vector, and these, (n, d); read again after each write."""
        with self._lock:
            generation = self._store.database.generation
            if self._matrix is None or self._matrix[0] != generation:
                self._matrix = (generation, *self._table.joined("passages"))
            return self._matrix[1], self._matrix[2]


def _numbers_of(db: sqlite3.Connection, papers: Sequence[str]) -> set[int]:
    query = "SELECT p.number FROM passages p JOIN texts t ON t.number = p.text WHERE t.paper IN"
    return {row[0] for row in select(db, query, list(papers))}
