"""Citations of one work where the draft seems to speak of another of its references.

Two ways: the people or the system named directly in front of the citation are those of another reference, which words
alone decide; or the sentence fits another reference much better, by its words and in meaning. What was measured of
both: docs/audit.md.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from citeplug.audit.cited_claims import CitedWork, Claim, nearest_passage, telling
from citeplug.audit.uncited import ends_in_name, opens_with
from citeplug.protocols import Vectors
from citeplug.records.audit import CitationDoubt, CitedPassage
from citeplug.text.compare import compare_titles
from citeplug.text.folding import fold_name, split_name

MARGIN = 0.18  # by which another reference has to fit better, of scores from 0 to 1
_FEWEST = 4  # words of a sentence that carry content
_WINDOW = 120  # characters in front of a citation
MOST_WORKS = 3  # that a sentence cites; more of them share little of it each

# "Kipf and Welling", "Grover et al.", at the end of what stands in front of a citation.
_PEOPLE = re.compile(
    r"(?<![\w.-])(?P<first>[A-Z][\w’'-]+)(?:\s*,)?\s+(?:et\s+al\b\.?|(?:and|&)\s+(?P<second>[A-Z][\w’'-]+))(?:’s|'s)?"
    r"(?:\s*\(?(?P<year>(?:19|20)\d\d)\)?)?[\s(\[,]*$"
)

Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class Fitting:
    """Scores of one citation, from 0 to 1: of the work that is cited, and of the other reference that fits best."""

    claim: Claim
    key: str
    cited: float
    other: str
    best: float


def named_otherwise(claim: Claim, works: Mapping[str, CitedWork], title: str = "") -> Iterator[CitationDoubt]:
    """Yield a doubt for each citation behind people or a name that are another reference's, and not the cited work's.

    `works` are all references of the draft by key, `title` is the draft's own.
    """
    for keys, before in _in_front(claim):
        cited = [works[key] for key in keys if key in works]
        others = [work for key, work in works.items() if key not in claim.keys]
        if len(cited) < len(keys) or not cited:
            continue
        otherwise = _other_people(before, cited, others) or _other_name(before, cited, others, title)
        if otherwise is not None:
            name, other = otherwise
            reason = f"{name} is of another of your references, {other.key}, and not of {cited[0].key}"
            fits = nearest_passage(claim.text, other)
            yield _doubt("named_otherwise", reason, claim, cited[0], fits)


def year_differs(claim: Claim, works: Mapping[str, CitedWork]) -> Iterator[CitationDoubt]:
    """Yield a doubt where the sentence gives the authors in front of a citation another year than record and entry."""
    for keys, before in _in_front(claim):
        match = _PEOPLE.search(before[-_WINDOW:])
        if match is None or match["year"] is None or len(keys) != 1 or keys[0] not in works:
            continue
        work, year = works[keys[0]], int(match["year"])
        if work.years and _named(match) & _families(work) and all(abs(year - known) > 1 for known in work.years):
            years = ", ".join(map(str, sorted(work.years)))
            yield _doubt("source_differs", f"it names the year {year}; {work.key} is from {years}", claim, work, None)


def fittings(claims: Sequence[Claim], works: Mapping[str, CitedWork], embed: Embed) -> Iterator[Fitting]:
    """Yield the scores of each citation whose work has an abstract or a full text.

    A score is the mean of four shares: the largest cosine of the citation's part of the sentence and a passage of the
    work, the cosine of it and the title with the abstract, the weight of its words that the work has, and the weight
    of the title's words that the sentence has. A word's weight is the less the more references and sentences have it.
    """
    claims = [claim for claim in claims if len(claim.keys) <= MOST_WORKS and len(telling(claim.text)) >= _FEWEST]
    if not claims or len(works) < 2:
        return
    names = list(works)
    passages = [passage.text for work in works.values() for passage in work.passages]
    counts = [len(work.passages) for work in works.values()]
    wholes = [f"{work.title}. {work.abstract}" if work.abstract else work.title for work in works.values()]
    vectors = embed([*passages, *wholes])
    of_passages, of_wholes = vectors[: len(passages)], vectors[len(passages) :]
    starts = np.cumsum([0, *counts[:-1]])
    bags, titles = [telling(work.text) for work in works.values()], [telling(work.title) for work in works.values()]
    weight = _weights([*bags, *(telling(claim.text) for claim in claims)])
    for claim in claims:
        parts = [part if len(telling(part)) > 1 else claim.text for _, part in claim.cites]
        for (keys, _), part, vector in zip(claim.cites, parts, embed(parts), strict=True):
            part_words, all_said = telling(part), telling(claim.text)
            near = np.maximum.reduceat(of_passages @ vector, starts)
            shared = np.array([_share(part_words, bag, weight) for bag in bags])
            named = np.array([_share(title, all_said, weight) for title in titles])
            scores = dict(zip(names, ((near + of_wholes @ vector + shared + named) / 4).tolist(), strict=True))
            others = [name for name in names if name not in claim.keys]
            best = max(others, key=scores.__getitem__, default=None)
            for key in keys:
                if best is not None and key in works and len(works[key].passages) > 1:
                    yield Fitting(claim, key, scores[key], best, scores[best])


def fits_other(fitting: Fitting, works: Mapping[str, CitedWork]) -> CitationDoubt | None:
    """Return the doubt on a citation whose sentence fits another reference better by `MARGIN`; None if it does not."""
    cited, other = works[fitting.key], works[fitting.other]
    fits = nearest_passage(fitting.claim.text, other)
    if fitting.best - fitting.cited < MARGIN or fits is None or compare_titles(cited.title, other.title) == "same":
        return None
    reason = f"it fits another of your references, {other.key}, better than {cited.key}"
    return _doubt("fits_other_work", reason, fitting.claim, cited, fits)


def _doubt(code: str, reason: str, claim: Claim, cited: CitedWork, fits: CitedPassage | None) -> CitationDoubt:
    source = nearest_passage(claim.text, cited) or CitedPassage(cited.key, cited.title, cited.title, "title")
    return CitationDoubt(code, reason, claim.shown, source, claim.file, claim.sentence.line, fits)


def _in_front(claim: Claim) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each citation's keys, and all of the sentence in front of it."""
    for (keys, _), cite in zip(claim.cites, claim.sentence.cites, strict=True):
        yield keys, cite.before


