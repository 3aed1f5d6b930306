"""Prepared knowledge of a set of papers: made once, paper by paper, and kept."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field

from citeplug.adapters.embedders import open_embedder
from citeplug.corpus.locking import one_job
from citeplug.prepare.by_patterns import prepare_by_patterns
from citeplug.prepare.store import PATTERNS, PreparedStore, place
from citeplug.records.finding import Finding
from citeplug.records.paper import shown_id
from citeplug.records.prepared import Prepared
from citeplug.settings.environment import Settings
from citeplug.usecases.kept_vectors import KeptVectors
from citeplug.usecases.paper_sets import PaperSet, resolve_papers
from citeplug.usecases.paper_sources import Sources, read_sources
from citeplug.usecases.stores import Report, need_models

_NAMED = 5  # papers in a message
_GET = "get texts with 'citeplug fetch', or records with 'citeplug index add'"
_AT_ONCE = 512  # questions that are embedded between two reports


@dataclass(slots=True)
class Preparation:
    """What was done for a set of papers: `made` now, `kept` from before, `missing` those without a text here.

    `prepared` is all that the set has now; empty after a dry run.
    """

    made: int = 0
    kept: int = 0
    missing: list[str] = field(default_factory=list)
    prepared: list[Prepared] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def questions(self) -> int:
        return sum(len(each.pairs) for each in self.prepared)

    @property
    def facts(self) -> dict[str, int]:
        """The number of fields by kind."""
        return dict(Counter(fact.kind for each in self.prepared for fact in each.facts))


@contextmanager
def open_prepared(chosen: Settings) -> Iterator[PreparedStore]:
    """Open what was prepared. Raises StoreBroken."""
    with closing(PreparedStore(chosen.home)) as store:
        yield store


def prepare(wanted: PaperSet, chosen: Settings, report: Report, *, dry_run: bool = False) -> Preparation:
    """Prepare a set of papers, each kept as soon as it is made; those whose text has not changed are left as they are.

    With `dry_run` nothing is made or written. Raises UsageError as `resolve_papers`, StoreBusy if another process
    prepares, ModelUnavailable.
    """
    papers = resolve_papers(wanted, chosen, report)
    done = Preparation()
    if dry_run:
        _count(read_sources(papers, chosen), chosen, done)
    else:
        need_models(chosen)
        with one_job(chosen.home / "prepared", "preparing", "prepare.lock", "preparing papers"):
            _prepare_all([paper.value for paper in papers], read_sources(papers, chosen), chosen, report, done)
    if done.missing:
        done.findings.append(_missing(done.missing))
    return done


def _count(sources: Sources, chosen: Settings, done: Preparation) -> None:
    """Count what would be made, without a file of what was prepared where there is none."""
    with ExitStack() as stack:
        store = stack.enter_context(open_prepared(chosen)) if place(chosen.home).is_file() else None
        for value, found in sources:
            if found is None:
                done.missing.append(value)
            elif store is not None and store.is_current(value, found[0].digest, PATTERNS):
                done.kept += 1
            else:
                done.made += 1


def _prepare_all(papers: Sequence[str], sources: Sources, chosen: Settings, report: Report, done: Preparation) -> None:
    with open_prepared(chosen) as store:
        for number, (value, found) in enumerate(sources):
            report("prepare papers", number, len(papers))
            if found is None:
                done.missing.append(value)
            elif store.is_current(value, found[0].digest, PATTERNS):
                done.kept += 1
            else:
                store.put(prepare_by_patterns(*found))
                done.made += 1
        gone = set(done.missing)
        done.prepared = store.read([value for value in papers if value not in gone])
        _embed(store, [pair.question for each in done.prepared for pair in each.pairs], chosen, report)


def _embed(store: PreparedStore, questions: Sequence[str], chosen: Settings, report: Report) -> None:
    """Compute the vectors that these questions lack."""
    vectors = KeptVectors(store.database, open_embedder(chosen.embedder, chosen.home, chosen.device))
    for start in range(0, len(questions), _AT_ONCE):
        report("embed questions", start, len(questions))
        vectors.of(questions[start : start + _AT_ONCE])


def _missing(papers: Sequence[str]) -> Finding:
    named = ", ".join(shown_id(each) for each in papers[:_NAMED])
    more = f" and {len(papers) - _NAMED:,} more" if papers[_NAMED:] else ""
    message = f"not prepared, for neither text nor abstract is on this machine: {named}{more}"
    return Finding("full_text_missing", "warning", message, fix=_GET)
