"""The models of a run: which one answers each stage, what a request can cost, and what each stage has used."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass

from citeplug.errors import CiteplugError
from citeplug.llm.completion import Completion, Size, read_answer
from citeplug.llm.daily_limit import Amount
from citeplug.llm.known_models import Usage, price_of
from citeplug.llm.provider import Provider
from citeplug.records.dialogue import Heard, Reply, Request, Stage


@dataclass(frozen=True, slots=True)
class Models:
    """The model of each stage: `default`, save where `by_stage` names another."""

    default: str
    by_stage: Mapping[Stage, str]

    def of(self, stage: Stage) -> str:
        return self.by_stage.get(stage, self.default)

    def all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.default, *self.by_stage.values())))


class ModelsOfProvider(ABC):
    """`protocols.LanguageModel` over the models of one provider."""

    def __init__(self, provider: Provider, models: Models) -> None:
        self._provider = provider
        self._models = models

    @property
    def name(self) -> str:
        return f"{self._provider.name}:{self._models.default}"

    def named(self, stage: Stage) -> str:
        """Provider and the model that answers requests of a stage."""
        return f"{self._provider.name}:{self._models.of(stage)}"

    @property
    def place(self) -> str:
        """The URL to which requests go."""
        return self._provider.place

    @property
    def priced(self) -> bool:
        """True if the price of every model is known."""
        return all(self._provider.prices(name) for name in self._models.all())

    def cost_of(self, stage: Stage, usage: Usage) -> float | None:
        """US dollars for these tokens at the model of a stage; None if its price is not known."""
        price = price_of(self._provider.prices(self._models.of(stage)), usage.tokens_in)
        return None if price is None else price.of(usage)

    def most(self, model: str, size: Size) -> Amount:
        """The most that a request of this size can take; no dollars where the price is unknown."""
        price = price_of(self._provider.prices(model), size.tokens_in)
        dearest = 0.0 if price is None else size.tokens_in * max(price.tokens_in, price.stored)
        written = 0.0 if price is None else size.tokens_out * price.tokens_out
        return Amount((dearest + written) / 1e6, size.total)

    def room(self, model: str, size: Size, left: Amount) -> float:
        """Tokens that an answer may take of what is left, after its request; below 0 if nothing is left."""
        price = price_of(self._provider.prices(model), size.tokens_in)
        after = left - self.most(model, Size(size.tokens_in, 0))
        if price is None or not price.tokens_out or after.cost == math.inf:
            return after.tokens
        return min(after.tokens, math.floor(after.cost / price.tokens_out * 1e6))

    @abstractmethod
    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]: ...

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        (reply,) = self.complete_all([request], on_text)
        if isinstance(reply, CiteplugError):
            raise reply
        return reply

    def reply(self, request: Request, completion: Completion, cost: float = 0.0, *, cached: bool = False) -> Reply:
        usage = completion.usage
        return Reply(
            completion.text,
            read_answer(completion.text, request.schema),
            completion.stop,
            usage.tokens_in,
            usage.tokens_kept,
            usage.tokens_out,
            cost,
            cached,
            self.named(request.stage),
        )


@dataclass(frozen=True, slots=True)
class StageUsage:
    """Usage of one stage so far. `calls` are requests really sent, `kept` answers that were there already; `cost` is
    in US dollars, 0 where it is unknown."""

    calls: int = 0
    kept: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0

    def __add__(self, other: "StageUsage") -> "StageUsage":
        return StageUsage(*(mine + more for mine, more in zip(astuple(self), astuple(other), strict=True)))
