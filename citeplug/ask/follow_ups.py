"""Follow-up questions as they would be asked by themselves: "And on MNIST?", "Why?", "What about its limits?".

By words alone, so that what passages and sentences are compared with has the subject: TruthReader (section 4.1) puts the
history behind the question, in which the words of the earlier question outweigh the new ones.
"""

import re
from collections.abc import Sequence

from citeplug.ask.wording import asked_term
from citeplug.records.answer import Turn
from citeplug.text.stems import telling_stems

_TURNS = 6  # of the conversation that count
_OPENING = re.compile(
    r"\W*(?:(?:and|but|so|or|then|ok(?:ay)?)\b[, ]*)?(?P<about>(?:what|how) about\b ?)?", re.IGNORECASE
)
_PREPOSITION = r"(?:in|on|for|with|without|by|from|at|of|to|under|against|after|before|during)"
_BARE = re.compile(
    r"\W*(?:why|how|when|where|who|since when|how (?:so|come|many|much|often|long)|why (?:so|not|is that))\W*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:what|which|who|whose|whom|when|where|why|how|do|does|did|is|are|was|were|can|could|has|have|had|should|will|would|may|might)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|this|that|these|those)\b(?! (?:paper|work|article|study|report|draft|text)s?\b)", re.IGNORECASE
)
_NAME = re.compile(r"(?<=\s)(?:[A-Z][\w-]*|[\w-]*\d[\w-]*|[a-z]+[A-Z][\w-]*)(?: (?:[A-Z][\w-]*|\d[\w-]*))*")


def is_bare(question: str) -> bool:
    """True for one that asks more of what was just said, and names nothing: "Why?", "Tell me more"."""
    return _BARE.fullmatch(_rest_of(question)[1]) is not None or not telling_stems(question) - telling_stems(
        "tell more"
    )


def standing_alone(question: str, history: Sequence[Turn]) -> str:
    """The question with what it leaves out, from the questions before it; as it is where it leaves out nothing."""
    before = ""
    for text in [*(turn.question for turn in history[-_TURNS:]), question]:
        before = _completed(text, before)
    return before


def _completed(question: str, before: str) -> str:
    opened, rest = _rest_of(question)
    if not before:
        return question
    if is_bare(question):
        return f"{question} {before}"
    placed = re.match(rf"{_PREPOSITION}\b", rest, re.IGNORECASE)
    topic = _topic(before)
    if placed is not None and not _ASKS.search(rest):
        same = re.compile(rf"\b{placed[0]}\b .+?(?= {_PREPOSITION}\b|\W*$)", re.IGNORECASE)
        if same.search(before):
            return same.sub(lambda _: rest, before, count=1)
        return _with_name(before, rest[placed.end() :].strip()) or f"{before.rstrip('? .')} {rest}?"
    if opened and not _ASKS.match(rest):
        if _OWNER.search(rest):
            return f"What are {_OWNER.sub('the', rest)} of {topic}?"
        term = asked_term(before)
        replaced = re.sub(rf"(?:\b(?:an?|the) )?{re.escape(term)}", lambda _: rest, before) if term else None
        replaced = replaced or _with_name(before, rest)
        return replaced or f"{rest}? {before}"
    if _OWNER.search(rest):
        return _OWNER.sub(lambda _: f"{topic}'s", rest, count=1) + "?"
    if _PRONOUN.search(rest):
        return _PRONOUN.sub(lambda _: topic, rest, count=1) + "?"
    return question


def _rest_of(question: str) -> tuple[bool, str]:
    """If a question opens as a follow-up, "And" or "What about", and what stands behind that, without its mark."""
    opening = _OPENING.match(question)
    end = opening.end() if opening else 0
    return bool(question[:end].strip()), question[end:].rstrip("?!. ")


def _with_name(question: str, name: str) -> str | None:
    """A question about another name than its last one; None if it has none, or this is no name."""
    names = [*_NAME.finditer(question)]
    if not names or not _NAME.fullmatch(f" {name}", 1):
        return None
    return f"{question[: names[-1].start()]}{name}{question[names[-1].end() :]}"


def _topic(question: str) -> str:
    """What a question is about: the term that it asks for, its first name, or its subject."""
    name = _NAME.search(question)
    if (term := asked_term(question)) or name is not None:
        return term or (name[0] if name else "")
    words = re.sub(rf"^\W*(?:{_ASKS.pattern} )+(?:(?:many|much|long|often) )?", "", question, flags=re.IGNORECASE)
    subject = re.split(rf" {_ASKS.pattern}", words)[0]
    return re.sub(r"(?<=\w) \w+ed$", "", subject.strip("? ."))
