"""Tests of the noun groups of a sentence: articles that fit, and a name that says what it is of."""

import re

from citeplug.text.inflection import third_person
from citeplug.text.lexicon import DOINGS, VERBS
from citeplug.text.nounphrases import singular
from citeplug.text.stop_words import STOPWORDS

_ARTICLE = re.compile(r"\b(?:[Aa]n?|each|every)(?= (?P<words>(?:[\w’'-]+ ?)+))")
# "a" before a vowel's sound, "an" before a consonant's; letters by themselves are spelt.
_MISFIT = re.compile(
    r"\b[Aa] (?=[aio][a-z]|e(?!u)[a-z]|un(?!i))(?!one\b|once\b|o(?:ne|nce)-)|\b[Aa]n (?=[bcdfgjklmnpqrstvwyzBCDFGJKLMNPQRSTVWYZ][a-z]{2}|u(?:ni[^mn]|s[ae]))"
)
# "contents which is", "two algorithms that computes"
_DISAGREEING = re.compile(
    r"[a-z]{3}(?<![siu])s which (?:is|was|has)\b|"
    r"\b(?:two|three|four|several|various) (?:[\w-]+ ){0,4}[a-z]{3,}(?<![siu])s (?:that|which) "
    rf"(?:is|was|has|{'|'.join(sorted(map(third_person, VERBS | DOINGS)))})\b"
)
_BOUNDARY = STOPWORDS | frozenset("called named termed dubbed".split())
_NO_PLURALS = frozenset("series means lens bias corps always sometimes perhaps besides".split())
_UNCOUNTED = frozenset("data information research software knowledge evidence feedback equipment".split())
_DETERMINER = re.compile(r" ?(?:an?|the|its|their|all|each|every|no) ")
_RELATIVE = re.compile(r" ?(?:that|which) (?:[a-z]+ly (?:and [a-z]+ly )?)?([a-z]+)\b")
_VERBS = VERBS | DOINGS | {"are", "have", "do", "were"}
_NAMED = re.compile(
    r"(?=\S*[A-Z\d])[A-Za-z][\w-]*(?: [A-Z\d][\w.-]*){0,2}(?: ?\([^()]+\))?, (?:(?:an?|the|our) [a-zA-Z]|which |that )"
)


def has_faulty_article(text: str) -> bool:
    """True if an article does not fit its noun, or a verb: "a easy way", "every networks", "a model that use"."""
    if _MISFIT.search(text) or _DISAGREEING.search(text):
        return True
    for match in _ARTICLE.finditer(text):
        head, after = _group(match["words"])
        # "a source sends the updates": before a determiner it is a verb.
        if re.search(r"[’']s\b", match["words"].removesuffix(after)) or _DETERMINER.match(after):
            continue
        verb = _RELATIVE.match(after)
        if (
            (_is_plural(head) and not head.endswith("ing"))
            or head in _UNCOUNTED
            or head.endswith("ics")
            or (verb and verb[1] in _VERBS)
        ):
            return True
    return False


def is_named(said: str) -> bool:
    """True if it begins with a name and says what it is of: "LogVec, an embedding of ..."."""
    return _NAMED.match(said) is not None


def _group(text: str) -> tuple[str, str]:
    """The last word of the noun group at the beginning of `text`, and what follows it."""
    head, end = "", 0
    for match in re.finditer(r"[^\W_][\w’'$-]*(?: \([^()]*\))?", text):
        word = match[0].partition(" ")[0].lower()
        if text[end : match.start()].strip() or word in _BOUNDARY:
            break
        head, end = word, match.end()
    return head, text[end:]


def _is_plural(word: str) -> bool:
    if word.endswith("ing"):
        return True
    return word.endswith("s") and singular(word) != word and word not in _NO_PLURALS
