"""Summaries without a model: what the authors of whole texts say that they do, in their words."""

import re
from collections.abc import Sequence

from citeplug.ask.extractive import MOST_SENTENCES, Place
from citeplug.ask.retrieval import nearest
from citeplug.ask.wording import SHORTEST, is_whole, leans, with_context
from citeplug.prepare.statements import own_sentences
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedPassage, AskedText
from citeplug.text.sentences import sentences_of_paragraphs

_PLANNED = re.compile(r"\bwill\b")  # is no contribution yet, and said where there is no other


def summarize(question: str, texts: Sequence[AskedText], passages: Sequence[AskedPassage]) -> Answer:
    """What the authors of the texts say that they do, in their words; of each its best passages first.

    `passages` are such as `with_overviews` gives; of many texts each has one sentence.
    """
    ranked = sorted(passages, key=lambda passage: -passage.score)
    ids = list(dict.fromkeys(passage.text_id for passage in ranked))
    most = max(1, MOST_SENTENCES // max(1, len(ids)))
    sentences: list[AnswerSentence] = []
    for text in [text.id for text in texts if text.id in ids]:
        own: dict[str, AnswerCitation] = {}
        places = [(p, place) for p in ranked if p.text_id == text for place in own_sentences(p.text)]
        done = [(passage, place) for passage, place in places if not _PLANNED.search(passage.text[slice(*place)])]
        for passage, place in done or places or _first_whole([p for p in ranked if p.text_id == text]):
            whole = with_context(passage.text, *place)
            if whole is not None:
                own.setdefault(passage.text[slice(*whole)], passage.cited(*whole))
        sentences += [AnswerSentence(words, (citation,), 1.0, "quoted") for words, citation in [*own.items()][:most]]
    return Answer(question, not sentences, tuple(sentences), nearest(ranked), tuple(texts))


def _first_whole(passages: Sequence[AskedPassage]) -> list[tuple[AskedPassage, Place]]:
    """The first sentence that can stand alone, of a text whose authors say nothing of themselves."""
    for passage in passages:
        for place in sentences_of_paragraphs(passage.text):
            text = passage.text[slice(*place)]
            if len(text.split()) >= SHORTEST and is_whole(text) and not leans(text):
                return [(passage, place)]
    return []
