"""Small and capital letters: names and acronyms keep theirs."""

import re
from collections.abc import Collection

from citeplug.text.lexicon import DOINGS, PRODUCTS, VERBS
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tables import Tables

_TABLES = Tables(__name__)
_ENDINGS = tuple(_TABLES.values("endings"))
_COMMON = _TABLES.words("common")
# A name is seldom before these.
_NOUN_BEFORE = re.compile(r"(?:of|for|in|on|between|from|to|with|and|or)\b")


def lower_first(text: str, small: Collection[str] = ()) -> str:
    """The text with its first letter small, unless it seems to be a name, an acronym or a symbol.

    `small` are words seen in small letters elsewhere.
    """
    head, _, rest = text.partition(" ")
    if not head[:1].isupper() or (len(head) > 1 and not head[1:].islower()):
        return text
    # "Mirror Symmetry, Picard-Fuchs equations and": all of a heading, or nothing.
    if re.match(r"[A-Z][a-z]+", rest) and head.lower() not in STOPWORDS:
        return text
    return (
        text[0].lower() + text[1:]
        if head.lower() in small or head.lower() in STOPWORDS or _NOUN_BEFORE.match(rest) or is_common(head.lower())
        else text
    )


def capital(text: str) -> str:
    """The text with its first letter large; markers and symbols stay as they are, and so do vLLM and wav2vec."""
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    is_name = not first.islower() or re.search(r"\d", first)
    return text if is_name or not text[:1].islower() else text[0].upper() + text[1:]


def is_common(word: str) -> bool:
    """Return True for a word, in small letters, that is no name."""
    return word in VERBS | DOINGS | PRODUCTS | _COMMON or (len(word) > 6 and word.endswith(_ENDINGS))
