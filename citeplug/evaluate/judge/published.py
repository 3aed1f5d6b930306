"""What a judge is asked for each published measure, and how its reply is read.

Citegeist (section 4, Table 1): relevance and quality, 0 to 10. DeepScholar-Bench (arXiv:2508.20033): relevance rate (section
3.2), organisation, nuggets (after TREC RAG's AutoNuggetizer). TruthReader (section 5.2): answer accuracy. Citation precision
(TruthReader 5.2, DeepScholar-Bench), ALCE's citation recall and precision (4.3), and claim coverage (DeepScholar-Bench)
are computed from entailment. LitLLM (Table 7, Llama-3-Eval): a rating beside the real section. Preference of one run
over another is pairwise, since grades do not rank systems (arXiv:2603.06942).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import (
    LONGEST_ABSTRACT,
    LONGEST_REPORT,
    LONGEST_SECTION,
    RULES,
    JudgeQuestion,
    Order,
    Rubric,
    on_scale,
    orders,
    show,
)
from citeplug.evaluate.measures.citations import MOST_PUBLISHED, CitedSentence, Verdicts
from citeplug.evaluate.measures.texts import Support
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request
from citeplug.text.json_text import list_of, numbered_items, object_of, replied_object

HIGHEST_RELEVANCE, HIGHEST_RATE, HIGHEST_QUALITY, HIGHEST_RATING = 10, 2, 10, 100
SECTION, ANSWER, SENTENCE, SECOND = "the section", "the answer", "the sentence", "the second run"


def _score(most: int) -> Mapping[str, Any]:
    return object_of({"score": {"type": "integer", "description": f"0 to {most}"}})


_RELEVANCE = Rubric(
    "relevance",
    f"""You judge how relevant a cited paper is to a draft, from the abstracts of both.

Give a score from 0 (unrelated) to 10 (the same problem, closely aligned). Consider whether they work on the same problem or area, use similar methods, come to related findings, and whether one builds on the other, extends it or differs from it.

{RULES}""",
    _score(HIGHEST_RELEVANCE),
    longest=LONGEST_ABSTRACT,
)
_RATE = Rubric(
    "relevance-rate",
    f"""You grade how relevant a document is to the related work of a paper, of which title and abstract are given, without regard to other documents.

Give a score: 0 if it is of no use for the related work, 1 if it is on the subject and touches the paper's problem in part, 2 if it belongs there.

{RULES}""",
    _score(HIGHEST_RATE),
    longest=LONGEST_ABSTRACT,
)
_QUALITY = Rubric(
    "quality",
    f"""You judge the related-work section of a draft, beside the draft's abstract.

Give a score from 0 to 10: 0 for a section that is irrelevant, unclear or wrong, 5 for one that is relevant in part, with gaps or small errors, 10 for one that is relevant, complete, clear and right. Consider how complete and how clear it is, and how relevant to the draft. Take what rests on an invalid citation for false.

{RULES}""",
    _score(HIGHEST_QUALITY),
)
_RATING = Rubric(
    "rating",
    f"""You rate the related-work section of a draft. You are shown the draft's abstract, the section that its authors wrote, and the section to be rated.

Give a score from 0 to 100 for how good it is as the related work of this draft, the authors' section being the reference: what it says of the works that both discuss, what it leaves out that belongs there, how it relates the works to each other and to the draft, and how clear it is. Take what contradicts the reference or the abstract for wrong. Length is no merit.

{RULES}""",
    _score(HIGHEST_RATING),
)
_CORRECTNESS = Rubric(
    "correctness",
    f"""You are given a question, a reference answer to it, which is right, and an answer. Decide whether the answer is correct: it answers the question, as the reference does, and contradicts it nowhere. It may say more, in other words.

{RULES}""",
    object_of({"correct": {"type": "boolean"}}),
    max_tokens=60,
)
_ENTAILMENT = Rubric(
    "entailment",
    f"""Decide whether a premise, which is the text of one or several documents, entails a sentence: a reader of the premise alone, without knowledge of their own, would agree to all that the sentence says.

