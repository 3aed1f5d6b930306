"""Names and acronyms: each must be the source's."""

import re
from collections.abc import Iterator

from citeplug.attribute.claims.evidence import Doubt, Evidence
from citeplug.text.inflection import BASE_OF_GERUND, BASE_OF_PARTICIPLE, BASE_OF_PAST
from citeplug.text.lexicon import VERBS
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

COMPOUND = re.compile(r"[^\W_](?:[\w.+*/–-]*[^\W_+*]|[^\W_]*)[+*]*")
PART = re.compile(r"[^\W_]+")
# How a sentence may begin without naming anybody.
_OPENERS = STOPWORDS | frozenset(
    """recent earlier early later previous prior related similar work works research studies study papers
    approaches methods whilst similarly likewise finally next conversely building starting following drawing
    taking closer close according regarding concerning authors concretely specifically notably complementary
    alternatively subsequent classical general theoretical empirical experimental""".split()
)


def unknown_names(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Names, acronyms and terms with digits or inner capitals that neither quotation, title nor author has.

    A plural and a possessive count as the word itself, and so does an acronym whose words stand in the source.
    """
    known = Known(f"{evidence.said} . {evidence.granted}")
    for match in COMPOUND.finditer(segment):
        compound = match[0]
        opens = _opens(segment[: match.start()])
        parts = PART.findall(compound)
        named = [part for part in parts if _is_name(part)]
        if not named or (opens and len(parts) == 1 and _may_open(parts[0], known)):
            continue
        digits = any(letter.isdigit() for letter in compound)
        if known.has(compound) or (not digits and all(known.has(part) for part in named)):
            continue
        yield Doubt("name", f"“{compound}” is not in the quotation or the title")


class Known:
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


def _is_name(part: str) -> bool:
    if len(part) == 1 and part in ("A", "I"):
        return False
    if any(letter.isupper() for letter in part[1:]):
        return True
    letters = any(letter.isalpha() for letter in part)
    if letters and any(letter.isdigit() for letter in part):
        return not re.fullmatch(r"\d+(?:st|nd|rd|th|s|x)", part)
    return part[0].isupper()


def _opens(before: str) -> bool:
    """True if a sentence, a quotation or an aside begins here, so that a capital says nothing."""
    return not before.strip() or bool(re.search(r"[.!?:“\"(]\s*$", before))


def _may_open(word: str, known: Known) -> bool:
    """True if the word may owe its capital to its place alone."""
    lower = word.lower()
    if word != lower.capitalize():
        return False
    verbs = (BASE_OF_GERUND, BASE_OF_PARTICIPLE, BASE_OF_PAST)
    return (
        lower in _OPENERS
        or lower in VERBS
        or any(lower in forms for forms in verbs)
        or stem(lower) in known.stems
        or lower.endswith("ly")
    )
