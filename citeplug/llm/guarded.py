"""Language model behind its safeguards: kept answers first, never over the budget, few at once, retried, cancellable.

The clients' own retries are off, and no retry library takes their place: each try is counted and charged, the budget
is free during a pause, all requests pause together where one has to, an answer that breaks off in its stream is
tried again too, and a Retry-After beyond two minutes ends the run's use of the model (a client would sleep it out).
"""

import asyncio
import itertools
import logging
import queue
import random
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from citeplug.errors import BudgetReached, CiteplugError, ModelUnavailable
from citeplug.llm.budget import Bill, Budget
from citeplug.llm.event_loop import Background
from citeplug.llm.expected_cost import expected_cost
from citeplug.llm.json_answers import read_answer
from citeplug.llm.kept_answers import KeptAnswers, digest
from citeplug.llm.listening import Voice, unheard
from citeplug.llm.provider import LATER, LONGEST_WAIT, AskAgain, NoUse, Provider, Said, Size
from citeplug.llm.usage import Ledger, Models, Spent
from citeplug.records.dialogue import Heard, Reply, Request, Stage

_log = logging.getLogger(__name__)

# Tokens for thinking that an answer keeps however little of the budget is left, and those for which it does not wait
# until what is under way is settled.
_FEWEST_THOUGHTS, _USUAL_THOUGHTS = 1_500, 4_000


@dataclass(frozen=True, slots=True)
class Patience:
    """Bounds on the tries for one answer.

    `pause` is the first pause in seconds, doubled at each try up to `longest`, and lengthened or shortened at random by
    up to a half; `tries` bounds the tries.
    """

    tries: int = 5
    pause: float = 1.0
    longest: float = 30.0


