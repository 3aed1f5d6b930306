"""Answers without a model: sentences of the papers, verbatim."""

from collections.abc import Callable, Sequence

from citeplug.answer.refusal import cite, nearest, refuse
from citeplug.answer.words import Weigh, coverage
from citeplug.attribute.attribution import rouge1_precision
from citeplug.ports import Vectors
from citeplug.records.answer import Answer, AnswerSentence, AskedPassage, AskedText
from citeplug.text.sentences import split_sentences

Embed = Callable[[Sequence[str]], Vectors]


def answer_extractively(
    question: str,
    texts: Sequence[AskedText],
    passages: Sequence[AskedPassage],
    asked: Vectors,
    embed: Embed,
    weigh: Weigh,
) -> Answer:
    """The sentences of the passages that answer, in the order of the papers, or a refusal.

    `asked` is the question's unit vector (d,), `embed` gives those of sentences, (n, d).
    """
    sentences: list[AnswerSentence] = []
    for passage in passages:
        for start, end in split_sentences(passage.text):
            said = passage.text[start:end]
            if coverage(question, said, weigh) > 0.6 and float(embed([said])[0] @ asked) > 0.5:
                score = rouge1_precision(said, passage.text)
                sentences.append(AnswerSentence(said, (cite(passage, start, end),), score, "quoted"))
    if not sentences:
        return refuse(question, texts, passages)
    return Answer(question, False, tuple(sentences), nearest(passages), tuple(texts))
