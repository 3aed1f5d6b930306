"""Share of the words of a segment that come from its sources."""

from collections.abc import Iterator

from citeplug.attribute.claims.evidence import Doubt, Evidence, words_of
from citeplug.text.stems import stem

LEAST = 0.4
# Words of reporting and of joining, which are the writer's own.
_FRAME = frozenset(
    stem(word)
    for word in """paper work study research author approach method related similar earlier previous recent line problem
    way setting task area direction relevant closely likewise similarly while whereas both latter former question topic
    literature address turn perspective context idea called known propose introduce present develop describe investigate
    examine show demonstrate find report argue consider explore review survey use employ offer provide suggest note
    discuss analyze observe rely focus aim seek build""".split()
)


def unsupported(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Doubt on a segment of whose content words its quotations and titles have fewer than two in five, endings aside."""
    share = support(segment, evidence)
    if share < LEAST:
        yield Doubt("unsupported", "the quotations and titles say hardly any of this: quote what bears it out")


def support(segment: str, evidence: Evidence) -> float:
    """The share, 0 to 1, of the segment's telling words that its sources have; 1 for a segment without any."""
    said = {word.stem for word in words_of(segment) if word.tells} - _FRAME
    return len(said & evidence.stems) / len(said) if said else 1.0
