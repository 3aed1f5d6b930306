from dataclasses import replace
from datetime import date

from citeplug.corpus.records_by_id import Lookup
from citeplug.records.outcome import Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.retrieve.stages import PaperRanking
from tests.related.retrieve.test_graph_candidates import DRAFT, IDS, PAPERS, Records, tools


def _ranking(used: Tools, options: Options) -> PaperRanking:
    progress = Progress(lambda stage, done, total: None)
    return rank_papers(DRAFT, options, used, before=date.max, progress=progress)


def _scores(ranking: PaperRanking) -> dict[str, float]:
    return {item.paper.id.value: item.score for item in ranking.papers}


def test_a_pinned_paper_is_rated_beside_those_that_were_found() -> None:
    plain = _scores(_ranking(tools(None), Options(breadth=5, diversity=0.0)))
    last = min(plain, key=plain.__getitem__)
    ranking = _ranking(tools(None), Options(breadth=5, diversity=0.0, pin=(last,)))
    assert [item.paper.id.value for item in ranking.papers].count(last) == 1
    assert ranking.papers[0].paper.id.value == last
    assert _scores(ranking)[last] == plain[last]


def test_a_pinned_paper_that_was_not_found_is_as_relevant_as_the_last_one() -> None:
    index = Records([replace(PAPERS[0], categories=("math.CO",)), *PAPERS[1:]], whole=True)
    used = replace(tools(None), index=index, lookup=Lookup(index, None, lambda one: False))
    scores = _scores(_ranking(used, Options(breadth=5, diversity=0.0, pin=(IDS[0],), categories=("cs",))))
    assert scores[IDS[0]] == min(scores.values()) and len(scores) == len(PAPERS)


def test_pins_alone_are_rated_by_their_similarity_and_nothing_is_searched_for() -> None:
    ranking = _ranking(tools(None), Options(breadth=2, pin=(IDS[0], IDS[1])))
    assert (list(_scores(ranking)), ranking.wanted, ranking.queries) == ([IDS[0], IDS[1]], 2, ())
