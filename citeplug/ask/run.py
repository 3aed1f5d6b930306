"""Questions to papers, documents and given texts: what is asked, the passages found, and answers without a model."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path

from citeplug.ask.answer_passages import page_of_quote
from citeplug.ask.asked_papers import papers_to_ask
from citeplug.ask.extractive import answer_extractively
from citeplug.ask.retrieval import Candidate, Query, choose_passages, with_history, with_more, with_topic
from citeplug.corpus.fulltext.documents import documents_store, read_documents
from citeplug.corpus.fulltext.from_document import read_plain
from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.corpus.fulltext.search import PassageSearch
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import Report, need_models, open_corpus
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.text_vectors import KeptVectors, Tell
from citeplug.errors import CorpusEmpty, UsageError
from citeplug.prepare.augment import Augmenter
from citeplug.protocols import Embedder, LanguageModel, Vectors
from citeplug.records.answer import Answer, AnswerCitation, AskedPassage, AskedText, Gathered, Turn
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Filter, Paper, shown_id
from citeplug.records.passage import PaperText
from citeplug.related.paper_sets import PaperSet
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.language import language_of_question
from citeplug.text.stems import coverage, telling_stems

LONGEST_QUESTION = 2_000  # characters that are asked; the rest of a longer question is not read
_MOST_EMBEDDED = 4_000  # passages of the asked texts that are embedded before the first question
_FOUND = 40  # passages that each search brings
_OF_A_QUESTION = 2  # passages of those that a further question finds
_SHORT = 4_000  # characters of a given text that is one passage
_LONGEST_TEXT = 1_000_000  # characters of a given text that are read
_NAMED = 5  # papers in a message
_GET = "get texts with 'citeplug fetch', or records with 'citeplug index add'"
_NONE = PaperSet()
_MOST_COMPARED = 400  # abstracts and passages of given texts whose vectors are computed for a question


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text that is asked as it is, as in a batch."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked: several ways are joined. `main`: the papers of this draft, its shortlist and those it cites.

    `topics`: the newest papers of these topics of the catalogue. `augment`: further questions are asked too, prepared
    ones of the papers or a model's.
    """

    papers: PaperSet = _NONE
    files: tuple[Path, ...] = ()
    texts: tuple[GivenText, ...] = ()
    main: Path | None = None
    topics: tuple[str, ...] = ()
    augment: bool = False


@dataclass(frozen=True, slots=True)
class AskStores:
    """The stores that questions need, open, and the model that embeds."""

    chosen: Settings
    papers: TextStore
    documents: TextStore
    embedder: Embedder


@contextmanager
def open_stores(chosen: Settings) -> Iterator[AskStores]:
    """Open what questions need. Raises ModelUnavailable for a model that is not there."""
    need_models(chosen)
    with ExitStack() as stack:
        papers = stack.enter_context(closing(TextStore(chosen.home)))
        documents = stack.enter_context(closing(documents_store(chosen.home)))
        yield AskStores(chosen, papers, documents, open_embedder(chosen.embedder, chosen.device))


def stamp_of_texts(chosen: Settings) -> tuple[object, ...]:
    """A value that is another one once the records, the library or the full texts on this machine have changed."""
    with open_corpus(chosen) as corpus, closing(TextStore(chosen.home)) as store:
        return corpus.last_change, corpus.library.works(), corpus.graph.stamp(), store.stamp()


@contextmanager
def open_texts(wanted: Wanted, chosen: Settings, report: Report) -> Iterator["AskedTexts"]:
    """Open the texts that are asked, ready for questions; errors as `take_texts`."""
    with open_stores(chosen) as stores:
        texts = take_texts(wanted, stores, report)
        stores.embedder.embed_queries(["ready"])  # loads it, which the first question need not wait for
        yield texts


def take_texts(wanted: Wanted, stores: AskStores, report: Report) -> "AskedTexts":
    """Take the texts that are asked, ready for questions.

    Raises UsageError for what is no id, or if nothing was named; UnreadableInput for a file; CorpusEmpty if none of the
    papers has a text on this machine; ModelUnavailable.
    """
    asked = AskedTexts(stores)
    asked.take(wanted, report)
    asked.embed_all(report)
    return asked


