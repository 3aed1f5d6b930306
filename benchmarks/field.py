"""Published systems and citeplug side by side, on the drafts of DeepScholar-Bench.

    python -m benchmarks.field --fetch [--home DIR]                the table; clones of the repositories: --clone DIR
    python -m benchmarks.field --clone DIR --run NAME=RUN.jsonl    with the sections of a run in the form of evaluate

Systems: MassGen's 63 published sections, those of six systems for the first two drafts, and sections by citeplug
without a model for all 63, and with one for the drafts that replies are recorded for (tests/harness/model_replies): a
reader in a model's place wrote these from the requests alone. Another section by a model, of citeplug or another
system, is put in from a run (--run), which holds its sentences and citations and no text of the draft. citeplug is
given title and abstract; the draft's own paper is excluded, and so is every paper first posted in the draft's month or
later. Its catalogue is the sample of --data and the records of all that the 63 drafts cite, so that its recall and
precision are not to be compared with those of systems that search all of arXiv or the web: it has the answers among few
other papers of their years.

A printed arXiv id is compared with the records at hand. "not in the records" is no verdict: the id may well exist.
"""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest import mock

from benchmarks.gold import DATA, SAMPLE, machine, read_lines
from benchmarks.model_sections import Watched
from benchmarks.published_sections import (
    BENCHMARK,
    MASSGEN,
    SIX,
    SURGE,
    Drafts,
    PublishedSection,
    Repository,
    Skipped,
    Work,
    drafts_asked_for,
    massgen,
    opened,
    reference_list,
    six_systems,
    suppressed,
)
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.evaluate.evaluate_run import numbered_lines
from citeplug.evaluate.gold import Gold
from citeplug.evaluate.measures.citations import CitedSentence
from citeplug.evaluate.measures.texts import words_of_nuggets
from citeplug.evaluate.runs import RunLine, read_run
from citeplug.llm.chosen_model import Wanted, language_model
from citeplug.protocols import LanguageModel
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options, Outcome
from citeplug.records.paper import ArxivId, Filter, Paper
from citeplug.related.progress import Progress, Tools
from citeplug.related.run import RunInputs, relate
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import bare, words
from citeplug.text.quotation import find_quote
from tests.harness.anthropic_server import AnthropicServer
from tests.harness.replayed_model import FOLDER as REPLIES
from tests.harness.replayed_model import Replay

CONTROL = 15  # papers
AGREES = 0.6  # share of a record's title words that a reference has to print
_LEAST_WORDS = 3  # of a title by which a work is known without its id


@dataclass(frozen=True, slots=True)
class Records:
    """Titles and abstracts by id. `titles` are of all records at hand, `abstracts` of the drafts' cited works alone."""

    titles: Mapping[str, str]
    abstracts: Mapping[str, str]


def measure(section: PublishedSection, gold: Gold, records: Records) -> dict[str, float | None]:
    """What is counted of a section."""
    ids = {label: _identify(work, gold, records.titles) for label, work in section.works.items()}
    cited = {value for value in ids.values() if value}
    kinds = [_kind(work, gold, records.titles) for work in section.works.values()]
    named = [sentence for sentence in section.sentences if sentence.cites]
    hits = cited & gold.cited
    return {
        "works": len(section.works),
        "with id": len(cited),
        "precision": len(hits) / len(cited) if cited else None,
        "recall": len(hits) / len(gold.cited),
        **{f"id {kind}": kinds.count(kind) for kind in KINDS},
        "without entry": len({c for s in named for c in s.cites} - section.works.keys()),
        "cites": len(named) / len(section.sentences) if section.sentences else None,
        "quotes": len(section.quotes),
        "quoted": sum(_is_quoted(*quote, ids, records.abstracts) for quote in section.quotes),
        "nuggets": words_of_nuggets(section.text, [nugget.text for nugget in gold.nuggets]),
        "words": len(words(section.text)),
        "tokens": section.tokens,
        "dollars": section.dollars,
    }


KINDS = ("right", "of another title", "not in the records", "impossible", "the draft's own", "later")


