"""Which sentences of an earlier run stand, and for which line of the plan."""

from collections.abc import Sequence

from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Generated, Kind, Sentence
from citeplug.related.write.standing import standing_sentences


def said(kind: Kind, *cites: str) -> Sentence:
    return Sentence(f"{kind} on {' '.join(cites)}", kind, cites, ())


def standing(lines: Sequence[PlanLine], *sentences: Sentence) -> list[tuple[Sentence, ...]]:
    """Those of a run by this plan, in the run after it."""
    plan = PlanParagraph("p1", "A theme", tuple(lines), 100)
    base = Generated(plan, (), (), None, sentences)
    return standing_sentences(plan, base, (), lambda line: line.cites, lambda sentence: sentence)


def test_a_list_of_a_lines_papers_is_not_taken_for_the_sentence_of_a_later_line_on_one_of_them() -> None:
    theme, listed, each = said("group", "a", "b", "c"), said("group", "c", "b"), said("paper", "a")
    on_draft, wanted = said("draft"), said("paper", "c")
    lines = [PlanLine("introduce", ("a", "b", "c")), PlanLine("describe", ("a",)), PlanLine("relate", (), "draft")]
    lines.append(PlanLine("describe this too", ("c",)))
    found = standing(lines, theme, listed, each, on_draft, wanted)
    assert found == [(theme, listed), (each,), (on_draft,), (wanted,)]


def test_of_two_lines_on_one_paper_each_keeps_its_sentence() -> None:
    first, second, further = said("paper", "a"), said("paper", "b"), Sentence("More on b.", "paper", ("b",), ())
    lines = [PlanLine("describe", ("a", "b")), PlanLine("describe", ("b",))]
    assert standing(lines, first, second, further) == [(first, second), (further,)]


def test_sentences_in_another_order_than_their_lines_keep_these() -> None:
    one, other = said("paper", "a"), said("paper", "b")
    assert standing([PlanLine("describe", ("b",)), PlanLine("describe", ("a",))], one, other) == [(other,), (one,)]
