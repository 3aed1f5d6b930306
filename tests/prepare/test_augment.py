"""Prepared questions that are searched for beside a query."""

from citeplug.prepare.augment import MOST, augment
from citeplug.records.prepared import Prepared
from tests.corpus.stores import WordModel
from tests.prepare.test_summary import prepared


def near(query: str, *papers: Prepared) -> list[tuple[str, str]]:
    model = WordModel()
    questions = [pair.question for each in papers for pair in each.pairs]
    vectors = dict(zip(questions, model.embed(questions), strict=True)) if questions else {}
    (asked,) = model.embed_queries([query])
    return [(each.paper, each.pair.question) for each in augment(asked, papers, vectors)]


def test_the_questions_nearest_to_the_query_come_one_of_a_paper() -> None:
    graphs = prepared("a", "how do noisy graphs grow", "how do graphs grow")
    found = near("how do graphs grow", graphs, prepared("b", "which tea do bears drink"))
    assert found == [("a", "how do graphs grow")]


def test_what_is_far_from_the_query_is_not_asked() -> None:
    assert near("turtles swim", prepared("a", "how do graphs grow")) == []
    assert near("turtles swim") == []


def test_they_are_few_and_none_is_asked_twice() -> None:
    same = [prepared(f"p{n}", "how do graphs grow") for n in range(20)]
    others = [prepared(f"q{n}", f"how do graphs grow in year{n}") for n in range(20)]
    found = near("how do graphs grow", *same, *others)
    assert len(found) == MOST and len({question for _, question in found}) == MOST
    assert [paper for paper, question in found if question == "how do graphs grow"] == ["p0"]
