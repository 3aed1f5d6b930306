"""How many works a section written without a model discusses, and how many of these the real paper cites.

    python -m benchmarks.coverage [--data ../shared/data] [--home DIR] [--breadth 20] [--part N]

For each threshold of `related/retrieve/fit.py` from which a paper is discussed: works shortlisted and written a draft,
precision and recall of those written against what the authors cite and the catalogue has; and the same where papers
below a second, upper threshold are discussed only if a theme takes them. Drafts are the gold queries, a title and an
abstract alone, `deepscholar` ones and others apart; the catalogue is that of `benchmarks.selection`.
`--part 4` takes a quarter of the drafts, by hash. Vectors are computed as they are needed, and kept under --home.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from statistics import mean
from unittest.mock import patch

from benchmarks.gold import DATA, SAMPLE, Gold, machine, read_gold
from benchmarks.selection import RECORDS, drafted, drawn
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.records.outcome import Options
from citeplug.related.plan.from_clusters import make_plan
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.retrieve.fit import FITS
from citeplug.related.write.extractive.section import write_section
from citeplug.related.write.extractive.sentences import can_be_described
from citeplug.settings.environment import read_settings

THRESHOLDS = (1.2, 0.8, 0.4, FITS, -0.4, -99.0)
UPPER = (0.8, 0.4, 0.2)  # below which a theme must take a paper that fits

# The threshold, and the upper one where there is one.
Rule = tuple[float, float | None]
RULES: tuple[Rule, ...] = (*((each, None) for each in THRESHOLDS), *((FITS, each) for each in UPPER))


@dataclass(frozen=True)
class Section:
    """What became of one draft, as arXiv ids."""

    shortlisted: frozenset[str]
    written: frozenset[str]
    cited: frozenset[str]  # by the authors, of the catalogue


def sections(query: Gold, corpus: Corpus, breadth: int) -> dict[Rule, Section]:
    """The section for a draft by rule; the search is done once, with the lowest threshold."""
    draft = drafted(query)
    tools, progress = Tools(corpus, lookup_in(corpus)), Progress(lambda stage, done, total: None)
    options = Options(breadth, exclude=tuple(query.exclude))
    with patch("citeplug.related.retrieve.fit.FITS", min(THRESHOLDS)):
        ranking = rank_papers(draft, options, tools, before=date.max, progress=progress)
    known = frozenset(corpus.papers(sorted(query.cited)))
    found = dict[Rule, Section]()
    for threshold, upper in RULES:
        fitting = [each for each in ranking.papers if ranking.fit[each.paper.id.value] >= threshold][:breadth]
        papers = {each.paper.id.value: each.paper for each in fitting}
        plan = make_plan(
            draft,
            fitting,
            ranking.vectors,
            reportable=partial(can_be_described, draft=draft),
        )
        if upper is not None:
            on_themes = {cite for p in plan.paragraphs if p.heading for line in p.lines for cite in line.cites}
            papers = {v: p for v, p in papers.items() if v in on_themes or ranking.fit[v] >= upper}
        section, _ = write_section(plan, draft, papers)
        written = frozenset(cite for p in section.paragraphs for s in p.sentences for cite in s.cites)
        found[threshold, upper] = Section(frozenset(papers), written, known)
    return found


def show(title: str, drafts: Sequence[dict[Rule, Section]]) -> None:
    """Print the means over drafts; precision is that of all their works together."""
    print(f"\n{title}, {len(drafts)} drafts")
    print("  threshold  upper  shortlisted  written  written/shortlisted  precision  recall")
    for threshold, upper in RULES:
        some = [each[threshold, upper] for each in drafts]
        written, shortlisted = (sum(len(getattr(s, name)) for s in some) for name in ("written", "shortlisted"))
        right = sum(len(s.written & s.cited) for s in some)
        recall = mean(len(s.written & s.cited) / len(s.cited) for s in some if s.cited)
        print(
            f"  {threshold:9.1f}{'' if upper is None else upper:7}"
            f"{shortlisted / len(some):13.1f}{written / len(some):9.1f}"
            f"{written / max(1, shortlisted):21.2f}{right / max(1, written):11.3f}{recall:8.3f}"
        )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--breadth", type=int, default=Options().breadth)
    parser.add_argument("--part", type=int, default=1)
    chosen = parser.parse_args()
    print("python -m benchmarks.coverage " + " ".join(sys.argv[1:]))
    print(machine())
    queries = [query for query in read_gold(chosen.data) if drawn(query.query_id) // 2 % chosen.part == 0]
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        done = {query.query_id: sections(query, corpus, chosen.breadth) for query in queries}
    for title, deep in (("DeepScholar", True), ("others", False)):
        if some := [each for name, each in done.items() if name.startswith("deepscholar") == deep]:
            show(title, some)
    return 0


if __name__ == "__main__":
    sys.exit(main())
