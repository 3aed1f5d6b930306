"""Names and acronyms: each must be the source's."""

import re
from collections.abc import Iterator, Sequence

from citeplug.related.attribute.claims.evidence import Doubt
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

COMPOUND = re.compile(r"[^\W_](?:[\w.+*/–-]*[^\W_+*]|[^\W_]*)[+*]*")
PART = re.compile(r"[^\W_]+")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|x|fold|k|K|M|B|er|fach|mal|D|d)")
# What begins a sentence in capitals of its own accord, and roman numerals.
_NO_NAMES = frozenset("A I II III IV OK".split())


def unknown_names(text: str, sources: Sequence[str], *, capitals: bool = True) -> Iterator[Doubt]:
    """Doubts on names, acronyms and terms with digits or inner capitals that none of `sources` has.

    A plural and a possessive count as the word itself, and so does an acronym whose words stand in a source. A capital
    at the beginning of a sentence says nothing; without `capitals`, as in German, a single one never does.
    """
    known = Known(" . ".join(sources))
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
