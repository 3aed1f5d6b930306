"""OpenAI's own client against a server that speaks its protocol as local servers do, error by error."""

from collections.abc import Iterator
from typing import Any

import pytest

from citeplug.adapters.language.keys import Key
from citeplug.adapters.openai_llm import OpenAIProvider, is_strict
from citeplug.errors import ModelUnavailable
from citeplug.records.dialogue import Heard, Reply
from citeplug.settings import OPENAI_URL
from tests.adapters.language.models import KEY, SCHEMA, ask, local, text_of
from tests.model_server import Answer, Fault, Said
from tests.openai_server import OpenAIServer


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer("All is well.").serve() as running:
        yield running


def scripted(server: OpenAIServer, said: Said) -> OpenAIServer:
    server.script = lambda _: said
    return server


def test_an_answer_comes_with_its_tokens_and_costs_nothing_here(server: OpenAIServer) -> None:
    scripted(server, Answer("Yes.", thinking="hm", tokens_in=1000, tokens_kept=600, tokens_out=50))
    heard: list[Heard] = []
    with local(server) as model:
        reply = model.complete(ask(shared="The draft."), on_text=heard.append)
    assert (reply.text, reply.stop, text_of(heard)) == ("Yes.", "end", "Yes.")
    assert (reply.tokens_in, reply.tokens_kept, reply.tokens_out, reply.cost) == (1000, 600, 50, 0.0)
    messages = server.requests[0].body["messages"]
    assert [m["role"] for m in messages] == ["system", "user"]
    assert messages[1]["content"] == "The draft.\n\nSay something."
    assert (server.requests[0].body["max_tokens"], server.requests[0].body["temperature"]) == (100, 0)


def test_tokens_that_are_not_told_are_taken_at_their_most(server: OpenAIServer) -> None:
    server.usage = False
    with local(server) as model:
        reply = model.complete(ask())
    assert reply.tokens_in >= len("You are careful.Say something.")
    assert reply.tokens_out == len("All is well.")


def test_a_schema_is_asked_for_twice_since_some_servers_take_no_notice(server: OpenAIServer) -> None:
    scripted(server, 'Sure!\n{"words": ["a"]}\nAnything else?')
    with local(server) as model:
        assert model.complete(ask(schema=SCHEMA)).data == {"words": ["a"]}
    body = server.requests[0].body
    assert body["response_format"]["json_schema"] == {"name": "answer", "strict": True, "schema": SCHEMA}
    assert "JSON schema" in body["messages"][1]["content"]


def test_what_a_server_does_not_take_is_left_out_from_then_on(server: OpenAIServer) -> None:
    server.schemas = "refuse"
    server.system_role = False
    scripted(server, '{"words": ["a"]}')
    with local(server) as model:
        replies = model.complete_all([ask(str(n), schema=SCHEMA) for n in range(3)])
        assert [getattr(reply, "data", reply) for reply in replies] == [{"words": ["a"]}] * 3
        before = len(server.requests)
        model.complete(ask("again", schema=SCHEMA))
    assert len(server.requests) == before + 1
    body = server.requests[-1].body
    assert "response_format" not in body
    assert [m["role"] for m in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith("You are careful.")


@pytest.mark.parametrize("stop", ["max_tokens", "refusal"])
def test_why_it_stopped_is_said(server: OpenAIServer, stop: Any) -> None:
    scripted(server, Answer('{"words": [', stop=stop))
    with local(server) as model:
        reply = model.complete(ask(schema=SCHEMA))
    assert (reply.stop, reply.data) == (stop, None)


@pytest.mark.parametrize(
    "fault",
    [
        Fault.http(500),
        Fault.http(503, "Loading model"),
        Fault.too_many("0.05"),
        Fault.cut_off(0),
        Fault.cut_off(1),
        Fault.cut_off(2, quiet=True),
        Fault.error_event("server_error", 2),
        Fault.page(),
        Fault(body=b"data: {not json\n\n", headers=(("Content-Type", "text/event-stream"),)),
        Fault(body=b'data: {"choices": "none"}\n\n', headers=(("Content-Type", "text/event-stream"),)),
        Fault(body=b"data: [1]\n\n", headers=(("Content-Type", "text/event-stream"),)),
    ],
    ids=str,
)
def test_what_is_no_answer_is_asked_again(server: OpenAIServer, fault: Fault) -> None:
    server.fail(fault)
    with local(server) as model:
        assert model.complete(ask()).text == "All is well."
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("fault", "words", "hint"),
    [
        (Fault.http(401, f"Incorrect API key provided: {KEY[:7]}***cdef"), "does not accept the key", "OPENAI_API_KEY"),
        (Fault.http(404, "The model `small` does not exist"), "does not know the model small", "--model"),
        (Fault.http(429, "You exceeded your current quota", "insufficient_quota"), "wants to be paid", "billing"),
        (Fault.http(400, "the request exceeds the available context size"), "context size", "--model"),
    ],
    ids=["401", "404", "429", "400"],
)
def test_a_refusal_is_told_once_with_what_to_do(server: OpenAIServer, fault: Fault, words: str, hint: str) -> None:
    server.fail_always(fault)
    with local(server) as model, pytest.raises(ModelUnavailable, match=words) as caught:
        model.complete(ask())
    assert hint in caught.value.hint
    assert len(server.requests) == 1
    assert "cdef" not in str(caught.value)


def test_an_error_in_plain_words_is_told_too(server: OpenAIServer) -> None:
    server.fail(Fault(400, body=b'{"detail": "no such adapter"}', headers=(("Content-Type", "application/json"),)))
    with local(server) as model, pytest.raises(ModelUnavailable, match="no such adapter"):
        model.complete(ask())


def test_the_service_itself_gets_what_only_it_knows() -> None:
    provider = OpenAIProvider(OPENAI_URL, Key(KEY))
    body = provider._body("gpt-6-astra", ask(schema=SCHEMA))
    assert (body["max_completion_tokens"], body["store"]) == (8100, False)
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert body["messages"][-1]["content"] == "Say something."


def test_only_the_service_itself_has_the_prices_of_the_service() -> None:
    assert OpenAIProvider(OPENAI_URL, Key(KEY)).prices("gpt-6-astra")
    assert OpenAIProvider("https://gateway.example/v1", Key(KEY)).prices("gpt-6-astra") == ()
    (free,) = OpenAIProvider("http://127.0.0.1:1/v1", Key(KEY)).prices("anything")
    assert free.tokens_out == 0


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (SCHEMA, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}, False),
        ({"type": "object", "properties": {}, "required": []}, False),
        ({**SCHEMA, "properties": {"words": {"type": "array", "items": {"type": "object"}}}}, False),
        ({"type": "string"}, True),
    ],
)
def test_strict_schemas_are_told_from_others(schema: dict[str, Any], strict: bool) -> None:
    assert is_strict(schema) is strict


def test_of_many_answers_each_is_heard_under_its_own_number_and_anew_after_a_cut(server: OpenAIServer) -> None:
    server.script = lambda request: Answer(f"this is the answer to {request.prompt} and to nothing else", pause=0.01)
    server.fail(Fault.cut_off(3))
    heard: list[Heard] = []
    with local(server) as model:
        replies = model.complete_all([ask(str(n)) for n in range(3)], heard.append)
    assert [text_of(heard, n) for n in range(3)] == [reply.text for reply in replies if isinstance(reply, Reply)]
    assert [h.state for h in heard].count("anew") == 1
