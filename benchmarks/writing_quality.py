"""Automatic measures of the writing without a model, on a seeded sample of real abstracts.

    python -m benchmarks.writing_quality [FILE.jsonl.gz] [--papers 600] [--seed 1] [--show N]

Reads the public snapshot's line format, by default ../shared/data/arxiv_sample.jsonl.gz. Every paper gets a
sentence of its own (one plan line each), then the same papers are planned and written in groups of ten. Exits
with 1 if a planned citation is missing, a first person is left over, or close wording is unmarked. What the measures
cannot tell is whether the sentences read well: print some with --show and read them.
"""

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from citeplug.plan.from_clusters import make_plan
from citeplug.records.draft import Draft
from citeplug.records.finding import Finding
from citeplug.records.paper import ArxivId, Paper, Shortlisted
from citeplug.records.plan import Plan, PlanLine, PlanParagraph
from citeplug.records.section import Section, Sentence
from citeplug.text.cited_text import copied_runs, words
from citeplug.write.extractive.section import write_section

SAMPLE = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "arxiv_sample.jsonl.gz"
FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|my|this paper|in this work)\b|\bI\b(?= [a-z])", re.IGNORECASE)
DRAFT = Draft(
    Path("main.tex").resolve(),
    (),
    "Neighborhood attention for node classification",
    "Graphs describe many kinds of data. We propose a graph neural network that attends to neighborhoods of"
    " several sizes. We show that its predictions depend on few edges.",
)


def read_sample(file: Path, count: int, seed: int) -> list[Paper]:
    """`count` papers with authors, chosen by `seed` alone."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["authors"]]
    return [_paper(record) for record in random.Random(seed).sample(records, min(count, len(records)))]


def _paper(record: dict[str, str]) -> Paper:
    authors = tuple(name.strip() for name in re.split(r",| and ", record["authors"]) if name.strip())
    day = date(2000, 1, 1)  # the writer does not look at dates
    title, abstract = (" ".join(record[name].split()) for name in ("title", "abstract"))
    return Paper(ArxivId.parse(record["id"]), title, abstract, authors, day, day)


def write_singly(papers: Sequence[Paper]) -> tuple[Section, list[Finding]]:
    """A sentence for every paper, in paragraphs of five."""
    paragraphs = [
        PlanParagraph(f"p{start}", "Papers", tuple(PlanLine("", (p.id.value,)) for p in papers[start : start + 5]), 100)
        for start in range(0, len(papers), 5)
    ]
    return write_section(Plan(tuple(paragraphs)), DRAFT, {p.id.value: p for p in papers})


def write_grouped(papers: Sequence[Paper]) -> tuple[list[Plan], list[Section], list[Finding]]:
    """Sections of ten papers each, planned by `make_plan` from their words."""
    plans, sections, findings = [], [], []
    for start in range(0, len(papers), 10):
        ten = papers[start : start + 10]
        plans.append(make_plan(DRAFT, [Shortlisted(p, 1 - i / 100) for i, p in enumerate(ten)], {}))
        section, found = write_section(plans[-1], DRAFT, {p.id.value: p for p in ten})
        sections.append(section)
        findings += found
    return plans, sections, findings


def unmarked_runs(sentence: Sentence) -> int:
    """Stretches of eight words or more from a source that stand outside quotation marks in an unflagged sentence."""
    if sentence.quoted:
        return 0
    return sum(len(copied_runs(sentence.text, source.text)) for source in sentence.sources)


def measure(sentences: Iterable[Sentence], findings: Sequence[Finding], papers: int) -> dict[str, float]:
    """The measures, as shares of the sentences unless their name says otherwise."""
    said = list(sentences)
    n = max(1, len(said))
    openings = Counter(" ".join(_plain(s.text).split()[:3]) for s in said)
    return {
        "sentences": len(said),
        "mean words": sum(len(words(s.text)) for s in said) / n,
        "mean ROUGE-1 precision": sum(s.attribution for s in said) / n,
        "begin with the authors": sum(s.text.startswith("{{author:") for s in said) / n,
        "quoted (8 words or more)": share(s.quoted and "“" in s.text for s in said if s.kind == "paper"),
        "reported as close": share(s.quoted and "“" not in s.text for s in said if s.kind == "paper"),
        "reported as close, on the draft": share(s.quoted for s in said if s.kind == "draft"),
        "unmarked close wording": sum(unmarked_runs(s) > 0 for s in said) / n,
        "first person left over": sum(bool(FIRST_PERSON.search(_unquoted(s.text))) for s in said) / n,
        "share an opening of three words": sum(c for c in openings.values() if c > 1) / n,
        "papers by title only (share)": sum(f.code == "title_only" for f in findings) / max(1, papers),
    }


def share(flags: Iterable[bool]) -> float:
    """How many of them are true, 0 to 1; 0 if there are none."""
    counted = list(flags)
    return sum(counted) / max(1, len(counted))


def _plain(text: str) -> str:
    return re.sub(r"\{\{author:[^}]*\}\}", "AUTHORS", text)


def _unquoted(text: str) -> str:
    return re.sub(r"“[^”]*”|\$[^$]*\$|\{\{[^}]*\}\}", " ", text)


def main() -> int:
    """Print the measures; 1 if one that must be nothing is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--papers", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print this many sentences")
    arguments = parser.parse_args()
    papers = read_sample(arguments.file, arguments.papers, arguments.seed)
    print(f"file: {arguments.file.name}, papers: {len(papers)}, seed: {arguments.seed}")

    single, notes = write_singly(papers)
    sentences = [s for paragraph in single.paragraphs for s in paragraph.sentences]
    singly = measure(sentences, notes, len(papers))
    cited = {value for s in sentences for value in s.cites}
    singly["planned citations covered"] = sum(p.id.value in cited for p in papers) / max(1, len(papers))

    plans, sections, more = write_grouped(papers)
    grouped_sentences = [s for section in sections for p in section.paragraphs for s in p.sentences]
    grouped = measure(grouped_sentences, more, len(papers))
    planned = [c for plan in plans for p in plan.paragraphs for line in p.lines for c in line.cites]
    there = {c for s in grouped_sentences for c in s.cites}
    grouped["planned citations covered"] = sum(c in there for c in planned) / max(1, len(planned))

    print(f"{'':34} {'one each':>9} {'grouped':>9}")
    for name, value in singly.items():
        print(f"{name:34} {value:9.3f} {grouped[name]:9.3f}")
    for sentence in sentences[: arguments.show]:
        print(f"- {sentence.text} ({sentence.attribution:.2f})")
    bad = any(
        scores["unmarked close wording"] or scores["first person left over"] or scores["planned citations covered"] < 1
        for scores in (singly, grouped)
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
