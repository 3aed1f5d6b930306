"""The prepared papers on this machine, compared with what a draft says."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from citeplug.corpus.index import Corpus
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.prepare.gap_judgement import MOST_PAPERS, Quoted, ShownText
from citeplug.prepare.paper_sources import question_vectors, read_sources
from citeplug.prepare.statements import MOST, NEAR, statements_of
from citeplug.prepare.store import PreparedStore
from citeplug.protocols import Embedder, Vectors
from citeplug.records.draft import Draft
from citeplug.records.gaps import Compared, DraftQuestion, LookedThrough, Statement
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.records.prepared import Pair, PaperSource, Place
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title

_BY_ABSTRACT = 60  # papers whose statements are compared with a sentence: those whose abstracts are nearest
_BY_QUESTION = 20  # and those with the nearest prepared questions


def read_prepared_papers(store: PreparedStore, corpus: Corpus, draft: Draft, settings: Settings) -> "PreparedPapers":
    """All papers that are prepared from their present texts; those with the draft's own title are left out."""
    prepared = store.read(store.papers())
    sources: dict[str, tuple[PaperSource, Paper]] = {}
    full_texts, own, title = 0, [], fold_title(draft.title)
    for value, texts in read_sources([ArxivId(paper.paper) for paper in prepared], settings):
        if texts is None:
            continue
        source, record = texts
        if title and fold_title(source.title) == title:
            own.append(value)
            continue
        full_texts += bool(source.passages)
        sources[value] = replace(source, passages=()), record
    sound = [paper for paper in prepared if paper.paper in sources and sources[paper.paper][0].digest == paper.digest]
    pairs: dict[str, list[Pair]] = {}
    for paper in sound:
        pairs.setdefault(paper.paper, []).extend(paper.pairs)
    papers = {value: sources[value] for value in pairs}
    cited = frozenset(paper.id.value for paper in cited_papers(draft, corpus, corpus).values())
    looked = LookedThrough(len(papers), full_texts, sum(map(len, pairs.values())), tuple(own))
    embedder = open_embedder(settings.embedder, settings.device)
    return PreparedPapers(corpus, embedder, looked, papers, pairs, question_vectors(store, sound, settings), cited)


@dataclass(slots=True)
class PreparedPapers:
    """The prepared papers, open for comparison. `papers` are by id, without full texts; `pairs` those of each."""

    corpus: Corpus
    embedder: Embedder
    looked_through: LookedThrough
    papers: dict[str, tuple[PaperSource, Paper]]
    pairs: dict[str, list[Pair]]
    questions: dict[str, Vectors]
    cited: frozenset[str]
    _vectors: dict[str, Vectors] = field(default_factory=dict)

    def compare(self, question: DraftQuestion) -> Compared:
        """The statements nearest to what the draft says."""
        best = self.nearest(question)
        near = tuple(statement for statement in best if (statement.score or 0.0) >= NEAR)[:MOST]
        if near:
            return Compared(question, "near", near)
        return Compared(question, "nothing_near", (), best[0] if best else None)

    def nearest(self, question: DraftQuestion) -> list[Statement]:
        """The statement of each candidate that is nearest, best first."""
        stated = [
            (value, *statement)
            for value in self._candidates(question)
            for statement in statements_of(self.papers[value][0], self.pairs.get(value, []))
        ]
        vectors = self._embed([question.said, *(text for _, text, _, _ in stated)])
        cosines = np.round(vectors[1:] @ vectors[0], 6).tolist() if stated else []
        best: dict[str, Statement] = {}
        for (value, text, place, answered), cosine in zip(stated, cosines, strict=True):
            if value not in best or cosine > (best[value].score or 0.0):
                best[value] = replace(self._statement(value, text, place), question=answered, score=cosine)
        return sorted(best.values(), key=lambda statement: (-(statement.score or 0.0), statement.paper))

    def shown(self, question: DraftQuestion) -> list[ShownText]:
        """The abstracts of the papers nearest to what the draft says, and their statements of full texts."""
        texts: list[ShownText] = []
        for statement in self.nearest(question)[:MOST_PAPERS]:
            source, place = self.papers[statement.paper][0], statement.place
            if source.abstract:
                texts.append(ShownText(statement.paper, source.title, source.abstract))
            if place.passage:
                texts.append(ShownText(statement.paper, source.title, statement.quote, place.passage, place.start))
        return texts

    def statement(self, quoted: Quoted) -> Statement:
        """What a model quoted, as a statement of its paper."""
        return self._statement(quoted.text.paper, quoted.quote, quoted.place)

    def _statement(self, value: str, quote: str, place: Place) -> Statement:
        source, paper = self.papers[value]
        day = paper.published if paper.published.year > 1 else None
        return Statement(value, source.title, day, quote, place, cited=value in self.cited)

    def _candidates(self, question: DraftQuestion) -> list[str]:
        where = Filter(among=frozenset(self.papers))
        by_abstract = search(question.said, self.corpus, where, _BY_ABSTRACT, seconds=None)
        (vector,) = self.embedder.embed([question.question])
        prepared = ((pair.question, value) for value, pairs in self.pairs.items() for pair in pairs)
        near = sorted((-float(self.questions[text] @ vector), value) for text, value in prepared)
        by_question = list(dict.fromkeys(value for _, value in near))[:_BY_QUESTION]
        return list(dict.fromkeys([*(candidate.paper.id.value for candidate in by_abstract), *by_question]))

    def _embed(self, texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        if new:
            self._vectors |= dict(zip(new, self.embedder.embed(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])
