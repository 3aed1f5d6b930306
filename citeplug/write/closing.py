"""Sentences that relate a group of papers to the draft, by what the draft says of its own contribution."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.review import Sentence, Source
from citeplug.write.abstracts import contribution_statements
from citeplug.write.attribution import copied_runs, rouge1_precision, words
from citeplug.write.inflection import third_person
from citeplug.write.loosen import loosen
from citeplug.write.nounphrases import noun_phrases
from citeplug.write.person import has_first_person
from citeplug.write.phrasing import agree
from citeplug.write.praise import without_praise
from citeplug.write.sentences import split_sentences
from citeplug.write.shortening import shorter_forms
from citeplug.write.statement import Statement

# {p}: the predicate, in the third person singular; {t}: a noun phrase that draft and papers share.
_SHARED = (
    "the present paper shares with this work an interest in {t}, and {p}",
    "like these papers, the present one is concerned with {t}; it {p}",
    "with {t} the present paper takes up a subject of this group, and {p}",
    "the present paper, too, is concerned with {t}, and {p}",
)
_PLAIN = (
    "against this background, the present paper {p}",
    "the present paper, for its part, {p}",
    "in relation to this work, the present paper {p}",
    "with this literature in view, the present work {p}",
    "next to these contributions, the present paper {p}",
    "in turn, the present work {p}",
)
_SHARED_ALONE = (
    "the present paper shares with this work an interest in {t}",
    "like these papers, the present one is concerned with {t}",
    "the present paper, too, is concerned with {t}",
)


@dataclass(slots=True)
class DraftVoice:
    """The draft's statements, and what of them was used, so that no two paragraphs close alike."""

    abstract: str
    statements: list[Statement]
    topics: dict[str, str]
    used: dict[int, int] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, draft: Draft, packages: tuple[str, ...]) -> "DraftVoice":
        abstract = " ".join(draft.abstract.split())
        paper = Paper(ArxivId(""), draft.title, abstract, (), date.min, date.min)
        topics = {key: phrase.display for key, phrase in noun_phrases(paper).items() if len(key.split()) > 1}
        return cls(abstract, contribution_statements(abstract, draft.title, packages), topics)


def relate_to_draft(voice: DraftVoice, group: Sequence[Paper], intent: frozenset[str]) -> Sentence | None:
    """A sentence on the draft beside `group`; None if the draft's abstract says nothing of its own.

    It claims nothing of the papers, except that they share a subject with the draft where each of them
    names that subject.
    """
    shared = _shared_topic(voice, group)
    best: tuple[float, str, Statement] | None = None
    about = {word for paper in group for word in words(f"{paper.title} {paper.abstract}")}
    for statement in voice.statements[:8]:
        for predicate in _predicates(statement):
            said = set(words(predicate))
            value = (
                statement.weight - 2.2 * voice.used.get(statement.start, 0) - 0.08 * max(0, len(predicate.split()) - 18)
            )
            value += 1.5 * len(said & about) / max(6, len(said)) + 0.5 * len(said & intent)
            value -= 0.8 if copied_runs(predicate, statement.source) else 0.0
            value -= 1.0 if predicate in voice.told else 0.0
            if best is None or value > best[0]:
                best = value, predicate, statement
    if best is None:
        return _shared_only(voice, shared)
    _, predicate, statement = best
    voice.used[statement.start] = voice.used.get(statement.start, 0) + 1
    voice.told.add(predicate)
    sources = [_source(voice, statement.start, statement.end)]
    if shared and normal(shared) not in normal(predicate):
        template = _next(voice, _SHARED)
        place = _place_of(voice, shared)
        if place is not None and place != (statement.start, statement.end):
            sources.append(_source(voice, *place))
    else:
        template = _next(voice, _PLAIN)
    text = template.format(p=predicate, t=shared)
    return _sentence(text, tuple(sources))


def _predicates(statement: Statement) -> list[str]:
    """What "the present paper" does, in the third person singular, longer forms first."""
    found: list[str] = []
    if statement.kind not in ("object", "claim", "question"):
        return found
    verb = _third(statement.verb)
    that = "that " if statement.kind == "claim" else ""
    for form in shorter_forms(statement, 26):
        body = without_praise(agree(form, plural=False))
        if re.search(r"\b(?:they|them|theirs)\b", body):
            continue
        body = re.sub(r"\btheir\b", "its", body)
        text = loosen(f"{verb} {that}{body}", (statement.source,))
        if not has_first_person(text) and "{" not in re.sub(r"\$[^$]*\$", "", text):
            found.append(text)
    return found


def _third(verb: str) -> str:
    return "is " + verb[4:] if verb.startswith("are ") else third_person(verb)


def _shared_only(voice: DraftVoice, shared: str | None) -> Sentence | None:
    place = _place_of(voice, shared) if shared else None
    if shared is None or place is None:
        return None
    return _sentence(_next(voice, _SHARED_ALONE).format(t=shared), (_source(voice, *place),))


def _shared_topic(voice: DraftVoice, group: Sequence[Paper]) -> str | None:
    """The longest noun phrase of the draft that every paper of the group has too, preferably a new one."""
    texts = [normal(f"{paper.title} {paper.abstract}") for paper in group]
    common = [
        (key in voice.told, -len(key.split()), key)
        for key in voice.topics
        if texts and all(f" {key} " in text or f" {key}s " in text for text in texts)
    ]
    if not common:
        return None
    key = min(common)[2]
    voice.told.add(key)
    return voice.topics[key]


def normal(text: str) -> str:
    """Words only, to look phrases up in."""
    return f" {' '.join(words(text.replace('-', ' ')))} "


def _place_of(voice: DraftVoice, topic: str) -> tuple[int, int] | None:
    wanted = normal(topic).strip()
    for start, end in split_sentences(voice.abstract):
        if wanted in normal(voice.abstract[start:end]):
            return start, end
    return None


def _next(voice: DraftVoice, templates: Sequence[str]) -> str:
    template = min(templates, key=lambda t: voice.forms.get(t, 0))
    voice.forms[template] = voice.forms.get(template, 0) + 1
    return template


def _source(voice: DraftVoice, start: int, end: int) -> Source:
    return Source(None, None, voice.abstract[start:end], start, end)


def _sentence(text: str, sources: tuple[Source, ...]) -> Sentence:
    text = text[0].upper() + text[1:] + "."
    given = " ".join(source.text for source in sources)
    close = any(copied_runs(text, source.text) for source in sources)
    return Sentence(text, "draft", (), sources, rouge1_precision(text, given), quoted=close)
