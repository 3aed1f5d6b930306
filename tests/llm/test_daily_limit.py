"""What may be spent in a day: never more, whoever spends it, and whatever happens in the middle."""

import multiprocessing
from datetime import date
from pathlib import Path

import pytest

from citeplug.errors import BudgetReached
from citeplug.llm.budget import Budget
from citeplug.llm.daily_limit import FILE, Amount, DailyLimit
from tests.harness.anthropic_server import AnthropicServer
from tests.llm.models import ask, priced_claude

MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)


def limit(home: Path, cost: float | None = 1.0, tokens: int | None = None, day: date = MONDAY) -> DailyLimit:
    return DailyLimit(home, cost, tokens, lambda: day)


def test_what_is_set_aside_is_spent_until_it_is_settled(tmp_path: Path) -> None:
    limit(tmp_path).take(Amount(0.75, 100))
    assert limit(tmp_path).spent() == Amount(0.75, 100)
    with pytest.raises(BudgetReached, match=r"could take \$0.5000, and of today's \$1 \$0.7500 are spent"):
        limit(tmp_path).take(Amount(0.5, 100))
    limit(tmp_path).settle(Amount(0.75, 100), Amount(0.25, 40))
    assert limit(tmp_path).spent() == Amount(0.25, 40)
    limit(tmp_path).take(Amount(0.5, 100))


def test_tokens_are_bounded_too(tmp_path: Path) -> None:
    limit(tmp_path, None, 1000).take(Amount(5.0, 900))
    with pytest.raises(BudgetReached, match="could take 200 tokens, and of today's 1000 900 are spent"):
        limit(tmp_path, None, 1000).take(Amount(0.0, 200))
    assert limit(tmp_path, None, 1000).left() == Amount(float("inf"), 100)


def test_a_new_day_begins_at_nothing_and_a_clock_put_back_begins_none(tmp_path: Path) -> None:
    limit(tmp_path).take(Amount(1.0, 0))
    limit(tmp_path, day=TUESDAY).take(Amount(0.75, 0))
    assert limit(tmp_path, day=MONDAY).spent() == Amount(0.75, 0)
    # What was taken on another day takes nothing from this one.
    limit(tmp_path, day=TUESDAY).settle(Amount(1.0, 0), Amount(0.1, 0))
    assert limit(tmp_path, day=TUESDAY).spent().cost == 0.0


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"day": "x", "cost": 0, "tokens": 0}', b"\xff", b"[" * 9000])
def test_nothing_may_be_spent_where_it_cannot_be_told_what_was(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    with pytest.raises(BudgetReached, match="cannot be read"):
        limit(tmp_path).take(Amount(0.0, 1))
    assert (tmp_path / FILE).read_bytes() == damage


def test_nothing_may_be_spent_where_it_cannot_be_recorded(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file in the place of the folder")
    with pytest.raises(BudgetReached, match="cannot be"):
        limit(home).take(Amount(0.1, 1))


def _spend(home: Path, times: int) -> None:
    for _ in range(times):
        daily = DailyLimit(home, 1.0, None, lambda: MONDAY)
        try:
            daily.take(Amount(0.01, 1))
        except BudgetReached:
            return


def test_processes_that_spend_at_once_do_not_spend_more(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_spend, args=(tmp_path, 60)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert limit(tmp_path).spent() == Amount(1.0, 100)


def test_a_model_is_asked_no_further_than_the_day_allows(tmp_path: Path) -> None:
    answer = "All is well."
    with AnthropicServer(answer).serve() as server:
        budget = Budget(daily=DailyLimit(tmp_path, 0.5, None, lambda: MONDAY))
        with priced_claude(server, tmp_path, budget=budget) as model:
            model.complete(ask("one"))
        once = limit(tmp_path, 0.5).spent()
        assert once.cost == pytest.approx(model.cost)
        assert 0 < once.cost < 0.1
        limit(tmp_path, 0.5).take(Amount(0.5 - once.cost, 0))
        asked = len(server.requests)
        with priced_claude(server, tmp_path, budget=Budget(daily=limit(tmp_path, 0.5))) as model:
            assert model.complete(ask("one")).cached
            with pytest.raises(BudgetReached):
                model.complete(ask("two"))
        assert len(server.requests) == asked
