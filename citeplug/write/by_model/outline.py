"""Outline of the whole section, which every request for prose shows: plans, handles, and the draft's facts, each for one paragraph."""

from collections.abc import Iterable, Mapping

from citeplug.attribute.plainness import first_person
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
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
        "The outline of the section; a fact of the draft is told once, in the paragraph to which it is given here:"
    ]
    for paragraph in plan.paragraphs:
        lines = " | ".join(describe(line, handles) for line in paragraph.lines)
        parts.append(f"{paragraph.id} “{one_line(paragraph.heading)}”: {lines}")
        given = facts.get(paragraph.id, ())
        parts.append("  of the draft: " + (" ".join(f"“{one_line(fact)}”" for fact in given) if given else "nothing"))
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

    A clause goes to the paragraph whose plan is nearest by its words, above all by those of its lines on the draft.
    Paragraphs whose plan speaks of the draft nowhere get none; each other gets one at least, while there are any.
    """
    own = {p.id: p for p in plan.paragraphs if any(line.role == "draft" for line in p.lines)}
    given: dict[str, list[str]] = {name: [] for name in own}
    nearness = {
        (name, fact): _nearness(paragraph, fact) for name, paragraph in own.items() for fact in _facts(abstract)
    }
    for fact in _facts(abstract) if own else ():
        given[max(own, key=lambda name: (nearness[name, fact], -len(given[name])))].append(fact)
    for name in own:
        richest = max(given, key=lambda other: len(given[other]))
        if not given[name] and len(given[richest]) > 1:
            best = max(given[richest], key=lambda fact: nearness[name, fact] - nearness[richest, fact])
            given[richest].remove(best)
            given[name].append(best)
    return {name: tuple(told) for name, told in given.items()}


def _facts(abstract: str) -> list[str]:
    """The clauses, at semicolons, from the first sentence on that speaks of the draft; all where none does."""
    text = " ".join(abstract.split())
    sentences = [text[start:end] for start, end in split_sentences(text)]
    first = next((n for n, sentence in enumerate(sentences) if first_person(sentence)), 0)
    return [clause.strip() for sentence in sentences[first:] for clause in sentence.split(";") if clause.strip()]


def _nearness(paragraph: PlanParagraph, fact: str) -> int:
    said = _stems([fact])
    closing = _stems(line.intent for line in paragraph.lines if line.role == "draft")
    rest = _stems([paragraph.heading, *(line.intent for line in paragraph.lines if line.role != "draft")])
    return 3 * len(said & closing) + len(said & (rest - closing))


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Words of a plan or a model as one bounded line that cannot be taken for a fence."""
    return plain(text).replace("<", "‹").replace(">", "›")[:longest]


def _stems(texts: Iterable[str]) -> set[str]:
    return {stem(word) for text in texts for word in words(text) if word not in STOPWORDS}
