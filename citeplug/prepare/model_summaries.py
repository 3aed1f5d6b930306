"""Summaries by a model of what the topics and fields of prepared papers know (Meta Knowledge for RAG, section 3.3).

The paper prints no prompt for it. Here each sentence names the questions that it rests on, and is dropped where these
lack one of its numbers, names or links. Each summary is made once, and kept.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from citeplug.corpus.stores import Report, open_corpus
from citeplug.errors import CiteplugError
from citeplug.prepare.asking import AT_ONCE, NUMBER, TEXT, ask_readable, items_of, text_of
from citeplug.prepare.checks import LABELS, LINK
from citeplug.prepare.paper_sources import current, question_vectors
from citeplug.prepare.questions import stems
from citeplug.prepare.store import PreparedStore
from citeplug.prepare.summary import representative
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Reply, Request
from citeplug.records.prepared import FoundPair, ModelSummary, Prepared, SummarySentence
from citeplug.records.topics import Topic
from citeplug.related.attribute.claims import unsourced
from citeplug.settings.environment import Settings
from citeplug.text.cleaning import plain
from citeplug.text.folding import fold_title
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number

MOST_SHOWN = 60  # questions of a set
MOST_SENTENCES = 8
_MOST_SOURCES = 8  # questions of one sentence
_LONGEST = 50  # words of a sentence
_FEWEST = 4
_LONGEST_SHOWN = 600  # characters of a question or an answer
_ROOM = 1_500  # tokens of an answer

SYSTEM = f"""You summarise what a set of research papers knows, for somebody who will ask these papers questions.

{WARNING}

You are given questions that the papers answer, numbered, each with its answer. Write at most {MOST_SENTENCES} sentences in plain words, the concepts that most papers share first, then what single papers add: problems, methods, data, findings, limits. Each sentence
- says only what the questions and answers that it names say, with no number, name or link that these lack;
- can be understood by itself, and does not speak of "the papers" or "the questions";
- has at most {_LONGEST - 10} words, and comes with the numbers of the questions that it rests on.
Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = object_of({"sentences": list_of(object_of({"text": TEXT, "questions": list_of(NUMBER)}))})


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
    now = {(paper.paper, pair) for paper in prepared for pair in paper.pairs}
    sentences = (s for s in summary.sentences if all((source.paper, source.pair) in now for source in s.sources))
    return replace(summary, sentences=tuple(sentences))


def summarise_sets(
    papers: Sequence[str], store: PreparedStore, settings: Settings, model: LanguageModel, made_by: str, report: Report
) -> Summarised:
    """Have a model summarise each topic and each field of these papers, from all prepared papers of the same.

    A summary whose questions have not changed since `made_by` made it is left as it is. Each is kept as soon as it is
    made; an outage or a budget that is used up ends the asking.
    """
    done = Summarised()
    due: list[tuple[str, list[FoundPair]]] = []
    known = {summary.name: summary.digest for summary in store.summaries() if summary.made_by == made_by}
    for name, members in _sets(papers, store, settings).items():
        prepared = current(store, members, settings)
        shown = representative(prepared, question_vectors(store, prepared, settings), MOST_SHOWN)
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
        for summary in summaries_by_model(part, model):
            if isinstance(summary, ModelSummary):
                store.put_summary(summary)
                done.made += 1
            else:
                done.left += 1
                done.trouble = done.trouble or summary
    return done


def _sets(papers: Sequence[str], store: PreparedStore, settings: Settings) -> dict[str, list[str]]:
    """The topics and labels of these papers, each with all prepared papers that have it."""
    prepared = store.read(store.papers())
    with open_corpus(settings) as corpus:
        topics = corpus.topics.of([paper.paper for paper in prepared])
    sets: dict[str, set[str]] = {}
    for paper in prepared:
        names = [label_name(fact.value) for fact in paper.facts if fact.kind in LABELS]
        if paper.paper in topics:
            names.append(topic_name(topics[paper.paper]))
        for name in names:
            sets.setdefault(name, set()).add(paper.paper)
    return {name: sorted(members) for name, members in sorted(sets.items()) if not members.isdisjoint(papers)}


