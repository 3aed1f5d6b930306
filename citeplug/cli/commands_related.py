"""`citeplug draft`, `related`, `plan` and `demo`."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from citeplug.cli import options
from citeplug.cli.console import (
    announce_query,
    is_watched,
    print_json,
    progress,
    safe,
    say,
    say_aloud,
    show_findings,
    show_unified,
)
from citeplug.cli.help_groups import GroupedCommand
from citeplug.cli.run_options import RunOptions, of_a_run
from citeplug.errors import Cancelled, NameTaken, UsageError

DRAFT = click.argument("main", metavar="[MAIN.tex|DIR|PAPER.pdf]", type=click.Path(path_type=Path), default=Path())


@click.command(epilog="Example: citeplug draft paper/main.tex --json")
@DRAFT
@options.as_json
@options.verbosity
def draft(main: Path, as_json: bool, verbose: int, quiet: int) -> None:
    """Show how a draft is read: abstract, sections, citations, bibliography."""
    from citeplug.latex.report import draft_as_json, draft_as_text
    from citeplug.project.any_draft import read_any_draft, root_of

    read = read_any_draft(root_of(main))
    if as_json:
        print_json(draft_as_json(read))
        return
    say(draft_as_text(read))
    show_findings(read.findings, verbose - quiet)


@click.command(
    cls=GroupedCommand,
    everyday=("insert", "online", "llm", "breadth", "diff"),
    epilog="Example: citeplug related main.tex --offline --breadth 12 --insert",
)
@click.argument("main", metavar="[MAIN.tex|DIR|PAPER.pdf|PROJECT.zip]", type=click.Path(path_type=Path), default=Path())
@of_a_run
@options.strategy
@options.summaries
@options.polish
@options.number("depth", "Passages of its full text read for each paper. [default: 0]")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="File of the section; default: related.tex beside the draft. For a project in a zip: the new zip.",
)
@click.option(
    "--bib", type=click.Path(path_type=Path), help="File of the entries; default: related.bib, or as --out is named."
)
@click.option(
    "--changed-only", is_flag=True, help="For a project in a zip: only the files that are not as they were, to upload."
)
@click.option("--insert", is_flag=True, help="Add the \\input line and the bibliography to the draft, once.")
@click.option(
    "--only", metavar="PARAGRAPH", multiple=True, help="Write only this paragraph again, such as p2; repeatable."
)
@click.option("--replan", is_flag=True, help="Make a new plan, even if the old one was edited.")
@click.option("--force", is_flag=True, help="Overwrite what you changed; a copy is kept as .bak.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would be written.")
@click.option("--diff", is_flag=True, help="Print a unified diff and write nothing.")
@options.as_json
@options.verbosity
def related(
    main: Path,
    run: RunOptions,
    strategy: str | None,
    summaries: bool | None,
    polish: bool | None,
    depth: int | None,
    out: Path | None,
    bib: Path | None,
    changed_only: bool,
    insert: bool,
    only: tuple[str, ...],
    replan: bool,
    force: bool,
    dry_run: bool,
    diff: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Write related.tex and related.bib for a draft, each citation real and each sentence with its source."""
    from citeplug.cli import sending
    from citeplug.cli.report import outcome_as_json, show_outcome
    from citeplug.llm.chosen_model import language_model
    from citeplug.records.outcome import Options
    from citeplug.related.job import Job, Written, write_related
    from citeplug.related.write.stream_prose import Aloud
    from citeplug.related.zip_project import is_archive, need_no_archive, related_in_archive

    level = verbose - quiet
    given = run.given(depth=depth, strategy=strategy)
    wanted = Options(
        replan=replan,
        plan_text=run.plan_text,
        summaries=summaries,
        polish=polish is not False,
        as_published=run.as_published,
    )
    job = Job(main, wanted, out, bib, given, insert=insert, force=force, dry_run=dry_run, diff=diff, only=only)
    if not is_archive(main):
        need_no_archive(job)
        if changed_only:
            raise UsageError("--changed-only goes with a project in a zip", "leave it out")
    if insert and not (as_json or dry_run or diff or is_archive(main)):
        _ask_about_own_text(main, out, bib)
    changed: list[str] = []
    settings = run.settings(main)
    asked = run.model(rehearse=dry_run, afresh=bool(only))
    with language_model(asked, settings, sending.announce_model) as model:
        if model is None and (strategy is not None or summaries or polish):
            option = "--strategy" if strategy is not None else "--summaries" if summaries else "--polish"
            raise UsageError(f"{option} needs a language model", "choose one with --llm")
        aloud = Aloud(model, say_aloud) if model is not None and not dry_run and is_watched(level, as_json) else None

        def make(job: Job) -> Written:
            with progress(level, as_json) as reporter:

                def write(job: Job) -> Written:
                    return write_related(
                        job,
                        settings,
                        online=run.online,
                        report=reporter.update,
                        announce=announce_query,
                        model=aloud or model,
                        begin=lambda options: sending.announce_cost(model, options, level),
                    )

                if not is_archive(main):
                    return write(job)
                written, changed[:] = related_in_archive(job, write, settings.home, changed_only=changed_only)
                return written

        try:
            done = make(job)
        except NameTaken as taken:
            if not (insert and not (as_json or dry_run or diff or is_archive(main)) and _agrees(taken)):
                raise
            done = make(replace(job, out=job.out or taken.out, bib=job.bib or taken.bib))
    if as_json:
        print_json(outcome_as_json(done) | ({"diff": done.diff} if diff else {}) | sending.as_json(model))
    elif diff:
        show_unified(done.diff)
        if not done.diff and level >= 0:
            say("nothing would change", err=True)
    else:
        show_outcome(done, level, with_text=aloud is not None and aloud.heard)
        if is_archive(main) and not done.dry_run and level >= 0:
            say(f"wrote {'what changed' if changed_only else 'the project with its section'} to {out}")
            if shown := [name for name in changed if not name.startswith(".citeplug/") and "/.citeplug/" not in name]:
                say(f"on Overleaf, upload in place of the old ones: {', '.join(shown)}")
        sending.show(model, level)
    show_findings(done.outcome.findings, level if not as_json else level - 1)


