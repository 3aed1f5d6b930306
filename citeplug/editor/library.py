"""The local catalogue, used off the event loop and without the network."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Literal, NamedTuple, TypeVar

from citeplug.corpus.index import Corpus
from citeplug.errors import CiteplugError
from citeplug.records.paper import Filter, Paper
from citeplug.records.work import OwnEntry
from citeplug.settings.environment import Settings

log = logging.getLogger(__name__)
T = TypeVar("T")

_FOUND = 30  # papers for a sentence, or for words
_ANSWERS_KEPT = 100


class _Query(NamedTuple):
    kind: Literal["sentence", "words"]
    text: str


class Library:
    """The catalogue, opened on first use in a thread of its own. `settings` is used as if offline."""

    def __init__(self, settings: Settings, name: str) -> None:
        self.settings = replace(settings, offline=True)
        self._worker = ThreadPoolExecutor(1, f"citeplug-{name}")
        self._opened = ExitStack()
        self._corpus: Corpus | None = None
        self._found: OrderedDict[_Query, Sequence[Paper]] = OrderedDict()
        self._asked: dict[_Query, asyncio.Future[Sequence[Paper]]] = {}
        self._latest: dict[str, _Query] = {}  # by kind
        self.own: dict[str, OwnEntry] = {}  # the author's entries of papers in answers, by id

    @property
    def there(self) -> bool:
        """Return True if there is a catalogue; it is not created by asking."""
        return (self.settings.corpus_home / "corpus" / "catalogue.sqlite3").is_file()

    async def ask(self, question: Callable[[Corpus], T]) -> T:
        """Run `question` in the catalogue's thread; raises its exceptions."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, lambda: question(self._open()))

    async def papers(self, ids: Sequence[str]) -> dict[str, Paper]:
        """Return records by id; none if there is no catalogue, or it cannot be read."""
        if not ids or not self.there:
            return {}
        try:
            return dict(await self.ask(lambda corpus: corpus.papers(ids)))
        except CiteplugError as error:
            log.warning("the catalogue cannot be read: %s", error)
            return {}

    async def related(self, sentence: str, seconds: float) -> Sequence[Paper]:
        """Return papers for a sentence, best first; none if the search takes longer than `seconds`: ask again then."""
        return await self._within(seconds, _Query("sentence", sentence))

    async def warm(self) -> None:
        """Load what a search by meaning needs: the first citation that is typed does not wait for that."""
        await self._within(None, _Query("sentence", "related work"))

    async def search(self, words: str, seconds: float | None) -> Sequence[Paper]:
        """Return papers for words that were typed, best first; `seconds` as for `related`, None: no bound."""
        return await self._within(seconds, _Query("words", " ".join(words.split())))

    async def _within(self, seconds: float | None, question: "_Query") -> Sequence[Paper]:
        if not any(map(str.isalnum, question.text)) or not self.there:
            return ()
        self._latest[question.kind] = question
        if question in self._found:
            self._found.move_to_end(question)
            return self._found[question]
        if question not in self._asked:
            asked: asyncio.Future[Sequence[Paper]] = asyncio.ensure_future(self._search(question))
            self._asked[question] = asked
            asked.add_done_callback(lambda _: self._asked.pop(question, None))
        await asyncio.wait({self._asked[question]}, timeout=seconds)
        return self._found.get(question, ())

    def close(self) -> None:
        self._worker.shutdown(wait=False, cancel_futures=True)

    async def _search(self, question: "_Query") -> Sequence[Paper]:
        try:
            answer = await self.ask(lambda corpus: self._answer(corpus, question))
        except Exception as error:  # completion goes on with the author's own entries
            log.warning("the catalogue cannot be searched: %s", error)
            answer = ()
        if answer is not None:
            self._found[question] = answer
            while len(self._found) > _ANSWERS_KEPT:
                self._found.popitem(last=False)
        return answer or ()

    def _answer(self, corpus: Corpus, question: "_Query") -> Sequence[Paper] | None:
        from citeplug.corpus.quick_search import quick_search
        from citeplug.related.retrieve.typed_search import search_typed

        if question != self._latest[question.kind]:
            return None  # the author has typed on
        if corpus.is_empty():
            return ()
        if question.kind == "words":
            typed = search_typed(question.text, corpus, Filter(), _FOUND, seconds=0.0)
            all_papers: Sequence[Paper] = [candidate.paper for candidate in typed.candidates]
        else:
            all_papers = quick_search(question.text, corpus, Filter(), _FOUND)
        if question.kind == "words" and (keys := corpus.library.by_key(question.text, _FOUND)):
            by_key = corpus.papers(keys)
            all_papers = list(
                {paper.id.value: paper for paper in (*(by_key[k] for k in keys if k in by_key), *all_papers)}.values()
            )
        papers = [paper for paper in all_papers if paper.complete]
        # A work outside arXiv is cited by the author's own entry, which a PDF alone does not have.
        own = corpus.library.entries([paper.id.value for paper in papers])
        self.own |= own
        return tuple(paper for paper in papers if paper.id.on_arxiv or paper.id.value in own)

    def _open(self) -> Corpus:
        from citeplug.corpus.stores import open_corpus

        if self._corpus is None:
            self._corpus = self._opened.enter_context(open_corpus(self.settings))
        return self._corpus
