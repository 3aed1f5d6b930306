"""The row of a work: the limit that is stated, and the draft's sentence that meets it."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from citeplug.errors import BudgetReached
from citeplug.positioning.by_model import Judging, WorkTexts, judge_rows
from citeplug.positioning.draft_side import DraftSide, read_draft_side
from citeplug.positioning.run import MEETS, MEETS_CITING, position_of
from citeplug.positioning.works import DiscussedWork
from citeplug.project.any_draft import read_any_draft
from citeplug.records.dialogue import Request
from citeplug.records.draft import Draft
from citeplug.records.gaps import OwnSentence, StatedPassage, WorkPosition
from citeplug.records.paper import ArxivId, Paper
from citeplug.records.passage import Mentioned
from tests.harness.scripted_models import ScriptedModel

LIMIT = "Our method does not handle graphs whose edges change over time."
ABSTRACT = f"We present a sampler of edges for deep graph networks. {LIMIT}"
DAY = date(2018, 1, 1)
PAPER = Paper(ArxivId("1801.00001"), "A sampler of edges", ABSTRACT, ("Ann Lee",), DAY, DAY)
ROOT = Path("main.tex").resolve()
STATED = StatedPassage(LIMIT, "abstract", PAPER.id.value, "", ABSTRACT.index(LIMIT), len(ABSTRACT))
CITING = OwnSentence("This sampler cannot follow edges that change.", ROOT, 7, "Related work")
OWN = OwnSentence("We sample edges of graphs that change over time.", ROOT, 3)
WORK = DiscussedWork("lee", PAPER.title, PAPER, (STATED,))
SIDE = DraftSide({"lee": (CITING,)}, (OWN,))


def row(near: float = 0.0, far: float = 0.0, work: DiscussedWork = WORK, side: DraftSide = SIDE) -> WorkPosition:
    """The row where the sentence that cites is as `near` to the limit, and that on the draft's work as `far`."""
    return position_of(work, side, {(LIMIT, CITING.text): near, (LIMIT, OWN.text): far})


def test_a_sentence_that_cites_the_work_meets_its_limit_sooner_than_another_one() -> None:
    assert (row(near=MEETS_CITING).status, row(near=MEETS_CITING).draft) == ("taken_up", CITING)
    assert (row(far=MEETS).status, row(far=MEETS).draft) == ("taken_up", OWN)


def test_what_the_draft_alone_says_is_said_to_be_and_the_limit_that_is_stated_stands_beside() -> None:
    assert (row().status, row().draft, row().limit) == ("draft_alone", CITING, STATED)
    assert row(far=MEETS - 0.01, side=replace(SIDE, apart={})).status == "open"
    assert row(work=replace(WORK, limits=()), side=replace(SIDE, apart={})).status == "none"


def test_what_a_work_does_is_a_sentence_of_its_abstract() -> None:
    does = row().does
    assert does is not None and does.text == "We present a sampler of edges for deep graph networks."
    assert ABSTRACT[does.start : does.end] == does.text


def test_the_draft_s_sentences_on_a_work_have_its_key_and_their_lines(tmp_path: Path) -> None:
    main = tmp_path / "main.tex"
    text = r"""\documentclass{article}
\title{Edges that change}
\begin{document}
\begin{abstract}
Graphs change. We sample edges of graphs that change over time.
\end{abstract}
\section{Introduction}
Lee samples the edges of a graph \cite{lee}. However, this sampler cannot follow edges that change.

Unlike the sampler of Chen~\cite{Chen}, ours keeps every node of the graph.

Nodes are embedded \cite{bo} in many systems of today. We do not use them.
\end{document}
"""
    main.write_text(text, "utf-8")
    side = read_draft_side(read_any_draft(main))
    assert {key: [(s.text, s.line, s.section) for s in found] for key, found in side.apart.items()} == {
        "lee": [("However, this sampler cannot follow edges that change.", 8, "Introduction")],
        "chen": [("Unlike the sampler of Chen, ours keeps every node of the graph.", 10, "Introduction")],
    }
    assert side.own[0] == OwnSentence("We sample edges of graphs that change over time.", main, 5)


# With a model

DRAFT = Draft(ROOT, (ROOT,), "Edges that change", "")
MENTION = Mentioned("1901.00001", "Introduction", "The sampler of [*] needs two passes over all of the edges.")


def judged(proposal: dict[str, Any], verdict: dict[str, Any], first: WorkPosition | None = None) -> Judging:
    def answer(_: Any, request: Request) -> dict[str, Any]:
        if request.stage == "judge":
            return {"rows": [{"row": 0, **verdict}]}
        return {"works": [{"work": 0, "does": "", "text": 0, "limit": "", "sentence": -1, **proposal}]}

    rows = [first or row(side=replace(SIDE, apart={}))]
    return judge_rows(rows, [WorkTexts(PAPER, None, (MENTION,))], DRAFT, SIDE, ScriptedModel(answer))


def test_a_proposed_row_that_the_judge_lets_stand_has_its_quotation_and_the_sentence_of_the_draft() -> None:
    done = judged(
        {"limit": "handle graphs whose edges change over time", "sentence": 1}, {"limit": True, "draft": True}
    )
    (found,) = done.rows
    assert found.limit is not None and (found.status, found.draft, found.by) == ("taken_up", OWN, "scripted:test")
    assert ABSTRACT[found.limit.start : found.limit.end] == found.limit.text


def test_another_paper_s_sentence_is_shown_whole() -> None:
    done = judged({"text": 1, "limit": "needs two passes over all of the edges"}, {"limit": True, "draft": False})
    assert done.rows[0].limit == StatedPassage(MENTION.sentence, "citation", "1901.00001", "Introduction")


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        ({"limit": "is far too slow for graphs of any size"}, "no_quotation"),
        ({"limit": "handle graphs whose edges change over time", "text": 7}, "no_quotation"),
    ],
)
def test_a_quotation_that_is_not_in_the_text_it_names_is_dropped_and_counted(
    proposal: dict[str, Any], reason: str
) -> None:
    done = judged(proposal, {"limit": True, "draft": False})
    assert done.dropped[reason] == 1 and done.rows[0].limit == STATED


def test_what_words_alone_found_is_taken_out_if_the_judge_does() -> None:
    done = judged({}, {"limit": False, "draft": False}, row(near=0.9))
    assert (done.rows[0].status, done.rows[0].limit, done.rows[0].draft) == ("none", None, None)
    assert done.dropped == {"limit_not_its_own": 1, "not_taken_up": 1}


def test_where_a_model_does_not_answer_rows_are_as_they_were() -> None:
    first = row(near=0.9)
    spent = ScriptedModel(lambda *_: {}, fail_after=0, error=BudgetReached("the budget is used up"))
    done = judge_rows([first], [WorkTexts(PAPER, None, ())], DRAFT, SIDE, spent)
    assert done.rows == [first] and [finding.code for finding in done.findings] == ["budget_reached"]
