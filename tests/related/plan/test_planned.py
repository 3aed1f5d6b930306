"""Plans of the author's, as a run can follow them."""

from pathlib import Path

from citeplug.records.draft import Draft
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.planned import without_papers

DRAFT = Draft(Path("/p/main.tex"), (Path("main.tex"),), "Title", "Abstract.")


def test_without_a_paper_its_lines_go_and_what_is_said_of_the_draft_stays() -> None:
    topic = PlanLine("what is at stake", kind="topic")
    lines = (topic, PlanLine("one", ("a",)), PlanLine("two", ("a", "b")), PlanLine("left open", ("a",), "draft"))
    plan = Plan((PlanParagraph("p1", "H", lines, 50), PlanParagraph("p2", "H", (topic, lines[1]), 50)))
    (paragraph,) = without_papers(plan, frozenset({"a"}), DRAFT).paragraphs
    assert paragraph.lines == (topic, PlanLine("two", ("b",)), PlanLine("left open"))
