"""Claims turned into their opposites: "increases" where the source says "decreases"."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of
from citeplug.attribute.claims.polarity import denies
from citeplug.text.stems import stem


def _pole(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


# Two poles that exclude each other. A strict pair may not be spoken of where the source speaks of neither pole.
_STRICT = (
    ("increase raise grow growth boost gain rise enlarge augment amplify", "decrease reduce reduction lower drop decline diminish shrink fall cut lessen"),
    ("improve improvement enhance boost better gain", "degrade degradation worsen harm hurt deteriorate worse impair weaken damage"),
    ("outperform surpass exceed beat superior better", "underperform lag trail inferior worse"),
    ("faster quicker accelerate speedup fast speed quick rapid efficient efficiency", "slower decelerate slowdown slow"),
    ("better", "worse"),
    ("higher high highest", "lower low lowest"),
    ("best", "worst"),
    ("succeed success successful", "fail failure unsuccessful"),
    ("confirm support corroborate", "contradict refute disprove reject"),
)  # fmt: skip
_LOOSE = (
    ("more", "less fewer"), ("larger large big bigger largest", "smaller small tiny smallest"), ("above", "below"),
    ("stronger strong strengthen", "weaker weak weaken"), ("before precede", "after follow"), ("always", "never"),
    ("enable allow permit", "prevent forbid prohibit hinder"), ("accept", "reject"), ("positive", "negative"),
    ("include", "exclude"), ("global", "local"), ("online", "offline"), ("static", "dynamic"), ("finite", "infinite"),
    ("deterministic", "stochastic random"), ("discrete", "continuous"), ("longer long", "shorter short"),
    ("earlier early", "later late"), ("simple simpler", "complex complicated"), ("sparse", "dense"),
    ("easy easier", "hard harder difficult"), ("cheap cheaper inexpensive", "expensive costly"),
    ("minimum minimize minimal", "maximum maximize maximal"), ("advantage benefit", "disadvantage drawback"),
    ("fixed", "variable adaptive"), ("theoretical", "empirical experimental"), ("true", "false"), ("rich", "poor"),
    ("upper", "lower"), ("agree agreement", "disagree disagreement"), ("homogeneous", "heterogeneous"),
    ("explicit", "implicit"), ("internal", "external"), ("same identical", "different"), ("old", "new"),
    ("convergence converge", "divergence diverge"), ("attractive", "repulsive"), ("classical", "quantum"),
    ("necessary", "unnecessary"), ("open", "closed"), ("wide", "narrow"), ("warm hot", "cold"), ("left", "right"),
    ("single", "multiple"), ("active", "passive"), ("forward", "backward"), ("centralized", "decentralized"),
    ("training train", "testing test inference"), ("lossless", "lossy"), ("overestimate", "underestimate"),
)  # fmt: skip
_PAIRS = tuple((_pole(a), _pole(b), True) for a, b in _STRICT) + tuple((_pole(a), _pole(b), False) for a, b in _LOOSE)
_PREFIXES = ("un", "in", "im", "ir", "non", "dis", "de", "mis", "anti", "counter")
_MODIFIERS = frozenset("self semi weakly quasi pseudo multi cross zero few over under near pre post sub".split())
_WINDOW = 6
_BORNE_OUT = "borne out"
_JOINS = frozenset("and but while whereas although yet".split())


def reversed_claims(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Words of the segment whose opposite, and not themselves, the quotations have (or neither, of a strict pair)."""
    said, given = words_of(segment), words_of(evidence.said)
    yield from _against_poles(said, given)
    yield from _against_prefixes(said, given)


def _against_poles(said: Sequence[Word], given: Sequence[Word]) -> Iterator[Doubt]:
    for index, word in enumerate(said):
        if not word.is_word:
            continue
        verdicts = [
            _verdict(index, side, other, strict, said, given)
            for pair in _PAIRS
            for side, other, strict in ((pair[0], pair[1], pair[2]), (pair[1], pair[0], pair[2]))
            if word.stem in side and (word.stem not in other)
        ]
        if _BORNE_OUT in verdicts:
            continue  # a word of several pairs is borne out by any
        found = [verdict for verdict in verdicts if isinstance(verdict, Doubt)]
        if found:
            yield min(found, key=lambda doubt: doubt.code != "reversed")


