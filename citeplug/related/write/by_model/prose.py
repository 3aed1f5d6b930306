"""The request for a paragraph that follows plan lines (LitLLM, section 4, plan-based), and the reading of its answer."""

from collections.abc import Mapping, Sequence
from typing import get_args

from citeplug.records.dialogue import Reply, Request
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Kind
from citeplug.related.attribute.checks import LONGEST, Proposed
from citeplug.related.attribute.plainness import first_person
from citeplug.related.plan.from_clusters import CONTRIBUTE, RELATE
from citeplug.text.cleaning import plain
from citeplug.text.json_text import list_of, object_of, quotes_in, replied_list
from citeplug.text.material import WARNING, Material, fenced
from citeplug.text.quotation import SHORTEST
from citeplug.text.sentences import split_sentences
from citeplug.text.stems import content_stems

_LONGEST = 300

SYSTEM = f"""You write the related-work section of a research paper, the draft, as its own authors would: what others have done on each question, how far that goes, and where the draft departs from it.

{WARNING}

You see the outline of the whole section and write one paragraph of it; the others are written at the same time, so that nothing of theirs is said here. It is connected prose: it opens with what its works have in common or what divides them, each sentence follows from the one before, and the works are set in relation to each other: which came first, which solves what another leaves, what one pays for what another gains. A sentence may serve several lines of the plan, and a line may take several sentences; every paper that the lines name is cited, and no other. Two sentences in a row are about one and the same paper only where it is a core one, and then the second goes on from the first.

Sentences are of five kinds:
- paper: says what the cited papers do or find.
- group: sets passing works under one theme and says what they share, each citation behind what is said of its work ("as in A [1], B [2] and C [3]"), with for each paper a quotation that puts it there (its title may be quoted).
- contrast: sets works of this paragraph, one or all of them, beside the draft: what they leave open, presuppose or do otherwise and the draft takes up, quoted from both sides, the draft under handle 0. It names the very thing that one side does and the other does otherwise, says why that matters to the draft, and denies of no work what its abstract is silent on. Where the texts bear out nothing specific, there is none.
- draft: on the draft alone, without handles, quoted under handle 0. Do not recite its abstract; what the outline gives to another paragraph is told there.
- topic: opens the paragraph without handles or quotations: the claim under which the works below belong together, or the question on which they differ, and nothing that the sentences below it do not bear out. It may say what the line of the plan says.

A sentence
- cites by handles: [1] behind what is said of a paper, [@1] where the authors are part of the sentence ("[@1] show that ...", printed as "Smith et al."; after "one author" a singular verb), [1, 2] for several. Nothing else stands in brackets; no names of authors, years, titles in full, identifiers, addresses.
- says only what its sources say, with their "may", "suggest" and "up to", and adds no praise, certainty or reach. For each handle in it give one or more quotations from that paper's abstract, what stands in its place, or its title that bear it out, each one uninterrupted stretch of {SHORTEST} words or more, copied word for word, no longer than it takes. Numbers, names and acronyms stand in a quotation for the same paper, in its title, or in the draft. What does not matter to the argument is left out: numbers, data sets, model sizes.
- has at most {LONGEST} words, and is in your own words: never eight words in a row of an abstract, unless in quotation marks.
- keeps what is said of one paper apart from what is said of another, and is plain text without LaTeX or mark-up. The draft's own terms and symbols are written as its abstract writes them.
- speaks of the draft in its own person, in sentences of the kinds contrast and draft alone.
The syntax is plain, subject before verb, no clause turned round for variety ("What servoing brings is ..."). Openings and forms vary: not each with the authors, not each with "while" or "whereas"; a contrast need not be two halves around a semicolon.
Answer with JSON that fits the schema: the sentences in order."""

_QUOTE = object_of(
    {
        "handle": {"type": "integer", "description": "of a paper; 0 for the draft"},
        "quote": {"type": "string", "description": "copied word for word from its text"},
    }
)
QUOTES = list_of(_QUOTE)
_SENTENCE = object_of(
    {
        "kind": {"type": "string", "enum": list(get_args(Kind))},
        "text": {"type": "string", "description": "the sentence, with its handles"},
        "quotes": QUOTES,
    }
)
SCHEMA = object_of({"sentences": list_of(_SENTENCE)})
_MOST = 60  # sentences of an answer


