"""A model judges a draft's claims of novelty beside the abstracts of the earlier works that come closest to each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, items_of, text_of, unreadable
from citeplug.protocols import LanguageModel
from citeplug.records.audit import NoveltyClaim, NoveltyVerdict
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST, find_quote

_LONGEST_TEXT = 4_000  # characters of an abstract
_LONGEST_SENTENCE = 1_000

SYSTEM = f"""You check, as a careful referee would, what a research paper, the draft, claims to be the first to do.

{WARNING}

For each numbered claim you see the abstracts of earlier works. Judge by these texts alone.
- `verdict` is "holds" if none of the works does what the claim, as it is worded, says that nobody did before, and "refuted" if one does. A work on the same subject that does something else refutes nothing.
- `work` is the number of the work that comes closest to what is claimed.
- `quotation`: where it is refuted, the words of that work that do so, one uninterrupted stretch of {SHORTEST} words or more, copied word for word. Else empty.
- `wording`: where it is refuted, the claim's sentence reworded so that it holds beside that work and claims no more than the draft's abstract says, in at most 60 words. Else empty.
Answer with JSON that fits the schema, an object for each claim."""

VERDICTS: Mapping[str, Any] = object_of(
    {
        "claims": list_of(
            object_of(
                {
                    "claim": NUMBER,
                    "work": NUMBER,
                    "quotation": TEXT,
                    "verdict": {"type": "string", "enum": ["holds", "refuted"]},
                    "wording": TEXT,
                }
            )
        )
    }
)


def judge_claims(
    claims: Sequence[NoveltyClaim], draft: Draft, model: LanguageModel
) -> tuple[list[NoveltyClaim], list[Finding]]:
    """The claims with the model's verdicts, and findings on the model itself.

    A claim that is called refuted without words that the work has keeps no verdict. Raises Cancelled, nothing else.
    """
    asked = [number for number, claim in enumerate(claims) if claim.works]
    if not asked:
        return list(claims), []
    judged = list(claims)

    def read(_: int, data: Mapping[str, Any], __: object) -> dict[int, NoveltyVerdict] | None:
        if not isinstance(data.get("claims"), list):
            return None
        verdicts: dict[int, NoveltyVerdict] = {}
        for item in items_of(data["claims"], 3 * len(asked)):
            number = number_of(item.get("claim")) if isinstance(item, dict) else None
            if number is None or not 0 <= number < len(asked) or asked[number] in verdicts:
                continue
            verdict = _read_verdict(item, claims[asked[number]], model.name)
            if verdict is not None:
                verdicts[asked[number]] = verdict
        return verdicts

    (answer,) = ask_readable(model, [_request([claims[number] for number in asked], draft)], read)
    if isinstance(answer, CiteplugError):
        return judged, [model_unavailable(answer, "claims of novelty were not judged")]
    if answer is None:
        return judged, [unreadable("the model's answer could not be read: claims of novelty were not judged")]
    for number, verdict in answer.items():
        judged[number] = replace(claims[number], verdict=verdict)
    return judged, []


def _read_verdict(item: Mapping[str, Any], claim: NoveltyClaim, by: str) -> NoveltyVerdict | None:
    number = number_of(item.get("work"))
    if number is None or not 0 <= number < len(claim.works) or item.get("verdict") not in ("holds", "refuted"):
        return None
    paper = claim.works[number].paper
    if item["verdict"] == "holds":
        return NoveltyVerdict(True, by, paper, "")
    for text in (paper.abstract, paper.title):
        span = find_quote(text_of(item.get("quotation")), text)
        if span is not None:
            return NoveltyVerdict(False, by, paper, text[slice(*span)], text_of(item.get("wording")))
    return None


def _request(claims: Sequence[NoveltyClaim], draft: Draft) -> Request:
    own = [plain(draft.title)[:LONGEST_TITLE], plain(draft.abstract)[:_LONGEST_TEXT]]
    parts = [
        [("the draft's sentence", plain(claim.sentence)[:_LONGEST_SENTENCE])]
        + [
            (
                f"work {number}, {work.paper.published:%Y}",
                f"{plain(work.paper.title)[:LONGEST_TITLE]}\n{plain(work.paper.abstract)[:_LONGEST_TEXT]}",
            )
            for number, work in enumerate(claim.works)
        ]
        for claim in claims
    ]
    fenced = fence_number([*own, *(text for of_claim in parts for _, text in of_claim)])
    lines = [
        fence(fenced, f"claim {number}: {name}", text)
        for number, of_claim in enumerate(parts)
        for name, text in of_claim
    ]
    return Request(
        "judge",
        SYSTEM,
        "\n".join(lines),
        shared="\n".join(map(fence, [fenced] * 2, ["the draft's title", "the draft's abstract"], own)) + "\n",
        schema=VERDICTS,
        max_tokens=300 + 250 * len(claims),
        label="claims of novelty",
    )