{RULES}""",
    object_of({"entailed": {"type": "boolean"}}),
    max_tokens=60,
)
_DECISION = object_of({"explanation": {"type": "string"}, "decision": {"type": "string", "enum": ["A", "B"]}})
_ORGANISATION = Rubric(
    "organisation",
    f"""You are given title and abstract of a research paper, and two related-work sections that were written for it, text A and text B. Decide which is organised better; there are no ties.

Judge the organisation alone, neither coverage, nor right citations, nor depth, nor mark-up: a logical structure, with a clear opening, works grouped by theme and a smooth progression; paragraphs that each develop one topic and lead to the next; clarity, with little repetition and no contradiction; signposts, such as headings and topic sentences.

{RULES}""",
    _DECISION,
    max_tokens=300,
)
_PREFERENCE = Rubric(
    "preference",
    f"""You are given a task, which is a question, or title and abstract of a paper whose related work is to be written, and two texts that were written for it, A and B. Decide which one an expert of the field would rather have; there are no ties.

Consider whether it does what was asked, whether what it says is right and bears on the task, what it leaves out that belongs there, and whether its statements are tied to works that are cited for them. Neither length nor the order of the texts is a merit.

{RULES}""",
    _DECISION,
    max_tokens=300,
    longest=LONGEST_REPORT,
)
SUPPORT: Mapping[Support, float] = {"not_support": 0.0, "partial_support": 0.5, "support": 1.0}
NUGGETS_AT_ONCE = 10  # as published
_NUGGETS = f"""You are given a passage on the related work of a paper, and numbered nuggets, which are facts. Label each nugget by the passage alone: "support" where the passage states all of it, "partial_support" where it states a part, "not_support" where it states none of it. Give each nugget one label, by its number.

{RULES}"""
_LABEL = object_of({"nugget": {"type": "integer"}, "label": {"type": "string", "enum": list(SUPPORT)}})
_LABELS = object_of({"labels": list_of(_LABEL)})


def ask_relevance(
    gold: Gold, line: RunLine, abstracts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[JudgeQuestion]:
    """Ask about each cited paper whose abstract is known; as published the draft's abstract is always the first."""
    for cited in line.cited if gold.abstract else ():
        if abstracts.get(cited):
            beside, judged = {"the draft": gold.abstract}, {"the cited paper": abstracts[cited]}
            read, label = _score_of(cited, HIGHEST_RELEVANCE), f"relevance of {cited}"
            yield from _RELEVANCE.ask(gold.query_id, cited, beside, judged, read, label, as_published=as_published)


