"""`citeplug related` and `citeplug plan`: read the draft, make the section, write the files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from pathlib import Path

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import Announce, Report, open_corpus
from citeplug.errors import BudgetReached, ChangedMeanwhile, ModelUnavailable, UsageError, WouldOverwrite
from citeplug.project.any_draft import is_latex, read_any_draft, root_of
from citeplug.project.author_files import as_tex_path, edited, one_at_a_time, read_exactly
from citeplug.project.find_project import need_own_section
from citeplug.project.provenance import PROVENANCE, read_provenance_file
from citeplug.project.section_targets import (
    Named,
    entries_beside,
    named_targets,
    need_free_names,
    seen_from_here,
    usual_or_written,
)
from citeplug.project.targets import Targets, insertion, targets
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, TextEdit, of_dry_run
from citeplug.records.outcome import GraphUse, Options, Outcome
from citeplug.records.paper import Query, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.provenance import Provenance, RecordedBlock
from citeplug.records.topics import Topic
from citeplug.related.draft_date import date_findings
from citeplug.related.named_papers import OpenCorpus, on_this_machine
from citeplug.related.options import options_for_run
from citeplug.related.plan_section import known_topics, topics_of_plan
from citeplug.related.progress import Progress
from citeplug.related.run import RunInputs, plan_papers, relate
from citeplug.related.section.files_before import Before, look, unchanged, with_draft
from citeplug.related.section.outcome_provenance import with_statuses
from citeplug.related.section.write_plan import deleted_blocks, guard_plan, write_plan_blocks
from citeplug.related.section.write_section import write_section
from citeplug.related.tools import Job, corpus_or, open_tools
from citeplug.settings.environment import Settings
from citeplug.text.three_way_merge import unified

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Written:
    """Result of a job. `files` are those of the section and of the draft that it is made of.

    `changed` are those of them whose bytes changed, or all in a dry run. `diff` is the unified diff of them if the job
    asks for it, without citeplug's own record.
    """

    outcome: Outcome
    targets: Targets
    files: tuple[Path, ...]
    dry_run: bool
    changed: tuple[Path, ...]
    diff: str = ""


@dataclass(frozen=True, slots=True)
class PlanWritten:
    """A plan, and the file it was written to, or would have been; `topics` are by paragraph, as of `topics_of_plan`."""

    tex: Path
    plan: Plan
    findings: tuple[Finding, ...]
    dry_run: bool
    topics: Mapping[str, Topic] = field(default_factory=dict)
    shortlist: tuple[Shortlisted, ...] = ()
    graph: GraphUse | None = None
    left_out: tuple[Shortlisted, ...] = ()
    queries: tuple[Query, ...] = ()


def write_related(
    job: Job,
    settings: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None = None,
    model: LanguageModel | None = None,
    corpus: Corpus | None = None,
    begin: Callable[[Options], None] | None = None,
) -> Written:
    """Read the draft, make the section, write it. Nothing is written before everything has been made.

    `announce` is called with each search query before it is sent to arXiv. `model` writes the section's prose. `corpus`
    is one that the caller has opened and will close.
    `begin` is called with the options of the run before anything is asked for.
    """
    for attempt in range(_ATTEMPTS):
        written = _attempt(
            job,
            settings,
            online=online,
            report=report,
            announce=announce,
            model=model,
            corpus=corpus,
            begin=begin if attempt == 0 else None,
        )
        if written is not None:
            return written
        report(f"the files were changed in the meantime: again ({attempt + 2})", 0, None)
    raise WouldOverwrite(
        "the project's files keep changing; nothing was written", "run it again when nobody is saving them"
    )


def _attempt(
    job: Job,
    settings: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None,
    model: LanguageModel | None,
    corpus: Corpus | None,
    begin: Callable[[Options], None] | None,
) -> Written | None:
    """Do one run from the start; return None if the author or another process changed files during it."""
    report("read the draft", 0, None)
    root = root_of(job.main)
    if job.insert and not is_latex(root):
        raise UsageError(f"--insert has no place in {root.name}", "leave it out, and \\input the section yourself")
    recorded = read_provenance_file(root.parent / PROVENANCE)
    where, named = _places(job, root, recorded.record, "related")
    draft = _read(root, where)
    options, doubts = _options(job, draft, partial(corpus_or, corpus, settings), with_model=model is not None)
    replan = job.options.replan or job.options.plan_text is not None
    if job.only and replan:
        raise UsageError(
            "a paragraph named by --only follows the plan in related.tex", "change that plan, or leave out --only"
        )
    if begin is not None:
        begin(options)
    before = look(where, recorded, replan=replan, force=job.force, only=job.only)
    # A plan in the document and pinned papers would add paragraphs.
    wanted = replace(options, plan=None, pin=()) if job.only else options
    # A plan in the document takes the place of one that citeplug made.
    current = replace(before.current, replan=True) if wanted.plan is not None else before.current
    with open_tools(settings, online, announce, model, corpus, job.embed_seconds, job.further) as tools:
        outcome = relate(
            RunInputs(
                draft,
                wanted,
                tools,
                before=options.before or date.today(),
                today=date.today(),
                progress=Progress(report),
                current=current,
                shelf=before.shelf,
            )
        )
        if not (job.dry_run or job.diff):
            tools.keep(outcome.papers)
    if job.wholly_by_model:
        _check_model(outcome.findings)
    outcome = with_statuses(outcome, before.record)
    doubts += date_findings(draft, options, outcome.papers.values())
    outcome = replace(outcome, options=options, findings=(*named.findings, *doubts, *outcome.findings))
    if job.only and model is None and outcome.tex_content == before.texts.get(where.tex):
        outcome = replace(outcome, findings=(*outcome.findings, _nothing_else(where.tex, job.only)))
    if job.dry_run and model is not None:
        outcome = replace(outcome, findings=of_dry_run(outcome.findings))
    edits: Sequence[TextEdit] = ()
    if job.insert:
        # The author may have saved since: places are looked for in the draft as it is now.
        before = with_draft(before, draft)
        draft = _read(root, where)
        if set(draft.files) != set(outcome.draft.files) or not unchanged(before):
            return None
        edits, unsure = insertion(draft, where)
        outcome = replace(outcome, findings=(*outcome.findings, *unsure))
    own = [where.bib, where.tex, where.provenance, where.tex_record(draft)]
    files = (*filter(None, own), *dict.fromkeys(edit.file for edit in edits))
    if job.diff:
        return Written(outcome, where, files, True, files, _difference(outcome, where, edits, before))
    changed = files
    if not job.dry_run:
        with one_at_a_time(settings.home, root):
            if not unchanged(before):
                return None
            try:
                written = write_section(outcome, where, edits, before)
            except ChangedMeanwhile:
                return None
        changed = tuple(file for file in files if file in written)
    return Written(outcome, where, files, job.dry_run, changed)


def _nothing_else(section: Path, only: Sequence[str]) -> Finding:
    """The finding that a paragraph that was asked for anew came out as it was."""
    which = "this paragraph" if len(only) == 1 else "these paragraphs"
    message = (
        f"nothing else can be written for {which} without a language model: the same plan gives the same"
        " sentences from the same abstracts"
    )
    fix = "change the plan above it, or pin or exclude papers; or name a language model with --llm"
    return Finding("nothing_else_to_write", "info", message, section, fix=fix)


def _check_model(findings: Sequence[Finding]) -> None:
    """Raise BudgetReached or ModelUnavailable if a run continued without its model."""
    for finding in findings:
        if finding.code in ("budget_reached", "model_unavailable"):
            raise (BudgetReached if "budget" in finding.code else ModelUnavailable)(finding.message, finding.fix or "")


def _difference(outcome: Outcome, where: Targets, edits: Sequence[TextEdit], before: Before) -> str:
    """A unified diff of the entries, the section and the draft's files."""
    after = {where.bib: outcome.bib_content, where.tex: outcome.tex_content}
    texts = dict(before.texts)
    for file in dict.fromkeys(edit.file for edit in edits):
        texts[file], _ = read_exactly(file)
        after[file] = edited(texts[file], [edit for edit in edits if edit.file == file])
    folder = outcome.draft.root.parent
    return "".join(unified(texts.get(file, ""), new, as_tex_path(file, folder)) for file, new in after.items())


