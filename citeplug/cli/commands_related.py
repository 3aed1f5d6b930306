"""`citeplug draft`, `related`, `plan` and `demo`."""

import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citeplug.cli import sending
from citeplug.cli.console import (
    announce_query,
    is_watched,
    print_json,
    safe,
    say,
    say_aloud,
    say_next,
    show_findings,
    show_unified,
)
from citeplug.cli.options import Output, RunOptions, setting_option
from citeplug.cli.parameters import argument, command, option, parameters
from citeplug.errors import Cancelled, NameTaken, UsageError
from citeplug.llm.chosen_model import language_model
from citeplug.records.outcome import Options

if TYPE_CHECKING:
    from citeplug.llm.dry_run import Rehearsal
    from citeplug.llm.guarded import CarefulModel
    from citeplug.records.comparison import WrittenTable
    from citeplug.related.job import Written
    from citeplug.related.tools import Job
    from citeplug.settings.environment import Settings

# Described in docs/configuration.md.
_SETTINGS = tuple("whole_draft as_published summaries polish quotes pinpoint model_queries max_tokens".split())


@parameters
class RelatedParams(RunOptions, Output):
    main: Path = argument("[MAIN.tex|DIR|PAPER.pdf|TEXT|PROJECT.zip]", default=Path())
    strategy: str | None = setting_option("strategy", metavar="S")
    summaries: bool | None = option("Have the model summarise each paper first. [default: no]")
    polish: bool | None = option("Have the model polish the section once. [default: yes]")
    depth: int | None = setting_option("depth")
    out: Path | None = option("Where to write the section; for a zip, the new zip.", "-o", "--out")
    bib: Path | None = option("Where to write the entries. [default: related.bib]")
    changed_only: bool = option("For a zip: write only the changed files, to upload.")
    insert: bool = option("Add the \\input line and the bibliography to the draft.")
    only: tuple[str, ...] = option("Rewrite only this paragraph, such as p2; repeatable.", metavar="PARAGRAPH")
    replan: bool = option("Make a new plan, even if you edited the old one.")
    force: bool = option("Overwrite what you changed; a copy is kept as .bak.")
    dry_run: bool = option("Print what would be written; write nothing.")
    diff: bool = option("Print a diff of what would change; write nothing.")
    table: bool = option("Also write related-table.tex, comparing the papers.")
    plan_only: bool = option("Write only the plan, for you to edit; then run again.")

    @property
    def may_ask(self) -> bool:
        """Whether the user may be asked what to write where: files are written in place, with words for a reader."""
        from citeplug.related.zip_project import is_archive

        return self.insert and not (self.as_json or self.dry_run or self.diff or is_archive(self.main))


@command(
    "Example: citeplug related main.tex --offline --breadth 12 --insert",
    everyday=("insert", "online", "llm", "breadth", "diff"),
    not_shown=_SETTINGS,
)
def related(params: RelatedParams) -> None:
    """Write related.tex and related.bib: a source for every sentence.

    Further settings are explained in the citeplug.toml that 'citeplug init' writes.
    """
    from citeplug.related.job import Written, write_related
    from citeplug.related.write.stream_prose import Aloud
    from citeplug.related.zip_project import is_archive, need_no_archive, related_in_archive

    main, level = params.main, params.level
    if params.table and (params.plan_only or params.dry_run or params.diff or is_archive(main)):
        raise UsageError("--table needs a section that is written beside the draft", "run 'citeplug table' afterwards")
    if params.plan_only:
        _write_plan(params)
        return
    job = _job(params)
    if not is_archive(main):
        need_no_archive(job)
        if params.changed_only:
            raise UsageError("--changed-only needs a project in a zip", "leave it out")
    if params.may_ask:
        _ask_about_own_text(main, params.out, params.bib)
    changed: list[str] = []
    settings = params.settings_for(main)
    wanted = params.model(rehearse=params.dry_run, afresh=bool(params.only))
    with language_model(wanted, settings, sending.announce_model) as model:
        _need_model(params, has_model=model is not None)
        is_shown = model is not None and not params.dry_run and is_watched(level, params.as_json)
        aloud = Aloud(model, say_aloud) if model is not None and is_shown else None

        def make(job: "Job") -> Written:
            with params.progress() as reporter:

                def write(job: "Job") -> Written:
                    return write_related(
                        job,
                        settings,
                        online=params.online,
                        report=reporter.update,
                        announce=announce_query,
                        model=aloud or model,
                        begin=lambda options: sending.announce_cost(model, options, level),
                    )

                if not is_archive(main):
                    return write(job)
                written, changed[:] = related_in_archive(job, write, settings.home, changed_only=params.changed_only)
                return written

        try:
            done = make(job)
        except NameTaken as taken:
            if not (params.may_ask and _agrees(taken)):
                raise
            done = make(replace(job, out=job.out or taken.out, bib=job.bib or taken.bib))
        table = _make_table(params, settings, model) if params.table else None
    _show_written(params, done, model, changed, table, with_text=aloud is not None and aloud.heard)


def _make_table(
    params: RelatedParams, settings: "Settings", model: "CarefulModel | Rehearsal | None"
) -> "WrittenTable":
    from citeplug.positioning.table import make_table

    with params.progress() as reporter:
        return make_table(params.main, settings, reporter.update, model=model)


