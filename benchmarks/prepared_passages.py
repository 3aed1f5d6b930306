"""What prepared questions, and further ones, add to the passages of an answer, on benchmarks/questions.json.

    python -m benchmarks.prepared_passages [--home DIR]

The documents of `benchmarks.questions` become papers with full texts in DIR (default: a new folder), and are prepared
without a model. Each question is put to all of them. benchmarks/prepared_questions.json stands for a strong model:
`pairs`, questions with the beginnings of the sentences that answer them in three documents, written without knowing
what is asked of these; and `further`, two or three questions beside each of 49, written without their answers.
Recall: of the questions that have an answer, those with a passage among the chosen ones that has it.
"""

import argparse
import json
import os
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.questions import DOCUMENTS, SHARED, Question, questions
from citeplug.ask.extractive import answer_extractively
from citeplug.ask.outline import is_on_the_whole, outline_of
from citeplug.ask.retrieval import PASSAGES, EmbeddedQuery, choose_passages, with_more
from citeplug.ask.session import AskSession
from citeplug.ask.texts import AskedTexts, Selection
from citeplug.corpus.fulltext.documents import documents_store, read_documents
from citeplug.corpus.fulltext.store import TextStore
from citeplug.corpus.stores import open_corpus, settings
from citeplug.prepare.paper_sources import read_sources
from citeplug.prepare.run import prepare
from citeplug.prepare.store import PreparedStore
from citeplug.records.answer import AskedPassage
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.prepared import FoundPair, Pair, Place, Prepared
from citeplug.related.paper_sets import PaperSet
from citeplug.text.sentences import sentences_of_paragraphs

IDS = {name: f"2401.{number:05}" for number, name in enumerate(DOCUMENTS, 1)}
ALL = PaperSet(tuple(IDS.values()))
WRITTEN = json.loads(Path(__file__).with_name("prepared_questions.json").read_text("utf-8"))
_DAY = date(2024, 1, 1)
_OF_A_QUESTION = 2  # passages of those that a further question finds
Read = tuple[Sequence[FoundPair], Sequence[AskedPassage]]
Arm = Callable[[AskedTexts, EmbeddedQuery, Sequence[str]], Read]


def found(texts: AskedTexts, query: EmbeddedQuery, most: int = PASSAGES) -> tuple[AskedPassage, ...]:
    return choose_passages(texts.candidates([query]), texts.texts, query, None, most)


def _prepared(texts: AskedTexts, query: EmbeddedQuery, _: Sequence[str]) -> Read:
    near, answering = texts.prepared(query)
    return near, with_more(found(texts, query), answering, texts.texts)


def _further(texts: AskedTexts, query: EmbeddedQuery, further: Sequence[str]) -> Read:
    more = [passage for text in further for passage in found(texts, texts.query(text), _OF_A_QUESTION)]
    return (), with_more(found(texts, query), more, texts.texts)


ARMS: dict[str, Arm] = {
    "passages": lambda texts, query, _: ((), found(texts, query)),
    "half as many passages more": lambda texts, query, _: ((), found(texts, query, PASSAGES * 3 // 2)),
    "passages, and those of prepared questions": lambda *asked: ((), _prepared(*asked)[1]),
    "the same, compared as these questions too": _prepared,
    "those of prepared questions alone": lambda texts, query, _: texts.prepared(query),
    "passages, and those of further questions": _further,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--home", type=Path, default=Path(tempfile.mkdtemp()))
    os.environ["CITEPLUG_HOME"] = str(parser.parse_args().home)
    _store_papers()
    of_pairs = {pair["of"] for pair in WRITTEN["pairs"]}
    session = AskSession(settings())
    texts = session.select(Selection(ALL), lambda *_: None)
    asked = [question for question in questions() if not is_on_the_whole(question.question)]
    _measure("papers with prepared questions", [one for one in asked if one.of in of_pairs], texts)
    _measure("questions with further ones", [one for one in asked if one.id in WRITTEN["further"]], texts)
    session.close()


def _measure(of: str, asked: Sequence[Question], texts: AskedTexts) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seconds: dict[str, float] = defaultdict(float)
    for question in asked:
        query = texts.query(question.question)
        for name, arm in ARMS.items():
            began = time.process_time()
            near, passages = arm(texts, query, WRITTEN["further"].get(question.id, ()))
            seconds[name] += time.process_time() - began
            abstracts = [p for text in dict.fromkeys(p.text_id for p in passages) for p in texts.overview(text)[:1]]
            shown = with_more(passages, abstracts, texts.texts)
            answer = answer_extractively(query, texts.texts, shown, texts.embed, texts.split, (), near)
            counts[name][question.verdict(answer)] += 1
            counts[name]["recall"] += _has_fact(question, passages)
    answered = sum(bool(question.facts) for question in asked)
    print(f"{of}: {len(asked)} questions, {answered} with an answer, put to {len(IDS)} papers of {SHARED}")
    for name, count in counts.items():
        verdicts = ", ".join(f"{verdict} {number}" for verdict, number in sorted(count.items()) if verdict != "recall")
        milliseconds = 1000 * seconds[name] / len(asked)
        print(f"{name:42} recall {count['recall']} of {answered}, {milliseconds:.0f} ms of CPU; {verdicts}")


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
    with closing(PreparedStore(chosen.home)) as prepared:
        for name in dict.fromkeys(pair["of"] for pair in WRITTEN["pairs"]):
            ((_, texts_of),) = read_sources([ArxivId(IDS[name])], chosen)
            assert texts_of is not None
            source = texts_of[0]
            own = [pair for pair in WRITTEN["pairs"] if pair["of"] == name]
            pairs = tuple(_pair(pair, source.texts()[pair["passage"]]) for pair in own)
            paper = source.paper, source.title, source.version, source.of, source.digest
            prepared.put(Prepared(*paper, "written", (), pairs))


def _pair(written: dict[str, Any], text: str) -> Pair:
    at = text.index(written["begins"])
    place = next(place for place in sentences_of_paragraphs(text) if place[0] <= at < place[1])
    quote = text[slice(*place)]
    return Pair(written["question"], quote, quote, Place(written["passage"], *place))


if __name__ == "__main__":
    main()
