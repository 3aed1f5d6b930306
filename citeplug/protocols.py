"""Protocols for disk, network and models. Stages receive implementations as arguments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from citeplug.errors import Cancelled, CiteplugError
from citeplug.records.dialogue import Heard, Reply, Request
from citeplug.records.draft import BibEntry
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Clue, Filter, Paper
from citeplug.records.passage import Mentioned, PaperText, Passage, Reference
from citeplug.records.topics import Topic
from citeplug.records.work import Holding, Service, Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:
    Vectors = Any  # numpy is not installed where only bibliographies are checked


class PaperSource(Protocol):
    """A service with records of papers, such as the arXiv API."""

    def fetch(self, ids: Sequence[ArxivId]) -> Mapping[ArxivId, Paper]:
        """Records by id as asked for (with the version, if one was asked for); unknown ids are left out.

        Raises SourceUnavailable on an outage: an outage is never an answer.
        """
        ...

    def search(self, text: str, limit: int, before: date | None = None) -> list[Paper]:
        """At most `limit` papers for plain words, best first. Raises SourceUnavailable on an outage."""
        ...


class SearchSource(Protocol):
    """A service that is searched by words of a draft, with the user's consent."""

    @property
    def name(self) -> str:
        """Its name, in its own spelling."""
        ...

    def search(self, text: str, limit: int, before: date | None = None) -> list[Paper]:
        """As `PaperSource.search`."""
        ...


class RecordSource(PaperSource, Protocol):
    """A paper source that finds the paper which a bibliography entry means."""

    def find(self, clues: Sequence[Clue]) -> list[Paper]:
        """Papers that fit one of the clues or more, in no order. Raises SourceUnavailable on an outage."""
        ...


class RecordIndex(Protocol):
    """The records on this machine, to compare bibliography entries with."""

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        """Records by id without version; unknown ids are left out."""
        ...

    def by_doi(self, dois: Sequence[str]) -> Mapping[str, list[Paper]]:
        """Records by DOI (lower case, without resolver); unknown DOIs are left out."""
        ...

    def by_title(self, title: str, k: int) -> list[Paper]:
        """At most `k` records whose titles share words with `title`, the likeliest first."""
        ...

    def own_works(self) -> Sequence[Paper]:
        """The works of the author's library that are not on arXiv: they prove nothing about an entry."""
        ...

    def own_texts(self) -> Sequence[Holding]:
        """The PDFs and other files of the author's library that have an abstract."""
        ...


class EntrySource(Protocol):
    """A service that is asked for what the draft's own entries name."""

    def of_entries(self, entries: Sequence[BibEntry]) -> Mapping[str, Paper]:
        """Records with an abstract of those works that the service has, by the entries' keys; an outage gives fewer."""
        ...


class WorkSource(Protocol):
    """A service with records of published works, on arXiv or not: Crossref, OpenAlex, DBLP."""

    @property
    def name(self) -> Service: ...

    @property
    def knows_dois(self) -> bool:
        """True if the service can be asked by DOI; if not, None from `by_doi` says nothing about the work."""
        ...

    def by_doi(self, doi: str) -> Work | None:
        """Return the work of this DOI, None if the service has none. Raises SourceUnavailable on an outage."""
        ...

    def by_title(self, title: str, surnames: Sequence[str]) -> list[Work]:
        """Return at most ten works with a title like this one, best first. Raises SourceUnavailable on an outage.

        `title` and `surnames` may hold TeX. Words of the title are sent, and surnames where they help.
        """
        ...


class LanguageModel(Protocol):
    """A language model of a provider, with its request rate, budget and answer cache."""

    @property
    def name(self) -> str:
        """Provider and model, as `anthropic:NAME`."""
        ...

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        """Answer one request; `on_text` is given the text as it comes, in the caller's own thread.

        Raises ModelUnavailable if the provider cannot be reached or will not answer, and BudgetReached before
        a request that could pass the budget.
        """
        ...

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        """Answer many requests concurrently; replies are in the order given, an error in the place of a failed one."""
        ...


def ask_all(model: LanguageModel, requests: Sequence[Request]) -> list[Reply | CiteplugError]:
    """Return the replies in order, an error in the place of each failed one. Raises Cancelled, nothing else."""
    if not requests:
        return []
    try:
        replies = model.complete_all(requests)
    except Cancelled:
        raise
    except CiteplugError as error:
        return [error] * len(requests)
    for reply in replies:
        if isinstance(reply, Cancelled):
            raise reply
    return replies


@runtime_checkable
class PreparedSource(Protocol):
    """A work source that can fetch many works in advance."""

    def prepare(self, dois: Sequence[str]) -> None:
        """Ask for many DOIs in few requests, so that `by_doi` has them. Raises SourceUnavailable on an outage."""
        ...


class Embedder(Protocol):
    """A text embedding model."""

    @property
    def name(self) -> str:
        """Model and runtime, as the key of its vectors in a store: vectors of two names are never mixed."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length, in the order given."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, for queries: some models embed them differently."""
        ...


