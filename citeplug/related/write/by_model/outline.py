"""Outline of the whole section, which every request for prose shows: plans, handles, and the draft's facts, each for one paragraph."""

from collections.abc import Iterable, Mapping

from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.related.attribute.plainness import first_person
from citeplug.related.plan.from_clusters import RELATE
from citeplug.text.cited_text import words
from citeplug.text.cleaning import plain
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import stem
from citeplug.text.stop_words import STOPWORDS

_LONGEST = 300


def outline(plan: Plan, handles: Mapping[str, int], abstract: str) -> str:
    """The outline of `plan`, a paragraph in a line. `handles` are by cite as the plan has it; unknown ones are left out."""
    facts = share_facts(plan, abstract)
    parts = [
        "The outline of the section. What the line on the draft in one paragraph says, no other paragraph says again; a"
        " paragraph without such a line says nothing of the draft:"
    ]
    for paragraph in plan.paragraphs:
        lines = " | ".join(describe(line, handles) for line in paragraph.lines)
        parts.append(f"{paragraph.id} “{one_line(paragraph.heading)}”: {lines}")
        if facts.get(paragraph.id):
            parts.append("  of the draft: " + " ".join(f"“{one_line(fact)}”" for fact in facts[paragraph.id]))
    return "\n".join(parts) + "\n"


def describe(line: PlanLine, handles: Mapping[str, int]) -> str:
    """A plan line for a model: its intent, what kind of sentence it is, and what it cites."""
    cites = ", ".join(f"[{handles[cite]}]" for cite in line.cites if cite in handles)
    wish = one_line(line.intent)
    if line.role == "topic":
        return f"{wish or 'open the paragraph'}; topic, no papers"
    if line.role == "draft":
        return f"{wish or 'set the draft apart'}; about the draft, {f'beside {cites}' if cites else 'no papers'}"
    weight = {"core": " (core: up to two sentences)", "passing": " (passing: a group)", None: ""}[line.weight]
    return f"{wish or 'say what they contribute'}; cite {cites}{weight}"


def share_facts(plan: Plan, abstract: str) -> dict[str, tuple[str, ...]]:
    """What the draft's abstract says of the draft, in clauses, by the id of the one paragraph that may tell it.

    That is for paragraphs whose lines on the draft do not say what is to be told; a clause that is nearest to a line
    that does is not given away. Each gets one at least, while there are any.
    """
    closing = {p.id: [line.intent for line in p.lines if line.role == "draft"] for p in plan.paragraphs}
    open_ones = [name for name, intents in closing.items() if intents and set(intents) <= {"", RELATE}]
    if not open_ones:
        return {}
    own = {p.id: p for p in plan.paragraphs if closing[p.id]}
    given: dict[str, list[str]] = {name: [] for name in own}
    for fact in _facts(abstract):
        given[max(own, key=lambda name: (_nearness(own[name], fact), -len(given[name])))].append(fact)
    for name in open_ones:
        richest = max(open_ones, key=lambda other: len(given[other]))
        if not given[name] and len(given[richest]) > 1:
            best = max(given[richest], key=lambda fact: _nearness(own[name], fact) - _nearness(own[richest], fact))
            given[richest].remove(best)
            given[name].append(best)
    return {name: tuple(given[name]) for name in open_ones}


def _facts(abstract: str) -> list[str]:
    """The clauses, at semicolons, from the first sentence on that speaks of the draft; all where none does."""
    text = " ".join(abstract.split())
    sentences = [text[start:end] for start, end in split_sentences(text)]
    first = next((n for n, sentence in enumerate(sentences) if first_person(sentence)), 0)
    return [clause.strip() for sentence in sentences[first:] for clause in sentence.split(";") if clause.strip()]


def _nearness(paragraph: PlanParagraph, fact: str) -> int:
    return len(_stems([fact]) & _stems([paragraph.heading, *(line.intent for line in paragraph.lines)]))


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Words of a plan or a model as one bounded line that cannot be taken for a fence."""
    return plain(text).replace("<", "‹").replace(">", "›")[:longest]


def _stems(texts: Iterable[str]) -> set[str]:
    return {stem(word) for text in texts for word in words(text) if word not in STOPWORDS}