def _kind(work: Work, gold: Gold, titles: Mapping[str, str]) -> str:
    """What the id is worth that a work is printed with; empty without one."""
    if not work.printed:
        return ""
    try:
        value = ArxivId.parse(work.printed).value
        is_later = ArxivId.parse(value).month > ArxivId.parse(gold.query_id).month
    except ValueError:
        return "impossible"
    if value in gold.exclude:
        return "the draft's own"
    if is_later:
        return "later"
    if value not in titles:
        return "not in the records"
    return "right" if work.text == work.printed or _agrees(titles[value], work.text) else "of another title"


def _identify(work: Work, gold: Gold, titles: Mapping[str, str]) -> str:
    """The arXiv id of a work: that of a work of the authors whose title is printed, else the printed one."""
    printed = f" {_plain(work.text)} "
    longest_first = sorted(
        (len(title), title, value) for value in gold.cited if (title := _plain(titles.get(value, "")))
    )
    for _, title, value in reversed(longest_first):
        if len(title.split()) >= _LEAST_WORDS and f" {title} " in printed:
            return value
    try:
        return ArxivId.parse(work.printed).value if work.printed else ""
    except ValueError:
        return ""


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _agrees(title: str, printed: str) -> bool:
    wanted, there = set(_plain(title).split()), set(_plain(printed).split())
    return len(wanted & there) >= AGREES * len(wanted)


def _is_quoted(label: str, text: str, ids: Mapping[str, str], abstracts: Mapping[str, str]) -> bool:
    return find_quote(text, abstracts.get(ids.get(label, ""), "")) is not None


def sections_of_citeplug(drafts: Iterable[Gold], corpus: Corpus) -> Iterator[tuple[str, PublishedSection]]:
    """A section without a model for each draft, from papers of earlier months alone, by query."""
    for gold in drafts:
        section = section_by_citeplug(gold, corpus, options_of(gold))
        print(f"{gold.query_id}: {len(section.works)} works", file=sys.stderr, flush=True)
        yield gold.query_id, section


def first_by_words(gold: Gold, corpus: Corpus) -> PublishedSection:
    """A control: the titles of as many papers as citeplug cites on average, by BM25 in the same catalogue."""
    where = Filter(before=ArxivId.parse(gold.query_id).month, exclude=gold.exclude)
    papers = corpus.papers([value for value, _ in corpus.lexical(gold.text, CONTROL, where)])
    works = {value: Work(value, value) for value in papers}
    return PublishedSection((CitedSentence("; ".join(p.title for p in papers.values()), tuple(papers)),), works)


def section_by_citeplug(gold: Gold, corpus: Corpus, options: Options) -> PublishedSection:
    """The section that `citeplug related` writes without a model for a title and an abstract."""
    return _as_section(outcome_of(gold, corpus, options))


def outcome_of(gold: Gold, corpus: Corpus, options: Options, model: LanguageModel | None = None) -> Outcome:
    """What `citeplug related` makes of a title and an abstract."""
    before = options.before or date.max
    about = Draft(Path("main.tex").resolve(), (), gold.title, gold.abstract)
    tools, progress = Tools(corpus, lookup_in(corpus), model=model), Progress(lambda stage, done, total: None)
    return relate(RunInputs(about, options, tools, before, date.today(), progress))


def _as_section(made: Outcome) -> PublishedSection:
    sentences = [sentence for paragraph in made.section.paragraphs for sentence in paragraph.sentences]
    sources = [source for sentence in sentences for source in sentence.sources if source.of == "abstract"]
    return PublishedSection(
        tuple(CitedSentence(_printed(sentence.text, made.papers), sentence.cites) for sentence in sentences),
        {cite: Work(cite, cite) for sentence in sentences for cite in sentence.cites},
        tuple((source.arxiv_id, source.text) for source in sources if source.arxiv_id),
        dollars=0.0,
    )


def sections_by_replies(
    drafts: Iterable[Gold], corpus: Corpus, titles: Mapping[str, str]
) -> Iterator[tuple[str, PublishedSection]]:
    """A section with a model for each draft that replies are recorded for; the cost is theirs at list prices.

    Raises Skipped where the replies do not fit what is found.
    """
    ids = {" ".join(title.split()): value for value, title in titles.items()}
    for gold in drafts:
        if not (REPLIES / f"{gold.query_id}.json").is_file():
            continue
        replay = Replay(gold.query_id, ids)
        with AnthropicServer(replay).serve() as server, mock.patch.dict(os.environ, server.environment()):
            chosen = replace(read_settings(), anthropic_url=server.root)
            with language_model(Wanted("anthropic", afresh=True), chosen, lambda notice: None) as model:
                assert model is not None
                watched = Watched(model)
                made = outcome_of(gold, corpus, options_of(gold), watched)
        section = replace(_as_section(made), dollars=watched.cost)
        missing = sorted(set(replay.papers) - section.works.keys())
        if missing or {"model_unavailable", "plan_refused"} & {finding.code for finding in made.findings}:
            raise Skipped(f"the replies for {gold.query_id} do not fit what is found; not cited: {missing or 'none'}")
        print(f"{gold.query_id}: {watched.requests.total()} requests, replies by {replay.said['by']}", file=sys.stderr)
        yield gold.query_id, section


