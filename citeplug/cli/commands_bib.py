"""`citeplug fix` and `citeplug cite`."""

from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import announce_query, announce_service, print_json, progress, show_findings
from citeplug.errors import UsageError
from citeplug.records.report import FailOn, has_unread, worst
from citeplug.records.work import Service


@click.command(epilog="Example: citeplug fix refs.bib --diff")
@click.argument("files", nargs=-1, metavar="[FILE.bib... | MAIN.tex]", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="CODE", help="Correct only findings of this code; repeatable.")
@click.option("--diff", is_flag=True, help="Print a unified diff and write nothing.")
@click.option("--dry-run", is_flag=True, help="Print what would be fixed and write nothing.")
@click.option(
    "--published", is_flag=True, help="Replace preprints by their published versions too; keys and notes stay."
)
@options.offline
@options.sources
@options.as_json
@options.fail_on
@options.verbosity
def fix(
    files: tuple[Path, ...],
    only: tuple[str, ...],
    diff: bool,
    dry_run: bool,
    published: bool,
    offline: bool,
    sources: tuple[Service, ...],
    as_json: bool,
    fail_on: FailOn | None,
    verbose: int,
    quiet: int,
) -> None:
    """Correct the certain errors of a bibliography; every other byte stays as it is.

    FILE is a .bib file, or the main .tex file of a project, of which every cited entry is checked. What 'citeplug
    check' finds is corrected where the paper's record leaves no doubt; the rest is listed for you to decide.
    """
    from citeplug.bib.fix_bibliography import FixRequest, fix_bibliography
    from citeplug.cli.fix_report import fixes_as_json, show_diff, show_fixed, show_remaining
    from citeplug.corpus.stores import for_project
    from citeplug.corpus.stores import settings as settings_of

    level = verbose - quiet
    bar = options.bar(fail_on, files)
    codes = frozenset(code for each in only for code in each.replace(",", " ").split())
    chosen = for_project(settings_of(offline=offline), next(iter(files), None))
    with progress(level, as_json) as reporter:
        result = fix_bibliography(
            files,
            chosen,
            FixRequest(codes, published),
            report=reporter.update,
            sources=sources,
            announce=announce_query,
            announce_service=announce_service,
        )
    written = not (diff or dry_run)
    if written:
        result.write(chosen.home)
    if as_json:
        print_json(fixes_as_json(result, written))
    elif diff:
        show_diff(result)
        show_remaining(result, level)
    else:
        show_fixed(result, written, level)
        show_remaining(result, level)
    if has_unread(result.remaining):
        raise SystemExit(2)
    if options.fails(bar, worst(finding.severity for finding in result.remaining)):
        raise SystemExit(1)
    if result.outage:
        raise SystemExit(3)


@click.command(epilog="Example: citeplug cite 1706.03762 --append refs.bib")
@click.argument("papers", nargs=-1, metavar="ID|DOI|TITLE...")
@click.option("--bib", type=click.Path(path_type=Path), help="Write entry and key in the style of this .bib or draft.")
@click.option(
    "--append",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Append to this .bib; without FILE to that of --bib, or to the only one in the current folder.",
)
@options.offline
@click.option("--online", is_flag=True, help="Search arXiv for titles too.")
@options.sources
@options.as_json
@options.verbosity
def cite(
    papers: tuple[str, ...],
    bib: Path | None,
    append: str | None,
    offline: bool,
    online: bool,
    sources: tuple[Service, ...],
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Print the bibliography entry of a paper, or append it to your .bib.

    The paper is given by its arXiv id, its DOI or its title (in quotation marks). The entry follows your file: its
    layout, its accents and names, its keys. A paper that has an entry already is not added again.
    """
    from citeplug.bib.cite import cite_papers, find_bib_file
    from citeplug.cli.new_entries import citing_as_json, show_cited
    from citeplug.corpus.stores import for_project
    from citeplug.corpus.stores import settings as settings_of

    level = verbose - quiet
    if append and not append.lower().endswith((".bib", ".tex")) and not Path(append).exists():
        # `--append 1706.03762` names no file: the option was given without a value.
        papers, append = (append, *papers), ""
    if not papers:
        raise UsageError("no paper was given", "give an arXiv id, a DOI, or a title in quotation marks")
    target = (Path(append) if append else bib or find_bib_file(Path.cwd())) if append is not None else bib
    chosen = for_project(settings_of(offline=offline, online=online), target)
    done = cite_papers(
        papers,
        chosen,
        bib=target,
        online=online,
        sources=sources,
        announce=announce_query,
        announce_service=announce_service,
    )
    if append is not None:
        done.write(chosen.home)
    if as_json:
        print_json(citing_as_json(done, append is not None))
    else:
        show_cited(done, append is not None, level)
    show_findings(done.findings, level)
    statuses = {one.status for one in done.cited}
    if "ambiguous" in statuses:
        raise SystemExit(2)
    if done.outage and "not_found" in statuses:
        raise SystemExit(3)
    if statuses != {"new"}:
        raise SystemExit(1)