@click.command(
    cls=GroupedCommand,
    everyday=("online", "llm", "breadth", "dry_run", "force"),
    epilog="Example: citeplug plan main.tex --breadth 8, edit related.tex, then citeplug related main.tex",
)
@DRAFT
@of_a_run
@click.option("--out", type=click.Path(path_type=Path), help="File of the plan; default: related.tex beside the draft.")
@click.option("--force", is_flag=True, help="Overwrite what you changed; a copy is kept as .bak.")
@click.option("--dry-run", is_flag=True, help="Write nothing; print what would be written.")
@options.as_json
@options.verbosity
def plan(
    main: Path,
    run: RunOptions,
    out: Path | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
    verbose: int,
    quiet: int,
) -> None:
    """Write only the plan, as comments in related.tex, for you to edit before the text is written."""
    from citeplug.cli import sending
    from citeplug.cli.report import plan_written_as_json, show_plan
    from citeplug.llm.chosen_model import language_model
    from citeplug.records.outcome import Options
    from citeplug.related.job import Job, write_plan

    level = verbose - quiet
    wanted = Options(plan_text=run.plan_text, as_published=run.as_published)
    job = Job(main, wanted, out, None, run.given(), force=force, dry_run=dry_run)
    settings = run.settings(main)
    asked = run.model(rehearse=dry_run)
    with language_model(asked, settings, sending.announce_model) as model, progress(level, as_json) as reporter:
        made = write_plan(
            job, settings, online=run.online, report=reporter.update, announce=announce_query, model=model
        )
    if as_json:
        print_json(plan_written_as_json(made) | sending.as_json(model))
    else:
        show_plan(made, main, level)
        sending.show(model, level)
    show_findings(made.findings, level)


@click.command(epilog="Example: citeplug demo /tmp/citeplug-demo")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=Path("citeplug-demo"))
@options.as_json
@options.verbosity
def demo(folder: Path, as_json: bool, verbose: int, quiet: int) -> None:
    """Make an example project in DIR (default: citeplug-demo) and write its section, offline."""
    from citeplug.cli.report import outcome_as_json, show_demo
    from citeplug.demo import run_demo

    level = verbose - quiet
    with progress(level, as_json) as reporter:
        done = run_demo(folder, report=reporter.update)
    if as_json:
        print_json(outcome_as_json(done.written))
    else:
        show_demo(done, level)


def _ask_about_own_text(main: Path, out: Path | None, bib: Path | None) -> None:
    """Ask at a terminal before a section is read beside the author's own; raise Cancelled unless that is wanted."""
    from citeplug.latex.project import find_root, read_draft
    from citeplug.project.section_targets import named_targets
    from citeplug.project.targets import own_text, targets

    if not _at_terminal():
        return  # the finding says it after the run
    root = find_root(main)
    named = named_targets(root)
    where = targets(root, out or named.out, bib or named.bib)
    own = own_text(read_draft(root, skip=(where.tex, where.bib), prose=False), where)
    if own is None:
        return
    say(safe(f"{own.file and own.file.name}:{own.line}: {own.message}"), err=True)
    say("  b  beside it: write the section, read after yours", err=True)
    say("  c  complete yours: list what the draft does not cite", err=True)
    say("  l  leave it: nothing is written", err=True)
    answer = click.prompt("Which", type=click.Choice(["b", "c", "l"]), default="b", err=True)
    if answer == "c":
        raise Cancelled("nothing was written", f"run 'citeplug papers {main} --missing'")
    if answer == "l":
        raise Cancelled("nothing was written")


def _at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _agrees(taken: NameTaken) -> bool:
    """Ask the user at a terminal to accept the free file names; False without a terminal."""
    if not _at_terminal():
        return False
    names = " and ".join(path.name for path in (taken.out, taken.bib) if path is not None)
    return click.confirm(f"{safe(str(taken))}. Write {safe(names)} instead?", default=False, err=True)
