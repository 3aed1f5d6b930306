"""Connections of the providers' adapters: their time-outs, the time for an answer, and parts of a protocol that a
server lacks."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from citeplug.llm.listening import Ear

# Seconds; a server on this machine reads the whole prompt before it says anything.
_CONNECT, SILENCE_HERE = 10.0, 900.0
# Seconds for a whole answer: a server that says a letter now and then is never silent, and never done.
WHOLE, WHOLE_HERE = 600.0, 1800.0


def connection(silence: float, *, here: bool) -> dict[str, Any]:
    """Options of an HTTP client; `silence` is for how many seconds a server elsewhere may say nothing."""
    import httpx2

    return {
        "timeout": httpx2.Timeout(SILENCE_HERE if here else silence, connect=_CONNECT),
        # A redirect would carry the draft to another host.
        "follow_redirects": False,
        # No proxy for a server on this machine.
        "trust_env": not here,
    }


@asynccontextmanager
async def hearing(ear: Ear, silence: float, *, here: bool) -> AsyncIterator[Callable[[], bool]]:
    """Bounds the time in which an answer is heard, from the request to its last byte.

    To be called at each event is what it yields: it tells whether to hang up. Raises TimeoutError after `silence`
    seconds without a word, and after `WHOLE`, or `WHOLE_HERE` on this machine, in any case.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + (WHOLE_HERE if here else WHOLE)
    heard = 0

    def go_on() -> bool:
        nonlocal heard
        if ear.characters > heard:
            heard = ear.characters
            patience.reschedule(min(clock() + silence, end))
        return ear.endless

    async with asyncio.timeout_at(min(clock() + silence, end)) as patience:
        yield go_on


class Lacks:
    """Parts of a protocol that a model turned out not to know. `signs` is what servers say of each, in lower case."""

    def __init__(self, signs: Mapping[str, Sequence[str]]) -> None:
        self._signs = signs
        self._found: set[tuple[str, str]] = set()

    def __contains__(self, of: tuple[str, str]) -> bool:
        """True if a model lacks a part: `(model, part) in lacks`."""
        return of in self._found

    def of(self, model: str) -> frozenset[str]:
        return frozenset(part for other, part in self._found if other == model)

    def learn(self, model: str, words: str, sent_without: frozenset[str]) -> str | None:
        """The part that a refusal is about, if it was sent; from then on the model lacks it."""
        said = words.lower()
        for part, signs in self._signs.items():
            if part not in sent_without and any(sign in said for sign in signs):
                self._found.add((model, part))
                return part
        return None
