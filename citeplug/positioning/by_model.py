"""Rows of the ledger as a model reads the texts: limits proposed with their quotations, then each row judged.

What is quoted stands word for word in the text that is named, or it is dropped and counted; the draft's sentences are named
by number. The judge is asked anew about all rows, those that words alone found among them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from citeplug.corpus.fulltext.passages import placed_passages
from citeplug.errors import CiteplugError, NotSent
from citeplug.positioning.draft_side import DraftSide
from citeplug.prepare.asking import NUMBER, TEXT, ask_readable, text_of, unreadable
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding, model_unavailable
from citeplug.records.gaps import GapStatus, OwnSentence, StatedPassage, WorkPosition
from citeplug.records.paper import Paper
from citeplug.records.passage import Mentioned, PaperText
from citeplug.related.limits import is_limit_of_cited, limits_in_text
from citeplug.related.retrieve.depth import on_limits
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, number_of, numbered_items, object_of
from citeplug.text.material import LONGEST_TITLE, WARNING, fence, fence_number
from citeplug.text.quotation import SHORTEST, find_quote

T = TypeVar("T")
_AT_ONCE = 5  # works in a request
_MENTIONS = 6  # sentences of other papers about one work
_PASSAGES = 2  # of a full text
_SENTENCES = 150  # of the draft
_LONGEST_TEXT = 4_000  # characters of an abstract or a passage
_LONGEST_SENTENCE = 600

PROPOSING = f"""You help the author of a research paper, the draft, to say what earlier works leave open and the draft takes up.

{WARNING}

For each work give
- `does`: the sentence of its abstract that says what it contributes;
- `limit` and `text`: one limit or restriction of scope that a text states of this very work, with the number of the text: what it does not do, presupposes, leaves for later, or gives up. Not a limit of the works before it, and not one that you infer. Choose the one that the draft answers, if there is one. The condition of a theorem, the data that were used, or a gain that is small is one only if the text says so as a restriction. Empty, and -1, where no text states any, which is often so.
- `sentence`: the number of the draft's sentence that takes this limit up: that does the thing which is left open, or says that the work lacks it. -1 where none does. A sentence on the same subject is none.

A quotation is one uninterrupted stretch of {SHORTEST} words or more, copied word for word. Answer with JSON that fits the schema, an object for each work."""

JUDGING = f"""You check, as a careful referee would, what is said of earlier works and of a research paper, the draft.

{WARNING}

