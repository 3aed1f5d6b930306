"""`citeplug audit`."""

from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, announce_service, print_json, progress, write_utf8
from citeplug.cli.help_groups import GroupedCommand
from citeplug.cli.run_options import PaperOptions, of_papers
from citeplug.records.report import FailOn
from citeplug.records.work import Service


@click.command(
    cls=GroupedCommand,
    everyday=("form", "whole", "compare", "offline", "baseline"),
    epilog="Example: citeplug audit main.tex --offline",
)
@click.argument("main", metavar="[MAIN.tex|DIR]", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github", "html"]),
    default="text",
    show_default=True,
    help="For a reader, for scripts, for code scanning, for a GitHub workflow, as a page.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--all", "whole", is_flag=True, help="Print every finding, not one screen of the weightiest.")
@click.option(
    "--compare",
    is_flag=True,
    help="Compare sentences that cite with the abstracts, by their words; of 100 right ones 4 are doubted.",
)
@options.language_model_that(
    "Each sentence of your draft that cites is sent to it, with the abstracts of what it cites. Default: as in your"
    " config.toml, else none: what the works mean is then not compared."
)
@options.sources
@options.fail_on
@options.baseline
@of_papers
@options.verbosity
def audit(
    main: Path,
    form: str,
    as_json: bool,
    whole: bool,
    compare: bool,
    llm: str | None,
    models: tuple[str, ...],
    max_cost: float | None,
    max_tokens: int | None,
    sources: tuple[Service, ...],
    fail_on: FailOn | None,
    baseline: Path | None,
    write_baseline: bool,
    run: PaperOptions,
    verbose: int,
    quiet: int,
) -> None:
    """Read your draft as a reviewer would: are its references right, and what does it not cite?

    All that 'citeplug check' says of the cited entries, at most five papers that the draft should discuss and does not
    cite, each with the paragraph to which it belongs, citations that the work may not bear out, and facts on what is
    cited. What is worst comes first. The report says what was looked at and what was not; nothing is written, and
    nothing of the draft is sent without --online or a model.
    """
    from dataclasses import replace

    from citeplug.audit.run import audit_draft
    from citeplug.cli import sending
    from citeplug.cli.audit_report import audit_as_json, show_audit, worst_of
    from citeplug.cli.check_report import show_for_scanners
    from citeplug.llm.chosen_model import Wanted, language_model

    form = "json" if as_json else form
    level = verbose - quiet
    bar = options.bar(fail_on, (main,))
    settings = run.settings(main)
    with (
        language_model(Wanted(llm, models, max_cost, max_tokens), settings, sending.announce_citations) as model,
        progress(level, form != "text") as reporter,
    ):
        found = audit_draft(
            main,
            settings,
            online=run.online,
            report=reporter.update,
            given=run.given(),
            sources=sources,
            announce=announce_query,
            announce_service=announce_service,
            compare=compare,
            model=model,
        )
    found = replace(found, report=options.against_baseline(found.report, baseline, write_baseline))
    if form == "json":
        print_json(audit_as_json(found) | sending.as_json(model))
    elif form == "text":
        show_audit(found, whole=whole or verbose > 0)
        sending.show(model, level)
    elif form == "html":
        from citeplug.web.audit_file import audit_as_html

        write_utf8(audit_as_html(found))
    else:
        show_for_scanners(found.report, form)
    if found.report.unread:
        raise SystemExit(2)
    if options.fails(bar, worst_of(found)):
        raise SystemExit(1)
    if found.report.outage:
        raise SystemExit(3)
