"""Sentences that relate a group of papers to the draft, by what the draft says of itself."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.section import Sentence, Source
from citeplug.text.cited_text import copied_runs, words
from citeplug.text.inflection import third_person
from citeplug.text.letters import capital, lower_first
from citeplug.text.lexicon import BARE_PRODUCTS
from citeplug.text.nounphrases import noun_phrases, singular, small_words
from citeplug.text.plaintext import plain_text
from citeplug.text.sentences import split_sentences
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.abstracts import LABEL, contribution_statements
from citeplug.write.extractive.loosen import loosen
from citeplug.write.extractive.person import has_first_person, points_outside
from citeplug.write.extractive.phrasing import agree
from citeplug.write.extractive.praise import without_praise
from citeplug.write.extractive.shortening import shorter_forms
from citeplug.write.extractive.statement import Statement

_PAPER = "the present paper"
# {s}: the subject, {p}: what is said of it, {t}: a noun phrase that draft and papers share.
_PLAIN = (
    "against this background, {s} {p}",
    "in relation to this work, {s} {p}",
    "with this literature in view, {s} {p}",
    "next to these contributions, {s} {p}",
    "in turn, {s} {p}",
)
_OWN_PART = ("the present paper, for its part, {p}",)
_SHARED = (
    "the present paper shares with this work an interest in {t}, and {p}",
    "like these papers, the present one is concerned with {t}; it {p}",
    "the present paper, too, is concerned with {t}, and {p}",
)
_SHARED_ALONE = (
    "the present paper shares with this work an interest in {t}",
    "like these papers, the present one is concerned with {t}",
    "the present paper, too, is concerned with {t}",
)
_PREMISE = (
    "the present paper starts from the observation that {p}",
    "the present paper sets out from the premise that {p}",
    "for the present paper the point of departure is that {p}",
)


# A stipulation, or what the draft itself does, told in the passive.
_NO_PREMISE = re.compile(
    r"^(?:Let|Consider|Suppose|Assume|Given|Recall|Note|Denote|Fix|Take|Here)\b"
    r"|\b(?:is|are|was|were|been) (?:also )?(?:used|applied|studied|considered|presented|shown|given|discussed|derived|investigated|"
    r"analy[sz]ed|computed|calculated|proposed|introduced|obtained|found|described|reported|developed|demonstrated|employed|examined)\b"
)


@dataclass(frozen=True, slots=True)
class _Remark:
    """One thing to say of the draft: a clause of `subject` and `predicate`, or a premise (no subject)."""

    subject: str
    predicate: str
    start: int
    end: int
    weight: float


@dataclass(slots=True)
class DraftVoice:
    """What can be said of the draft, and what of it was used, so that no two paragraphs close alike.

    `topics` are noun phrases of the draft by their normal form, as they can stand after a preposition.
    """

    abstract: str
    remarks: list[_Remark]
    topics: dict[str, str]
    used: dict[int, int] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, draft: Draft, packages: tuple[str, ...]) -> "DraftVoice":
        abstract = " ".join(draft.abstract.split())
        statements = contribution_statements(abstract, draft.title, packages)[:8]
        remarks = [remark for statement in statements for remark in _remarks(statement)]
        spoken = {statement.start for statement in statements}
        return cls(
            abstract, [*remarks, *_premises(abstract, draft.title, spoken, packages)], _topics(draft.title, abstract)
        )


def relate_to_draft(voice: DraftVoice, group: Sequence[Paper], intent: frozenset[str]) -> Sentence | None:
    """A sentence on the draft beside `group`; None if the draft's abstract gives nothing to say.

    It claims nothing of the papers, except that they share a subject with the draft where each of them
    names that subject.
    """
    shared = _shared_topic(voice, group)
    about = {word for paper in group for word in words(f"{paper.title} {paper.abstract}")} - STOPWORDS
    # What was said before comes last, and before that what the draft says of its field alone.
    ranked = sorted(
        voice.remarks,
        key=lambda remark: (voice.used.get(remark.start, 0), not remark.subject, -_value(remark, voice, about, intent)),
    )
    if not ranked:
        return _shared_only(voice, shared)
    remark = ranked[0]
    # Nothing new to say: better a plain word on what is shared than the same statement again.
    if voice.used.get(remark.start) and (plain := _shared_only(voice, shared)):
        return plain
    voice.used[remark.start] = voice.used.get(remark.start, 0) + 1
    voice.told.add(remark.predicate)
    sources = [_source(voice, remark.start, remark.end)]
    if not remark.subject:
        template = _next(voice, _PREMISE)
    elif shared and remark.subject == _PAPER and _normal(shared) not in _normal(remark.predicate):
        template = _next(voice, _SHARED)
        place = _place_of(voice, shared)
        if place is not None and place != (remark.start, remark.end):
            sources.append(_source(voice, *place))
    else:
        template = _next(voice, _PLAIN + _OWN_PART if remark.subject == _PAPER else _PLAIN)
    return _sentence(template.format(s=remark.subject, p=remark.predicate, t=shared), sources)


def _value(remark: _Remark, voice: DraftVoice, about: set[str], intent: frozenset[str]) -> float:
    said = set(words(remark.predicate)) - STOPWORDS
    value = remark.weight
    value -= 0.1 * max(0, len(remark.predicate.split()) - 20) + 0.15 * max(0, 10 - len(remark.predicate.split()))
    value += 2.0 * len(said & about) / max(6, len(said)) + 0.5 * len(said & intent)
    text = voice.abstract[remark.start : remark.end]
    return value - (0.5 if copied_runs(remark.predicate, text) else 0.0)


def _remarks(statement: Statement) -> Iterator[_Remark]:
    """What the statement says of "the present paper", in the third person singular, longer forms first."""
    subject, that = _PAPER, ""
    if statement.kind == "method":
        subject = f"the {without_praise(statement.verb)} of the present paper"
    elif statement.kind == "named":
        subject = f"{statement.verb}, the subject of the present paper,"
    elif statement.kind == "claim":
        that = "that "
    for form in shorter_forms(statement, 26):
        body = without_praise(agree(form, plural=False))
        if re.search(r"\b(?:they|them|theirs)\b", body):
            continue
        body = that + re.sub(r"\btheir\b", "its", body)
        if statement.kind == "named":
            body = f"is {body}"
        elif statement.kind != "method":
            body = f"{_third(statement.verb)} {body}"
        text = loosen(body, (statement.source,))
        telling = set(words(body)) - STOPWORDS - BARE_PRODUCTS
        if not has_first_person(text) and len(telling) > 2:
            yield _Remark(subject, text, statement.start, statement.end, statement.weight)


def _third(verb: str) -> str:
    return "is " + verb[4:] if verb.startswith("are ") else third_person(verb)


def _premises(abstract: str, title: str, spoken: set[int], packages: tuple[str, ...]) -> Iterator[_Remark]:
    """Sentences of the draft on its field, for when all that it says of itself has been said."""
    # What carries a name of the title is the draft's own, not its field's.
    named = {word for word in re.findall(r"[\w+-]+", title) if word[0].isupper()}
    small = frozenset(re.findall(r"(?<![\w$\\])[a-z]{3,}", abstract))
    for start, end in split_sentences(abstract):
        text = plain_text(abstract[start:end], packages)
        if start in spoken or not text or not text.endswith(".") or not 6 <= len(text.split()) <= 24:
            continue
        text = text.removesuffix(".")
        if (
            LABEL.match(text)
            or text.split()[0].strip(",") in named
            or has_first_person(text)
            or points_outside(text)
            or re.match(r"(?:[A-Z][a-z]+ly|However|But|Yet|So|And)\b", text)
            or _NO_PREMISE.search(text)
        ):
            continue
        yield _Remark("", loosen(lower_first(text, small), (text,)), start, end, 0.5)


def _topics(title: str, abstract: str) -> dict[str, str]:
    """Noun phrases of the draft that can follow "an interest in": plurals, and what needs no article."""
    paper = Paper(ArxivId(""), title, abstract, (), date.min, date.min)
    text = f"{title} {abstract}"
    found: dict[str, str] = {}
    for key, phrase in noun_phrases(paper, small_words([paper])).items():
        if len(key.split()) < 2:
            continue
        last = phrase.display.split()[-1]
        if set(key.split()) & _NO_TOPIC:
            continue
        countable = (
            last.islower() and last.isalpha() and not last.endswith(_ABSTRACT) and _counted(phrase.display, text)
        )
        if singular(last) != last or not countable:
            found[key] = phrase.display
        elif not last.endswith(("y", "s", "x", "ch", "sh")):
            found[key] = phrase.display + "s"
    return found


_NO_TOPIC = frozenset(
    "time times fold faster slower better worse larger smaller higher lower more less percent order orders".split()
)
_ABSTRACT = ("ing", "tion", "sion", "ment", "ity", "ance", "ence", "ness", "ism", "ogy", "ics", "sis", "ware", "ship")


def _counted(phrase: str, text: str) -> bool:
    """Whether the text has the phrase with an article: then it wants one, or the plural."""
    return bool(re.search(rf"\b(?:an?|the|each|every|one|this) (?:[\w-]+ )?{re.escape(phrase)}\b", text))


def _shared_only(voice: DraftVoice, shared: str | None) -> Sentence | None:
    place = _place_of(voice, shared) if shared else None
    if shared is None or place is None:
        return None
    return _sentence(_next(voice, _SHARED_ALONE).format(t=shared), [_source(voice, *place)])


def _shared_topic(voice: DraftVoice, group: Sequence[Paper]) -> str | None:
    """The longest noun phrase of the draft that every paper of the group has too, preferably a new one."""
    texts = [_normal(f"{paper.title} {paper.abstract}") for paper in group]
    common = [
        (key in voice.told, -len(key.split()), key)
        for key in voice.topics
        if texts and all(f" {_normal(key).strip()} " in text for text in texts)
    ]
    if not common:
        return None
    key = min(common)[2]
    voice.told.add(key)
    return voice.topics[key]


def _normal(text: str) -> str:
    """Words only, in the singular, to look phrases up in."""
    return f" {' '.join(singular(word) for word in words(text))} "


def _place_of(voice: DraftVoice, topic: str) -> tuple[int, int] | None:
    wanted = _normal(topic)
    places = split_sentences(voice.abstract)
    return next((place for place in places if wanted in _normal(voice.abstract[place[0] : place[1]])), None)


def _next(voice: DraftVoice, templates: Sequence[str]) -> str:
    template = min(templates, key=lambda t: voice.forms.get(t, 0))
    voice.forms[template] = voice.forms.get(template, 0) + 1
    return template


def _source(voice: DraftVoice, start: int, end: int) -> Source:
    return Source(None, None, voice.abstract[start:end], start, end)


def _sentence(text: str, sources: Sequence[Source]) -> Sentence:
    text = capital(text) + "."
    close = any(copied_runs(text, source.text) for source in sources)
    return Sentence(text, "draft", (), tuple(sources), quoted=close)