For each row
- `limit` is true if the passage, read with the work's title and what it does, states a limit or the scope of that work itself; false for what it says of other works, for praise, or for a plan without a limit.
- `draft` is true if the draft's sentence takes up just that limit, by doing what is left open or by naming it; where the row has no passage, if the sentence says what the work lacks or in what the draft differs from it. False for a sentence that is only on the same subject.
Where the row lacks one of the two, answer false for it. Answer with JSON that fits the schema, an object for each row."""

_BOOLEAN = {"type": "boolean"}
PROPOSALS: Mapping[str, Any] = object_of(
    {"works": list_of(object_of({"work": NUMBER, "does": TEXT, "text": NUMBER, "limit": TEXT, "sentence": NUMBER}))}
)
VERDICTS: Mapping[str, Any] = object_of(
    {"rows": list_of(object_of({"row": NUMBER, "limit": _BOOLEAN, "draft": _BOOLEAN}))}
)


@dataclass(frozen=True, slots=True)
class WorkTexts:
    """The texts in which a model may find what is stated of a work; `paper` is None where nothing is known of it."""

    paper: Paper | None
    full: PaperText | None
    mentions: Sequence[Mentioned]

    def shown(self) -> Iterator[StatedPassage]:
        """The texts: abstract, passages on limits, and sentences of others; those first that may state a limit."""
        if self.paper is None:
            return
        value = self.paper.id.value
        if self.paper.abstract and self.paper.abstract_kind == "abstract":
            yield StatedPassage(self.paper.abstract[:_LONGEST_TEXT], "abstract", value, "", 0, len(self.paper.abstract))
        if self.full is not None:
            likely = [(at, start) for at, start, _ in limits_in_text(self.full)]
            passages = [
                passage
                for section, passage in placed_passages(self.full)
                if any(at == section and passage.start <= start < passage.end for at, start in likely)
            ]
            last = on_limits(self.full)
            for passage in list(dict.fromkeys([*passages, *([last] if last else [])]))[:_PASSAGES]:
                yield StatedPassage(passage.text, "full text", value, passage.section, passage.start, passage.end)
        for mention in sorted(self.mentions, key=lambda item: not is_limit_of_cited(item.sentence))[:_MENTIONS]:
            yield StatedPassage(mention.sentence, "citation", mention.citing, mention.section)


@dataclass(slots=True)
class Judging:
    """The rows as they stand; `dropped` counts by reason what was not kept; `trouble` ended the asking."""

    rows: Sequence[WorkPosition]
    dropped: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    trouble: CiteplugError | None = None


def judge_rows(
    rows: Sequence[WorkPosition], texts: Sequence[WorkTexts], draft: Draft, side: DraftSide, model: LanguageModel
) -> Judging:
    """The rows by the model; where it does not answer, those that words alone gave. Raises Cancelled, nothing else."""
    result = Judging(list(rows))
    sentences = _sentences(side, rows)
    known = [(at, list(work.shown())) for at, work in enumerate(texts)]
    batches = _batches([(at, shown) for at, shown in known if shown], _AT_ONCE)
    requests = [_proposal_request(batch, rows, sentences, draft) for batch in batches]
    proposed = list(rows)

    def read(number: int, data: Mapping[str, Any], _: object) -> list[tuple[int, WorkPosition]] | None:
        works = data.get("works")
        return (
            None
            if not isinstance(works, list)
            else _read_works(works, batches[number], rows, sentences, result.dropped)
        )

    for answer in ask_readable(model, requests, read):
        if isinstance(answer, list):
            for at, row in answer:
                proposed[at] = row
        else:
            note_failure(result, answer)
    if result.trouble is None or isinstance(result.trouble, NotSent):
        _judge(proposed, result, model)
    return result


def _judge(proposed: Sequence[WorkPosition], result: Judging, model: LanguageModel) -> None:
    asked = [at for at, row in enumerate(proposed) if row.limit is not None or row.draft is not None]
    batches = _batches(asked, 2 * _AT_ONCE)
    rows = list(proposed)

    def read(number: int, data: Mapping[str, Any], _: object) -> dict[int, tuple[bool, bool]] | None:
        items = data.get("rows")
        if not isinstance(items, list):
            return None
        batch = batches[number]
        judged = numbered_items(items[: 3 * len(batch)], "row", range(len(batch)))
        return {batch[row]: (item.get("limit") is True, item.get("draft") is True) for row, item in judged}

    answers = ask_readable(model, [_verdict_request([rows[at] for at in batch]) for batch in batches], read)
    for batch, answer in zip(batches, answers, strict=True):
        if not isinstance(answer, dict):
            note_failure(result, answer)
        for at in batch:
            if not isinstance(answer, dict) or at not in answer:
                rows[at] = result.rows[at]  # nobody judged it
                continue
            holds, takes_up = answer[at]
            row = rows[at]
            limit = row.limit if holds else None
            draft = row.draft if takes_up else None
            result.dropped["limit_not_its_own"] += row.limit is not None and limit is None
            result.dropped["not_taken_up"] += row.draft is not None and draft is None
            rows[at] = replace(row, limit=limit, draft=draft, status=_status(limit, draft), by=model.name)
    result.rows = rows
    result.dropped = +result.dropped


def _batches(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]


def _status(limit: StatedPassage | None, draft: OwnSentence | None) -> GapStatus:
    if limit is None:
        return "none" if draft is None else "draft_alone"
    return "open" if draft is None else "taken_up"


def note_failure(result: Judging, answer: CiteplugError | None) -> None:
    """Say once what kept a model from judging."""
    if answer is None:
        if not any(finding.code == "answer_unreadable" for finding in result.findings):
            result.findings.append(
                unreadable("an answer of the model could not be read: of these works there is what needs no model")
            )
        return
    if result.trouble is None and not isinstance(answer, NotSent):
        result.findings.append(model_unavailable(answer, "what it did not judge was told by words alone"))
    result.trouble = result.trouble or answer


def _sentences(side: DraftSide, rows: Sequence[WorkPosition]) -> list[OwnSentence]:
    """The draft's sentences that a model chooses from: on the works of these rows, then on its own."""
    apart = (sentence for row in rows for sentence in side.apart.get(row.key.lower(), ()))
    return list(dict.fromkeys([*apart, *side.own]))[:_SENTENCES]


