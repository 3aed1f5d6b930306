"""`citeplug fix` and `citeplug cite`."""

from pathlib import Path

from citeplug.cli.console import announce_query, print_json, say_aloud, show_findings
from citeplug.cli.options import Failing, OfflineOptions, Output, Sources, fails
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import UsageError
from citeplug.records.report import has_unread, worst
from citeplug.settings.known_settings import unknown_code


@parameters
class FixParams(OfflineOptions, Sources, Failing, Output):
    files: tuple[Path, ...] = argument("[FILE.bib... | MAIN.tex]")
    only: tuple[str, ...] = option(
        "Correct only findings of this code; repeatable. title_differs then also takes titles that differ a little.",
        metavar="CODE",
    )
    diff: bool = option("Print a diff of what would change; write nothing.")
    dry_run: bool = option("Print what would be fixed; write nothing.")
    published: bool = option("Also replace preprints with their published versions; keys and notes stay.")
    camera_ready: bool = option(
        "Also fix what printing needs: with --published, all authors, pages, DOIs, current titles, uniform venues."
    )


@command("Example: citeplug fix refs.bib --diff")
def fix(params: FixParams) -> None:
    """Correct certain errors in a bibliography; no other byte changes.

    FILE is a .bib file, or the main .tex file of a project, whose cited entries are all checked. What 'citeplug check'
    finds is corrected where the paper's record leaves no doubt; the rest is listed for you to decide.
    """
    from citeplug.bib.fix_bibliography import fix_bibliography
    from citeplug.bib.fixed import FixRequest
    from citeplug.bib.printed import is_printed
    from citeplug.cli.fix_report import fixes_as_json, show_diff, show_fixed, show_remaining, show_step

    if printed := next((file for file in params.files if is_printed(file)), None):
        raise UsageError(f"{printed} is a printed list, which cannot be corrected", "give the .bib file it was made of")
    bar = params.bar(params.files)
    codes = frozenset(code for names in params.only for code in names.replace(",", " ").split())
    if unknown := unknown_code(codes):
        raise UsageError(f"--only: no finding has the code {unknown}", "'citeplug check' prints the codes in brackets")
    settings = params.settings_for(next(iter(params.files), None))
    with params.progress() as reporter:
        request = FixRequest(codes, params.published or params.camera_ready, params.camera_ready)
        result = fix_bibliography(
            params.files,
            settings,
            request,
            report=reporter.update,
            sources=params.sources,
            announce=announce_query,
            announce_service=say_aloud,
        )
    written = not (params.diff or params.dry_run)
    if written:
        result.write(settings.home)
    if params.as_json:
        print_json(fixes_as_json(result, written))
    else:
        if params.diff:
            show_diff(result, params.level)
        else:
            show_fixed(result, written, params.level)
        show_remaining(result, params.level)
        if params.level >= 0:
            show_step(result, request, params.sources, written, params.files, err=params.diff)
    if has_unread(result.remaining):
        raise SystemExit(2)
    if fails(bar, worst(finding.severity for finding in result.remaining)):
        raise SystemExit(1)
    if result.outage:
        raise SystemExit(3)


@parameters
class CiteParams(OfflineOptions, Sources, Output):
    papers: tuple[str, ...] = argument("ID|DOI|TITLE...")
    bib: Path | None = option("Write the entry and its key in the style of this .bib file or draft.")
    append: str | None = option(
        "Append to this .bib file; without FILE, to that of --bib or the only one in the current folder.",
        is_flag=False,
        flag_value="",
        metavar="[FILE]",
    )
    online: bool = option("Also search arXiv for titles.")


@command("Example: citeplug cite 1706.03762 --append refs.bib")
def cite(params: CiteParams) -> None:
    """Print the entry of a paper, or append it to your .bib file.

    Give the paper by its arXiv id, DOI or title (in quotation marks). The entry follows the style of your file: its
    layout, accents, names and keys. A paper that already has an entry is not added again.
    """
    from citeplug.bib.cite import cite_papers, find_bib_file
    from citeplug.cli.new_entries import citing_as_json, show_cited

    append, papers = params.append, params.papers
    if append and not append.lower().endswith((".bib", ".tex")) and not Path(append).exists():
        # `--append 1706.03762` names no file: the option was given without a value.
        papers, append = (append, *papers), ""
    if not papers:
        raise UsageError("no paper was given", "give an arXiv id, a DOI, or a title in quotation marks")
    target = (Path(append) if append else params.bib or find_bib_file(Path.cwd())) if append is not None else params.bib
    settings = params.settings_for(target)
    done = cite_papers(
        papers,
        settings,
        bib=target,
        online=params.online,
        sources=params.sources,
        announce=announce_query,
        announce_service=say_aloud,
    )
    if append is not None:
        done.write(settings.home)
    if params.as_json:
        print_json(citing_as_json(done, append is not None))
    else:
        show_cited(done, append is not None, params.level)
    statuses = {one.status for one in done.cited}
    is_said = not params.as_json and statuses <= {"refused", "not_found"}
    show_findings([f for f in done.findings if not (is_said and f.code == "source_unavailable")], params.level)
    if "ambiguous" in statuses:
        raise SystemExit(2)
    if done.outage and statuses & {"not_found", "refused"}:
        raise SystemExit(3)
    if statuses != {"new"}:
        raise SystemExit(1)
