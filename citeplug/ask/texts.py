"""The texts that questions are put to: papers, documents and given texts, open for any number of questions."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, zip_longest
from pathlib import Path

from citeplug.ask.cited_passages import page_of_quote
from citeplug.ask.late_interaction import PieceCache
from citeplug.ask.outline import Outline, outline_of
from citeplug.ask.retrieval import EmbeddedPassage, EmbeddedQuery
from citeplug.corpus.fulltext.documents import read_documents
from citeplug.corpus.fulltext.from_document import read_plain
from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import Report, need_papers, open_corpus
from citeplug.corpus.vectors.text_vectors import KeptVectors
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.prepare.augment import PreparedQuestions
from citeplug.prepare.topic_summary import papers_of
from citeplug.protocols import Embedder, LanguageModel, Vectors
from citeplug.records.answer import Answer, AnswerCitation, AskedPassage, AskedText
from citeplug.records.finding import Finding, without_text
from citeplug.records.paper import LIBRARY, ArxivId, Filter, Paper, shown_id
from citeplug.records.passage import PaperText, Passage
from citeplug.records.prepared import FoundPair
from citeplug.related.paper_sets import PaperSet, resolve_papers
from citeplug.related.retrieve.candidates import search
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.stems import coverage, telling_stems

_MOST_EMBEDDED = 4_000  # passages of the asked texts that are embedded before the first question
_FOUND = 40  # passages that each search brings
_NEAREST = 20  # papers of the whole corpus that a question is put to
_SHORT = 4_000  # characters of a given text that is one passage
_LONGEST_TEXT = 1_000_000  # characters of a given text that are read
_NO_PAPERS = PaperSet()
_MOST_OF_TOPICS = 1_000  # papers
_GET = "'citeplug fetch' gets full texts, 'citeplug start' abstracts"
_MOST_COMPARED = 400  # abstracts and passages of given texts whose vectors are computed for a question


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text that is asked as it is, as in a batch."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked: several ways are joined. `main`: the papers of this draft, its shortlist and those it cites.

    `topics`: the newest papers of these topics of the catalogue, or those that have a label of this name. Where nothing is named, the whole corpus is searched
    for the papers nearest to `question`.
    """

    papers: PaperSet = _NO_PAPERS
    files: tuple[Path, ...] = ()
    texts: tuple[GivenText, ...] = ()
    main: Path | None = None
    topics: tuple[str, ...] = ()
    question: str = ""

    @property
    def is_whole_corpus(self) -> bool:
        return not (self.files or self.texts or self.main or self.topics) and self.papers == _NO_PAPERS

    def resolve(self, settings: Settings, report: Report) -> list[ArxivId]:
        """The papers. Raises UsageError for what is no id and no topic, and as reading a draft does."""
        papers: list[ArxivId] = []
        if self.papers != _NO_PAPERS:
            papers += resolve_papers(self.papers, settings, report)
        if self.main is not None:
            try:
                papers += resolve_papers(PaperSet(shortlist=self.main, cited=self.main), settings, report)
            except CorpusEmpty:
                papers += resolve_papers(PaperSet(cited=self.main), settings, report)
        of_topics = [paper for topic in self.topics for paper in papers_of(topic, settings, report)]
        papers += of_topics[:_MOST_OF_TOPICS]
        return papers


class _Stored:
    """The asked texts of one store. `names` are their ids as `AskedText` has them, by their id in the store."""

    def __init__(self, store: TextStore, embedder: Embedder) -> None:
        self.names: dict[str, str] = {}
        self.store = store
        self._outlines: dict[str, Outline] = {}
        self.vectors = KeptVectors(store.database, embedder)
        self.search = PassageSearch(store, lambda: embedder)

    def embed_all(self, report: Report) -> None:
        """Compute the vectors of all passages that have none yet, as far as there is room."""
        if self.names:
            papers = list(self.names)
            self.search.embed_papers(papers, _MOST_EMBEDDED, lambda done, of: report("embed passages", done, of))

    def outline(self, paper: str) -> Outline:
        """That of a text by its id in the store."""
        if paper not in self._outlines:
            text = self.store.read(paper)
            self._outlines[paper] = Outline(frozenset(), ()) if text is None else outline_of(text)
        return self._outlines[paper]

    def asked(self, passage: Passage) -> AskedPassage:
        name = self.names[passage.paper]
        return AskedPassage(name, passage.number, passage.text, passage.section, passage.page)

    def passage(self, paper: str, number: int) -> AskedPassage | None:
        """A passage of prose by its paper and its number."""
        text = self.store.read(paper) if number in self.outline(paper).prose else None
        passages = placed_passages(text) if text is not None else ()
        return next((self.asked(passage) for _, passage in passages if passage.number == number), None)

    def find(self, queries: Sequence[EmbeddedQuery]) -> list[AskedPassage]:
        """The passages of prose that each query finds."""
        if not self.names:
            return []
        passages = {
            (result.passage.paper, result.passage.number): result.passage
            for query in queries
            for result in self.search.find(query.text, _FOUND, list(self.names), seconds=None)
        }
        return [self.asked(p) for p in passages.values() if p.number in self.outline(p.paper).prose]


