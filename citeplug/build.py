"""Puts the parts together: settings, corpus, arXiv, the author's files. Faces call this, and nothing below it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from citeplug import delivery, pipeline
from citeplug.adapters.arxiv import ArxivSource
from citeplug.adapters.chroma import ChromaStore
from citeplug.adapters.embedders import open_embedder
from citeplug.corpus.index import Corpus
from citeplug.errors import CorpusEmpty, SourceUnavailable, UsageError
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options, Outcome
from citeplug.records.paper import Candidate, Filter
from citeplug.records.review import Finding, Plan, TextEdit
from citeplug.references import Lookup, source_unavailable
from citeplug.retrieve.candidates import ask_source
from citeplug.retrieve.candidates import search as search_index
from citeplug.settings import Settings, read_settings
from citeplug.tex.insert import insertion_edits
from citeplug.tex.project import find_root, read_draft

Report = Callable[[str, int, int | None], None]
Announce = Callable[[str], None]


def settings(*, offline: bool = False, online: bool = False, embedder: str | None = None) -> Settings:
    """Settings from the environment and the command line. Raises UsageError on a contradiction."""
    read = read_settings()
    if online and (offline or read.offline):
        raise UsageError("--online and --offline contradict each other", "leave one out; CITEPLUG_OFFLINE counts too")
    return replace(read, offline=read.offline or offline, embedder=embedder or read.embedder)


@contextmanager
def open_corpus(chosen: Settings, home: Path | None = None) -> Iterator[Corpus]:
    """The corpus of this user; nothing heavy is loaded before it is needed."""
    place = home or chosen.home
    corpus = Corpus(
        place,
        embedder=lambda: open_embedder(chosen.embedder, chosen.home),
        store=lambda model: ChromaStore(place, model, chosen.chroma_url),
    )
    try:
        yield corpus
    finally:
        corpus.close()


@dataclass(frozen=True, slots=True)
class Job:
    """One `citeplug related` or `citeplug plan`, as the user asked for it."""

    main: Path
    options: Options
    out: Path | None = None
    bib: Path | None = None
    before: date | None = None
    insert: bool = False
    force: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What a job did. `files` are those that were written, or would have been in a dry run."""

    outcome: Outcome
    targets: delivery.Targets
    files: tuple[Path, ...]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class PlanWritten:
    tex: Path
    plan: Plan
    findings: tuple[Finding, ...]


def write_related(
    job: Job,
    chosen: Settings,
    *,
    online: bool,
    report: Report,
    announce: Announce | None = None,
    home: Path | None = None,
) -> Written:
    """Read the draft, make the section, write it. Nothing is written before everything has been made.

    `announce` is given each search query before it is sent to arXiv.
    """
    report("read the draft", 0, None)
    root = find_root(job.main)
    where = delivery.targets(root, job.out, job.bib)
    draft = _read(root, where)
    known = delivery.read_provenance(where.provenance)
    if not job.dry_run:
        delivery.guard(where, known, job.force)
    with _tools(chosen, online, home, announce) as tools:
        outcome = pipeline.relate(
            draft,
            replace(job.options, tex_name=where.tex.name, bib_name=where.bib.name),
            tools,
            before=job.before or date.today(),
            today=date.today(),
            planned=delivery.planned(where.tex, known, job.options.replan),
            report=report,
        )
    edits = _insertion(draft, where) if job.insert else []
    files = (where.bib, where.tex, where.provenance, *dict.fromkeys(edit.file for edit in edits))
    if not job.dry_run:
        delivery.deliver(outcome, where, edits, known, force=job.force)
    return Written(outcome, where, files, job.dry_run)


def write_plan(
    job: Job, chosen: Settings, *, online: bool, report: Report, announce: Announce | None = None
) -> PlanWritten:
    """Write only the plan blocks."""
    root = find_root(job.main)
    where = delivery.targets(root, job.out, None)
    draft = _read(root, where)
    delivery.guard(where, delivery.read_provenance(where.provenance), job.force)
    with _tools(chosen, online, None, announce) as tools:
        run = pipeline.Run(report)
        plan, _, _ = pipeline.plan_section(
            draft, job.options, tools, before=job.before or date.today(), planned=None, run=run
        )
    delivery.deliver_plan(plan, where, force=job.force)
    return PlanWritten(where.tex, plan, (*run.findings, *draft.findings))


def _read(root: Path, where: delivery.Targets) -> Draft:
    """The draft without citeplug's own files: what was generated is no evidence of what the author wants."""
    return read_draft(root, skip=(where.tex, where.bib))


def _insertion(draft: Draft, where: delivery.Targets) -> Sequence[TextEdit]:
    texts = {file: delivery.read_exactly(file)[0] for file in (draft.root.parent / name for name in draft.files)}
    folder = draft.root.parent
    return insertion_edits(
        draft, texts, delivery.as_tex_path(where.tex, folder), delivery.as_tex_path(where.bib, folder)
    )


@contextmanager
def _tools(chosen: Settings, online: bool, home: Path | None, announce: Announce | None) -> Iterator[pipeline.Tools]:
    with open_corpus(chosen, home) as corpus:
        if not corpus.records and not online:
            raise CorpusEmpty(
                "the catalogue on this machine is empty",
                "take in arXiv's metadata with 'citeplug index add FILE', or search arXiv itself with --online",
            )
        source = None if chosen.offline else ArxivSource(chosen, announce=announce)
        lookup = Lookup(corpus, source, corpus.covers_month, corpus.complete_for)
        yield pipeline.Tools(corpus, lookup, source if online else None)


@dataclass(frozen=True, slots=True)
class Question:
    """One search. `wait`: embed every candidate, instead of those that fit two seconds."""

    text: str
    count: int
    before: date | None
    categories: tuple[str, ...]
    exclude: frozenset[str]
    wait: bool


@dataclass(slots=True)
class Searcher:
    """Answers questions from one open corpus; what went wrong on the way is in `findings`."""

    corpus: Corpus
    source: ArxivSource | None
    findings: list[Finding] = field(default_factory=list)

    def search(self, asked: Question, report: Report) -> list[Candidate]:
        """At most `count` candidates, best first."""
        where = Filter(asked.before, asked.categories, asked.exclude)
        found = []
        if self.source is not None:
            try:
                found = ask_source(asked.text, self.source, asked.count, asked.before)
            except SourceUnavailable as error:
                if not self.corpus.records:
                    raise
                self.findings.append(source_unavailable(error, "only the local catalogue was searched"))
        return search_index(
            asked.text,
            self.corpus,
            where,
            asked.count,
            found=found,
            seconds=None if asked.wait else 2.0,
            on_progress=lambda done, total: report("embed", done, total),
        )


@contextmanager
def open_searcher(chosen: Settings, *, online: bool, announce: Announce | None = None) -> Iterator[Searcher]:
    """A searcher over the user's corpus. Raises CorpusEmpty if there is nothing to search in."""
    with open_corpus(chosen) as corpus:
        if not corpus.records and not online:
            raise CorpusEmpty(
                "the catalogue on this machine is empty",
                "take in arXiv's metadata with 'citeplug index add FILE', or search arXiv itself with --online",
            )
        yield Searcher(corpus, ArxivSource(chosen, announce=announce) if online else None)
