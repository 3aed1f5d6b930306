"""The shortlist: the papers that the section will discuss (Citegeist, section 3.1)."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from citeplug.records.draft import Draft
from citeplug.records.paper import Candidate, Shortlisted
from citeplug.retrieve.duplicates import collapse_duplicates, exclude_draft
from citeplug.retrieve.fusion import Ranking, fuse
from citeplug.text.sameness import Register, describe_entry, describe_paper
from citeplug.text.withdrawn import possibly_withdrawn

SIMILARITY_WEIGHT = 0.5  # of the order by score, beside the order of retrieval


def admissible(candidates: Sequence[Candidate], draft: Draft) -> list[Candidate]:
    """Candidates that may be discussed, in their order.

    The draft itself, possibly withdrawn papers, records without a title, and all but one of near-duplicates
    stay out. Records without authors stay in: a source may complete them before the shortlist is made.
    """
    others = exclude_draft(draft, candidates)
    sound = [c for c in others if c.paper.title and not possibly_withdrawn(c.paper)]
    return collapse_duplicates(sound, preferred=_with_entry(sound, draft))


def _with_entry(candidates: Sequence[Candidate], draft: Draft) -> set[str]:
    """The ids of the candidates that the draft has an entry for."""
    entries: Register[None] = Register()
    for entry in draft.entries:
        entries.add(describe_entry(entry), None)
    return {c.paper.id.value for c in candidates if any(entries.same(describe_paper(c.paper)))}


def select_shortlist(
    longlist: Sequence[Candidate], breadth: int, pages: Mapping[str, Sequence[float]] | None = None
) -> list[Shortlisted]:
    """`breadth` papers of the longlist, by score; records without authors are never among them.

    The score is the mean of the similarities to the draft of a paper's abstract and of its chosen pages:
    `pages` holds those of the pages by id, and a paper without any is judged by its abstract. It is a mean
    and not a sum, so that a paper does not win by having more pages.

    Citegeist takes the papers with the highest mean. Here the order of retrieval, which knows the words too,
    has its say in which papers are taken: of ten, 2.9 are then cited by the real paper, by the mean alone 2.6.
    """
    by_id = pages or {}
    complete = {c.paper.id.value: c for c in longlist if c.paper.complete}
    scores = {value: min(1.0, max(0.0, fmean([c.similarity, *by_id.get(value, ())]))) for value, c in complete.items()}
    retrieved = sorted(complete, key=lambda value: -complete[value].score)
    similar = sorted(complete, key=lambda value: -scores[value])
    taken = [value for value, _ in fuse([Ranking(retrieved), Ranking(similar, SIMILARITY_WEIGHT)])][: max(0, breadth)]
    return [Shortlisted(complete[v].paper, scores[v]) for v in sorted(taken, key=lambda value: -scores[value])]
