"""Reading of a model's plan, and checks of any plan before a section is written from it.

What cannot be followed in a model's plan is left out, and every such change is said.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from citeplug.records.dialogue import Reply
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import Paper
from citeplug.records.passage import Passage
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.plan.from_clusters import is_listing
from citeplug.text.cleaning import plain
from citeplug.text.json_text import number_of, numbered_items, replied_list, replied_object
from citeplug.text.material import bounded, whole_draft
from citeplug.text.quotation import find_quote

MOST_PAPERS = 5  # in one sentence that still says something of each
FEWEST_WORDS = 6  # in a sentence
MOST_WORDS = 70
MOST_PASSING = 8  # papers named together
_MOST_PAPERS = 3  # in another line
_MOST_LINES = 12  # of a paragraph
_MOST_PARAGRAPHS = 12
_MOST_CLOSING = 2  # lines of a last paragraph on the draft alone
_MOST_ON_ONE = 2  # lines on a paper, beside the one that compares it with the draft
_FEWEST = 3  # papers that a plan for as many or more places
_LONGEST_HEADING, _LONGEST_INTENT, _LONGEST_REASON = 100, 300, 200  # characters
_SHOWN = 60  # characters of a line in a message
_MOST_REPAIRS = 12  # that are said one by one
_WORDS: Mapping[str | None, int] = {"core": 45, "topic": 20, "draft": 35}
_USUAL_WORDS, _SEVERAL_WORDS = 25, 35  # of a line on one paper, and on more
# What LaTeX, a reader of the plan or a browser would take for more than words.
_UNFIT = re.compile(r"[\\{}$%\[\]`]|<[^>\s]|https?:|www\.")


@dataclass(slots=True)
class PlanProposal:
    """A plan as it can be followed. `left_out` are papers in no line, by arXiv id with the model's reason, "" for none.

    `repairs` say what was changed, for a reader. `quotes` are what lines on the draft quote, by their intents.
    """

    plan: Plan
    left_out: dict[str, str] = field(default_factory=dict)
    repairs: list[str] = field(default_factory=list)
    quotes: dict[str, tuple[str, ...]] = field(default_factory=dict)


def read_proposal(
    reply: Reply,
    papers: Sequence[Paper],
    draft: Draft,
    pinned: Collection[str] = (),
    passages: Mapping[str, Sequence[Passage]] = MappingProxyType({}),
) -> PlanProposal | None:
    """The plan of an answer for `papers`, whose handles count from 1; None if it places fewer than three of them."""
    reader = _PlanReader(papers, draft, [passage.text for of_paper in passages.values() for passage in of_paper])
    paragraphs = list(reader.paragraphs(replied_list(reply, "paragraphs")))
    ids = [paper.id.value for paper in papers]
    if sum(value in reader.placed for value in ids) < min(_FEWEST, len(ids)):
        return None
    paragraphs = [_compared_with(paragraph, reader.placed) for paragraph in paragraphs]
    missing = [value for value in ids if value in pinned and value not in reader.placed]
    if missing:
        # The author's word goes before the model's.
        reader.say(f"{len(missing)} pinned papers were in no line, so they were added to the last paragraph")
        last = max(n for n, p in enumerate(paragraphs) if any(line.role == "paper" for line in p.lines))
        paragraphs[last] = _with_papers(paragraphs[last], missing)
    reasons = reader.reasons(replied_object(reply).get("left_out"))
    out = {value: reasons.get(value, "") for value in ids if value not in reader.placed and value not in missing}
    return PlanProposal(Plan(tuple(paragraphs)), out, reader.said(), reader.quotes)


class _PlanReader:
    """Reads paragraphs one after the other; `placed` counts the lines on each paper."""

    def __init__(self, papers: Sequence[Paper], draft: Draft, passages: Sequence[str]) -> None:
        self.placed: dict[str, int] = {}
        self.quotes: dict[str, tuple[str, ...]] = {}
        self._ids = [paper.id.value for paper in papers]
        self._texts = [*(bounded(paper).abstract for paper in papers), *passages]
        shown = whole_draft(draft)
        self._own = " \n".join([shown.title, shown.text, *(text for _, text in shown.more)])
        self._facts: list[tuple[int, int]] = []
        self._repairs: list[str] = []
        self._unknown = self._repeated = 0

    def say(self, repair: str) -> None:
        self._repairs.append(repair)

    def said(self) -> list[str]:
        counted = [
            *([f"{self._unknown} handles are not in the shortlist"] if self._unknown else []),
            *([f"papers were repeated in {self._repeated} lines, and left out there"] if self._repeated else []),
        ]
        more = len(self._repairs) - _MOST_REPAIRS
        rest = [f"{more} more lines, headings or paragraphs were changed"] if more > 0 else []
        return [*counted, *self._repairs[:_MOST_REPAIRS], *rest]

    def reasons(self, items: Any) -> dict[str, str]:
        """Reasons for leaving papers out, by arXiv id."""
        reasons = {}
        for handle, item in numbered_items(items, "handle", range(1, len(self._ids) + 1)):
            if isinstance(item.get("reason"), str):
                reasons[self._ids[handle - 1]] = plain(item["reason"])[:_LONGEST_REASON].rstrip(". ")
        return reasons

    def paragraphs(self, items: Sequence[Any]) -> Iterator[PlanParagraph]:
        number = 0
        for item in items:
            if not isinstance(item, dict):
                continue
            if number == _MOST_PARAGRAPHS:
                self.say(f"the paragraphs beyond the first {_MOST_PARAGRAPHS} are left out")
                return
            lines = list(self._lines(item.get("lines"), number + 1))
            heading = self._worded(item.get("heading"), _LONGEST_HEADING, f"the heading of paragraph {number + 1}")
            if not any(line.role == "paper" for line in lines) and not (item is items[-1] and self._closes(lines)):
                self.say(f"a paragraph without papers is left out{f': “{heading[:_SHOWN]}”' if heading else ''}")
                continue
            number += 1
            yield PlanParagraph(f"p{number}", heading, tuple(lines), _words(item.get("words"), lines))

    def _closes(self, lines: Sequence[PlanLine]) -> bool:
        """True for lines that set the draft apart from works of the paragraphs before."""
        return 0 < len(lines) <= _MOST_CLOSING and all(
            line.role == "draft" and line.cites and self.placed.keys() >= {*line.cites} for line in lines
        )

    def _lines(self, items: Any, paragraph: int) -> Iterator[PlanLine]:
        rows = [item for item in (items if isinstance(items, list) else []) if isinstance(item, dict)]
        if len(rows) > _MOST_LINES:
            self.say(f"the lines of paragraph {paragraph} beyond the first {_MOST_LINES} are left out")
        lines: list[PlanLine] = []
        for item in rows[:_MOST_LINES]:
            intent = self._worded(item.get("intent"), _LONGEST_INTENT, f"an intent of paragraph {paragraph}")
            lines += self._read_line(item, intent, first=not lines)
        # What sets the draft apart comes after what it is set apart from.
        early = [line for n, line in enumerate(lines) if line.role == "draft" and not _is_answer(line, lines[:n])]
        yield from (line for line in lines if line not in early)
        yield from early

    def _read_line(self, item: Mapping[str, Any], intent: str, *, first: bool) -> Iterator[PlanLine]:
        handles = self._handles(item.get("handles"))
        kind = item.get("kind")
        if kind not in ("topic", "paper", "draft"):
            kind = "paper" if handles else "draft"
        if kind == "topic":
            if intent and first:
                yield PlanLine(intent, kind="topic")
            elif intent:
                self.say(f"a topic line in the middle of a paragraph is left out: “{_short(intent)}”")
        elif kind == "draft":
            yield from self._draft_line(item, intent, handles)
        else:
            weight = item.get("weight") if item.get("weight") in ("core", "passing") else None
            yield from self._paper_lines(intent, handles, weight)

    def _draft_line(self, item: Mapping[str, Any], intent: str, handles: Sequence[int]) -> Iterator[PlanLine]:
        """The line, if the draft says what it does, and no other line the same; what is quoted is there."""
        if not intent:
            return
        place = _place(item.get("draft_does"), [self._own])
        refusal = None
        if place is None:
            refusal = "it quotes nothing from the draft"
        elif str(item.get("left_open") or "").strip() and _place(item["left_open"], [self._own, *self._texts]) is None:
            refusal = "what it quotes about the works is nowhere to be found"
        elif any(start < place[1] and place[0] < end for start, end in self._facts):
            refusal = "another line says the same about it"
        if place is None or refusal is not None:
            self.say(f"a line on the draft is left out, since {refusal}: “{_short(intent)}”")
            return
        self._facts.append(place)
        quotes = (" ".join(str(item.get(name) or "").split()) for name in ("draft_does", "left_open"))
        self.quotes[intent] = tuple(filter(None, quotes))
        cites = tuple(dict.fromkeys(self._ids[handle - 1] for handle in handles))
        yield PlanLine(intent, cites, "draft" if cites else None)

    def _paper_lines(self, intent: str, handles: Sequence[int], weight: Any) -> Iterator[PlanLine]:
        ids = [self._ids[handle - 1] for handle in dict.fromkeys(handles)]
        free = [value for value in ids if self.placed.get(value, 0) < _MOST_ON_ONE]
        self._repeated += len(free) < len(ids)
        for value in free:
            self.placed[value] = self.placed.get(value, 0) + 1
        most = MOST_PASSING if weight == "passing" else 1 if weight == "core" else _MOST_PAPERS
        for start in range(0, len(free), most):
            part = tuple(free[start : start + most])
            yield PlanLine(intent, part, weight=None if weight == "passing" and len(part) == 1 else weight)

    def _handles(self, items: Any) -> list[int]:
        handles = []
        for item in items if isinstance(items, list) else []:
            handle = number_of(item)
            if handle is not None and 1 <= handle <= len(self._ids):
                handles.append(handle)
            elif handle != 0:  # the draft, in a line on it
                self._unknown += 1
        return handles

    def _worded(self, text: Any, longest: int, what: str) -> str:
        """Plain words for a heading or an intent; empty if they are not. What is too long is cut at a word."""
        wording = _bare(text[: 20 * longest]) if isinstance(text, str) else ""
        if len(wording) > longest:
            self.say(f"{what} is cut, since it has more than {longest} characters: “{_short(wording)}”")
            wording = wording[:longest].rpartition(" ")[0] or wording[:longest]
        if _UNFIT.search(wording):
            self.say(f"{what} is left out, since it is not plain words: “{_short(wording)}”")
            return ""
        return wording


def _is_answer(line: PlanLine, before: Sequence[PlanLine]) -> bool:
    """True if a line on the draft stands behind works, and all those that it names."""
    named = {cite for other in before for cite in other.cites}
    return bool(named) and named.issuperset(line.cites)


def _bare(text: str) -> str:
    """The words without handles, signs of simple math and what ends them; a plan's lines have no percent sign."""
    words = re.sub(r"\s*\[[@\d,;\s]*\]", "", plain(text))
    words = re.sub(r"\$([^$\\{}]{1,40})\$", r"\1", words)
    words = re.sub(r"(?<=\d)\s*%", " percent", words)
    return re.sub(r"[.:;,\s]+$", "", words)


