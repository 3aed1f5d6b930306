"""Claims to be first or new: which sentences make one, what comes closest, and what a judge may say of it."""

from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.audit.judge_novelty import judge_claims
from citeplug.audit.novelty import claims_of_novelty, closest_works, finding_on, kind_of
from citeplug.corpus.index import Corpus
from citeplug.corpus.stores import lookup_in
from citeplug.corpus.vectors.chroma import ChromaStore
from citeplug.corpus.vectors.embedders import open_embedder
from citeplug.errors import BudgetReached
from citeplug.latex.project import read_draft
from citeplug.latex.prose import read_prose
from citeplug.records.audit import EarlierWork, NoveltyClaim
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.related.progress import Tools
from tests.audit.drafts import write_draft
from tests.harness.scripted_models import ScriptedModel
from tests.related.retrieve.memory_index import paper

FIRST = "To the best of our knowledge, this is the first method that counts all paths of a large graph."
ROOT = Path("main.tex").resolve()


@pytest.mark.parametrize(
    "sentence",
    [
        FIRST,
        "We give the first polynomial time algorithm for this problem.",
        "For the first time, closed forms of the error rate are derived.",
        "We apply for the first time this method to images of the brain.",
        "Pangolin is the first system for graphs that supports graphics processors.",
        "XONN is first to perform inference on networks of 21 layers.",
        "We introduce SOS, the first scheduler that considers the size of objects.",
        "No previous results were known for scheduling on related machines.",
        "However, pyramid pooling has not been explored in the design of backbones.",
        "There has never been a direct comparison of these two approaches.",
    ],
)
def test_what_says_that_nobody_did_it_before_is_a_claim(sentence: str) -> None:
    assert kind_of(sentence) == "first"


@pytest.mark.parametrize(
    "sentence",
    [
        "First, we show that the transition can be achieved.",
        "We study the first-order logic of message sequence charts.",
        "The first term promotes a piecewise constant function.",
        "In the first stage the image is filtered by a classical method.",
        "We only give the first two terms of the expansion.",
        "Multi consensus was first presented by Bar-Noy.",
        "The Makefile pulls a copy where the source has not been provided.",
        "Returning for the first time along a road at night is hard.",
        "No prior assumptions about the nature of tasks are needed.",
    ],
)
def test_what_counts_or_orders_is_none(sentence: str) -> None:
    assert kind_of(sentence) is None


def test_what_is_called_novel_is_a_weaker_claim() -> None:
    assert kind_of("In this paper, we propose a novel method of ranking.") == "novel"
    assert kind_of("A novel coronavirus was found in 2019.") is None


def test_claims_come_with_their_lines_those_to_be_first_before_others_and_none_of_cited_work(tmp_path: Path) -> None:
    text = f"We propose a novel graph kernel here.\n{FIRST}\nLee was the first to count paths \\cite{{lee}}.\n"
    main = write_draft(tmp_path, text, "@misc{lee, title = {Paths}}")
    main.write_text(
        main.read_text("utf-8").replace("It is faster", "This is the first of its kind. It is faster"), "utf-8"
    )
    draft = read_draft(main)
    found = claims_of_novelty(draft, read_prose(draft))
    assert [(claim.line, claim.novel) for claim in found] == [(2, False), (5, False), (4, True)]


PATHS = "Counting all paths of a graph is hard. We count all paths of a large graph in linear time."
PAPERS = [
    paper("1801.00001", "Paths of large graphs", PATHS),
    paper("1801.00002", "Graph colouring", "We colour a large graph by four colours."),
    paper("1901.00003", "A first method that counts all paths of a large graph", PATHS),
]


def closest(tmp_path: Path, *, before: date) -> NoveltyClaim:
    draft = read_draft(write_draft(tmp_path, FIRST))
    claims = claims_of_novelty(draft, read_prose(draft))
    with closing(Corpus(tmp_path, lambda: open_embedder(None), lambda model: ChromaStore(tmp_path, model))) as corpus:
        corpus.add_papers(PAPERS)
        (found,) = closest_works(draft, claims, Tools(corpus, lookup_in(corpus)), before, lambda *_: None)
    return found


