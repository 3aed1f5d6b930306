"""`citeplug audit`."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from citeplug.cli import sending
from citeplug.cli.console import announce_query, print_json, say_aloud, write_utf8
from citeplug.cli.options import (
    Baseline,
    Failing,
    Formats,
    ModelOptions,
    PaperOptions,
    Sources,
    fails,
    language_model_option,
)
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.llm.chosen_model import language_model
from citeplug.records.finding import of_dry_run


@parameters
class AuditParams(ModelOptions, Sources, Failing, Baseline, PaperOptions, Formats):
    main: Path = argument("[MAIN.tex|DIR]", default=Path())
    form: Literal["text", "json", "sarif", "github", "html"] = option(
        "For a reader (text), scripts (json), code scanning (sarif), a GitHub workflow (github), or a browser (html).",
        "--format",
        default="text",
    )
    whole: bool = option("Print every finding, not just one screen of the most important.", "--all")
    compare: bool = option(
        "Compare each citing sentence with the abstract it cites, by wording. About 4 % of correct ones are flagged."
    )
    anonymous: bool = option(
        "Look only for what tells a reviewer who wrote the draft. Nothing is sent without --llm on the command line."
    )
    authors: tuple[str, ...] = option(
        "With --anonymous: an author, whom an anonymous draft no longer names; repeatable.", "--author", metavar="NAME"
    )
    dry_run: bool = option("List the requests to a language model, and send none.")
    llm: str | None = language_model_option(
        "It is sent each sentence of your draft that cites a work or claims novelty, with abstracts and passages from"
        " the cited or nearest papers; with --anonymous, nearly all sentences and"
        " comments. Default: as set in your config.toml, else none: meanings are then not compared."
    )


_SETTINGS = (
    "breadth",
    "diversity",
    "before",
    "first_day",
    "categories",
    "topics",
    "whole_draft",
    "deep",
    "pin",
    "exclude",
)


@command(
    "Example: citeplug audit main.tex --offline",
    everyday=("form", "whole", "compare", "offline", "baseline"),
    not_shown=(*_SETTINGS, "models", "max_tokens"),
)
def audit(params: AuditParams) -> None:
    """Find wrong references and missing papers, as a reviewer would.

    The report covers problems with the cited entries (as in 'citeplug check'), up to five papers that the draft should
    discuss but does not cite, each with the paragraph where it belongs, citations that the cited work may not support,
    and facts about the bibliography. The worst problems come first, and the report says what was and was not checked.
    Nothing is written, and nothing from the draft is sent without --online or a model.
    """

    from citeplug.cli.audit_json import audit_as_json
    from citeplug.cli.audit_report import show_audit, worst_of
    from citeplug.cli.check_report import show_for_scanners

    form = params.format
    bar = params.bar((params.main,))
    settings = params.settings_for(params.main)
    wanted, announce = params.model(rehearse=params.dry_run), sending.announce_citations
    if params.anonymous:
        # A draft that is to be read blind is sent only where its author says so of this draft.
        wanted, announce = replace(wanted, llm=params.llm or "none"), sending.announce_sentences
    with (
        language_model(wanted, settings, announce) as model,
        params.progress() as reporter,  # from here on: loading what follows takes a second
    ):
        from citeplug.audit.audit_anonymity import audit_anonymity
        from citeplug.audit.run import audit_draft

        audit_result = (
            audit_anonymity(params.main, params.authors, model)
            if params.anonymous
            else audit_draft(
                params.main,
                settings,
                online=params.online,
                report=reporter.update,
                overrides=params.overrides,
                sources=params.sources,
                announce=announce_query,
                announce_service=say_aloud,
                compare=params.compare,
                model=model,
            )
        )
    report = params.against_baseline(audit_result.report)
    if params.dry_run:
        report = replace(report, findings=of_dry_run(report.findings))
    audit_result = replace(audit_result, report=report)
    if form == "json":
        print_json(audit_as_json(audit_result) | sending.as_json(model))
    elif form == "text":
        show_audit(audit_result, whole=params.whole or params.anonymous or params.verbose > 0)
        sending.show(model, params.level)
    elif form == "html":
        from citeplug.web.audit_file import audit_as_html

        write_utf8(audit_as_html(audit_result))
    else:
        show_for_scanners(audit_result.report, form)
    if audit_result.report.unread:
        raise SystemExit(2)
    if fails(bar, worst_of(audit_result)):
        raise SystemExit(1)
    if audit_result.report.outage:
        raise SystemExit(3)
