"""Anthropic's own client against a server that speaks its protocol, error by error."""

import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest

from citeplug.errors import ModelUnavailable
from citeplug.records.dialogue import Heard, Reply, Request
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault, Said
from tests.llm.models import CLAUDE, KEY, SCHEMA, ask, claude, priced_claude, text_of


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    with AnthropicServer("All is well.").serve() as running:
        yield running


def scripted(server: AnthropicServer, said: Said) -> AnthropicServer:
    server.script = lambda _: said
    return server


def test_an_answer_comes_with_its_tokens_and_what_it_cost(server: AnthropicServer) -> None:
    scripted(server, Answer("Yes.", thinking="hm", tokens_in=1000, tokens_kept=600, tokens_stored=100, tokens_out=50))
    with priced_claude(server) as model:
        reply = model.complete(ask())
    assert (reply.text, reply.stop, reply.cached) == ("Yes.", "end", False)
    assert (reply.tokens_in, reply.tokens_kept, reply.tokens_out) == (1000, 600, 50)
    assert reply.cost == pytest.approx((300 * 8 + 600 * 0.8 + 100 * 10 + 50 * 40) / 1e6)


def test_the_text_is_heard_as_it_comes_and_thoughts_are_not(server: AnthropicServer) -> None:
    scripted(server, Answer("One two three four five six seven.", thinking="secret thoughts of a model", pause=0.01))
    heard: list[Heard] = []
    with claude(server) as model:
        reply = model.complete(ask(), on_text=heard.append)
    assert len(heard) > 1
    assert text_of(heard) == reply.text


def test_the_request_says_what_is_shared_and_where_it_ends(server: AnthropicServer) -> None:
    with claude(server) as model:
        model.complete(ask("The question.", shared="The draft."))
    body = server.requests[0].body
    assert body["system"] == [{"type": "text", "text": "You are careful."}]
    shared, prompt = body["messages"][0]["content"]
    assert shared == {"type": "text", "text": "The draft.", "cache_control": {"type": "ephemeral"}}
    assert prompt == {"type": "text", "text": "The question."}
    assert body["stream"] is True
    assert "temperature" not in body


def test_without_shared_material_the_system_text_is_what_is_kept(server: AnthropicServer) -> None:
    with claude(server) as model:
        model.complete(ask())
    assert server.requests[0].body["system"][0]["cache_control"] == {"type": "ephemeral"}


def test_there_is_room_for_thoughts_beside_the_answer(server: AnthropicServer) -> None:
    with claude(server, by_stage={"ranking": "claude-haiku-4-5"}) as model:
        model.complete_all([ask(), ask(stage="ranking")])
    room = {asked.body["model"]: asked.body["max_tokens"] for asked in server.requests}
    assert room == {CLAUDE: 8100, "claude-haiku-4-5": 100}


def test_a_schema_is_asked_for_in_the_form_that_the_service_takes(server: AnthropicServer) -> None:
    scripted(server, {"words": ["a"]})
    schema = {**SCHEMA, "properties": {"words": {"type": "array", "maxItems": 3, "items": {"type": "string"}}}}
    with claude(server) as model:
        reply = model.complete(ask(schema=schema))
    sent = server.requests[0].body["output_config"]["format"]
    assert sent["type"] == "json_schema"
    assert "maxItems" not in sent["schema"]["properties"]["words"]
    assert reply.data == {"words": ["a"]}


def test_what_does_not_fit_the_schema_is_no_data(server: AnthropicServer) -> None:
    with claude(server) as model:
        for text in ("Certainly! Here it is.", '{"words": "none"}', '{"words": ["a"', '{"words": [NaN]}'):
            scripted(server, text)
            reply = model.complete(ask(text, schema=SCHEMA))
            assert (reply.data, reply.text) == (None, text)


def test_a_server_that_takes_no_schema_is_asked_in_words(server: AnthropicServer) -> None:
    server.schemas = "refuse"
    scripted(server, 'Here you are:\n```json\n{"words": ["a"]}\n```')
    with claude(server) as model:
        replies = model.complete_all([ask(str(n), schema=SCHEMA) for n in range(4)])
        assert [getattr(reply, "data", None) for reply in replies] == [{"words": ["a"]}] * 4
        before = len(server.requests)
        model.complete(ask("again", schema=SCHEMA))
    assert len(server.requests) == before + 1
    assert "format" not in server.requests[-1].body["output_config"]
    assert "JSON schema" in server.requests[-1].body["messages"][0]["content"][-1]["text"]


