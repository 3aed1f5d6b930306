"""Sections by adversarial models: what they propose that is false, and what of it is in the section in the end.

Sections of three papers each, of the sample of arXiv beside the project where it is there, else of the demo's library,
by models that spoil every answer in one way, and a judge that is right. `model_sections.py` prints the tally.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import citeplug.demo
from benchmarks.plain_prose import SAMPLE, read_sample
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.paper import Paper
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, Sentence
from citeplug.related.write.by_model.brief import Brief
from citeplug.related.write.by_model.follow_plan import write_prose
from citeplug.sources.snapshot import SnapshotReader
from citeplug.text.cited_text import MARKER
from tests.harness.adversaries import DISORDERS, FALSIFIERS, rich
from tests.harness.scripted_models import Answer, ScriptedModel, Seen, as_revision, is_revision

LIBRARY = Path(citeplug.demo.__file__).parent / "library.jsonl"
DRAFT = Draft(
    Path("main.tex").resolve(),
    (),
    "Neighborhood attention for node classification",
    "Graphs describe many kinds of data. We propose a graph neural network that attends to neighborhoods of"
    " several sizes. We show that its predictions depend on few edges.",
)


@dataclass
class Tally:
    """What the adversarial run counts. `proposed` and `kept` are false sentences, by the way of spoiling."""

    sections: int = 0
    sentences: int = 0
    proposed: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    honest: int = 0
    honest_kept: int = 0
    outside: int = 0
    missing: int = 0
    unquoted: int = 0
    examples: list[str] = field(default_factory=list)


def papers_to_write_on(seed: int) -> list[Paper]:
    """Papers with abstracts of a usual length, from the sample if it is there."""
    library = [paper for paper in SnapshotReader(LIBRARY) if len(paper.abstract) > 200]
    papers = read_sample(SAMPLE, 2_000, seed) if SAMPLE.is_file() else library
    return [paper for paper in papers if 400 < len(paper.abstract) < 2_000]


def sentences(section: Section) -> list[Sentence]:
    return [sentence for paragraph in section.paragraphs for sentence in paragraph.sentences]


def bare(text: str) -> str:
    """A sentence without citations, for comparing what was proposed with what stands."""
    return " ".join(re.findall(r"\w+", re.sub(r"\[@?[\d, ]+\]", " ", MARKER.sub(" ", text)))).lower()


def adversarial(papers: Sequence[Paper], sections: int, seed: int) -> Tally:
    """Sections of three papers, every answer spoiled in one way; the ways take turns, the honest one among them."""
    tally = Tally()
    ways = [*FALSIFIERS, *DISORDERS, "rich"]
    chance = random.Random(seed)
    for number in range(sections):
        way = ways[number % len(ways)]
        chosen = chance.sample(list(papers), 3)
        _one_section(chosen, way, chance, tally)
    return tally


def _one_section(papers: Sequence[Paper], way: str, chance: random.Random, tally: Tally) -> None:
    by_id = {paper.id.value: paper for paper in papers}
    one, two, three = by_id
    lines = (PlanLine("", (one,)), PlanLine("compare", (two, three)), PlanLine("relate"))
    proposed: set[tuple[frozenset[str], str]] = set()

    def claim(seen: Seen, item: dict[str, Any]) -> tuple[frozenset[str], str]:
        """What is said, and of which papers."""
        return frozenset(seen.papers[handle].title for handle in cited(item["text"], seen)), bare(item["text"])

    def script(seen: Seen, request: Request) -> Answer | str:
        if request.stage == "judge":
            return _judge(request, {text for _, text in proposed} if way != "rich" else set())
        answer = spoiled(seen)
        return as_revision(answer, request) if is_revision(request) and isinstance(answer, dict) else answer

    def spoiled(seen: Seen) -> Answer | str:
        answer = rich(seen)
        if way in DISORDERS:
            disordered: Answer | str = DISORDERS[way](answer, chance)
            if way == "papers_mixed_up" and isinstance(disordered, dict) and len(seen.lines) > 1:
                proposed.update(claim(seen, item) for item in disordered["sentences"] if cited(item["text"], seen))
            return disordered
        for item in answer["sentences"]:
            if cited(item["text"], seen):
                false = FALSIFIERS[way](item["text"], chance) if way in FALSIFIERS else item["text"]
                if false is not None and (way == "rich" or bare(false) != bare(item["text"])):
                    item["text"] = false
                    proposed.add(claim(seen, item))
        return answer

    brief = Brief(Plan((PlanParagraph("p1", "", lines, 0),)), DRAFT, by_id)
    prose = write_prose(brief, ScriptedModel(script))
    found = sentences(prose.section)
    stands = [s for s in found if (frozenset(by_id[c].title for c in s.cites), bare(s.text)) in proposed]
    tally.sections += 1
    if way == "rich":
        tally.honest += len(proposed)
        tally.honest_kept += len(stands)
    else:
        tally.proposed[way] += len(proposed)
        tally.kept[way] += len(stands)
        tally.examples += [f"{way}: {s.text}\n    {' | '.join(x.text for x in s.sources)}" for s in stands]
    tally.sentences += len(found)
    tally.outside += sum(cite not in by_id for s in found for cite in s.cites)
    reported = " ".join(finding.message for finding in prose.findings if finding.code == "paper_not_written")
    named = {cite for s in found for cite in s.cites}
    tally.missing += sum(value not in named and value not in reported for value in by_id)
    abstracts = {value: paper.abstract for value, paper in by_id.items()}
    tally.unquoted += sum(
        (DRAFT.abstract if x.arxiv_id is None else abstracts[x.arxiv_id])[x.start : x.end] != x.text
        for s in found
        for x in s.sources
        if x.of != "title"
    )


def cited(text: str, seen: Seen) -> list[int]:
    """Handles of a sentence that are those of papers."""
    handles = {int(n) for found in re.findall(r"\[@?([\d, ]+)\]", text) for n in found.split(",") if n.strip()}
    return sorted(handles & seen.papers.keys())


def _judge(request: Request, false: set[str]) -> Answer:
    """The verdicts of a judge that is always right."""
    told = re.findall(r"^sentence (\d+)(?: \([^)]*\))?: (.*)$", request.prompt, re.M)
    return {
        "verdicts": [
            {"sentence": int(n), "unsupported": "it is false" * wrong, "verdict": "not" if wrong else "entailed"}
            for n, text in told
            for wrong in [bare(text) in false]
        ]
    }


def adversaries_table(tally: Tally) -> Iterator[str]:
    yield f"{tally.sections} sections by adversarial models, {tally.sentences} sentences in them"
    yield f"{'way':22} proposed  kept"
    for way in tally.proposed:
        yield f"{way:22} {tally.proposed[way]:8} {tally.kept[way]:5}"
    total, kept = tally.proposed.total(), tally.kept.total()
    yield f"{'all false sentences':22} {total:8} {kept:5}   ({1 - kept / max(1, total):.2%} caught)"
    yield f"true sentences close to the abstracts: {tally.honest_kept} of {tally.honest} kept"
    yield f"citations outside the shortlist {tally.outside}, planned papers missing and not reported {tally.missing},"
    yield f"quotations not in their source {tally.unquoted}"
