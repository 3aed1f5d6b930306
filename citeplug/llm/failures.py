"""Failures of providers, in words for the user: the same statuses from every service.

Nothing is retried here; `guarded.py` does, and says why the clients' own retries are off."""

import re
from collections.abc import Mapping

from citeplug.llm.completion import NoUse, TryAgain
from citeplug.llm.known_models import Usage
from citeplug.sources.http import retry_after
from citeplug.text.cleaning import plain

_MOST = 300  # characters of a provider's own words
_KEYS = re.compile(r"\b(?:sk|pk|key|Bearer)[-_ ][\w.*-]{6,}", re.ASCII | re.IGNORECASE)
_AGAIN = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error", "server_error"})
_CONTEXT = re.compile(r"context[ _](?:size|length|window)", re.IGNORECASE)
_PAYMENT = frozenset({"billing_error", "insufficient_quota"})


def words_of(message: object, key: str) -> str:
    """A provider's message for a reader: one short line without anything that looks like a key."""
    text = plain(message if isinstance(message, str) else "")
    if key:
        text = text.replace(key, "***")
    text = _KEYS.sub("***", text)
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


def refusal(
    status: int, kind: str | None, words: str, headers: Mapping[str, str], *, variable: str, model: str
) -> TryAgain | NoUse:
    """The failure for an HTTP status that is no answer.

    `kind` is the provider's own name of the error, `variable` the environment variable that holds the key.
    """
    detail = f": {words}" if words else ""
    if 300 <= status < 400:
        hint = "check the address set for the service"
        return NoUse(f"it redirects to another address ({status}), which is not followed", hint, everything=True)
    if kind in _PAYMENT or status == 402:
        return NoUse(f"payment is required{detail}", "check the billing page of your account", everything=True)
    if status == 401:
        hint = f"set {variable} to a valid key, or put one into your system's keyring"
        return NoUse(f"it does not accept the key{detail}", hint, everything=True)
    if status == 403:
        return NoUse(f"the key may not do this{detail}", "check what your key and your plan allow", everything=True)
    if status == 404:
        hint = "name another with --model, and check the address set for the service"
        return NoUse(f"it does not know the model {plain(model)}{detail}", hint, everything=True)
    if status == 413:
        return NoUse(f"the request is too large{detail}", "ask for fewer papers with --breadth")
    if status in (408, 409, 425, 429) or status >= 500 or kind in _AGAIN:
        if headers.get("x-should-retry") == "false" and status != 429:
            return TryAgain(f"it answered {status}{detail}", tries=1)
        return TryAgain(f"it answered {status}{detail}", wait=_wait(headers))
    return NoUse(
        f"it refuses the request ({status}){detail}", "name another model with --model, or run with --llm none"
    )


def error_event(kind: str | None, words: str, usage: Usage) -> TryAgain | NoUse:
    """The failure for an error in the middle of an answer."""
    detail = f": {words}" if words else ""
    if kind is None or kind in _AGAIN:
        return TryAgain(f"its answer was interrupted{detail}", usage=usage)
    return NoUse(f"its answer was interrupted ({plain(kind)}){detail}", "run it again, or run with --llm none")


def cut_off(usage: Usage) -> TryAgain:
    return TryAgain("its answer was cut off", usage=usage)


def connection_failure(error: Exception, place: str, usage: Usage, *, here: bool) -> TryAgain:
    """The failure for a connection that was refused, went silent or broke; clients hide the cause in a cause.

    `usage` is what the answer may have cost by then. Where nobody listens on this machine, another try would only make
    the user wait.
    """
    import httpx2

    cause = error if isinstance(error, httpx2.HTTPError) else error.__cause__
    if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        hint = " (is the server running?)" if here else ""
        return TryAgain(f"no connection to {place}{hint}", tries=1 if here else 3)
    if isinstance(cause, httpx2.TimeoutException):
        return in_vain(usage, here=here)
    return cut_off(usage)


def in_vain(usage: Usage, *, here: bool) -> TryAgain:
    """The failure for silence, or endless talk. On this machine no network is to blame, so once is enough."""
    return TryAgain("it did not answer in time", tries=1 if here else 2, usage=usage)


def is_of_context(words: str) -> bool:
    """True if a refusal is about the context of the model, as llama.cpp, vLLM, LM Studio and OpenAI name it."""
    return _CONTEXT.search(words) is not None


def no_room(words: str, *, here: bool) -> NoUse:
    """The failure for a request that does not fit into the context of the model."""
    hint = "ask for fewer papers with --breadth"
    if here:
        hint = f"start the server with more of it (llama-server --ctx-size, OLLAMA_CONTEXT_LENGTH), or {hint}"
    return NoUse(f"the request does not fit into its context: {words}", hint)


def _wait(headers: Mapping[str, str]) -> float | None:
    milliseconds = headers.get("retry-after-ms")
    try:
        return max(0.0, float(milliseconds) / 1000) if milliseconds else retry_after(headers)
    except ValueError:
        return retry_after(headers)
