"""The three steps in which an author sees how close a sentence is to its sources."""

import pytest

from citeplug.records.provenance import RecordedSource
from citeplug.records.section import Judgement
from citeplug.related.attribute.support import matching, support_of
from citeplug.related.section.accept import Recorded
from tests.harness.papers import paper

QUOTE = (
    "The paper introduces GraphSAGE, an inductive framework that computes embeddings for nodes never seen in training."
)
WORK = paper("1706.02216", title="Inductive Representation Learning on Large Graphs")


def recorded(text: str, attribution: float | None = 0.5, judgement: Judgement | None = None) -> Recorded:
    source = RecordedSource("1706.02216", quote=QUOTE)
    cites = ("1706.02216",)
    return Recorded("p1", 1, text, "paper", cites, (source,), attribution, judgement, "unreviewed", True, text)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        (
            "For inductive representation learning on large graphs, {{author:1706.02216}} introduce GraphSAGE, "
            "an inductive framework that computes embeddings for nodes never seen in training.",
            "verbatim",
        ),
        ("{{author:1706.02216}} propose “an inductive framework that computes embeddings”.", "verbatim"),
        ("{{author:1706.02216}} embed nodes that were never seen by an inductive framework.", "close"),
        ("{{author:1706.02216}} cluster protein images by contrastive pretraining of nodes.", "weak"),
    ],
)
def test_the_lead_in_names_and_titles_need_no_source(text: str, step: str) -> None:
    assert support_of(recorded(text), [WORK]) == step


def test_a_sentence_that_is_doubted_is_weak_whatever_its_words_are() -> None:
    doubted = Judgement(None, suspicion="it speaks of another data set")
    assert support_of(recorded(QUOTE, judgement=doubted), [WORK]) == "weak"


def test_a_sentence_that_lists_works_has_no_step() -> None:
    assert support_of(recorded("Further work includes it.", None), [WORK]) is None


def test_words_that_both_have_are_marked_whatever_their_endings() -> None:
    assert matching("We propose embedding of unseen nodes.", ["it computes embeddings for nodes"]) == [
        ("We propose ", False),
        ("embedding", True),
        (" of unseen ", False),
        ("nodes", True),
        (".", False),
    ]
    assert "".join(text for text, _ in matching("{{cite:1}} nodes <b>", ["nodes"])) == "{{cite:1}} nodes <b>"
