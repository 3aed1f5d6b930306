"""Rankers: the order of a longlist, and the table of them by name (LitLLM, section 3.3)."""

from collections.abc import Callable, Collection, Mapping, Sequence

from citeplug.errors import Cancelled, CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Candidate
from citeplug.related.rank.debate import rank_by_debate
from citeplug.related.rank.permutation import rank_by_permutation

# Row numbers of the longlist, best first, without those that do not belong, and what went wrong. The ids are those of
# the papers that the draft cites.
Ranker = Callable[[Draft, Sequence[Candidate], LanguageModel, Collection[str]], tuple[list[int], list[Finding]]]


def by_permutation(
    draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, cited: Collection[str] = ()
) -> tuple[list[int], list[Finding]]:
    """LitLLM's instructional permutation; the order of the longlist on an outage."""
    rows = [row for row, candidate in enumerate(longlist) if candidate.paper.id.value in cited]
    try:
        done = rank_by_permutation(draft, [c.paper for c in longlist], model, rows)
    except Cancelled:
        raise
    except CiteplugError as error:
        return list(range(len(longlist))), [model_unavailable(error, "the order of retrieval is kept")]
    findings = []
    if done.not_citable:
        message = (
            f"of {len(longlist)} papers found the model says that {len(done.not_citable)} do not belong in the section:"
            " they are not shortlisted"
        )
        findings.append(
            Finding("papers_not_citable", "info", message, fix="'citeplug papers' lists them; --pin takes one in")
        )
    if done.missing or done.repeated or done.unknown:
        message = (
            f"the model's ranking of {len(longlist)} papers left out {done.missing}, repeated {done.repeated} and named"
            f" {done.unknown} that are none; it was corrected"
        )
        findings.append(Finding("ranking_repaired", "info", message))
    return list(done.order), findings


def by_debate(
    draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, cited: Collection[str] = ()
) -> tuple[list[int], list[Finding]]:
    """LitLLM's debate ranking with attribution; it leaves no paper out."""
    order, debates, trouble = rank_by_debate(draft.title, draft.abstract, [c.paper for c in longlist], model)
    if trouble is not None:
        return order, [model_unavailable(trouble, "papers that were not debated are ranked in the middle")]
    unproved = sum(debate.unproved for debate in debates)
    silent = sum(debate.probability is None for debate in debates)
    if not (unproved or silent):
        return order, []
    message = (
        f"in the debate {unproved} arguments had no quotation from the abstract and count as absent, and"
        f" {silent} of {len(longlist)} papers got no probability"
    )
    return order, [Finding("ranking_repaired", "info", message)]


RANKERS: Mapping[str, Ranker] = {"permutation": by_permutation, "debate": by_debate}