def write_plan(
    job: Job,
    settings: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None = None,
    model: LanguageModel | None = None,
) -> PlanWritten:
    """Write only the plan blocks. `model` proposes the plan if the author gave none in words."""
    root = root_of(job.main)
    recorded = read_provenance_file(root.parent / PROVENANCE)
    where, named = _places(job, root, recorded.record, "plan")
    draft = _read(root, where)
    options, doubts = _options(job, draft, partial(open_corpus, settings), with_model=model is not None)
    if not job.dry_run:
        guard_plan(where, recorded, job.force)
    gone = () if job.force else deleted_blocks(where, recorded.record)
    with open_tools(settings, online, announce, model, further=job.further) as tools:
        progress = Progress(report)
        planning = plan_papers(
            RunInputs(
                draft,
                _without(options, gone),
                tools,
                before=options.before or date.today(),
                today=date.today(),
                progress=progress,
            )
        )
        known = known_topics(sorted(planning.verified.papers), tools.topics)
        if not job.dry_run:
            tools.keep(planning.verified.papers)
    plan, chosen_papers = planning.plan, (planning.shortlist, planning.graph, planning.left_out, planning.queries)
    doubts += date_findings(draft, options, planning.verified.papers.values())
    findings = [*named.findings, *doubts, *planning.findings]
    if tools.model is not None and not planning.planned.authored:
        from citeplug.related.write.compose import propose  # imported here: only needed with a model

        with progress.stage("prompted plan", tools.model):
            plan, further = propose(plan, draft, planning.verified, tools.model, options)
        findings += further
    topics = topics_of_plan(plan, known)
    if job.dry_run:
        return PlanWritten(where.tex, plan, (*of_dry_run(findings), *draft.findings), True, topics, *chosen_papers)
    with one_at_a_time(settings.home, root):
        # Another run may have written since: the record is read again.
        before = guard_plan(where, read_provenance_file(where.provenance), job.force)
        write_plan_blocks(plan, root, where, before, gone, force=job.force)
    return PlanWritten(where.tex, plan, (*findings, *draft.findings), False, topics, *chosen_papers)


