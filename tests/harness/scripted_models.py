"""Language models for tests and benchmarks: they read the prompt as a model would and answer by a script.

The honest one writes what the extractive writer would, from the material in the prompt alone. Adversarial ones
spoil its answers in one way each (`SPOILERS`). All stand behind `protocols.LanguageModel`.
"""

import json
import random
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from citeplug.errors import CiteplugError
from citeplug.records.dialogue import Heard, Reply, Request, Stage
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Sentence, Source
from citeplug.related.write.extractive.section import write_lines
from citeplug.text.cited_text import words
from citeplug.text.sentences import split_sentences

Answer = dict[str, Any]
_MATERIAL = re.compile(
    r"<material (?P<n>\w{16}): (?:the draft|paper \[(?P<handle>\d+)\](?:, (?P<people>one author|several authors))?)>\n"
    r"title: (?P<title>[^\n]*)\n(?:abstract|all that is known[^\n:]*): (?P<abstract>[^\n]*)\n"
    r"(?:[a-z][^\n:]*: [^\n]*\n)*</material (?P=n)>"
)
_LINE = re.compile(
    r"^line (\d+)(?: \(\w+\))?: (.*);"
    r" (?:about the draft, (?:no papers|beside [^;\n]*)|cite ([^;(\n]*?)(?: \([^\n]*\))?)$",
    re.M,
)
_DAY = date(2020, 1, 1)


@dataclass(frozen=True)
class Seen:
    """What a model finds in a prompt: texts by handle (0: the draft), and the plan's lines with their handles."""

    papers: dict[int, Paper]
    draft: Draft
    lines: list[tuple[int, str, tuple[int, ...]]]


def read_prompt(request: Request) -> Seen:
    papers: dict[int, Paper] = {}
    title = abstract = ""
    for match in _MATERIAL.finditer(request.shared + "\n" + request.prompt):
        if match["handle"] is None:
            title, abstract = match["title"], match["abstract"]
        else:
            number = int(match["handle"])
            authors = ("Ann Lee",) if match["people"] == "one author" else ("Ann Lee", "Bo Chen", "Cy Dee")
            papers[number] = Paper(ArxivId(f"h{number}"), match["title"], match["abstract"], authors, _DAY, _DAY)
    outside = _MATERIAL.sub("", request.prompt)
    lines = [(int(m[1]), m[2], tuple(map(int, re.findall(r"\d+", m[3] or "")))) for m in _LINE.finditer(outside)]
    if "There is no plan" in outside:
        lines = [(number, "", (number,)) for number in sorted(papers)]
    return Seen(papers, Draft(Path("main.tex").resolve(), (), title, abstract), lines)


def honest(seen: Seen) -> Answer:
    """Sentences that are true to their quotations, each begun with a word that the extractive writer never uses.

    Each is made from its own line alone, so that it is the same whatever else is asked with it.
    """
    by_id = {paper.id.value: paper for paper in seen.papers.values()}
    sentences = []
    for number, intent, handles in seen.lines:
        planned = PlanLine(intent, tuple(f"h{h}" for h in handles))
        ((line,),) = write_lines(Plan((PlanParagraph("p1", "", (planned,), 0),)), seen.draft, by_id)
        sentence = line.sentences[0] if line.sentences else quoting([by_id[value] for value in planned.cites])
        if sentence is None or len(sentence.cites) < len(handles):
            sentence = quoting([by_id[value] for value in planned.cites])
        if sentence is None:
            continue
        text = re.sub(r"\{\{(cite|author):([^}]*)\}\}", _as_handle, without_titles(sentence.text))
        if not handles:
            text = f"“{text[:-1]}”."  # the draft's own sentence, word for word
        sentences.append(
            {
                "line": number,
                "text": "Relatedly, " + (text if re.match(r"\[|[A-Z]\S*[A-Z]", text) else text[0].lower() + text[1:]),
                "kind": "paper" if handles else "draft",
                "quotes": [
                    {"handle": int(s.arxiv_id[1:]) if s.arxiv_id else 0, "quote": s.text}
                    for s in sentence.sources
                    if s.of == "abstract"
                ],
            }
        )
    return {"sentences": sentences}


def without_titles(text: str) -> str:
    """A sentence of the extractive writer without the titles that its clauses begin with."""
    bare = re.sub(r"(?:^I|(?<=; )i|(?<=whereas )i)n “[^”]*”, ", "", text)
    return bare[:1].upper() + bare[1:]


