"""What prepared questions add to the passages of an answer, without a model, on benchmarks/questions.json.

    python -m benchmarks.prepared_passages [--home DIR] [--of NAME,NAME...]

The documents of `benchmarks.questions` become papers with full texts in DIR (default: a new folder), and are prepared
without a model where DIR has nothing prepared; ids are printed, so that `citeplug prepare ID... --llm NAME` with
CITEPLUG_HOME=DIR can add a model's pairs before a second run. Each question is put to all of them. Recall: of the
questions that have an answer, those with a passage among the chosen ones that has it.
"""

import argparse
import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

from benchmarks.questions import DOCUMENTS, SHARED, Question, questions
from citeplug.ask.extractive import answer_extractively
from citeplug.ask.outline import is_on_the_whole, outline_of
from citeplug.ask.retrieval import PASSAGES, EmbeddedQuery, choose_passages, with_more
from citeplug.ask.session import AskSession
from citeplug.ask.texts import AskedTexts, Selection
from citeplug.corpus.fulltext.documents import documents_store, read_documents
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus, settings
from citeplug.prepare.run import prepare
from citeplug.records.answer import AskedPassage
from citeplug.records.paper import ArxivId, Paper
from citeplug.related.paper_sets import PaperSet

IDS = {name: f"2401.{number:05}" for number, name in enumerate(DOCUMENTS, 1)}
ALL = PaperSet(tuple(IDS.values()))
_DAY = date(2024, 1, 1)
Arm = Callable[[AskedTexts, EmbeddedQuery], Sequence[AskedPassage]]


def found(texts: AskedTexts, query: EmbeddedQuery, most: int = PASSAGES) -> tuple[AskedPassage, ...]:
    return choose_passages(texts.candidates([query]), texts.texts, query, None, most)


ARMS: dict[str, Arm] = {
    "passages": found,
    "half as many passages more": lambda texts, query: found(texts, query, PASSAGES * 3 // 2),
    "passages, and those of prepared questions": lambda texts, query: with_more(
        found(texts, query), texts.prepared(query)[1], texts.texts
    ),
    "those of prepared questions alone": lambda texts, query: texts.prepared(query)[1],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, default=Path(tempfile.mkdtemp()))
    parser.add_argument("--of", default=",".join(IDS), help="documents whose questions are asked")
    given = parser.parse_args()
    os.environ["CITEPLUG_HOME"] = str(given.home)
    _store_papers()
    asked = [q for q in questions() if q.of in given.of.split(",") and not is_on_the_whole(q.question)]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, float] = defaultdict(float)
    session = AskSession(settings())
    texts = session.select(Selection(ALL), lambda *_: None)
    for question in asked:
        query = texts.query(question.question)
        for name, arm in ARMS.items():
            began = time.process_time()
            passages = arm(texts, query)
            seconds[name] += time.process_time() - began
            abstracts = [p for text in dict.fromkeys(p.text_id for p in passages) for p in texts.overview(text)[:1]]
            shown = with_more(passages, abstracts, texts.texts)
            answer = answer_extractively(query, texts.texts, shown, texts.embed, texts.split)
            counts[name][question.verdict(answer)] += 1
            counts[name]["recall"] += _has_fact(question, passages)
    session.close()
    answered = sum(bool(question.facts) for question in asked)
    print(f"{len(asked)} questions, {answered} with an answer, put to {len(IDS)} papers of {SHARED}")
    for name, count in counts.items():
        verdicts = ", ".join(f"{verdict} {number}" for verdict, number in sorted(count.items()) if verdict != "recall")
        milliseconds = 1000 * seconds[name] / len(asked)
        print(f"{name:42} recall {count['recall'] / answered:.3f}, {milliseconds:.0f} ms of CPU; {verdicts}")


def _has_fact(question: Question, passages: Sequence[AskedPassage]) -> bool:
    texts = [passage.text.lower() for passage in passages]
    return any(all(part in text for part in fact.split(" & ")) for fact in question.facts for text in texts)


def _store_papers() -> None:
    """Store the documents as papers, and prepare them, as far as this has not been done."""
    chosen = settings()
    with closing(TextStore(chosen.home)) as texts, closing(documents_store(chosen.home)) as store:
        if not texts.papers():
            files = [SHARED / "latex" / path for path in DOCUMENTS.values()]
            documents, _ = read_documents(files, store, lambda *_: None)
            records = []
            for value, document in zip(IDS.values(), documents, strict=True):
                text = store.read(document.kept)
                assert text is not None
                texts.put(replace(text, paper=value, version=1, source="own"), _DAY)
                abstract = outline_of(text).overview[0].text
                records.append(Paper(ArxivId(value, 1), text.title or document.title, abstract, (), _DAY, _DAY))
            with open_corpus(chosen) as corpus:
                corpus.add_papers(records)
    made = prepare(ALL, chosen, lambda *_: None)
    print(f"CITEPLUG_HOME={chosen.home}: {made.questions} prepared questions of {', '.join(IDS.values())}")


if __name__ == "__main__":
    main()