def _proposal_request(
    batch: Sequence[tuple[int, Sequence[StatedPassage]]],
    rows: Sequence[WorkPosition],
    sentences: Sequence[OwnSentence],
    draft: Draft,
) -> Request:
    title = plain(draft.title)[:LONGEST_TITLE]
    printed = [plain(sentence.text)[:_LONGEST_SENTENCE] for sentence in sentences]
    titles = [plain(rows[at].title)[:LONGEST_TITLE] for at, _ in batch]
    texts = [[plain(shown.text)[:_LONGEST_TEXT] for shown in passages] for _, passages in batch]
    number = fence_number([title, *printed, *titles, *(text for of_work in texts for text in of_work)])
    shared = [fence(number, "the draft's title", title)]
    shared += [fence(number, f"sentence {at} of the draft", text) for at, text in enumerate(printed)]
    lines, at_text = [], 0
    for at, (work, of_work) in enumerate(zip(batch, texts, strict=True)):
        lines.append(fence(number, f"title of work {at}", titles[at]))
        for passage, text in zip(work[1], of_work, strict=True):
            what = {"abstract": "its abstract", "full text": "a passage of its full text"}.get(
                passage.of, "another paper on it, which [*] stands for"
            )
            lines.append(fence(number, f"text {at_text}, work {at}, {what}", text))
            at_text += 1
    return Request(
        "queries",
        PROPOSING,
        "\n".join(lines),
        shared="\n".join(shared) + "\n",
        schema=PROPOSALS,
        max_tokens=300 + 250 * len(batch),
        label=titles[0],
    )


def _read_works(
    items: Sequence[Any],
    batch: Sequence[tuple[int, Sequence[StatedPassage]]],
    rows: Sequence[WorkPosition],
    sentences: Sequence[OwnSentence],
    dropped: Counter[str],
) -> list[tuple[int, WorkPosition]]:
    """The rows that a model proposes; what it leaves open is as it was without one, for the judge to say."""
    owners = [(at, shown) for at, passages in batch for shown in passages]
    positions: dict[int, WorkPosition] = {}
    for work, item in numbered_items(items[: 3 * _AT_ONCE], "work", range(len(batch))):
        at, passages = batch[work]
        if at in positions:
            continue
        row = rows[at]
        abstract = next((shown for shown in passages if shown.of == "abstract"), None)
        does = _quoted(text_of(item.get("does")), abstract)
        number, quote = number_of(item.get("text")), text_of(item.get("limit"))
        limit = None
        if quote:
            owner, shown = owners[number] if number is not None and 0 <= number < len(owners) else (None, None)
            limit = _quoted(quote, shown) if owner == at else None
            dropped["no_quotation"] += limit is None
        sentence = number_of(item.get("sentence"))
        row = replace(row, does=does or row.does)
        if limit is not None:
            named = sentence is not None and 0 <= sentence < len(sentences)
            draft = sentences[sentence] if sentence is not None and named else row.draft
            row = replace(row, limit=limit, draft=draft)
        positions[at] = row
    return list(positions.items())


def _quoted(quote: str, shown: StatedPassage | None) -> StatedPassage | None:
    """The quotation with its place, if the text has it word for word."""
    span = find_quote(quote, shown.text) if shown is not None and quote else None
    if shown is None or span is None:
        return None
    start, end = span
    if shown.of == "citation":
        return shown  # a part of it may lack whom it speaks of
    base = shown.start or 0
    return replace(shown, text=shown.text[start:end], start=base + start, end=base + end)


def _verdict_request(rows: Sequence[WorkPosition]) -> Request:
    parts = [
        [
            ("title of the work", plain(row.title)[:LONGEST_TITLE]),
            ("what it does", plain(row.does.text)[:_LONGEST_TEXT] if row.does else ""),
            (
                _PASSAGE_OF[row.limit.of] if row.limit else "",
                plain(row.limit.text)[:_LONGEST_TEXT] if row.limit else "",
            ),
            ("the draft's sentence", plain(row.draft.text)[:_LONGEST_SENTENCE] if row.draft else ""),
        ]
        for row in rows
    ]
    number = fence_number(text for of_row in parts for _, text in of_row)
    lines = [
        fence(number, f"row {at}: {name}", text) for at, of_row in enumerate(parts) for name, text in of_row if text
    ]
    return Request(
        "judge",
        JUDGING,
        "\n".join(lines),
        schema=VERDICTS,
        max_tokens=200 + 60 * len(rows),
        label=rows[0].title[:LONGEST_TITLE],
    )


_PASSAGE_OF = {
    "abstract": "passage of its abstract",
    "full text": "passage of its full text",
    "citation": "passage of another paper on it, which [*] stands for",
}