def quoting(papers: Sequence[Paper]) -> Sentence | None:
    """A sentence that quotes one of each abstract, where the extractive writer finds none to report."""
    clauses, sources = [], []
    for paper in papers:
        spans = [
            (start, end)
            for start, end in split_sentences(paper.abstract)
            if 6 < len(words(paper.abstract[start:end])) < 60
        ]
        if not spans:
            return None
        start, end = spans[0]
        said = paper.abstract[start:end]
        clauses.append(f"{{{{author:{paper.id.value}}}}} write “{said.rstrip('.').replace('“', '').replace('”', '')}”")
        sources.append(Source(paper.id.value, None, said, start, end))
    ids = tuple(paper.id.value for paper in papers)
    return Sentence(f"{'; '.join(clauses)}.", "paper", ids, tuple(sources)) if papers else None


def _as_handle(match: re.Match[str]) -> str:
    handles = ", ".join(value[1:] for value in match[2].split(","))
    return f"[{'@' if match[1] == 'author' else ''}{handles}]"


@dataclass
class ScriptedModel:
    """Answers by `script`; keeps every request, and the stages of each round trip. `latency` is in seconds for each.

    `fail_after` requests it answers with `error`.
    """

    script: Callable[[Seen, Request], Answer | str]
    latency: float = 0.0
    fail_after: int | None = None
    error: CiteplugError | None = None
    requests: list[Request] = field(default_factory=list)
    trips: list[list[Stage]] = field(default_factory=list)

    @property
    def round_trips(self) -> int:
        return len(self.trips)

    @property
    def requests_made(self) -> int:
        return len(self.requests)

    @property
    def name(self) -> str:
        return "scripted:test"

    def complete(self, request: Request, on_text: Callable[[Heard], None] | None = None) -> Reply:
        (reply,) = self.complete_all([request], on_text)
        if isinstance(reply, CiteplugError):
            raise reply
        return reply

    def complete_all(
        self, requests: Sequence[Request], on_text: Callable[[Heard], None] | None = None
    ) -> list[Reply | CiteplugError]:
        self.trips.append([request.stage for request in requests])
        time.sleep(self.latency)
        replies = [self._answer(request) for request in requests]
        for number, reply in enumerate(replies):
            if on_text is not None and isinstance(reply, Reply):
                on_text(Heard(number, reply.text))
                on_text(Heard(number, state="done"))
        return replies

    def _answer(self, request: Request) -> Reply | CiteplugError:
        if self.fail_after is not None and len(self.requests) >= self.fail_after and self.error is not None:
            return self.error
        self.requests.append(request)
        answer = self.script(read_prompt(request), request)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        sent = request.system + request.shared + request.prompt
        # About four characters a token, as a rule of thumb.
        return Reply(
            text, None if isinstance(answer, str) else answer, tokens_in=len(sent) // 4, tokens_out=len(text) // 4
        )