def test_a_claim_has_the_earlier_work_and_the_sentence_that_come_closest(tmp_path: Path) -> None:
    claim = closest(tmp_path, before=date(2018, 6, 1))
    first = claim.works[0]
    assert (first.paper.id.value, first.sentence) == (
        "1801.00001",
        "We count all paths of a large graph in linear time.",
    )
    assert all(work.paper.published < date(2018, 6, 1) for work in claim.works)
    finding = finding_on(claim)
    assert (finding.severity, finding.arxiv_id, finding.line) == ("info", "1801.00001", 4)
    assert "of 3 records before 2018-06-01" in finding.message and first.sentence in finding.message


def test_where_nothing_comes_close_the_bound_is_said_and_nothing_else(tmp_path: Path) -> None:
    finding = finding_on(closest(tmp_path, before=date(2017, 1, 1)))
    assert "none comes close" in finding.message and finding.arxiv_id is None and finding.fix is None


CLAIM = NoveltyClaim(FIRST, ROOT, 4, (EarlierWork(PAPERS[0], PATHS, 0.9),), 3, date(2018, 6, 1))
REFUTED = {"verdict": "refuted", "quotation": "We count all paths of a large graph", "wording": "We count paths fast."}


def judged(answer: dict[str, Any]) -> NoveltyClaim:
    model = ScriptedModel(lambda *_: {"claims": [{"claim": 0, "work": 0, "quotation": "", "wording": "", **answer}]})
    (claim,), findings = judge_claims([CLAIM], Draft(ROOT, (), "Paths", "We count."), model)
    assert not findings
    return claim


def test_a_claim_is_refuted_by_the_words_of_a_work_and_another_wording_is_offered() -> None:
    finding = finding_on(judged(REFUTED))
    assert (finding.severity, finding.fix) == ("warning", "for instance: “We count paths fast.”")
    assert "“We count all paths of a large graph”" in finding.message


@pytest.mark.parametrize(
    "answer",
    [
        {**REFUTED, "quotation": "We have counted all of the paths"},
        {**REFUTED, "quotation": ""},
        {**REFUTED, "work": 7},
        {**REFUTED, "verdict": "perhaps"},
    ],
)
def test_without_words_that_the_work_has_nothing_is_refuted(answer: dict[str, Any]) -> None:
    assert judged(answer) == CLAIM


def test_a_claim_that_holds_says_so_and_stays_information() -> None:
    claim = judged({"verdict": "holds"})
    assert claim.verdict is not None and claim.verdict.holds and finding_on(claim).severity == "info"


def test_the_draft_and_the_works_go_to_the_judge_as_material_and_nothing_without_works() -> None:
    asked: list[Request] = []

    def answer(_: Any, request: Request) -> dict[str, Any]:
        asked.append(request)
        return {"claims": []}

    none = NoveltyClaim(FIRST, ROOT, 4, (), 3, date(2018, 6, 1))
    draft = Draft(ROOT, (), "Paths", "We count.")
    assert judge_claims([none], draft, ScriptedModel(answer)) == ([none], []) and not asked
    judge_claims([none, CLAIM], draft, ScriptedModel(answer))
    assert PATHS in asked[0].prompt and "<material" in asked[0].prompt and "We count." in asked[0].shared


def test_a_model_that_does_not_answer_leaves_the_claims_as_they_were() -> None:
    spent = ScriptedModel(lambda *_: {}, fail_after=0, error=BudgetReached("the budget is used up"))
    claims, (finding,) = judge_claims([CLAIM], Draft(ROOT, (), "Paths", ""), spent)
    assert claims == [CLAIM] and finding.code == "budget_reached"
