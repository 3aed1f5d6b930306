"""A dry run: what would be sent is listed and priced, and not sent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citeplug.errors import CiteplugError, NotSent
from citeplug.llm.json_answers import read_answer
from citeplug.llm.kept_answers import KeptAnswers, digest
from citeplug.llm.provider import Provider, rough_tokens
from citeplug.llm.usage import Ledger, Models
from citeplug.records.dialogue import Heard, Reply, Request, Stage


@dataclass(frozen=True, slots=True)
class Planned:
    """One request that would be sent.

    `tokens_in` is an estimate; `most_cost` is a bound in US dollars, None: the price is not known.
    """

    request: Request
    model: str
    tokens_in: int
    most_cost: float | None


class Rehearsal:
    """`protocols.LanguageModel` that sends nothing: kept answers are given, every other request is put on the list.

    What later requests say depends on the answers to earlier ones; where those are missing, the list shows what would
    be asked if the model had not answered.
    """

    requests_made = 0
    cost = 0.0

    def __init__(self, provider: Provider, models: Models, kept: KeptAnswers | None) -> None:
        self.planned: list[Planned] = []
        self._provider = provider
        self._models = models
        self._kept = kept
        self._ledger = Ledger(provider)

    @property
    def name(self) -> str:
        return f"{self._provider.name}:{self._models.default}"

    def named(self, stage: Stage) -> str:
        """Provider and the model that would answer requests of a stage."""
        return f"{self._provider.name}:{self._models.of(stage)}"

    @property
    def place(self) -> str:
        """The URL to which it would be sent."""
        return self._provider.place

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        (reply,) = self.complete_all([request], on_text)
        if isinstance(reply, CiteplugError):
            raise reply
        return reply

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
        return self._plan(self._models.of(request.stage), request).most_cost

    def _answer(self, request: Request) -> Reply | CiteplugError:
        model = self._models.of(request.stage)
        said = self._kept.read(digest(self._provider.form(model, request))) if self._kept is not None else None
        if said is not None:
            data = read_answer(said.text, request.schema)
            usage = said.usage
            return Reply(said.text, data, said.stop, usage.tokens_in, usage.tokens_kept, usage.tokens_out, cached=True)
        planned = self._plan(model, request)
        if planned not in self.planned:
            self.planned.append(planned)
        return NotSent("this is a dry run: nothing was sent to the language model")

    def _plan(self, model: str, request: Request) -> Planned:
        size = self._provider.size(model, request)
        most = self._ledger.most(model, size) if self._provider.prices(model) else None
        tokens = rough_tokens(request.system + request.shared + request.prompt)
        return Planned(request, model, tokens, most)