def outline(plan: Plan, handles: Mapping[str, int], abstract: str) -> str:
    """The outline of `plan`, a paragraph in a line. `handles` are by cite as the plan has it; unknown ones are left out."""
    facts = share_facts(plan, abstract)
    parts = [
        "The outline of the section. What the line on the draft in one paragraph says, no other paragraph says again; a"
        " paragraph without such a line says nothing of the draft, unless a remark asks for it:"
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
    weight = {"core": " (core: up to two sentences)", "passing": " (passing: named together)", None: ""}[line.weight]
    return f"{wish or 'say what they contribute'}; cite {cites}{weight}"


def share_facts(plan: Plan, abstract: str) -> dict[str, tuple[str, ...]]:
    """What the draft's abstract says of the draft, in clauses, by the id of the one paragraph that may tell it.

    That is for paragraphs whose lines on the draft do not say what is to be told; a clause that is nearest to a line
    that does is not given away. Each gets one at least, while there are any.
    """
    closing = {p.id: [line.intent for line in p.lines if line.role == "draft"] for p in plan.paragraphs}
    open_ones = [name for name, intents in closing.items() if intents and set(intents) <= {"", CONTRIBUTE, RELATE}]
    if not open_ones:
        return {}
    own = {p.id: p for p in plan.paragraphs if closing[p.id]}
    shares: dict[str, list[str]] = {name: [] for name in own}
    for fact in _facts(abstract):
        shares[max(own, key=lambda name: (_nearness(own[name], fact), -len(shares[name])))].append(fact)
    for name in open_ones:
        richest = max(open_ones, key=lambda other: len(shares[other]))
        if not shares[name] and len(shares[richest]) > 1:
            best = max(shares[richest], key=lambda fact: _nearness(own[name], fact) - _nearness(own[richest], fact))
            shares[richest].remove(best)
            shares[name].append(best)
    return {name: tuple(shares[name]) for name in open_ones}


def _facts(abstract: str) -> list[str]:
    """The clauses, at semicolons, from the first sentence on that speaks of the draft; all where none does."""
    text = " ".join(abstract.split())
    sentences = [text[start:end] for start, end in split_sentences(text)]
    first = next((n for n, sentence in enumerate(sentences) if first_person(sentence)), 0)
    return [clause.strip() for sentence in sentences[first:] for clause in sentence.split(";") if clause.strip()]


def _nearness(paragraph: PlanParagraph, fact: str) -> int:
    return len(content_stems(fact) & content_stems(paragraph.heading, *(line.intent for line in paragraph.lines)))


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Words of a plan or a model as one bounded line that cannot be taken for a fence."""
    return plain(text).replace("<", "‹").replace(">", "›")[:longest]


def shared_part(draft: Material, voice: str = "") -> str:
    """The part of the prompt that all requests of a run have: the draft, and how it is written."""
    return f"The draft:\n{fenced([draft])}\n{voice}".rstrip() + "\n"


def prose_request(shared: str, task: Sequence[str], papers: Sequence[Material], label: str, sentences: int) -> Request:
    """Ask for about `sentences` sentences; `task` are the lines that say which, `papers` are what they may cite."""
    parts = [f"The papers:\n{fenced(papers)}" if papers else "There are no papers to cite.", *_notes(papers)]
    return Request(
        "prose",
        SYSTEM,
        "\n".join([*parts, *task]),
        shared=shared,
        schema=SCHEMA,
        max_tokens=1_000 + 500 * sentences,
        label=label,
    )


def _notes(papers: Sequence[Material]) -> list[str]:
    """Instructions on the summaries and passages among the material; none if there are none."""
    deep = any(paper.passages for paper in papers)
    notes = []
    if any(paper.summary for paper in papers):
        source = "abstract or a passage" if deep else "abstract alone"
        notes.append(f"A paper's summary says what may matter to the draft; quotations are from the {source}.")
    if any(paper.paper is not None and paper.paper.abstract_kind == "draft" for paper in papers):
        notes.append(
            "Of some papers only the draft's own words are known: the sentence says of them what these say, in other"
            " words, and the quotation is from these. Where they are about the draft's use of the work, the sentence is a"
            " contrast, and no other quotation of the draft is needed. Where they tell nothing of the work itself, it"
            " stands in a group, by its title."
        )
    if deep:
        notes.append(
            "Beside an abstract, passages of the paper's full text are given: quotations may be from one of these as"
            " well. What a passage reports of other works is not what its paper does."
        )
    return notes


def lengths(words: int) -> str:
    return f"about {words} words in all, never more than {words * 3 // 2}"


def paragraph_named(name: str, heading: str) -> str:
    return f"{name}, “{one_line(heading)}”" if heading else name


def read_prose(reply: Reply) -> list[Proposed]:
    """The sentences that a model proposes, in order; what cannot be read is left out.

    Whatever a model may answer is read as far as it goes: prose around the JSON, a bare list, handles as texts. What
    it says twice counts once.
    """
    sentences: dict[str, Proposed] = {}
    for item in replied_list(reply, "sentences"):
        if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not item["text"].strip():
            continue
        kind: Kind = item["kind"] if item.get("kind") in get_args(Kind) else "paper"
        proposed = Proposed(item["text"][:5_000], quotes_in(item.get("quotes"), "handle", 40), kind)
        sentences.setdefault(" ".join(proposed.text.split()), proposed)
    return list(sentences.values())[:_MOST]
