"""Sections written without a model for real abstracts, to be read beside their sources, and what can be counted.

    python -m benchmarks.plain_prose [FILE.jsonl.gz] [--home DIR] [--drafts 40] [--papers 10] [--salt 1] [--show]

Reads the public snapshot's line format, by default ../shared/data/arxiv_sample.jsonl.gz. The drafts are its abstracts
of computer science and statistics whose ids hash lowest, the same in every run; `--salt` draws others. Papers are
chosen as `citeplug related` does, from a catalogue of the whole file; it is made once under --home, with the vectors
that are needed, which takes minutes for new drafts. With --show every sentence is printed above its source, as a form
to read. Exits with 1 if a sentence is neither a group, nor its source's whole sentence or clause, nor a quotation of
it, if it is incomplete, begins with what is not resolved, loses a denial, or is said twice, or if a run of eight words
is unquoted. Whether the sentences read well has to be read. --abstracts 3000 only counts how many of so many abstracts,
drawn from all fields, give a sentence.
"""

import argparse
import gzip
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path

from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.plan import Plan
from citeplug.records.section import Section, Sentence
from citeplug.related.plan.from_clusters import make_plan
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.write.extractive.section import write_section
from citeplug.related.write.extractive.sentences import can_be_described
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import MARKER, copied_runs, words
from citeplug.text.plaintext import plain_text

SAMPLE = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "arxiv_sample.jsonl.gz"
_FIELDS = re.compile(r"(?:cs|stat|eess)\.")
# The title before what is said.
_TITLED = re.compile(r"(?:(?:^I|(?<=Later, )i|(?<=; )i|(?<=whereas )i)n|(?<=\}\}, )in) “[^”]*”, ")
_QUOTED = re.compile(r"“[^”]*”")
_UNRESOLVED = re.compile(
    r"^(?:this|these|it(?! is \w+ (?:to|that|whether)\b)|its|then|also|such|they|their|"
    r"the (?:former|latter|proposed|same|other)|however|thus)\b",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|my|this paper|in this work)\b|\bI\b(?= [a-z])", re.IGNORECASE)
_DENIALS = ("not", "no", "never", "cannot", "without", "only", "neither", "nor", "hardly", "unless", "except")


@dataclass(frozen=True)
class Written:
    """A section, its plan, and the papers that it could cite, by arXiv id."""

    draft: Draft
    plan: Plan
    section: Section
    papers: dict[str, Paper]


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


def write(draft: Paper, corpus: Corpus, count: int) -> Written:
    """The section for an abstract as the draft, on the `count` papers that `citeplug related` would choose."""
    about = Draft(Path("main.tex").resolve(), (), draft.title, draft.abstract)
    tools, progress = Tools(corpus, lookup_in(corpus)), Progress(lambda stage, done, total: None)
    options = Options(breadth=count, exclude=(draft.id.value,))
    ranking = rank_papers(about, options, tools, before=date.max, progress=progress)
    shortlist = ranking.papers[: ranking.wanted]
    papers = {item.paper.id.value: item.paper for item in shortlist}
    reportable = partial(can_be_described, draft=about)
    plan = make_plan(about, shortlist, ranking.vectors, reportable=reportable)
    return Written(about, plan, write_section(plan, about, papers)[0], papers)


