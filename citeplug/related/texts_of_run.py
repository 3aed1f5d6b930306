"""The full texts that a run reads: those on this machine, and with consent those on arXiv."""

from collections.abc import Callable, Mapping, Sequence

from citeplug.corpus.fulltext.fetch_texts import fetch_texts
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.index import Corpus
from citeplug.errors import StoreBusy
from citeplug.protocols import NearPassages
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.passage import PaperText
from citeplug.settings.environment import Settings
from citeplug.settings.user_toml import read_preferences


class KeptTexts:
    """`protocols.FullTexts` over the user's folder, opened when it is first needed. `online`: more may be fetched."""

    def __init__(self, settings: Settings, corpus: Corpus, *, online: bool) -> None:
        self._chosen = settings
        self._corpus = corpus
        self._may_fetch = (online or read_preferences(settings.home).fetch_texts) and not settings.offline
        self._store: TextStore | None = None

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    @property
    def _texts(self) -> TextStore:
        if self._store is None:
            self._store = TextStore(self._chosen.home)
        return self._store

    def get(self, papers: Sequence[Paper], tell: Callable[[str, int, int | None], None]) -> list[Finding]:
        if not self._may_fetch:
            return []
        try:
            done = fetch_texts(self._chosen, [paper.id for paper in papers], tell, online=True, corpus=self._corpus)
        except StoreBusy:  # while another process fetches, what is here counts
            return []
        # Papers without a text are named once, for the whole section.
        return [finding for finding in done.findings if finding.code != "full_text_missing"]

    def passages(
        self,
        papers: Sequence[str],
        queries: Sequence[str],
        most: int,
        seconds: float | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> Mapping[str, NearPassages]:
        return PassageSearch(self._texts, self._corpus.embedder).near(papers, queries, most, seconds, tell)

    def newest(self, papers: Sequence[str]) -> Mapping[str, PaperText]:
        newest = {paper: self._texts.read(paper) for paper in papers}
        return {paper: text for paper, text in newest.items() if text is not None}

    def versions(self, paper: str) -> Sequence[PaperText]:
        known_versions = (text.version for text in self._texts.kept([paper]).get(paper, ()))
        texts = (self._texts.read(paper, version) for version in dict.fromkeys(known_versions))
        return [text for text in texts if text is not None]

    def stamp(self) -> str:
        return f"{self._texts.stamp()} {self._may_fetch}"
