"""Cited works that report opposite findings on the same thing, as a model judges them.

    abstracts, in the order in which the draft cites the works -> pairs in conflict, quoted -> confirmed -> doubts

A pair is shown only if both works have their quotations word for word, and a second request confirms it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citeplug.audit.cited_claims import CitedWork, Claim, shown
from citeplug.errors import CiteplugError
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, items_of, text_of, unreadable
from citeplug.protocols import LanguageModel
from citeplug.records.audit import CitationDoubt, CitedPassage
from citeplug.records.dialogue import Request
from citeplug.records.finding import Finding, model_unavailable
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST, find_quote

MOST = 60  # works whose abstracts are read
_AT_ONCE = 15  # in a request: what is cited near each other is mostly on one matter
_TO_CONFIRM = 10  # pairs in a request
_SENTENCES = 60  # of the draft, that cite one of the works
_LONGEST = 600  # characters of a sentence
_LONGEST_ABSTRACT = 4_000

_CONFLICT = """Two works are in conflict only if each reports a finding of its own, as a fact that it measured, proved or observed, both on the same question, and the two cannot both hold as they are stated: one finds an effect, the other none or the opposite; one finds a method better than another, the other finds it worse.
No conflict: other data, populations, settings, measures or definitions that may explain the difference, unless one of the works says that its finding holds there too, or denies that of the other by its name; a later method that does better than an earlier one; a motivation, an assumption, a proposal or an opinion; what a work says of the works before it; findings that are both possible at once. If you are in doubt, there is none: most lists of works have none at all."""

PROPOSING = f"""You help the author of a research paper, the draft, to see where the works that it cites disagree, as a careful referee would.

{WARNING}

You see abstracts of works and sentences of the draft.
{_CONFLICT}
For each two works in conflict, and for no others, give
- `works`: their numbers;
- `about`: the question on which they disagree, in at most 15 words;
- `first`, `second`: the words in which each of the two, in the same order, reports its finding, each one uninterrupted stretch of {SHORTEST} words or more of that work's abstract, copied word for word;
- `sentence`: the number of the draft's sentence that says that these two works disagree, -1 if none does. To cite both, or to report one of the findings, is not to say so.
Answer with JSON that fits the schema; the list is empty where no works are in conflict."""

CONFIRMING = f"""You check, as a careful referee would, whether earlier works contradict each other. Somebody claims so of each numbered pair; such claims are wrong more often than right.

{WARNING}

