"""The shortlist: the papers that the section will discuss (Citegeist, section 3.1)."""

from collections.abc import Sequence

from citeplug.records.draft import Draft
from citeplug.records.paper import Candidate, Shortlisted
from citeplug.related.retrieve.duplicates import collapse_duplicates, exclude_draft
from citeplug.text.sameness import Register, describe_entry, describe_paper
from citeplug.text.withdrawn import possibly_withdrawn


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
