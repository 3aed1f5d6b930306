"""The language model that the user asked for, if any.

Nothing is ever sent because a key lies in the environment: it takes `--llm`, or the user's own config.toml.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from citeplug.adapters.anthropic_llm import AnthropicProvider
from citeplug.adapters.language.budget import Budget
from citeplug.adapters.language.careful import CarefulModel
from citeplug.adapters.language.daily import DailyLimit
from citeplug.adapters.language.hosts import on_loopback, shown
from citeplug.adapters.language.kept import KeptAnswers
from citeplug.adapters.language.keys import NO_KEY, VARIABLES, find_key
from citeplug.adapters.language.known import DEFAULT_MODELS, SERVICES, Service
from citeplug.adapters.language.ledger import Models
from citeplug.adapters.language.provider import Provider
from citeplug.adapters.language.rehearsal import Rehearsal
from citeplug.adapters.openai_llm import OpenAIProvider
from citeplug.adapters.openai_models import models_at
from citeplug.errors import CannotWrite, ModelUnavailable, UsageError
from citeplug.files.atomic import write_atomically
from citeplug.records.dialogue import Request, Stage
from citeplug.settings.environment import ANTHROPIC_URL, OPENAI_URL, Settings, web_address
from citeplug.settings.user_toml import STAGES, Preferences, read_preferences

ANSWERS = "language-models.sqlite"
CONSENT = "consent.json"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The command line's choice; what is None or empty is as the user settled in config.toml.

    `llm` is `none`, a service, or `SERVICE:MODEL`; `models` are `MODEL` or `STAGE=MODEL`. With `rehearse`, nothing is
    sent; with `afresh`, prose is asked for although the answer is known.
    """

    llm: str | None = None
    models: tuple[str, ...] = ()
    max_cost: float | None = None
    max_tokens: int | None = None
    rehearse: bool = False
    afresh: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """What is shown before anything is sent to a service for the first time. `request` is what goes first."""

    service: Service
    place: str
    model: str
    priced: bool
    request: Request


@contextmanager
def language_model(
    wanted: Wanted, chosen: Settings, announce: Callable[[Notice], None], daily: DailyLimit | None = None
) -> Iterator[CarefulModel | Rehearsal | None]:
    """The model to pass to a pipeline, None if none was asked for.

    `announce` is called before the first request to a service that this user was never told about; it may raise to
    forbid it. `daily` bounds what is spent in a day. Raises UsageError on a contradiction, ModelUnavailable for want of
    a key.
    """
    settled = read_preferences(chosen.home)
    service, named = _service(wanted.llm or settled.use)
    if service is None:
        if wanted.models or wanted.max_cost is not None or wanted.max_tokens is not None:
            raise UsageError("--model, --max-cost and --max-tokens are about a language model", "name one with --llm")
        yield None
        return
    provider = _provider(service, chosen, wanted.rehearse)
    # What was settled for one service means nothing to another.
    settled_here = settled if _service(settled.use)[0] == service else Preferences(at_once=settled.at_once)
    models = _models(service, named, wanted, settled_here, _url(service, chosen))
    kept = KeptAnswers(chosen.home / ANSWERS, provider.place)
    if wanted.rehearse:
        yield Rehearsal(provider, models, kept)
        return
    max_cost = wanted.max_cost if wanted.max_cost is not None else settled.max_cost
    max_tokens = wanted.max_tokens if wanted.max_tokens is not None else settled.max_tokens
    priced = _check_prices(provider, models, max_cost if daily is None or max_cost is not None else daily.max_cost)

    def tell(request: Request) -> None:
        notice = Notice(service, provider.place, models.of(request.stage), priced, request)
        announce(notice)
        _remember(chosen.home, provider.place)

    known = on_loopback(_url(service, chosen)) or provider.place in _told(chosen.home)
    with CarefulModel(
        provider,
        models,
        kept,
        Budget(max_cost, max_tokens, daily),
        at_once=settled.at_once,
        announce=None if known else tell,
        afresh=wanted.afresh,
    ) as model:
        yield model


