"""What an abstract states of its work."""

from dataclasses import replace

import pytest

from citeplug.positioning.stated import result_of
from tests.harness.papers import paper

ABOUT = "Graphs are everywhere, and existing methods achieve 80% on them. We propose X, which reduces the cost."


@pytest.mark.parametrize(
    ("rest", "result"),
    [
        ("Experiments show that X outperforms Y by 5%.", "Experiments show that X outperforms Y by 5%."),
        ("X is faster than Y.", None),  # it may be said of anything
        ("However, previous results show that Y is better.", None),
        ("We prove that the bound is tight. The code is online.", "We prove that the bound is tight."),
        ("", None),
    ],
)
def test_a_result_is_the_last_sentence_in_which_the_authors_report_one(rest: str, result: str | None) -> None:
    passage = result_of(replace(paper(), abstract=f"{ABOUT} {rest}"))
    assert (passage and passage.text) == result


def test_every_sentence_of_a_summary_is_on_the_work() -> None:
    passage = result_of(replace(paper(), abstract=f"{ABOUT} X is faster than Y.", abstract_kind="summary"))
    assert passage and passage.text == "X is faster than Y."
