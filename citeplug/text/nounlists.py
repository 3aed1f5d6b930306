"""Closed lists by which noun phrases are recognised."""

import re

from citeplug.text.inflection import gerund, participle, past, third_person
from citeplug.text.lexicon import AMBIGUOUS, PRAISE, PRAISE_OF_PRODUCTS, VERBS
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
