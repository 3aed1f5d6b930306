"""A dry run: what would be sent is listed and priced, and not sent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citeplug.errors import CiteplugError, NotSent
from citeplug.llm.answer_cache import AnswerCache, digest
from citeplug.llm.completion import rough_tokens
from citeplug.llm.models import Models, ModelsOfProvider
from citeplug.llm.provider import Provider
from citeplug.records.dialogue import Heard, Reply, Request


@dataclass(frozen=True, slots=True)
class Planned:
    """One request that would be sent.

    `tokens_in` is an estimate; `most_cost` is a bound in US dollars, None: the price is not known.
    """

    request: Request
    model: str
    tokens_in: int
    most_cost: float | None


class Rehearsal(ModelsOfProvider):
    """A language model that sends nothing: cached answers are given, every other request is put on the list.

    What later requests say depends on the answers to earlier ones; where those are missing, the list shows what would
    be asked if the model had not answered.
    """

    requests_made = 0
    cost = 0.0

    def __init__(self, provider: Provider, models: Models, cache: AnswerCache) -> None:
        super().__init__(provider, models)
        self.planned: list[Planned] = []
        self._cache = cache

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        replies = [self._answer(request) for request in requests]
        for number, reply in enumerate(replies):
            if on_text is not None and isinstance(reply, Reply):
                on_text(Heard(number, reply.text))
                on_text(Heard(number, state="done"))
        return replies

    def most_cost(self, request: Request) -> float | None:
        """Bound in US dollars for a request that is not put on the list; None: the price is not known."""
        model = self._models.of(request.stage)
        size = self._provider.size(model, request)
        return self.most(model, size).cost if self._provider.prices(model) else None

    def _answer(self, request: Request) -> Reply | CiteplugError:
        model = self._models.of(request.stage)
        completion = self._cache.read(digest(self._provider.form(model, request)))
        if completion is not None:
            return self.reply(request, completion, cached=True)
        tokens = rough_tokens(request.system + request.shared + request.prompt)
        planned = Planned(request, model, tokens, self.most_cost(request))
        if planned not in self.planned:
            self.planned.append(planned)
        return NotSent("this is a dry run: nothing was sent to the language model")
