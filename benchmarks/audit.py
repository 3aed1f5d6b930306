"""How good the parts of `citeplug audit` are, where the right answer is known, and how long it takes.

    python -m benchmarks.audit [hidden] [places] [drafts] [--data ../shared/data] [--home DIR] [--part N] [--show]

hidden  Of what a paper cites a tenth is hidden, and the rest given as the draft's citations: in how many drafts one of
        the first five proposed works is a hidden one. What is hidden is drawn by hash from the works that may be
        cited, four times, each time others. Drafts are the gold queries with ten cited papers or more, of title and
        abstract alone, and the real drafts that cite five papers of the catalogue or more; the sentences that cited a
        hidden paper stay in those. Beside it: the audit without the citation graph; the first five that fit, surely
        or not; `search`, which has the text alone;
        and its first 200 by how often a work is cited in the lists of `citations/` too, without the paper's own and
        those that are newer. Papers from a query's cut-off date on are left out everywhere.
places  Real drafts: how often the paragraph to which a work is said to belong is one that cites it; beside it the
        paragraph that shares most words with it, and one drawn at random.
drafts  Seconds of an audit of each real draft, the second time, and findings by kind; with --show the findings.

The catalogue is the whole sample, with `citations/deepscholar_records.jsonl.gz` and all reference lists, in `full`
under --home: vectors are computed as they are needed, and kept. --part N takes one of N drafts, by hash.
"""

import argparse
import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import fmean, median
from typing import Any

from benchmarks.deep_research import EDGES, Lists, read_lists
from benchmarks.gold import DATA, GOLD, SAMPLE, machine, read_gold
from benchmarks.selection import RECORDS, drafted, drawn
from citeplug.audit.run import LISTED, MOST, audit_draft
from citeplug.audit.uncited import place, where_works_are_discussed
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.records.paper import ArxivId, Candidate, Filter
from citeplug.related.papers import list_papers
from citeplug.related.progress import Progress, Tools
from citeplug.related.retrieve.candidates import search
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.settings.environment import read_settings

FEWEST, FEWEST_REAL = 10, 5  # cited papers of a draft
TIMES = 4  # that a tenth is hidden
DEPTH = 200  # results of a search that popularity orders again
PARTS = ("hidden", "places", "drafts")


@dataclass(frozen=True, slots=True)
class Hidden:
    """A draft without its citations of the papers `hidden`; `given` are the others that it cites, `own` its ids."""

    name: str
    source: str
    draft: Draft
    hidden: frozenset[str]
    given: frozenset[str]
    own: frozenset[str]
    before: date

    @property
    def text(self) -> str:
        return f"{self.draft.title}. {self.draft.abstract}"


def silent(stage: str, done: int, total: int | None) -> None:
    """Report nothing."""


def tenths(name: str, cited: Sequence[str], corpus: Corpus) -> Iterator[frozenset[str]]:
    """Up to four tenths of the cited papers, one paper at least, that have a whole record: others may not be cited."""
    whole = [value for value, paper in corpus.papers(sorted(cited)).items() if paper.complete]
    order = sorted(whole, key=lambda value: drawn(name + value))
    size = math.ceil(len(cited) / 10)
    for start in range(0, min(len(order), TIMES * size), size):
        yield frozenset(order[start : start + size])


def gold_drafts(data: Path, corpus: Corpus, part: int) -> Iterator[Hidden]:
    for query in read_gold(data):
        if len(query.cited) < FEWEST or drawn(query.query_id) // 2 % part:
            continue
        before = date.fromisoformat(query.inputs["before"]) if query.inputs.get("before") else date.max
        for hidden in tenths(query.query_id, sorted(query.cited), corpus):
            given = query.cited - hidden
            draft = drafted(query, list(corpus.papers(sorted(given)).values()))
            yield Hidden(query.query_id, query.source, draft, hidden, given, query.exclude, before)


def real_drafts(mains: Sequence[Path], corpus: Corpus) -> Iterator[Hidden]:
    for main in mains:
        draft = read_draft(main)
        keys: dict[str, set[str]] = {}
        for key, paper in cited_papers(draft, corpus, corpus).items():
            keys.setdefault(paper.id.value, set()).add(key)
        if len(keys) >= FEWEST_REAL:
            for hidden in tenths(main.name, sorted(keys), corpus):
                less = without(draft, {key for value in hidden for key in keys[value]})
                yield Hidden(str(main), "real drafts", less, hidden, frozenset(keys) - hidden, frozenset(), date.max)


