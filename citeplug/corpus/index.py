"""The corpus on this machine: catalogue, lexical index, vectors, topics and the author's library.

One file, since it is one front: each method hands on to the part that does it, and says what of it callers may rely on.
"""

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np

from citeplug.corpus.arrivals import Arrivals, arrived_since
from citeplug.corpus.catalogue import Changes
from citeplug.corpus.fusion import best_first
from citeplug.corpus.graph.edge_files import EdgeReport, add_edge_files
from citeplug.corpus.harvest import HarvestMarks, HarvestProgress, UpdateReport, update_catalogue
from citeplug.corpus.local_records import LocalRecords
from citeplug.corpus.locking import one_job
from citeplug.corpus.prune import Pruned, PruneRequest, folder_size, prune
from citeplug.corpus.topics.index import Tell as TellTopics
from citeplug.corpus.topics.index import TopicIndex
from citeplug.corpus.update import AddReport, Progress, add_files
from citeplug.corpus.vectors.background import CHUNK, EmbedReport, EmbedRequest, Foreground, Tell, embed_in_background
from citeplug.corpus.vectors.paper_vectors import PaperVectors
from citeplug.corpus.vectors.store import VectorStore
from citeplug.corpus.vectors.text_vectors import SecondModel
from citeplug.corpus.verify import VerifyReport, verify
from citeplug.errors import StoreBroken
from citeplug.protocols import Embedder, Harvester, Vectors
from citeplug.records.paper import Filter, Paper
from citeplug.records.topics import TopicsMade

ALL_WORDS = 3.0  # what a paper's score by a few words is multiplied by if it has all: benchmarks/short_queries.py
_TEXTS_KEPT = 1000


