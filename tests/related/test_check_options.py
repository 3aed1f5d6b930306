"""What an author may ask for."""

import pytest

from citeplug.errors import UsageError
from citeplug.records.outcome import RANKINGS, STRATEGIES, Options
from citeplug.related.options import check_options
from citeplug.related.rank import RANKERS
from citeplug.related.write.by_model import strategies


def test_the_names_of_strategies_and_rankings_are_those_that_there_are() -> None:
    assert tuple(strategies.STRATEGIES) == STRATEGIES
    assert ("hybrid", *RANKERS) == RANKINGS


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (Options(breadth=0), "breadth 0"),
        (Options(breadth=101), "breadth 101"),
        (Options(diversity=1.5), "diversity 1.5"),
        (Options(depth=-1), "depth -1"),
        (Options(rank="best"), "no ranking “best”"),
        (Options(rank="debate"), "needs a language model"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_by_its_name(options: Options, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_options(options, with_model=False)


def test_a_strategy_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as caught:
        check_options(Options(strategy="magic"), with_model=True)
    assert "zero-shot" in caught.value.hint
