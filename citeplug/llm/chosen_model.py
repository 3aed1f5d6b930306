"""Language model that the user chose, if any.

A key in the environment alone never makes citeplug send anything: it takes `--llm`, or the user's own config.toml.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from citeplug.errors import CannotWrite, ModelUnavailable, UsageError
from citeplug.files.atomic import write_atomically
from citeplug.llm.answer_cache import AnswerCache
from citeplug.llm.anthropic import AnthropicProvider
from citeplug.llm.api_keys import NO_KEY, VARIABLES, find_key
from citeplug.llm.budget import Budget
from citeplug.llm.daily_limit import DailyLimit
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.guarded import CarefulModel
from citeplug.llm.known_models import CHEAPER_MODELS, DEFAULT_MODELS, SERVICES, Service
from citeplug.llm.models import Models
from citeplug.llm.openai import OpenAIProvider, models_at
from citeplug.llm.provider import Provider
from citeplug.records.dialogue import Request, Stage
from citeplug.settings.environment import ANTHROPIC_URL, OPENAI_URL, Settings, web_address
from citeplug.settings.hosts import on_loopback, shown
from citeplug.settings.user_toml import STAGES, Preferences, read_preferences

ANSWERS = "language-models.sqlite"
CONSENT = "consent.json"
_SYNONYMS = {"rank": "ranking", "summary": "summaries"}  # of stages, as their options are called


@dataclass(frozen=True, slots=True)
class Wanted:
    """Choice of the command line; what is None or empty is taken from config.toml.

    `llm` is `none`, a service, or `SERVICE:MODEL`; `models` are `MODEL` or `STAGE=MODEL`. With `rehearse`, nothing is
    sent; with `afresh`, prose is requested again even if the answer is in the cache.
    """

    llm: str | None = None
    models: tuple[str, ...] = ()
    max_cost: float | None = None
    max_tokens: int | None = None
    rehearse: bool = False
    afresh: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """Who gets what is sent, and for how much: `limit` is a sentence on what the run may cost at most, `max_cost` the
    dollars of it, if it has any."""

    place: str
    model: str
    priced: bool
    limit: str
    max_cost: float | None


@dataclass(frozen=True, slots=True)
class Notice(Terms):
    """Notice to the user before anything is sent to a service for the first time. `request` is the first one."""

    service: Service
    request: Request


@dataclass(frozen=True, slots=True)
class Sending(Terms):
    """What is about to be sent to a service, as its author is asked; as text it is the question.

    `cost` is what is expected, in dollars; 0 if that is not known.
    """

    what: str
    cost: float

    @classmethod
    def of(cls, terms: Terms, what: str, cost: float = 0) -> "Sending":
        return cls(terms.place, terms.model, terms.priced, terms.limit, terms.max_cost, what, cost)

    def __str__(self) -> str:
        cost = f" This section costs about ${self.cost:.2f}." if self.cost else ""
        price = cost if self.priced else " Its price is not known."
        return (
            f"citeplug is about to send to {self.place} (model {self.model}): {self.what}.{price} {self.limit}"
            " This is asked once for each service."
        )


@contextmanager
def language_model(
    wanted: Wanted, settings: Settings, announce: Callable[[Notice], None], daily: DailyLimit | None = None
) -> Iterator[CarefulModel | Rehearsal | None]:
    """Open the chosen model; None if there is none.

    `announce` is called before the first request to a service for which this user has not seen a notice; it may raise
    to stop it. `daily` limits the use in a day. Raises UsageError on contradicting options, ModelUnavailable without
    a key.
    """
    preferences = read_preferences(settings.home)
    service, named = _service(wanted.llm or preferences.use)
    if service is None:
        if wanted.models or wanted.max_cost is not None or wanted.max_tokens is not None:
            raise UsageError("--model, --max-cost and --max-tokens need a language model", "choose one with --llm")
        yield None
        return
    provider = _provider(service, settings, wanted.rehearse)
    # The models of one service do not exist at another.
    same_service = _service(preferences.use)[0] == service
    own = preferences if same_service else Preferences(at_once=preferences.at_once)
    models = _models(service, named, wanted, own, _url(service, settings))
    cache = AnswerCache(settings.home / ANSWERS, provider.place)
    if wanted.rehearse:
        yield Rehearsal(provider, models, cache)
        return
    max_cost = wanted.max_cost if wanted.max_cost is not None else preferences.max_cost
    max_tokens = wanted.max_tokens if wanted.max_tokens is not None else preferences.max_tokens
    priced = _check_prices(provider, models, max_cost if daily is None or max_cost is not None else daily.max_cost)

    limit = _limit(max_cost, max_tokens)

    def show_first(request: Request) -> None:
        notice = Notice(provider.place, models.of(request.stage), priced, limit, max_cost, service, request)
        announce(notice)
        _remember(settings.home, provider.place)

    known = on_loopback(_url(service, settings)) or provider.place in consents(settings.home)
    with CarefulModel(
        provider,
        models,
        cache,
        Budget(max_cost, max_tokens, daily),
        at_once=preferences.at_once,
        announce=None if known else show_first,
        afresh=wanted.afresh,
    ) as model:
        yield model


def is_hosted(llm: str, settings: Settings) -> bool | None:
    """Return True if the service in `llm` runs elsewhere than on this machine; None if `llm` is `none`.

    Raises UsageError on an unknown service or an invalid address.
    """
    service, _ = _service(llm)
    return None if service is None else not on_loopback(_url(service, settings))


def _service(llm: str) -> tuple[Service | None, str | None]:
    """Split `SERVICE[:MODEL]`; neither for `none`."""
    name, _, model = llm.partition(":")
    if name == "none" and not model:
        return None, None
    if name not in SERVICES:
        raise UsageError(f"{name!r} is not a language model service", f"choose one of: none, {', '.join(SERVICES)}")
    return name, model or None


def _limit(max_cost: float | None, max_tokens: int | None) -> str:
    cost = [] if max_cost is None else [f"${max_cost:.2f}"]
    tokens = [] if max_tokens is None else [f"{max_tokens:,} tokens"]
    if not cost + tokens:
        return "No limit is set: max_cost in config.toml sets one."
    return f"Your limit for a run is {' and '.join(cost + tokens)}: no request goes beyond it."


def _url(service: Service, settings: Settings) -> str:
    if service == "anthropic":
        return web_address(settings.anthropic_url, "ANTHROPIC_BASE_URL", ANTHROPIC_URL)
    return web_address(settings.openai_url, "OPENAI_BASE_URL", OPENAI_URL)


def _provider(service: Service, settings: Settings, rehearse: bool) -> Provider:
    url = _url(service, settings)
    here = on_loopback(url)
    if settings.offline and not here and not rehearse:
        variable = "ANTHROPIC_BASE_URL" if service == "anthropic" else "OPENAI_BASE_URL"
        raise UsageError(
            f"--offline and a language model at {shown(url)} cannot be combined",
            f"set {variable} to a server on this machine, or leave one out (also CITEPLUG_OFFLINE)",
        )
    key = NO_KEY if rehearse else find_key(service) or (NO_KEY if here else None)
    if key is None:
        raise ModelUnavailable(f"there is no key for {service}", _no_key(service))
    return AnthropicProvider(url, key) if service == "anthropic" else OpenAIProvider(url, key)


def _no_key(service: Service) -> str:
    hint = f"set {VARIABLES[service][0]}, or run 'keyring set citeplug {service}' (pip install 'citeplug[keyring]')"
    return hint if service == "anthropic" else f"{hint}; for a server on this machine, set OPENAI_BASE_URL"


def _models(service: Service, named: str | None, wanted: Wanted, settled: Preferences, url: str) -> Models:
    by_stage: dict[Stage, str] = dict(settled.stages)
    identifier = named or _service(settled.use)[1] or settled.model
    asked: dict[Stage, str] = {}
    for text in wanted.models:
        name, equals, model = (part.strip() for part in text.partition("="))
        if not equals:
            # --model without a stage replaces the stages' models of config.toml, but not those of --model STAGE=MODEL.
            identifier, by_stage = name, {}
            model = name
        elif (stage := _stage(name)) is not None:
            asked[stage] = model
        if not model or (equals and _stage(name) is None):
            raise UsageError(
                f"--model {text} is not valid",
                f"write MODEL, or STAGE=MODEL, where STAGE is one of {', '.join(STAGES)}",
            )
    if identifier is None and (service == "anthropic" or url == OPENAI_URL):
        by_stage = {**CHEAPER_MODELS[service], **by_stage}
    return Models(identifier or _default(service, url), {**by_stage, **asked})


def _stage(name: str) -> Stage | None:
    name = _SYNONYMS.get(name, name)
    return next((stage for stage in STAGES if stage == name), None)


def _default(service: Service, url: str) -> str:
    if service == "anthropic" or url == OPENAI_URL:
        return DEFAULT_MODELS[service]
    if not on_loopback(url):
        raise UsageError(f"no model is chosen for the server at {shown(url)}", "choose one with --model")
    names = models_at(url, find_key("openai") or NO_KEY)
    if len(names) != 1:
        listed = f"it has {', '.join(names[:8])}" if names else "it lists none"
        raise UsageError(f"no model is chosen for the server at {shown(url)}: {listed}", "choose one with --model")
    return names[0]


def _check_prices(provider: Provider, models: Models, max_cost: float | None) -> bool:
    """Return True if all prices are known. Raises UsageError if one is not and a limit in dollars is set."""
    unpriced = [name for name in models.all() if not provider.prices(name)]
    if unpriced and max_cost is not None:
        raise UsageError(
            f"the price of {unpriced[0]} is not known, so a limit in dollars cannot be kept",
            "limit the tokens instead, with --max-tokens (or max_tokens in config.toml), and set no limit on the cost",
        )
    return not unpriced


def consents(home: Path) -> Mapping[str, Any]:
    """Return the day of the first request by the address of each service for which the user was shown one."""
    try:
        read = json.loads((home / CONSENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _remember(home: Path, place: str) -> None:
    """Record that the first request to a service was shown; if that fails, it is shown again next time."""
    remembered = {**consents(home), place: date.today().isoformat()}
    with suppress(OSError, CannotWrite):
        home.mkdir(parents=True, exist_ok=True)
        write_atomically(home / CONSENT, json.dumps(remembered, indent=1, ensure_ascii=False).encode())