class AskedTexts:
    """The texts that are asked, open for any number of questions.

    `texts` in the order in which they were named; `findings` on what could not be read. `embed` gives unit vectors
    (n, d) of any texts, computed once and kept. `asked_too` are the further questions beside the last one.
    """

    def __init__(self, stores: AskStores) -> None:
        self.texts: tuple[AskedText, ...] = ()
        self.findings: list[Finding] = []
        self.asked_too: list[str] = []
        self._augmenter: Augmenter | None = None
        self._papers: dict[str, Paper] = {}  # the records of papers that are asked
        self._chosen = stores.chosen
        self._embedder = embedder = stores.embedder
        self._stores = {"full text": stores.papers, "document": stores.documents}
        self._searches = {name: PassageSearch(store, lambda: embedder) for name, store in self._stores.items()}
        self._ids: dict[str, dict[str, str]] = {"full text": {}, "document": {}}  # by id in the store: that of the text
        self._queries: dict[str, Vectors] = {}  # the last one
        self._loose: list[AskedPassage] = []  # passages that are in no store: abstracts, given texts
        self._vectors = {name: KeptVectors(store.database, embedder) for name, store in self._stores.items()}

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._vectors["document"].of(texts)

    def gather(self, question: str, history: Sequence[Turn] = (), model: LanguageModel | None = None) -> Gathered:
        """Find the passages nearest to a question, and to further ones, which a `model` writes, if these are wanted.

        Raises UsageError for an empty question.
        """
        question = checked_question(with_topic(checked_question(question), history))
        asked = self._query(question)
        conversation = self._query(with_history(question, history)) if history else None
        queries = [asked] if conversation is None else [asked, conversation]
        candidates = [each for name in self._stores for each in self._found(name, queries)]
        candidates += self._compared(queries)
        passages = choose_passages(candidates, self.texts, asked, conversation)
        findings: list[Finding] = []
        more = self._found_by_further(question, model, findings)
        return Gathered(self.texts, with_more(passages, more, self.texts), tuple(findings))

    def _found_by_further(
        self, question: str, model: LanguageModel | None, findings: list[Finding]
    ) -> list[AskedPassage]:
        """The passages that further questions find, a few for each."""
        if self._augmenter is None:
            return []
        self._augmenter.model = model
        self.asked_too = self._augmenter.questions(question, Filter(), findings)
        more: list[AskedPassage] = []
        for text, vector in zip(self.asked_too, self.embed(self.asked_too), strict=True):
            query = Query(text, vector)
            candidates = [each for name in self._stores for each in self._found(name, [query])]
            more += choose_passages([*candidates, *self._compared([query])], self.texts, query, None, _OF_A_QUESTION)
        return more

    def answer(self, question: str, history: Sequence[Turn] = (), gathered: Gathered | None = None) -> Answer:
        """Answer a question in the texts' own words, or refuse; from what was `gathered` for it, if it was before.

        Raises UsageError for an empty question.
        """
        gathered = gathered or self.gather(question, history)
        asked = checked_question(with_topic(checked_question(question), history))
        vector = self._query(asked).vector
        answer = self.with_pages(answer_extractively(asked, vector, gathered.texts, gathered.passages, self.embed))
        return replace(
            answer, question=checked_question(question), findings=(*gathered.findings, *doubts_about(question, answer))
        )

    def with_pages(self, answer: Answer) -> Answer:
        """The answer with the page on which each quotation begins, where that of its passage is an earlier one."""
        return replace(
            answer,
            sentences=tuple(
                replace(sentence, citations=tuple(self._with_page(each) for each in sentence.citations))
                for sentence in answer.sentences
            ),
        )

    def _with_page(self, citation: AnswerCitation) -> AnswerCitation:
        if citation.page is None:
            return citation
        for name, ids in self._ids.items():
            for kept, given in ids.items():
                if given == citation.paper and (text := self._stores[name].read(kept)) is not None:
                    return replace(citation, page=page_of_quote(text, citation))
        return citation

    def _query(self, text: str) -> Query:
        if text not in self._queries:
            self._queries = {text: self._embedder.embed_queries([text])[0]}
        return Query(text, self._queries[text])

    def _found(self, name: str, queries: Sequence[Query]) -> list[Candidate]:
        """Passages of the texts in a store that each query finds."""
        ids = self._ids[name]
        if not ids:
            return []
        passages = {
            (each.passage.paper, each.passage.number): each.passage
            for query in queries
            for each in self._searches[name].find(query.text, _FOUND, list(ids), seconds=None)
        }
        found = [
            AskedPassage(ids[each.paper], each.number, each.text, each.section, each.page) for each in passages.values()
        ]
        return self._with_vectors(found, self._vectors[name])

    def _compared(self, queries: Sequence[Query]) -> list[Candidate]:
        """Abstracts and passages of given texts: all, or of many those that share most words with the queries."""
        near = self._loose
        if len(near) > _MOST_COMPARED:
            words = telling_stems(queries[-1].text)
            near = sorted(near, key=lambda each: -coverage(words, each.text))[:_MOST_COMPARED]
        return self._with_vectors(near, self._vectors["document"])

    def _with_vectors(self, passages: Sequence[AskedPassage], kept: KeptVectors) -> list[Candidate]:
        vectors = kept.of([_embedded(each) for each in passages])
        return [Candidate(each, vector) for each, vector in zip(passages, vectors, strict=True)]

    # Opening

    def take(self, wanted: Wanted, report: Report) -> None:
        """Take what is asked; see `take_texts`."""
        papers = papers_to_ask(wanted.papers, wanted.main, wanted.topics, self._chosen, report)
        if not papers and not wanted.files and not wanted.texts:
            raise UsageError(
                "there are no papers to ask", "give a draft that cites some, --papers ID, --library, files or a folder"
            )
        texts = self._take_papers(papers)
        texts += self._take_documents(wanted.files, report)
        texts += self._take_given(wanted.texts, {text.id for text in texts})
        if not texts:
            raise CorpusEmpty("of what is to be asked neither text nor abstract is on this machine", _GET)
        self.texts = tuple(texts)
        if wanted.augment:
            self._augmenter = Augmenter(self._chosen, _Records(self._embedder, self._papers))

    def embed_all(self, report: Report) -> None:
        """Compute the vectors of all passages that have none yet, as far as there is room."""
        for name, search in self._searches.items():
            if self._ids[name]:
                search.embed_papers(list(self._ids[name]), _MOST_EMBEDDED, _telling(report))

    def _take_papers(self, papers: Sequence[ArxivId]) -> list[AskedText]:
        if not papers:
            return []
        kept = self._stores["full text"].kept([paper.value for paper in papers])
        with open_corpus(self._chosen) as corpus:
            records = corpus.papers([paper.value for paper in papers])
        self._papers = dict(records)
        texts: list[AskedText] = []
        missing: list[str] = []
        for value in dict.fromkeys(paper.value for paper in papers):
            record = records.get(value)
            if value in kept:
                full = kept[value][0]
                title = record.title if record else full.title
                texts.append(AskedText(value, title, "full text", full.digest, full.version))
                self._ids["full text"][value] = value
            elif record is not None and record.abstract.strip():
                abstract = plain(record.abstract)
                texts.append(AskedText(value, record.title, "abstract", _digest(abstract), record.id.version))
                self._loose.append(AskedPassage(value, 0, abstract, summary=record.abstract_kind == "summary"))
            else:
                missing.append(shown_id(value))
        if missing:
            named = ", ".join(missing[:_NAMED]) + (f" and {len(missing) - _NAMED:,} more" if missing[_NAMED:] else "")
            message = f"not asked, for neither text nor abstract is on this machine: {named}"
            self.findings.append(Finding("full_text_missing", "warning", message, fix=_GET))
        return texts

    def _take_documents(self, files: Sequence[Path], report: Report) -> list[AskedText]:
        documents, findings = read_documents(files, self._stores["document"], report)
        self.findings += findings
        self._ids["document"] = {each.kept: each.name for each in documents}
        return [AskedText(each.name, each.title, "document", each.digest) for each in documents]

    def _take_given(self, given: Sequence[GivenText], taken: set[str]) -> list[AskedText]:
        """Take given texts under their titles, with a number where the title is that of another text or in `taken`."""
        texts: list[AskedText] = []
        for number, each in enumerate(given, 1):
            title = plain(each.title) or f"text {number}"
            names = chain([title], (f"{title} ({more})" for more in count(number)))
            name = next(name for name in names if name not in taken)
            taken.add(name)
            self._loose += _passages_of(name, each.text)
            texts.append(AskedText(name, name, "document", _digest(each.text)))
        return texts


