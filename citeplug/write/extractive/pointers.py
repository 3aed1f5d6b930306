"""Words of a sentence that mean nothing without the text around it."""

import re

from citeplug.text.cited_text import words
from citeplug.text.nounlists import is_adjective, is_break
from citeplug.text.stems import stem

PAPER_NOUN = (
    r"(?:paper|work|article|letter|note|study|report|thesis|survey|chapter|manuscript|contribution|review|research|"
    r"project|book|document|dissertation|communication|investigation|talk|tutorial|essay|monograph|technical report)"
)
# What a paper makes or treats: "the method" asks which, unless the sentence says it.
_THING = (
    "(?:network|problem|system|model|result|task|algorithm|case|goal|classifier|dataset|objective|technique|design|test|"
    "implementation|program|solution|game|process|challenge|protocol|methodology|assumption|strategy|question|proof|"
    "condition|architecture|estimator|framework|bound|experiment|method|procedure|scheme|issue|package|paper|"
    "representation|controller|property|mechanism|approach|idea|theorem|construction|tool|conjecture)"
)
_THE_THING = re.compile(
    rf"\b(?:the|both|all|each|our) (?:(?:same|whole|entire|original|general|main) )?({_THING})s?\b"
    r"(?! (?:of|for|to|that|which|who|whose|based|used|called|where|under|between|on|known)\b|\s\$)",
    re.IGNORECASE,
)
_OUR_THING = re.compile(rf"\bour (?:[\w-]+ ){{0,3}}{_THING}s?\b", re.IGNORECASE)
# In the sentences of 8,000 abstracts none but these found what nothing else did.
_ALWAYS = re.compile(
    r"\b(?:th(?:is|ese)|that (?!is\b)[a-z-]+(?=[,;]|$)|those(?! (?:(?:[\w-]+ )?(?:that|who|which|whose)|of|for|in|with|from|obtained|used)\b)|"
    r"such(?! (?:as|that)\b)|latter|former|above|abovementioned|aforementioned|below|following|herein|accordingly|"
    r"do(?:es|ing)? so|the other|ours|our proposed|the (?:newly |recently )?(?:proposed|presented|suggested|given|said|resulting)|"
    r"the results(?! of\b)|several (?:extensions|generalizations|improvements|variants)(?! (?:of|to|for)\b)|"
    r"the (?:just|previous|prior|earlier|(?:new|existing|introduced|obtained)(?! \w+ of\b))|"
    r"(?:the|all) (?:two|three|four|five|six) (?![\w-]+s? (?:of|that|which|between)\b))\b",
    re.IGNORECASE,
)
_IT = re.compile(
    r"\b(?:it|its|itself|there)\b(?! (?:is|was|are|exists?|can|may|has|does|will|remains|becomes|suffices)\b)"
)
_EXPLETIVE = re.compile(r"\bit (?:is|was|can be|may be|becomes|remains|suffices)(?: \w+){0,3} (?:to|that|whether)\b")
_BARE_IT = re.compile(r"\bit\b")
_THEY = re.compile(r"\b(?:their|theirs|they|them|themselves|each other|one another)\b")
_SEVERAL = re.compile(
    r"\b[\w-]{2,}(?<![sui'])s\b|\b(?:and|people|data|two|both|children|women|men|vertices|criteria)\b|\$"
)
_VERB = re.compile(r"\b(?:that|which|who|and|it) [a-z]+s\b")  # "that reduces" is no plural
# The same, another or a different thing than one that was spoken of before.
_SAME = re.compile(
    r"\b(?:the (?:same|corresponding)|others?|an? [‘“']?(?:different|related|similar|alternative))\b(?! (?:time|as|words|hand|to|from)\b)"
)


# "more" than what, "both" of which.
_UNCOMPARED = re.compile(
    r"\b(?:more|less|fewer|simpler|better|faster|(?:higher|lower)(?![ -](?:bound|order|dimension|level))|weaker|stronger|larger|smaller|cheaper)\b(?!.*\bthan\b)|"
    r"\bboth\b(?!(?: [\w()-]+){1,8} and\b)|\b(?:with|based on|(?:consists?|consisting|composed) of) (?:two|three|four|five|several|various|some|certain|different) (?:[\w-]+ ){0,2}[\w-]+s$|"
    r"\bin (?:two|three|several|various) (?:aspects|ways|directions)$"
)
_STARTING = re.compile(
    rf"^(?:(?:prior|previous|earlier) |the (?:[\w-]+ ){{0,2}}{_THING}s?\b"
    r"(?! (?:of|for|to|that|which|whose|between|based|where)\b))"
)


def starts_with_a_thing(claim: str) -> bool:
    """True if a claim is of a thing that it does not introduce, or of others' work: "the surrogate models predict ..."."""
    return _STARTING.match(claim) is not None


def leans_outside(text: str) -> bool:
    """True if `text` needs what was said before it: "this problem", "it", "the latter", "the proposed method".

    `text` is what is said, without the authors at its head. A pronoun is resolved by a noun that stands well before it,
    "the method" by "a method" before it or by what follows it ("the method of Newton").
    """
    if _ALWAYS.search(text) or _OUR_THING.search(text) or _UNCOMPARED.search(text):
        return True
    if any(not re.search(rf"\b{m[1]}s?\b", text[: m.start()], re.IGNORECASE) for m in _THE_THING.finditer(text)):
        return True
    plain = _EXPLETIVE.sub("", text)
    if any(len(plain[: m.start()].split()) < 8 for m in (*_IT.finditer(plain), *_BARE_IT.finditer(plain))):
        return True
    if any(len(text[: m.start()].split()) < 6 for m in _SAME.finditer(text)):
        return True
    return any(not _SEVERAL.search(_VERB.sub(" ", text[: m.start()])) for m in _THEY.finditer(text))


_DEFINITE = re.compile(r"\b(?:the|each|every|both|all|either)(?=(?P<group>(?: [\w’'-]+){1,6}))", re.IGNORECASE)
_RESTRICTED = frozenset("of that which between whose where who for from".split())


def repeats_definite(text: str, before: str, title: str, *, is_clause: bool) -> bool:
    """True if `text` has a thing with "the" or "each" that the abstract spoke of `before`, and `title` and `text` have not.

    What the abstract names for the first time with "the" is known to its readers, unless it is the subject of a clause,
    and what follows may say which it is.
    """
    known, titled = ({stem(word) for word in words(each)} for each in (before, title))
    for match in _DEFINITE.finditer(text):
        group: list[str] = []
        following = ""
        for word in match["group"].split():
            if is_break(word.lower()) and (group or not is_adjective(word.lower())):  # "the possible dependency"
                following = word.lower()
                break
            group.append(word)
        said = {stem(word) for word in words(text[: match.start()])}
        heads = {stem(part) for part in words(group[-1])} if group else set()
        named = len(words(" ".join(group))) > 2  # "the monotone sequent calculus" says which
        in_title = {stem(word) for word in words(" ".join(group))} <= titled
        if not heads or heads & said or in_title or following in _RESTRICTED or following.endswith("ed"):
            continue
        subject = is_clause and match.start() == 0
        if (heads & known and (subject or not named)) or (subject and not named):
            return True
    return False
