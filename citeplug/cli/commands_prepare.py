"""`citeplug prepare`: what a set of papers can answer, before anybody asks."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citeplug.cli import sending
from citeplug.cli.console import cancellable, counted, finding_as_json, print_json, say, show_findings
from citeplug.cli.options import LocalModels, ModelOptions, OfflineOptions, Output, Papers, language_model_option
from citeplug.cli.parameters import command, option, parameters
from citeplug.llm.chosen_model import language_model
from citeplug.llm.dry_run import Rehearsal
from citeplug.records.json_form import fields_of
from citeplug.records.paper import shown_id

if TYPE_CHECKING:
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.prepare.run import Preparation
    from citeplug.records.prepared import Fact, FoundPair, Pair, Prepared

_KINDS = {
    "code": ("code repository", "code repositories"),
    "metric": ("metric", "metrics"),
    "theorem": ("named theorem", "named theorems"),
    "field": ("field of research", "fields of research"),
}
_REASONS = {
    "no_quotation": "without a quotation found in the text",
    "names_the_paper": "about the paper itself, not its subject",
    "invented": "not supported by the text",
    "invented_field": "fields not named in the text",
    "repeated": "repeated",
    "too_long": "too long, too short or too many",
}


@parameters
class PrepareParams(Papers, ModelOptions, OfflineOptions, LocalModels, Output):
    llm: str | None = language_model_option(
        "It is sent the title, abstract and full text of each paper, and nothing from your drafts. Default: as set in"
        " your config.toml, else none."
    )
    dry_run: bool = option("Show what would be prepared, and write nothing.")


@command(
    "Example: citeplug prepare --cited main.tex -v",
    everyday=("shortlist", "cited", "llm", "max_cost", "dry_run"),
    not_shown=("papers", "models", "max_tokens"),
)
def prepare(params: PrepareParams) -> None:
    """Collect the questions that papers answer, with the answers.

    It reads the full text if it is on this machine, and otherwise the abstract, and also records code repositories,
    metrics and named theorems. Papers whose text has not changed are skipped. -v shows everything. With --llm, a model
    also writes questions and answers; any that the text does not support word for word are dropped.
    """
    from citeplug.prepare import run as usecase

    settings = params.settings_for(params.cited or params.shortlist)
    model_choice = params.model()
    wanted = params.paper_set
    with cancellable("what was prepared is kept"):
        with (
            params.progress() as reporter,
            language_model(replace(model_choice, rehearse=True), settings, sending.announce_preparing) as plan,
        ):
            # What it may cost is said before anything is sent.
            done = usecase.prepare(wanted, settings, reporter.update, model=plan, dry_run=True)
        cost = _Cost(done.by_model, plan) if isinstance(plan, Rehearsal) else None
        spent = None
        if not params.dry_run:
            if cost is not None and params.level >= 0:
                say(cost.in_words(), err=True)
            with (
                language_model(model_choice, settings, sending.announce_preparing) as spent,
                params.progress() as reporter,
            ):
                done = usecase.prepare(wanted, settings, reporter.update, model=spent)
    if params.as_json:
        would_send = {"would_send": cost.as_json()} if params.dry_run and cost is not None else {}
        print_json(_as_json(done, dry_run=params.dry_run) | would_send | sending.as_json(spent))
    elif params.level >= 0:
        _show(done, params.level, dry_run=params.dry_run)
        if params.dry_run and cost is not None:
            say(cost.in_words())
        sending.show(spent, params.level)
    show_findings(tuple(done.findings), params.level)
    if not params.dry_run and done.trouble is not None and not done.over_budget:
        raise SystemExit(3)
    if done.missing or (done.left and not params.dry_run):
        raise SystemExit(1)


class _Cost:
    """What a model would be asked for `papers` papers, and what that may cost at most."""

    def __init__(self, papers: int, plan: "Rehearsal") -> None:
        costs = [planned.most_cost for planned in plan.planned]
        self.papers, self.place, self.model = papers, plan.place, plan.named("summaries")
        self.requests = len(costs)
        self.tokens = sum(planned.tokens_in for planned in plan.planned)
        self.most = None if None in costs else round(sum(cost or 0.0 for cost in costs), 6)  # US dollars

    def as_json(self) -> dict[str, Any]:
        asked = {"to": self.place, "model": self.model, "requests": self.requests}
        return {**asked, "tokens_in": self.tokens, "most_cost": self.most}

    def in_words(self) -> str:
        cost = "price unknown" if self.most is None else f"${self.most:.2f} at most"
        papers = counted(self.papers, "paper", "papers")
        return f"{papers} to prepare with {self.model}: about {self.tokens:,} tokens to read, {cost}"


def _show(done: "Preparation", level: int, *, dry_run: bool) -> None:
    if level > 0:
        for paper in done.prepared:
            _show_paper(paper)
    verb = "would be prepared" if dry_run else "prepared"
    say(f"{counted(done.made, 'paper', 'papers')} {verb}, {done.kept:,} already prepared")
    if done.prepared:
        kinds = (counted(count, *_KINDS.get(kind, (kind, kind))) for kind, count in done.facts.items())
        say(", ".join((counted(done.questions, "question", "questions"), *kinds)))
    if done.dropped:
        reasons = (f"{count:,} {_REASONS[reason]}" for reason, count in done.dropped.items())
        say(f"dropped from the model's replies: {', '.join(reasons)}")


def _show_paper(made: "Prepared") -> None:

    say(f"{shown_id(made.paper)}, {made.title}; {made.of}")
    for pair in made.pairs:
        say(f"  {pair.question}")
        if pair.answer != pair.quote:
            say(f"      {pair.answer}")
        say(f"      “{pair.quote}”{_where(pair)}")
    for fact in made.facts:
        say(f"  {fact.kind}: {fact.value}{_where(fact)}")


def _where(item: "Pair | Fact") -> str:
    return f" [passage {item.place.passage}]" if item.place.passage else ""


def _as_json(done: "Preparation", *, dry_run: bool) -> dict[str, Any]:
    return {
        "dry_run": dry_run,
        **fields_of(done, "made kept by_model left missing questions facts dropped"),
        "prepared": [_paper_as_json(paper) for paper in done.prepared],
        "findings": [finding_as_json(finding) for finding in done.findings],
    }


def _paper_as_json(made: "Prepared") -> dict[str, Any]:
    return {
        "id": made.paper,
        **fields_of(made, "version title of made_by"),
        "facts": [{"kind": fact.kind, "value": fact.value, **_place_as_json(fact)} for fact in made.facts],
        "pairs": [{"question": pair.question, "answer": pair.answer, **_place_as_json(pair)} for pair in made.pairs],
        "dropped": dict(made.dropped),
    }


def found_pair_as_json(result: "FoundPair") -> dict[str, Any]:
    """A prepared question that was found, with its paper."""
    pair = result.pair
    fields = {"paper": result.paper, "title": result.title, "question": pair.question, "answer": pair.answer}
    return {**fields, **_place_as_json(pair), "score": round(result.score, 6)}


def _place_as_json(item: "Pair | Fact") -> dict[str, Any]:
    place = item.place
    return {"quote": item.quote, **fields_of(place, "passage start end")}
