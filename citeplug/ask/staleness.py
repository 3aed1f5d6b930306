"""Comparison of an earlier answer with the texts as they are now."""

from collections.abc import Sequence

from citeplug.records.answer import Answer, AnswerSentence, AskedText


def is_stale(sentence: AnswerSentence, answer: Answer, now: Sequence[AskedText]) -> bool:
    """True if a text that the sentence cites has changed since `answer`, or is not among the asked texts any more."""
    then = {text.id: text.digest for text in answer.looked_through}
    current = {text.id: text.digest for text in now}
    return any(then.get(each.paper) != current.get(each.paper) for each in sentence.citations)
