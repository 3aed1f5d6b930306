"""Messages about language models: the first request, the requests of a dry run, tokens and cost."""

from functools import partial
from typing import Any

from citeplug.cli.console import say
from citeplug.llm.chosen_model import Notice
from citeplug.llm.dry_run import Planned, Rehearsal
from citeplug.llm.expected_cost import expected_cost
from citeplug.llm.guarded import CarefulModel
from citeplug.records.json_form import fields_of
from citeplug.records.outcome import Options

_SHOWN = 3000  # characters of a request
_NAMES = {"anthropic": "Anthropic", "openai": "an OpenAI-compatible server"}


def _announce(what: str, more: str, notice: Notice) -> None:
    request = notice.request
    say(f"sending to {_NAMES[notice.service]} at {notice.place}, model {notice.model}:", err=True)
    say(f"  {what}", err=True)
    if not notice.priced:
        say("  The price of this model is unknown; --max-tokens limits its use.", err=True)
    say(f"  This is shown once per service{more}. The first request:", err=True)
    for line in _indented(request.shared, request.prompt):
        say(line, err=True)


# Each shows a request before a service gets its first one; -q does not hide it.
_LISTED = "; --dry-run lists each request"
_SECTION = "the title, abstract and sections of your draft, and the abstracts of the papers found for it."
announce_model = partial(_announce, _SECTION, _LISTED)
announce_listing = partial(_announce, _SECTION, "")
announce_asking = partial(
    _announce,
    "your questions, the conversation so far, and the passages found for them; for prepared papers, also their"
    " questions near yours.",
    "",
)
announce_comparing = partial(
    _announce,
    "the title and sentences of your draft; abstracts of the works, passages of their full texts, and sentences about"
    " them.",
    "",
)
announce_citations = partial(
    _announce,
    "the title and abstract of your draft, its sentences that cite or claim to be new, and abstracts and passages of"
    " what they cite and of the papers nearest to a claim.",
    _LISTED,
)
announce_sentences = partial(
    _announce,
    "nearly all sentences and comments of your draft, with the names of people and places in them.",
    _LISTED,
)
announce_judging = partial(
    _announce,
    "the titles and abstracts of the gold set, the texts of the runs, and the abstracts of what they cite.",
    _LISTED,
)
announce_searching = partial(_announce, "the text that you search for.", "")
announce_preparing = partial(
    _announce,
    "titles, abstracts and full texts of the papers that you named, and their questions; nothing from your drafts.",
    "; --dry-run says how many there are",
)


def announce_cost(model: CarefulModel | Rehearsal | None, options: Options, verbosity: int) -> None:
    """Say on stderr about how much the section will cost; nothing where it costs nothing."""
    if isinstance(model, CarefulModel) and verbosity >= 0:
        cost = expected_cost(model, options)
        if cost:
            message = f"a section of {options.breadth} papers costs about ${cost:.2f} with {model.name}"
            say(f"{message}; less where answers are cached", err=True)


def as_json(model: CarefulModel | Rehearsal | None) -> dict[str, Any]:
    """Return the keys of a `--json` document about the language model; none without a model."""
    if isinstance(model, Rehearsal):
        return {"would_send": rehearsal_as_json(model)}
    return {} if model is None else {"language_model": spending_as_json(model)}


def show(model: CarefulModel | Rehearsal | None, verbosity: int) -> None:
    """Print the requests of a dry run, or the tokens and cost of a run."""
    if isinstance(model, Rehearsal):
        show_rehearsal(model, verbosity)
    elif model is not None:
        show_spending(model, verbosity)


def rehearsal_as_json(rehearsal: Rehearsal) -> dict[str, Any]:
    """Return the value of `would_send` in `citeplug related --dry-run --json`."""
    return {
        "to": rehearsal.place,
        "requests": [_planned_as_json(planned) for planned in rehearsal.planned],
        "tokens_in": sum(planned.tokens_in for planned in rehearsal.planned),
        "most_cost": _most_cost(rehearsal),
    }


def show_rehearsal(rehearsal: Rehearsal, verbosity: int) -> None:
    """Print each request in full, and the highest possible cost."""
    if verbosity < 0:
        return
    say()
    if not rehearsal.planned:
        say(f"nothing would be sent to {rehearsal.place}: all answers are cached")
        return
    for number, planned in enumerate(rehearsal.planned, 1):
        request = planned.request
        say(f"request {number} ({request.stage}) to {rehearsal.place}, model {planned.model}, {_size(planned)}:")
        for line in _indented(request.system, request.shared, request.prompt, most=None):
            say(line)
    most = _most_cost(rehearsal)
    cost = "price unknown" if most is None else f"${most:.2f} at most"
    tokens = sum(planned.tokens_in for planned in rehearsal.planned)
    say(f"{len(rehearsal.planned)} requests, about {tokens} tokens, {cost}; nothing was sent")
    say("Later requests depend on the first answers; they are listed as if those were empty.")


def spending_as_json(model: CarefulModel) -> dict[str, Any]:
    """Return the value of `language_model` in `citeplug related --json`."""
    return {
        "name": model.name,
        "to": model.place,
        "cost": round(model.cost, 6) if model.priced else None,
        "stages": [
            {
                "stage": stage,
                **fields_of(spent, "calls kept tokens_in tokens_out"),
                "cost": round(spent.cost, 6) if model.priced else None,
            }
            for stage, spent in model.spent.items()
        ],
    }


def show_spending(model: CarefulModel, verbosity: int) -> None:
    """Print a line for each stage that used a language model, and the sum."""
    if verbosity < 0:
        return
    for stage, spent in model.spent.items():
        cached = f", {spent.kept} answers from the cache" if spent.kept else ""
        cost = f", ${spent.cost:.4f}" if model.priced else ""
        say(f"{stage}: {spent.calls} requests, {spent.tokens_in} tokens read, {spent.tokens_out} written{cost}{cached}")
    if model.priced:
        say(f"{model.name}: ${model.cost:.4f} in all")
    else:
        say(f"{model.name}: price unknown")


def _indented(*texts: str, most: int | None = _SHOWN) -> list[str]:
    text = "\n".join(text for text in texts if text)
    shown = text[:most]
    lines = [f"  | {line}" for line in shown.splitlines()]
    return lines if len(shown) == len(text) else [*lines, f"  | ... and {len(text) - len(shown)} characters more"]


def _size(planned: Planned) -> str:
    cost = "" if planned.most_cost is None else f", ${planned.most_cost:.4f} at most"
    return f"about {planned.tokens_in} tokens{cost}"


def _most_cost(rehearsal: Rehearsal) -> float | None:
    costs = [planned.most_cost for planned in rehearsal.planned]
    return None if None in costs else round(sum(cost or 0.0 for cost in costs), 6)


def _planned_as_json(planned: Planned) -> dict[str, Any]:
    request = planned.request
    return {
        "stage": request.stage,
        "model": planned.model,
        **fields_of(request, "system shared prompt schema max_tokens"),
        **fields_of(planned, "tokens_in most_cost"),
    }
