"""Further questions beside one that is asked: prepared ones, or a model's."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from citeplug.prepare.augment import LEAST, MOST, augment
from citeplug.prepare.by_model.augment import questions_by_model
from citeplug.prepare.model_summaries import standing
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.store import PreparedStore, place
from citeplug.protocols import LanguageModel, Vectors
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Filter, Paper
from citeplug.records.prepared import FoundPair, ModelSummary, Prepared
from citeplug.settings.environment import Settings

_MOST_SENTENCES = 24  # of summaries that a model is shown


class Records(Protocol):
    """What is asked of a corpus: its model that embeds, and its records by arXiv id."""

    def embed(self, texts: Sequence[str]) -> Vectors: ...

    def papers(self, ids: Sequence[str]) -> Mapping[str, Paper]: ...


@dataclass(slots=True)
class Augmenter:
    """The prepared questions of a corpus, read once for any number of questions."""

    chosen: Settings
    corpus: Records
    model: LanguageModel | None = None
    _prepared: list[Prepared] | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)

    def questions(self, text: str, where: Filter, findings: list[Finding]) -> list[str]:
        """At most `MOST` questions beside a text: by the model, if there is one, else prepared ones near the text.

        Prepared ones, too, where the model fails, which is a finding; none, and nothing is sent, where none is near.
        """
        near, summary = self._known(text, where)
        prepared = [each.pair.question for each in near[:MOST]]
        if not near:
            findings.append(nothing_prepared())
        if not near or self.model is None:
            return prepared
        asked = questions_by_model(text, summary, [each.pair.question for each in near], self.model)
        if isinstance(asked, list):
            return asked
        findings.append(_unreadable() if asked is None else model_unavailable(asked, "prepared questions are used"))
        return prepared

    def _known(self, text: str, where: Filter) -> tuple[list[FoundPair], list[str]]:
        """Prepared questions near a text, of papers that `where` admits, of their present texts, twice `MOST` at most;
        for a model also the sentences of summaries that rest on such papers alone.
        """
        (asked,) = self.corpus.embed([text])
        prepared = self._all()
        papers = self.corpus.papers([each.paper for each in prepared])
        admitted = {value for value, paper in papers.items() if where.admits(paper)}
        near = augment(asked, [each for each in prepared if each.paper in admitted], self._vectors, 2 * MOST)
        if not near:
            return [], []
        with closing(PreparedStore(self.chosen.home)) as store:
            sound = {each.paper for each in current(store, [each.paper for each in near], self.chosen)}
            near = [each for each in near if each.paper in sound]
            if self.model is None:
                return near, []
            summaries = [each for each in store.summaries() if self._is_near(each, asked)]
            rest = {source.paper for each in summaries for sentence in each.sentences for source in sentence.sources}
            sources = current(store, sorted(rest & admitted), self.chosen)
        held = [standing(each, sources) for each in summaries]
        return near, [sentence.text for each in held for sentence in each.sentences][:_MOST_SENTENCES]

    def _is_near(self, summary: ModelSummary, asked: Vectors) -> bool:
        questions = {source.pair.question for sentence in summary.sentences for source in sentence.sources}
        cosines = [float(self._vectors[each] @ asked) for each in questions if each in self._vectors]
        return max(cosines, default=0.0) >= LEAST

    def _all(self) -> list[Prepared]:
        if self._prepared is None:
            self._prepared = []
            if place(self.chosen.home).is_file():
                with closing(PreparedStore(self.chosen.home)) as store:
                    self._prepared = store.read(store.papers())
                    self._vectors = question_vectors(store, self._prepared, self.chosen)
        return self._prepared


def _unreadable() -> Finding:
    message = "the model's questions could not be read: prepared questions are used"
    return Finding("answer_unreadable", "warning", message, fix="run the same command again, or choose another model")


def nothing_prepared() -> Finding:
    """The finding on a question to which no prepared one is near."""
    message = "no prepared question is near yours, so that it was asked alone"
    return Finding("nothing_prepared", "info", message, fix="prepare papers with 'citeplug prepare'")