class AskedTexts:
    """The texts that are asked.

    `texts` are in the order in which they were named; `findings` are on what could not be read; `split` gives the word
    pieces of sentences.
    """

    def __init__(
        self,
        selection: Selection,
        settings: Settings,
        stores: tuple[TextStore, ...],
        embedder: Embedder,
        report: Report,
    ) -> None:
        """Read the texts, and embed their passages; `stores` are those of papers and of documents.

        Raises UsageError for what is no id, or if nothing was named; UnreadableInput for a file; CorpusEmpty if none
        of the papers has a text on this machine; ModelUnavailable.
        """
        self.selection = selection
        self.findings: list[Finding] = []
        self._settings = settings
        self._embedder = embedder
        self.split = PieceCache()
        self._papers, self._documents = (_Stored(store, embedder) for store in stores)
        self._loose: list[AskedPassage] = []  # passages that are in no store: abstracts, given texts
        self._overviews: dict[str, tuple[AskedPassage, ...]] = {}  # of these
        papers = self._nearest(report) if selection.is_whole_corpus else selection.resolve(settings, report)
        if not papers and not selection.files and not selection.texts and not selection.is_whole_corpus:
            raise _nothing_to_ask()
        records: Mapping[str, Paper] = {}
        if papers:
            with open_corpus(settings) as corpus:
                records = corpus.papers([paper.value for paper in papers])
        texts = [*self._take_papers(papers, records), *self._take_documents(selection.files, report)]
        texts += self._take_given(selection.texts, {text.id for text in texts})
        if not texts and not selection.is_whole_corpus:
            if selection.main is not None:
                with open_corpus(settings) as corpus:
                    need_papers(corpus, online=False)
            raise CorpusEmpty("none of these papers has a text or an abstract on this machine", _GET)
        self.texts = tuple(texts)
        self._prepared = PreparedQuestions([text.id for text in texts if text.of != "document"], settings)
        for stored in () if selection.is_whole_corpus else (self._papers, self._documents):
            stored.embed_all(report)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors (n, d) of any texts, computed once and kept."""
        return self._documents.vectors.of(texts)

    def query(self, text: str) -> EmbeddedQuery:
        return EmbeddedQuery(text, self._embedder.embed_queries([text])[0])

    def candidates(self, queries: Sequence[EmbeddedQuery]) -> list[EmbeddedPassage]:
        """Passages near any of the queries: of full texts and documents, abstracts, and given texts."""
        loose = self._loose
        if len(loose) > _MOST_COMPARED:
            words = telling_stems(queries[-1].text)
            loose = sorted(loose, key=lambda passage: -coverage(words, passage.text))[:_MOST_COMPARED]
        return [
            EmbeddedPassage(passage, vector)
            for stored, passages in (
                (self._papers, self._papers.find(queries)),
                (self._documents, self._documents.find(queries)),
                (self._documents, loose),
            )
            for passage, vector in zip(passages, stored.vectors.of([_embedded(p) for p in passages]), strict=True)
        ]

    def overview(self, text: str) -> tuple[AskedPassage, ...]:
        """The passages in which a text says what all of it is about, by its id; the most telling first."""
        for stored in (self._papers, self._documents):
            for id_in_store, name in stored.names.items():
                if name == text:
                    return tuple(stored.asked(passage) for passage in stored.outline(id_in_store).overview)
        return self._overviews.get(text, ())

    def prepared(self, query: EmbeddedQuery) -> tuple[list[FoundPair], list[AskedPassage]]:
        """The prepared questions near a query, and the passages that answer them; a question on an abstract of which
        the full text is asked has none.
        """
        near = self._prepared.near(query.vector)
        loose = {(passage.text_id, passage.number): passage for passage in self._loose}
        places = dict.fromkeys((pair.paper, pair.pair.place.passage) for pair in near)
        return near, [p for place in places if (p := loose.get(place) or self._papers.passage(*place)) is not None]

    def sub_questions(
        self, query: EmbeddedQuery, near: Sequence[FoundPair], model: LanguageModel, findings: list[Finding]
    ) -> list[EmbeddedQuery]:
        """A model's questions beside this one; `findings` gets what went wrong."""
        questions = self._prepared.sub_questions(query.text, near, model, findings)
        return [EmbeddedQuery(text, vector) for text, vector in zip(questions, self.embed(questions), strict=True)]

    def with_pages(self, answer: Answer) -> Answer:
        """The answer with the page on which each quotation begins, where that of its passage is an earlier one."""
        return replace(
            answer,
            sentences=tuple(
                replace(sentence, citations=tuple(self._with_page(citation) for citation in sentence.citations))
                for sentence in answer.sentences
            ),
        )

    def _with_page(self, citation: AnswerCitation) -> AnswerCitation:
        if citation.page is None:
            return citation
        for stored in (self._papers, self._documents):
            for id_in_store, name in stored.names.items():
                if name == citation.paper and (text := stored.store.read(id_in_store)) is not None:
                    return replace(citation, page=page_of_quote(text, citation))
        return citation

    def _nearest(self, report: Report) -> list[ArxivId]:
        """The papers of the whole corpus whose abstracts or passages are nearest to the question; none without one.

        Raises UsageError for a corpus in which there is nothing.
        """
        question = self.selection.question
        full_texts = len(self._papers.store.papers())
        with open_corpus(self._settings) as corpus:
            abstracts = corpus.records
            if not abstracts and not full_texts:
                raise _nothing_to_ask()
            if not question:
                return []
            report("search", 0, None)
            candidates = search(question, corpus, Filter(), _NEAREST) if abstracts else []
        results = self._papers.search.find(question, _FOUND)
        by_passage = dict.fromkeys(result.passage.paper for result in results)
        pairs = zip_longest((candidate.paper.id.value for candidate in candidates), by_passage)
        nearest = [*dict.fromkeys(value for pair in pairs for value in pair if value is not None)][:_NEAREST]
        searched = f"{_counted(abstracts, 'abstract')} and {_counted(full_texts, 'full text')} on this machine"
        message = f"no papers were named: searched {searched}, and asked the nearest {_counted(len(nearest), 'paper')}"
        self.findings.append(
            Finding("corpus_searched", "info", message, fix="name papers, a draft or files to ask these")
        )
        return [ArxivId(value) for value in nearest]

    def _take_papers(self, papers: Sequence[ArxivId], records: Mapping[str, Paper]) -> list[AskedText]:
        """The full text of each paper where it is on this machine, else its abstract."""
        full_texts = self._papers.store.kept([paper.value for paper in papers])
        texts: list[AskedText] = []
        missing: list[str] = []
        for value in dict.fromkeys(paper.value for paper in papers):
            record = records.get(value)
            if value in full_texts:
                full = full_texts[value][0]
                title = record.title if record else full.title
                texts.append(AskedText(value, title, "full text", full.digest, full.version))
                self._papers.names[value] = value
            elif record is not None and record.abstract.strip():
                abstract = plain(record.abstract)
                texts.append(AskedText(value, record.title, "abstract", _digest(abstract), record.id.version))
                self._take_loose(AskedPassage(value, 0, abstract, summary=record.abstract_kind == "summary"))
            else:
                missing.append(value.removeprefix(LIBRARY) if value.startswith(LIBRARY) else shown_id(value))
        if missing:
            self.findings.append(without_text(missing, "asked", _GET))
        return texts

    def _take_documents(self, files: Sequence[Path], report: Report) -> list[AskedText]:
        documents, findings = read_documents(files, self._documents.store, report)
        self.findings += findings
        self._documents.names = {document.kept: document.name for document in documents}
        return [AskedText(document.name, document.title, "document", document.digest) for document in documents]

    def _take_given(self, given_texts: Sequence[GivenText], taken: set[str]) -> list[AskedText]:
        """Take given texts under their titles, with a number where the title is that of another text or in `taken`."""
        texts: list[AskedText] = []
        for number, text in enumerate(given_texts, 1):
            title = plain(text.title) or f"text {number}"
            names = chain([title], (f"{title} ({more})" for more in count(number)))
            name = next(name for name in names if name not in taken)
            taken.add(name)
            texts.append(AskedText(name, name, "document", _digest(text.text)))
            if len(text.text) > _SHORT:
                read = read_plain(text.text[:_LONGEST_TEXT].encode("utf-8", "replace"))
                whole = PaperText(name, None, "own", read.title, read.sections)
                outline = outline_of(whole)
                passages = {
                    p.number: AskedPassage(name, p.number, p.text, p.section) for _, p in placed_passages(whole)
                }
                self._loose += [passage for number, passage in passages.items() if number in outline.prose]
                self._overviews[name] = tuple(passages[passage.number] for passage in outline.overview)
            elif text.text.strip():
                self._take_loose(AskedPassage(name, 0, plain(text.text)))
        return texts

    def _take_loose(self, passage: AskedPassage) -> None:
        """Take a text that is one passage."""
        self._loose.append(passage)
        self._overviews[passage.text_id] = (passage,)


def _counted(count: int, one: str) -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def _nothing_to_ask() -> UsageError:
    hint = "give a draft that cites some, --papers ID, --library, files or a folder"
    return UsageError("there are no papers to ask", hint)


def _embedded(passage: AskedPassage) -> str:
    return f"{passage.section}. {passage.text}" if passage.section else passage.text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
