"""Prepared questions near one that is asked, and a model's further ones (Meta Knowledge for RAG, section 3.4, appendix D).

The published model is shown a summary of the set, here the near questions, which found as much (benchmarks/results.md).
A question is compared with the prepared questions alone, as published, and what is found is the passage that answers.
Passages found so are read beside those that the question finds by itself, not in their place: docs/ask.md.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from citeplug.errors import CiteplugError, StoreBroken
from citeplug.prepare.asking import TEXT, ask_readable, items_of, text_of, unreadable
from citeplug.prepare.checks import LINK
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.questions import near_duplicates
from citeplug.prepare.store import open_prepared
from citeplug.protocols import LanguageModel, Vectors
from citeplug.records.dialogue import Reply, Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.prepared import FoundPair
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, object_of
from citeplug.text.material import WARNING, fence, fence_number

_log = logging.getLogger(__name__)
NEAR = 3  # prepared questions: six find no more
LEAST = 0.5  # cosine of a prepared question to the one that is asked
MOST = 5  # questions of a model
_CHECKED = 8  # times `NEAR`: nearest questions whose texts are compared with those that the papers have now
_FEWEST, _LONGEST = 3, 30  # words of a question
_LONGEST_QUERY = 1_000  # characters that are shown of a query
_LONGEST_SHOWN = 400  # of each sentence or question
_ROOM = 400  # tokens of an answer

SYSTEM = f"""You help a researcher to search a collection of papers. You are given the query, and questions that papers of the collection answer.

{WARNING}

Write questions that the researcher should ask the collection to prepare an answer to the query, at most {MOST}, as many as are relevant. Many simple questions are better than few complex ones. Each has at most {_LONGEST - 10} words, can be understood by itself, stays with the query's subject, and asks what the collection may answer. Leave out what repeats the query. Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = object_of({"questions": list_of(TEXT)})


def augment_request(query: str, answered: Sequence[str]) -> Request:
    """Ask for questions beside `query`, given questions that are `answered`."""
    shown = plain(query)[:_LONGEST_QUERY]
    known = "\n".join(plain(text)[:_LONGEST_SHOWN] for text in answered)
    number = fence_number([shown, known])
    prompt = f"{fence(number, 'questions that are answered', known)}\n{fence(number, 'the query', shown)}"
    return Request("queries", SYSTEM, prompt, schema=SCHEMA, max_tokens=_ROOM, label=shown)


def questions_by_model(query: str, answered: Sequence[str], model: LanguageModel) -> list[str] | CiteplugError | None:
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

    (questions,) = ask_readable(model, [augment_request(query, answered)], read)
    return questions


@dataclass(frozen=True)
class PreparedQuestions:
    """The prepared questions of some papers, by arXiv id, read once for any number of questions."""

    papers: Sequence[str]
    settings: Settings

    def near(self, query: Vectors) -> list[FoundPair]:
        """At most `NEAR` pairs whose questions are near a query, a unit vector (d,), the nearest first; none of a text
        that has changed since, and none of a damaged file, which is logged.
        """
        try:
            pairs, matrix = self._pairs
        except StoreBroken as error:
            _log.warning("%s: prepared questions are left out ('citeplug index verify')", error)
            return []
        if not pairs:
            return []
        cosines = matrix @ query
        nearest = np.argsort(-cosines, kind="stable")[: _CHECKED * NEAR]
        result = [
            FoundPair(pairs[row].paper, pairs[row].title, pairs[row].pair, round(float(cosines[row]), 6))
            for row in nearest
            if cosines[row] >= LEAST
        ]
        with open_prepared(self.settings.corpus_home) as store:
            sources = dict.fromkeys(pair.paper for pair in result)
            now = [] if store is None else current(store, list(sources), self.settings)
        known = {(paper.paper, pair) for paper in now for pair in paper.pairs}
        return [pair for pair in result if (pair.paper, pair.pair) in known][:NEAR]

    def sub_questions(
        self, text: str, near: Sequence[FoundPair], model: LanguageModel, findings: list[Finding]
    ) -> list[str]:
        """At most `MOST` questions that a model asks beside a text; none, and nothing is sent, where none is `near`."""
        if not near:
            return []
        questions = questions_by_model(text, [pair.pair.question for pair in near], model)
        if isinstance(questions, list):
            return questions
        lost = "your question was asked alone"
        if questions is None:
            findings.append(unreadable(f"the model's further questions could not be read: {lost}"))
        else:
            findings.append(model_unavailable(questions, lost))
        return []

    @cached_property
    def _pairs(self) -> tuple[list[FoundPair], Vectors]:
        """All pairs, and the unit vectors of their questions (n, d)."""
        with open_prepared(self.settings.corpus_home) as store:
            prepared = [] if store is None else store.read(self.papers)
            vectors = {} if store is None else question_vectors(store, prepared, self.settings)
        pairs = [FoundPair(paper.paper, paper.title, pair, 0.0) for paper in prepared for pair in paper.pairs]
        if not pairs:
            return [], np.zeros((0, 0), np.float32)
        return pairs, np.stack([vectors[pair.pair.question] for pair in pairs])
