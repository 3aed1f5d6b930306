"""Sections written without a model for real abstracts, to be read beside their sources, and what can be counted.

    python -m benchmarks.plain_prose [FILE.jsonl.gz] [--drafts 40] [--papers 10] [--salt 1] [--show]

Reads the public snapshot's line format, by default ../shared/data/arxiv_sample.jsonl.gz. The drafts are its abstracts
of computer science and statistics whose ids hash lowest, the same in every run; `--salt` draws others. Each gets the
`--papers` that share most of its telling words, a plan and a section. With --show every sentence is printed above its
source. Exits with 1 if a sentence is neither a group, nor its source's whole sentence or clause, nor a quotation of it,
if a run of eight words is unquoted, or if a planned paper is missing. Whether the sentences read well has to be read.
"""

import argparse
import gzip
import hashlib
import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from citeplug.plan.from_clusters import make_plan
from citeplug.records.draft import Draft
from citeplug.records.paper import ArxivId, Paper, Shortlisted
from citeplug.records.plan import Plan
from citeplug.records.section import Section, Sentence
from citeplug.text.cited_text import MARKER, copied_runs, words
from citeplug.text.plaintext import plain_text
from citeplug.text.stop_words import STOPWORDS
from citeplug.write.extractive.section import states_contribution, write_section

SAMPLE = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "arxiv_sample.jsonl.gz"
_FIELDS = re.compile(r"(?:cs|stat|eess)\.")
_QUOTED = re.compile(r"“[^”]*”")
_GROUP = re.compile(r"(?:There is further work on |Related work includes (?:“|that of ))")
_UNRESOLVED = re.compile(
    r"^(?:this|these|it|its|then|also|such|they|their|the (?:former|latter|proposed|same|other)|however|thus)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|my|this paper|in this work)\b|\bI\b(?= [a-z])", re.IGNORECASE)
_DENIALS = ("not", "no", "never", "cannot", "without", "only", "neither", "nor", "hardly", "unless", "except")


@dataclass(frozen=True)
class Written:
    draft: Draft
    plan: Plan
    section: Section


def read_sample(file: Path, count: int, seed: int) -> list[Paper]:
    """`count` papers with authors, those whose ids hash lowest with `seed`."""
    found = sorted(
        (paper for paper, _ in _records(file)),
        key=lambda paper: hashlib.sha256(f"{seed} {paper.id.value}".encode()).hexdigest(),
    )
    return found[:count]


def _records(file: Path) -> Iterator[tuple[Paper, str]]:
    """Papers with authors, and their categories."""
    day = date(2000, 1, 1)  # the writer does not look at dates
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            names = tuple(name.strip() for name in re.split(r",| and ", record["authors"]) if name.strip())
            title, abstract = (" ".join(record[name].split()) for name in ("title", "abstract"))
            if names:
                yield Paper(ArxivId.parse(record["id"]), title, abstract, names, day, day), str(record["categories"])


def neighbours(drafts: Sequence[Paper], papers: Sequence[Paper], count: int) -> list[list[Shortlisted]]:
    """For each draft the `count` other papers that share most of its words, rare ones counting more."""
    wanted = [_content(draft) for draft in drafts]
    sought = frozenset().union(*wanted)
    places: dict[str, list[int]] = defaultdict(list)
    sizes: list[int] = []
    for row, paper in enumerate(papers):
        said = _content(paper)
        sizes.append(len(said))
        for word in said & sought:
            places[word].append(row)
    found: list[list[Shortlisted]] = []
    for draft, said in zip(drafts, wanted, strict=True):
        scores: dict[int, float] = defaultdict(float)
        for word in sorted(said):
            for row in places[word]:
                scores[row] += math.log(len(papers) / len(places[word])) ** 2 / math.sqrt(20 + sizes[row])
        ranked = sorted(scores, key=lambda row: (-scores[row], papers[row].id.value))
        best = [papers[row] for row in ranked[: count + 1] if papers[row].id != draft.id][:count]
        found.append([Shortlisted(paper, 1 - 0.01 * place) for place, paper in enumerate(best)])
    return found


def _content(paper: Paper) -> frozenset[str]:
    return frozenset(words(f"{paper.title} {paper.abstract}")) - STOPWORDS


def write(draft: Paper, shortlist: Sequence[Shortlisted]) -> Written:
    """The section for an abstract as the draft."""
    about = Draft(Path("main.tex").resolve(), (), draft.title, draft.abstract)
    plan = make_plan(about, shortlist, {}, reportable=partial(states_contribution, draft=about))
    section, _ = write_section(plan, about, {item.paper.id.value: item.paper for item in shortlist})
    return Written(about, plan, section)


