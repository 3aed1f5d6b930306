"""What is said of one paper: its statements, the phrases they make, and the title where they make none."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from citeplug.records.paper import Paper
from citeplug.records.section import Source
from citeplug.text.cited_text import copied_runs, words
from citeplug.text.inflection import past, third_person
from citeplug.text.lexicon import BARE_PRODUCTS
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.abstracts import find_statements
from citeplug.write.extractive.phrasing import Phrase, author, cite, is_plural, phrases
from citeplug.write.extractive.shortening import shorter_forms
from citeplug.write.extractive.statement import Statement

_CONSIDERED = 6  # statements of a paper that compete


@dataclass(slots=True)
class Mentions:
    """A paper, what can be said of it, and which sentences of its abstract were used already."""

    paper: Paper
    statements: list[Statement]
    used: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, paper: Paper, packages: tuple[str, ...]) -> "Mentions":
        return cls(paper, find_statements(paper, packages))


@dataclass(frozen=True, slots=True)
class Style:
    """What the choice among phrases looks at.

    `target`: words wanted; `intent`: words of the plan line, `asked` whether they are the author's; `recent`: constructions of the last sentences,
    newest last; `verbs`: verbs used in the paragraph; `variant` turns the choice of verbs. `alone`: the paper
    has the sentence to itself, so that two things may be said of it. `may_open`: the clause may open with an
    adverbial, as no other clause stands before it.
    """

    target: int
    intent: frozenset[str] = frozenset()
    recent: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()
    variant: int = 0
    author_first_wanted: bool = True
    alone: bool = False
    may_open: bool = True
    asked: bool = False


def best_phrase(mentions: Mentions, style: Style) -> Phrase | None:
    """The phrase that says most, reads best and repeats least; None if the abstract gives none."""
    options = [
        phrase
        for statement in mentions.statements[:_CONSIDERED]
        for phrase in _phrases_of(statement, mentions.paper, style.target + 14, style.variant)
    ]
    ranked = sorted(options, key=lambda phrase: -_value(phrase, mentions, style))
    if style.alone:
        pairs = [pair for phrase in ranked[:3] for pair in _pairs(phrase, mentions, style)]
        ranked = sorted([*pairs, *ranked], key=lambda phrase: -_value(phrase, mentions, style))
    if not ranked:
        return None
    return _with_title(ranked[0], mentions.paper) if style.may_open else ranked[0]


@lru_cache(maxsize=4096)
def _phrases_of(statement: Statement, paper: Paper, limit: int, variant: int) -> tuple[Phrase, ...]:
    """Kept, since a section of a given length is written several times before it fits."""
    return tuple(phrases(statement, paper, limit, variant))


def _with_title(phrase: Phrase, paper: Paper) -> Phrase:
    """The phrase, with the paper's title where it says next to nothing ("A develop an algorithm")."""
    if _content(phrase) > 2 or not phrase.author_first:
        return phrase
    return replace(phrase, text=f"in “{title_text(paper)}”, {phrase.text}", construction="with title", predicate="")


def _content(phrase: Phrase) -> int:
    """How many different content words it has, the authors' verb left out."""
    said = {word for word in words(phrase.text) if word not in STOPWORDS | BARE_PRODUCTS}
    return len(said - {form for s in phrase.statements for form in (s.verb, third_person(s.verb), past(s.verb))})


def _pairs(first: Phrase, mentions: Mentions, style: Style) -> Iterator[Phrase]:
    """`first`, where it is short, with a second thing that the same authors do."""
    if first.close or first.length > style.target - 3 or first.construction not in ("active", "fronted"):
        return
    told = first.statements[0]
    for statement in mentions.statements[:_CONSIDERED]:
        # In the order of the abstract: what comes later may refer to what came before.
        if statement.start <= told.start or statement.front or statement.kind not in ("object", "claim", "question"):
            continue
        if (
            statement.weight < 1.8
            or statement.verb == told.verb
            or statement.past != told.past
            or statement.start in mentions.used
        ):
            continue
        room = style.target + 8 - first.length
        for second in islice(phrases(statement, mentions.paper, room, style.variant + 1), 4):
            if _repeats(first, second):
                continue
            if second.predicate and not second.close and second.predicate.split()[0] not in first.text.split():
                glue = " and " if "," not in first.text and " and " not in first.text else ", and "
                text = f"{first.text}{glue}{second.predicate}"
                yield Phrase(text, "pair", (*first.statements, statement))