def _words(words: Any, lines: Sequence[PlanLine]) -> int:
    number = number_of(words)
    if number is None or not FEWEST_WORDS <= number / len(lines) <= MOST_WORDS:
        usual = (_SEVERAL_WORDS if len(line.cites) > 1 else _USUAL_WORDS for line in lines)
        return sum(_WORDS.get(line.weight or line.kind, words) for line, words in zip(lines, usual, strict=True))
    return number


def _place(quote: Any, texts: Sequence[str]) -> tuple[int, int] | None:
    """The place of a quotation in the first text that has it."""
    if not isinstance(quote, str):
        return None
    return next((place for text in texts if (place := find_quote(quote, text)) is not None), None)


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _compared_with(paragraph: PlanParagraph, placed: Collection[str]) -> PlanParagraph:
    """The paragraph, whose line on the draft names no work that the section leaves out."""
    lines = []
    for line in paragraph.lines:
        if line.role == "draft" and line.cites:
            cites = tuple(cite for cite in line.cites if cite in placed)
            line = replace(line, cites=cites, kind="draft" if cites else None)
        lines.append(line)
    return replace(paragraph, lines=tuple(lines))


def _with_papers(paragraph: PlanParagraph, ids: Sequence[str]) -> PlanParagraph:
    """The paragraph with a line for each paper, before what it says of the draft."""
    at = next((row for row, line in enumerate(paragraph.lines) if line.role == "draft"), len(paragraph.lines))
    added = tuple(PlanLine("say what it contributes", (value,)) for value in ids)
    lines = (*paragraph.lines[:at], *added, *paragraph.lines[at:])
    return replace(paragraph, lines=lines, words=paragraph.words + _USUAL_WORDS * len(added))


def plan_doubts(plan: Plan) -> Iterator[Finding]:
    """`plan_impossible` for a paragraph with too many papers for its sentences, or too few or too many words."""
    for paragraph in plan.paragraphs:
        why = _impossible(paragraph)
        if why:
            yield Finding(
                "plan_impossible",
                "warning",
                f"the plan of {paragraph.id} is hard to follow: {why}",
                fix="give it more lines or other words=, or cite fewer papers in one line, or name them with passing:",
            )


def _impossible(paragraph: PlanParagraph) -> str | None:
    lines, sentences = len(paragraph.lines), paragraph.sentences
    crowded = [
        (number, len(line.cites))
        for number, line in enumerate(paragraph.lines, 1)
        if len(line.cites) > MOST_PAPERS and line.weight != "passing" and not is_listing(line.intent)
    ]
    if crowded:
        papers = sum(len(line.cites) for line in paragraph.lines)
        return f"{papers} papers in {sentences} sentences, {crowded[0][1]} of them in line {crowded[0][0]}"
    if paragraph.words and lines and not FEWEST_WORDS * lines <= paragraph.words <= MOST_WORDS * sentences:
        return f"{paragraph.words} words in {sentences} sentences"
    return None