@dataclass(frozen=True, slots=True)
class _Records:
    """The papers that are asked, as all that there are."""

    embedder: Embedder
    known: Mapping[str, Paper]

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self.embedder.embed_queries(texts)

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]:
        return {value: self.known[value] for value in ids if value in self.known}


def checked_question(question: str) -> str:
    """The question as it is asked: white space collapsed, and bounded. Raises UsageError if there is none."""
    asked = plain(question)
    if not any(letter.isalnum() for letter in asked):
        raise UsageError("the question is empty", "write it in quotation marks")
    return asked[:LONGEST_QUESTION]


def doubts_about(question: str, answer: Answer) -> Iterator[Finding]:
    """Findings on a question, as the user gave it, of which a part was not asked, or that is in another language."""
    if len(plain(question)) > LONGEST_QUESTION:
        message = f"of the question only the first {LONGEST_QUESTION:,} characters were asked"
        yield Finding("question_cut", "warning", message, fix="ask in a few sentences")
    language = language_of_question(answer.question)
    if answer.refused and answer.model is None and language != "English":
        named = f"in {language}" if language != "other" else "in another script"
        message = f"the question seems to be {named}: without a language model it is compared word for word"
        yield Finding("language_not_supported", "warning", message, fix="ask in the language of the papers")


def _passages_of(name: str, text: str) -> list[AskedPassage]:
    if len(text) <= _SHORT:
        return [AskedPassage(name, 0, plain(text))] if text.strip() else []
    read = read_plain(text[:_LONGEST_TEXT].encode("utf-8", "replace"))
    passages = placed_passages(PaperText(name, None, "own", read.title, read.sections))
    return [AskedPassage(name, each.number, each.text, each.section) for _, each in passages]


def _embedded(passage: AskedPassage) -> str:
    return f"{passage.section}. {passage.text}" if passage.section else passage.text


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _telling(report: Report) -> Tell:
    return lambda done, total: report("embed passages", done, total)
