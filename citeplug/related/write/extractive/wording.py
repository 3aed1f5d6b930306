"""Tests of a sentence for standing alone: whole, in English, with its acronyms and symbols explained, and not pointing elsewhere."""

import re
from itertools import zip_longest

from citeplug.text.cited_text import words
from citeplug.text.nounphrases import singular
from citeplug.text.plaintext import plain_text
from citeplug.text.stems import stem, stemmed
from citeplug.text.stop_words import STOPWORDS

_NAMED = re.compile(
    r"(?=\S*[A-Z\d])[A-Za-z][\w-]*(?: [A-Z\d][\w.-]*){0,2}(?: ?\([^()]+\))?, (?:(?:an?|the|our) [a-zA-Z]|which |that )"
)

LONGEST = 45  # words
_MOST_CHARACTERS = 600  # of a sentence that is looked at
_MOST_SEARCHED = 20_000  # characters of an abstract in which acronyms are looked up
_REFERENCE = re.compile(
    r"\\(?:cite|ref|eqref|footnote|label)|\[\s*\d+(?:\s*[,–-]\s*\d+)*\s*\]|\bet al\b|\([^()]{0,60}\b(?:19|20)\d\d[a-z]?\)|"
    r"\[[A-Z][^\[\]]{0,40}\d\d[^\[\]]{0,20}\]|https?:|www\.|\barXiv:|@|\bibid\b",
)
# By its form alone: a key, a word in brackets, code, what has a prefix. A reader would take it for a citation of ours.
_LIKE_CITATION = re.compile(
    r"[A-Za-z]:\w|[a-z](?:19|20)\d\d(?!\d)|\[[A-Za-z][^\[\]\s]*(?:[,;] [^\[\]\s]+)*\]|`[^`']+`(?!`)"
)
# Two of these in a sentence, and it is not English.
_FOREIGN = frozenset(
    "le la les des une dans nous est sont et du der die das und wir ein eine ist el los del una por que para il gli".split()
)
_MATH = re.compile(r"\$[^$]*\$")
_SMALL = frozenset("of the and for in to on with over by at from".split())
PAPER_NOUN = (
    r"(?:paper|work|article|letter|note|study|report|thesis|survey|chapter|manuscript|contribution|review|research|"
    r"project|book|document|dissertation|communication|investigation|talk|tutorial|essay|monograph|technical report)"
)
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_PHRASE = re.compile(rf"(?: (?!(?:{'|'.join(sorted(STOPWORDS))})\b){_WORD.pattern})+")
_PLAIN_WORD = rf"(?!(?:{'|'.join(sorted(STOPWORDS))})\b)[a-z]+(?:-[a-z]+)*+"
_DEFINITE = re.compile(
    rf"\bthe(?P<phrase>(?: {_PLAIN_WORD})++)(?:,? and(?: {_PLAIN_WORD})++)?+(?![-/\w])"
    r"(?! (?:of|for|that|which|where|between|among|from|in|on|with|behind|under)\b|,? (?:which|that|an?)\b|[- ][^a-z])"
)
_POINTER = re.compile(
    r"\bth(?:is|ese)\b|\bthose(?! (?:(?:[\w-]+ )?(?:that|who|which|whose)|of|for|in|with|from|obtained|used)\b)|"
    r"\bsuch(?! (?:as|that)\b)|\baforementioned\b|\b(?:by|for|from|in|of|on|to|with) that (?!of\b|which\b|is\b)[a-z]",
    re.IGNORECASE,
)


def is_named(wording: str) -> bool:
    """True if it begins with a name and says what it is of: "LogVec, an embedding of ..."."""
    return _NAMED.match(wording) is not None


def readable(raw: str, packages: tuple[str, ...]) -> str | None:
    """The plain text of a sentence of an abstract, if it is a whole English sentence that shows nothing but itself."""
    if len(raw) > _MOST_CHARACTERS or _REFERENCE.search(raw) or _LIKE_CITATION.search(_MATH.sub("", raw)):
        return None
    text = plain_text(raw, packages)
    if (
        text is None
        or not text.endswith(".")
        or re.search(r"\\(?:text|emph|mbox)", text)
        or re.search(r"(?:\.|\s|\betc|\.[a-z])\.$", text)
    ):
        return None
    text = text.replace("“", "‘").replace("”", "’")
    if re.search(
        r"[\"{}\\?!]|``|''|\*|(?<!\w)/|[a-z)]\.[A-Z][a-z]|[a-z]{3}\. [a-z]|\w[_^]\w| \)|\( |[Α-Ωα-ωϕ]|\b(?:which|that|to|by): |[a-z]- (?!and\b|or\b|to\b)[a-z]",
        _MATH.sub("", text),
    ) or not _balanced(text):
        return None
    word_list = words(text)
    if sum(word in _FOREIGN for word in word_list) > 1 or not word_list:
        return None
    return text


def expansion(acronym: str, abstract: str, *, plural: bool) -> str | None:
    """The words before "(ACR)" whose initials are its letters, small words left out or not; of "(ACRs)" as `plural` asks."""
    letters = re.sub(r"[^A-Za-z]", "", acronym).lower()
    for match in re.finditer(rf"\(\s*{re.escape(acronym)}(s?)\b[^()]{{0,20}}\)", abstract):
        place = abstract[max(0, match.start() - 120) : match.start()].rstrip()
        word_places = list(re.finditer(r"(?<![A-Za-z])[A-Za-z]+", place))
        for count in range(1, min(len(word_places), len(letters) + 3) + 1):
            initials = [word[0][0].lower() for word in word_places[-count:]]
            telling = [word[0][0].lower() for word in word_places[-count:] if word[0] not in _SMALL]
            # "non-negative" is one word.
            long = place[place.rfind(" ", 0, word_places[-count].start()) + 1 :]
            if initials[0] == letters[0] and letters in ("".join(initials), "".join(telling)):
                if match[1] and not plural:
                    long = long.removesuffix(word_places[-1][0]) + singular(word_places[-1][0])
                return long if re.fullmatch(r"[A-Za-z][A-Za-z -]*", long) else None
    return None


def _balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return False
    return depth == 0 and text.count("‘") <= text.count("’")


def leans_outside(text: str) -> bool:
    """True if `text` says "this", "these", "those" or "such" of something that it does not name before.

    Other definite words were tried, "the problem", "it", "both": of the sentences that they refused two thirds could be
    read by themselves.
    """
    return not all(_is_named_before(text, pointer) for pointer in _POINTER.finditer(text))


def lost_referents(text: str, title: str, before: str) -> list[int]:
    """Where `text` says "the" of what only the text `before` it names: "the full model".

    What a preposition or a clause says more of is named by it.
    """
    lost = list[int]()
    for match in _DEFINITE.finditer(text):
        stems = [stem(word) for word in match["phrase"].split()]
        told = set(stemmed(f"{title} {text[: match.start()]}").split())
        if stems[-1] in stemmed(before).split() and not told.intersection(stems):
            lost.append(match.start())
    return lost


def _is_named_before(text: str, pointer: re.Match[str]) -> bool:
    """True if the noun behind a pointer stands before it as a noun: "priors, and use these priors", no "prior model"."""
    phrase = _PHRASE.match(text, pointer.end())
    if phrase is None:
        return False
    head = singular(phrase[0].split()[-1].lower())
    before = [*_WORD.finditer(text, 0, pointer.start())]
    return any(
        singular(word[0].lower()) == head
        and (follows is None or follows[0] in STOPWORDS or follows.start() > word.end() + 1)
        for word, follows in zip_longest(before, before[1:])
    )
