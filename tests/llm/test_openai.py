"""OpenAI's own client against a server that speaks its protocol as local servers do, error by error."""

import importlib
import pkgutil
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import citeplug
from citeplug.errors import ModelUnavailable
from citeplug.llm.api_keys import Key
from citeplug.llm.openai import OpenAIProvider, models_at
from citeplug.records.dialogue import Heard, Reply, Request
from citeplug.settings.environment import OPENAI_URL
from tests.harness.model_server import Answer, Asked, Fault, Handler, Said
from tests.harness.openai_server import OpenAIServer
from tests.llm.models import KEY, SCHEMA, ask, local, text_of


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
        (Fault.http(429, "You exceeded your current quota", "insufficient_quota"), "payment is required", "billing"),
        (Fault.http(400, "request (9031 tokens) exceeds the available context size"), "does not fit", "--ctx-size"),
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


def test_a_context_that_is_full_of_several_requests_is_asked_one_at_a_time(server: OpenAIServer) -> None:
    # As llama.cpp says it where its slots share one context: in the midst of a stream, the status as a number.
    full = b'data: {"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}\n\n'
    server.fail(Fault(body=full, headers=(("Content-Type", "text/event-stream"),)), times=3)
    meanwhile: list[int] = []

    def answer(_: Request) -> str:
        before = len(server.requests)
        time.sleep(0.2)
        meanwhile.append(len(server.requests) - before)
        return "All is well."

    server.script = answer
    with local(server) as model:
        replies = model.complete_all([ask(str(n)) for n in range(3)])
    assert [getattr(reply, "text", reply) for reply in replies] == ["All is well."] * 3
    assert meanwhile[3:] == [0, 0, 0]


def test_a_request_that_does_not_fit_by_itself_is_given_up(server: OpenAIServer) -> None:
    full = b'data: {"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}\n\n'
    server.fail_always(Fault(body=full, headers=(("Content-Type", "text/event-stream"),)))
    with local(server) as model, pytest.raises(ModelUnavailable, match="does not fit into its context"):
        model.complete(ask())
    assert len(server.requests) == 2


def test_a_number_for_an_error_is_none_of_its_names(server: OpenAIServer) -> None:
    odd = b'data: {"error":{"code":418,"message":"I am a teapot","type":"server_error"}}\n\n'
    server.fail(Fault(body=odd, headers=(("Content-Type", "text/event-stream"),)))
    with local(server) as model:
        assert model.complete(ask()).text == "All is well."


@pytest.mark.parametrize(
    "said", ["It is good. " * 2_000, "word " * 20_000, "\n" * 50_000], ids=["words", "word", "lines"]
)
def test_an_answer_that_goes_in_circles_is_not_heard_to_its_end(server: OpenAIServer, said: str) -> None:
    scripted(server, Answer('{"words": ["' + said, pause=0.0001))
    heard: list[Heard] = []
    with local(server) as model:
        reply = model.complete(ask(schema=SCHEMA, max_tokens=50_000), on_text=heard.append)
    assert (reply.stop, reply.data) == ("max_tokens", None)
    assert len(text_of(heard)) < 2_000


def test_an_answer_without_end_is_left(server: OpenAIServer) -> None:
    scripted(server, Answer(" ".join(map(str, range(200_000)))))
    with local(server) as model:
        reply = model.complete(ask(max_tokens=100))
    assert reply.stop == "max_tokens"
    assert len(reply.text) < 5_000


def test_a_model_that_thinks_its_room_away_is_given_more_and_asked_to_think_less(server: OpenAIServer) -> None:
    def script(request: Request) -> Answer:
        return Answer("Yes.") if request.max_tokens > 8_000 else Answer("", "max_tokens", thinking="Let me see. ")

    server.script = script
    with local(server) as model:
        assert model.complete(ask()).text == "Yes."
        assert model.complete(ask("again")).text == "Yes."
    assert [a.body["max_tokens"] for a in server.requests] == [100, 8_100, 8_100]
    assert [a.body.get("reasoning_effort") for a in server.requests] == [None, "none", "none"]


class Breathing(OpenAIServer):
    """Shows that it lives, and says nothing."""

    def __init__(self, sign: bytes, said: Said) -> None:
        super().__init__(said)
        self.sign = sign

    def _events(self, body: dict[str, Any], answer: Answer) -> list[bytes]:
        return [self.sign] * 100


