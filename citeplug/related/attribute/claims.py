"""Comparison of a sentence with its sources by rules, without a model.

Numbers and names are refused where no source has them. That a source has a number of something else is a suspicion,
for the judge.
"""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.evidence import Doubt, Word, words_of
from citeplug.related.attribute.numbers import unknown_digits, unknown_numbers
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS
from citeplug.text.tex_text import decode_tex

COMPOUND = re.compile(r"[^\W_](?:[\w.+*/–-]*[^\W_+*]|[^\W_]*)[+*]*")
PART = re.compile(r"[^\W_]+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|x|fold|k|K|M|B|er|fach|mal|D|d)")
# What begins a sentence in capitals of its own accord, and roman numerals.
_NO_NAMES = frozenset("A I II III IV OK".split())

SUSPECTED = frozenset(("number_of", "number_unit"))  # doubts that meaning decides

_AI = re.compile(r"\bAI\b|\bartificial intelligence\b", re.IGNORECASE)


def unknown_names(text: str, sources: Sequence[str], *, capitals: bool = True) -> Iterator[Doubt]:
    """Doubts on names, acronyms and terms with digits or inner capitals that none of `sources` has.

    A plural and a possessive count as the word itself, and so does an acronym whose words stand in a source. A capital
    at the beginning of a sentence says nothing; without `capitals`, as in German, a single one never does.
    """
    known = KnownWords(" . ".join(sources))
    for match in COMPOUND.finditer(text):
        compound = match[0]
        parts = PART.findall(compound)
        single = capitals and not _opens(text[: match.start()])
        named = [part for part in parts if _is_name(part, single)]
        if not named or known.has(compound):
            continue
        turned = "-".join(reversed(parts))
        if len(named) == len(parts) == 2 and known.has(turned):
            yield Doubt("name", f"the source has “{turned}”, not “{compound}”")
            continue
        digits = any(letter.isdigit() for letter in compound)
        if digits or not all(known.has(part) for part in named):
            yield Doubt("name", f"“{compound}” is in no source")


class KnownWords:
    """The words of the evidence, as they are looked up: without hyphens, in lower case."""

    def __init__(self, text: str) -> None:
        self.words = [match.lower() for match in PART.findall(text)]
        self.forms = set(self.words) | {_squash(match[0]) for match in COMPOUND.finditer(text)}
        self.forms |= {a + b for a, b in zip(self.words, self.words[1:], strict=False)}
        self.stems = {stem(word) for word in self.words}
        self.initials = "".join(word[0] for word in self.words)

    def has(self, name: str) -> bool:
        plain = _squash(name)
        singular = plain.removesuffix("s")
        if plain in self.forms or singular in self.forms or f"{plain}s" in self.forms:
            return True
        capitals = re.sub(r"s$", "", name)
        if capitals.isupper() and capitals.isalpha() and len(capitals) >= 2 and self._spelled_out(capitals.lower()):
            return True
        return name[:1].isupper() and name[1:].islower() and stem(name.lower()) in self.stems

    def _spelled_out(self, letters: str) -> bool:
        """True if consecutive words begin with these letters, stop words left out or not."""
        telling = "".join(word[0] for word in self.words if word not in STOPWORDS)
        return letters in self.initials or letters in telling


def _squash(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def _is_name(part: str, single: bool) -> bool:
    """True for BERT, GraphRNN and x2; with `single`, also for one capital at the beginning: Cora."""
    if part in _NO_NAMES:
        return False
    if any(letter.isupper() for letter in part[1:]):
        return True
    if any(letter.isalpha() for letter in part) and any(letter.isdigit() for letter in part):
        return not _ORDINAL.fullmatch(part)
    return single and part[0].isupper()


def _opens(before: str) -> bool:
    """True if a sentence, a quotation or an aside begins here, so that a capital says nothing."""
    return not before.strip() or bool(re.search(r"[.!?:“\"(]\s*$", before))


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


_OPPOSITES = tuple(
    (_stems(one), _stems(other))
    for one, other in (
        ("increase raise grow rise enlarge amplify", "decrease reduce drop decline diminish shrink fall cut lessen"),
        ("improve enhance boost", "degrade worsen harm hurt deteriorate impair weaken"),
        ("outperform surpass exceed beat", "underperform lag trail"),
        ("faster quicker accelerate", "slower decelerate"), ("better", "worse"), ("best", "worst"),
        ("higher highest", "lower lowest"), ("more", "less fewer"), ("larger bigger largest", "smaller smallest"),
        ("above", "below"), ("stronger", "weaker"), ("always", "never"), ("most", "least"),
        ("enable allow permit", "prevent forbid prohibit hinder"), ("positive", "negative"),
        ("global", "local"), ("online", "offline"), ("finite", "infinite"), ("sparse", "dense"),
        ("longer", "shorter"), ("earlier", "later"), ("upper", "lower"), ("known", "unknown"),
        ("supervised", "unsupervised"), ("stable", "unstable"), ("linear", "nonlinear"), ("directed", "undirected"),
        ("efficient", "inefficient"), ("dependent", "independent"), ("possible", "impossible"),
    )
)  # fmt: skip


def opposites(text: str, sources: Sequence[str]) -> Iterator[Doubt]:
    """Doubts on words of an English text whose opposite `sources` have beside the same words, and not themselves."""
    own_words = words_of(text)
    source_words = [words_of(source[start:end]) for source in sources for start, end in split_sentences(source)]
    have = {word.stem for words in source_words for word in words}
    for index, word in enumerate(own_words):
        for one, other in _OPPOSITES:
            side, against = (one, other) if word.stem in one else (other, one)
            if word.stem not in side or side & have:
                continue
            for words in source_words:
                for place, theirs in enumerate(words):
                    if theirs.stem in against and _near(own_words, index) & _near(words, place):
                        yield Doubt(
                            "opposite", f"the sentence says “{word.text}” where the source says “{theirs.text}”"
                        )
                        return


def _near(words: Sequence[Word], index: int) -> frozenset[str]:
    left = [word.stem for word in words[:index] if word.tells][-2:]
    return frozenset(left + [word.stem for word in words[index + 1 :] if word.tells][:2])


def unsourced(
    text: str, sources: Sequence[str], own: str = "", language: str = "English", papers: int = 1
) -> Iterator[Doubt]:
    """Doubts on numbers that none of `sources` has, and names that neither they nor the author's `own` text has.

    Those with a code of `SUSPECTED` are on numbers that a source has, and perhaps of something else.

    `text` is a sentence in `language` without its citations, the sources are in English (or in the draft's language
    where they are the draft's); `papers` is how many papers the sentence cites.
    """
    decoded = [decode_tex(source) for source in sources]
    if language == "English":
        yield from unknown_numbers(text, decoded, papers)
        yield from unknown_names(text, [*decoded, own])
        return
    yield from unknown_digits(text, decoded)
    translated = "KI IA" if any(_AI.search(source) for source in decoded) else ""
    yield from unknown_names(text, [*decoded, own, translated], capitals=False)