def honest_plan(seen: Seen) -> Answer:
    """Two papers in a paragraph, each with its line, and a closing one while the draft has facts for it."""
    handles = sorted(seen.papers)
    pairs = [handles[start : start + 2] for start in range(0, len(handles), 2)]
    said = seen.draft.abstract.split()
    facts = [" ".join(said[8 * row : 8 * row + 8]) for row in range(len(said) // 8)]
    return {
        "left_out": [],
        "paragraphs": [
            {
                "heading": f"Group {'ABCDEFGHIJ'[number % 10]} of methods",
                "words": 25 * (len(pair) + 1),
                "lines": [
                    *(planned_line("say what they contribute", [handle]) for handle in pair),
                    *(
                        [planned_line("relate to the draft", [], "draft", facts[number], facts[number])]
                        if number < len(facts)
                        else []
                    ),
                ],
            }
            for number, pair in enumerate(pairs)
        ],
    }


def planned_line(
    intent: str, handles: list[int], kind: str = "paper", does: str = "", leaves: str = "", weight: str = "usual"
) -> Answer:
    """A line of a model's plan."""
    said = {"intent": intent, "handles": handles, "kind": kind, "weight": weight}
    return {**said, "draft_does": does, "left_open": leaves}


def honest_ranking(seen: Seen, request: Request) -> Answer:
    """The candidates in the order given, each with an argument from its abstract."""
    handles = sorted(seen.papers)
    if "order" in (request.schema or {}).get("properties", {}):
        return {"order": handles, "not_citable": []}
    quotes = {handle: " ".join(seen.papers[handle].abstract.split()[:6]) for handle in handles}
    argued = {handle: [{"argument": "It is near.", "quote": quote}] for handle, quote in quotes.items()}
    return {
        "candidates": [
            {"handle": h, "arguments_for": argued[h], "arguments_against": [], "probability": 50} for h in handles
        ]
    }


def honest_queries(seen: Seen) -> Answer:
    text = " ".join(seen.draft.abstract.split()[:4])
    query = {"query": text, "facet": "problem", "reason": "It is what the draft is on."}
    return {"queries": [query]}


def honest_summary(seen: Seen) -> Answer:
    """What the extractive writer would say of the one paper."""
    (paper,) = seen.papers.values()
    ((line,),) = write_lines(
        Plan((PlanParagraph("p1", "", (PlanLine("", (paper.id.value,)),), 0),)), seen.draft, {paper.id.value: paper}
    )
    told = [
        re.sub(r"\s*\{\{cite:[^}]*\}\}|\{\{author:[^}]*\}\}", "", without_titles(s.text)).strip()
        for s in line.sentences
    ]
    told = told or [paper.abstract[start:end] for start, end in split_sentences(paper.abstract)[:1]]
    return {"summary": [text if text[0].isupper() else f"The authors {text}" for text in told if text]}


def as_revision(answer: Answer, request: Request) -> Answer:
    """Sentences for lines of a revision, each under its paragraph."""
    paragraphs: dict[str, list[Answer]] = {}
    name = ""
    for line in request.prompt.splitlines():
        if heading := re.match(r"(p\d+),? ", line):
            name = heading[1]
        elif number := re.match(r"line (\d+)", line):
            items = [item for item in answer["sentences"] if item["line"] == int(number[1])]
            paragraphs.setdefault(name, []).extend({"from": [int(number[1])], **item} for item in items)
    return {"paragraphs": [{"id": name, "sentences": sentences} for name, sentences in paragraphs.items()]}


def answer_honestly(seen: Seen, request: Request) -> Answer:
    if is_revision(request):
        return as_revision(honest(seen), request)
    if request.stage == "judge":
        return agreeing(request)
    if "summary" in (request.schema or {}).get("properties", {}):
        return honest_summary(seen)
    if request.stage == "ranking":
        return honest_ranking(seen, request)
    if request.stage == "queries":
        return honest_queries(seen)
    return honest_plan(seen) if request.stage == "plan" else honest(seen)


def is_revision(request: Request) -> bool:
    """True for the request that revises the written section."""
    return "paragraphs" in (request.schema or {}).get("properties", {}) and request.stage == "prose"


def answer_at_length(seen: Seen, request: Request) -> Answer:
    """The honest answers, where the judge refuses a third of the sentences and the revision changes a paragraph."""
    answer = answer_honestly(seen, request)
    if is_revision(request):
        for paragraph in answer["paragraphs"]:
            for item in paragraph["sentences"]:
                item["text"] = item["text"].replace("Relatedly, ", "Likewise, ")
        name, lines = re.findall(r"^(p\d+),[^\n]*\n((?:(?!p\d).*\n?)+)", request.prompt, re.M)[0]
        said = re.findall(r"^  sentence (\d+) \(\w+\): (.*)$", lines, re.M)
        again = [{"from": [int(n)], "text": re.sub(r"^\w+, ", "Similarly, ", text)} for n, text in said]
        others = [paragraph for paragraph in answer["paragraphs"] if paragraph["id"] != name]
        mended = [item for p in answer["paragraphs"] if p["id"] == name for item in p["sentences"]]
        return {"paragraphs": [{"id": name, "sentences": [*again, *mended]}, *others]}
    if request.stage == "judge" or "verdicts" in (request.schema or {}).get("properties", {}):
        answer = agreeing(request)
        first = re.findall(r"^sentence (\d+)(?: \([^)]*\))?: Relatedly", request.prompt, re.M)[::3]
        for verdict in answer["verdicts"]:
            if str(verdict["sentence"]) in first:
                verdict.update(verdict="partly", unsupported="“Relatedly”: it is not said to what")
    return answer


def agreeing(request: Request) -> Answer:
    """A judge that finds every sentence borne out."""
    numbers = re.findall(r"^sentence (\d+)", request.prompt, re.M)
    return {"verdicts": [{"sentence": int(n), "unsupported": "", "verdict": "entailed"} for n in numbers]}


def honest_model(**options: Any) -> ScriptedModel:
    return ScriptedModel(answer_honestly, **options)


Spoiler = Callable[[Answer, Seen, random.Random], Any]


def spoiled_model(spoil: Spoiler, seed: int = 0, share: float = 1.0, **options: Any) -> ScriptedModel:
    """The honest model, a `share` of whose answers is spoiled."""
    chance = random.Random(seed)

    def script(seen: Seen, request: Request) -> Answer | str:
        answer = answer_honestly(seen, request)
        spoiled: Answer | str = spoil(answer, seen, chance) if chance.random() < share else answer
        return spoiled

    return ScriptedModel(script, **options)
