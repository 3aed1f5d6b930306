"""Prepared knowledge of a set of papers: made once, paper by paper, by a model or without one, and kept."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from citeplug.corpus.locking import one_job
from citeplug.corpus.stores import Report, need_models
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.corpus.vectors.text_vectors import KeptVectors
from citeplug.errors import BudgetReached, CiteplugError, NotSent
from citeplug.llm.dry_run import Rehearsal
from citeplug.llm.guarded import CarefulModel
from citeplug.prepare.asking import AT_ONCE, unreadable
from citeplug.prepare.by_model import Failed, prepare_by_model
from citeplug.prepare.facts import find_facts
from citeplug.prepare.paper_sources import Sources, read_sources
from citeplug.prepare.questions import make_pairs
from citeplug.prepare.store import PATTERNS, PreparedStore, open_prepared
from citeplug.records.finding import Finding, model_unavailable, without_text
from citeplug.records.paper import Paper, shown_id
from citeplug.records.prepared import PaperSource, Prepared
from citeplug.related.paper_sets import PaperSet, resolve_papers
from citeplug.settings.environment import Settings

_GET = "'citeplug fetch' gets full texts, 'citeplug index add' records"
_AT_ONCE = 512  # questions that are embedded between two reports
Model = CarefulModel | Rehearsal


@dataclass(slots=True)
class Preparation:
    """What was done for a set of papers: `made` now, `kept` from before, `missing` those without a text here.

    `by_model` counts the papers that a model prepared now, `left` those that it was to prepare and did not.
    `prepared` is all that the set has now of its present texts; empty after a dry run. `trouble` ended the asking.
    """

    made: int = 0
    kept: int = 0
    by_model: int = 0
    left: int = 0
    missing: list[str] = field(default_factory=list)
    prepared: list[Prepared] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    trouble: CiteplugError | None = None

    @property
    def questions(self) -> int:
        return sum(len(paper.pairs) for paper in self.prepared)

    @property
    def facts(self) -> dict[str, int]:
        """The number of fields by kind."""
        return dict(Counter(fact.kind for paper in self.prepared for fact in paper.facts))

    @property
    def dropped(self) -> dict[str, int]:
        """What models said of the set and was not kept, by reason."""
        total: Counter[str] = Counter()
        for paper in self.prepared:
            total.update(paper.dropped)
        return dict(total)

    @property
    def over_budget(self) -> bool:
        return isinstance(self.trouble, BudgetReached)


def prepare(
    wanted: PaperSet, settings: Settings, report: Report, *, model: Model | None = None, dry_run: bool = False
) -> Preparation:
    """Prepare a set of papers, each kept as soon as it is made; those whose text has not changed are left as they are.

    A `model` prepares each paper beside the patterns. An outage or a budget that is used up ends its asking, and what
    was made is kept. With `dry_run` nothing is made or written; a rehearsal lists what would be asked.

    Raises UsageError as `resolve_papers`, StoreBusy if another process prepares, ModelUnavailable without an embedder.
    """
    papers = resolve_papers(wanted, settings, report)
    sources = read_sources(papers, settings)
    done = Preparation()
    if dry_run:
        with open_prepared(settings.corpus_home) as store:
            for source, _, due in _due_sources(sources, store, model, done):
                if model is not None and model.named("summaries") in due:
                    done.by_model += 1
                    list(prepare_by_model([source], model))  # a rehearsal only lists it
    else:
        need_models(settings)
        with (
            one_job(settings.corpus_home / "prepared", "preparing", "prepare.lock", "preparing papers"),
            closing(PreparedStore(settings.corpus_home)) as store,
        ):
            _prepare_all(len(papers), sources, store, settings, model, report, done)
    done.findings += _findings(done)
    return done


def _due_sources(
    sources: Sources, store: PreparedStore | None, model: Model | None, done: Preparation
) -> Iterator[tuple[PaperSource, Paper, list[str]]]:
    """Each paper that has a text, and by whom it is to be prepared: by patterns, by the model."""
    makers = [PATTERNS] if model is None else [PATTERNS, model.named("summaries")]
    for value, texts in sources:
        if texts is None:
            done.missing.append(value)
            continue
        source, paper = texts
        due = [maker for maker in makers if store is None or not store.is_current(value, source.digest, maker)]
        done.made += bool(due)
        done.kept += not due
        yield source, paper, due


def _prepare_all(
    papers: int,
    sources: Sources,
    store: PreparedStore,
    settings: Settings,
    model: Model | None,
    report: Report,
    done: Preparation,
) -> None:
    digests: dict[str, str] = {}
    waiting: list[PaperSource] = []
    try:
        for source, paper, due in _due_sources(sources, store, model, done):
            report("prepare papers", len(digests) + len(done.missing), papers)
            digests[source.paper] = source.digest
            if PATTERNS in due:
                store.put(prepare_by_patterns(source, paper))
            if model is not None and model.named("summaries") in due:
                waiting.append(source)
            if model is not None and len(waiting) == AT_ONCE:
                _ask(waiting, model, store, done)
        if model is not None:
            _ask(waiting, model, store, done)
    finally:
        done.prepared = [paper for paper in store.read(list(digests)) if paper.digest == digests[paper.paper]]
    _embed(store, [pair.question for paper in done.prepared for pair in paper.pairs], settings, report)


def _ask(waiting: list[PaperSource], model: Model, store: PreparedStore, done: Preparation) -> None:
    """Have a model prepare the papers that wait, unless it failed before."""
    if done.trouble is not None:
        done.left += len(waiting)
    else:
        for result in prepare_by_model(waiting, model):
            if isinstance(result, Failed):
                done.left += 1
                done.trouble = done.trouble or result.error
            else:
                store.put(result)
                done.by_model += 1
    waiting.clear()


def _embed(store: PreparedStore, questions: Sequence[str], settings: Settings, report: Report) -> None:
    """Compute the vectors that these questions lack."""
    vectors = KeptVectors(store.database, open_embedder(settings.embedder, settings.device))
    for start in range(0, len(questions), _AT_ONCE):
        report("embed questions", start, len(questions))
        vectors.of(questions[start : start + _AT_ONCE])


def _findings(done: Preparation) -> Iterator[Finding]:
    if done.missing:
        yield without_text([shown_id(value) for value in done.missing], "prepared", _GET)
    if done.trouble is not None and not isinstance(done.trouble, NotSent):
        left = f"papers that the model did not prepare: {done.left:,}; what was made is kept"
        yield model_unavailable(done.trouble, left)
    elif done.left:
        yield unreadable(f"the model's answers for {done.left:,} papers could not be read")


def prepare_by_patterns(source: PaperSource, paper: Paper) -> Prepared:
    """Fields and questions of a paper in its own words. `paper` has the abstract of `source`."""
    facts, pairs = find_facts(source), make_pairs(source, paper)
    return Prepared(source.paper, source.title, source.version, source.of, source.digest, PATTERNS, facts, pairs)
