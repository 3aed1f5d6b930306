"""Noun phrases of a title and an abstract, good enough to stand alone: as a heading, or as a topic."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from citeplug.records.paper import Paper
from citeplug.text.inflection import gerund, participle, past, third_person
from citeplug.text.lexicon import AMBIGUOUS, PRAISE, PRAISE_OF_PRODUCTS, VERBS
from citeplug.text.plaintext import HOLE, plain_text
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_VERB_FORMS = frozenset(
    form
    for verb in VERBS
    for form in (
        (participle(verb), past(verb))
        if verb in AMBIGUOUS
        else (verb, third_person(verb), participle(verb), past(verb), gerund(verb))
    )
) - _TABLES.words("nouns_in_ing")
# A noun phrase does not reach across these.
BREAKS = STOPWORDS | PRAISE | PRAISE_OF_PRODUCTS | _VERB_FORMS | _TABLES.words("fillers")

GENERIC = frozenset(_TABLES.values("generic"))
_ADJECTIVE = re.compile(
    r".*(?:ical|ional|ual|ial|eous|ious|ful|less|able|ible|ive|ary|ular|atic|istic|etic|ent|ant|ic|al|ous|ed|aware|free|wise|"
    r"level|scale|driven|based|like|efficient|specific|oriented|independent|dependent|invariant|guided|assisted|agnostic|"
    r"complete|hard)"
)
_NOUNS_ALL_THE_SAME = _TABLES.words("nouns_all_the_same")
_NEVER_LAST = _TABLES.words("never_last")
_MAY_BE_ONE_WORD = re.compile(
    r"[A-Z][\w-]*[A-Z][\w-]*|[a-z]+(?:tion|ity|ment|ness|ism|ology|ometry|ography|gravity|cosmology)s?"
)


def is_break(word: str) -> bool:
    """True if a noun phrase ends before this word, in lower case: a function word, a verb, an adverb."""
    return word in BREAKS or (
        word.endswith("ly") and len(word) > 4 and word not in ("family", "anomaly", "assembly", "supply", "butterfly")
    )


def may_be_last(word: str) -> bool:
    """True if the word can be the head of a noun phrase."""
    small = word.lower()
    if small in _NEVER_LAST or (len(small) < 3 and not word.isupper()) or small.endswith("'s"):
        return False
    return word.isupper() or not is_adjective(small)


def is_adjective(word: str) -> bool:
    """True if the word looks like an adjective before its noun."""
    small = word.lower()
    if small in _NOUNS_ALL_THE_SAME or small.rstrip("s") in _NOUNS_ALL_THE_SAME or not word.islower():
        return False
    return _ADJECTIVE.fullmatch(small) is not None


def may_be_alone(word: str) -> bool:
    """True if the word alone can name a topic: an acronym, a name with two capitals, an abstract noun."""
    return len(word) > 2 and not word.endswith("ing") and _MAY_BE_ONE_WORD.fullmatch(word) is not None


Phrases = dict[str, "NounPhrase"]

_LONGEST = 5  # words
_TITLE, _ABSTRACT = 3.0, 1.0
# Endings that names seldom have: of such a word the title's capital tells nothing.
_NO_NAME = re.compile(
    r"[a-z]{3}(?:able|ible|ing|[ts]ion|ment|ness|ity|ive|[tnsu]al|ous|less|ful|[a-z]ed)$|^[a-z]{3,}ly$"
)
_NAMES = frozenset(
    "turing ising sterling fleming herring reading boeing beijing hastings trinity mersenne emily".split()
)


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """`display`: as it would be in the middle of a sentence. `weight`: larger where the title has it."""

    display: str
    weight: float
    in_title: bool


def small_words(papers: Iterable[Paper]) -> frozenset[str]:
    """The words that these papers write in small letters somewhere, so that a capital tells nothing about them."""
    phrases: set[str] = set()
    for paper in papers:
        text = f"{paper.abstract} {paper.title.partition(' ')[2]}"
        phrases.update(re.findall(r"(?<![\w$\\])[a-z][a-z-]+", text))
    return frozenset(phrases)


def noun_phrases(paper: Paper, small: frozenset[str] = frozenset()) -> Phrases:
    """Noun phrases of one to five words by `normal_form`. `small`: words known to need no capital."""
    small = small or small_words([paper])
    phrases: Phrases = {}
    for text, weight in ((paper.title, _TITLE), (paper.abstract, _ABSTRACT)):
        for chunk in _chunks(_readable(text)):
            for size in range(1, min(_LONGEST, len(chunk)) + 1):
                # The head comes last: what is shorter than the whole is its end.
                phrase = chunk[-size:]
                if not _stands_alone(phrase):
                    continue
                display = _in_sentence(phrase, small)
                key = normal_form(display)
                old = phrases.get(key)
                total = (old.weight if old else 0.0) + weight + (0.5 if size == len(chunk) else 0.0)
                title = weight == _TITLE or (old is not None and old.in_title)
                # The abstract shows which capitals are not just the title's.
                phrases[key] = NounPhrase(display, min(total, 9.0), title)
    return phrases


def normal_form(phrase: str) -> str:
    """Lower case, with the last word in the singular: the key by which phrases are the same."""
    tokens = phrase.lower().split()
    return " ".join([*tokens[:-1], singular(tokens[-1])])


def singular(word: str) -> str:
    """The singular of a noun that looks like a plural; other words stay."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "ics")) and len(word) > 3 else word


def _readable(text: str) -> str:
    plain = plain_text(text, holes=True)
    if plain is None:
        plain = re.sub(r"\\[A-Za-z]+|[{}\\$]", " ; ", text)
    return re.sub(rf"\$[^$]*\$|{HOLE}", " ; ", plain)


def _chunks(text: str) -> Iterator[list[str]]:
    """Runs of words between function words, verbs and punctuation."""
    current: list[str] = []
    for token in [*re.findall(r"[A-Za-z][\w'’]*(?:[-–][\w'’]+)*|\d[\w-]*|[^\s\w]", text), "."]:
        if token[0].isalpha() and not is_break(token.lower()):
            current.append(token)
            continue
        while current and not may_be_last(current[-1]):
            current.pop()
        if 0 < len(current) <= 7:
            yield current
        current = []


def _stands_alone(phrase: list[str]) -> bool:
    if not may_be_last(phrase[-1]) or (len(phrase) == 1 and not may_be_alone(phrase[0])):
        return False
    if phrase[0].lower().endswith("'s") or any(len(part) == 1 for part in phrase):
        return False
    return len(" ".join(phrase)) <= 60


def _in_sentence(phrase: list[str], small: frozenset[str]) -> str:
    """With small letters where the capitals are only the title's; a name keeps all of its capitals."""
    lowered = [lower_in_sentence(word, small) for word in phrase]
    name = any(was == now and _is_capitalised(was) for was, now in zip(phrase, lowered, strict=True))
    return " ".join(phrase if name else lowered)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()


def lower_in_sentence(word: str, small: frozenset[str]) -> str:
    """A word of a title as it would be in the middle of a sentence; `small`: words known to need no capital."""
    if not re.fullmatch(r"[A-Z][a-z]+(?:-[A-Za-z][a-z]+)*", word):
        return word
    low = word.lower()
    known = {low, low + "s", singular(low)} & small or all(part in small for part in low.split("-"))
    return low if known or (_NO_NAME.search(low) and low not in _NAMES) else word