@pytest.mark.parametrize(
    "sign", [b": still here\n\n", b'data: {"choices": [{"index": 0, "delta": {"content": ""}}]}\n\n']
)
def test_silence_ends_although_the_server_shows_that_it_lives(sign: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.provider.SILENCE_HERE", 0.2)
    with Breathing(sign, Answer("", pause=0.05)).serve() as server, local(server) as model:
        with pytest.raises(ModelUnavailable, match="did not answer in time"):
            model.complete(ask())
        assert len(server.requests) == 1


def test_words_that_drip_are_not_heard_for_ever(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.streaming.WHOLE_HERE", 1.0)
    scripted(server, Answer(" ".join(map(str, range(20_000))), pause=0.1))
    start = time.monotonic()
    with local(server) as model, pytest.raises(ModelUnavailable, match="did not answer in time"):
        model.complete(ask(max_tokens=100_000))
    assert len(server.requests) == 1
    assert time.monotonic() - start < 60


def test_a_list_of_models_that_drips_is_not_awaited_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citeplug.llm.openai._LISTING", 0.5)
    start = time.monotonic()
    with Dripping().serve() as server, pytest.raises(ModelUnavailable, match="does not list its models"):
        models_at(f"{server.root}/v1", Key(KEY))
    assert time.monotonic() - start < 60


class Dripping(OpenAIServer):
    """Sends a byte of a list of models now and then."""

    def respond(self, handler: Handler, asked: Asked) -> None:
        handler.send_body(200, b'{"object": "list", "data": [' + b" " * 10_000, (), drip=0.05)


def test_the_service_itself_gets_what_only_it_knows() -> None:
    provider = OpenAIProvider(OPENAI_URL, Key(KEY))
    body = provider._body("gpt-6-astra", ask(schema=SCHEMA), 8100)
    assert (body["max_completion_tokens"], body["store"]) == (8100, False)
    assert "temperature" not in body
    assert "max_tokens" not in body
    assert body["messages"][-1]["content"] == "Say something."


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/v1", "https://gateway.example/v1"])
def test_no_connection_follows_redirects_and_none_on_this_machine_takes_a_proxy(url: str) -> None:
    here = "127.0.0.1" in url
    client = OpenAIProvider(url, Key(KEY)).options()["http_client"]
    assert client.follow_redirects is False
    assert client.trust_env is not here
    assert client.timeout.read == (900.0 if here else 180.0)


def test_only_the_service_itself_has_the_prices_of_the_service() -> None:
    assert OpenAIProvider(OPENAI_URL, Key(KEY)).prices("gpt-6-astra")
    assert OpenAIProvider("https://gateway.example/v1", Key(KEY)).prices("gpt-6-astra") == ()
    (free,) = OpenAIProvider("http://127.0.0.1:1/v1", Key(KEY)).prices("anything")
    assert free.tokens_out == 0


def strict_problems(schema: Mapping[str, Any]) -> list[str]:
    """What OpenAI's strict mode would refuse: open objects, and properties that are not required."""
    properties = schema.get("properties", {})
    parts = [*properties.values(), *schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])]
    problems = [problem for part in parts for problem in strict_problems(part)]
    closed = schema.get("additionalProperties") is False and set(schema.get("required", ())) == set(properties)
    return problems if closed or schema.get("type") != "object" else [*problems, str(schema)[:200]]


def test_every_schema_of_citeplug_is_one_that_strict_mode_takes() -> None:
    modules = [importlib.import_module(module.name) for module in pkgutil.walk_packages(citeplug.__path__, "citeplug.")]
    schemas = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, dict) and value.get("type") == "object"
    ]
    assert len(schemas) > 15
    assert [problem for schema in schemas for problem in strict_problems(schema)] == []


def test_of_many_answers_each_is_heard_under_its_own_number_and_anew_after_a_cut(server: OpenAIServer) -> None:
    server.script = lambda request: Answer(f"this is the answer to {request.prompt} and to nothing else", pause=0.01)
    server.fail(Fault.cut_off(3))
    heard: list[Heard] = []
    with local(server) as model:
        replies = model.complete_all([ask(str(n)) for n in range(3)], heard.append)
    assert [text_of(heard, n) for n in range(3)] == [reply.text for reply in replies if isinstance(reply, Reply)]
    assert [h.state for h in heard].count("anew") == 1
