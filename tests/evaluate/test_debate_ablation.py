"""LitLLM's ablation of its debate: scripted debaters of stated habits, with quotations looked for and without."""

import json
from dataclasses import replace

import pytest

from benchmarks.debate_ablation import Debater, ranked
from citeplug.evaluate.gold import Gold, read_gold
from citeplug.evaluate.measures.retrieval import precision_at_k
from citeplug.evaluate.runs import RunLine, read_run
from citeplug.records.paper import Paper
from citeplug.text.cleaning import plain
from tests.evaluate.test_runs import lines
from tests.harness.papers import paper
from tests.harness.scripted_models import ScriptedModel

PAPERS = [
    replace(
        paper(f"2001.{n:05}", f"Graphs of kind {n}"), abstract=f"Nodes of kind {n} are sampled in every layer of it."
    )
    for n in range(40)
]
CITED = [each.id.value for each in PAPERS[:10]]


def run_of(gold: list[Gold], *, guesses: bool, verified: bool) -> tuple[dict[str, RunLine], int]:
    """A run over 30 queries, read as the command reads it, and the requests that it took."""
    debater = Debater(guesses=guesses)
    model = ScriptedModel(debater)
    pools: list[tuple[Gold, list[Paper]]] = [(query, PAPERS) for query in gold]
    rows = [json.loads(json.dumps(row)) for row in ranked(pools, model, debater, verified=verified)]
    return read_run(lines(*rows), "run.jsonl", gold), len(model.requests)


@pytest.mark.parametrize("guesses", [True, False])
def test_looking_for_quotations_gives_something_where_invention_and_guessing_go_together(guesses: bool) -> None:
    rows = ({"query_id": f"q{n}", "title": f"Draft {n}", "abstract": "A.", "cited": CITED} for n in range(30))
    gold = read_gold(lines(*rows), "gold.jsonl")
    assert all(plain(each.title) == each.title for each in PAPERS)
    runs = {verified: run_of(gold, guesses=guesses, verified=verified) for verified in (False, True)}
    assert runs[True][1] > runs[False][1] == 30 * 40 / 5
    at_ten = {
        verified: sum(precision_at_k(run[query.query_id].results, query.cited, 10) or 0 for query in gold) / 30
        for verified, (run, _) in runs.items()
    }
    gain = at_ten[True] - at_ten[False]
    assert gain > 0.1 if guesses else abs(gain) < 0.05
