"""Check that a model's sentence is one sentence of plain prose: no LaTeX, mark-up, addresses, identifiers or instructions."""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.evidence import Doubt
from citeplug.text.cleaning import plain
from citeplug.text.sentences import split_sentences
from citeplug.text.tex_math import harmless_math
from citeplug.text.tex_print import MATH_SPAN

MARGIN = 1.5  # times as many words as the prompt says before a sentence is refused for its length
_LONGEST = 2_000  # characters
_RULES = (
    ("latex", re.compile(r"[\\{}]|\$|<[^>\s][^>]*>|&\w+;"), "write plain text without commands or mark-up, and no symbols that neither the source nor the draft has"),
    ("latex", re.compile(r"\*\*|__|```|^#+ |`"), "write plain text without mark-up"),
    ("address", re.compile(r"https?:|www\.|\bdoi:|\b10\.\d{4,}/|\S+@\S+\.\w|\b[\w-]+\.(?:com|org|net|io|ai|edu)\b", re.I),
     "write no address"),
    ("citation", re.compile(r"\[|\]"), "write handles as [1] or [@1], and no other brackets"),
    ("citation", re.compile(r"\barxiv:|\b\d{4}\.\d{4,5}\b|\b[a-z-]+/\d{7}\b", re.I), "write no identifiers of papers"),
    ("citation", re.compile(r"\bet al\b|\([^()]*\b(?:19|20)\d\d[a-z]?\)|@cite|\bpapers? \d|\bmaterial \w{16}"),
     "cite by handles alone, without names and years"),
    ("voice", re.compile(r"\bas an? AI\b|\bI (?:cannot|can't|am|will|have)\b|^\W*(?:as a language model|ignore\b.{0,40}\binstructions?)\b"
                         r"|\b(?:your|my|these) (?:prompts?|instructions?)\b", re.I), "write about the papers alone"),
)  # fmt: skip
_UNFINISHED = re.compile(r"(?:[,;:]|\b(?:and|or|but|the|an?|while|whereas|their|its))\W*$")
_FIRST_PERSON = re.compile(
    r"\b(?:we|our|ours|us|my)\b|\bI (?:am|was|have|had|will|would|can|cannot|do|did|propose|show|think|read|use|present|study|find|found|argue)\b|\b(?:this|the present|the current) (?:paper|work|article|draft|manuscript)\b|\bthe (?:draft|manuscript)\b",
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


def plainness(text: str, language: str = "English", known: Sequence[str] = ()) -> Iterator[Doubt]:
    """Hard doubts on the text of a sentence in `language` without its handles.

    Symbols and harmless math of the `known` texts, the sources and the draft, are allowed.
    """
    if not re.search(r"[^\W\d_]{2}", text):
        yield Doubt("empty", "there is no sentence")
        return
    if len(text) > _LONGEST:
        yield Doubt("long", f"the sentence has {len(text)} characters")
        return
    if plain(text) != " ".join(text.split()):
        yield Doubt("latex", "write no control characters")
    bare = _without_symbols(text, known)
    for code, rule, advice in _RULES:
        match = rule.search(bare)
        if match:
            yield Doubt(code, f"“{match[0][:30]}”: {advice}")
    if (_UNFINISHED if language == "English" else _UNFINISHED_ELSEWHERE).search(text):
        yield Doubt("cut", "finish the sentence")


def _without_symbols(text: str, known: Sequence[str]) -> str:
    """The text without the math and the terms with a dollar sign that the known texts have too."""
    if "$" not in text or len(text) > _LONGEST:
        return text
    math = {"".join(match[1].split()) for text_of_source in known for match in MATH_SPAN.finditer(text_of_source)}
    terms = {
        _trimmed(word) for text_of_source in known for word in text_of_source.replace("\\$", "$").split() if "$" in word
    }
    text = MATH_SPAN.sub(
        lambda match: "x" if "".join(match[1].split()) in math and harmless_math(match[1]) is not None else match[0],
        text,
    )
    return " ".join(word.replace("$", "") if _trimmed(word) in terms else word for word in text.split())


def _trimmed(word: str) -> str:
    return word.strip(".,;:!?()[]“”\"'’")


def form(text: str, language: str, longest: int) -> Iterator[Doubt]:
    """Doubts on the form of a sentence without its handles, for which the prompt allows `longest` words."""
    count = len(text.split())
    if count > MARGIN * longest:
        yield Doubt("long", f"the sentence has {count} words: write at most {longest}")
    flat = " ".join(text.split())
    if language != "English":
        flat = _NO_END.sub(r"\1", flat)
    if len(split_sentences(flat)) > 1:
        yield Doubt("sentences", "write exactly one sentence here")


def first_person(text: str, language: str = "English") -> str | None:
    """Words by which the draft speaks of itself, None if there are none."""
    match = _FIRST_PERSONS.get(language, _FIRST_PERSON).search(text)
    return match[0] if match else None
