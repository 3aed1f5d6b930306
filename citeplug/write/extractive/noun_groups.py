"""Tests of the noun groups of a sentence: articles that fit, and an object that says which thing it is."""

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
_EMPTY = frozenset(
    """result summary problem question issue topic feature number variety aspect idea remark observation example detail
    discussion step insight point attempt effort way evidence experience case concept notion set series overview
    experiment collection range adaptation possibility need role fact property contribution couple""".split()
)
_OPENING = re.compile(r"(?P<start>an?|the first|two|three|four|five|several|new|novel|(?P<the>the )|)\b ?(?P<rest>.*)$")
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


def is_plain_object(said: str, *, may_be_definite: bool) -> bool:
    """True if it begins with a noun group that has its article or is a plural, and goes on to say which or what for."""
    match = _OPENING.match(said)
    if match is None:
        return False
    head, after = _group(match["rest"], joined=True)
    named = len(match["rest"].removesuffix(after).split()) > 2  # "the graph Markov network"
    if match["the"] and not (may_be_definite or named):
        return False
    if not head or (singular(head) in _EMPTY and not (may_be_definite and re.match(r" (?:of|for) ", after))):
        return False
    if match["start"] in ("", "new", "novel") and not match["rest"][:1].isalpha():
        return False
    if match["start"] in ("", "new", "novel") and (not _is_plural(head, may_be_definite) or match["rest"][0].isupper()):
        return False
    return after.strip() != ""


def is_named(said: str) -> bool:
    """True if it begins with a name and says what it is of: "LogVec, an embedding of ..."."""
    return _NAMED.match(said) is not None


def _group(text: str, *, joined: bool = False) -> tuple[str, str]:
    """The last word of the noun group at the beginning of `text`, and what follows it; `joined` goes on after "and"."""
    head, end = "", 0
    for match in re.finditer(r"[^\W_][\w’'$-]*(?: \([^()]*\))?", text):
        word = match[0].partition(" ")[0].lower()
        if text[end : match.start()].strip() or (word in _BOUNDARY and not (joined and word in ("and", "or"))):
            break
        head, end = word, match.end()
    return head, text[end:]


def _is_plural(word: str, uncounted: bool = False) -> bool:
    if word.endswith("ing") or (uncounted and word.endswith(("ics", "ity", "tion"))):
        return True
    return word.endswith("s") and singular(word) != word and word not in _NO_PLURALS
