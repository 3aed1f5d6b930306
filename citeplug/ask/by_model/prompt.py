"""The request for an answer from numbered passages (TruthReader, section 3), and the reading of what comes back."""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.records.answer import AskedPassage, AskedText, Turn
from citeplug.records.dialogue import Reply, Request
from citeplug.related.attribute.checks import LONGEST
from citeplug.related.attribute.evidence import Doubt
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, parse_json, quotes_in
from citeplug.text.material import LONGEST_TEXT, LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST

MOST_SENTENCES = 8
_TURNS = 4  # of the conversation that are shown
_LONGEST_QUESTION = 4_000  # characters
_LONGEST_TURN = 800  # characters of an earlier answer
_UNSEEN = dict.fromkeys((0x200B, 0x2060, 0x00AD))  # signs without width, which hide words from the checks
_ROOM = 1_000 + 250 * MOST_SENTENCES  # tokens

SYSTEM = f"""You answer a researcher's question from passages of papers, so that each sentence can be looked up and taken into a paper with its citation.

{WARNING}

The passages are numbered. They are all that there is: use neither what you know nor what an earlier answer says; the conversation shows what the question refers to, and nothing else.

First decide: `answers` is "no" where no passage says what is asked, however near its subject is, and then there are no sentences; "part" where the passages answer a part of the question, or a narrower one; else "yes".

Then answer in as few sentences as it takes, never more than {MOST_SENTENCES}: mostly one to four, and one for each paper where several answer alike in kind, the most to the point first. The first sentence answers what is asked, and nothing is told that was not asked. Each sentence
- rests on passages: `quotes` has, for each of them, its number and one uninterrupted stretch of {SHORTEST} words or more, copied word for word, that bears the sentence out. Every number, unit, name and acronym of the sentence stands in a passage that it quotes, or in the title of its paper.
- says only what these passages say, with their "may", "up to" and "on this data set". What a passage reports of others' work is not its own paper's result: say whose it is, or leave it out.
- can be read without the others: it names its subject (the method's name or "a method that ..."), not "it" or "this approach"; never "the passage" or "the paper" alone.
- is at most {LONGEST} words of plain text in the third person, in your own words, or in quotation marks where the wording matters. No "we" or "our", no brackets with numbers, no names of authors, years, identifiers, addresses, LaTeX commands or mark-up; math as the passage writes it.
Where passages of two papers give different answers to the same question, give a sentence for each, and let `against` of the later one be the number of the earlier one, counted from 1; else `against` is 0. Other data or another setting alone is no difference: name the setting.
Write in the language of the question; quotations stay as they are. Answer with JSON that fits the schema."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "answers": {"type": "string", "enum": ["yes", "part", "no"]},
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "quotes": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "passage": {"type": "integer", "description": "its number"},
                                "quote": {"type": "string", "description": "copied word for word from it"},
                            },
                            "required": ["passage", "quote"],
                            "additionalProperties": False,
                        },
                    },
                    "text": {"type": "string", "description": "the sentence"},
                    "against": {"type": "integer", "description": "0, or the earlier sentence that it contradicts"},
                },
                "required": ["quotes", "text", "against"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["answers", "sentences"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Item:
    """A sentence that a model proposes: quotations with the numbers of their passages; `against` counts from 1, or is 0."""

    text: str
    quotes: tuple[tuple[int, str], ...]
    against: int = 0


def answer_request(
    question: str, history: Sequence[Turn], passages: Sequence[AskedPassage], texts: Mapping[str, AskedText]
) -> Request:
    """Ask for an answer from `passages`, which are numbered from 1 in the order given. `texts` are by id."""
    conversation = _conversation(history)
    number = fence_of(passages, texts, *conversation)
    parts = [f"The question: {_bounded(question, _LONGEST_QUESTION)}"]
    if conversation:
        parts = ["The conversation so far:", fence(number, "conversation", "\n".join(conversation)), *parts]
    shown = show_passages(passages, texts, number)
    return Request("prose", SYSTEM, "\n".join(parts), shared=shown, schema=SCHEMA, max_tokens=_ROOM, label="the answer")


def repair_request(first: Request, refused: Sequence[tuple[Item, Sequence[Doubt]]]) -> Request:
    """Ask once more for the sentences that were refused, each with the reasons."""
    lines = ["", "You answered, and these sentences were refused, each for the reason given:"]
    for number, (item, doubts) in enumerate(refused, start=1):
        why = "; ".join(dict.fromkeys(doubt.reason for doubt in doubts))
        lines += [f"{number}. {_bounded(item.text, _LONGEST_TURN)}", f"   refused: {plain(why)}"]
    lines.append("Write these alone once more, so that the reason is gone; leave out what no passage bears out.")
    return Request(
        "prose",
        first.system,
        first.prompt + "\n".join(lines),
        shared=first.shared,
        schema=SCHEMA,
        max_tokens=_ROOM,
        label="the answer, once more",
    )


def fence_of(passages: Sequence[AskedPassage], texts: Mapping[str, AskedText], *more: str) -> str:
    """The number of the fences around these passages and what else is material in the same request."""
    parts = (part for p in passages for part in (texts[p.text_id].title, p.section, p.text))
    return fence_number([*parts, *more])


def show_passages(
    passages: Sequence[AskedPassage], texts: Mapping[str, AskedText], number: str, only: Container[int] | None = None
) -> str:
    """The passages between fences, each with its number, or `only` some of them; the title is with the first passage of
    each paper."""
    papers = {value: place for place, value in enumerate(dict.fromkeys(p.text_id for p in passages), start=1)}
    lines, seen = ["The passages:"], set[str]()
    for handle, passage in enumerate(passages, start=1):
        if only is not None and handle not in only:
            continue
        text = texts[passage.text_id]
        where = "abstract" if text.of == "abstract" else f"section “{plain(passage.section)[:LONGEST_TITLE]}”"
        if text.of != "abstract" and not passage.section:
            where = "text"
        parts = [] if passage.text_id in seen else [f"title: {plain(text.title)[:LONGEST_TITLE]}"]
        parts.append(f"{where}: {plain(passage.text)[:LONGEST_TEXT]}")
        seen.add(passage.text_id)
        lines.append(fence(number, f"passage [{handle}], paper {papers[passage.text_id]}", "\n".join(parts)))
    return "\n".join(lines) + "\n"


def _conversation(history: Sequence[Turn]) -> list[str]:
    """The last turns. They are material: an earlier answer repeats what passages say."""
    lines = []
    for turn in history[-_TURNS:]:
        answer = " ".join(sentence.text for sentence in turn.answer.sentences) or "(nothing bore out an answer)"
        lines += [f"asked: {_bounded(turn.question, _LONGEST_TURN)}", f"answered: {_bounded(answer, _LONGEST_TURN)}"]
    return lines


def _bounded(text: str, longest: int) -> str:
    cleaned = plain(text)
    return cleaned if len(cleaned) <= longest else cleaned[:longest].rsplit(" ", 1)[0] + " ..."


def read_answer(reply: Reply) -> tuple[str, list[Item]]:
    """`yes`, `part` or `no`, and the sentences in order; whatever cannot be read is left out.

    An answer that was cut off, or has prose around it, is read as far as it goes.
    """
    data = reply.data if reply.data is not None else parse_json(reply.text)
    if not isinstance(data, dict) or not isinstance(data.get("sentences"), list):
        heard = ItemsAsTheyCome()
        items = list(heard.feed(reply.text))
        return heard.answers, items
    answers = data.get("answers")
    usable = [item for item in map(_item, data["sentences"][: 2 * MOST_SENTENCES]) if item is not None]
    return answers if answers in ("part", "no") else "yes", usable


def _item(value: Any) -> Item | None:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str) or not value["text"].strip():
        return None
    text = value["text"][:5_000].translate(_UNSEEN)
    return Item(text, quotes_in(value.get("quotes"), "passage", 20), number_of(value.get("against")) or 0)


_ANSWERS = re.compile(r'"answers"\s*:\s*"(part|no)"')
_LIST = re.compile(r'"sentences"\s*:\s*\[')
_GAP = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)


class ItemsAsTheyCome:
    """Reads the whole sentences out of an answer that comes in pieces, cut anywhere."""

    def __init__(self) -> None:
        self._text = ""
        self._at: int | None = None  # where to read on, once the list has begun

    @property
    def answers(self) -> str:
        """The decision, as far as it has come."""
        decision = _ANSWERS.search(self._text)
        return decision[1] if decision else "yes"

    def feed(self, piece: str) -> Iterator[Item]:
        """The sentences that are whole with `piece`."""
        self._text = (self._text + piece)[:200_000]
        if self._at is None:
            begin = _LIST.search(self._text)
            if begin is None:
                return
            self._at = begin.end()
        while gap := _GAP.match(self._text, self._at):
            try:  # at the end of the list, and within a sentence that is not whole yet, there is nothing to decode
                value, self._at = _DECODER.raw_decode(self._text, gap.end())
            except (ValueError, RecursionError):
                return
            if (item := _item(value)) is not None:
                yield item
