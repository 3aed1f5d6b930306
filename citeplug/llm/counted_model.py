"""Calls, tokens and cost of a language model, for the stages of a run."""

from collections.abc import Callable, Sequence

from citeplug.errors import CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Heard, Reply, Request


class Metered:
    """A language model that counts what passes through it.

    `requests_made` are requests that were answered by the provider, not from the cache; `cost` is in US dollars,
    tokens as the provider counts them.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.requests_made = 0
        self.tokens_in = 0
        self.tokens_out = 0
        self.cost = 0.0

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        reply = self._model.complete(request, on_text)
        self._count(reply)
        return reply

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        replies = self._model.complete_all(requests, on_text)
        for reply in replies:
            self._count(reply)
        return replies

    def _count(self, reply: Reply | CiteplugError) -> None:
        if isinstance(reply, CiteplugError) or reply.cached:
            return
        self.requests_made += 1
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.cost += reply.cost
