"""Organisation: is a section better organised than the real one (DeepScholar-Bench, arXiv:2508.20033)?"""

from collections.abc import Iterator, Mapping
from functools import partial

from citeplug.evaluate.gold import Gold
from citeplug.evaluate.judge.question import LONGEST_SECTION, RULES, Order, Question, fields, schema_of, show
from citeplug.evaluate.runs import RunLine
from citeplug.records.dialogue import Reply, Request

SECTION, REAL = "the section", "the real section"
SYSTEM = f"""You are given title and abstract of a research paper, and two related-work sections that were written for it, A and B. Decide which is organised better; there are no ties.

Judge the organisation alone, neither coverage, nor right citations, nor depth, nor mark-up: a logical structure, with a clear opening, works grouped by theme and a smooth progression; paragraphs that each develop one topic and lead to the next; clarity, with little repetition and no contradiction; signposts, such as headings and topic sentences.

{RULES}"""
_SCHEMA = schema_of({"explanation": {"type": "string"}, "decision": {"type": "string", "enum": ["A", "B"]}})


def ask_organisation(gold: Gold, line: RunLine, *, as_published: bool = False) -> Iterator[Question]:
    """Ask about a section beside the real one, in both orders: 1 where it is preferred, else 0.

    As published (`organization.py`) a reply without a decision counts as one for B, whichever that is; here it is none.
    """
    if not line.text or not gold.section:
        return
    paper = {"the paper": f"{gold.title}. {gold.abstract}"}
    both: tuple[Order, Order] = ("first", "swapped")
    for place, order in enumerate(both):
        sections = (line.text, gold.section) if place == 0 else (gold.section, line.text)
        texts = paper | {f"section {name}": text for name, text in zip("AB", sections, strict=True)}
        prompt, label = show(texts, LONGEST_SECTION), "organisation of two sections"
        request = Request("judge", SYSTEM, prompt, schema=_SCHEMA, max_tokens=300, label=label)
        read = partial(_decision, place, as_published)
        yield Question(gold.query_id, "organisation", order, {SECTION: place}, request, read)


def _decision(place: int, as_published: bool, reply: Reply) -> Mapping[str, float]:
    said = str(fields(reply).get("decision")).strip().upper()
    if said not in ("A", "B"):
        if not as_published:
            return {}
        said = "B"
    return {SECTION: float("AB".index(said) == place)}
