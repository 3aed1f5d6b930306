"""Language model behind its safeguards: cached answers first, never over the budget, few at once, retried, cancellable.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from citeplug.errors import BudgetReached, CiteplugError, ModelUnavailable
from citeplug.llm.answer_cache import AnswerCache, digest
from citeplug.llm.budget import Bill, Budget
from citeplug.llm.completion import LATER, LONGEST_WAIT, Completion, NoUse, Size, TryAgain
from citeplug.llm.daily_limit import Amount
from citeplug.llm.event_loop import Background
from citeplug.llm.known_models import Usage
from citeplug.llm.models import Models, ModelsOfProvider, StageUsage
from citeplug.llm.provider import Provider
from citeplug.llm.streaming import Voice, unheard
from citeplug.records.dialogue import Heard, Reply, Request, Stage

_log = logging.getLogger(__name__)

# Tokens for thinking that an answer keeps however little of the budget is left, and those for which it does not wait
# until what is under way is settled.
_FEWEST_THOUGHTS, _USUAL_THOUGHTS = 1_500, 4_000


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Bounds on the tries for one answer.

    `pause` is the first pause in seconds, doubled at each try up to `longest`, and lengthened or shortened at random by
    up to a half; `tries` bounds the tries.
    """

    tries: int = 5
    pause: float = 1.0
    longest: float = 30.0