def _job(params: RelatedParams) -> "Job":
    from citeplug.related.tools import Job

    options = Options(
        replan=params.replan,
        plan_text=params.plan_text,
        summaries=bool(params.summaries),
        polish=params.polish is not False,
        as_published=params.as_published,
    )
    return Job(
        params.main,
        options,
        params.out,
        params.bib,
        params.overrides,
        insert=params.insert,
        force=params.force,
        dry_run=params.dry_run,
        diff=params.diff,
        only=params.only,
        further=params.further,
    )


def _need_model(params: RelatedParams, *, has_model: bool) -> None:
    """Raise UsageError for what only a model can do, where there is none."""
    if has_model:
        return
    for is_set, name in (
        (params.strategy is not None, "--strategy"),
        (params.summaries, "--summaries"),
        (params.polish, "--polish"),
    ):
        if is_set:
            raise UsageError(f"{name} needs a language model", "choose one with --llm")


def _show_written(
    params: RelatedParams,
    done: "Written",
    model: "CarefulModel | Rehearsal | None",
    changed: Sequence[str],
    table: "WrittenTable | None",
    *,
    with_text: bool,
) -> None:
    """Show the result; `changed` are the files of a project in a zip that are not as they were."""
    from citeplug.cli.commands_table import show_table_written, table_as_json
    from citeplug.cli.report import outcome_as_json, show_end, show_outcome, unfolded
    from citeplug.project.find_project import Project
    from citeplug.related.section.status import state_of
    from citeplug.related.zip_project import is_archive

    level, is_text = params.level, not (params.as_json or params.diff)
    if params.as_json:
        more = ({"diff": done.diff} if params.diff else {}) | ({"table": table_as_json(table)} if table else {})
        print_json(outcome_as_json(done) | more | sending.as_json(model))
    elif params.diff:
        show_unified(done.diff)
        if not done.diff and level >= 0:
            say("nothing would change", err=True)
    else:
        show_outcome(done, level, with_text=with_text)
        if table is not None:
            show_table_written(table, writes=True)
        sending.show(model, level)
    findings = [*done.outcome.findings, *(table.findings if table else ())]
    if is_text and level == 0:
        findings = list(filter(unfolded(done.outcome), findings))
    show_findings(findings, level if not params.as_json else level - 1)
    if not is_text or level < 0:
        return
    say()
    if not is_archive(params.main):
        project = Project(done.outcome.draft.root, done.targets)
        show_end(done, level, () if done.dry_run else state_of(project).next)
        return
    show_end(done, level)
    if not done.dry_run:
        what = "what changed" if params.changed_only else "the project with its section"
        say(f"wrote {what} to {params.out}")
        if shown := [name for name in changed if not name.startswith(".citeplug/") and "/.citeplug/" not in name]:
            say(f"on Overleaf, replace these files with the new ones: {', '.join(shown)}")


@command(
    "Example: citeplug plan main.tex --breadth 8, edit related.tex, then citeplug related main.tex",
    everyday=("online", "llm", "breadth", "dry_run", "force"),
)
def plan(params: RelatedParams) -> None:
    """Write only the plan, as comments in related.tex, for you to edit before the text is written."""
    _write_plan(params)


def _write_plan(params: RelatedParams) -> None:
    from citeplug.cli.report import plan_written_as_json, show_plan
    from citeplug.related.job import write_plan
    from citeplug.related.tools import Job

    if params.diff:
        raise UsageError("--diff does not work with a plan alone", "use --dry-run, which writes nothing either")
    options = Options(plan_text=params.plan_text, as_published=params.as_published)
    job = Job(
        params.main,
        options,
        params.out,
        None,
        params.overrides,
        force=params.force,
        dry_run=params.dry_run,
        further=params.further,
    )
    settings = params.settings_for(params.main)
    wanted = params.model(rehearse=params.dry_run)
    with language_model(wanted, settings, sending.announce_model) as model, params.progress() as reporter:
        made = write_plan(
            job, settings, online=params.online, report=reporter.update, announce=announce_query, model=model
        )
    if params.as_json:
        print_json(plan_written_as_json(made) | sending.as_json(model))
    else:
        show_plan(made, params.main, params.level)
        sending.show(model, params.level)
    show_findings(made.findings, params.level)
    if not (params.as_json or made.dry_run or params.level < 0):
        say_next(f"citeplug related {shlex.quote(str(params.main))}", "writes the text, once you have edited the plan")


@parameters
class DemoParams(Output):
    folder: Path = argument("[DIR]", default=Path("citeplug-demo"))


@command("Example: citeplug demo /tmp/citeplug-demo")
def demo(params: DemoParams) -> None:
    """Make an example project in DIR and write its section, offline.

    DIR is citeplug-demo unless you name another.
    """
    from citeplug.cli.report import outcome_as_json, show_demo
    from citeplug.demo import run_demo

    with params.progress() as reporter:
        done = run_demo(params.folder, report=reporter.update)
    if params.as_json:
        print_json(outcome_as_json(done.written))
    else:
        show_demo(done, params.level)


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
    missing = f"citeplug papers {shlex.quote(str(main))} --missing"
    say("beside it: write the section, and read it after yours", lead="  b  ", err=True)
    say("complete yours: write nothing, and list what the draft does not cite with", lead="  c  ", err=True)
    say((missing, "command"), lead="     ", err=True)
    say("leave it: write nothing", lead="  l  ", err=True)
    answer = click.prompt("Which", type=click.Choice(["b", "c", "l"]), default="b", err=True)
    if answer == "c":
        raise Cancelled("nothing was written", f"run '{missing}'")
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
