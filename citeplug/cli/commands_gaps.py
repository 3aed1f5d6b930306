"""`citeplug gaps`: a draft's own contribution beside what prepared papers state."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.cli.console import finding_as_json, print_json, say, show_findings
from citeplug.cli.options import Formats, LocalModels, ModelOptions, OfflineOptions, language_model_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.records.json_form import fields_of

if TYPE_CHECKING:
    from citeplug.records.gaps import Compared, Gaps, Statement

_OF_EVIDENCE = frozenset({"near_statement", "answered_already", "nothing_answers", "answers_differ"})
_HEADS = {
    "near": "similar statements, to compare:",
    "nothing_near": "nothing similar was found by comparing sentences; the nearest:",
    "answered": "already answered, as the model reads it:",
    "unanswered": "not answered by the prepared papers, as the model reads them; the nearest:",
    "not_compared": "not compared, because the model's answers had no quotation; the nearest:",
}


@parameters
class GapsParams(ModelOptions, OfflineOptions, LocalModels, Formats):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf]", default=Path())
    form: Literal["text", "json"] = option("For a reader or for scripts.", "--format", default="text")
    llm: str | None = language_model_option(
        "It is sent the title, abstract, introduction and conclusion of your draft, and abstracts of prepared papers."
        " Default: as set in your config.toml, else none: sentences are then compared with sentences."
    )
    dry_run: bool = option("List the requests to a language model, and send none.")


@command("Example: citeplug gaps main.tex", not_shown=("models", "max_tokens"))
def gaps(params: GapsParams) -> None:
    """Compare your draft's contributions with the papers that 'citeplug prepare' has read.

    For each contribution or result that the draft states, it lists the papers that state something similar, in their
    own words, or says that none does, and what it looked through. With --llm, a model asks the questions and judges
    which papers already answer them and which answer differently, each with a quotation. The result is something to
    read, not a verdict on the draft. Nothing is written.
    """
    from citeplug.cli import sending
    from citeplug.llm.chosen_model import language_model
    from citeplug.prepare.gaps import find_gaps

    settings = params.settings_for(params.main)
    with (
        language_model(params.model(rehearse=params.dry_run), settings, sending.announce_comparing) as model,
        params.progress() as reporter,
    ):
        found = find_gaps(params.main, settings, reporter.update, model)
    if params.format == "json":
        print_json(_as_json(found) | sending.as_json(model))
    else:
        _show(found)
        sending.show(model, params.level)
    show_findings(tuple(each for each in found.findings if each.code not in _OF_EVIDENCE), params.level)


def _show(found: "Gaps") -> None:
    from citeplug.prepare.gaps import looked_through

    own = [f"; without {value}, which has the title of your draft" for value in found.looked_through.own]
    everything = f"{looked_through(found.looked_through)}, all that are prepared on this machine"
    say(f"Looked through: {everything}{''.join(own)}", hang=4)
    for number, each in enumerate(found.compared, 1):
        say()
        say((each.asked.question, "title"), lead=f"{number}. ")
        say(f"   your {_place(each)}: “{each.asked.said}”")
        say((_HEADS[each.status], "good" if each.status.startswith(("nothing", "un")) else "warning"), lead="   ")
        nearest = (each.nearest,) if each.nearest is not None else ()
        for statement in each.statements or nearest:
            _show_statement(statement)
    if found.differences is None:
        say("\nPapers were not compared with each other: that takes a language model (--llm).")
    for difference in found.differences or ():
        say(f"\nAnswered differently, as the model reads it: {difference.question}")
        say(f"   {difference.how}")
        _show_statement(difference.one)
        _show_statement(difference.other)


def _show_statement(statement: "Statement") -> None:
    from citeplug.records.paper import shown_id

    year = f" ({statement.published.year})" if statement.published is not None else ""
    cited = "cited" if statement.cited else "not cited"
    say((statement.title, "title"), lead="     ")
    say((shown_id(statement.paper), "key"), f"{year}; {cited}", lead="     ")
    where = f" [passage {statement.place.passage}]" if statement.place.passage else ""
    say(f"“{statement.quote}”{where}", lead="     ")


def _place(compared: "Compared") -> str:
    asked = compared.asked
    if not asked.section:
        return "abstract"
    return f"section “{asked.section}”" + (f" (line {asked.line})" if asked.line else "")


def _as_json(found: "Gaps") -> dict[str, Any]:
    return {
        "root": str(found.root),
        "looked_through": fields_of(found.looked_through, "papers full_texts questions own"),
        "questions": [_compared_as_json(each) for each in found.compared],
        "differences": None
        if found.differences is None
        else [
            {
                **fields_of(each, "question how"),
                "one": _statement_as_json(each.one),
                "other": _statement_as_json(each.other),
            }
            for each in found.differences
        ],
        "dropped": found.dropped,
        "findings": [finding_as_json(each) for each in found.findings],
    }


def _compared_as_json(compared: "Compared") -> dict[str, Any]:
    asked = compared.asked
    return {
        **fields_of(asked, "question said"),
        "section": asked.section or None,
        **fields_of(asked, "file line"),
        "status": compared.status,
        "statements": [_statement_as_json(each) for each in compared.statements],
        "nearest": None if compared.nearest is None else _statement_as_json(compared.nearest),
    }


def _statement_as_json(statement: "Statement") -> dict[str, Any]:
    return {
        **fields_of(statement, "paper title published cited quote"),
        **fields_of(statement.place, "passage start end"),
        "question": statement.question,
        "score": None if statement.score is None else round(statement.score, 4),
    }
