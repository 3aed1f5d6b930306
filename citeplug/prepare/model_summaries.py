"""Summaries by a model of what the topics and fields of prepared papers know; made once, and kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import CiteplugError
from citeplug.prepare.by_model.asking import AT_ONCE
from citeplug.prepare.by_model.summary import MOST_SHOWN, shown_digest, summaries_by_model
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.store import PreparedStore
from citeplug.prepare.summary import representative
from citeplug.protocols import LanguageModel
from citeplug.records.prepared import FoundPair, ModelSummary, Prepared
from citeplug.records.topics import Topic
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title

LABELS = ("field", "application")  # kinds of facts by which a model groups papers


@dataclass(slots=True)
class Summarised:
    """Result for the topics and fields of some papers: `made` now, `kept` from before, `left` without an answer.

    `too_few` are the names of those of which fewer than five papers have questions. `trouble` ended the asking.
    """

    made: int = 0
    kept: int = 0
    left: int = 0
    too_few: list[str] = field(default_factory=list)
    trouble: CiteplugError | None = None


def topic_name(topic: Topic) -> str:
    """The name under which the summary of a topic is kept."""
    return f"topic: {topic.name}"


def label_name(value: str) -> str:
    """The name under which the summary of a label is kept."""
    return f"label: {fold_title(value)}"


def standing(summary: ModelSummary, prepared: Iterable[Prepared]) -> ModelSummary:
    """The summary with those sentences all of whose sources are still prepared so."""
    now = {(made.paper, pair) for made in prepared for pair in made.pairs}
    kept = tuple(
        each for each in summary.sentences if all((source.paper, source.pair) in now for source in each.sources)
    )
    return replace(summary, sentences=kept)


def summarise_sets(
    papers: Sequence[str], store: PreparedStore, chosen: Settings, model: LanguageModel, made_by: str, report: Report
) -> Summarised:
    """Have a model summarise each topic and each field of these papers, from all prepared papers of the same.

    A summary whose questions have not changed since `made_by` made it is left as it is. Each is kept as soon as it is
    made; an outage or a budget that is used up ends the asking.
    """
    done = Summarised()
    due: list[tuple[str, list[FoundPair]]] = []
    known = {each.name: each.digest for each in store.summaries() if each.made_by == made_by}
    for name, members in _sets(papers, store, chosen).items():
        prepared = current(store, members, chosen)
        shown = representative(prepared, question_vectors(store, prepared, chosen), MOST_SHOWN)
        if shown is None:
            done.too_few.append(name)
        elif known.get(name) == shown_digest(shown):
            done.kept += 1
        else:
            due.append((name, shown))
    for start in range(0, len(due), AT_ONCE):
        report("summarise topics", start, len(due))
        part = due[start : start + AT_ONCE]
        if done.trouble is not None:
            done.left += len(part)
            continue
        for made in summaries_by_model(part, model):
            if isinstance(made, ModelSummary):
                store.put_summary(made)
                done.made += 1
            else:
                done.left += 1
                done.trouble = done.trouble or made
    return done


def _sets(papers: Sequence[str], store: PreparedStore, chosen: Settings) -> dict[str, list[str]]:
    """The topics and labels of these papers, each with all prepared papers that have it."""
    prepared = store.read(store.papers())
    with open_corpus(chosen) as corpus:
        topics = corpus.topics.of([each.paper for each in prepared])
    sets: dict[str, dict[str, None]] = {}
    for made in prepared:
        names = [label_name(fact.value) for fact in made.facts if fact.kind in LABELS]
        if made.paper in topics:
            names.append(topic_name(topics[made.paper]))
        for name in names:
            sets.setdefault(name, {})[made.paper] = None
    wanted = set(papers)
    return {name: sorted(members) for name, members in sorted(sets.items()) if wanted & members.keys()}
