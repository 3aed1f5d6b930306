"""Strength: no praise, no certainty and no reach beyond the source's, and none of its reservations left out."""

import re
from collections.abc import Iterator, Sequence

from citeplug.attribute.claims.evidence import Doubt, Evidence, Word, words_of
from citeplug.text.stems import stem


def _group(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


# Each group says about the same; a word is borne out by any of its group.
_STRONG = tuple(
    map(
        _group,
        (
            "significantly significant substantially substantial considerably considerable dramatically dramatic greatly "
            "vastly drastically drastic markedly far largely notably strongly tremendous tremendously massively massive huge",
            "first pioneering pioneer seminal earliest",
            "novel new newly innovative original",
            "stateoftheart sota unprecedented unmatched unrivaled record",
            "best",
            "optimal optimally optimum optimality",
            "always invariably",
            "consistently consistent",
            "every all any each universally universal everywhere",
            "only sole solely exclusively unique uniquely",
            "guarantee guarantees ensure ensures ensured assure",
            "prove proves proven proof theorem rigorous rigorously",
            "solve solves solved solution",
            "perfect perfectly flawless exact exactly errorfree ideal",
            "fully full completely complete entirely entire totally whole wholly comprehensive exhaustive",
            "groundbreaking revolutionary breakthrough remarkable remarkably impressive impressively outstanding "
            "exceptional exceptionally extraordinary excellent powerful superb compelling landmark influential widely",
            "clearly clear obviously obvious undoubtedly certainly definitely definitive definitively conclusively conclusive evident",
            "most majority mostly",
            "superior superiority outperform surpass beat exceed better",
            "robust robustly reliable reliably",
            "effective effectively effectiveness",
            "efficient efficiently efficiency fast faster",
            "crucial critical essential vital key fundamental necessary",
            "must",
            "wellknown famous popular standard",
            "humanlevel superhuman human",
            "confirm confirms confirmed verify verified validate validated establish established demonstrate demonstrated "
            "show shown evidence",
        ),
    )
)
_PLAIN = re.compile(r"\b(?:state[- ]of[- ]the[- ]art|error[- ]free|well[- ]known|human[- ]level)\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"\bnot only\W?$", re.IGNORECASE)
# Reporting verbs are the writer's own: "show that" of a paper that finds something.
_OWN = frozenset(stem(word) for word in "show shown demonstrate demonstrated establish established new both".split())

_HEDGES = frozenset(
    """may might could possibly potentially potential perhaps likely unlikely slightly marginally modest modestly
    partially partly partial sometimes often occasionally usually typically generally preliminary tentative tentatively
    suggest suggests suggested suggesting conjecture conjectures conjectured hypothesize hypothesizes hypothesized
    hypothesis appears appear seem seems seemingly aim aims aimed aiming seek seeks attempt attempts attempted try tries
    hope hopes plan plans intend intends propose promising expect expected speculate speculates limited roughly
    approximately nearly almost mainly primarily some few certain under""".split()
)
# A bound, and the two words that it holds for.
_BOUND = re.compile(r"\b(?:up to|at least|at most|nearly|almost)\s+(?P<what>[\w-]+\s+[\w-]+)", re.IGNORECASE)
_BOUNDING = frozenset(
    "to least most nearly almost than about around roughly approximately within under over some".split()
)
_PIECES = re.compile(r"\s+|\S+")
_ONLY = re.compile(r"(?<!not )\bonly\b", re.IGNORECASE)
_NOT_ONLY_SAID = re.compile(r"\bnot only\b", re.IGNORECASE)
_REACH = 4
LESS_THAN_DONE = frozenset(
    """may might could possibly potentially perhaps likely slightly marginally partially partly sometimes occasionally
    suggest suggests suggested suggesting conjecture conjectures conjectured hypothesize hypothesizes hypothesized
    appears appear seem seems attempt attempts attempted try tries hope hopes plan plans intend intends speculate
    speculates aim aims aimed aiming seek seeks""".split()
)


def inflations(segment: str, evidence: Evidence) -> Iterator[Doubt]:
    """Strong words that the quotations do not have, and their reservations that the segment leaves out."""
    given = words_of(_joined(evidence.said))
    around = words_of(_joined(evidence.around))
    joined = _joined(segment)
    said = words_of(joined)
    for index, word in enumerate(said):
        if not word.is_word or word.stem in _OWN or word.lower.startswith("considere"):
            continue
        group = next((group for group in _STRONG if word.stem in group), None)
        if group is None or _NOT_ONLY.search(joined[: word.end]):
            continue
        places = [place for place, other in enumerate(given) if other.stem in group]
        near = _near(said, index, 2)
        if not places:
            yield Doubt("inflated", f"“{word.text}” is stronger than the quotation")
        elif near and not any(near & _near(given, place, 3) for place in places):
            yield Doubt("inflated", f"the quotation says “{given[places[0]].text}” of something else")
    yield from _hedges_left_out(segment, around)
    yield from _bounds_left_out(segment, evidence.around)


def _near(words: Sequence[Word], index: int, most: int) -> frozenset[str]:
    """The telling words next to one, at most `most` on either side."""
    left = [word.stem for word in words[:index] if word.tells][-most:]
    right = [word.stem for word in words[index + 1 :] if word.tells][:most]
    return frozenset(left + right)


def _hedges_left_out(segment: str, around: list[Word]) -> Iterator[Doubt]:
    said = words_of(segment)
    if any(word.lower in _HEDGES for word in said):
        return
    stems = {word.stem for word in said if word.tells}
    for index, word in enumerate(around):
        if word.lower not in LESS_THAN_DONE:
            continue
        scope: list[str] = []
        for following in around[index + 1 : index + 1 + 2 * _REACH]:
            if following.text in ".;:":
                break
            if following.tells and following.lower not in _HEDGES:
                scope.append(following.stem)
        if len(set(scope[:3]) & stems) >= 2 or (scope and scope[0] in stems):
            yield Doubt("inflated", f"the source says so only with “{word.text}”")
            return


def _bounds_left_out(segment: str, around: str) -> Iterator[Doubt]:
    """Doubts on a bound left out: "all cities" for "nearly all cities", "dozens" for "up to dozens", "only" for "not only"."""
    for match in _BOUND.finditer(around):
        what = rf"\b{_PIECES.sub(_any_space, match['what'])}\b"
        if len(re.findall(what, around, re.IGNORECASE)) > 1:
            continue  # said without a bound too, perhaps
        said = re.search(rf"(?:([\w-]+) )?([\w-]+ )?{what}", segment, re.IGNORECASE)
        if said is not None and not {(said[1] or "").lower(), (said[2] or "").strip().lower()} & _BOUNDING:
            yield Doubt("inflated", f"the source says “{match[0]}”")
            return
    if _ONLY.search(segment) and not _ONLY.search(around) and _NOT_ONLY_SAID.search(around):
        yield Doubt("inflated", "the source says “not only”")


def _any_space(match: re.Match[str]) -> str:
    return r"\s+" if match[0].isspace() else re.escape(match[0])


def _joined(text: str) -> str:
    """Compounds that count as one word, written as one."""
    return _PLAIN.sub(lambda m: re.sub(r"[- ]", "", m[0]), text)
