"""The shortlist: the papers that the section will discuss (Citegeist, section 3.1).

The draft's own record on arXiv and duplicates are left out.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Candidate, Paper, Shortlisted
from citeplug.text.folding import fold_title
from citeplug.text.sameness import Register, describe_entry, describe_paper
from citeplug.text.withdrawn import possibly_withdrawn

# Share of common words in all words of two abstracts. Two papers of one author on one subject stay below a half;
# versions of one abstract are far above.
_SAME_ABSTRACT = 0.75
_FEWEST_WORDS = 40  # different words; shorter abstracts are not compared

# Name of a folder into which arXiv's source of a paper was unpacked.
_OWN_ID = re.compile(r"(?:arxiv[-_. ]?)?(?P<id>\d{4}\.\d{4,5}|[a-z]+(?:-[a-z]+)?[-_]?\d{7})(?:v\d+)?", re.IGNORECASE)


def exclude_draft(draft: Draft, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Candidates that are not the draft's own record on arXiv; see `draft_test`."""
    is_draft = draft_test(draft)
    return [candidate for candidate in candidates if not is_draft(candidate.paper)]


def draft_test(draft: Draft) -> Callable[[Paper], bool]:
    """A test of whether a paper is the draft's own record on arXiv.

    It is recognised by its title, by an abstract with nearly the same words, or by its id if that is the name of
    the draft's file or folder, as with sources from arXiv.
    """
    title, words, own_ids = fold_title(draft.title), _words(draft.abstract), _own_ids(draft)

    def is_draft(paper: Paper) -> bool:
        return paper.id.value in own_ids or (title != "" and fold_title(paper.title) == title) or _same(words, paper)

    return is_draft


def collapse_duplicates(candidates: Sequence[Candidate], preferred: Collection[str] = ()) -> list[Candidate]:
    """Return one candidate for each paper, in the place of its first.

    It is the first one, or the first whose id is in `preferred` (those that the draft has an entry for).
    """
    unique: list[Candidate] = []
    register: Register[int] = Register()
    for candidate in candidates:
        # One paper may have two records at arXiv.
        described = replace(describe_paper(candidate.paper), arxiv_id=None)
        place = next((place for _, place in register.same(described)), None)
        if place is None:
            register.add(described, len(unique))
            unique.append(candidate)
        elif candidate.paper.id.value in preferred and unique[place].paper.id.value not in preferred:
            unique[place] = candidate
    return unique


def _words(text: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in re.findall(r"[^\W\d_]{2,}", text))


def _same(words: frozenset[str], paper: Paper) -> bool:
    if len(words) < _FEWEST_WORDS:
        return False
    theirs = _words(paper.abstract)
    return len(words & theirs) >= _SAME_ABSTRACT * len(words | theirs)


def _own_ids(draft: Draft) -> set[str]:
    ids = set()
    for name in (draft.root.stem, draft.root.parent.name):
        match = _OWN_ID.fullmatch(name)
        if match is None:
            continue
        try:
            ids.add(ArxivId.parse(re.sub(r"(?<=[a-z])[-_]?(?=\d{7}$)", "/", match["id"])).value)
        except ValueError:
            continue
    return ids


def admissible(candidates: Sequence[Candidate], draft: Draft) -> list[Candidate]:
    """Return the candidates that may be discussed, in their order.

    The draft itself, possibly withdrawn papers, records without a title, and all but one of near-duplicates are left
    out. Records without authors stay: a source may complete them before the shortlist is made.
    """
    others = exclude_draft(draft, candidates)
    sound = [c for c in others if c.paper.title and not possibly_withdrawn(c.paper)]
    return collapse_duplicates(sound, preferred=_with_entry(sound, draft))


def _with_entry(candidates: Sequence[Candidate], draft: Draft) -> set[str]:
    """Return the ids of the candidates that the draft has an entry for."""
    entries: Register[None] = Register()
    for entry in draft.entries:
        entries.add(describe_entry(entry), None)
    return {c.paper.id.value for c in candidates if any(entries.same(describe_paper(c.paper)))}


def rank_longlist(longlist: Sequence[Candidate]) -> list[Shortlisted]:
    """The longlist's papers that have authors, in its order; the score is their relevance, 0 to 1."""
    return [Shortlisted(c.paper, c.relevance, c.links) for c in longlist if c.paper.complete]


def rank_as_published(longlist: Sequence[Candidate]) -> list[Shortlisted]:
    """The longlist's papers that have authors, those most similar to the draft first, as Citegeist takes them."""
    rated = [Shortlisted(c.paper, min(1.0, max(0.0, c.similarity)), c.links) for c in longlist if c.paper.complete]
    return sorted(rated, key=lambda item: (-item.score, item.paper.id.value))