class Rescorer(Protocol):
    """A second, larger embedding model that scores the first papers of a search again."""

    def cosines(
        self,
        text: str,
        papers: Sequence[Paper],
        seconds: float | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> Mapping[str, float]:
        """Cosine of each paper to `text` by id; missing vectors are computed and kept, in the order given.

        `seconds` bounds the time of computing, without that of loading the model; papers that did not fit are left
        out. None: no bound. `tell` is called with (papers done, papers in all). Raises ModelUnavailable.
        """
        ...


class TopicSource(Protocol):
    """Topics of the corpus on this machine."""

    def of(self, ids: Sequence[str]) -> Mapping[str, Topic]:
        """Return the topics of these records by id, records without one left out. Raises StoreBroken, StoreBusy."""
        ...

    def within(self, wanted: Sequence[str], papers: Sequence[Paper] = ()) -> frozenset[str]:
        """Return the ids of all records of these topics (numbers, names, or words of names), and those of `papers`.

        Raises UsageError for an unknown topic, or if there are none, StoreBroken if they cannot be read.
        """
        ...


class CitationSource(Protocol):
    """The citation graph on this machine: arXiv ids without version, each question bounded."""

    def references(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        """At most `most` papers that each of these cites, by id; those of which no citation is known are left out."""
        ...

    def citers(self, ids: Sequence[str], most: int) -> Mapping[str, tuple[str, ...]]:
        """At most `most` papers that cite each of these, by id."""
        ...

    def mentions(self, cited: str, most: int) -> Sequence[Mentioned]:
        """At most `most` sentences about a paper in the full texts of those that cite it."""
        ...

    def states(self, ids: Sequence[str]) -> Mapping[str, str]:
        """State of these papers' lists of references: `known`, `none`, `unavailable`; others are left out."""
        ...

    def unresolved(self, ids: Sequence[str]) -> Mapping[str, Sequence[Reference]]:
        """The entries of these papers' lists that mean no paper that is known."""
        ...

    def stamp(self) -> str:
        """A text that is another one after lists were added."""
        ...


class ListSource(Protocol):
    """Where the list of references of a paper may be had."""

    def fetch(self, paper: Paper) -> None:
        """Put the paper's list into the graph, or note that there is none.

        Raises SourceUnavailable on an outage, StoreBusy if another process changes the graph.
        """
        ...


class PaperIndex(Protocol):
    """The searchable corpus on this machine."""

    @property
    def rescorer(self) -> Rescorer | None:
        """Model that scores the first papers of a search again; None unless the user chose one."""
        ...

    @property
    def records(self) -> int:
        """Number of records."""
        ...

    def unembedded(self, most: int) -> list[str]:
        """Ids of the records that have no vector yet, newest first; none if there are more than `most` records."""
        ...

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        """Records by id without version; unknown ids are left out."""
        ...

    def lexical(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        """At most `k` (id, BM25 score), best first. Any text is a valid query; an empty one finds nothing."""
        ...

    def keywords(self, text: str, k: int, where: Filter) -> list[tuple[str, float]]:
        """As `lexical`, for a few words that are all wanted: papers that have each of them come forward."""
        ...

    def records_with(self, texts: Sequence[str]) -> Mapping[str, int]:
        """Number of records that have all words of each text in title or abstract; 0 for one without a word."""
        ...

    def nearest(self, vector: Vectors, k: int, where: Filter) -> list[tuple[str, float]]:
        """At most `k` (id, cosine) among the records embedded so far, best first. `vector` is (d,), unit."""
        ...

    def vectors(self, ids: Sequence[str], seconds: float | None = None) -> Mapping[str, Vectors]:
        """Unit vectors (d,) by id; missing ones are computed and kept, in the order given.

        `seconds` bounds the time spent on computing; ids that did not fit are left out. None: no bound.
        """
        ...

    def vectors_of(self, papers: Sequence[Paper], seconds: float | None = None) -> Mapping[str, Vectors]:
        """As `vectors`, for papers that need not be in the catalogue."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) vectors of texts that are not records, such as queries, by the store's own model."""
        ...


@dataclass(frozen=True, slots=True)
class NearPassages:
    """Passages of one paper, unit vectors (n, d) of them, and their cosines (n, q) to q queries."""

    passages: tuple[Passage, ...]
    vectors: Vectors
    cosines: Vectors


class FullTexts(Protocol):
    """The full texts on this machine, and with the user's consent those on arXiv."""

    def get(self, papers: Sequence[Paper], tell: Callable[[str, int, int | None], None]) -> list[Finding]:
        """Fetch the texts of these papers that are not here, if the user consents to it; an outage is a finding."""
        ...

    def passages(
        self,
        papers: Sequence[str],
        queries: Sequence[str],
        most: int,
        seconds: float | None = None,
        tell: Callable[[int, int], None] | None = None,
    ) -> Mapping[str, NearPassages]:
        """Passages by paper, `most` of each: those that share most words with the queries; papers without a text are
        left out.

        What a paper says of others is none of them, nor is its abstract. Vectors are computed and kept, for `seconds`
        at most (None: all); passages without one are left out. Raises ModelUnavailable.
        """
        ...

    def newest(self, papers: Sequence[str]) -> Mapping[str, PaperText]:
        """The newest text of each paper that has one on this machine."""
        ...

    def versions(self, paper: str) -> Sequence[PaperText]:
        """The texts of a paper on this machine, the newest first."""
        ...

    def stamp(self) -> str:
        """A text that changes whenever the texts do, or the consent to fetch more."""
        ...


@dataclass(frozen=True, slots=True)
class HarvestPage:
    """A page of a day's changes. `deleted` are ids, `skipped` counts unusable records, `unread` has their known ids.

    `responded` is the server's own day, if the server gives it.
    """

    papers: Sequence[Paper]
    deleted: Sequence[str] = ()
    skipped: int = 0
    unread: frozenset[str] = frozenset()
    responded: date | None = None


class Harvester(Protocol):
    """A service that lists changed records, such as arXiv's OAI-PMH."""

    def pages(self, day: date, of_set: str | None) -> Iterator[HarvestPage]:
        """Yield the changes of `day`; at least one page. Raises SourceUnavailable on an outage."""
        ...
