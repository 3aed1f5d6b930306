import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.errors import ModelUnavailable
from citeplug.rank.permutation import rank_by_permutation, read_order
from citeplug.records.dialogue import Reply
from tests.scripted_models import ScriptedModel
from tests.write.examples import DRAFT, EMBEDDING, PARSER, SURVEY

PAPERS = [PARSER, SURVEY, EMBEDDING]


def ranked(answer: object) -> tuple[int, ...]:
    model = ScriptedModel(lambda seen, _: {"order": answer})
    return rank_by_permutation(DRAFT.title, DRAFT.abstract, PAPERS, model).order


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
        rank_by_permutation("T", "A", PAPERS, model)


@given(st.lists(st.integers(-3, 12) | st.text(max_size=3), max_size=15), st.integers(0, 8))
def test_every_answer_becomes_a_permutation(listed: list[object], count: int) -> None:
    assert sorted(read_order(Reply("", {"order": listed}), count).order) == list(range(count))
