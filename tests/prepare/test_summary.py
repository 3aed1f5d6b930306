"""What a set of papers can answer, from its prepared questions."""

from citeplug.prepare.summary import LEAST, MOST, summarise
from citeplug.records.prepared import Pair, Place, Prepared
from tests.corpus.stores import WordModel


def prepared(paper: str, *questions: str) -> Prepared:
    pairs = tuple(Pair(each, f"It is {each}", each, Place(0, 0, len(each))) for each in questions)
    return Prepared(paper, f"Title {paper}", 1, "abstract", "d", "patterns", (), pairs)


def summary_of(*papers: Prepared) -> list[tuple[str, str]] | None:
    questions = [pair.question for each in papers for pair in each.pairs]
    vectors = dict(zip(questions, WordModel().embed(questions), strict=True)) if questions else {}
    found = summarise(papers, vectors)
    return None if found is None else [(each.paper, each.pair.question) for each in found]


def test_fewer_than_five_papers_with_a_question_have_no_summary() -> None:
    papers = [prepared(f"p{n}", f"how do graphs grow {n}", f"why {n}") for n in range(LEAST - 1)]
    assert summary_of() is None and summary_of(*papers, prepared("silent")) is None
    assert summary_of(*papers, prepared("p9", "how do graphs grow")) is not None


def test_the_most_central_questions_come_one_of_a_paper_and_few() -> None:
    papers = [prepared(f"p{n}", f"how do graphs grow with noise{n}") for n in range(20)]
    papers.append(prepared("odd", "which tea do bears drink", "how do graphs grow with honey"))
    found = summary_of(*papers)
    assert found is not None and len(found) == MOST and len({paper for paper, _ in found}) == MOST
    assert ("odd", "which tea do bears drink") not in found


def test_a_paper_with_many_questions_does_not_move_the_centre() -> None:
    papers = [prepared(f"p{n}", f"how do graphs grow with noise{n}") for n in range(6)]
    loud = prepared("loud", *(f"which tea do bears drink at hour{n}" for n in range(50)))
    found = summary_of(*papers, loud)
    assert found is not None and found[0][0] != "loud"


def test_the_same_set_in_another_order_has_the_same_summary() -> None:
    papers = [prepared(f"p{n}", f"how do graphs grow with noise{n}", f"what else {n}") for n in range(9)]
    assert summary_of(*papers) == summary_of(*reversed(papers))