def is_hosted(llm: str, chosen: Settings) -> bool | None:
    """Whether the service that `llm` names runs elsewhere than on this machine; None if it names none.

    Raises UsageError if there is no such service, or no such address.
    """
    service, _ = _service(llm)
    return None if service is None else not on_loopback(_url(service, chosen))


def _service(llm: str) -> tuple[Service | None, str | None]:
    """Service and model of `SERVICE[:MODEL]`; neither for `none`."""
    name, _, model = llm.partition(":")
    if name == "none" and not model:
        return None, None
    if name not in SERVICES:
        raise UsageError(f"{name!r} is no language model service", f"one of: none, {', '.join(SERVICES)}")
    return name, model or None


def _url(service: Service, chosen: Settings) -> str:
    if service == "anthropic":
        return web_address(chosen.anthropic_url, "ANTHROPIC_BASE_URL", ANTHROPIC_URL)
    return web_address(chosen.openai_url, "OPENAI_BASE_URL", OPENAI_URL)


def _provider(service: Service, chosen: Settings, rehearse: bool) -> Provider:
    url = _url(service, chosen)
    here = on_loopback(url)
    if chosen.offline and not here and not rehearse:
        variable = "ANTHROPIC_BASE_URL" if service == "anthropic" else "OPENAI_BASE_URL"
        raise UsageError(
            f"--offline and a language model at {shown(url)} contradict each other",
            f"set {variable} to a server on this machine, or leave one out; CITEPLUG_OFFLINE counts too",
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
    chosen = named or _service(settled.use)[1] or settled.model
    for text in wanted.models:
        stage, equals, model = text.partition("=")
        if not equals:
            stage, model = "", stage
        if not model.strip() or (stage and stage not in STAGES):
            raise UsageError(f"--model {text} names no model", f"write MODEL, or STAGE=MODEL with {', '.join(STAGES)}")
        if stage:
            by_stage[stage] = model.strip()
        else:
            chosen = model.strip()
            # The one model named now is meant for every stage that was not named now.
            by_stage = {s: m for s, m in by_stage.items() if any(t.startswith(f"{s}=") for t in wanted.models)}
    return Models(chosen or _default(service, url), by_stage)


def _default(service: Service, url: str) -> str:
    if service == "anthropic" or url == OPENAI_URL:
        return DEFAULT_MODELS[service]
    if not on_loopback(url):
        raise UsageError("which model that server should use is not known", "name it with --model")
    names = models_at(url, find_key("openai") or NO_KEY)
    if len(names) != 1:
        listed = f"it has {', '.join(names[:8])}" if names else "it has none"
        raise UsageError(f"which model that server should use is not known: {listed}", "name one with --model")
    return names[0]


def _check_prices(provider: Provider, models: Models, max_cost: float | None) -> bool:
    """Whether all prices are known. Raises UsageError if one is not, and a bound in dollars was set."""
    unpriced = [name for name in models.all() if not provider.prices(name)]
    if unpriced and max_cost is not None:
        raise UsageError(
            f"what {unpriced[0]} costs is not known, so that no bound in dollars can be kept",
            "bound the tokens instead, with --max-tokens (or max_tokens in config.toml), and leave the cost unbounded",
        )
    return not unpriced


def _told(home: Path) -> Mapping[str, Any]:
    try:
        read = json.loads((home / CONSENT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def _remember(home: Path, place: str) -> None:
    """A home that cannot be written to only means that it is shown again."""
    told = {**_told(home), place: date.today().isoformat()}
    with suppress(OSError, CannotWrite):
        home.mkdir(parents=True, exist_ok=True)
        write_atomically(home / CONSENT, json.dumps(told, indent=1, ensure_ascii=False).encode())
