"""Rankers: the order of a longlist, and the table of them by name (LitLLM, section 3.3)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from citeplug.errors import Cancelled, CiteplugError
from citeplug.protocols import LanguageModel
from citeplug.records.debate import Argument, Debate
from citeplug.records.dialogue import Reply, Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.paper import Candidate, Paper
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, numbered_items, object_of, replied_list, replied_object
from citeplug.text.material import WARNING, draft_material, excerpt, fenced, material_of, whole_draft
from citeplug.text.quotation import SHORTEST, find_quote

PERMUTATION = f"""You help with the literature review of a research paper, the draft. Order the candidate papers by how much the draft's related-work section needs them, the most needed first: works that the draft competes with, builds on or is measured against; then works on the same problem; then background.

{WARNING}

The section has room for as many papers as you are told, and takes the first of your order; the room need not be filled. Among these each contribution of the draft, each of its key ideas, has the works that a referee would look for: the ones that began a line of work, the strongest, the latest; several where there are several. Name every candidate once, by its handle: in `order`, or in `not_citable` if the draft need not answer it. That is so if it shares only a word or a broad field with the draft, or treats another problem by a tool that the draft does not build on; a long tail of the candidates may be like that. Do not leave out a paper because a nearer one exists.
Answer with JSON that fits the schema."""

_HANDLES = list_of({"type": "integer"})
PERMUTATION_SCHEMA = object_of(
    {
        "order": {**_HANDLES, "description": "handles, best first"},
        "not_citable": {**_HANDLES, "description": "handles of papers that do not belong in the section"},
    }
)
_FEWEST = 5  # papers that stay, whatever the model says of them

BATCH = 5  # candidates in one request: a longlist of 30 is six requests at once
REPAIRS = 2
_SHOWN = 4_000  # characters of an abstract: quotations may come from anywhere in it
_MOST_ARGUMENTS = 10  # on one side that are read

DEBATE = f"""You help with the literature review of a research paper, the draft. For each candidate paper give arguments for and against citing it in the draft's related-work section, then the probability, 0 to 100, that a paper with the draft's abstract cites it. Support each argument with one quotation from that candidate's own abstract: one uninterrupted stretch of {SHORTEST} words or more, copied word for word.

{WARNING}