def without(draft: Draft, keys: set[str]) -> Draft:
    """The draft as if it had never cited these."""
    cites = (replace(cite, keys=tuple(key for key in cite.keys if key not in keys)) for cite in draft.cites)
    entries = tuple(entry for entry in draft.entries if entry.key not in keys)
    return replace(draft, entries=entries, cites=tuple(cite for cite in cites if cite.keys))


def missing(each: Hidden, corpus: Corpus, *, deep: bool | None = None) -> list[tuple[str, bool]]:
    """The works that fit, and True for each that an audit proposes since it surely does."""
    tools = Tools(corpus, lookup_in(corpus), graph=corpus.graph)
    wanted = Options(exclude=tuple(sorted(each.own)), deep=deep)
    listed, _, _ = list_papers(
        each.draft, wanted, tools, before=each.before, progress=Progress(silent), most=LISTED, missing=True
    )
    return [(found.paper.id.value, found.surely) for found in listed if found.sound and found.fits]


def searched(each: Hidden, found: Sequence[Candidate], lists: Lists | None = None) -> list[str]:
    """The first works of a search that the draft does not cite; with `lists` ordered by popularity too."""
    if lists is not None:
        best = max((candidate.score for candidate in found), default=1.0)
        times = cited_times(found, each, lists)
        found = sorted(found, key=lambda c: -c.score / best - math.log1p(times[c.paper.id.value]) / math.log1p(100))
    return [c.paper.id.value for c in found if c.paper.complete and c.paper.id.value not in each.given][:MOST]


def cited_times(found: Sequence[Candidate], each: Hidden, lists: Lists) -> Mapping[str, int]:
    citers = lists.citers([candidate.paper.id.value for candidate in found], sys.maxsize)
    return Counter(
        {
            value: sum(own not in each.own and ArxivId(own).month < each.before for own in citing)
            for value, citing in citers.items()
        }
    )


def hidden_citations(drafts: Sequence[Hidden], corpus: Corpus, lists: Lists) -> None:
    # The same for every trial of a draft.
    found = {
        each.name: search(each.text, corpus, Filter(each.before, exclude=each.own), DEPTH, seconds=None)
        for each in {each.name: each for each in drafts}.values()
    }
    fitting = {id(each): missing(each, corpus) for each in drafts}
    alone = {id(each): missing(each, corpus, deep=False) for each in drafts}
    ways: dict[str, Callable[[Hidden], list[str]]] = {
        "search": lambda each: searched(each, found[each.name]),
        "search and popularity": lambda each: searched(each, found[each.name], lists),
        "audit": lambda each: [value for value, sure in fitting[id(each)] if sure][:MOST],
        "audit without the graph": lambda each: [value for value, sure in alone[id(each)] if sure][:MOST],
        "all that fit": lambda each: [value for value, _ in fitting[id(each)]][:MOST],
    }
    groups: dict[str, list[Hidden]] = {}
    for each in drafts:
        half = "odd" if drawn(each.name) % 2 else "even"
        for group in (each.source, f"gold, {half} hash" if each.source != "real drafts" else ""):
            groups.setdefault(group, []).append(each)
    groups.pop("", None)
    print(
        f"\none of the first {MOST} is a hidden one: share of the trials, of the works proposed, and how many these are"
    )
    print(f"  {'':26}" + "".join(f"{name:>19.18}" for name in groups))
    sizes = (f"{len(some)} of {len({each.name for each in some})} drafts" for some in groups.values())
    print(f"  {'trials':26}" + "".join(f"{size:>19.18}" for size in sizes))
    for name, ask in ways.items():
        right = {id(each): [value in each.hidden for value in ask(each)] for each in drafts}
        shares = (
            (fmean(any(right[id(e)]) for e in some), fmean([hit for e in some for hit in right[id(e)]] or [0]), some)
            for some in groups.values()
        )
        cells = (f"{hit:>8.2f} {each:>5.2f} {fmean(len(right[id(e)]) for e in of):>4.1f}" for hit, each, of in shares)
        print(f"  {name:26}" + "".join(cells), flush=True)


