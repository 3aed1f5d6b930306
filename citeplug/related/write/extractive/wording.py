"""Tests of a sentence for standing alone: whole, in English, with its acronyms and symbols explained, and not pointing elsewhere."""

import re

from citeplug.text.cited_text import words
from citeplug.text.inflection import third_person
from citeplug.text.lexicon import DOINGS, VERBS
from citeplug.text.nounphrases import singular
from citeplug.text.plaintext import plain_text
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
_POINTER = re.compile(
    r"\bth(?:is|ese)\b|\bthose(?! (?:(?:[\w-]+ )?(?:that|who|which|whose)|of|for|in|with|from|obtained|used)\b)|"
    r"\bsuch(?! (?:as|that)\b)|\baforementioned\b|\b(?:by|for|from|in|of|on|to|with) that (?!of\b|which\b|is\b)[a-z]",
    re.IGNORECASE,
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


def is_named(wording: str) -> bool:
    """True if it begins with a name and says what it is of: "LogVec, an embedding of ..."."""
    return _NAMED.match(wording) is not None


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
        r"[\"{}\\?!]|``|''|\*|(?<!\w)/|[a-z)]\.[A-Z][a-z]|[a-z]{3}\. [a-z]|\w[_^]\w| \)|\( |[Α-Ωα-ωϕ]|\b(?:which|that|to|by): |\b(?:is|are) (?:proposed|presented|introduced) for\b|[a-z]- (?!and\b|or\b|to\b)[a-z]",
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
    """True if `text` says "this", "these", "those" or "such" of something that it does not name.

    Other definite words were tried, "the problem", "it", "both": of the sentences that they refused two thirds could be
    read by themselves.
    """
    return _POINTER.search(text) is not None