class Corpus(LocalRecords):
    """Implementation of `protocols.PaperIndex` over catalogue, lexical index and vector store in `home`/corpus.

    `embedder` and `store` (given the model's name) are called when a vector is first needed, `rescorer` when a search
    first uses it. Raises StoreBroken if the catalogue cannot be opened.
    """

    def __init__(
        self,
        home: Path,
        embedder: Callable[[], Embedder],
        store: Callable[[str], VectorStore],
        rescorer: Callable[[], Embedder] | None = None,
    ) -> None:
        super().__init__(home)
        self._make_embedder = embedder
        self._make_store = store
        self._make_rescorer = rescorer
        self._opening = threading.Lock()
        self._embedder: Embedder | None = None
        self._texts: dict[str, Vectors] = {}  # a section asks for its queries again, to give reasons
        self._paper_vectors: PaperVectors | None = None
        self._second: SecondModel | None = None
        self._foreground = Foreground(self._folder)
        self.topics = TopicIndex(self._database, self.catalogue, self._folder / "topics")

    def close(self) -> None:
        """Write new vectors to the vector store, and close everything."""
        if self._paper_vectors is not None:
            self._paper_vectors.close()
        super().close()

    # protocols.PaperIndex

    @property
    def rescorer(self) -> SecondModel | None:
        """Model that scores the first papers of a search again; None unless the user chose one."""
        with self._opening:
            if self._second is None and self._make_rescorer is not None:
                self._second = SecondModel(self._database, self._make_rescorer())
            return self._second

    def unembedded(self, most: int) -> list[str]:
        """Ids of the records that have no vector yet, newest first; none if there are more than `most` records."""
        return [] if self.catalogue.has_more_than(most) else self._vectors().table.missing()

    def arrived_since(self, when: datetime) -> Arrivals:
        """Records of arXiv that were added at `when` or later, by any process; `when` has a time zone."""
        return arrived_since(self._database, when)

    def lexical(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        self._bring_lexical_up_to_date()
        return self._lexical.search(text, k, where)

    def look_up(
        self, text: str, k: int, where: Filter, names: Sequence[str], *, every: bool = True
    ) -> list[tuple[str, float]]:
        """At most `k` (id, score) of the records that have all words of `text` in title, authors, year or abstract.

        With `every` False they have at least one of them. `names` are those of `names_in`.
        """
        self._bring_lexical_up_to_date()
        return self._lexical.look_up(text, k, where, names, every=every)

    def keywords(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        """At most `k` (id, score) for a few words, as a model's queries are; those that have all count for more."""
        every = dict(self.look_up(text, k, where, ()))
        scores = {**dict(self.look_up(text, k, where, (), every=False)), **every}
        scores = {value: score * (ALL_WORDS if value in every else 1.0) for value, score in scores.items()}
        return [(value, scores[value]) for value in best_first(scores)[:k]]

    def spelled_like(self, word: str, where: Filter) -> list[str]:
        return self._lexical.spelled_like(word, 50, where)

    def frequencies(self, words: Sequence[str]) -> Mapping[str, int]:
        return self._lexical.frequencies(words)

    def records_with(self, texts: Sequence[str]) -> Mapping[str, int]:
        return self._lexical.records_with(texts)

    def names_in(self, text: str) -> list[str]:
        self._bring_lexical_up_to_date()
        return self._lexical.names_in(text)

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        self._foreground.give()
        return self._vectors().nearest(vector, k, where)

    def vectors(self, ids: Sequence[str], seconds: float | None = None) -> Mapping[str, Vectors]:
        """Unit vectors (d,) by id; missing ones are computed and kept, in the order given.

        `seconds` bounds the time spent on computing; ids that did not fit are left out. None: no bound.
        """
        self._foreground.give()
        return self._vectors().by_id(ids, seconds)

    def vectors_of(self, papers: Sequence[Paper], seconds: float | None = None) -> Mapping[str, Vectors]:
        self._foreground.give()
        return self._vectors().by_paper(papers, seconds)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) vectors of texts that are not records, such as queries, by the store's own model."""
        self._foreground.give()
        # The model's runtime releases the GIL while it loads, so the store, which takes longer, loads at the same time.
        self._vectors().prepare()
        if len(self._texts) > _TEXTS_KEPT:
            self._texts = {}
        known = self._texts
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, vectors := self.embedder().embed_queries(new), strict=True))
        return np.stack([known[text] for text in texts]) if texts else vectors

    # Filling

    def add(self, files: Sequence[Path], complete: bool = False, progress: Progress | None = None) -> AddReport:
        """Add the records of snapshot files; see `update.add_files`."""
        return add_files(files, complete, self.catalogue, self._lexical, progress)

    def update(
        self,
        source: Harvester,
        *,
        sets: Sequence[str] = (),
        since: date | None = None,
        today: date | None = None,
        progress: Callable[[HarvestProgress], None] | None = None,
    ) -> UpdateReport:
        """Add arXiv's changes; see `harvest.update_catalogue`. Raises StoreBusy if another process does the same."""
        with one_job(self._folder, "the update"):
            return update_catalogue(
                source,
                self.catalogue,
                self._lexical,
                HarvestMarks(self._database),
                sets=sets,
                since=since,
                today=today or datetime.now(UTC).date(),
                progress=progress,
            )

    def add_papers(self, papers: Sequence[Paper]) -> Changes:
        """Add records from elsewhere, such as the arXiv API."""
        return self.catalogue.put(papers)

    def one_change_of_library(self) -> contextlib.AbstractContextManager[None]:
        """Hold the lock for changes of the author's library. Raises StoreBusy at once if another process holds it."""
        return one_job(self._folder, "this change", "library.lock", "changing your library")

    def one_change_of_graph(self) -> contextlib.AbstractContextManager[None]:
        """As `one_change_of_library`, of those who change the citation graph."""
        return one_job(self._folder, "this change", "graph.lock", "changing the citation graph")

    def add_edges(
        self, files: Sequence[Path], day: date, progress: Callable[[int, int], None] | None = None
    ) -> EdgeReport:
        """Take citations by id into the graph; see `edge_files.add_edge_files`."""
        return add_edge_files(self._database, files, day, progress)

    def verify(self, repair: bool, progress: Callable[[str, int, int], None] | None = None) -> VerifyReport:
        """Check the catalogue and all that is derived from it; see `verify.verify`.

        Raises StoreBusy if an update is running.
        """
        with one_job(self._folder, "the check"):
            return verify(
                self._database, self._lexical, self._make_store, self.topics, repair=repair, progress=progress
            )

    def embed_rest(self, request: EmbedRequest, tell: Tell | None = None) -> EmbedReport:
        """Compute vectors in the background; see `background.embed_in_background`.

        Raises StoreBusy if another process does the same.
        """
        with one_job(self._folder, "the embedding", "embed.lock", "embedding papers"):
            return embed_in_background(self.catalogue, self._vectors(), self._foreground, request, tell)

    def make_topics(
        self, count: int | None, tell: TellTopics | None = None, *, anew: bool = False, embed: bool = False
    ) -> TopicsMade:
        """Make or update the topics; see `topics.TopicIndex.make`. `embed`: compute the vectors that it can use.

        Raises StoreBusy if another process does the same.
        """

        vectors_of = (lambda ids: self._embedded(ids, tell)) if embed else None
        with one_job(self._folder / "topics", "the topics", "write.lock", "making topics"):
            return self.topics.make(count, vectors_of, tell, anew=anew)

    def _embedded(self, ids: Sequence[str], tell: TellTopics | None) -> dict[str, Vectors]:
        vectors, vectors_by_id = self._vectors(), dict[str, Vectors]()
        for start in range(0, len(ids), CHUNK):
            if tell is not None:
                tell("topics: embed records", start, len(ids))
            papers = self.catalogue.papers(ids[start : start + CHUNK])
            vectors_by_id.update(vectors.by_paper(list(papers.values()), None, must_keep=True))
        vectors.sync.hand_over(wait=5.0)
        return vectors_by_id

    def prune(self, request: PruneRequest, *, dry_run: bool) -> list[Pruned]:
        """Delete what is not needed; see `prune.prune`. Raises StoreBusy if an update is running."""
        with one_job(self._folder, "pruning"):
            return prune(self._database, self._folder, self._lexical, self._make_store, request, dry_run=dry_run)

    # State

    def info(self) -> dict[str, Any]:
        """Return the document of `citeplug index info --json`. `categories` counts records by category."""
        updated = HarvestMarks(self._database).finished_by_set()
        return {
            "records": self.catalogue.records_of_arxiv(),
            "library": self.library.works(),
            "embedded": self.catalogue.embedded_by_any(),
            "models": self.catalogue.models(),
            "newest": _iso(self.catalogue.newest()),
            "categories": self.catalogue.categories(),
            "size_bytes": folder_size(self._folder),
            "path": str(self._folder),
            "citations": self.graph.edges(),
            "complete_to": _iso(self.catalogue.complete_to()),
            "updated_to": {name or "all": day.isoformat() for name, day in updated.items()},
            "vectors": self.catalogue.vectors_by_model(),
            **self._about_topics(),
            "sizes": {
                "catalogue": sum(file.stat().st_size for file in self._folder.glob("catalogue.sqlite3*")),
                "lexical": folder_size(self._folder / "lexical"),
                "stores": folder_size(self._folder / "chroma"),
                "topics": self.topics.size(),
            },
        }

    def _about_topics(self) -> dict[str, Any]:
        """Return the facts on topics; if these cannot be read, the other facts are still shown."""
        try:
            return {"topics": self.topics.info(), "topics_damage": None}
        except StoreBroken as error:
            return {"topics": None, "topics_damage": str(error)}

    def embedder(self) -> Embedder:
        """The embedding model, loaded when it is first needed. Raises ModelUnavailable."""
        with self._opening:
            if self._embedder is None:
                self._embedder = self._make_embedder()
            return self._embedder

    def _vectors(self) -> PaperVectors:
        model = self.embedder()
        with self._opening:
            if self._paper_vectors is None:
                self._paper_vectors = PaperVectors(self._database, model, self._make_store(model.name))
            return self._paper_vectors


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
