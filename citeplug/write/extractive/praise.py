"""Leave out the words by which authors recommend their work."""

import itertools
import re
from collections.abc import Sequence

from citeplug.text.lexicon import PRAISE, PRAISE_OF_PRODUCTS, PREPOSITIONS, PRODUCTS, STUDIES
from citeplug.text.stop_words import STOPWORDS

_NOT_AFTER = frozenset("more most less as not is are be so too and or but yet both".split())
_ENDS_PHRASE = PREPOSITIONS - {"and", "or"}
_NOT_BEFORE = re.compile(r"(?:and|or|but|yet|than|to|in|for|of|as|by|enough|when|with|at|on)\b")
# Capital letters that are read as a word, not one by one, begin with its sound.
_READ_AS_WORD = re.compile(r"[A-Z](?:[AEIOU][A-Z]|[A-Z]?[a-z])")
_VOWEL_NAMES = "AEFHILMNORSX"
_CONSONANT_SOUND = re.compile(r"(?:uni(?!n|m)|us[aeiu]|util|ubiq|u-|eu|one\b|one-|once|uk)")


def without_praise(text: str) -> str:
    """The text without "novel", "efficient", "significantly" and their like, its articles put right."""
    tokens = text.split(" ")
    kept: list[str] = []
    dropped = False
    for index, token in enumerate(tokens):
        before = kept[-1].lower() if kept else ""
        if (
            dropped
            and token in ("and", "yet", "but")
            and (before in ("a", "an", "the") or _is_praise(tokens, index + 1))
        ):
            continue  # "simple and effective"
        if (dropped or not before or before.endswith(",") or before in STOPWORDS) and _is_praise(tokens, index):
            if tokens[index + 1] in ("and", "yet", "but") and before in ("a", "an", "the") and not token.endswith(","):
                dropped = True
                continue
            pair = (
                tokens[index + 1] in ("and", "yet", "but") and index + 2 < len(tokens) and _is_praise(tokens, index + 2)
            )
            if pair or _droppable(before, tokens[index + 1]):
                dropped = True
                continue
        if dropped and before in ("a", "an"):
            kept[-1] = kept[-1][0] + ("n" if _vowel_sound(token) else "")
        kept.append(token)
        dropped = False
    return " ".join(kept)


def _is_praise(tokens: Sequence[str], index: int) -> bool:
    word = tokens[index].rstrip(",")
    if index + 1 >= len(tokens):
        return False
    if word in PRAISE:
        return True
    following = itertools.takewhile(lambda t: t not in _ENDS_PHRASE, tokens[index + 1 : index + 7])
    return word in PRAISE_OF_PRODUCTS and any(token.rstrip(",") in PRODUCTS | STUDIES for token in following)


def _droppable(before: str, after: str) -> bool:
    return before not in _NOT_AFTER and not _NOT_BEFORE.match(after)


def _vowel_sound(word: str) -> bool:
    if re.match(r"[A-Z](?:[A-Z\d-]|$)", word) and not _READ_AS_WORD.match(word):
        return word[0] in _VOWEL_NAMES
    lower = word.lower()
    if _CONSONANT_SOUND.match(lower):
        return False
    return lower[0] in "aeiou" or lower.startswith(("hour", "honest", "heir"))