def measure(written: Sequence[Written]) -> dict[str, float]:
    """What is counted over all sections; those that end with "(none)" must be 0."""
    each = [s for w in written for p in w.section.paragraphs for s in p.sentences]
    told = [s for s in each if s.kind == "paper"]
    cited = [cite for w in written for cite in {c for p in w.section.paragraphs for s in p.sentences for c in s.cites}]
    twice = sum(
        count - 1
        for w in written
        for count in Counter(s.sources for p in w.section.paragraphs for s in p.sentences if s in told).values()
    )
    sections = max(1, len(written))
    headings = [p.heading for w in written for p in w.section.paragraphs if p.sentences and p.heading]
    return {
        "sentences": len(each),
        "say what a paper contributes": len(told),
        "name a group": sum(s.kind == "group" for s in each),
        "on the draft": sum(s.kind == "draft" for s in each),
        "headings": len(headings),
        "papers chosen and cited, share": len(cited) / max(1, sum(len(w.papers) for w in written)),
        "papers chosen and described, share": sum(len(s.cites) for s in told)
        / max(1, sum(len(w.papers) for w in written)),
        "sections without a sentence": sum(not any(p.sentences for p in w.section.paragraphs) for w in written),
        "paragraphs a section": sum(len(w.section.paragraphs) for w in written) / sections,
        "mean words": sum(len(words(s.text)) for s in told) / max(1, len(told)),
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
    if sentence.kind == "group":
        return True
    given = [words(plain_text(source.text, holes=True) or source.text) for source in sentence.sources]
    if sentence.kind == "draft":
        return any(_within(words(sentence.text), one) for one in given)
    quoted = _QUOTED.findall(_TITLED.sub("", sentence.text))
    quotes = [re.sub(r"\[(?:their|the author's)\]", "our", q.replace("[they]", "we")) for q in quoted]
    return all(any(_within(words(re.sub(r" \[[^\]]*\]", "", q)), one) for one in given) for q in quotes)


def _within(said: list[str], given: list[str]) -> bool:
    return any(given[at : at + len(said)] == said for at in range(len(given) - len(said) + 1))


def _is_complete(sentence: Sentence) -> bool:
    text = sentence.text
    pairs = text.count("“") == text.count("”") and text.count("(") == text.count(")") and text.count("$") % 2 == 0
    return pairs and text.endswith(".") and not re.search(r"\b(?:and|or|of|the|an?|that|which)[”.]+$", text)


def _starts(sentence: Sentence) -> list[str]:
    """What a sentence says first of each work; a second quotation, behind a further verb, may point to the first."""
    starts, end = list[str](), 0
    for quote in _QUOTED.finditer(sentence.text):
        if MARKER.search(sentence.text, end, quote.start()) or not starts:
            starts.append(quote[0][1:])
        end = quote.end()
    return starts or [_outside(sentence.text).lstrip()]


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
    """Print a section as a form to read: the draft, and each sentence above its sources and their papers' titles."""
    print(f"\n=== {number}. {written.draft.title}\n    {written.draft.abstract}")
    for paragraph in written.section.paragraphs:
        if paragraph.sentences:
            print(f"\n## {paragraph.heading or '(no heading)'}")
        for sentence in paragraph.sentences:
            print(f"- ({sentence.kind}) {sentence.text}")
            for source in sentence.sources:
                title = written.papers[source.arxiv_id].title if source.arxiv_id else "the draft"
                print(f"      [{source.arxiv_id or 'draft'}] {title}\n          {source.text}")


def main() -> int:
    """Print the sections and the counts; 1 if one that must be nothing is not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--drafts", type=int, default=40)
    parser.add_argument("--papers", type=int, default=10)
    parser.add_argument("--salt", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print every sentence above its source")
    parser.add_argument("--abstracts", type=int, default=0, help="count how many of so many give a sentence")
    arguments = parser.parse_args()
    if arguments.abstracts:
        drawn = read_sample(arguments.file, arguments.abstracts, arguments.salt)
        told = sum(can_be_described(paper, Draft(Path("main.tex").resolve(), (), "", "")) for paper in drawn)
        print(f"{told} of {len(drawn)} abstracts give a sentence")
        return 0
    papers = [paper for paper, categories in _records(arguments.file) if _FIELDS.match(categories)]
    chosen = sorted(papers, key=lambda p: hashlib.sha256(f"{arguments.salt} {p.id.value}".encode()).hexdigest())
    drafts = chosen[: arguments.drafts]
    settings = replace(read_settings(), home=arguments.home)
    with open_corpus(replace(settings, corpus=arguments.home / "full")) as corpus:
        if not corpus.records:
            corpus.add([arguments.file])
        written = [write(draft, corpus, arguments.papers) for draft in drafts]
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