def _repeats(first: Phrase, second: Phrase) -> bool:
    """Whether the second clause says half of its content in the words of the first."""
    said, more = ({word for word in words(p.text) if word not in STOPWORDS} for p in (first, second))
    return 2 * len(said & more) >= len(more)


_COST = {
    "passive": 0.4,
    "cited passive": 0.5,
    "inserted": 0.6,
    "according": 0.6,
    "fronted": 0.0,
    "extraposed": 0.1,
    "pair": -0.3,
}


def _value(phrase: Phrase, mentions: Mentions, style: Style) -> float:
    weights = [statement.weight for statement in phrase.statements]
    value = 1.5 * (weights[0] + 0.1 * sum(weights[1:]))
    value += 0.3 * min(_content(phrase), 9)
    value -= 0.12 * max(0, style.target - 6 - phrase.length) + 0.12 * max(0, phrase.length - style.target - 4)
    value -= 5.0 if phrase.unquoted else 4.2 if phrase.close else 0.0
    value -= _COST.get(phrase.construction, 0.0)
    if phrase.construction in style.recent:
        value -= 0.9 if phrase.construction == style.recent[-1] else 0.5
    if not style.may_open and (phrase.construction == "fronted" or phrase.statements[0].front):
        value -= 2.5
    if phrase.author_first and not style.author_first_wanted:
        value -= 0.9
    for statement in phrase.statements:
        value -= 0.4 if statement.verb in style.verbs else 0.0
        value -= 1.2 if statement.refers and not is_plural(mentions.paper) else 0.0
        value -= 4.0 if statement.start in mentions.used else 0.0
    return value + (2.0 if style.asked else 0.5) * min(4, len(style.intent & set(words(phrase.text))))


def title_phrase(paper: Paper, variant: int = 0) -> str:
    """A clause that says no more than the paper's title does."""
    title = f"“{title_text(paper)}”"
    who = author(paper)
    forms = (
        f"{who} {'write' if is_plural(paper) else 'writes'} on {title}",
        f"a further reference is {title} by {who}",
        f"work by {who} bears the title {title}",
    )
    return forms[variant % len(forms)]


def title_text(paper: Paper) -> str:
    """The title as plain text, without quotation marks of its own."""
    plain = plain_text(paper.title)
    if plain is None:
        plain = re.sub(r"\\[A-Za-z]+|[{}\\$^_]", " ", paper.title)
    return " ".join(plain.replace("“", "‘").replace("”", "’").rstrip(".").split())


def title_source(paper: Paper) -> Source:
    """The sentence of the abstract that shares most words with the title; empty if there is no abstract."""
    topic = {word for word in words(paper.title) if word not in STOPWORDS}
    places = split_sentences(paper.abstract) or [(0, 0)]
    start, end = max(places, key=lambda p: (len(topic & set(words(paper.abstract[p[0] : p[1]]))), -p[0]))
    return Source(paper.id.value, paper.id.version, paper.abstract[start:end], start, end)


def source_of(statement: Statement, paper: Paper) -> Source:
    """Where the abstract says it."""
    text = paper.abstract[statement.start : statement.end]
    return Source(paper.id.value, paper.id.version, text, statement.start, statement.end)


def listed(mentions: Mentions) -> tuple[str, Statement | None]:
    """What the paper proposes or studies, as an item of an enumeration with its citation; else its title."""
    reference = cite(mentions.paper.id.value)
    for statement in mentions.statements[:4]:
        if statement.kind == "object" and not statement.refers and not statement.front:
            for text in shorter_forms(statement, 12):
                if (
                    "\ue010" not in text
                    and "," not in text
                    and " and " not in text
                    and not copied_runs(text, statement.source)
                ):
                    return f"{text} {reference}", statement
    return f"“{title_text(mentions.paper)}” {reference}", None