@pytest.mark.parametrize("stop", ["max_tokens", "refusal"])
def test_why_it_stopped_is_said(server: AnthropicServer, stop: str) -> None:
    scripted(server, Answer('{"words": [', stop=stop))  # type: ignore[arg-type]
    with claude(server) as model:
        reply = model.complete(ask(schema=SCHEMA))
    assert (reply.stop, reply.data) == (stop, None)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.http(500),
        Fault.http(503),
        Fault.overloaded(),
        Fault.too_many("0.05"),
        Fault.too_many(),
        Fault.cut_off(0),
        Fault.cut_off(5),
        Fault.cut_off(5, quiet=True),
        Fault.error_event("overloaded_error"),
        Fault.page(),
        Fault(body=b"event: message_start\ndata: {not json\n\n", headers=(("Content-Type", "text/event-stream"),)),
    ],
    ids=str,
)
def test_what_is_no_answer_is_asked_again(server: AnthropicServer, fault: Fault) -> None:
    server.fail(fault)
    with claude(server) as model:
        assert model.complete(ask()).text == "All is well."
    assert len(server.requests) == 2


def test_after_a_cut_the_answer_is_heard_anew(server: AnthropicServer) -> None:
    scripted(server, "one two three four five six seven eight nine ten eleven twelve")
    server.fail(Fault.cut_off(5))
    heard: list[Heard] = []
    with claude(server) as model:
        reply = model.complete(ask(), on_text=heard.append)
    assert [h.state for h in heard if h.state != "more"] == ["anew", "done"]
    assert heard[0].text
    assert text_of(heard) == reply.text


def test_of_many_answers_each_is_heard_under_its_own_number(server: AnthropicServer) -> None:
    server.script = lambda request: Answer(f"this is the answer to {request.prompt} and to nothing else", pause=0.01)
    server.fail(Fault.cut_off(4))
    heard: list[Heard] = []
    with claude(server) as model:
        replies = model.complete_all([ask(str(n)) for n in range(4)], heard.append)
    assert [text_of(heard, n) for n in range(4)] == [reply.text for reply in replies if isinstance(reply, Reply)]
    assert sorted(h.number for h in heard if h.state == "done") == [0, 1, 2, 3]
    assert [h.state for h in heard].count("anew") == 1


def test_an_answer_that_never_comes_is_heard_to_end(server: AnthropicServer) -> None:
    server.fail_always(Fault.http(400))
    heard: list[Heard] = []
    with claude(server) as model:
        model.complete_all([ask("1"), ask("2")], heard.append)
    assert sorted(heard, key=lambda h: h.number) == [Heard(0, state="done"), Heard(1, state="done")]


def test_it_waits_as_long_as_it_is_asked_to_and_so_do_the_others(server: AnthropicServer) -> None:
    server.fail(Fault.too_many("0.4"))
    with claude(server, at_once=1) as model:
        model.complete_all([ask("a"), ask("b")])
    first, second, *_ = server.requests
    assert second.at - first.done >= 0.39


def test_a_date_in_retry_after_is_understood(server: AnthropicServer) -> None:
    past = "Wed, 21 Oct 2015 07:28:00 GMT"
    server.fail(Fault.too_many(past))
    with claude(server) as model:
        assert model.complete(ask()).text == "All is well."


def test_who_asks_for_an_hour_is_not_waited_for(server: AnthropicServer) -> None:
    server.fail_always(Fault.too_many("3600"))
    start = time.monotonic()
    with claude(server) as model, pytest.raises(ModelUnavailable, match="429") as caught:
        model.complete(ask())
    assert time.monotonic() - start < 60
    assert "3600 seconds" in caught.value.hint