def real_mains(data: Path) -> Iterator[Path]:
    for row in json.loads((data / "latex_manifest.json").read_text("utf-8")):
        main = data / "latex" / row["folder"] / row["main"]
        if row["kind"] == "paper" and main.exists():
            yield main


def places(mains: Sequence[Path], corpus: Corpus) -> None:
    right = by_words = works = 0
    chance = 0.0
    for main in mains:
        draft = read_draft(main)
        paragraphs = where_works_are_discussed(read_prose(draft))
        known = cited_papers(draft, corpus, corpus)
        if not known or len(paragraphs) < 2:
            continue
        beside = corpus.embed([each.text for each in paragraphs])
        vectors = corpus.vectors_of(list(known.values()))
        words = [set(_words(each.text)) for each in paragraphs]
        for key, paper in known.items():
            (found,) = place([(paper, ())], paragraphs, vectors, beside, corpus.embed)
            right += any(
                each.file == found.file and key in each.keys and found.line in [s.line for s in each.sentences]
                for each in paragraphs
            )
            said = set(_words(f"{paper.title} {paper.abstract}"))
            shared = [len(said & each) / math.sqrt(len(each) or 1) for each in words]
            by_words += key in paragraphs[shared.index(max(shared))].keys
            chance += sum(key in each.keys for each in paragraphs) / len(paragraphs)
            works += 1
    print(f"\n{works} cited works of real drafts: placed in a paragraph that cites them")
    rows = (("as the audit places it", right), ("most words in common", by_words), ("at random", chance))
    for name, count in rows:
        print(f"  {name:26}{count / max(works, 1):.2f}")


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]{4,}", text.lower())


def audits(mains: Sequence[Path], home: Path, *, shown: bool) -> None:
    settings = replace(read_settings(), home=home, offline=True)
    print(f"\n{'real drafts':64}{'works':>6}{'s':>6}  findings")
    seconds = []
    for main in mains:
        for _ in range(2):
            start = time.perf_counter()
            found = audit_draft(main, settings, online=False, report=silent)
            took = time.perf_counter() - start
        findings: list[Any] = [each for entry in found.report.entries for each in entry.all_findings]
        findings += found.report.findings
        kinds = Counter(each.code for each in findings)
        seconds.append(took)
        listed = ", ".join(f"{count} {code}" for code, count in kinds.most_common())
        print(f"  {'/'.join(main.parts[-3:]):62.62}{found.balance.works:>6}{took:6.1f}  {listed}", flush=True)
        for each in findings if shown else ():
            where = f" ({each.file.name}:{each.line})" if each.file else ""
            print(f"      [{each.severity} {each.code}] {each.message}{where}; {each.fix}")
    print(f"  {len(seconds)} drafts: {median(seconds):.1f} s (median), {max(seconds):.1f} s at most")


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {GOLD}")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--part", type=int, default=1, metavar="N", help="one of N drafts, by hash")
    parser.add_argument("--show", action="store_true", help="print the findings on real drafts")
    chosen = parser.parse_args()
    parts = chosen.parts or PARTS
    for name in (GOLD, SAMPLE, RECORDS):
        if not (chosen.data / name).is_file():
            parser.error(f"{chosen.data / name} is not there: give the folder of the data with --data")
    print("python -m benchmarks.audit " + " ".join(sys.argv[1:]))
    print(machine())
    home = chosen.home / "full"
    mains = [main for main in real_mains(chosen.data) if drawn(main.name) // 2 % chosen.part == 0]
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=home)) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        corpus.add_edges([chosen.data / "citations" / f"{name}.jsonl.gz" for name in EDGES["all"]], date.today())
        print(f"{corpus.records:,} records, {corpus.graph.edges():,} citations")
        if "hidden" in parts:
            drafts = [*gold_drafts(chosen.data, corpus, chosen.part), *real_drafts(mains, corpus)]
            hidden_citations(drafts, corpus, read_lists(chosen.data, EDGES["all"]))
        if "places" in parts:
            places(mains, corpus)
    if "drafts" in parts:
        audits(mains, home, shown=chosen.show)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
