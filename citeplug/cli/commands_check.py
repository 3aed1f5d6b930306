"""`citeplug check`."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from citeplug.cli.console import announce_query, print_json, say_aloud, say_next, show_findings, write_utf8
from citeplug.cli.options import Baseline, Failing, Formats, OfflineOptions, Sources, fails
from citeplug.cli.parameters import argument, command, option, parameters


@parameters
class CheckParams(OfflineOptions, Sources, Failing, Baseline, Formats):
    files: tuple[Path, ...] = argument("[FILE.bib... | PAPER.pdf... | MAIN.tex]")
    form: Literal["text", "json", "sarif", "github", "html"] = option(
        "text; json for scripts; sarif for code scanning; github for a workflow; html.",
        "--format",
        default="text",
    )
    uncited: bool = option("Also check the entries that a draft does not cite.", "--all")
    camera_ready: bool = option(
        "Also report what printing needs: published versions, authors in full, pages, DOIs, uniform venues."
    )
    links: bool = option("Also ask the web servers of the entries' links whether the pages still exist.")


@command("Example: citeplug check refs.bib --offline")
def check(params: CheckParams) -> None:
    """Compare every entry of a bibliography with arXiv's record.

    FILE is a .bib file; or the main .tex file of a project, whose cited entries are all checked; or a PDF, .docx, .bbl
    or text, whose list of references is. Without FILE, the only .bib file or the project in the current folder is
    checked. arXiv is asked for the ids of the entries. For an entry that has no id and is not in the local catalogue,
    arXiv is asked for the DOI, then for words of the title and authors' surnames; these are shown first. With
    --offline, only the local catalogue is used.
    """
    from citeplug.bib.check import check_bibliography
    from citeplug.cli.check_report import next_step, report_as_json, show_for_scanners, show_report

    form = params.format
    bar = params.bar(params.files)
    with params.progress() as reporter:
        settings = params.settings_for(next(iter(params.files), None))
        report = check_bibliography(
            params.files,
            settings,
            report=reporter.update,
            sources=params.sources,
            announce=announce_query,
            announce_service=say_aloud,
            uncited=params.uncited,
            camera_ready=params.camera_ready,
            links=params.links,
        )
    report = params.against_baseline(report)
    step = next_step(report, params.files) if form == "text" and params.level >= 0 else None
    if form != "github":
        # What to do about an outage is said once; it stands before the counts, which it explains.
        outages = {finding for finding in report.findings if step and finding.code == "source_unavailable"}
        show_findings([replace(f, fix=None) if f in outages else f for f in report.findings], params.level)
    if form == "json":
        print_json(report_as_json(report))
    elif form == "text":
        show_report(report, params.level)
    elif form == "html":
        from citeplug.web.audit_file import check_as_html

        write_utf8(check_as_html(report, params.files))
    else:
        show_for_scanners(report, form)
    if step:
        say_next(*step, as_it_is=True)
    if report.unread:
        raise SystemExit(2)
    if fails(bar, report.worst()):
        raise SystemExit(1)
    if report.outage:
        raise SystemExit(3)