def _other_people(before: str, cited: Sequence[CitedWork], others: Sequence[CitedWork]) -> tuple[str, CitedWork] | None:
    """The people named, and the reference that is theirs; None if they are the cited work's, or nobody's."""
    match = _PEOPLE.search(before[-_WINDOW:])
    if match is None or not all(work.authors for work in cited):
        return None
    named = _named(match)
    if any(named & _families(work) for work in cited):
        return None
    first = fold_name(match["first"])
    theirs = [work for work in others if named <= _families(work) and first == _family(work.authors[0])]
    return (match[0].strip(" ([,"), theirs[0]) if len(theirs) == 1 else None


def _other_name(
    before: str, cited: Sequence[CitedWork], others: Sequence[CitedWork], title: str
) -> tuple[str, CitedWork] | None:
    """The name right in front, and the one reference whose title it opens; None if it is in what is cited."""
    name = ends_in_name(before)
    if name is None or any(name.lower() in f"{work.text} {work.key} {title}".lower() for work in cited):
        return None
    theirs = [work for work in others if opens_with(work.title, name)]
    return (name, theirs[0]) if len(theirs) == 1 else None


def _named(match: re.Match[str]) -> set[str]:
    return {fold_name(name) for name in match.group("first", "second") if name}


def _families(work: CitedWork) -> set[str]:
    return {_family(author) for author in work.authors}


def _family(author: str) -> str:
    return fold_name(split_name(author).family)


def _weights(bags: Sequence[frozenset[str]]) -> Callable[[str], float]:
    counts = Counter(word for bag in bags for word in bag)
    return lambda word: math.log((1 + len(bags)) / (1 + counts[word])) + 0.2


def _share(words: frozenset[str], among: frozenset[str], weight: Callable[[str], float]) -> float:
    whole = sum(map(weight, words))
    return sum(map(weight, words & among)) / whole if whole else 0.0
