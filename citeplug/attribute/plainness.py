"""Check that a model's sentence is plain prose: no LaTeX, mark-up, addresses, identifiers or instructions."""

import re
from collections.abc import Iterator

from citeplug.attribute.claims import Doubt
from citeplug.text.cleaning import plain
from citeplug.text.sentences import split_sentences

LONGEST = 600  # characters
_RULES = (
    ("latex", re.compile(r"[\\{}]|\$|<[^>\s][^>]*>|&\w+;"), "write plain text without commands, math or mark-up"),
    ("latex", re.compile(r"\*\*|__|```|^#+ |`"), "write plain text without mark-up"),
    ("address", re.compile(r"https?:|www\.|\bdoi:|\b10\.\d{4,}/|\S+@\S+\.\w|\b[\w-]+\.(?:com|org|net|io|ai|edu)\b", re.I),
     "write no address"),
    ("citation", re.compile(r"\[|\]"), "write handles as [1] or [@1], and no other brackets"),
    ("citation", re.compile(r"\barxiv\b|\b\d{4}\.\d{4,5}\b|\b[a-z-]+/\d{7}\b", re.I), "write no identifiers of papers"),
    ("citation", re.compile(r"\bet al\b|\([^()]*\b(?:19|20)\d\d[a-z]?\)|@cite|\bpapers? \d|\bmaterial \w{16}"),
     "cite by handles alone, without names and years"),
    ("voice", re.compile(r"\bas an? (?:AI|language model)\b|\bI (?:cannot|can't|am|will|have)\b|\bignore\b.{0,40}\binstructions?\b"
                         r"|\bprompt\b.{0,20}\binstructions?\b", re.I), "write about the papers alone"),
)  # fmt: skip
_UNFINISHED = re.compile(r"(?:[,;:]|\b(?:and|or|but|the|an?|with|while|whereas|that|which|their|its))\W*$")
_FIRST_PERSON = re.compile(
    r"\b(?:we|our|ours|us|my)\b|\bI (?:am|was|have|had|will|would|can|cannot|do|did|propose|show|think|read|use|present|study|find|found|argue)\b|\b(?:this|the present|the current) (?:paper|work|article|draft|manuscript)\b",
    re.IGNORECASE,
)

_FIRST_PERSONS = {
    "German": re.compile(
        r"\b(?:wir|unser\w*|uns|ich|mein(?:e[rsnm]?)?)\b|\b(?:diese[rs]?|(?:de[rs]|die) (?:vorliegende|gegenwärtige)n?) (?:Arbeit|Artikels?|Aufsatz(?:es)?|Beitrags?)\b",
        re.IGNORECASE,
    )
}
# "an" may end a German sentence, and so may "a" a French one.
_UNFINISHED_ELSEWHERE = re.compile(r"(?:[,;:]|\b(?:und|oder|aber|sowie|dass|et|ou|mais|y|pero|e|ma|mas))\W*$")
# German abbreviations, and ordinals, after which a capital begins no sentence.
_NO_END = re.compile(r"\b(bzw|usw|vgl|sog|evtl|inkl|ggf|Abb|Nr|Bd|Kap|[zdui]|\d{1,2})\.(?= [^\W\d_])")


def plainness(text: str, language: str = "English") -> Iterator[Doubt]:
    """Doubts on the text of a sentence in `language` without its handles."""
    if not re.search(r"[^\W\d_]{2}", text):
        yield Doubt("empty", "there is no sentence")
        return
    if len(text) > LONGEST:
        yield Doubt("long", f"the sentence has {len(text)} characters: write at most {LONGEST}")
        return
    if plain(text) != " ".join(text.split()):
        yield Doubt("latex", "write no control characters")
    for code, rule, advice in _RULES:
        match = rule.search(text)
        if match:
            yield Doubt(code, f"“{match[0][:30]}”: {advice}")
    if (_UNFINISHED if language == "English" else _UNFINISHED_ELSEWHERE).search(text):
        yield Doubt("sentences", "finish the sentence")
    flat = " ".join(text.split())
    if language != "English":
        flat = _NO_END.sub(r"\1", flat)
    if len(split_sentences(flat)) > 1:
        yield Doubt("sentences", "write exactly one sentence for this line")


def first_person(text: str, language: str = "English") -> str | None:
    """Words by which the draft speaks of itself, None if there are none."""
    match = _FIRST_PERSONS.get(language, _FIRST_PERSON).search(text)
    return match[0] if match else None
