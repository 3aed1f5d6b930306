from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import ModelUnavailable
from citeplug.records.dialogue import Reply
from citeplug.records.draft import DraftSection, Span
from citeplug.related.rank import permutation_request, rank_by_permutation, read_order
from tests.harness.scripted_models import ScriptedModel
from tests.related.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = [PARSER, SURVEY, EMBEDDING]


def ranked(answer: object) -> tuple[int, ...]:
    model = ScriptedModel(lambda seen, _: {"order": answer})
    return rank_by_permutation(DRAFT, PAPERS, model).order


def test_the_models_order_is_taken() -> None:
    assert ranked([3, 1, 2]) == (2, 0, 1)


@pytest.mark.parametrize(
    ("answer", "order", "counts"),
    [
        ([3], (2, 0, 1), (2, 0, 0)),
        ([2, 2, 1, 3], (1, 0, 2), (0, 1, 0)),
        ([9, "2", None], (1, 0, 2), (2, 0, 2)),
        ("nonsense", (0, 1, 2), (3, 0, 0)),
    ],
)
def test_incomplete_and_repeated_lists_are_repaired_and_counted(
    answer: object, order: tuple[int, ...], counts: tuple[int, int, int]
) -> None:
    read = read_order(Reply("", {"order": answer}), 3)
    assert read.order == order
    assert (read.missing, read.repeated, read.unknown) == counts


def test_an_outage_is_raised() -> None:
    model = ScriptedModel(lambda seen, _: "", fail_after=0, error=ModelUnavailable("away"))
    with pytest.raises(ModelUnavailable):
        rank_by_permutation(DRAFT, PAPERS, model)


def test_papers_that_do_not_belong_are_in_no_order() -> None:
    read = read_order(Reply("", {"order": [7, 1, 2, 3], "not_citable": [5, 6, 9, 1]}), 9)
    assert read.order == (6, 0, 1, 2, 3, 7)
    assert read.not_citable == (4, 5, 8)
    assert (read.missing, read.repeated) == (2, 1)


def test_a_paper_that_the_draft_cites_belongs_and_comes_last() -> None:
    read = read_order(Reply("", {"order": [1, 2, 3, 4, 5], "not_citable": [6, 7]}), 7, cited=[5])
    assert (read.order, read.not_citable) == ((0, 1, 2, 3, 4, 5), (6,))


def test_no_answer_leaves_fewer_than_five_papers() -> None:
    read = read_order(Reply("", {"order": [8], "not_citable": list(range(1, 8))}), 8)
    assert (read.order, read.not_citable) == ((7, 0, 1, 2, 3), (4, 5, 6))


def test_the_model_is_told_what_the_draft_cites_how_it_begins_and_how_many_papers_are_taken() -> None:
    opening = "Logs are long. " * 9
    draft = replace(DRAFT, sections=(DraftSection(1, "Introduction", opening, Span(DRAFT.root, 0, 1, 1)),))
    request = permutation_request(draft, PAPERS, cited=[2, 0], room=2)
    assert "introduction: Logs are long." in request.shared
    assert "cites these already: [1], [3]." in request.prompt
    assert "room for 2 papers" in request.prompt


def test_a_note_that_an_introduction_is_to_come_is_not_sent() -> None:
    draft = replace(DRAFT, sections=(DraftSection(1, "Introduction", "To be written.", Span(DRAFT.root, 0, 1, 1)),))
    assert "To be written" not in permutation_request(draft, PAPERS).shared


def test_an_empty_section_is_not_the_introduction() -> None:
    place = Span(DRAFT.root, 0, 1, 1)
    sections = (DraftSection(1, "Overview", "", place), DraftSection(1, "Introduction", "Logs are long. " * 9, place))
    assert "introduction: Logs are long." in permutation_request(replace(DRAFT, sections=sections), PAPERS).shared


_listed = st.lists(st.integers(-3, 12) | st.text(max_size=3), max_size=15)


@given(_listed, _listed, st.integers(0, 8), st.sets(st.integers(0, 8)))
def test_of_every_answer_each_paper_is_in_one_of_the_lists(
    listed: list[object], refused: list[object], count: int, cited: set[int]
) -> None:
    read = read_order(Reply("", {"order": listed, "not_citable": refused}), count, cited)
    assert sorted((*read.order, *read.not_citable)) == list(range(count))
    assert len(read.order) >= min(5, count)
    assert not cited & set(read.not_citable)