def test_tries_come_to_an_end_and_then_nobody_else_tries(server: AnthropicServer) -> None:
    server.fail_always(Fault.overloaded())
    with claude(server, at_once=1) as model:
        replies = model.complete_all([ask(str(n)) for n in range(5)])
        assert [type(reply) for reply in replies] == [ModelUnavailable] * 5
        assert len(server.requests) == 4
        with pytest.raises(ModelUnavailable, match="4 tries"):
            model.complete(ask("once more"))
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("fault", "words", "hint"),
    [
        (Fault.http(401, f"invalid x-api-key: {KEY}"), "does not accept the key", "ANTHROPIC_API_KEY"),
        (Fault.http(402, "credit balance is too low"), "payment is required: credit balance", "billing"),
        (Fault.http(403), "may not do this", "plan"),
        (Fault.http(404, f"model: {CLAUDE}"), "does not know the model claude-fable-5-2", "--model"),
        (Fault.http(413), "too large", "--breadth"),
        (Fault.http(400, "too \x1b[31mmany\x07"), r"refuses the request \(400\): too many", "--llm"),
        (Fault.http(400, "request (9079 tokens) exceeds the available context size"), "does not fit", "--ctx-size"),
        (Fault(307, headers=(("Location", "http://127.0.0.1:9/"),)), "redirects", "address"),
    ],
    ids=["401", "402", "403", "404", "413", "400", "context", "307"],
)
def test_a_refusal_is_told_once_with_what_to_do(
    server: AnthropicServer, fault: Fault, words: str, hint: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail_always(fault)
    with (
        caplog.at_level(logging.INFO),
        claude(server) as model,
        pytest.raises(ModelUnavailable, match=words) as caught,
    ):
        model.complete(ask())
    assert hint in caught.value.hint
    assert len(server.requests) == 1
    assert KEY not in f"{caught.value} {caught.value.hint} {caplog.text} {model!r}"


def test_a_server_that_is_not_there_is_said_to_be_so() -> None:
    with AnthropicServer().serve() as gone:
        pass
    with claude(gone) as model, pytest.raises(ModelUnavailable, match="no connection") as caught:
        model.complete(ask())
    assert "running?" in str(caught.value)


def test_an_effort_that_a_model_does_not_take_is_left_out(server: AnthropicServer) -> None:
    server.fail(Fault.http(400, "This model does not support the effort parameter."))
    with claude(server) as model:
        model.complete(ask())
    assert [asked.body.get("output_config") for asked in server.requests] == [{"effort": "medium"}, None]


def test_text_that_is_no_unicode_is_sent_as_far_as_it_is(server: AnthropicServer) -> None:
    with claude(server) as model:
        assert model.complete(ask("half a pair: \ud800")).text == "All is well."


def test_a_million_characters_come_through(server: AnthropicServer) -> None:
    server.script = lambda request: str(len(request.prompt))
    with claude(server) as model:
        assert model.complete(Request("summaries", "", "x" * 1_000_000)).text == "1000000"


@pytest.mark.parametrize("begun", ["", '{"words": ["'], ids=["text", "structured"])
@pytest.mark.parametrize("said", ["and so on, " * 3_000, "word " * 20_000], ids=["and so on", "word"])
def test_an_answer_that_goes_in_circles_is_not_heard_to_its_end(server: AnthropicServer, begun: str, said: str) -> None:
    scripted(server, Answer(begun + said, pause=0.0001))
    heard: list[Heard] = []
    with claude(server) as model:
        reply = model.complete(ask(schema=SCHEMA if begun else None, max_tokens=50_000), on_text=heard.append)
    assert (reply.stop, reply.data) == ("max_tokens", None)
    assert reply.text == text_of(heard)
    assert len(reply.text) < 2_000
    assert len(server.requests) == 1


def test_thoughts_that_go_in_circles_are_left_as_well(server: AnthropicServer) -> None:
    scripted(server, Answer("Yes.", thinking="But wait. " * 5_000, pause=0.0001))
    with claude(server) as model:
        reply = model.complete(ask())
    assert (reply.text, reply.stop) == ("", "max_tokens")


def test_an_answer_without_end_is_left(server: AnthropicServer) -> None:
    scripted(server, Answer(" ".join(map(str, range(100_000)))))
    with claude(server, by_stage={"ranking": "claude-haiku-4-5"}) as model:
        reply = model.complete(ask(stage="ranking", max_tokens=100))
    assert reply.stop == "max_tokens"
    assert len(reply.text) < 5_000


def test_what_was_hung_up_on_may_have_cost_all_of_its_room(server: AnthropicServer) -> None:
    scripted(server, Answer("and so on, " * 3_000, tokens_in=1000))
    with priced_claude(server) as model:
        reply = model.complete(ask())
    assert (reply.tokens_in, reply.tokens_out) == (1000, 8100)
    assert reply.cost == pytest.approx((1000 * 8 + 8100 * 40) / 1e6)


class Pinging(AnthropicServer):
    """Begins an answer, shows for ever that it lives, and says nothing."""

    def events(self, body: dict[str, Any], answer: Answer) -> list[bytes]:
        begun = super().events(body, answer)
        return [begun[0], *[begun[1]] * 4000]


def test_pings_do_not_end_a_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.provider.SILENCE_HERE", 0.3)
    start = time.monotonic()
    with Pinging(Answer("", pause=0.05)).serve() as server, claude(server) as model:
        with pytest.raises(ModelUnavailable, match="did not answer in time"):
            model.complete(ask())
        assert len(server.requests) == 1
    assert time.monotonic() - start < 60


def test_words_that_drip_are_not_heard_for_ever(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.streaming.WHOLE_HERE", 1.0)
    scripted(server, Answer(" ".join(map(str, range(20_000))), pause=0.1))
    start = time.monotonic()
    with claude(server) as model, pytest.raises(ModelUnavailable, match="did not answer in time"):
        model.complete(ask(max_tokens=100_000))
    assert len(server.requests) == 1
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("status", [200, 500])
def test_a_reply_that_drips_byte_by_byte_is_not_awaited_for_ever(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("citeplug.llm.streaming.WHOLE_HERE", 0.5)
    server.fail_always(Fault(status, body=b"x" * 10_000, drip=0.05))
    start = time.monotonic()
    with claude(server) as model, pytest.raises(ModelUnavailable, match="did not answer in time"):
        model.complete(ask())
    assert time.monotonic() - start < 60
