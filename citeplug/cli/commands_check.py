"""`citeplug check`."""

from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, announce_service, print_json, progress, show_findings
from citeplug.records.report import FailOn
from citeplug.records.work import Service


@click.command(epilog="Example: citeplug check refs.bib --offline")
@click.argument("files", nargs=-1, metavar="[FILE.bib... | MAIN.tex]", type=click.Path(path_type=Path))
@options.offline
@options.sources
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="For a reader, for scripts, for code scanning, for a GitHub workflow.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--all", "uncited", is_flag=True, help="Of a draft: look up the entries that it does not cite too.")
@options.fail_on
@options.baseline
@options.verbosity
def check(
    files: tuple[Path, ...],
    offline: bool,
    sources: tuple[Service, ...],
    form: str,
    as_json: bool,
    uncited: bool,
    fail_on: FailOn | None,
    baseline: Path | None,
    write_baseline: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Compare every entry of a bibliography with arXiv's record of the paper.

    FILE is a .bib file, or the main .tex file of a project, of which every cited entry is checked. Without FILE, the
    only .bib file or the project in the current folder. arXiv is asked for the ids of the entries. For an entry
    without an id that the local catalogue does not have, it is asked for the DOI, then for words of the title; both
    are shown first. With --offline only the local catalogue is used.
    """
    from citeplug.bib.check import check_bibliography
    from citeplug.cli.check_report import report_as_json, show_for_scanners, show_report
    from citeplug.corpus.stores import for_project
    from citeplug.corpus.stores import settings as settings_of

    form = "json" if as_json else form
    level = verbose - quiet
    bar = options.bar(fail_on, files)
    with progress(level, form != "text") as reporter:
        chosen = for_project(settings_of(offline=offline), next(iter(files), None))
        found = check_bibliography(
            files,
            chosen,
            report=reporter.update,
            sources=sources,
            announce=announce_query,
            announce_service=announce_service,
            uncited=uncited,
        )
    found = options.against_baseline(found, baseline, write_baseline)
    if form == "json":
        print_json(report_as_json(found))
    elif form == "text":
        show_report(found, level)
    else:
        show_for_scanners(found, form)
    if form != "github":
        show_findings(found.findings, level)
    if found.unread:
        raise SystemExit(2)
    if options.fails(bar, found.worst()):
        raise SystemExit(1)
    if found.outage:
        raise SystemExit(3)
