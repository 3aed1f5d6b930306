"""Careful models on the loopback servers, and a request to put to them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from citeplug.llm.answer_cache import AnswerCache
from citeplug.llm.anthropic import AnthropicProvider
from citeplug.llm.api_keys import Key
from citeplug.llm.budget import Budget
from citeplug.llm.guarded import CarefulModel, RetryPolicy
from citeplug.llm.known_models import KNOWN, Price
from citeplug.llm.models import Models
from citeplug.llm.openai import OpenAIProvider
from citeplug.llm.provider import Provider
from citeplug.records.dialogue import Heard, Request, Stage
from tests.harness.model_server import ModelServer

KEY = "sk-test-0123456789abcdef"
CLAUDE = "claude-fable-5-2"
QUICK = RetryPolicy(tries=4, pause=0.01, longest=0.02)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"type": "string"}}},
    "required": ["words"],
    "additionalProperties": False,
}


def ask(prompt: str = "Say something.", stage: Stage = "prose", **more: Any) -> Request:
    return Request(stage, "You are careful.", prompt, **{"max_tokens": 100, **more})


def text_of(heard: Sequence[Heard], number: int = 0) -> str:
    """What is heard of one answer in the end."""
    text = ""
    for each in heard:
        if each.number == number:
            text = "" if each.state == "anew" else text + each.text
    return text


class PricedClaude(AnthropicProvider):
    """On loopback, where everything is free, but with the prices of the service."""

    def prices(self, model: str) -> tuple[Price, ...]:
        return KNOWN[model].prices if model in KNOWN else ()


@contextmanager
def claude(server: ModelServer, home: Path | None = None, **options: Any) -> Iterator[CarefulModel]:
    with careful(AnthropicProvider(server.root, Key(KEY)), CLAUDE, home, **options) as model:
        yield model


@contextmanager
def priced_claude(server: ModelServer, home: Path | None = None, **options: Any) -> Iterator[CarefulModel]:
    with careful(PricedClaude(server.root, Key(KEY)), CLAUDE, home, **options) as model:
        yield model


@contextmanager
def local(server: ModelServer, home: Path | None = None, **options: Any) -> Iterator[CarefulModel]:
    with careful(OpenAIProvider(f"{server.root}/v1", Key(KEY)), "small", home, **options) as model:
        yield model


@contextmanager
def careful(
    provider: Provider,
    name: str,
    home: Path | None = None,
    *,
    by_stage: Mapping[Stage, str] | None = None,
    budget: Budget | None = None,
    retry_policy: RetryPolicy = QUICK,
    **options: Any,
) -> Iterator[CarefulModel]:
    cache = AnswerCache(home / "answers.sqlite", provider.place) if home else None
    models = Models(name, by_stage or {})
    with CarefulModel(provider, models, cache, budget or Budget(), retry_policy=retry_policy, **options) as model:
        yield model