def _without(options: Options, gone: Sequence[RecordedBlock]) -> Options:
    """The options with the papers of deleted paragraphs excluded, save those that the author names in another way."""
    if options.plan is not None or options.plan_text is not None:
        return options
    papers = (paper for paragraph in gone for paper in paragraph.papers if paper not in options.pin)
    return replace(options, exclude=tuple(dict.fromkeys((*options.exclude, *papers))))


def _places(job: Job, root: Path, record: Provenance, command: str) -> tuple[Targets, Named]:
    """Where it is written. Raises WouldOverwrite where that is another draft's, or a file of the author's, unnamed."""
    need_own_section(root, record)
    stated, written = named_targets(root), record.written
    named = stated if job.given is not None else Named()
    out = job.out or named.out or usual_or_written(root, written, ".tex")
    beside = entries_beside(job.out, root, written) if job.out is not None else None
    bib = job.bib or named.bib or beside or usual_or_written(root, written, ".bib")
    where = targets(root, out, bib)
    if not job.force:
        # Without `given`, `job.bib` was chosen by the watcher or an editor, not by the user.
        wanted = command == "related" and not stated.bib and (job.bib is None or job.given is None)
        more = ["--insert"] if job.insert else []
        more += ["--out", seen_from_here(job.out)] if job.out is not None else []
        need_free_names(root, written, where.tex, where.bib if wanted else None, command, more)
    return where, named


def _options(job: Job, draft: Draft, opened: OpenCorpus, *, with_model: bool) -> tuple[Options, list[Finding]]:
    if job.given is not None:
        return options_for_run(job.options, job.given, draft, with_model=with_model, open_corpus=opened)
    pin, exclude = job.options.pin, job.options.exclude
    known = on_this_machine((*pin, *exclude), draft, opened)
    pin, exclude = (tuple(known.get(name, name) for name in names) for names in (pin, exclude))
    return replace(job.options, pin=pin, exclude=exclude), []


def _read(root: Path, where: Targets) -> Draft:
    """The draft without citeplug's own files: what was generated is no evidence of what the author wants."""
    return read_any_draft(root, skip=(where.tex, where.bib))