def _verdict(
    index: int, side: frozenset[str], other: frozenset[str], strict: bool, said: Sequence[Word], given: Sequence[Word]
) -> Doubt | str | None:
    """A doubt, `_BORNE_OUT`, or None where the quotations say nothing on this."""
    word = said[index]
    with_it = [i for i, g in enumerate(given) if g.stem in side]
    against = [i for i, g in enumerate(given) if g.stem in other and g.stem not in side]
    denied = _denied(said, index)
    if not with_it:
        if denied:
            # "Does not increase" may stand for "decreases", but not for "does not decrease".
            against = [i for i in against if _denied(given, i)]
            strict = False
        if against:
            return Doubt("reversed", f"the sentence says “{word.text}”, the quotation “{given[against[0]].text}”")
        return Doubt("unsupported", f"“{word.text}” is not in the quotation") if strict else None
    if against and not denied and not _together(said, index, other):
        around = _around(said, index)
        best_with = max(len(around & _around(given, i)) for i in with_it)
        best_against = max(len(around & _around(given, i)) for i in against)
        if best_against > best_with:
            return Doubt("reversed", f"the quotation says “{given[against[0]].text}” of this, not “{word.text}”")
    return _BORNE_OUT


def _denied(words: Sequence[Word], index: int) -> bool:
    return any(denies(word) for word in words[max(0, index - 3) : index])


def _together(words: Sequence[Word], index: int, other: frozenset[str]) -> bool:
    """True if both poles are side by side: "positive or negative"."""
    return any(word.stem in other for word in words[max(0, index - 2) : index + 3])


def _around(words: Sequence[Word], index: int) -> frozenset[str]:
    """Stems of the content words next to a pole, within its clause: what is said to rise or fall."""
    left = _nearest(reversed(words[max(0, index - _WINDOW) : index]), 2)
    return left | _nearest(words[index + 1 : index + 1 + _WINDOW], 3)


def _nearest(words: Iterable[Word], most: int) -> frozenset[str]:
    clause = itertools.takewhile(lambda word: word.is_word and word.lower not in _JOINS, words)
    return frozenset(itertools.islice((word.stem for word in clause if word.tells), most))


def _against_prefixes(said: Sequence[Word], given: Sequence[Word]) -> Iterator[Doubt]:
    """ "Supervised" where the source has only "unsupervised" or "self-supervised", and the other way round."""
    plain = {word.lower for i, word in enumerate(given) if word.is_word and not _denied(given, i)}
    stems = {word.stem for word in given if word.is_word and not _modified(given, word)}
    for index, word in enumerate(said):
        if len(word.lower) < 6 or not word.is_word or word.stem in stems:
            continue
        opposite = next((prefix + word.lower for prefix in _PREFIXES if prefix + word.lower in plain), None)
        if opposite is None:
            bare = (word.lower.removeprefix(prefix) for prefix in _PREFIXES if word.lower.startswith(prefix))
            opposite = next((rest for rest in bare if len(rest) >= 5 and rest in plain), None)
        if opposite is None and not _modified(said, word) and any(g.stem == word.stem for g in given):
            opposite = next((f"{given[i - 1].text}-{g.text}" for i, g in enumerate(given) if g.stem == word.stem), None)
        if opposite is not None and not _denied(said, index):
            yield Doubt("reversed", f"the sentence says “{word.text}”, the quotation “{opposite}”")


def _modified(words: Sequence[Word], word: Word) -> bool:
    """True if "self-", "semi-" or the like comes before it."""
    index = words.index(word)
    return index > 0 and words[index - 1].lower in _MODIFIERS and word.start - words[index - 1].end == 1
