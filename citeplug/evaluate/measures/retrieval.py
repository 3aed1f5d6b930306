"""Measures of what was found and cited: LitLLM (section 3.4, appendix D.1), DeepScholar-Bench (arXiv:2508.20033)."""

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from statistics import median

_LEAST_ALIKE = 0.8
_PASSED_OVER = frozenset("the a an and or but in on at to for of with by".split())
_NEW_SCHEME = re.compile(r"\d+\.\d+")

COMPLETE, INCOMPLETE, REPEATED, UNKNOWN = (
    "complete ranked list",
    "incomplete list",
    "repeated value",
    "unknown value",
)


def precision_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return |Retrieved@k and GT| / k (LitLLM, section 3.4, Eq. 1).

    Results that are missing from the first `k` count as misses. None without cited papers.
    """
    return len(set(cited).intersection(retrieved[:k])) / k if cited else None


def recall_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return the share of the cited papers that is among the first `k` results (LitLLM, appendix D.1).

    None without cited papers.
    """
    return len(set(cited).intersection(retrieved[:k])) / len(set(cited)) if cited else None


def normalized_recall_at_k(retrieved: Sequence[str], cited: Collection[str], k: int) -> float | None:
    """Return |Retrieved@k and GT| / |Retrieved and GT|: the order alone, whatever retrieval missed (LitLLM, Eq. 1).

    `retrieved` is the whole ranked list. None where no cited paper was retrieved. D.1 prints 0.10 for 4 of 10 (it has
    1/10 where its own 4 belongs), a slip of the text that Eq. 1 does not have, so that there is one form.
    """
    relevant = set(cited).intersection(retrieved)
    return len(relevant.intersection(retrieved[:k])) / len(relevant) if relevant else None


def coverage(retrieved: Collection[str], cited: Collection[str]) -> float | None:
    """Return the share of the cited papers that was retrieved at any rank (LitLLM, Table 1); None without cited papers.

    It rises with the length of the list: numbers are comparable between lists of one length (LitLLM's have 100 papers,
    with Deep Research 200).
    """
    return len(set(cited).intersection(retrieved)) / len(set(cited)) if cited else None


def citation_coverage(cited: Collection[str], planned: Collection[str]) -> float | None:
    """Return the share of `planned` papers that the text cites (LitLLM, Table 5); None without any.

    Further citations do not count.
    """
    return len(set(planned).intersection(cited)) / len(set(planned)) if planned else None


def reference_coverage(
    cited: Collection[str],
    gold: Collection[str],
    titles: Mapping[str, str] | None = None,
    *,
    as_published: bool = False,
) -> float | None:
    """Return the share of the `gold` papers that the text cites, by id (DeepScholar-Bench); None without gold papers.

    As published (`reference_coverage.py`) a paper also counts as cited if the title of a cited one (`titles`, by id) is
    like its own (difflib's ratio above .8 without short words), so that part I covers part II; ids of the scheme before
    2007 never match by themselves; and without gold papers the value is 0 and enters the mean.
    """
    if not as_published:
        return len(set(gold).intersection(cited)) / len(set(gold)) if gold else None
    known = titles or {}
    bare_titles = [_bare(known.get(paper, "")) for paper in cited]
    covered = [
        bool(_NEW_SCHEME.fullmatch(paper) and paper in cited) or _like_one_of(_bare(known.get(paper, "")), bare_titles)
        for paper in set(gold)
    ]
    return sum(covered) / len(covered) if covered else 0.0


def _like_one_of(title: str, bare_titles: Collection[str]) -> bool:
    return any(
        title and bare_title and SequenceMatcher(None, title, bare_title).ratio() > _LEAST_ALIKE
        for bare_title in bare_titles
    )


def _bare(title: str) -> str:
    words = re.sub(r"[^\w\s]", "", title.lower()).split()
    return " ".join(word for word in words if word not in _PASSED_OVER and len(word) > 2)


def document_importance(
    cited: Collection[int | None], gold: Collection[int | None], *, as_published: bool = False
) -> float | None:
    """Return the median count of citations of the `cited` papers over that of the `gold` ones (DeepScholar-Bench).

    It is at most 1. None stands for a paper whose count is not known, which is left out. Without a median on either
    side, or with one of 0 for the gold papers, the result is None; as published (`document_importance.py`) it is 0 and
    enters the mean.
    """
    ours, theirs = ([count for count in side if count is not None] for side in (cited, gold))
    if not ours or not theirs or not median(theirs):
        return 0.0 if as_published else None
    return min(median(ours) / median(theirs), 1.0)


def permutation_errors(
    ranking: Sequence[str], candidates: Collection[str], *, as_published: bool = False
) -> Mapping[str, float]:
    """Return 1 or 0 for each mode of one ranking of `candidates` (LitLLM, Table 2).

    The mean over rankings is the share of lists. A list may have several faults here. Table 2 gives each list one
    class, so that its shares add up to 100 %, and has none for values that are no candidate: with `as_published` a list
    that is shorter than the candidates is incomplete, and one of full length with a value twice is "repeated" (the
    paper does not say which class goes before; a list with an unknown value counts as incomplete, since a candidate is
    missing from it).
    """
    ranked = set(ranking)
    short, twice = bool(set(candidates) - ranked), len(ranked) < len(ranking)
    unknown = bool(ranked - set(candidates))
    if as_published:
        twice = twice and len(ranking) >= len(set(candidates))
        short = short and not twice
        return {COMPLETE: float(not (short or twice)), INCOMPLETE: float(short), REPEATED: float(twice)}
    complete = not (short or twice or unknown)
    modes = {COMPLETE: complete, INCOMPLETE: short, REPEATED: twice, UNKNOWN: unknown}
    return {name: float(value) for name, value in modes.items()}
