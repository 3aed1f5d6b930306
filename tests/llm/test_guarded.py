"""A model asked with care: what is kept, what it may take, how many at once, and the way out."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from citeplug.errors import BudgetReached, Cancelled, CiteplugError, ModelUnavailable
from citeplug.llm.budget import Budget
from citeplug.records.dialogue import Heard, Reply, Request
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault
from tests.harness.openai_server import OpenAIServer
from tests.llm.models import KEY, SCHEMA, ask, claude, local, priced_claude, text_of


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer("All is well.").serve() as running:
        yield running


def texts(replies: list[Reply | CiteplugError]) -> list[str]:
    return [reply.text if isinstance(reply, Reply) else type(reply).__name__ for reply in replies]


def test_the_same_question_costs_nothing_the_second_time(server: AnthropicServer, tmp_path: Path) -> None:
    for _ in range(2):
        with priced_claude(server, tmp_path) as model:
            replies = [model.complete(ask(str(n), schema=SCHEMA if n else None)) for n in range(3)]
            spent = model.spent["prose"]
    assert len(server.requests) == 3
    assert [(reply.cached, reply.cost) for reply in replies] == [(True, 0.0)] * 3
    assert (spent.calls, spent.kept, spent.cost) == (0, 3, 0.0)


@pytest.mark.parametrize("change", ["prompt", "system", "shared", "schema", "max_tokens", "model"])
def test_another_question_is_asked(server: AnthropicServer, tmp_path: Path, change: str) -> None:
    with claude(server, tmp_path) as model:
        model.complete(ask())
    other: dict[str, Any] = {
        "prompt": "other",
        "system": "other",
        "shared": "other",
        "schema": SCHEMA,
        "max_tokens": 99,
    }
    request = replace(ask(), **{name: value for name, value in other.items() if name == change})
    with claude(server, tmp_path, by_stage={"prose": "claude-opus-5-5"} if change == "model" else None) as model:
        assert not model.complete(request).cached


def test_a_kept_answer_is_heard_too(server: AnthropicServer, tmp_path: Path) -> None:
    heard: list[Heard] = []
    for _ in range(2):
        with claude(server, tmp_path) as model:
            model.complete(ask(), on_text=heard.append)
    assert text_of(heard) == "All is well." * 2


def test_other_words_are_asked_for_and_kept_in_place_of_the_old(server: AnthropicServer, tmp_path: Path) -> None:
    answers = iter(["One way.", "Another way."])
    server.script = lambda _: next(answers)
    for afresh, said in ((False, "One way."), (True, "Another way."), (False, "Another way.")):
        with claude(server, tmp_path, afresh=afresh) as model:
            assert model.complete(ask()).text == said
    assert len(server.requests) == 2


def test_an_answer_of_no_use_is_kept_for_the_next_run_but_not_given_twice_in_one(
    server: AnthropicServer, tmp_path: Path
) -> None:
    for asked in (2, 3):
        with claude(server, tmp_path) as model:
            model.complete(ask(schema=SCHEMA))
            model.complete(ask(schema=SCHEMA))
        assert len(server.requests) == asked


def test_a_refusal_is_not_kept(server: AnthropicServer, tmp_path: Path) -> None:
    server.script = lambda _: Answer("", stop="refusal")
    for _ in range(2):
        with claude(server, tmp_path) as model:
            assert not model.complete(ask()).cached
    assert len(server.requests) == 2


def test_nothing_that_was_asked_is_in_the_file_and_no_key(server: AnthropicServer, tmp_path: Path) -> None:
    with claude(server, tmp_path) as model:
        model.complete(ask("A confidential draft."))
    file = tmp_path / "answers.sqlite"
    data = file.read_bytes()
    assert b"All is well." in data
    assert b"confidential" not in data
    assert KEY.encode() not in data


@pytest.mark.skipif("sys.platform == 'win32'", reason="modes of files are POSIX's")
@pytest.mark.optional
def test_the_file_is_for_the_user_alone(server: AnthropicServer, tmp_path: Path) -> None:
    with claude(server, tmp_path) as model:
        model.complete(ask())
    assert (tmp_path / "answers.sqlite").stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_only_means_that_it_is_asked_again(server: AnthropicServer, tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_bytes(b"nothing that SQLite knows" * 100)
    with claude(server, tmp_path) as model:
        assert model.complete(ask()).text == "All is well."
        assert model.complete(ask()).cached


def test_many_are_asked_at_once_but_not_too_many_and_come_back_in_order(server: AnthropicServer) -> None:
    server.script = lambda request: Answer(request.prompt, pause=0.02)
    with claude(server, at_once=3) as model:
        replies = model.complete_all([ask(str(n)) for n in range(10)])
    assert texts(replies) == [str(n) for n in range(10)]
    assert server.most_at_once == 3


def test_the_same_question_at_the_same_time_is_asked_once(server: AnthropicServer) -> None:
    server.script = lambda _: Answer("slow", pause=0.05)
    with priced_claude(server) as model:
        replies = model.complete_all([ask()] * 5)
        assert model.requests_made == 1
    assert texts(replies) == ["slow"] * 5
    assert [reply.cached for reply in replies if isinstance(reply, Reply)] == [False, True, True, True, True]
    assert len(server.requests) == 1


def test_one_that_is_refused_does_not_spoil_the_others(server: AnthropicServer) -> None:
    server.script = lambda request: Fault.http(400, "no") if request.prompt == "1" else request.prompt
    with claude(server) as model:
        replies = model.complete_all([ask(str(n)) for n in range(3)])
    assert texts(replies) == ["0", "ModelUnavailable", "2"]


def test_threads_may_share_it(server: AnthropicServer) -> None:
    server.script = lambda request: request.prompt
    found: dict[int, str] = {}
    with claude(server) as model:

        def work(number: int) -> None:
            found[number] = model.complete(ask(str(number))).text

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert found == {n: str(n) for n in range(8)}


def test_what_each_stage_took_is_told(server: AnthropicServer) -> None:
    server.script = lambda _: Answer("a", tokens_in=100, tokens_out=10)
    with priced_claude(server, by_stage={"ranking": "claude-haiku-5-5"}) as model:
        model.complete_all([ask("1"), ask("2"), ask("3", stage="ranking")])
        spent = model.spent
        assert model.cost == pytest.approx(spent["prose"].cost + spent["ranking"].cost)
    assert (spent["prose"].calls, spent["prose"].tokens_in, spent["prose"].tokens_out) == (2, 200, 20)
    assert spent["prose"].cost == pytest.approx(2 * (100 * 8 + 10 * 40) / 1e6)
    assert spent["ranking"].cost == pytest.approx((100 * 0.1 + 10 * 0.5) / 1e6)


def test_what_a_lost_answer_may_have_cost_is_counted(server: AnthropicServer) -> None:
    server.script = lambda _: Answer("a long answer that is cut off", tokens_in=100, tokens_out=10)
    server.fail(Fault.cut_off(4))
    with priced_claude(server) as model:
        reply = model.complete(ask())
    assert reply.cost > (100 * 8 + 8100 * 40) / 1e6


# The budget


def test_a_request_that_could_pass_the_budget_is_not_sent(server: AnthropicServer) -> None:
    with (
        priced_claude(server, budget=Budget(max_cost=0.05)) as model,
        pytest.raises(BudgetReached, match=r"of \$0.05 \$0.0500 are left") as caught,
    ):
        model.complete(ask())
    assert "--max-cost" in caught.value.hint
    assert (server.requests, server.counts) == ([], [])


def test_tokens_are_bounded_where_nothing_costs_anything() -> None:
    with OpenAIServer(Answer("a", tokens_in=400, tokens_out=100)).serve() as server:
        with local(server, budget=Budget(max_tokens=2000), at_once=1) as model:
            replies = model.complete_all([ask(str(n)) for n in range(5)])
        assert texts(replies) == ["a", "a", "a", "BudgetReached", "BudgetReached"]
        assert len(server.requests) == 3


@pytest.mark.parametrize("at_once", [1, 4, 16])
def test_the_budget_is_never_passed_however_many_ask(server: AnthropicServer, at_once: int) -> None:
    # Each answer is as long as it may be.
    server.script = lambda request: Answer("a", tokens_in=1000, tokens_out=request.max_tokens)
    with priced_claude(server, budget=Budget(max_cost=2.0), at_once=at_once) as model:
        replies = model.complete_all([ask(str(n)) for n in range(12)])
        cost = model.cost
    answered = sum(isinstance(reply, Reply) for reply in replies)
    assert answered >= 6
    assert cost <= 2.0
    assert len(server.requests) == answered


def test_what_others_set_aside_is_waited_for_not_refused(server: AnthropicServer) -> None:
    server.script = lambda request: Answer("a", tokens_in=10, tokens_out=10, pause=0.05)
    # Room for one at a time by what it could cost, for all by what it does.
    with priced_claude(server, budget=Budget(max_cost=0.4), at_once=4) as model:
        replies = model.complete_all([ask(str(n)) for n in range(5)])
    assert texts(replies) == ["a"] * 5
    assert all(asked.body["max_tokens"] == 8100 for asked in server.requests)


def test_the_service_counts_where_that_decides(server: AnthropicServer) -> None:
    server.script = lambda request: Answer("a", tokens_out=1)
    long = ask("word " * 4000)
    with priced_claude(server, budget=Budget(max_tokens=20_000)) as model:
        assert model.complete(long).text == "a"
    assert len(server.counts) == 1
    assert len(server.requests) == 1


def test_another_try_is_bounded_too(server: AnthropicServer) -> None:
    server.script = lambda request: Answer("lost", tokens_in=1000, tokens_out=8100)
    server.fail_always(Fault.cut_off(4))
    with priced_claude(server, budget=Budget(max_cost=0.8)) as model:
        with pytest.raises(BudgetReached):
            model.complete(ask())
        assert 0.6 < model.cost <= 0.8
    assert len(server.requests) == 3


def test_an_answer_has_less_room_to_think_where_little_is_left(server: AnthropicServer) -> None:
    server.script = lambda request: Answer("a", tokens_in=1000, tokens_out=request.max_tokens)
    # By its usual room of 8,100 tokens a request could cost $0.33: two would not fit.
    with priced_claude(server, budget=Budget(max_cost=0.5)) as model:
        assert [model.complete(ask(str(n))).text for n in range(2)] == ["a", "a"]
        assert model.cost <= 0.5
    assert [asked.body["max_tokens"] < 8100 for asked in server.requests] == [False, True]


def test_those_that_wait_take_the_room_that_is_left_for_them(server: AnthropicServer) -> None:
    server.script = lambda request: Answer("a", tokens_in=1000, tokens_out=request.max_tokens, pause=0.05)
    with priced_claude(server, budget=Budget(max_cost=0.6), at_once=4) as model:
        replies = model.complete_all([ask(str(n)) for n in range(3)])
        assert model.cost <= 0.6
    assert texts(replies).count("a") >= 2


def test_an_answer_that_was_cut_for_want_of_room_is_asked_for_again_by_another_run(
    server: AnthropicServer, tmp_path: Path
) -> None:
    server.script = lambda _: Answer("a", stop="max_tokens", tokens_in=100, tokens_out=100)
    for budget in (Budget(max_cost=0.2), Budget(max_cost=0.2)):
        with priced_claude(server, tmp_path, budget=budget) as model:
            model.complete(ask())
    assert len(server.requests) == 2


# The way out


def test_it_can_be_stopped_at_any_moment(server: AnthropicServer, tmp_path: Path) -> None:
    server.script = lambda _: Answer("a very long answer " * 1000, pause=0.2)
    with claude(server, tmp_path) as model:
        threading.Timer(0.5, model.cancel).start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            model.complete_all([ask(str(n)) for n in range(8)])
        assert time.monotonic() - start < 60
        with pytest.raises(Cancelled):
            model.complete(ask())
    with sqlite3.connect(tmp_path / "answers.sqlite") as database:
        tables = database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        assert tables == 0 or database.execute("SELECT count(*) FROM reply").fetchone() == (0,)


def test_it_can_be_stopped_while_it_waits_for_another_try(server: AnthropicServer) -> None:
    server.fail_always(Fault.too_many("60"))
    with claude(server) as model:
        threading.Timer(0.5, model.cancel).start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            model.complete(ask())
        assert time.monotonic() - start < 30


def test_whoever_stops_listening_stops_the_model(server: AnthropicServer) -> None:
    server.script = lambda _: Answer("a very long answer " * 1000, pause=0.3)

    def interrupt(_: Heard) -> None:
        raise KeyboardInterrupt

    with claude(server) as model:
        with pytest.raises(KeyboardInterrupt):
            model.complete(ask(), on_text=interrupt)
        start = time.monotonic()
    assert time.monotonic() - start < 60


def test_no_thread_is_left(server: AnthropicServer) -> None:
    with claude(server) as model:
        model.complete(ask())
    assert not [thread for thread in threading.enumerate() if thread.name == "citeplug-llm"]


# What is told before


def test_the_first_request_is_announced_before_it_is_sent(server: AnthropicServer, tmp_path: Path) -> None:
    announced: list[tuple[str, int]] = []
    with claude(
        server, tmp_path, announce=lambda request: announced.append((request.prompt, len(server.requests)))
    ) as model:
        model.complete(ask("first"))
        model.complete(ask("second"))
    assert announced == [("first", 0)]


def test_what_is_answered_already_is_not_announced(server: AnthropicServer, tmp_path: Path) -> None:
    with claude(server, tmp_path) as model:
        model.complete(ask())
    announced: list[Request] = []
    with claude(server, tmp_path, announce=announced.append) as model:
        model.complete(ask())
        assert announced == []
        model.complete(ask("new"))
    assert len(announced) == 1


def test_what_is_forbidden_is_not_sent_and_is_announced_again(server: AnthropicServer) -> None:
    def forbid(_: Request) -> None:
        raise Cancelled("not this draft")

    with claude(server, announce=forbid) as model:
        for _ in range(2):
            with pytest.raises(Cancelled, match="not this draft"):
                model.complete(ask())
    assert server.requests == []


def test_no_connection_is_told_as_such_after_one_try() -> None:
    with OpenAIServer().serve() as gone:
        pass
    with local(gone) as model, pytest.raises(ModelUnavailable, match="no connection"):
        model.complete(ask())
