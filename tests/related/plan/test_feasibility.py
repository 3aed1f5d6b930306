from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.read_proposal import plan_doubts


def doubted(lines: list[int], words: int) -> list[str]:
    planned = tuple(PlanLine("", tuple(f"k{n}" for n in range(count))) for count in lines)
    return [finding.message for finding in plan_doubts(Plan((PlanParagraph("p1", "", planned, words),)))]


def test_twelve_papers_in_two_sentences_are_too_many() -> None:
    (message,) = doubted([6, 6], 50)
    assert "12 papers in 2 sentences" in message


def test_a_plan_needs_words_for_its_sentences_and_sentences_for_its_words() -> None:
    assert doubted([1, 1], 8)
    assert doubted([1, 1], 300)
    assert not doubted([1, 5], 50)
    assert not doubted([1, 1], 0)


def test_works_named_in_passing_share_a_sentence_and_a_core_work_may_have_two() -> None:
    many = tuple(f"k{number}" for number in range(8))
    for line, words, doubts in (
        (PlanLine("", many, weight="passing"), 25, 0),
        (PlanLine("", many), 25, 1),
        (PlanLine("", ("k",), weight="core"), 100, 0),
        (PlanLine("", ("k",)), 100, 1),
    ):
        assert len(list(plan_doubts(Plan((PlanParagraph("p1", "", (line,), words),))))) == doubts
