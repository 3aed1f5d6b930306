"""Simple questions beside a query, from what the set answers (Meta Knowledge for RAG, section 3.4 and appendix D).

The published augmentation has a model write questions from a summary of the set. Without one they are prepared
questions of the set itself, so that each is one that a paper answers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from citeplug.errors import CiteplugError
from citeplug.prepare.asking import TEXT, ask_readable, items_of, text_of, unreadable
from citeplug.prepare.checks import LINK
from citeplug.prepare.model_summaries import standing
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.questions import near_duplicates
from citeplug.prepare.store import PreparedStore, open_prepared
from citeplug.protocols import LanguageModel, Vectors
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Filter, Paper
from citeplug.records.prepared import FoundPair, ModelSummary, Prepared
from citeplug.related.retrieve.longlist import choose
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, object_of
from citeplug.text.material import WARNING, fence, fence_number

MOST = 5  # questions
LEAST = 0.35  # cosine of a question to the query
_NEAR = 40  # questions among which these are chosen
_DIVERSITY = 0.3  # as for a longlist
_MOST_SENTENCES = 24  # of summaries that a model is shown
_FEWEST, _LONGEST = 3, 30  # words of a question
_LONGEST_QUERY = 1_000  # characters that are shown of a query
_LONGEST_SHOWN = 400  # of each sentence or question
_ROOM = 400  # tokens of an answer

SYSTEM = f"""You help a researcher to search a collection of papers. You are given the query, and a summary of what the collection knows: sentences on it, and questions that its papers answer.

{WARNING}

Write questions that the researcher should ask the collection to prepare an answer to the query, at most {MOST}, as many as are relevant. Many simple questions are better than few complex ones. Each has at most {_LONGEST - 10} words, can be understood by itself, stays with the query's subject, and asks what the collection may answer by the summary. Leave out what repeats the query. Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = object_of({"questions": list_of(TEXT)})


def augment(
    query: Vectors, prepared: Sequence[Prepared], vectors: Mapping[str, Vectors], most: int = MOST
) -> list[FoundPair]:
    """At most `most` prepared questions near a query and apart from each other (Eq. 1 of Citegeist), one of a paper, each once.

    `query` is the query's unit vector (d,), `vectors` those of the questions. None that is far from the query.
    """
    best: dict[str, FoundPair] = {}
    for paper in prepared:
        for pair in paper.pairs:
            if pair.question not in vectors:
                continue
            score = round(float(vectors[pair.question] @ query), 6)
            if score >= max(LEAST, best[paper.paper].score if paper.paper in best else 0.0):
                best[paper.paper] = FoundPair(paper.paper, paper.title, pair, score)
    once: dict[str, FoundPair] = {}
    for candidate in sorted(best.values(), key=lambda candidate: (-candidate.score, candidate.paper)):
        once.setdefault(candidate.pair.question, candidate)
    near = list(once.values())[:_NEAR]
    if not near:
        return []
    matrix = np.stack([vectors[candidate.pair.question] for candidate in near])
    scores = np.array([candidate.score for candidate in near], np.float64)
    return [near[row] for row in choose(scores, matrix, most, _DIVERSITY)]


def augment_request(query: str, summary: Sequence[str], answered: Sequence[str]) -> Request:
    """Ask for questions beside `query`, given a summary's sentences and questions that are `answered`."""
    shown = plain(query)[:_LONGEST_QUERY]
    known = "\n".join(plain(text)[:_LONGEST_SHOWN] for text in (*summary, *answered))
    number = fence_number([shown, known])
    prompt = f"{fence(number, 'summary of the collection', known)}\n{fence(number, 'the query', shown)}"
    return Request("queries", SYSTEM, prompt, schema=SCHEMA, max_tokens=_ROOM, label=shown)


def questions_by_model(
    query: str, summary: Sequence[str], answered: Sequence[str], model: LanguageModel
) -> list[str] | CiteplugError | None:
    """At most `MOST` questions apart from each other and from the query; an error, or None for an unreadable answer.

    Raises Cancelled.
    """

    def read(_: int, data: dict[str, Any], __: Reply) -> list[str] | None:
        if not isinstance(data.get("questions"), list):
            return None
        questions: list[str] = []
        for item in items_of(data["questions"], 4 * MOST):
            text = text_of(item)
            usable = _FEWEST <= len(text.split()) <= _LONGEST and LINK.search(text) is None
            if usable and not any(near_duplicates(text, question) for question in (query, *questions)):
                questions.append(text)
        return questions[:MOST]

    (questions,) = ask_readable(model, [augment_request(query, summary, answered)], read)
    return questions


class Records(Protocol):
    """What is asked of a corpus: its model that embeds, and its records by arXiv id."""

    def embed(self, texts: Sequence[str]) -> Vectors: ...

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]: ...


@dataclass(slots=True)
class Augmenter:
    """The prepared questions of a corpus, read once for any number of questions."""

    settings: Settings
    corpus: Records
    model: LanguageModel | None = None
    _prepared: list[Prepared] | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)

    def questions(self, text: str, where: Filter, findings: list[Finding]) -> list[str]:
        """At most `MOST` questions beside a text: by the model, if there is one, else prepared ones near the text.

        Prepared ones, too, where the model fails, which is a finding; none, and nothing is sent, where none is near.
        """
        near, summary = self._known(text, where)
        questions = [pair.pair.question for pair in near]
        if not near:
            message = "no prepared question is near yours, so that it was asked alone"
            findings.append(Finding("nothing_prepared", "info", message, fix="prepare papers with 'citeplug prepare'"))
        if not near or self.model is None:
            return questions[:MOST]
        by_model = questions_by_model(text, summary, questions, self.model)
        if isinstance(by_model, list):
            return by_model
        if by_model is None:
            findings.append(unreadable("the model's questions could not be read: prepared questions are used"))
        else:
            findings.append(model_unavailable(by_model, "prepared questions are used"))
        return questions[:MOST]

    def _known(self, text: str, where: Filter) -> tuple[list[FoundPair], list[str]]:
        """Prepared questions near a text, of papers that `where` admits, of their present texts, twice `MOST` at most;
        for a model also the sentences of summaries that rest on such papers alone.
        """
        (query,) = self.corpus.embed([text])
        with open_prepared(self.settings.home) as store:
            if store is None:
                return [], []
            prepared = self._all(store)
            records = self.corpus.papers([paper.paper for paper in prepared])
            admitted = {value for value, record in records.items() if where.admits(record)}
            near = augment(query, [paper for paper in prepared if paper.paper in admitted], self._vectors, 2 * MOST)
            sound = {paper.paper for paper in current(store, [pair.paper for pair in near], self.settings)}
            near = [pair for pair in near if pair.paper in sound]
            if not near or self.model is None:
                return near, []
            summaries = [summary for summary in store.summaries() if self._is_near(summary, query)]
            sources = {source.paper for summary in summaries for source in summary.sources}
            still = current(store, sorted(sources & admitted), self.settings)
        sentences = [sentence.text for summary in summaries for sentence in standing(summary, still).sentences]
        return near, sentences[:_MOST_SENTENCES]

    def _is_near(self, summary: ModelSummary, query: Vectors) -> bool:
        questions = {source.pair.question for source in summary.sources}
        cosines = [float(self._vectors[question] @ query) for question in questions if question in self._vectors]
        return max(cosines, default=0.0) >= LEAST

    def _all(self, store: PreparedStore) -> list[Prepared]:
        if self._prepared is None:
            self._prepared = store.read(store.papers())
            self._vectors = question_vectors(store, self._prepared, self.settings)
        return self._prepared
