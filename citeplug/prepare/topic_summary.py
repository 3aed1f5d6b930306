"""The prepared papers of a topic, or of a field that a model named, and what they can answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import UsageError
from citeplug.prepare.checks import LABELS
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.store import PreparedStore, open_prepared
from citeplug.prepare.summary import LEAST, summarise
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId
from citeplug.records.prepared import FoundPair, Prepared
from citeplug.records.topics import Topic
from citeplug.related.paper_sets import PaperSet, resolve_papers
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A topic, or a label, with what its prepared papers answer; `questions` is None where there are too few of these.

    `topic` is None for a label; `prepared` counts the papers of which something was prepared from their present text.
    """

    name: str
    topic: Topic | None
    prepared: int
    questions: tuple[FoundPair, ...] | None
    findings: tuple[Finding, ...] = ()


def summarise_topics(wanted: str, settings: Settings) -> list[TopicSummary]:
    """Summaries of the topics that `wanted` means, else of the label of that name. Raises UsageError for neither."""
    with open_prepared(settings.corpus_home) as store:
        try:
            with open_corpus(settings) as corpus:
                topics = corpus.topics.choose([wanted])
                members = [sorted(corpus.topics.within([str(topic.number)])) for topic in topics]
        except UsageError:
            labelled = _labelled(wanted, store) if store is not None else []
            if not labelled:
                raise
            return [_summary(wanted, None, labelled, store, settings)]
        return [
            _summary(topic.name, topic, papers, store, settings) for topic, papers in zip(topics, members, strict=True)
        ]


def papers_of(wanted: str, settings: Settings, report: Report) -> list[ArxivId]:
    """The papers of the topics that `wanted` means, the newest first, else of the label of that name.

    Raises UsageError for neither.
    """
    try:
        return resolve_papers(PaperSet(topics=(wanted,)), settings, report)
    except UsageError:
        with open_prepared(settings.corpus_home) as store:
            labelled = _labelled(wanted, store) if store is not None else []
        if not labelled:
            raise
        return [ArxivId(value) for value in labelled]


def _summary(
    name: str, topic: Topic | None, papers: Sequence[str], store: PreparedStore | None, settings: Settings
) -> TopicSummary:
    prepared: list[Prepared] = []
    questions = None
    if store is not None:
        prepared = current(store, papers, settings)
        questions = summarise(prepared, question_vectors(store, prepared, settings))
    count = len({paper.paper for paper in prepared})
    if store is None or questions is None:
        with_questions = len({paper.paper for paper in prepared if paper.pairs})
        message = f"no summary of “{name}”: {with_questions} of its papers have prepared questions, and at least {LEAST} are needed"
        fix = f"prepare more with 'citeplug prepare --topic \"{name}\"'" if topic is not None else "prepare more papers"
        return TopicSummary(name, topic, count, None, (Finding("too_few_prepared", "info", message, fix=fix),))
    return TopicSummary(name, topic, count, tuple(questions))


def _labelled(wanted: str, store: PreparedStore) -> list[str]:
    """The papers to which a model gave this label."""
    return sorted(
        {
            paper.paper
            for paper in store.read(store.papers())
            for fact in paper.facts
            if fact.kind in LABELS and fold_title(fact.value) == fold_title(wanted)
        }
    )