class CarefulModel(ModelsOfProvider):
    """A language model whose requests are cached, within the budget, and tried again. Threads may share it.

    `announce` is given the first request that is really sent, before that; it may raise to forbid it. With `afresh`
    prose is not taken from the cache: other words are wanted. `spent` tells what each stage took, `requests_made` and
    `cost` the same of all.
    """

    def __init__(
        self,
        provider: Provider,
        models: Models,
        cache: AnswerCache | None,
        budget: Budget,
        *,
        at_once: int = 4,
        retry_policy: RetryPolicy | None = None,
        announce: Callable[[Request], None] | None = None,
        afresh: bool = False,
    ) -> None:
        super().__init__(provider, models)
        self._afresh = afresh
        self._stages: dict[Stage, StageUsage] = {}
        self._cache = cache
        self._budget = budget
        self._retry_policy = retry_policy or RetryPolicy()
        self._announce = announce
        self._background = Background(provider.close)
        self._slots = asyncio.Semaphore(at_once)
        self._under_way: dict[str, asyncio.Future[Completion]] = {}
        self._unusable: set[str] = set()
        self._given_up: dict[str, ModelUnavailable] = {}
        self._quiet_until = 0.0
        self._lock = threading.RLock()

    @property
    def spent(self) -> Mapping[Stage, StageUsage]:
        with self._lock:
            return dict(self._stages)

    @property
    def requests_made(self) -> int:
        return sum(usage.calls for usage in self.spent.values())

    @property
    def cost(self) -> float:
        return sum(usage.cost for usage in self.spent.values())

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        pieces: queue.SimpleQueue[Heard | None] = queue.SimpleQueue()
        put = unheard if on_text is None else pieces.put
        pairs = [(request, self._from_cache(request)) for request in requests]
        self._tell_first([request for request, cached in pairs if cached is None])
        return self._background.run(self._all(pairs, put), pieces, on_text or unheard)

    def cancel(self) -> None:
        """Stop what is under way, from any thread; those who wait for it get Cancelled, and so do later ones."""
        self._background.cancel()

    def limit(self, max_cost: float) -> None:
        """Spend at most so many dollars from now on, and no more than before."""
        self._budget.limit(max_cost)

    def close(self) -> None:
        self._background.close()

    def __enter__(self) -> "CarefulModel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def _all(
        self, pairs: Sequence[tuple[Request, Reply | None]], put: Callable[[Heard], None]
    ) -> list[Reply | CiteplugError]:
        answers = (self._or_error(*pair, Voice(number, put)) for number, pair in enumerate(pairs))
        return list(await asyncio.gather(*answers))

    def _tell_first(self, missing: Sequence[Request]) -> None:
        with self._lock:
            if self._announce is not None and missing:
                # If it raises, nothing is sent, and the next request is announced again.
                self._announce(missing[0])
                self._announce = None

    def _from_cache(self, request: Request) -> Reply | None:
        """The cached answer; not one that was of no use when this run was given it: then another is wanted."""
        if self._cache is None or (self._afresh and request.stage == "prose"):
            return None
        key = self._key(request)
        completion = self._cache.read(key)
        return None if completion is None or key in self._unusable else self._cached(key, request, completion)

    def _cached(self, key: str, request: Request, completion: Completion) -> Reply:
        self._note(request.stage, StageUsage(kept=1))
        return self._checked(key, request, self.reply(request, completion, cached=True))

    def _checked(self, key: str, request: Request, reply: Reply) -> Reply:
        if reply.stop != "end" or (request.schema is not None and reply.data is None):
            self._unusable.add(key)
        return reply

    async def _or_error(self, request: Request, cached: Reply | None, voice: Voice) -> Reply | CiteplugError:
        try:
            if cached is None:
                return await self._ask(request, voice)
            voice.begin()(cached.text)
            return cached
        except (ModelUnavailable, BudgetReached) as error:
            return error
        finally:
            voice.end()

    async def _ask(self, request: Request, voice: Voice) -> Reply:
        """One answer; whoever asks the same meanwhile gets the same, at no cost."""
        key = self._key(request)
        if key in self._under_way:
            reply = self._cached(key, request, await asyncio.shield(self._under_way[key]))
            voice.begin()(reply.text)
            return reply
        answer: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        self._under_way[key] = answer
        try:
            completion, cost = await self._within_budget(request, voice)
            answer.set_result(completion)
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
        cut = completion.stop == "max_tokens" and self._budget.bounded
        if self._cache is not None and completion.stop != "refusal" and not cut:
            await asyncio.to_thread(self._cache.write, key, completion)
        return self._checked(key, request, self.reply(request, completion, cost))

    async def _within_budget(self, request: Request, voice: Voice) -> tuple[Completion, float]:
        model = self._models.of(request.stage)
        cost = 0.0
        async with self._slots:
            for tried in itertools.count(1):
                if model in self._given_up:
                    raise self._given_up[model]
                result, bill = await self._held(model, request, voice, tried)
                cost += bill.amount.cost
                if isinstance(result, Completion):
                    return result, cost
                await asyncio.sleep(result)
        raise AssertionError("tries without end")

    async def _held(self, model: str, request: Request, voice: Voice, tried: int) -> tuple[Completion | float, Bill]:
        """One try within the budget; what others have spent while this one waited may leave it less room."""
        size = await self._size(model, request)
        while True:
            try:
                async with self._budget.hold(self.most(model, size)) as bill:
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
        if self.most(model, size).fits(self._budget.free):
            return size
        least = replace(size, tokens_out=min(size.tokens_out, request.max_tokens + _FEWEST_THOUGHTS))
        if not self.most(model, replace(least, tokens_in=0)).fits(self._budget.left):
            return least
        # What is counted there is what it will be sent anyway.
        count = await self._provider.count(model, request)
        if count is not None:
            size, least = (replace(bound, tokens_in=min(count, size.tokens_in)) for bound in (size, least))
        usual = min(size.tokens_out, request.max_tokens + _USUAL_THOUGHTS)
        at_once = self.room(model, size, self._budget.free)
        if at_once >= usual:
            return replace(size, tokens_out=int(min(size.tokens_out, at_once)))
        room = self.room(model, size, self._budget.left)
        return replace(size, tokens_out=int(max(least.tokens_out, min(size.tokens_out, room))))

    async def _try(
        self, model: str, request: Request, size: Size, bill: Bill, on_text: Callable[[str], None], tried: int
    ) -> Completion | float:
        """The answer, or the seconds after which to ask again."""
        now = asyncio.get_running_loop().time()
        if self._quiet_until > now:
            # Not all in the same instant.
            await asyncio.sleep((self._quiet_until - now) * random.uniform(1, 1.1))
        self._note(request.stage, StageUsage(calls=1))
        try:
            completion = await self._provider.ask(model, request, size, on_text)
        except NoUse as error:
            failure = ModelUnavailable(f"{self._provider.name}: {error}", error.hint)
            if error.everything:
                self._given_up[model] = failure
            raise failure from None
        except TryAgain as error:
            self._charge(request.stage, error.usage, bill)
            return self._wait(model, error, tried)
        self._charge(request.stage, completion.usage, bill)
        return completion

    def _note(self, stage: Stage, more: StageUsage) -> None:
        with self._lock:
            self._stages[stage] = self._stages.get(stage, StageUsage()) + more

    def _charge(self, stage: Stage, usage: Usage, bill: Bill) -> None:
        """Put what one try took on the bill, and to the sums."""
        cost = self.cost_of(stage, usage) or 0.0
        bill.amount += Amount(cost, usage.tokens_in + usage.tokens_out)
        self._note(stage, StageUsage(tokens_in=usage.tokens_in, tokens_out=usage.tokens_out, cost=cost))

    def _wait(self, model: str, error: TryAgain, tried: int) -> float:
        """Seconds until the next try. Raises ModelUnavailable if there should be none."""
        usual = min(self._retry_policy.pause * 2 ** (tried - 1), self._retry_policy.longest)
        # Zero is meant: the next request is another one.
        wait: float = 0.0 if error.wait == 0 else max(usual * random.uniform(0.5, 1.5), error.wait or 0.0)
        too_long = (error.wait or 0.0) > LONGEST_WAIT
        if tried >= min(error.tries, self._retry_policy.tries) or too_long:
            hint = f"it asks us to wait {error.wait:.0f} seconds; {LATER}" if too_long else LATER
            times = f" ({tried} tries)" if tried > 1 else ""
            failure = ModelUnavailable(f"{self._provider.name} could not be queried: {error}{times}", hint)
            self._given_up[model] = failure
            raise failure from None
        _log.info("%s: %s; asked again in %.1f s", self._provider.name, error, wait)
        if error.wait:
            # All who share the limit wait, not only the one that was refused.
            self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + wait)
        return wait

    def _key(self, request: Request) -> str:
        return digest(self._provider.form(self._models.of(request.stage), request))
