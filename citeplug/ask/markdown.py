"""Answers and conversations as Markdown, with references."""

import re
from collections.abc import Mapping, Sequence

from citeplug.ask.quoted import as_shown
from citeplug.ask.refusal import looked_through
from citeplug.records.answer import Answer, AnswerCitation, AnswerSentence, AskedText, Turn, is_stale
from citeplug.text.cleaning import plain

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")
_BEGINS = re.compile(r"^(\d*)([-+=.)])(?=\s|$)")
_LONGEST = 500  # characters of a nearest passage
_DOUBTS = {
    "weak": "nobody has compared it with its sources",
    "conflict": "its source gives another answer than that of another sentence",
}


def conversation_markdown(turns: Sequence[Turn], references: Mapping[str, str], now: Sequence[AskedText] | None) -> str:
    """A conversation, each answer under its question, and the list of what it cites.

    `references` are printed references by the id of a text; `now` are the texts as they are, to mark what changed since
    (None: not compared).
    """
    cited = _cited([turn.answer for turn in turns])
    parts = ["# Questions to the papers\n"]
    for turn in turns:
        parts += [f"## {escaped(turn.question)}\n", _answer(turn.answer, cited, now)]
    return "\n".join([*parts, *_references(cited, references)])


def answer_markdown(answer: Answer, references: Mapping[str, str]) -> str:
    """One answer with its quotations, and what it cites."""
    cited = _cited([answer])
    return "\n".join([f"# {escaped(answer.question)}\n", _answer(answer, cited, None), *_references(cited, references)])


def escaped(text: str) -> str:
    """Plain text that Markdown prints as it is: a title or a passage must not become a link, a picture or HTML."""
    return _BEGINS.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", plain(text)).replace("&", "&amp;"))


def place_of(citation: AnswerCitation) -> str:
    """Where a quotation is, in words: `Results, p. 7`; `abstract` where there is no section."""
    parts = [plain(citation.section)] if citation.section else []
    parts += [f"p. {citation.page}"] if citation.page else []
    return ", ".join(parts) or ("abstract" if citation.passage == 0 else f"passage {citation.passage}")


def _answer(answer: Answer, cited: Mapping[str, int], now: Sequence[AskedText] | None) -> str:
    lines = []
    for sentence in answer.sentences:
        marks = "".join(f"[{cited[paper]}]" for paper in dict.fromkeys(each.paper for each in sentence.citations))
        lines.append(f"- {escaped(as_shown(sentence))} {marks}{_doubt(sentence, answer, now)}")
        for each in sentence.citations:
            lines.append(f"  > “{escaped(each.quote)}” [{cited[each.paper]}, {escaped(place_of(each))}]")
    if answer.refused:
        lines.append(f"Nothing that bears out an answer was found in {looked_through(answer.looked_through)}. Nearest:")
        for each in answer.nearest:
            lines.append(f"\n> {escaped(each.quote[:_LONGEST])} [{cited[each.paper]}, {escaped(place_of(each))}]")
    by = f"by {escaped(answer.model)}, each sentence checked against its quotations" if answer.model else "verbatim"
    lines.append(f"\n*Looked through {looked_through(answer.looked_through)}; {by}.*\n")
    return "\n".join(lines)


def _doubt(sentence: AnswerSentence, answer: Answer, now: Sequence[AskedText] | None) -> str:
    doubts = [_DOUBTS[sentence.status]] if sentence.status in _DOUBTS else []
    if sentence.status == "weak" and sentence.judgement is not None and sentence.judgement.doubt:
        doubts = [sentence.judgement.doubt]
    if now is not None and is_stale(sentence, answer, now):
        doubts.append("the document has changed since")
    return f" *({escaped('; '.join(doubts))})*" if doubts else ""


def _cited(answers: Sequence[Answer]) -> dict[str, int]:
    """The texts that are cited or shown, numbered from 1 in their order."""
    citations = [
        each
        for answer in answers
        for each in (*(c for s in answer.sentences for c in s.citations), *(answer.nearest if answer.refused else ()))
    ]
    return {paper: number for number, paper in enumerate(dict.fromkeys(each.paper for each in citations), start=1)}


def _references(cited: Mapping[str, int], references: Mapping[str, str]) -> list[str]:
    if not cited:
        return []
    lines = [f"{number}. {escaped(references.get(paper, paper))}" for paper, number in cited.items()]
    return ["## References\n", *lines, ""]
