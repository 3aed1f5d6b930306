"""Models of a server on one's own machine, so that the only one need not be named."""

import asyncio
from typing import TYPE_CHECKING

from citeplug.errors import ModelUnavailable
from citeplug.llm.api_keys import Key
from citeplug.llm.openai import need_client
from citeplug.settings.hosts import on_loopback, shown

if TYPE_CHECKING:
    from openai.types import Model

_PATIENCE = 10.0  # seconds, for the whole list: time-outs of sockets hold between two bytes


def models_at(url: str, key: Key) -> list[str]:
    """The names of the models of the server at `url`, in its order. Raises ModelUnavailable if it cannot be asked."""
    need_client()
    import openai

    try:
        listed = asyncio.run(_listed(url, key))
    except (openai.OpenAIError, TimeoutError, ValueError, TypeError, AttributeError):
        raise ModelUnavailable(
            f"the server at {shown(url)} does not list its models",
            "see that it is running, and name a model with --model",
        ) from None
    return [model.id for model in listed or () if isinstance(getattr(model, "id", None), str)]


async def _listed(url: str, key: Key) -> "list[Model]":
    import openai

    http = openai.DefaultAsyncHttpxClient(timeout=_PATIENCE, follow_redirects=False, trust_env=not on_loopback(url))
    async with openai.AsyncOpenAI(api_key=key.value, base_url=url, max_retries=0, http_client=http) as client:
        async with asyncio.timeout(_PATIENCE):
            return (await client.models.list()).data