def options_of(gold: Gold) -> Options:
    """Neither the draft's own paper nor one of its month or later; a record without a date has that of its id."""
    return Options(exclude=tuple(gold.exclude), before=ArxivId.parse(gold.query_id).month)


def _printed(text: str, papers: Mapping[str, Paper]) -> str:
    """The sentence as a reader sees it, without the numbers: authors where they are the subject."""

    def name(marker: re.Match[str]) -> str:
        authors = papers[marker[1]].authors if marker[1] in papers else ()
        return f"{authors[0].split()[-1]}{' et al.' if len(authors) > 1 else ''}" if authors else ""

    return bare(re.sub(r"\{\{author:([^{}]*)\}\}", name, text))


def of_run(line: RunLine) -> PublishedSection:
    """The section of a line of a run, by any system."""
    quotes = tuple((quote.paper, quote.text) for quotes in line.quotes for quote in quotes)
    works = {cite: Work(cite, cite) for cite in line.cited}
    return PublishedSection(line.sentences, works, quotes, dollars=line.cost)


def as_line(query: str, section: PublishedSection) -> dict[str, Any]:
    """A section as a line of a run, which `citeplug evaluate section` and --run read."""
    quotes = [{"paper": paper, "text": text} for paper, text in section.quotes]
    ids = {label: work.printed or label for label, work in section.works.items()}
    rows: list[dict[str, Any]] = [
        {"text": sentence.text, "cites": [ids.get(label, label) for label in sentence.cites]}
        for sentence in section.sentences
    ]
    if rows:
        rows[0]["quotes"] = quotes
    return {"query_id": query, "sentences": rows, "cost": section.dollars}


def table(systems: Mapping[str, Mapping[str, PublishedSection]], drafts: Drafts, records: Records) -> Iterator[str]:
    """Lines of the table: means over the sections of each system."""
    by_id = {gold.query_id: gold for gold in drafts.gold}
    names = ("drafts", "works", "precision", "recall", "cites", "quotes", "nuggets", "words", "tokens", "dollars")
    yield f"{'a section, means':36}" + "".join(f"{name:>10}" for name in names)
    measured = {
        name: [measure(section, by_id[query], records) for query, section in sections.items()]
        for name, sections in systems.items()
    }
    for name, rows in measured.items():
        cells = [f"{len(rows):>10}", *(f"{_mean(rows, column):>10}" for column in names[1:])]
        yield f"{name:36}" + "".join(cells)
    yield ""
    kinds = (*(f"id {kind}" for kind in KINDS), "without entry", "quotes", "quoted")
    yield f"{'all sections, sums':36}works"
    for name, rows in measured.items():
        counts = {kind: round(sum(row[kind] or 0 for row in rows)) for kind in ("works", "with id", *kinds)}
        yield f"{name:36}{counts.pop('works')}; " + ", ".join(f"{kind} {count}" for kind, count in counts.items())


def _mean(rows: Sequence[Mapping[str, float | None]], column: str) -> str:
    values = [value for row in rows if (value := row[column]) is not None]
    if not values:
        return "-"
    mean = fmean(values)
    return f"{mean:,.0f}" if column == "tokens" else f"{mean:.3f}" if column in _SHARES else f"{mean:.2f}"


_SHARES = ("precision", "recall", "cites", "nuggets")


