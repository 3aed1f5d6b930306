"""A search that asks prepared questions too; what these find is put behind the plain results."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from citeplug.corpus.index import Corpus
from citeplug.ports import Vectors
from citeplug.prepare.augment import MOST, augment
from citeplug.prepare.store import PreparedStore, place
from citeplug.records.finding import Finding
from citeplug.records.paper import Candidate, Filter
from citeplug.records.prepared import FoundPair, Prepared
from citeplug.retrieve.fusion import Ranking, fuse
from citeplug.settings.environment import Settings
from citeplug.usecases.prepared_questions import current, question_vectors

# A search by one text, at most so many results.
Search = Callable[[str, Filter, int], list[Candidate]]


@dataclass(slots=True)
class Augmenter:
    """The prepared questions of the catalogue, read once for any number of searches."""

    chosen: Settings
    corpus: Corpus
    _prepared: list[Prepared] | None = None
    _vectors: dict[str, Vectors] = field(default_factory=dict)

    def questions(self, text: str, where: Filter) -> list[FoundPair]:
        """At most `MOST` prepared questions near a text, of papers that `where` admits, of their present texts."""
        (asked,) = self.corpus.embed([text])
        prepared = self._all()
        papers = self.corpus.papers([each.paper for each in prepared])
        admitted = {value for value, paper in papers.items() if where.admits(paper)}
        near = augment(asked, [each for each in prepared if each.paper in admitted], self._vectors, 2 * MOST)
        with closing(PreparedStore(self.chosen.home)) as store:
            sound = {each.paper for each in current(store, [each.paper for each in near], self.chosen)}
        return [each for each in near if each.paper in sound][:MOST]

    def _all(self) -> list[Prepared]:
        if self._prepared is None:
            self._prepared = []
            if place(self.chosen.home).is_file():
                with closing(PreparedStore(self.chosen.home)) as store:
                    self._prepared = store.read(store.papers())
                    self._vectors = question_vectors(store, self._prepared, self.chosen)
        return self._prepared


def with_questions(
    candidates: Sequence[Candidate], questions: Sequence[FoundPair], search: Search, where: Filter, count: int
) -> list[Candidate]:
    """The candidates as they are, and behind them at most half of `count` more that the questions find.

    Each question is searched for by itself, the results are joined by ranks.
    """
    found: dict[str, Candidate] = {}
    rankings: list[Ranking] = []
    for question in questions:
        results = search(question.pair.question, where, count)
        rankings.append(Ranking([each.paper.id.value for each in results]))
        for each in results:
            found.setdefault(each.paper.id.value, each)
    here = {each.paper.id.value for each in candidates}
    least = min((each.score for each in candidates), default=0.0)
    more = [value for value, _ in fuse(rankings) if value not in here][: count // 2]
    # Behind the last one, since scores of another query cannot be compared.
    behind = [replace(found[value], score=least, found_by=("augmented",), links=None) for value in more]
    return [*candidates, *behind]


def nothing_prepared() -> Finding:
    """The finding on a search to which no prepared question is near."""
    message = "no prepared question is near the query, so that it was searched for alone"
    return Finding("nothing_prepared", "info", message, fix="prepare papers with 'citeplug prepare'")
