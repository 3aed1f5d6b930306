"""The test servers are understood by the providers' own clients."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from citeplug.records.dialogue import Request
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.model_server import Answer, Fault
from tests.harness.openai_server import OpenAIServer

if TYPE_CHECKING:  # each takes seconds to load, also where other tests are run
    import anthropic
    import openai

SCHEMA: dict[str, object] = {"type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}}}}


def echo(request: Request) -> Answer:
    text = f"{request.system}|{request.shared}|{request.prompt}|{bool(request.schema)}"
    return Answer(text, thinking="let me see", tokens_in=100, tokens_kept=60, tokens_stored=10, tokens_out=7)


@pytest.fixture
def claude() -> Iterator[AnthropicServer]:
    with AnthropicServer(echo).serve() as server:
        yield server


@pytest.fixture
def gpt() -> Iterator[OpenAIServer]:
    with OpenAIServer(echo).serve() as server:
        yield server


@pytest.fixture
def client(claude: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    import anthropic

    with anthropic.Anthropic(api_key="k", base_url=claude.root, max_retries=0) as opened:
        yield opened


@pytest.fixture
def openai_client(gpt: OpenAIServer) -> Iterator[openai.OpenAI]:
    import openai

    with openai.OpenAI(api_key="k", base_url=f"{gpt.root}/v1", max_retries=0) as opened:
        yield opened


def test_the_anthropic_client_reads_a_streamed_answer(client: anthropic.Anthropic) -> None:
    with client.messages.stream(
        model="claude-x",
        max_tokens=10,
        system="s",
        messages=[{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}],
        output_config={"format": {"type": "json_schema", "schema": SCHEMA}},
    ) as stream:
        message = stream.get_final_message()
    assert message.content[-1].type == "text"
    assert message.content[-1].text == "s|a|b|True"
    assert (message.stop_reason, message.usage.input_tokens, message.usage.output_tokens) == ("end_turn", 30, 7)
    assert (message.usage.cache_read_input_tokens, message.usage.cache_creation_input_tokens) == (60, 10)


def test_the_anthropic_client_reads_a_whole_answer_and_counts_tokens(
    claude: AnthropicServer, client: anthropic.Anthropic
) -> None:
    message = client.messages.create(model="claude-x", max_tokens=10, messages=[{"role": "user", "content": "hello"}])
    assert message.content[-1].type == "text"
    assert message.content[-1].text == "||hello|False"
    counted = client.messages.count_tokens(model="claude-x", messages=[{"role": "user", "content": "a" * 400}])
    assert counted.input_tokens == 100
    assert (len(claude.requests), len(claude.counts)) == (1, 1)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.too_many("3"), "RateLimitError"),
        (Fault.overloaded(), "InternalServerError"),
        (Fault.http(400), "BadRequestError"),
    ],
)
def test_the_anthropic_client_reads_errors(
    claude: AnthropicServer, client: anthropic.Anthropic, fault: Fault, error: str
) -> None:
    import anthropic

    claude.fail(fault)
    with pytest.raises(getattr(anthropic, error)):
        client.messages.create(model="claude-x", max_tokens=10, messages=[{"role": "user", "content": "hello"}])


def test_the_openai_client_reads_a_streamed_answer(openai_client: openai.OpenAI) -> None:
    chunks = list(
        openai_client.chat.completions.create(
            model="m",
            messages=[{"role": "system", "content": "s"}, {"role": "user", "content": "p"}],
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "s||p|False"
    assert chunks[-1].usage is not None
    assert (chunks[-1].usage.prompt_tokens, chunks[-1].usage.completion_tokens) == (100, 7)


def test_the_openai_client_reads_errors(gpt: OpenAIServer, openai_client: openai.OpenAI) -> None:
    import openai

    gpt.fail(Fault.too_many())
    with pytest.raises(openai.RateLimitError):
        openai_client.chat.completions.create(model="m", messages=[{"role": "user", "content": "p"}])