def surge(repository: Repository, titles: Mapping[str, str]) -> Iterator[str]:
    """Lines on the reference lists of SurGE's baselines; its own gold lists are not in the repository."""
    known = {_plain(title) for title in titles.values()}
    yield "SurGE, a survey, means               surveys     works   printed twice   title in the records"
    for system in ("Autosurvey", "ID", "Naive"):
        paths = [path for path in repository.files if path.startswith(f"baselines/{system}/output/")]
        lists = []
        for path in paths:
            if not path.endswith(".json"):
                try:
                    lists.append([work.text for work in reference_list(repository.text(path)).values()])
                except Skipped:
                    continue
        listed = [[_plain(re.sub(r".*\*(.+)\*.*", r"\1", text)) for text in texts] for texts in lists if texts]
        if listed:
            works = fmean(map(len, listed))
            twice = fmean(1 - len(set(texts)) / len(texts) for texts in listed)
            there = fmean(sum(text in known for text in texts) / len(texts) for texts in listed)
            yield f"{system:36}{len(listed):>8}{works:>10.1f}{twice:>16.3f}{there:>23.3f}"


def main() -> int:
    """Print the tables, and what was skipped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, default=DATA, help=f"folder of {SAMPLE}; without it, the cited works alone"
    )
    asked = drafts_asked_for(parser)
    if asked is None:
        return 0
    chosen, drafts = asked
    folder = chosen.home / "field"
    gold_file, records_file = drafts.write(folder)
    print("python -m benchmarks.field\n" + machine())
    sample = chosen.data / SAMPLE
    files = [sample, records_file] if sample.is_file() else [records_file]
    titles = {value: json.loads(line)["title"] for value, line in read_lines(chosen.data)} if sample.is_file() else {}
    titles |= {value: str(record["title"]) for value, record in drafts.records.items()}
    records = Records(titles, {})
    own = {gold.query_id: drafts.authors[gold.query_id] for gold in drafts.gold}
    systems: dict[str, Mapping[str, PublishedSection]] = {"the authors": own}
    with suppressed("MassGen (MiniMax-M2.7)"):
        systems["MassGen (MiniMax-M2.7)"] = dict(massgen(opened(MASSGEN, chosen), drafts))
    for system, name in SIX.items():
        with suppressed(name):
            systems[name] = dict(six_systems(opened(BENCHMARK, chosen), drafts, system))
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=folder / "catalogue")) as corpus:
        corpus.add(files)
        start = time.process_time()
        systems["citeplug, no model"] = dict(sections_of_citeplug(drafts.gold, corpus))
        seconds = (time.process_time() - start) / len(drafts.gold)
        with suppressed("citeplug with a model"):
            by_model = dict(sections_by_replies(drafts.gold, corpus, titles))
            if by_model:
                systems[f"citeplug, model (recorded, {len(by_model)} drafts)"] = by_model
        systems["the same catalogue, BM25"] = {gold.query_id: first_by_words(gold, corpus) for gold in drafts.gold}
        cited = sorted({value for gold in drafts.gold for value in gold.cited})
        held = {value: paper for value, paper in corpus.papers(cited).items() if paper.complete}
        recent = sum(ArxivId.parse(value).month.year >= 2020 for value in titles)
        print(f"citeplug's catalogue: {corpus.records:,} records, {recent:,} of them of 2020 or later; it holds")
        print(f"{len(held):,} of the {len(cited):,} works on arXiv that the authors cite (the ceiling of its recall).")
        print(f"{seconds:.1f} s of processor time a section.")
        ours = [sections for name, sections in systems.items() if name.startswith("citeplug")]
        values = {value for sections in ours for section in sections.values() for value in section.works}
        abstracts = {value: paper.abstract for value, paper in corpus.papers(sorted(values)).items()}
        records = replace(records, abstracts=abstracts)
    run = folder / "citeplug.jsonl"
    lines = (json.dumps(as_line(query, section)) for query, section in systems["citeplug, no model"].items())
    run.write_text("\n".join(lines) + "\n", "utf-8")
    print(f"its sections, for `citeplug evaluate section --gold {gold_file} --run {run}`\n")
    for name, _, file in (given.partition("=") for given in chosen.run):
        systems[name] = {q: of_run(line) for q, line in read_run(*numbered_lines(Path(file)), drafts.gold).items()}
    print(*table(systems, drafts, records), sep="\n")
    first = {gold.query_id for gold in drafts.gold[:2]}
    print("\nthe two drafts of the six systems alone")
    two = {name: {q: s for q, s in sections.items() if q in first} for name, sections in systems.items()}
    print(*table(two, drafts, records), "", sep="\n")
    with suppressed("SurGE"):
        print(*surge(opened(SURGE, chosen), titles), sep="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
