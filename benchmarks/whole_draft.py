"""Whether papers are lost or found where every section of a draft asks (`--whole-draft`).

    python -m benchmarks.whole_draft [--data ../shared/data] [--home DIR] [--show]

Real drafts without their citations; relevant are the works that each cites and that the catalogue has. Printed is how
many of them are among the first 10 and 20 that the section would discuss, and among the candidates, for the title and
abstract, and for the whole draft by several weights of its sections; then both as published.
"""

import argparse
import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

from benchmarks.gold import DATA, SAMPLE, machine
from benchmarks.selection import RECORDS, weights
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in, open_corpus
from citeplug.latex.project import find_root, read_draft
from citeplug.records.draft import Draft
from citeplug.records.outcome import Options
from citeplug.related.progress import Progress, Tools
from citeplug.related.ranking import rank_papers
from citeplug.related.retrieve import queries
from citeplug.related.retrieve.cited_papers import cited_papers
from citeplug.settings.environment import read_settings

CUTS = (10, 20, 60)
WEIGHTS = (0.1, 0.2, 0.4, 0.8, 1.6)


def found(draft: Draft, held: set[str], corpus: Corpus, options: Options) -> list[int]:
    """How many of the works `held` are among the first 10, 20 and 60."""
    tools, progress = Tools(corpus, lookup_in(corpus)), Progress(lambda stage, done, total: None)
    ranking = rank_papers(draft, options, tools, before=date.max, progress=progress)
    papers = [item.paper.id.value for item in ranking.papers]
    papers += [each.paper.id.value for each in ranking.spare if each.paper.id.value not in papers]
    return [len(held.intersection(papers[:cut])) for cut in CUTS]


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {SAMPLE} and of latex/")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--show", action="store_true", help="list the counts of each draft")
    chosen = parser.parse_args()
    print("python -m benchmarks.whole_draft " + " ".join(sys.argv[1:]))
    print(machine())
    ways: dict[str, tuple[float, Options]] = {"title and abstract": (0.0, Options(20))}
    ways |= {f"whole draft, weight {w:g}": (w, Options(20, whole_draft=True)) for w in WEIGHTS}
    ways["title and abstract, as published"] = (0.0, Options(20, as_published=True))
    ways["whole draft, as published"] = (queries.PARTS_WEIGHT, Options(20, as_published=True, whole_draft=True))
    totals = {name: [0] * len(CUTS) for name in ways}
    works = drafts = 0
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        print(f"{corpus.records:,} records", flush=True)
        for row in json.loads((chosen.data / "latex_manifest.json").read_text("utf-8")):
            main_file = chosen.data / "latex" / row["folder"] / row["main"]
            if row["kind"] != "paper" or not main_file.exists():
                continue
            draft = read_draft(find_root(main_file))
            held = {p.id.value for p in cited_papers(draft, corpus, corpus).values() if p.complete}
            if not held:
                continue
            bare = replace(draft, cites=(), entries=())
            works, drafts = works + len(held), drafts + 1
            shown = []
            for name, (weight, options) in ways.items():
                with weights(queries, PARTS_WEIGHT=weight or queries.PARTS_WEIGHT):
                    counts = found(bare, held, corpus, options)
                totals[name] = [a + b for a, b in zip(totals[name], counts, strict=True)]
                shown.append("/".join(map(str, counts)))
            if chosen.show:
                print(f"  {row['folder'][:50]:50} {len(held):3}  {'  '.join(shown)}", flush=True)
    print(f"{works} works cited by {drafts} drafts; among the first {', '.join(map(str, CUTS))}")
    for name, counts in totals.items():
        print(f"  {name:40}" + "".join(f"{count:6}" for count in counts))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
