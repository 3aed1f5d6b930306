"""What a claim is compared with, and words in the form in which they are compared."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tex_text import decode_tex


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a sentence is refused. `code` is one word for counting; `reason` is said to the model and the author."""

    code: str
    reason: str


@dataclass(frozen=True)
class Evidence:
    """What may be said of the papers that a segment cites.

    `quotes` are stretches of their abstracts, `contexts` the whole sentences in which those stand, `titles` their
    titles, `granted` words of the author's own, such as a plan line. `papers` is how many papers there are. `of_draft`
    says that it is the draft's own abstract.
    """

    quotes: tuple[str, ...]
    contexts: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    granted: str = ""
    papers: int = 1
    of_draft: bool = False

    @cached_property
    def said(self) -> str:
        """Quotations and titles as plain text, a stop between them."""
        return " . ".join(decode_tex(text) for text in (*self.quotes, *self.titles))

    @cached_property
    def around(self) -> str:
        """The sentences that the quotations stand in, as plain text."""
        return " . ".join(decode_tex(text) for text in self.contexts or self.quotes)

    @cached_property
    def titled(self) -> str:
        return " . ".join(decode_tex(text) for text in self.titles)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in words_of(self.said))


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a sign of punctuation in a text. `lower` is in lower case, `stem` without its endings."""

    text: str
    lower: str
    stem: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum()

    @property
    def tells(self) -> bool:
        """Whether it is a word that carries content."""
        return self.is_word and self.lower not in STOPWORDS and not self.lower.isdigit() and len(self.lower) > 1


_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_][^\W_]*(?:['’][^\W_]+)*|[^\W_]+|[,;:.!?()]")


def words_of(text: str) -> list[Word]:
    """The words and stops of a text in order; the parts of a hyphenated compound are words of their own."""
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        lower = match[0].lower().replace("’", "'")
        yield Word(match[0], lower, stem(lower), match.start(), match.end())


_SUFFIXES = (
    "izations ization izational ational ations ation ements ement ments ment ances ance ences ence ically ingly edly "
    "abilities ability ibility ives ive izers izer izes ized izing ize ities ity ness ings ing ions ion ers er ors or "
    "ies ied ees ee ely ably ibly ally ed es ly al ic able ible est s y e"
).split()
_IRREGULAR = {
    "better": "better", "best": "best", "less": "less", "more": "more", "fewer": "fewer", "worse": "wors",
    "worst": "worst", "shown": "show", "found": "find", "gave": "giv", "given": "giv", "rose": "ris", "risen": "ris",
    "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow", "made": "mak", "led": "lead", "built": "build",
    "chose": "choos", "chosen": "choos", "understood": "understand", "taught": "teach", "kept": "keep", "lost": "los",
    "data": "data", "analyses": "analys", "analysis": "analys", "analyze": "analys", "analyzes": "analys",
    "analyzed": "analys", "analyzing": "analys", "hypotheses": "hypothes", "hypothesis": "hypothes",
    "beaten": "beat", "took": "tak", "taken": "tak", "held": "hold", "dealt": "deal", "won": "win", "sped": "speed",
    "matrices": "matr", "matrix": "matr", "vertices": "vert", "vertex": "vert", "indices": "ind", "index": "ind",
    "under": "under", "over": "over", "never": "never", "other": "other", "first": "first", "only": "only",
    "every": "every", "very": "very", "any": "any", "many": "many", "all": "all", "not": "not",
}  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word in lower case without its endings, cut hard: "optimisation", "optimized", "optimizer" are one."""
    word = re.sub(r"'s?$", "", word)
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = re.sub(r"(?<=\w{3})is(?=e|ed|ing|es|ation|ations|er|ers$)", "iz", word)
    word = re.sub(r"(?<=\w{3})our(?=$|s|ed|ing|al|ful)", "or", word)
    for suffix in _SUFFIXES:
        if (
            word.endswith(suffix)
            and len(word) - len(suffix) >= 4
            and not (suffix == "s" and word.endswith(("ss", "us")))
        ):
            word = word.removesuffix(suffix)
            break
    else:
        if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.rstrip("e") if len(word) > 4 else word
