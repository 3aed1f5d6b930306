"""Negations: none that the source does not make, and none of the source's left out."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of
from citeplug.text.stems import stem

_NEGATORS = frozenset(
    """not no never without cannot nor neither none hardly rarely seldom barely scarcely lack lacks lacked lacking fail
    fails failed failing failure absence unable nothing nobody non impossible avoid avoids avoided avoiding eliminate
    eliminates eliminating except excluding unlike ignore ignores ignored""".split()
)
_ENDS_SCOPE = frozenset(", ; : . ! ? ( ) but while whereas although though because since and yet however than".split())
_SCOPE = 6  # words
# Not denials: "not only", "whether or not", "no longer than" says a bound.
_NO_DENIAL = re.compile(
    r"\bnot (?:only|just|merely|necessarily)\b|\bwhether or not\b|\bnone of (?:which|whom)\b|\bif not\b", re.IGNORECASE
)
_NOT_UN = ("under", "uni", "unti", "unto", "unless", "unt")


def turned_negations(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Denials added to what the quotations say, and denials of theirs (or of their sentences) left out."""
    said, given, around = polarities(segment), polarities(evidence.said), polarities(evidence.around)
    titled = polarities(evidence.titled)
    words = {word.stem: word.lower for word in words_of(segment)}
    added = [word for word, signs in said.items() if signs == {-1}]
    for word in added:
        if given.get(word) == {1}:
            yield Doubt("negation", f"the quotation does not deny what the sentence says of “{words.get(word, word)}”")
    if added and not any(-1 in signs for signs in given.values()) and not any(given.get(word) == {1} for word in added):
        yield Doubt("negation", "the quotation denies nothing, the sentence does")
    for word, signs in said.items():
        if 1 in signs and around.get(word) == {-1} and 1 not in titled.get(word, ()):
            yield Doubt("negation", f"the source denies it where the sentence says “{words.get(word, word)}”")


def polarities(text: str) -> Mapping[str, set[int]]:
    """For each word that tells something, by its stem: 1 if it is said, -1 if it is denied, perhaps both.

    "Unlabeled", "label-free" and "non-linear" deny "labeled", "label" and "linear".
    """
    words = words_of(_NO_DENIAL.sub(" ", text))
    found: dict[str, set[int]] = defaultdict(set)
    left = 0
    for index, word in enumerate(words):
        if word.lower == "non":
            left = 2  # the next word alone
        elif denies(word):
            left = _SCOPE + 1
        elif word.lower in _ENDS_SCOPE:
            left = 0
        sign = -1 if left else 1
        left = max(0, left - 1)
        if not word.tells or denies(word):
            continue
        following = words[index + 1] if index + 1 < len(words) else None
        if following is not None and following.lower == "free" and following.start == word.end + 1:
            sign = -sign
        found[word.stem].add(sign)
        bare = _without_un(word)
        if bare:
            found[bare].add(-sign)
    return found


def denies(word: Word) -> bool:
    return word.lower in _NEGATORS or word.lower.endswith("n't")


def _without_un(word: Word) -> str | None:
    if word.lower.startswith("un") and len(word.lower) >= 7 and not word.lower.startswith(_NOT_UN):
        return stem(word.lower[2:])
    return None
