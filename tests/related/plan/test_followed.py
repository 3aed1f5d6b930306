"""What a section does not do of a plan that its author changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from citeplug.records.plan import PlanLine, PlanParagraph
from citeplug.records.section import Generated
from citeplug.related.plan.lengths import plan_not_followed
from citeplug.section_file.current import read_current
from citeplug.section_file.merge import as_printed, directives_of, hash_of

FILE = Path("related.tex")
KEYS = {"2001.00001": "one", "2001.00002": "two"}
LINES = (PlanLine("describe this", ("2001.00001",)), PlanLine("describe that", ("2001.00002",)))
MADE = Generated(
    PlanParagraph("p1", "", LINES, 300), (), ("Ann propose trees~\\cite{one}.", "Bob propose walks~\\cite{two}.")
)
BASE = Generated(MADE.plan, directives_of(MADE), MADE.lines)
TEXT = f"% citeplug: 2\n{as_printed(MADE)}"


def codes(text: str) -> list[str]:
    current = read_current(text, {hash_of(BASE): (BASE,)}, (), FILE)
    return [finding.code for finding in plan_not_followed(current, text, KEYS)]


def test_nothing_is_said_of_a_plan_that_citeplug_wrote() -> None:
    assert codes(TEXT) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text.replace("sentences=2 words=300", "sentences=2 words=6"), []),
        (lambda text: text.replace("sentences=2", "sentences=5"), ["plan_words"]),
        (lambda text: text.replace("words=300", "words=20"), ["plan_words"]),
        (lambda text: text.replace("describe this", "say this"), []),
        (lambda text: text.replace("001]", "?]").replace("002]", "001]").replace("?]", "002]"), ["plan_order"]),
    ],
)
def test_a_number_or_an_order_of_the_author_s_that_the_text_does_not_have_is_told(
    change: Callable[[str], str], expected: list[str]
) -> None:
    assert change(TEXT) != TEXT
    assert codes(change(TEXT)) == expected
