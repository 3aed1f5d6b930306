"""The sentences of an abstract on the thing that its authors made: how it works, whole, and whose it is."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from citeplug.records.paper import Paper
from citeplug.related.write.extractive.contributions import is_plural, says_subject
from citeplug.related.write.extractive.statements import (
    MAKE,
    Abstract,
    Contribution,
    content_words,
    deeds,
    read_statement,
    without_label,
)
from citeplug.related.write.extractive.wording import LONGEST, PAPER_NOUN, leans_outside, lost_referents, readable
from citeplug.text.inflection import BASE_OF_THIRD, third_person
from citeplug.text.lexicon import DOINGS, PRODUCTS
from citeplug.text.sentences import split_sentences

_LEAST_WORDS = 4  # of what is said of the thing
_MOST_SENTENCES = 40  # of an abstract that are looked at
_WEIGHT = 2.0
_NOUN = "|".join(sorted(PRODUCTS - {"function", "functions", "resource", "resources", "environment", "application"}))
_SYSTEM = r"(?=[\w+#-]*[A-Z][\w+#-]*[A-Z\d]|[a-z]+[A-Z]|[A-Z][a-z]+\w)[A-Za-z][\w+#-]{2,}"
_LEAD = re.compile(
    r"^(?:(?:Specifically|In particular|More specifically|More precisely|Concretely|Technically|Moreover|Furthermore|"
    r"In addition|Additionally|Conceptually|In essence|At its core|Here|To (?:this end|do so|achieve this)|"
    r"(?:To|For|In order to) [^,;:]{4,70}),? )?"
)
_ITS_THING = re.compile(
    rf"^(?:(?:[Oo]ur|[Tt]h(?:e|is|ese) (?:proposed|presented|resulting|introduced|developed|new|novel))"
    rf" (?P<thing>(?:[\w-]+ ){{0,3}}?(?:{_NOUN}))|[Tt]h(?:e|is|ese) (?P<noun>(?:(?!of\b)[\w-]+ ){{0,2}}?[a-z]+)"
    rf"|(?P<it>It|They)|(?P<name>{_SYSTEM}))"
    r"(?:,? (?:called|named|dubbed|termed) [\w -]+?,| \([^()]{2,60}\))?"
    r"(?P<verb> (?:[a-z]+ly )?(?:is|are|can|does|do|[a-z]{3,}))(?P<rest> [^;:]+)$"
)
_HEAD = re.compile(
    r"^(?:an?|the|two|three|several|some|new)?(?: [\w-]+){1,6}?(?=,| ?\(| (?:for|that|which|to|of|with|in|on|based|using|by|from|called|named|dubbed|termed|where|whose|and|as)\b|$)"
)
# A noun that belongs to the one before it, no verb.
_NO_VERB = re.compile(r" (?:is|are|was|were|can|has|have|that|which|of|and|or|in|by|will|may)\b")
# How it was tried and how good it is: nothing of what it is.
_TRIED = re.compile(
    r"^ (?:is|are|can be) (?:also |\w+ly )?(?:evaluated|validated|tested|illustrated|demonstrated|verified|compared|shown|available"
    r"|released|implemented|published|open|robust|scalable|general|generic|fast|efficient|effective|simple|easy|competitive|able"
    r"|(?:\S+ )?[a-z]+er than|well|very|quite|computationally|assessed|much|more|not|also|further|then|found|applied|used|expected|proven|proved|in|at|to|presented|described|discussed|given)\b"
    r"|^ (?:\w+ly )?(?:outperforms?|proves|achieves?|performs?|shows?|demonstrates?|exhibits?|improves?|scales?|obtains?|attains?|surpasses|beats"
    r"|yields?|reaches|works|compares?|gives?|gets?|seems?|appears?|has|have|also|helps?|aims?|needs?|opens?|makes?|provides?|results?|leads?)\b"
)
_OF_NEXT = re.compile(
    r"\b(?:we|us|I|my|[Oo]ur|it|they|latter|former|above|below|then|however|therefore|thus|also|instead|state-of-the-art|superior|better)\b"
    r"|\boutperform|\bsignificantly\b"
)
_CALLED = re.compile(rf"(?:\b(?:called|named|dubbed|termed|namely|coined),? |\b(?:{_NOUN}) \()(?P<name>{_SYSTEM})\b")
_FIRST_NAMED = re.compile(rf"^(?P<name>{_SYSTEM})\b(?=,| ?\(|:| to | that | which | for | as )")


def find_mechanisms(paper: Paper, packages: tuple[str, ...] = ()) -> list[Contribution]:
    """What the abstract says of the thing that its authors made, with the thing as its subject, in its order.

    A thing is theirs if they say "our" or "proposed", if it bears the name that they or the title give it, or if they said
    before that they made one: "we present a parser. The parser reads logs".
    """
    told = _mechanisms(Abstract(paper.abstract, paper.title, is_plural(paper), is_draft=False), packages)
    return [replace(one, titled=not says_subject(one, paper, one.thing)) for one in told]


@lru_cache(maxsize=4096)
def _mechanisms(of: Abstract, packages: tuple[str, ...]) -> tuple[Contribution, ...]:
    return tuple(_read(of, packages))


def _read(of: Abstract, packages: tuple[str, ...]) -> Iterator[Contribution]:
    things = _Things(_names_in_title(of.title))
    for start, end in split_sentences(of.text)[:_MOST_SENTENCES]:
        text = readable(of.text[start:end], packages)
        if text is None:
            continue
        text = without_label(text).removesuffix(".")
        told = _of_thing(text, start, end, things)
        things.it = ""
        if told is not None and _stands(told, of):
            yield told
        if deeds(text) & MAKE:
            statement = read_statement(text, start, end, of)
            things.add(statement if statement is not None and statement.makes else None, text)
        elif told is not None:
            things.it = told.thing


def _names_in_title(title: str) -> set[str]:
    head = re.match(rf"(?P<name>{_SYSTEM})(?:: | [–—-] )", title)
    return {head["name"]} if head else set()


@dataclass(slots=True)
class _Things:
    """What the authors said that they made: by `names`, by `nouns`, and what "it" is in the next sentence."""

    names: set[str]
    nouns: set[str] = field(default_factory=set)
    it: str = ""

    def add(self, made: Contribution | None, text: str) -> None:
        words = made.said if made is not None else text
        self.nouns |= {word for word in re.findall(r"[a-z]+", " ".join(words.split()[:12]).lower()) if word in PRODUCTS}
        first = _FIRST_NAMED.match(words) if made is not None else None
        new = [match["name"] for match in (*filter(None, [first]), *_CALLED.finditer(words))]
        self.names |= {*new}
        head = _HEAD.match(words) if made is not None else None
        if head is not None and not new:
            self.it = head[0].split()[-1].lower()
            self.nouns.add(self.it)
        elif new:
            self.it = new[0]

    def read(self, match: re.Match[str]) -> str | None:
        """The thing of which a sentence speaks, if it is theirs."""
        if match["it"]:
            if re.match(r" (?:is|are) (?:an?|the) ", f"{match['verb']}{match['rest']}"):  # of a task
                return None
            plural = self.it.endswith("s") and self.it.islower()
            return self.it if self.it and plural == (match["it"] == "They") else None
        if match["noun"]:
            return match["noun"] if match["noun"].split()[-1] in self.nouns else None
        return match["thing"] or (match["name"] if match["name"] in self.names else None)


def _of_thing(text: str, start: int, end: int, things: _Things) -> Contribution | None:
    lead = _LEAD.match(text)
    match = _ITS_THING.match(text[lead.end() :] if lead else text)
    thing = things.read(match) if match is not None else None
    if match is None or thing is None:
        return None
    verb, rest = match["verb"].strip().split()[-1], match["rest"]
    finite = verb in ("is", "are", "can", "does") or _is_verb(verb)
    if match["name"]:
        finite = finite or (verb.endswith(("izes", "ises", "ifies")) and not _NO_VERB.match(rest))
    if thing.endswith("s"):
        finite = finite or verb in DOINGS or verb in ("do", *BASE_OF_THIRD.values())
    noun = verb not in ("is", "are", "can", "does") and (
        _NO_VERB.match(rest) or _is_verb(rest.split()[0]) or rest.split()[0] in DOINGS
    )
    if not finite or noun or _TRIED.match(f"{match['verb']}{rest}"):
        return None
    thing = re.sub(r"^(?:(?:novel|new|proposed|simple|own) )+", "", thing)
    verb = match["verb"].strip()
    return Contribution(verb, rest.strip(), "", text, start, end, _WEIGHT, by_paper=False, thing=thing)


def _is_verb(word: str) -> bool:
    return word in BASE_OF_THIRD or word in _DOES


def _stands(told: Contribution, of: Abstract) -> bool:
    """Return True if it can be read without what the abstract says before it."""
    words = told.said
    return (
        _LEAST_WORDS <= len(words.split()) <= LONGEST
        and len(content_words(words)) >= 3
        and not _OF_NEXT.search(words)
        and not leans_outside(words)
        and not re.search(rf"\b{PAPER_NOUN}\b", told.thing)
        and words[-1] not in ",:;-"
        and lost_referents(words, f"{of.title} {told.thing}", of.text[: told.start])[:1] != [0]
    )


_DOES = frozenset(map(third_person, DOINGS)) | {"consists", "relies", "builds", "operates"}