Answer with JSON that fits the schema."""

_ARGUMENTS = list_of(object_of({"argument": {"type": "string"}, "quote": {"type": "string"}}))
_DEBATE = object_of(
    {
        "handle": {"type": "integer"},
        "arguments_for": _ARGUMENTS,
        "arguments_against": _ARGUMENTS,
        "probability": {"type": "number", "description": "0 to 100"},
    }
)
DEBATE_SCHEMA = object_of({"candidates": list_of(_DEBATE)})

# Row numbers of the longlist, best first, without those that do not belong, what went wrong, and debates by the ids of
# their papers. The ids that are passed in are those of the papers that the draft cites, the number is that of the
# papers that the section takes.
Ranker = Callable[
    [Draft, Sequence[Candidate], LanguageModel, Collection[str], int],
    tuple[list[int], list[Finding], Mapping[str, Debate]],
]


@dataclass(frozen=True, slots=True)
class Permutation:
    """`order` are row numbers of the candidates, best first; `not_citable` those that do not belong, in none.

    `missing`, `repeated` and `unknown` count what of the model's lists had to be put right: LitLLM found 41 % of
    GPT-4's lists incomplete and up to 3 % with repetitions.
    """

    order: tuple[int, ...]
    not_citable: tuple[int, ...] = ()
    missing: int = 0
    repeated: int = 0
    unknown: int = 0


def rank_by_permutation(
    draft: Draft, papers: Sequence[Paper], model: LanguageModel, cited: Collection[int] = (), room: int | None = None
) -> Permutation:
    """Order `papers`, given best first by some other measure, for the draft; `cited` are the rows that it cites.

    `room` is how many of them the section takes; None: all.

    Papers of which the model says nothing follow in the order given; a repeated one counts where it is first.
    Papers that do not belong are left out of the order, save those that the draft cites, which come last in it; at
    least five papers stay. One request. Raises what `model.complete` raises.
    """
    if len(papers) < 2:
        return Permutation(tuple(range(len(papers))))
    return read_order(model.complete(permutation_request(draft, papers, cited, room)), len(papers), cited)


def permutation_request(
    draft: Draft, papers: Sequence[Paper], cited: Collection[int] = (), room: int | None = None
) -> Request:
    shown = [
        replace(material_of(number, paper), more=(("year", str(paper.published.year)),))
        for number, paper in enumerate(papers, start=1)
    ]
    prompt = f"The candidates:\n{fenced(shown)}\nThe section has room for {room or len(papers)} papers."
    if cited:
        prompt += f"\nThe draft cites these already: {', '.join(f'[{row + 1}]' for row in sorted(cited))}."
    shared = f"The draft:\n{fenced([whole_draft(draft)])}\n"
    return Request(
        "ranking", PERMUTATION, prompt, shared=shared, schema=PERMUTATION_SCHEMA, max_tokens=200 + 10 * len(papers)
    )


def read_order(reply: Reply, count: int, cited: Collection[int] = ()) -> Permutation:
    """The order that a model gives for `count` candidates; the order given if it gives none."""
    refused = replied_object(reply).get("not_citable")
    order: list[int] = []
    out: list[int] = []
    repeated = unknown = 0
    for items, rows in ((replied_list(reply, "order"), order), (refused, out)):
        for item in items if isinstance(items, list) else []:
            handle = number_of(item)
            if handle is None or not 1 <= handle <= count:
                unknown += 1
            elif handle - 1 in order or handle - 1 in out:
                repeated += 1
            else:
                rows.append(handle - 1)
    missing = [row for row in range(count) if row not in {*order, *out}]
    stay = [row for row in sorted(out) if row in cited]
    rest = [row for row in sorted(out) if row not in cited]
    few = max(0, _FEWEST - len(order) - len(missing) - len(stay))
    order_of_all = (*order, *missing, *stay, *rest[:few])
    return Permutation(order_of_all, tuple(rest[few:]), len(missing), repeated, unknown)


def rank_by_debate(
    title: str, abstract: str, papers: Sequence[Paper], model: LanguageModel, *, verified: bool = True
) -> tuple[list[int], list[Debate], CiteplugError | None]:
    """Order `papers`, given best first by some other measure; the row numbers, a debate each, and what went wrong.

    Candidates go in batches, all at once; those without a probability, or with an argument whose quotation is not in
    their abstract, are asked again at most twice, again all at once: three round trips at most. An argument that then
    has no quotation counts as absent. A candidate without a probability counts as if it had 50. Without `verified` no
    argument is asked again, LitLLM's ablation (figure 3). Raises Cancelled.
    """
    debates = [Debate() for _ in papers]
    open_rows = list(range(len(papers)))
    trouble: CiteplugError | None = None
    for turn in range(1 + REPAIRS):
        if not open_rows or trouble is not None:
            break
        batches = [open_rows[start : start + BATCH] for start in range(0, len(open_rows), BATCH)]
        requests = [
            debate_request(title, abstract, [papers[row] for row in batch], again=turn > 0) for batch in batches
        ]
        try:
            replies: Sequence[Reply | CiteplugError] = model.complete_all(requests)
        except Cancelled:
            raise
        except CiteplugError as error:
            replies = [error] * len(requests)
        for batch, reply in zip(batches, replies, strict=True):
            if isinstance(reply, Cancelled):
                raise reply
            if isinstance(reply, CiteplugError):
                trouble = reply
                continue
            for row, debate in zip(batch, read_debates(reply, [papers[row] for row in batch]), strict=True):
                debates[row] = _better(debates[row], debate)
        open_rows = [r for r in open_rows if debates[r].probability is None or (verified and debates[r].unproved)]
    chances = [50.0 if debate.probability is None else debate.probability for debate in debates]
    return sorted(range(len(papers)), key=lambda row: (-chances[row], row)), debates, trouble


def debate_request(title: str, abstract: str, papers: Sequence[Paper], *, again: bool = False) -> Request:
    shown = [excerpt(number, paper, _SHOWN) for number, paper in enumerate(papers, start=1)]
    prompt = f"The candidates:\n{fenced(shown)}"
    if again:
        prompt += "\nYour last answer had quotations that are not in the abstracts word for word: copy them exactly."
    shared = f"The draft:\n{fenced([draft_material(title, abstract)])}\n"
    return Request("ranking", DEBATE, prompt, shared=shared, schema=DEBATE_SCHEMA, max_tokens=400 + 500 * len(papers))


def read_debates(reply: Reply, papers: Sequence[Paper]) -> list[Debate]:
    """A debate for each of `papers`, empty where the answer has none; of two for one candidate the first counts."""
    debates: dict[int, Debate] = {}
    for handle, item in numbered_items(replied_list(reply, "candidates"), "handle", range(1, len(papers) + 1)):
        if handle in debates:
            continue
        stated = Debate(
            _probability(item.get("probability")),
            _arguments(item.get("arguments_for")),
            _arguments(item.get("arguments_against")),
        )
        debates[handle] = proved(stated, papers[handle - 1].abstract)
    return [debates.get(handle, Debate()) for handle in range(1, len(papers) + 1)]


def proved(debate: Debate, abstract: str) -> Debate:
    """The debate with those arguments whose quotations are in the abstract, in its words; all text is plain.

    A debate that was kept in a file is proved again: the file may have been changed, and so may the abstract.
    """
    sides = debate.arguments_for, debate.arguments_against
    speaks_for, speaks_against = (
        tuple(
            Argument(plain(argument.argument), plain(abstract[slice(*place)]))
            for argument in arguments
            if (place := find_quote(argument.quote, abstract)) is not None
        )
        for arguments in sides
    )
    unproved = debate.unproved + sum(map(len, sides)) - len(speaks_for) - len(speaks_against)
    return Debate(_probability(debate.probability), speaks_for, speaks_against, unproved)


def _arguments(value: Any) -> tuple[Argument, ...]:
    """The arguments of one side in an answer; what has another shape is passed over."""
    return tuple(
        Argument(item["argument"], item["quote"])
        for item in (value if isinstance(value, list) else [])[:_MOST_ARGUMENTS]
        if isinstance(item, dict) and isinstance(item.get("argument"), str) and isinstance(item.get("quote"), str)
    )


def _probability(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value.strip().rstrip("%")) if isinstance(value, str) else float(value)
    except (ValueError, OverflowError):
        return None
    return number if 0 <= number <= 100 else None


def _better(old: Debate, new: Debate) -> Debate:
    """The later answer, unless it proves less than the earlier one."""
    if new.probability is None:
        return old
    if old.probability is not None and old.unproved <= new.unproved:
        return old
    return new


def by_permutation(
    draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, cited: Collection[str], room: int
) -> tuple[list[int], list[Finding]]:
    """LitLLM's instructional permutation; the order of the longlist on an outage."""
    rows = [row for row, candidate in enumerate(longlist) if candidate.paper.id.value in cited]
    try:
        done = rank_by_permutation(draft, [c.paper for c in longlist], model, rows, room)
    except Cancelled:
        raise
    except CiteplugError as error:
        return list(range(len(longlist))), [model_unavailable(error, "the order of retrieval is kept")]
    findings = []
    if done.not_citable:
        message = (
            f"the model says that {len(done.not_citable)} of {len(longlist)} papers found do not belong in the section:"
            " they are not shortlisted"
        )
        findings.append(
            Finding("papers_not_citable", "info", message, fix="'citeplug papers' lists them; --pin adds one")
        )
    if done.missing or done.repeated or done.unknown:
        message = (
            f"the model's ranking of {len(longlist)} papers left out {done.missing}, repeated {done.repeated} and named"
            f" {done.unknown} unknown ones; it was corrected"
        )
        findings.append(Finding("ranking_repaired", "info", message))
    return list(done.order), findings


def by_debate(
    draft: Draft, longlist: Sequence[Candidate], model: LanguageModel, cited: Collection[str], room: int
) -> tuple[list[int], list[Finding], dict[str, Debate]]:
    """LitLLM's debate ranking with attribution; it leaves no paper out."""
    order, debates, trouble = rank_by_debate(draft.title, draft.abstract, [c.paper for c in longlist], model)
    by_id = {c.paper.id.value: debate for c, debate in zip(longlist, debates, strict=True) if debate != Debate()}
    if trouble is not None:
        return order, [model_unavailable(trouble, "papers that were not debated are ranked in the middle")], by_id
    unproved = sum(debate.unproved for debate in debates)
    silent = sum(debate.probability is None for debate in debates)
    if not (unproved or silent):
        return order, [], by_id
    message = (
        f"in the debate {unproved} arguments had no quotation from the abstract and count as absent, and"
        f" {silent} of {len(longlist)} papers got no probability"
    )
    return order, [Finding("ranking_repaired", "info", message)], by_id


RANKERS: Mapping[str, Ranker] = {"permutation": lambda *of: (*by_permutation(*of), {}), "debate": by_debate}
