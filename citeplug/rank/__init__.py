"""Rankers: the order of a longlist, and the table of them by name (LitLLM, section 3.3)."""

from collections.abc import Callable, Mapping, Sequence

from citeplug.errors import Cancelled, CiteplugError
from citeplug.ports import LanguageModel
from citeplug.rank.debate import rank_by_debate
from citeplug.rank.permutation import rank_by_permutation
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Candidate, Shortlisted

Ranker = Callable[[Draft, Sequence[Candidate], LanguageModel, list[Finding]], list[int]]


def shortlist_by(
    rank: str, draft: Draft, longlist: Sequence[Candidate], breadth: int, model: LanguageModel, doubts: list[Finding]
) -> list[Shortlisted]:
    """The first `breadth` complete papers of the longlist in the model's order, best first by similarity, as ever."""
    order = RANKERS[rank](draft, longlist, model, doubts)
    chosen = [longlist[row] for row in order if longlist[row].paper.complete][: max(0, breadth)]
    scored = [Shortlisted(c.paper, min(1.0, max(0.0, c.similarity))) for c in chosen]
    return sorted(scored, key=lambda item: -item.score)


def _permutation(draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, doubts: list[Finding]) -> list[int]:
    """LitLLM's instructional permutation."""
    try:
        done = rank_by_permutation(draft.title, draft.abstract, [c.paper for c in longlist], model)
    except Cancelled:
        raise
    except CiteplugError as error:
        doubts.append(model_unavailable(error, "the order of retrieval stands"))
        return list(range(len(longlist)))
    if done.missing or done.repeated or done.unknown:
        doubts.append(
            Finding(
                "ranking_repaired",
                "info",
                f"the model's ranking of {len(longlist)} papers left out {done.missing}, repeated {done.repeated} and"
                f" named {done.unknown} that are none; it was put right",
            )
        )
    return list(done.order)


def _debate(draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, doubts: list[Finding]) -> list[int]:
    """LitLLM's debate ranking with attribution."""
    order, debates, trouble = rank_by_debate(draft.title, draft.abstract, [c.paper for c in longlist], model)
    if trouble is not None:
        doubts.append(model_unavailable(trouble, "papers that were not debated stand in the middle"))
    unproved = sum(debate.unproved for debate in debates)
    silent = sum(debate.probability is None for debate in debates)
    if trouble is None and (unproved or silent):
        doubts.append(
            Finding(
                "ranking_repaired",
                "info",
                f"in the debate {unproved} arguments had no quotation from the abstract and count as absent, and"
                f" {silent} of {len(longlist)} papers got no probability",
            )
        )
    return order


RANKERS: Mapping[str, Ranker] = {"permutation": _permutation, "debate": _debate}
