"""The shortlist: the papers that the section will discuss (Citegeist, section 3.1)."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from citeplug.records.draft import Draft
from citeplug.records.paper import Candidate
from citeplug.records.review import Shortlisted
from citeplug.records.withdrawn import possibly_withdrawn
from citeplug.retrieve.duplicates import collapse_duplicates, exclude_draft


def admissible(candidates: Sequence[Candidate], draft: Draft) -> list[Candidate]:
    """Candidates that may be discussed, in their order.

    The draft itself, possibly withdrawn papers, records without a title, and all but one of near-duplicates
    stay out. Records without authors stay in: a source may complete them before the shortlist is made.
    """
    cited = {entry.arxiv_id for entry in draft.entries if entry.arxiv_id}
    others = exclude_draft(draft, candidates)
    sound = [c for c in others if c.paper.title and not possibly_withdrawn(c.paper)]
    return collapse_duplicates(sound, preferred=cited)


def select_shortlist(
    longlist: Sequence[Candidate], breadth: int, pages: Mapping[str, Sequence[float]] | None = None
) -> list[Shortlisted]:
    """The `breadth` papers with the highest score, best first; records without authors are never among them.

    The score is the mean of the similarities to the draft of a paper's abstract and of its chosen pages:
    `pages` holds those of the pages by id, and a paper without any is judged by its abstract. It is a mean
    and not a sum, so that a paper does not win by having more pages. Equal scores keep the longlist's order.
    """
    by_id = pages or {}
    scored = [
        Shortlisted(c.paper, min(1.0, max(0.0, fmean([c.similarity, *by_id.get(c.paper.id.value, ())]))))
        for c in longlist
        if c.paper.complete
    ]
    return sorted(scored, key=lambda item: -item.score)[: max(0, breadth)]
