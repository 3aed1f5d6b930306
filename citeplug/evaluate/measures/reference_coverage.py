"""Reference coverage: of the papers that the real section cites, those cited (DeepScholar-Bench, arXiv:2508.20033)."""

import re
from collections.abc import Collection, Mapping
from difflib import SequenceMatcher

_LEAST_ALIKE = 0.8
_PASSED_OVER = frozenset("the a an and or but in on at to for of with by".split())
_NEW_SCHEME = re.compile(r"\d+\.\d+")


def reference_coverage(
    cited: Collection[str],
    gold: Collection[str],
    titles: Mapping[str, str] | None = None,
    *,
    as_published: bool = False,
) -> float | None:
    """Return the share of the `gold` papers that the text cites, by id; None without gold papers.

    As published (`reference_coverage.py`) a paper also counts as cited if the title of a cited one (`titles`, by id) is
    like its own (difflib's ratio above .8 without short words), so that part I covers part II; ids of the scheme before
    2007 never match by themselves; and without gold papers the value is 0 and enters the mean.
    """
    if not as_published:
        return len(set(gold).intersection(cited)) / len(set(gold)) if gold else None
    known = titles or {}
    given = [_bare(known.get(each, "")) for each in cited]
    covered = [
        bool(_NEW_SCHEME.fullmatch(each) and each in cited) or _like_one_of(_bare(known.get(each, "")), given)
        for each in set(gold)
    ]
    return sum(covered) / len(covered) if covered else 0.0


def _like_one_of(title: str, given: Collection[str]) -> bool:
    return any(title and each and SequenceMatcher(None, title, each).ratio() > _LEAST_ALIKE for each in given)


def _bare(title: str) -> str:
    words = re.sub(r"[^\w\s]", "", title.lower()).split()
    return " ".join(word for word in words if word not in _PASSED_OVER and len(word) > 2)
