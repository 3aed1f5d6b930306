"""`citeplug gaps`: what the works that a draft discusses leave open, and what the draft says to it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from citeplug.cli import sending
from citeplug.cli.console import finding_as_json, print_json, say, show_findings
from citeplug.cli.options import Formats, LocalModels, ModelOptions, OfflineOptions, language_model_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.llm.chosen_model import language_model
from citeplug.records.json_form import json_form
from citeplug.records.paper import shown_id

if TYPE_CHECKING:
    from citeplug.records.gaps import Gaps, StatedPassage, WorkPosition

_SHOWN_ABOVE = frozenset({"gap_open"})
_HEADS = {
    "open": "Limitations that your draft does not address",
    "draft_alone": "Limitations or differences that only your draft states",
    "taken_up": "Limitations that your draft addresses",
}


@parameters
class GapsParams(ModelOptions, OfflineOptions, LocalModels, Formats):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf]", default=Path())
    form: Literal["text", "json"] = option("For a reader or for scripts.", "--format", default="text")
    llm: str | None = language_model_option(
        "It is sent your draft's title and sentences, with the works' abstracts, passages from their full texts, and"
        " sentences about them. Default: as set in your config.toml, else none: limitations are found by their wording."
    )
    dry_run: bool = option("List the requests to a language model, and send none.")


@command("Example: citeplug gaps main.tex", not_shown=("models", "max_tokens"))
def gaps(params: GapsParams) -> None:
    """Show what the discussed works leave open, and what you address.

    For each work in the section (or, if there is none, each work that the draft cites), this lists a limitation or
    scope that the work or another paper states, and the sentence of the draft that addresses it. Both are quoted word
    for word, with their locations. Full texts say the most: get them with 'citeplug fetch --cited main.tex --online'.
    With --llm, a model proposes limitations and judges them. If there is a section, the result is kept in its record.
    """
    from citeplug.positioning.run import find_gaps

    settings = params.settings_for(params.main)
    with (
        language_model(params.model(rehearse=params.dry_run), settings, sending.announce_comparing) as model,
        params.progress() as reporter,
    ):
        result = find_gaps(params.main, settings, reporter.update, model, keep=not params.dry_run)
    if params.format == "json":
        print_json(_as_json(result) | sending.as_json(model))
    else:
        _show(result)
        sending.show(model, params.level)
    show_findings(tuple(finding for finding in result.findings if finding.code not in _SHOWN_ABOVE), params.level)


def _show(result: "Gaps") -> None:
    looked = result.looked_through
    whose = "in the section" if result.of == "section" else "cited in the draft"
    texts = f"{_number(looked.abstracts, 'abstract')}, {_number(looked.full_texts, 'full text')}"
    others = f"{_number(looked.citations, 'sentence')} of other papers about them"
    say(f"{_number(len(result.works), 'work')} {whose}; searched {texts} and {others}")
    for status, head in _HEADS.items():
        works = [work for work in result.works if work.status == status]
        if works:
            say(f"\n{head} ({len(works)}):")
        for work in works:
            _show_work(work, result.root.parent)
    if without := [work.key for work in result.works if work.status == "none"]:
        say(f"\nNo limitation stated ({len(without)}): {', '.join(without)}")


def _show_work(work: "WorkPosition", folder: Path) -> None:
    year = f" ({work.published.year})" if work.published is not None else ""
    say()
    say((work.key, "key"), f"{year}, ", (work.title, "title"), lead="  ")
    if work.does is not None:
        say(f"“{work.does.text}”", lead="    does:  ")
    if work.limit is not None:
        say(f"“{work.limit.text}” [{_place(work.limit)}]", lead="    limit: ")
    if work.draft is not None:
        file = work.draft.file
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
        line = f":{work.draft.line}" if work.draft.line is not None else ""
        say(f"“{work.draft.text}” [{name}{line}]", lead="    draft: ")


def _place(passage: "StatedPassage") -> str:

    section = f", “{passage.section}”" if passage.section else ""
    if passage.of == "citation":
        return f"{shown_id(passage.paper)}, citing it{section}"
    return f"its {passage.of}{section}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _as_json(result: "Gaps") -> dict[str, Any]:
    return {
        "root": str(result.root),
        "of": result.of,
        "looked_through": json_form(result.looked_through),
        "works": [json_form(work) for work in result.works],
        "dropped": dict(result.dropped),
        "findings": [finding_as_json(finding) for finding in result.findings],
    }
