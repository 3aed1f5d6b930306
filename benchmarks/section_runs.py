"""Sections without a language model for the gold queries, as a run for `citeplug evaluate section`.

    python -m benchmarks.section_runs [--data ../shared/data] [--home DIR] [--source deepscholar] > sections.jsonl

A draft is title and abstract of a real paper, its own ids are excluded, no date is used. The catalogue is the whole
sample and the records of `citations/deepscholar_records.jsonl.gz`, which have authors, so that they can be cited; it
is kept in `selection` under --home.
"""

import argparse
import json
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

from benchmarks.gold import DATA, GOLD, SAMPLE, read_gold
from benchmarks.plain_prose import write
from benchmarks.selection import RECORDS
from citeplug.corpus.stores import open_corpus
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.section import Sentence
from citeplug.settings.environment import read_settings
from citeplug.text.cited_text import bare

DAY = date(2000, 1, 1)  # the writer does not look at dates


def as_row(sentence: Sentence) -> dict[str, object]:
    quotes = [{"paper": s.arxiv_id, "text": s.text} for s in sentence.sources if s.arxiv_id and s.of == "abstract"]
    return {"text": bare(sentence.text), "cites": list(sentence.cites), "quotes": quotes}


def main() -> int:
    """Print a line for each query."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help=f"folder of {GOLD} and {SAMPLE}")
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--source", default="deepscholar", help="of the gold queries")
    parser.add_argument("--breadth", type=int, default=10)
    chosen = parser.parse_args()
    gold = [query for query in read_gold(chosen.data) if query.source == chosen.source]
    with open_corpus(replace(read_settings(), home=chosen.home, corpus=chosen.home / "selection")) as corpus:
        corpus.add([chosen.data / SAMPLE, chosen.data / RECORDS])
        for query in gold:
            own = ArxivId(min(query.exclude, default="0000.00000"))
            draft = Paper(own, query.title, query.abstract, (), DAY, DAY)
            written = write(draft, corpus, chosen.breadth)
            lines = [line for paragraph in written.plan.paragraphs for line in paragraph.lines]
            row = {
                "query_id": query.query_id,
                "inputs_digest": query.digest,
                "sentences": [as_row(s) for p in written.section.paragraphs for s in p.sentences],
                "plan": {"sentences": len(lines), "cites": sorted({cite for line in lines for cite in line.cites})},
            }
            print(json.dumps(row, ensure_ascii=False), flush=True)
            print(f"{query.query_id}: {len(written.papers)} papers", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
