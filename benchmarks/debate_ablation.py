"""LitLLM's ablation (Figure 3): debate ranking with its quotations looked for in the abstracts, and without.

    python -m benchmarks.debate_ablation [--out DIR]                                scripted models of stated habits
    python -m benchmarks.debate_ablation --llm anthropic --most 20 [--max-cost 5]   a real one

The first 100 candidates of each gold query are ranked twice, and measured by `citeplug evaluate compare`: precision and
normalised recall at 40, as published. DIR (debates, under --home) gets the gold set and the runs. The pool is that of
benchmarks.retrieval.

A scripted model reads six abstracts of ten, and then says in eight of ten cases rightly whether the paper is cited; of
the others it invents the quotation. One guesses where it invents; another is as right there as elsewhere. So it is
known what looking for quotations can give: nothing to the second. Of real models only --llm says anything.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.gold import DATA, GOLD, Gold, gold_corpus, machine, read_gold
from citeplug.corpus.stores import settings
from citeplug.errors import CiteplugError
from citeplug.evaluate.evaluate_run import numbered_lines
from citeplug.llm.chosen_model import Wanted, language_model
from citeplug.protocols import LanguageModel
from citeplug.records.dialogue import Request
from citeplug.records.paper import Filter, Paper
from citeplug.related.rank import rank_by_debate
from citeplug.related.retrieve.candidates import search
from citeplug.settings.environment import read_settings
from citeplug.text.cleaning import plain
from tests.harness.scripted_models import ScriptedModel, Seen

CANDIDATES, CUT = 100, 40
READS, RIGHT = 0.6, 0.8


@dataclass
class Debater:
    """A debater behind `ScriptedModel`. `cited` are the titles of the papers that the asked query cites.

    Where it does not read, it invents a quotation, and `guesses` its verdict too or not.
    """

    guesses: bool
    cited: frozenset[str] = frozenset()
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    def __call__(self, seen: Seen, request: Request) -> dict[str, Any]:
        return {"candidates": [self._debate(handle, paper, seen.draft.title) for handle, paper in seen.papers.items()]}

    def _debate(self, handle: int, paper: Paper, draft: str) -> dict[str, Any]:
        turn = self.asked[draft, paper.title]
        self.asked[draft, paper.title] += 1
        # The same first answer in both runs, whatever else was asked.
        chance = random.Random(f"{draft} {paper.title} {turn}")
        reads = chance.random() < READS
        right = chance.random() < (RIGHT if reads or not self.guesses else 0.5)
        words = paper.abstract.split()
        quote = " ".join(words[:8]) if reads and len(words) >= 8 else "what was never written there by anybody"
        likely = right == (paper.title in self.cited)
        argument = {"argument": "It says so.", "quote": quote}
        probability = chance.uniform(55, 95) if likely else chance.uniform(5, 45)
        return {
            "handle": handle,
            "arguments_for": [argument],
            "arguments_against": [],
            "probability": round(probability, 1),
        }


def ranked(
    pools: Sequence[tuple[Gold, Sequence[Paper]]], model: LanguageModel, debater: Debater | None, *, verified: bool
) -> Iterator[dict[str, Any]]:
    """A line of a run for each query. Raises what the model raises."""
    for query, papers in pools:
        if debater is not None:
            debater.cited = frozenset(plain(each.title) for each in papers if each.id.value in query.cited)
        order, debates, trouble = rank_by_debate(query.title, query.abstract, papers, model, verified=verified)
        if trouble is not None:
            raise trouble
        ids = [paper.id.value for paper in papers]
        yield {
            "query_id": query.query_id,
            "inputs_digest": query.digest,
            "results": [ids[row] for row in order],
            "candidates": ids,
            "unproved": sum(each.unproved for each in debates),
        }


def main() -> int:
    """Write the runs, and print their comparison for each model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--home", type=Path, default=read_settings().home / "benchmarks")
    parser.add_argument("--llm", help="the model that debates")
    parser.add_argument("--max-cost", type=float, help="US dollars of each of the two runs")
    parser.add_argument("--most", type=int, default=100, help="queries")
    given = parser.parse_args()
    print("python -m benchmarks.debate_ablation " + " ".join(sys.argv[1:]))
    print(machine())
    whole = [query for query in read_gold(given.data) if query.cited]
    gold = random.Random(1).sample(whole, min(given.most, len(whole)))
    with gold_corpus(given.data, given.home, whole, full=False) as (corpus, _):
        found = [search(q.text, corpus, Filter(exclude=q.exclude), CANDIDATES, seconds=None) for q in gold]
    pools = [(query, [each.paper for each in papers]) for query, papers in zip(gold, found, strict=True)]
    out = given.out or given.home / "debates"
    out.mkdir(parents=True, exist_ok=True)
    gold_file = out / "gold.jsonl"
    _write_gold(given.data / GOLD, gold_file, {each.query_id for each in gold})
    try:
        if given.llm is None:
            for habit in ("guesses", "careless"):
                files = []
                for verified in (False, True):
                    debater = Debater(guesses=habit == "guesses")
                    model = ScriptedModel(debater)
                    name = f"{habit}-{'verified' if verified else 'unverified'}"
                    files.append(_write_run(out / f"{name}.jsonl", ranked(pools, model, debater, verified=verified)))
                    print(f"{name}: {len(model.requests)} requests")
                _compare(gold_file, files)
        else:
            files = []
            for verified in (False, True):
                wanted = Wanted(given.llm, max_cost=given.max_cost)
                with language_model(wanted, settings(), lambda notice: print(f"asking {notice.model}")) as asked:
                    if asked is None:
                        parser.error("a model is named by --llm")
                    name = "verified" if verified else "unverified"
                    files.append(_write_run(out / f"{name}.jsonl", ranked(pools, asked, None, verified=verified)))
            _compare(gold_file, files)
    except CiteplugError as error:
        print(f"{error}\n{error.hint or ''}", file=sys.stderr)
        return 3
    return 0


def _write_gold(file: Path, to: Path, asked: set[str]) -> None:
    rows = [line.decode() for _, line in numbered_lines(file)[0] if json.loads(line)["query_id"] in asked]
    to.write_text("".join(f"{row.rstrip()}\n" for row in rows), "utf-8")


def _write_run(file: Path, lines: Iterator[dict[str, Any]]) -> Path:
    rows = list(lines)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    print(f"{file.stem}: {sum(row['unproved'] for row in rows):,} arguments without their quotation")
    return file


def _compare(gold_file: Path, files: Sequence[Path]) -> None:
    command = ["evaluate", "compare", *map(str, files), "--gold", str(gold_file), "--kind", "ranking", "-k", str(CUT)]
    print("citeplug " + " ".join(command), flush=True)
    subprocess.run([sys.executable, "-m", "citeplug", *command], check=True)


if __name__ == "__main__":
    raise SystemExit(main())
