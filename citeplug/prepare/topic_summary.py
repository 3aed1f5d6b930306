"""What the prepared papers of a topic, or of a field that a model named, can answer."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import open_corpus
from citeplug.errors import UsageError
from citeplug.prepare.model_summaries import LABELS, label_name, standing, topic_name
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.store import PreparedStore, place
from citeplug.prepare.summary import LEAST, summarise
from citeplug.records.finding import Finding
from citeplug.records.prepared import FoundPair, ModelSummary, Prepared
from citeplug.records.topics import Topic
from citeplug.settings.environment import Settings
from citeplug.text.folding import fold_title


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A topic, or a label, with what its prepared papers answer; `questions` is None where there are too few of these.

    `topic` is None for a label; `prepared` counts the papers of which something was prepared from their present text.
    `by_model` is the summary that a model made, as far as what it rests on is still so; None if none did.
    """

    name: str
    topic: Topic | None
    prepared: int
    questions: tuple[FoundPair, ...] | None
    findings: tuple[Finding, ...] = ()
    by_model: ModelSummary | None = None


def summarise_topics(wanted: str, chosen: Settings) -> list[TopicSummary]:
    """Summaries of the topics that `wanted` means, else of the label of that name. Raises UsageError for neither."""
    with open_corpus(chosen) as corpus:
        try:
            topics = corpus.topics.choose([wanted])
            found: list[tuple[str, Topic | None, list[str]]] = [(t.name, t, _members(corpus, t)) for t in topics]
        except UsageError:
            labelled = _labelled(wanted, chosen)
            if not labelled:
                raise
            found = [(wanted, None, labelled)]
    if not place(chosen.home).is_file():
        return [_summary(name, topic, [], None) for name, topic, _ in found]
    with closing(PreparedStore(chosen.home)) as store:
        return [_of(store, name, topic, papers, chosen) for name, topic, papers in found]


def _of(store: PreparedStore, name: str, topic: Topic | None, papers: Sequence[str], chosen: Settings) -> TopicSummary:
    prepared = current(store, papers, chosen)
    vectors = question_vectors(store, prepared, chosen)
    found = _summary(name, topic, prepared, summarise(prepared, vectors))
    if found.questions is None:
        return found
    of = label_name(name) if topic is None else topic_name(topic)
    made = (standing(each, prepared) for each in store.summaries() if each.name == of)
    return replace(found, by_model=next((each for each in made if each.sentences), None))


def _summary(
    name: str, topic: Topic | None, prepared: Sequence[Prepared], questions: list[FoundPair] | None
) -> TopicSummary:
    papers = len({each.paper for each in prepared})
    if questions is not None:
        return TopicSummary(name, topic, papers, tuple(questions))
    asked = len({each.paper for each in prepared if each.pairs})
    message = f"no summary of “{name}”: {asked} of its papers have prepared questions, and {LEAST} are the fewest"
    fix = f"prepare more with 'citeplug prepare --topic \"{name}\"'" if topic is not None else "prepare more papers"
    return TopicSummary(name, topic, papers, None, (Finding("too_few_prepared", "info", message, fix=fix),))


def _members(corpus: Corpus, topic: Topic) -> list[str]:
    return sorted(corpus.topics.within([str(topic.number)]))


def _labelled(wanted: str, chosen: Settings) -> list[str]:
    """The papers to which a model gave this label."""
    if not place(chosen.home).is_file():
        return []
    with closing(PreparedStore(chosen.home)) as store:
        prepared = store.read(store.papers())
    labels = {
        each.paper
        for each in prepared
        for fact in each.facts
        if fact.kind in LABELS and fold_title(fact.value) == fold_title(wanted)
    }
    return sorted(labels)