{_CONFLICT}
For each pair you see the question, and of both works the abstract and the words that are said to be in conflict. First give `reason`: in at most 30 words what could make both findings true at once, or that nothing in the abstracts does; then `conflict`: true only if nothing does. Answer with JSON that fits the schema, an object for each pair."""

CONFLICTS: Mapping[str, Any] = object_of(
    {
        "conflicts": list_of(
            object_of({"works": list_of(NUMBER), "about": TEXT, "first": TEXT, "second": TEXT, "sentence": NUMBER})
        )
    }
)
CONFIRMED: Mapping[str, Any] = object_of(
    {"pairs": list_of(object_of({"pair": NUMBER, "reason": TEXT, "conflict": {"type": "boolean"}}))}
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """What two works report on a question, word for word, and the sentence of the draft that says so, if one does."""

    works: tuple[CitedWork, CitedWork]
    about: str
    quotations: tuple[str, str]
    said: Claim | None = None


def find_conflicts(
    claims: Sequence[Claim], works: Mapping[str, CitedWork], model: LanguageModel
) -> tuple[list[CitationDoubt], list[Finding], int]:
    """Return a doubt on each conflict, findings on the model, and how many works were read.

    Only works that sentences of the draft cite are compared. Raises Cancelled, nothing else.
    """
    cited = {key: works[key] for claim in claims for key in claim.keys if key in works and works[key].abstract}
    first = list(cited.values())[:MOST]
    batches = [batch for at in range(0, len(first), _AT_ONCE) if len(batch := first[at : at + _AT_ONCE]) > 1]
    citing = [_citing(batch, claims) for batch in batches]

    def read(number: int, data: Mapping[str, Any], _: object) -> list[Conflict] | None:
        items = data.get("conflicts")
        if not isinstance(items, list):
            return None
        conflicts = dict[frozenset[str], Conflict]()
        for item in items_of(items, 2 * _AT_ONCE):
            conflict = _read_conflict(item, batches[number], citing[number]) if isinstance(item, dict) else None
            if conflict is not None:
                conflicts.setdefault(frozenset(work.key for work in conflict.works), conflict)
        return list(conflicts.values())

    requests = [_request(batch, sentences) for batch, sentences in zip(batches, citing, strict=True)]
    findings: list[Finding] = []
    proposed = [conflict for part in _answers(ask_readable(model, requests, read), findings) for conflict in part]
    confirmed = _confirm(proposed, model, findings)
    return [_doubt(conflict, claims, model.name) for conflict in confirmed], findings, sum(map(len, batches))


def _citing(works: Sequence[CitedWork], claims: Sequence[Claim]) -> list[Claim]:
    """The sentences of the draft that cite one of the works, those that cite several of them first."""
    keys = {work.key.lower() for work in works}
    citing = [claim for claim in claims if keys & set(claim.keys)]
    return sorted(citing, key=lambda claim: -len(keys & set(claim.keys)))[:_SENTENCES]


def _read_conflict(item: Mapping[str, Any], works: Sequence[CitedWork], sentences: Sequence[Claim]) -> Conflict | None:
    """The conflict, if both abstracts have what is quoted from them."""
    numbers = item.get("works")
    places = [number_of(number) for number in numbers] if isinstance(numbers, list) else []
    known = [works[at] for at in places if at is not None and 0 <= at < len(works)]
    if len(known) != 2 or known[0] is known[1]:
        return None
    first, second = known
    quotations = []
    for name, work in (("first", first), ("second", second)):
        span = find_quote(text_of(item.get(name)), work.abstract)
        if span is None:
            return None
        quotations.append(work.abstract[slice(*span)])
    number = number_of(item.get("sentence"))
    sentence = sentences[number] if number is not None and 0 <= number < len(sentences) else None
    return Conflict((first, second), text_of(item.get("about"))[:_LONGEST], (quotations[0], quotations[1]), sentence)


def _confirm(proposed: Sequence[Conflict], model: LanguageModel, findings: list[Finding]) -> list[Conflict]:
    batches = [proposed[start : start + _TO_CONFIRM] for start in range(0, len(proposed), _TO_CONFIRM)]

    def read(number: int, data: Mapping[str, Any], _: object) -> list[Conflict] | None:
        items = data.get("pairs")
        if not isinstance(items, list):
            return None
        batch = batches[number]
        verdicts: dict[int, bool] = {}
        for item in items_of(items, 2 * _TO_CONFIRM):
            at = number_of(item.get("pair")) if isinstance(item, dict) else None
            if at is not None:
                verdicts[at] = verdicts.get(at, True) and item.get("conflict") is True
        return [conflict for at, conflict in enumerate(batch) if verdicts.get(at)]

    answers = ask_readable(model, [_confirmation(batch) for batch in batches], read)
    return [conflict for part in _answers(answers, findings) for conflict in part]


def _answers(answers: Sequence[list[Conflict] | CiteplugError | None], findings: list[Finding]) -> list[list[Conflict]]:
    """The answers that could be read; what kept the model from others is said once."""
    for answer in answers:
        if isinstance(answer, list) or findings:
            continue
        if answer is None:
            findings.append(unreadable("an answer of the model could not be read: some cited works were not compared"))
        else:
            findings.append(model_unavailable(answer, "cited works were not compared with each other"))
    return [answer for answer in answers if isinstance(answer, list)]


def _request(works: Sequence[CitedWork], sentences: Sequence[Claim]) -> Request:
    places = {work.key: at for at, work in enumerate(works)}
    parts = [(f"work {at}", _abstract(work)) for at, work in enumerate(works)]
    parts += [
        (f"sentence {at} of the draft", plain(_with_works(claim, places))[:_LONGEST])
        for at, claim in enumerate(sentences)
    ]
    return _of_parts(PROPOSING, parts, CONFLICTS, 1_500)


def _confirmation(conflicts: Sequence[Conflict]) -> Request:
    parts = []
    for at, conflict in enumerate(conflicts):
        parts.append((f"pair {at}: question", plain(conflict.about)))
        for which, work, quotation in zip(("first", "second"), conflict.works, conflict.quotations, strict=True):
            parts.append((f"pair {at}: {which} work", _abstract(work)))
            parts.append((f"pair {at}: words of the {which} work", plain(quotation)))
    return _of_parts(CONFIRMING, parts, CONFIRMED, 200 + 100 * len(conflicts))


def _of_parts(system: str, parts: Sequence[tuple[str, str]], schema: Mapping[str, Any], most: int) -> Request:
    number = fence_number(text for _, text in parts)
    text = "\n".join(fence(number, name, text) for name, text in parts)
    return Request("judge", system, text, schema=schema, max_tokens=most, label="conflicts of cited works")


def _abstract(work: CitedWork) -> str:
    return f"{plain(work.title)[:LONGEST_TITLE]}\n{plain(work.abstract)[:_LONGEST_ABSTRACT]}"


def _with_works(claim: Claim, places: Mapping[str, int]) -> str:
    small = {key.lower(): at for key, at in places.items()}
    return claim.sentence.with_citations(
        lambda keys: (
            f"[{', '.join(f'work {small[key.lower()]}' if key.lower() in small else 'another' for key in keys)}]"
        )
    )


def _doubt(conflict: Conflict, claims: Sequence[Claim], by: str) -> CitationDoubt:
    """The doubt on the sentence that says so, or else on the first that cites both works, or one of them."""
    keys = {work.key.lower() for work in conflict.works}
    citing = [claim for claim in claims if keys & set(claim.keys)]
    place = conflict.said or max(citing, key=lambda claim: len(keys & set(claim.keys)))
    says = (
        "and your draft says so"
        if conflict.said is not None
        else "and no sentence of your draft was found that says so"
    )
    first, second = conflict.works
    source, fits = (
        CitedPassage(work.key, work.title, shown(quotation))
        for work, quotation in zip(conflict.works, conflict.quotations, strict=True)
    )
    reason = f"{first.key} and {second.key} disagree on {conflict.about.rstrip('.')}, {says}"
    return CitationDoubt("works_disagree", reason, place.shown, source, place.file, place.sentence.line, fits, by)