def measure(written: Sequence[Written]) -> dict[str, float]:
    """What is counted over all sections; those that end with "(none)" must be 0."""
    each = [s for w in written for p in w.section.paragraphs for s in p.sentences]
    told = [s for s in each if s.kind == "paper" and not _GROUP.match(s.text)]
    planned = [cite for w in written for p in w.plan.paragraphs for line in p.lines for cite in line.cites]
    cited = Counter(cite for s in each for cite in s.cites)
    twice = sum(
        count - 1
        for w in written
        for count in Counter(s.sources for p in w.section.paragraphs for s in p.sentences if s in told).values()
    )
    sections = max(1, len(written))
    return {
        "sentences": len(each),
        "say what a paper contributes": len(told),
        "name a group": sum(s.kind == "paper" for s in each) - len(told),
        "on the draft": sum(s.kind == "draft" for s in each),
        "papers described, share": sum(len(s.cites) for s in told) / max(1, len(planned)),
        "paragraphs a section": sum(len(w.section.paragraphs) for w in written) / sections,
        "mean words": sum(len(words(s.text)) for s in told) / max(1, len(told)),
        "planned and not cited (none)": sum((Counter(set(planned)) - cited).values()),
        "not the source's (none)": sum(not is_faithful(s) for s in each),
        "incomplete (none)": sum(not _is_complete(s) for s in each),
        "begin with what is not resolved (none)": sum(any(map(_UNRESOLVED.match, _starts(s))) for s in told),
        "lose a denial (none)": sum(_loses_denial(s) for s in told),
        "copied run without quotation marks (none)": sum(
            bool(copied_runs(_QUOTED.sub(" {{cite:x}} ", s.text), x.text)) for s in told for x in s.sources
        ),
        "first person left over (none)": sum(bool(_FIRST_PERSON.search(_outside(s.text))) for s in told),
        "said twice (none)": twice,
        "two on one draft (none)": sum(
            sum(s.kind == "draft" for p in w.section.paragraphs for s in p.sentences) > 1 for w in written
        ),
    }


def is_faithful(sentence: Sentence) -> bool:
    """True if the sentence is a group, or all its words but those that report it are its source's, in their order."""
    if _GROUP.match(sentence.text):
        return True
    given = [words(plain_text(source.text, holes=True) or source.text) for source in sentence.sources]
    if sentence.kind == "draft":
        return any(_within(words(sentence.text), one) for one in given)
    quotes = [re.sub(r"\[their\]", "our", q) for q in _QUOTED.findall(sentence.text)]
    return all(any(_within(words(re.sub(r" \[[^\]]*\]", "", q)), one) for one in given) for q in quotes)


def _within(said: list[str], given: list[str]) -> bool:
    return any(given[at : at + len(said)] == said for at in range(len(given) - len(said) + 1))


def _is_complete(sentence: Sentence) -> bool:
    text = sentence.text
    pairs = text.count("“") == text.count("”") and text.count("(") == text.count(")") and text.count("$") % 2 == 0
    return pairs and text.endswith(".") and not re.search(r"\b(?:and|or|of|the|an?|that|which)[”.]+$", text)


def _starts(sentence: Sentence) -> list[str]:
    return [quote[1:] for quote in _QUOTED.findall(sentence.text)] or [_outside(sentence.text).lstrip()]


def _loses_denial(sentence: Sentence) -> bool:
    """True if a denial stands in the source before the end of what is quoted and not in the sentence."""
    said = words(sentence.text)
    for source in sentence.sources:
        last = next((word for word in reversed(said) if word in words(source.text)), "")
        given = words(source.text)
        reach = len(given) - given[::-1].index(last) if last else 0
        if len(sentence.sources) == 1 and any(given[:reach].count(word) > said.count(word) for word in _DENIALS):
            return True
    return False


def _outside(text: str) -> str:
    return re.sub(r"\$[^$]*\$", " ", MARKER.sub(" ", _QUOTED.sub(" ", text)))


def show(number: int, written: Written) -> None:
    """Print a section with the source of each sentence, and with what the plan's papers are about."""
    print(f"\n=== {number}. {written.draft.title}")
    for paragraph in written.section.paragraphs:
        print(f"\n## {paragraph.heading}")
        for sentence in paragraph.sentences:
            print(f"- {sentence.text}")
            for source in sentence.sources:
                print(f"      [{source.arxiv_id or 'draft'}] {source.text}")


def main() -> int:
    """Print the sections and the counts; 1 if one that must be nothing is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--drafts", type=int, default=40)
    parser.add_argument("--papers", type=int, default=10)
    parser.add_argument("--salt", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print every sentence above its source")
    arguments = parser.parse_args()
    papers = [paper for paper, categories in _records(arguments.file) if _FIELDS.match(categories)]
    chosen = sorted(papers, key=lambda p: hashlib.sha256(f"{arguments.salt} {p.id.value}".encode()).hexdigest())
    drafts = chosen[: arguments.drafts]
    written = list(map(write, drafts, neighbours(drafts, papers, arguments.papers)))
    if arguments.show:
        for number, each in enumerate(written, start=1):
            show(number, each)
    print(
        f"file: {arguments.file.name}, drafts: {len(drafts)}, papers each: {arguments.papers}, salt: {arguments.salt}"
    )
    for each in written:
        for paragraph in each.section.paragraphs:
            for sentence in paragraph.sentences:
                if not is_faithful(sentence):
                    print("not the source's:", sentence.text, [source.text for source in sentence.sources])
    counts = measure(written)
    for name, value in counts.items():
        print(f"{name:44} {value:9.2f}")
    return 1 if any(value for name, value in counts.items() if name.endswith("(none)")) else 0


if __name__ == "__main__":
    sys.exit(main())