def ask_relevance_rate(
    gold: Gold, line: RunLine, abstracts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[JudgeQuestion]:
    """Ask about each cited paper whose abstract is known.

    As published (`coverage_relevance_rate.py`) the paper is always the first, and the judge sees the authors' own
    section too, which has the answer.
    """
    own = {"the paper's related work": gold.section} if as_published and gold.section else {}
    for cited in line.cited:
        if abstracts.get(cited):
            beside, judged = {"the paper": gold.text} | own, {"the document": abstracts[cited]}
            read, label = _score_of(cited, HIGHEST_RATE), f"relevance of {cited}"
            yield from _RATE.ask(gold.query_id, cited, beside, judged, read, label, as_published=as_published)


def ask_quality(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[JudgeQuestion]:
    """Ask about the section, if there is one; as published the abstract is always the first."""
    if line.text and gold.abstract:
        beside, judged = {"the draft's abstract": gold.abstract}, {SECTION: _with_citations(line)}
        read, label = _score_of(SECTION, HIGHEST_QUALITY), "quality of the section"
        yield from _QUALITY.ask(gold.query_id, SECTION, beside, judged, read, label, as_published=as_published)


def ask_rating(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[JudgeQuestion]:
    """Ask about the section beside the real one (LitLLM, Table 7); as published the rated one is always the last.

    The texts and their order are those of LitLLM's code (`llm_eval.py`, "single"), whose instructions are not public;
    the scale is that of the table, which prints 66.9 to 75.2.
    """
    if line.text and gold.section and gold.abstract:
        beside, judged = {"the authors' section": gold.section}, {SECTION: line.text}
        read, label = _score_of(SECTION, HIGHEST_RATING), "rating of the section"
        abstract = {"the draft's abstract": gold.abstract}
        yield from _RATING.ask(
            gold.query_id, SECTION, beside, judged, read, label, opening=abstract, as_published=as_published
        )


def ask_correctness(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[JudgeQuestion]:
    """Ask about an answer that was given, where there is a reference; as published the reference is the first."""
    if line.refused or not line.text or not gold.answer or gold.answerable is False:
        return
    question = {"the question": str(gold.inputs.get("question") or gold.title)}
    beside, judged = {"the reference answer": gold.answer}, {ANSWER: line.text}
    read, label = _flag_of(ANSWER, "correct"), "correctness of the answer"
    yield from _CORRECTNESS.ask(
        gold.query_id, ANSWER, beside, judged, read, label, opening=question, as_published=as_published
    )


def ask_entailment(
    gold: Gold, line: RunLine, texts: Mapping[str, str], *, as_published: bool = False
) -> Iterator[JudgeQuestion]:
    """Ask for each sentence about all sets of papers that a measure may need, as far as their texts are known.

    These are each citation alone, all together, all but one, and those of the sentences beside it. As published the
    premise comes first.
    """
    for at, sentence in enumerate(line.sentences):
        for papers in _sets(line.sentences, at, texts):
            premise = {f"document {number}": texts[paper] for number, paper in enumerate(papers, 1)}
            item = " ".join((str(at), *sorted(papers)))
            read, label = _flag_of(item, "entailed"), f"entailment of sentence {at + 1}"
            judged = {SENTENCE: sentence.text}
            yield from _ENTAILMENT.ask(gold.query_id, item, premise, judged, read, label, as_published=as_published)


def ask_organisation(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[JudgeQuestion]:
    """Ask about a section beside the real one, in both orders: 1 where it is preferred, else 0.

    As published (`organization.py`) a reply without a decision counts as one for B, whichever that is; here it is none.
    """
    if line.text and gold.section:
        yield from _ask_pair(_ORGANISATION, gold, SECTION, line.text, gold.section, as_published=as_published)


def ask_preference(gold: Gold, first: RunLine, second: RunLine) -> Iterator[JudgeQuestion]:
    """Ask which of two runs answers a query better, in both orders: 1 where the second is preferred, else 0."""
    if first.text and second.text:
        yield from _ask_pair(_PREFERENCE, gold, SECOND, _with_citations(second), _with_citations(first))


def _ask_pair(
    rubric: Rubric, gold: Gold, item: str, judged: str, other: str, *, as_published: bool = False
) -> Iterator[JudgeQuestion]:
    asked = {"the task": str(gold.inputs.get("question") or gold.text)}
    both: tuple[Order, Order] = ("first", "swapped")
    for place, order in enumerate(both):
        shown = (judged, other) if place == 0 else (other, judged)
        texts = asked | {f"text {name}": text for name, text in zip("AB", shown, strict=True)}
        request = rubric.request(texts, f"{rubric.measure} of two texts")
        yield JudgeQuestion(
            gold.query_id, rubric.measure, order, {item: place}, request, partial(_decision, item, place, as_published)
        )


def ask_nuggets(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[JudgeQuestion]:
    """Ask about the nuggets, ten at a time, in their order and, save as published, in the opposite one.

    An item is the place of a nugget in the gold line, from 1. A label with another number, and labels that contradict
    each other, are none.
    """
    if not line.text:
        return
    items = list(range(1, len(gold.nuggets) + 1))
    for order in orders(as_published):
        placed = items if order == "first" else items[::-1]
        for start in range(0, len(placed), NUGGETS_AT_ONCE):
            part = placed[start : start + NUGGETS_AT_ONCE]
            nuggets = {f"nugget {number}": gold.nuggets[item - 1].text for number, item in enumerate(part, 1)}
            prompt = show({"the passage": line.text, "the paper's title": gold.title} | nuggets, LONGEST_SECTION)
            tokens, label = 60 + 40 * len(part), f"{len(part)} nuggets"
            request = Request("judge", _NUGGETS, prompt, schema=_LABELS, max_tokens=tokens, label=label)
            places = {str(item): place for place, item in enumerate(part)}
            yield JudgeQuestion(gold.query_id, "nuggets", order, places, request, partial(_by_item, part))


def verdicts_from(items: Mapping[str, float]) -> Verdicts:
    """Verdicts on entailment of one order by sentence and papers, as the measures take them."""
    named = ((item.split(" "), value) for item, value in items.items())
    return Verdicts({(int(at), frozenset(papers)): bool(value) for (at, *papers), value in named})


def read_labels(reply: Reply, nuggets: int) -> dict[int, float]:
    """Values of nuggets by the number in the request, from 1."""
    values: dict[int, float] = {}
    contradicted: set[int] = set()
    for number, label in numbered_items(replied_object(reply).get("labels"), "nugget", range(1, nuggets + 1)):
        value = next((SUPPORT[name] for name in SUPPORT if label.get("label") == name), None)
        if value is not None and values.setdefault(number, value) != value:
            contradicted.add(number)
    return {number: value for number, value in values.items() if number not in contradicted}


def _by_item(items: Sequence[int], reply: Reply) -> Mapping[str, float]:
    return {str(items[number - 1]): value for number, value in read_labels(reply, len(items)).items()}


def _score_of(item: str, most: float) -> Callable[[Reply], Mapping[str, float]]:
    """Return a reader of the `score` of a reply, 0 to `most`."""

    def read(reply: Reply) -> Mapping[str, float]:
        score = on_scale(replied_object(reply).get("score"), most)
        return {} if score is None else {item: score}

    return read


def _flag_of(item: str, name: str) -> Callable[[Reply], Mapping[str, float]]:
    """Return a reader of one truth value of a reply."""

    def read(reply: Reply) -> Mapping[str, float]:
        value = replied_object(reply).get(name)
        return {item: float(value)} if isinstance(value, bool) else {}

    return read


def _decision(item: str, place: int, as_published: bool, reply: Reply) -> Mapping[str, float]:
    decision = str(replied_object(reply).get("decision")).strip().upper()
    if decision not in ("A", "B"):
        if not as_published:
            return {}
        decision = "B"
    return {item: float("AB".index(decision) == place)}


def _with_citations(line: RunLine) -> str:
    """The text with numbers for its citations, where these are known by sentence; else the text as it is."""
    if not line.cited:
        return line.text
    numbers = {cite: number for number, cite in enumerate(line.cited, 1)}
    return " ".join(
        f"{sentence.text} [{', '.join(str(numbers[cite]) for cite in sentence.cites)}]"
        if sentence.cites
        else sentence.text
        for sentence in line.sentences
    )


def _sets(sentences: Sequence[CitedSentence], at: int, texts: Mapping[str, str]) -> list[tuple[str, ...]]:
    near = [tuple(dict.fromkeys(sentence.cites)) for sentence in sentences[max(0, at - 1) : at + 2]]
    own = tuple(dict.fromkeys(sentences[at].cites))
    real = tuple(cite for cite in own if texts.get(cite))
    sets: dict[frozenset[str], tuple[str, ...]] = {}
    for known in (real, real[:MOST_PUBLISHED]):
        for papers in (known, *((cite,) for cite in known), *(known[:n] + known[n + 1 :] for n in range(len(known)))):
            sets.setdefault(frozenset(papers), papers)
    for papers in near:
        if all(texts.get(cite) for cite in papers):
            sets.setdefault(frozenset(papers), papers)
    return [papers for papers in sets.values() if papers]
