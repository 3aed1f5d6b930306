"""What is said of one paper: its statements, the phrases they make, and the title where they make none."""

import re
from dataclasses import dataclass, field

from citeplug.records.paper import Paper
from citeplug.records.review import Source
from citeplug.write.attribution import words
from citeplug.write.lexicon import STOPWORDS
from citeplug.write.phrasing import Phrase, author, cite, phrases, shorter_forms
from citeplug.write.plaintext import plain_text
from citeplug.write.sentences import split_sentences
from citeplug.write.statements import Statement, find_statements


@dataclass(slots=True)
class Mentions:
    """A paper, what can be said of it, and which sentences of its abstract were used already."""

    paper: Paper
    statements: list[Statement]
    used: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, paper: Paper, commands: frozenset[str]) -> "Mentions":
        return cls(paper, find_statements(paper, commands))


@dataclass(frozen=True, slots=True)
class Style:
    """What the choice among phrases looks at.

    `target`: words wanted; `intent`: words of the plan line; `recent`: constructions of the last sentences,
    newest last; `verbs`: verbs used in the paragraph; `variant` turns the choice of verbs.
    """

    target: int
    intent: frozenset[str] = frozenset()
    recent: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()
    variant: int = 0
    author_first_wanted: bool = True


def best_phrase(mentions: Mentions, style: Style, *, only: str | None = None) -> Phrase | None:
    """The phrase that says most, reads best and repeats least; None if the abstract gives none.

    With `only`, of that construction alone.
    """
    best: tuple[float, Phrase] | None = None
    for statement in mentions.statements[:6]:
        for phrase in phrases(statement, mentions.paper, limit=style.target + 14, variant=style.variant):
            if only is not None and phrase.construction != only:
                continue
            value = _value(phrase, mentions, style)
            if best is None or value > best[0]:
                best = value, phrase
    return best[1] if best else None


def _value(phrase: Phrase, mentions: Mentions, style: Style) -> float:
    statement = phrase.statement
    value = 1.5 * statement.weight
    short = max(0, style.target - 4 - phrase.length)
    long = max(0, phrase.length - style.target - 4)
    value -= 0.16 * short + 0.12 * long
    value -= 3.0 if phrase.close else 0.0
    value -= {"passive": 0.4, "inserted": 0.5, "according": 0.5, "purpose first": 0.1, "product of": 0.0}.get(
        phrase.construction, 0.0
    )
    if phrase.construction in style.recent:
        value -= 0.9 if phrase.construction == style.recent[-1] else 0.5
    if statement.verb in style.verbs:
        value -= 0.4
    if phrase.author_first and not style.author_first_wanted:
        value -= 0.9
    if statement.refers and len(mentions.paper.authors) == 1:
        value -= 1.2
    if statement.start in mentions.used:
        value -= 4.0
    return value + 0.7 * min(3, len(style.intent & set(words(phrase.text))))


def title_phrase(paper: Paper) -> str:
    """A clause that says no more than the paper's title does."""
    return f"{author(paper)} write{'' if len(paper.authors) != 1 else 's'} on “{title_text(paper)}”"


def title_text(paper: Paper) -> str:
    """The title as plain text, without quotation marks of its own."""
    plain = plain_text(paper.title)
    if plain is None:
        plain = re.sub(r"\\[A-Za-z]+|[{}\\$^_]", " ", paper.title)
    plain = plain.replace("“", "‘").replace("”", "’").rstrip(".")
    return " ".join(plain.split())


def title_source(paper: Paper) -> Source:
    """The sentence of the abstract that shares most words with the title; empty if there is no abstract."""
    topic = {word for word in words(paper.title) if word not in STOPWORDS}
    places = split_sentences(paper.abstract) or [(0, 0)]
    start, end = max(places, key=lambda place: (len(topic & set(words(paper.abstract[slice(*place)]))), -place[0]))
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def source_of(statement: Statement, paper: Paper) -> Source:
    """Where the abstract says it."""
    text = paper.abstract[statement.start : statement.end]
    return Source(paper.id.value, paper.id.version, text, statement.start, statement.end)


def noun_phrase_mention(mentions: Mentions) -> tuple[str, Statement] | None:
    """A noun phrase for what the paper proposes or studies, with its citation, for an enumeration."""
    for statement in mentions.statements[:4]:
        if statement.kind != "object" or statement.refers or statement.front:
            continue
        for text in shorter_forms(statement, 12):
            if "\ue010" not in text and "," not in text and " and " not in text:
                return f"{text} {cite(mentions.paper.id.value)}", statement
    return None