class CarefulModel:
    """`protocols.LanguageModel` over one provider. Threads may share it.

    `announce` is given the first request that is really sent, before that; it may raise to forbid it. With `afresh`
    prose is not taken from the kept answers: other words are wanted. `spent` tells what each stage took,
    `requests_made` and `cost` the same of all.
    """

    def __init__(
        self,
        provider: Provider,
        models: Models,
        kept: KeptAnswers | None,
        budget: Budget,
        *,
        at_once: int = 4,
        patience: Patience | None = None,
        announce: Callable[[Request], None] | None = None,
        afresh: bool = False,
    ) -> None:
        self._provider = provider
        self._afresh = afresh
        self._ledger = Ledger(provider)
        self._models = models
        self._kept = kept
        self._budget = budget
        self._patience = patience or Patience()
        self._announce = announce
        self._background = Background()
        self._slots = asyncio.Semaphore(at_once)
        self._under_way: dict[str, asyncio.Future[Said]] = {}
        self._unusable: set[str] = set()
        self._given_up: dict[str, ModelUnavailable] = {}
        self._quiet_until = 0.0
        self._lock = threading.Lock()

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

    @property
    def spent(self) -> Mapping[Stage, Spent]:
        return self._ledger.spent

    @property
    def requests_made(self) -> int:
        return sum(spent.calls for spent in self.spent.values())

    @property
    def cost(self) -> float:
        return sum(spent.cost for spent in self.spent.values())

    def expected_cost(self, papers: int, stages: Collection[Stage], *, polish: bool) -> float | None:
        """US dollars for a section, as `expected.expected_cost` has it."""
        return expected_cost(self._provider, self._models, papers, stages, polish=polish)

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        (reply,) = self._run([request], on_text)
        if isinstance(reply, CiteplugError):
            raise reply
        return reply

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        return self._run(requests, on_text)

    def cancel(self) -> None:
        """Stop what is under way, from any thread; those who wait for it get Cancelled, and so do later ones."""
        self._background.cancel()

    def close(self) -> None:
        self._background.close(self._provider.close)

    def __enter__(self) -> "CarefulModel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None) -> list[Reply | CiteplugError]:
        said: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        put = unheard if on_text is None else said.put
        pairs = [(request, self._from_cache(request)) for request in requests]
        self._tell_first([request for request, kept in pairs if kept is None])
        return self._background.run(self._all(pairs, put), said, on_text or unheard)

    async def _all(
        self, pairs: Sequence[tuple[Request, Reply | None]], put: Callable[[Heard], None]
    ) -> list[Reply | CiteplugError]:
        asked = (self._or_error(request, kept, Voice(number, put)) for number, (request, kept) in enumerate(pairs))
        return list(await asyncio.gather(*asked))

    def _tell_first(self, missing: Sequence[Request]) -> None:
        with self._lock:
            if self._announce is not None and missing:
                # If it raises, nothing is sent, and the next request is announced again.
                self._announce(missing[0])
                self._announce = None

    def _from_cache(self, request: Request) -> Reply | None:
        """The kept answer; not one that was of no use when this run was given it: then another is wanted."""
        if self._kept is None or (self._afresh and request.stage == "prose"):
            return None
        key = self._key(request)
        said = self._kept.read(key)
        if said is None or key in self._unusable:
            return None
        self._ledger.note(request.stage, Spent(kept=1))
        return self._reply(key, request, said, cached=True)

    async def _or_error(self, request: Request, kept: Reply | None, voice: Voice) -> Reply | CiteplugError:
        try:
            if kept is None:
                return await self._ask(request, voice)
            voice.begin()(kept.text)
            return kept
        except (ModelUnavailable, BudgetReached) as error:
            return error
        finally:
            voice.end()

    async def _ask(self, request: Request, voice: Voice) -> Reply:
        """One answer; whoever asks the same meanwhile gets the same, at no cost."""
        key = self._key(request)
        if key in self._under_way:
            said = await asyncio.shield(self._under_way[key])
            self._ledger.note(request.stage, Spent(kept=1))
            reply = self._reply(key, request, said, cached=True)
            voice.begin()(reply.text)
            return reply
        answer: asyncio.Future[Said] = asyncio.get_running_loop().create_future()
        self._under_way[key] = answer
        try:
            said, cost = await self._within_budget(request, voice)
            answer.set_result(said)
        except BaseException as error:
            if isinstance(error, Exception):
                answer.set_exception(error)
                answer.exception()  # looked at: nobody else may be waiting for it
            else:
                answer.cancel()
            raise
        finally:
            del self._under_way[key]
        # An answer that had less room than usual may end earlier than it would.
        cut = said.stop == "max_tokens" and self._budget.bounded
        if self._kept is not None and said.stop != "refusal" and not cut:
            await asyncio.to_thread(self._kept.keep, key, said)
        return self._reply(key, request, said, cost)

    async def _within_budget(self, request: Request, voice: Voice) -> tuple[Said, float]:
        model = self._models.of(request.stage)
        cost = 0.0
        async with self._slots:
            for tried in itertools.count(1):
                self._raise_if_given_up(model)
                said, bill = await self._held(model, request, voice, tried)
                cost += bill.cost
                if isinstance(said, Said):
                    return said, cost
                await asyncio.sleep(said)
        raise AssertionError("tries without end")

    async def _held(self, model: str, request: Request, voice: Voice, tried: int) -> tuple[Said | float, Bill]:
        """One try within the budget; what others have spent while this one waited may leave it less room."""
        size = await self._size(model, request)
        while True:
            try:
                async with self._budget.hold(self._ledger.most(model, size), size.total) as bill:
                    return await self._try(model, request, size, bill, voice.begin(), tried), bill
            except BudgetReached:
                smaller = await self._size(model, request)
                if smaller.total >= size.total:
                    raise
                size = smaller

    async def _size(self, model: str, request: Request) -> Size:
        """The most that it can take: closer where that decides and the provider counts for us, and with less room to
        think where the budget is nearly used up."""
        size = self._provider.size(model, request)
        if self._budget.is_free(self._ledger.most(model, size), size.total):
            return size
        least = replace(size, tokens_out=min(size.tokens_out, request.max_tokens + _FEWEST_THOUGHTS))
        if not self._budget.fits(self._ledger.most(model, replace(least, tokens_in=0)), least.tokens_out):
            return least
        # What is counted there is what it will be sent anyway.
        count = await self._provider.count(model, request)
        if count is not None:
            size, least = (replace(each, tokens_in=min(count, size.tokens_in)) for each in (size, least))
        usual = min(size.tokens_out, request.max_tokens + _USUAL_THOUGHTS)
        at_once = self._ledger.room(model, size, self._budget.free)
        if at_once >= usual:
            return replace(size, tokens_out=min(size.tokens_out, at_once))
        room = self._ledger.room(model, size, self._budget.left)
        return replace(size, tokens_out=max(least.tokens_out, min(size.tokens_out, room)))

    async def _try(
        self, model: str, request: Request, size: Size, bill: Bill, on_text: Callable[[str], None], tried: int
    ) -> Said | float:
        """The answer, or the seconds after which to ask again."""
        await self._until_quiet_ends()
        self._ledger.note(request.stage, Spent(calls=1))
        try:
            said = await self._provider.ask(model, request, size, on_text)
        except NoUse as error:
            raise self._give_up(model, error) from None
        except AskAgain as error:
            self._ledger.charge(model, request.stage, error.usage, bill)
            return self._wait(model, error, tried)
        self._ledger.charge(model, request.stage, said.usage, bill)
        return said

    def _wait(self, model: str, error: AskAgain, tried: int) -> float:
        """Seconds until the next try. Raises ModelUnavailable if there should be none."""
        usual = min(self._patience.pause * 2 ** (tried - 1), self._patience.longest)
        # Zero is meant: the next request is another one.
        wait: float = 0.0 if error.wait == 0 else max(usual * random.uniform(0.5, 1.5), error.wait or 0.0)
        too_long = (error.wait or 0.0) > LONGEST_WAIT
        if tried >= min(error.tries, self._patience.tries) or too_long:
            hint = f"it asks to wait {error.wait:.0f} seconds; {LATER}" if too_long else LATER
            times = f" ({tried} tries)" if tried > 1 else ""
            failure = ModelUnavailable(f"{self._provider.name} could not be asked: {error}{times}", hint)
            self._given_up[model] = failure
            raise failure from None
        _log.info("%s: %s; asked again in %.1f s", self._provider.name, error, wait)
        if error.wait:
            # All who share the limit wait, not only the one that was refused.
            self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + wait)
        return wait

    async def _until_quiet_ends(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._quiet_until > now:
            # Not all in the same instant.
            await asyncio.sleep((self._quiet_until - now) * random.uniform(1, 1.1))

    def _raise_if_given_up(self, model: str) -> None:
        if model in self._given_up:
            raise self._given_up[model]

    def _give_up(self, model: str, error: NoUse) -> ModelUnavailable:
        failure = ModelUnavailable(f"{self._provider.name}: {error}", error.hint)
        if error.everything:
            self._given_up[model] = failure
        return failure

    def _key(self, request: Request) -> str:
        return digest(self._provider.form(self._models.of(request.stage), request))

    def _reply(self, key: str, request: Request, said: Said, cost: float = 0.0, *, cached: bool = False) -> Reply:
        data = read_answer(said.text, request.schema)
        if said.stop != "end" or (request.schema is not None and data is None):
            self._unusable.add(key)
        usage = said.usage
        return Reply(
            said.text,
            data,
            said.stop,
            usage.tokens_in,
            usage.tokens_kept,
            usage.tokens_out,
            cost,
            cached,
            self.named(request.stage),
        )