def summary_request(shown: Sequence[FoundPair], label: str = "") -> Request:
    """Ask for the summary of a set by questions that stand for it."""
    texts = [f"question: {_short(pair.pair.question)}\nanswer: {_short(pair.pair.answer)}" for pair in shown]
    number = fence_number(texts)
    lines = [fence(number, f"question {at}", text) for at, text in enumerate(texts, start=1)]
    return Request("summaries", SYSTEM, "\n".join(lines), schema=SCHEMA, max_tokens=_ROOM, label=label[:LONGEST_TITLE])


def largest_request() -> Request:
    """A request that no summary's exceeds: what it costs is the bound for one."""
    return Request(
        "summaries", SYSTEM, "word " * (MOST_SHOWN * 2 * _LONGEST_SHOWN // 5), schema=SCHEMA, max_tokens=_ROOM
    )


def shown_digest(shown: Sequence[FoundPair]) -> str:
    """SHA-256 of the questions that a model is shown, with their answers, quotations and papers."""
    digest = hashlib.sha256()
    for pair in shown:
        for part in (pair.paper, pair.pair.question, pair.pair.answer, pair.pair.quote):
            digest.update(part.encode("utf-8", "replace") + b"\0")
    return digest.hexdigest()


def summaries_by_model(
    sets: Sequence[tuple[str, Sequence[FoundPair]]], model: LanguageModel
) -> list[ModelSummary | CiteplugError | None]:
    """A summary for each named set of questions; an error, or None for an answer that cannot be read, in the place of one.

    One request for each, or two. Raises Cancelled.
    """

    def read(number: int, data: dict[str, Any], reply: Reply) -> ModelSummary | None:
        name, shown = sets[number]
        if not isinstance(data.get("sentences"), list):
            return None
        sentences: list[SummarySentence] = []
        dropped: Counter[str] = Counter()
        for item in items_of(data["sentences"], 3 * MOST_SENTENCES):
            checked = _sentence(item, shown, sentences)
            if isinstance(checked, SummarySentence):
                sentences.append(checked)
            else:
                dropped[checked] += 1
        return ModelSummary(name, reply.model or model.name, shown_digest(shown), tuple(sentences), dict(dropped))

    return ask_readable(model, [summary_request(shown, name) for name, shown in sets], read)


def _sentence(item: Any, shown: Sequence[FoundPair], sentences: Sequence[SummarySentence]) -> SummarySentence | str:
    """The sentence if its questions bear it out, else the reason against it.

    `no_question`: it names none that was shown, or shares no word with one that it names.
    """
    item = item if isinstance(item, dict) else {}
    text = text_of(item.get("text"))
    numbers = [number_of(number) for number in items_of(item.get("questions"), 2 * _MOST_SOURCES)]
    named = dict.fromkeys(number for number in numbers if number is not None and 1 <= number <= len(shown))
    mine = stems(text)
    # A question that shares no word with the sentence was named at random.
    sources = [shown[number - 1] for number in named if mine & stems(_words(shown[number - 1]))][:_MOST_SOURCES]
    if not _FEWEST <= len(text.split()) <= _LONGEST:
        return "too_long"
    if not sources:
        return "no_question"
    known = [f"{_words(source)} {source.title}" for source in sources]
    if LINK.search(text) or any(unsourced(text, known, papers=len({source.paper for source in sources}))):
        return "invented"
    if any(mine == stems(sentence.text) for sentence in sentences):
        return "repeated"
    return "too_long" if len(sentences) >= MOST_SENTENCES else SummarySentence(text, tuple(sources))


def _words(source: FoundPair) -> str:
    return f"{source.pair.question} {source.pair.answer} {source.pair.quote}"


def _short(text: str) -> str:
    return plain(text)[:_LONGEST_SHOWN]
